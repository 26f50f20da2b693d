"""Problems of what is measured: loops that do not close and vectors that do not match, told by their causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from framescope.core.analysis.diagnostics.causes.explanations import Cause, Explanation, Search
from framescope.core.analysis.diagnostics.causes.hypotheses_of_poses import PoseHypothesis
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, found
from framescope.core.analysis.diagnostics.judgement import Judge, changes_text, judged
from framescope.core.analysis.diagnostics.miss import Miss
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Scene

ASK = "The convention detective tries all other readings of its orientation: Measurement against Scene frame."
"""What to do where nothing that is tried here closes a loop."""

MORE = "No single change that is tried closes it: more than one thing is wrong, or something else."

OWN_COST = 1.3
"""How far-fetched it is that a measured vector is meant as would match."""

MOST_OTHERS = 6
"""Other mends of one problem that are offered."""


def measured_problems(judge: Judge, of_vectors: Sequence[Diagnosis]) -> Iterator[Diagnosis]:
    """Yield which measurements miss what the frames say, each cause once, with the mends that are tried.

    Parameters
    ----------
    judge
        What the plan misses.
    of_vectors
        Problems of measured vectors, each with what the vector alone may be.
    """
    rows = {one.name: judged(judge, one) for one in of_vectors}
    search = Search(judge, rows, _own(judge, of_vectors))
    told: set[str] = set()
    for cause in search.causes():
        names = {str(key[1]) for key, _ in cause.closed}
        told |= names
        if len(names) > 1:
            yield _joint(judge, cause, [rows[name] for name in names if name in rows])
        else:
            (name,) = names
            one = rows.get(name) or _row(judge, name)
            if one is not None:
                yield _explained(judge, one, cause)
    for name in judge.plan.instruments.measurements:
        one = rows.get(name) or _row(judge, name)
        if name not in told and one is not None:
            yield one if name in rows else _unexplained(judge, search, name, one)


def _own(judge: Judge, of_vectors: Sequence[Diagnosis]) -> Iterator[Explanation]:
    """Yield what measured vectors alone may be, with what that makes of everything."""
    for one in of_vectors:
        for mend in one.mends:
            trial = judge.tried(mend.edit)
            if trial is not None:
                what = f"is read {mend.edit.label.removeprefix(f'{one.name}: ')}"
                hypothesis = PoseHypothesis(("measured", one.name), "", what, mend.text, OWN_COST, edit=mend.edit)
                yield Explanation((hypothesis,), trial)


# --- Rows


def _row(judge: Judge, name: str) -> Diagnosis | None:
    """Return by how much a measured pose misses; None where it does not, or by no more than its noise."""
    item, parts = judge.plan.scene.measured[name], _parts(judge, name)
    if not isinstance(item, MeasuredPose) or all(one.is_rounding for one in parts):
        return None
    is_open = any(one.is_open for one in parts)
    if not is_open and any(one.noise for one in parts):
        return None
    size = " and ".join(one.words for one in parts)
    worst = next((one for one in parts if one.is_open), parts[0])
    times = () if worst.time is None else (worst.time,)
    _, _, other = parts[0].what.partition(" against ")
    if other:
        message = f"it and {other} are two paths from {item.relative_to} to {item.of}, and end {size} apart."
        return found(("measured", name), "loop-open", "measurements differ", message, times=times) if is_open else None
    message = f"it puts {item.of} {size} from where the frames put it relative to {item.relative_to}."
    title, severity = ("loop open", "amber") if is_open else ("loop closed nearly", "note")
    return found(("measured", name), "loop-open", title, message, severity=severity, times=times)


def _parts(judge: Judge, name: str) -> list[Miss]:
    """Return what is missed of a measurement, the position first."""
    parts = [one for one in judge.before.values() if one.key == ("measured", name)]
    return sorted(parts, key=lambda one: one.unit != "m")


def _explained(judge: Judge, one: Diagnosis, cause: Cause) -> Diagnosis:
    name, best = one.name, cause.best
    first = _if(best, name)
    rest = [best.trial.after[key] for key in sorted(best.trial.before, key=str) if key[0] == one.problem.key_path[:2]]
    closes = "It closes" if all(part.is_rounding for part in rest) else f"It closes to {_sizes(rest)}"
    if rest and rest[0].unit not in ("m", "°"):
        closes = f"It matches to {_sizes(rest)}"
    own = {mend.edit for mend in one.mends}
    if best.first.edit in own:  # the vector itself explains it
        rivals = [each for each in cause.rivals if each.first.edit not in own]
        return one.with_hint(
            _joined(one.problem.hint, _says(best) if one.mend is not None else "", _rivals(best, rivals, name))
        )
    if cause.rivals and _is_open(cause):
        all_of_them = ", or ".join(_if(each, name) for each in (best, *cause.rivals))
        hint = f"{closes} {all_of_them}: what is known does not tell which. {_settles(best, cause.rivals[0])}"
        return _with_mends(judge, one.with_hint(hint), cause)
    two = " These are two causes." if len(best.hypotheses) > 1 else ""
    hint = _joined(f"{closes} {first}.{two}", _says(best), _rivals(best, cause.rivals, name))
    return _with_mends(judge, one.with_hint(hint), cause)


def _joint(judge: Judge, cause: Cause, rows: list[Diagnosis]) -> Diagnosis:
    """Return one problem for several misses that one change closes."""
    best, before = cause.best, cause.best.trial.before
    key, name = best.first.item, best.first.name
    missed = sorted(cause.closed, key=str)
    pairs = changes_text((before[each], best.trial.after[each]) for each in missed)
    message = f"{len(missed)} things are missed, and agree {_if(best, name)}. Better: {pairs}."
    severity = "red" if any(row.problem.severity == "red" for row in rows) else "amber"
    time = next((before[each].time for each in missed if before[each].time is not None), None)
    title = f"one cause of {len(missed)} misses"
    one = found(key, "wrong-pose", title, message, severity=severity, times=() if time is None else (time,))
    besides = changes_text(pair for pair in best.trial.better if pair[0].id not in cause.closed)
    hint = f"Better besides: {besides}." if besides else ""
    if cause.rivals and _is_open(cause):
        others = ", or ".join(_if(each, name) for each in cause.rivals)
        hint = _joined(
            hint, f"So they do {others}: what is known does not tell which.", _settles(best, cause.rivals[0])
        )
    return _with_mends(judge, one.with_hint(hint), cause)


def _unexplained(judge: Judge, search: Search, name: str, one: Diagnosis) -> Diagnosis:
    """Return a problem that no change closes, with what comes nearest, and the pose that would be taken over."""
    if one.problem.severity == "note":
        return _with_taken_pose(judge, name, one)
    nearest = search.nearest(name)
    parts = [part for part in _parts(judge, name) if part.is_open]
    if nearest is not None:
        after = [nearest.trial.after[part.id] for part in _parts(judge, name) if part.id in nearest.trial.after]
        one = one.with_hint(_joined(f"Nearest, {_sizes(after)} away, is that {nearest.words(name)}.", MORE))
    elif any(part.unit == "°" for part in parts):
        one = one.with_hint(ASK)
    offsets = search.offsets(name)
    one = _with_taken_pose(judge, name, one)
    if len({each.first.item for each in offsets}) > 1:
        names = " or ".join(dict.fromkeys((name, *(each.first.name for each in offsets))))
        one = one.with_hint(
            _joined(one.problem.hint, f"The pose of {names} may be off: another measurement would tell.")
        )
    tried = (_tried(judge, each, one) for each in offsets if each.first.button)
    return replace(one, others=tuple(each for each in tried if each is not None)[:MOST_OTHERS])


def _with_taken_pose(judge: Judge, name: str, one: Diagnosis) -> Diagnosis:
    item = judge.plan.scene.measured[name]
    mend = _pose_of_measurement(judge.plan.scene, name, item) if isinstance(item, MeasuredPose) else None
    return one if mend is None else one.with_mend("Take the measurement's pose", mend)


# --- Words


def _if(candidate: Explanation, name: str) -> str:
    return f"if {candidate.words(name)}"


def _sizes(parts: Sequence[Miss]) -> str:
    return " and ".join(
        f"{part.text(part.rms)}{' rms' if part.time is not None else ''}"
        for part in sorted(parts, key=lambda part: part.unit != "m")
    )


def _says(candidate: Explanation) -> str:
    """Return by how much everything gets better."""
    return f"Better: {changes_text(candidate.trial.better)}." if candidate.trial.better else ""


def _is_open(cause: Cause) -> bool:
    return any(each.cost <= cause.best.cost + 0.25 for each in cause.rivals)


def _rivals(best: Explanation, rivals: Sequence[Explanation], name: str) -> str:
    if not rivals:
        return ""
    text = ", or ".join(_if(each, name) for each in rivals[:2])
    return f"So it does {text}. {_settles(best, rivals[0])}"


def _settles(best: Explanation, rival: Explanation) -> str:
    """Return what would tell two candidates apart."""
    if best.first.item == rival.first.item:
        return "A measured position or velocity would tell."
    names = " and ".join(sorted({best.first.name, rival.first.name}))
    return f"A measurement that does not depend on both, {names}, would tell."


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)


# --- Mends


def _with_mends(judge: Judge, one: Diagnosis, cause: Cause) -> Diagnosis:
    """Return a problem with the tried mends of its cause: the best first, none where what is known does not tell."""
    tried: list[TriedMend] = []
    unlikely = [each for each in cause.others if each.cost > cause.best.cost + 1.0]
    for each in (cause.best, *cause.rivals, *(each for each in cause.others if each not in unlikely)):
        mend = _tried(judge, each, one)
        tried += [] if mend is None else [mend]
        if len(tried) > MOST_OTHERS:
            break
    one = replace(one, mend=None, mend_text="", is_safe=False)
    is_first = bool(tried) and mend_of(cause.best) is not None and not (cause.rivals and _is_open(cause))
    if is_first:
        first, *tried = tried
        one = one.with_mend(first.text, first.edit)
    return replace(one, others=tuple(tried))


def _tried(judge: Judge, each: Explanation, one: Diagnosis) -> TriedMend | None:
    """Return the mend of a candidate as it stands beside a problem; None where there is none, or it harms."""
    edit = mend_of(each)
    trial = None if edit is None else judge.tried(edit)
    if edit is None or trial is None or trial.is_harmful:
        return None
    text = each.first.button if len(each.hypotheses) == 1 else "Mend both"
    return TriedMend(text if each.first.name == one.name else f"{each.first.name}: {text}", edit, trial.words)


def mend_of(candidate: Explanation) -> Edit | None:
    """Return the edit that makes all of what a candidate says; None where no field says it."""
    edits = [each.mend for each in candidate.hypotheses]
    known = [edit for edit in edits if edit is not None]
    if len(known) < len(edits):
        return None
    if len(known) == 1:
        return known[0]

    def apply(scene: Scene) -> Scene:
        for edit in known:
            scene = edit.apply(scene)
        return scene

    return Edit(", ".join(edit.label for edit in known), apply)


def _pose_of_measurement(scene: Scene, name: str, measurement: MeasuredPose) -> Edit | None:
    """Return the edit that gives a frame the pose that is measured of it, where both are constants of one parent."""
    frame = scene.frames.get(measurement.of)
    if (
        frame is None
        or frame.parent != measurement.relative_to
        or frame.motion is not None
        or measurement.motion is not None
    ):
        return None
    measured = {"position": measurement.position, "orientation": measurement.orientation}
    changes = {key: value for key, value in measured.items() if value is not None}
    return Edit(f"{measurement.of}: took the pose of {name}", lambda scene: set_frame(scene, measurement.of, **changes))
