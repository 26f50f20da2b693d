"""Problems of what is measured: loops that do not close and vectors that do not match, told by their causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from framescope.core.analysis.diagnostics.comparisons import position_first
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, found
from framescope.core.analysis.diagnostics.measured_problems import pose_problem
from framescope.core.analysis.misses.miss import Miss
from framescope.core.errors import Severity, counted
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Scene
from framescope.features.causes.core.explanations import Cause, Explanation, Search, own_explanations
from framescope.features.causes.core.judgement import Judge, changes_text, judged
from framescope.features.causes.core.vectors.words import VectorProblem, settled_by

ASK = "The convention detective tries all other readings of its orientation: Measurement against Scene frame."
"""What to do where nothing that is tried here closes a loop."""

MORE = "No single change that is tried closes it: more than one thing is wrong, or something else."

MOST_TOLD = 4
"""Explanations of one problem that are named."""

MOST_OTHERS = 6
"""Other mends of one problem that are offered."""


def explained_problems(judge: Judge, of_vectors: Sequence[VectorProblem]) -> Iterator[Diagnosis]:
    """Yield which measurements miss what the frames say, each cause once, with the mends that are tried.

    Parameters
    ----------
    judge
        What the plan misses.
    of_vectors
        Problems of measured vectors, each with what the vector alone may be.
    """
    vectors = {one.diagnosis.name: one for one in of_vectors}
    search = Search(judge, vectors, own_explanations(judge, of_vectors))
    told: set[str] = set()
    causes: list[Cause] = []
    for cause in search.causes():
        causes.append(cause)
        names = {str(key[1]) for key, _ in cause.closed}
        told |= names
        if len(names) > 1:
            is_far = any(vectors[name].is_far for name in names if name in vectors)
            yield _joint(judge, cause, is_far=is_far)
        else:
            (name,) = names
            one = vectors[name].bare if name in vectors else pose_problem(judge.plan, name, _parts(judge, name))
            if one is not None:
                yield _explained(judge, one, cause, is_far=name in vectors and vectors[name].is_far)
    for name in judge.plan.instruments.measurements:
        if name in told:
            continue
        if name in vectors:
            if not _is_consequence(judge, name, causes):
                yield _of_vector(judge, search, vectors[name])
        elif (one := pose_problem(judge.plan, name, _parts(judge, name))) is not None:
            yield _unexplained(judge, search, name, one)


def _is_consequence(judge: Judge, name: str, causes: Sequence[Cause]) -> bool:
    """Return whether what little a vector misses becomes less by a cause that is reported already."""
    mine = [one.id for one in judge.before.values() if one.key[1] == name]
    if any(judge.before[each].is_open for each in mine):
        return False
    return any(a.id in mine for cause in causes for a, _ in cause.best.trial.better)


def _of_vector(judge: Judge, search: Search, problem: VectorProblem) -> Diagnosis:
    """Return the problem of a vector that no cause closes, by its own readings, with the mends that leave but noise."""
    one, name = judged(judge, problem.diagnosis), problem.diagnosis.name
    is_open = any(part.is_open for part in _parts(judge, name))
    if is_open:
        one = replace(one, others=tuple(each for each in one.others if _closes(judge, each.edit, name)))
        if one.mend is not None and not _closes(judge, one.mend, name):
            one = replace(one, mend=None, mend_text="")
    nearest = search.nearest(name) if is_open and not all(each.is_settled for each in problem.readings) else None
    if nearest is None or nearest.reading is not None:
        return one
    after = [nearest.trial.after[part.id] for part in _parts(judge, name) if part.id in nearest.trial.after]
    return one.with_hint(_joined(one.problem.hint, f"Nearest, {_sizes(after)} away, is that {nearest.words(name)}."))


def _closes(judge: Judge, edit: Edit, name: str) -> bool:
    """Return whether an edit leaves no more than noise of what a measurement misses."""
    trial = judge.tried(edit)
    mine = {part.id for part in _parts(judge, name) if part.is_open}
    return trial is not None and mine <= trial.closed


def _parts(judge: Judge, name: str) -> tuple[Miss, ...]:
    """Return the misses of a measurement, the position first."""
    return position_first(tuple(one for one in judge.before.values() if one.key == ("measured", name)))


def _explained(judge: Judge, one: Diagnosis, cause: Cause, *, is_far: bool) -> Diagnosis:
    """Return the problem of one measurement with the cause that closes it, and the rivals of that."""
    name, best = one.name, cause.best
    rest = [best.trial.after[key] for key in sorted(best.trial.before, key=str) if key[0] == one.problem.key_path[:2]]
    is_vector = bool(rest) and rest[0].unit not in ("m", "°")
    if is_vector:
        one = _titled(one, cause, "red" if is_far and not cause.rivals else "amber")
    if best.reading is not None:
        message = f"{one.problem.message.removesuffix('.')}; {best.reading.words} by {_sizes(rest)}."
        one = replace(one, problem=replace(one.problem, message=message))
        likely = _joined(_rivals(best, cause.rivals, name, "As likely"), "" if cause.rivals else _says(best))
        return _with_mends(judge, one.with_hint(likely), cause)
    closes = "It closes" if all(part.is_rounding for part in rest) else f"It closes to {_sizes(rest)}"
    if is_vector:
        closes = f"It matches to {_sizes(rest)}"
    if cause.rivals:
        all_of_them = _any_of((best, *cause.rivals), name)
        hint = f"{closes} {all_of_them}: what is known does not tell which. {_settles(best, cause.rivals)}"
        return _with_mends(judge, one.with_hint(hint), cause)
    two = " These are two causes." if best.n_causes > 1 else ""
    return _with_mends(judge, one.with_hint(_joined(f"{closes} {_if(best, name)}.{two}", _says(best))), cause)


def _titled(one: Diagnosis, cause: Cause, severity: Severity) -> Diagnosis:
    """Return a problem of a vector with the title and the severity of its cause."""
    titles = {_title(each) for each in (cause.best, *cause.rivals)} - {""}
    title = titles.pop() if len(titles) == 1 else "one of several causes" if titles else one.title
    return replace(one, title=title, problem=replace(one.problem, severity=severity))


def _title(each: Explanation) -> str:
    return " and ".join(dict.fromkeys(one.title for one in each.hypotheses if one.title))


def _joint(judge: Judge, cause: Cause, *, is_far: bool) -> Diagnosis:
    """Return one problem for several misses that one change closes."""
    best, before = cause.best, cause.best.trial.before
    key, name = best.first.item, best.first.name
    missed = sorted(cause.closed, key=str)
    pairs = changes_text((before[each], best.trial.after[each]) for each in missed)
    message = f"{len(missed)} things are missed, and agree {_if(best, name)}. Better: {pairs}."
    severity = "red" if is_far and not cause.rivals else "amber"
    time = next((before[each].time for each in missed if before[each].time is not None), None)
    title = f"one cause of {len(missed)} misses"
    one = found(key, "wrong-pose", title, message, severity=severity, times=() if time is None else (time,))
    besides = changes_text(pair for pair in best.trial.better if pair[0].id not in cause.closed)
    hint = f"Better besides: {besides}." if besides else ""
    if cause.rivals:
        others = _any_of(cause.rivals, name)
        hint = _joined(hint, f"So they do {others}: what is known does not tell which.", _settles(best, cause.rivals))
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


def _any_of(candidates: Iterable[Explanation], name: str) -> str:
    """Return candidates as clauses, each once, the likeliest of them."""
    return _listed([_if(each, name) for each in candidates], ", or ")


def _listed(texts: Iterable[str], between: str) -> str:
    """Return the first of some texts, each once, and how many there are besides."""
    first = list(dict.fromkeys(texts))
    more = len(first) - MOST_TOLD
    return between.join([*first[:MOST_TOLD], *([counted(more, "other")] if more > 0 else [])])


def _rivals(best: Explanation, rivals: Sequence[Explanation], name: str, start: str) -> str:
    """Return what fits as well; of a vector's own readings without naming it again."""
    if not rivals:
        return ""
    said = [
        each.reading.words.rstrip(",") if each.reading is not None else _if(each, name)
        for each in rivals
        if each.reading is None or each.reading is not best.reading
    ]
    text = f"{start}: {_listed(said, '; or ')}." if said else "The scene may say it in several places."
    return f"{text} {_settles(best, rivals)}"


def _settles(best: Explanation, rivals: Sequence[Explanation]) -> str:
    """Return what would tell candidates apart."""
    fits = [each.reading.fit for each in (best, *rivals) if each.reading is not None]
    if best.reading is not None and any(fit is not best.reading.fit for fit in fits):
        return settled_by(fits)
    items = {each.first.item for each in (best, *rivals)}
    if len(items) == 1:
        return "A measured position or velocity would tell."
    names = " and ".join(sorted({name for _, name in items}))
    return f"A measurement that does not depend on all of them, {names}, would tell."


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)


# --- Mends


def _with_mends(judge: Judge, one: Diagnosis, cause: Cause) -> Diagnosis:
    """Return a problem with the tried mends of its cause: the best first, none where what is known does not tell.

    Nor is one first of two causes in two places that close what a vector misses: many pairs do somehow.
    """
    measured = judge.plan.scene.measured
    tried: list[TriedMend] = []
    unlikely = [each for each in cause.others if each.cost > cause.best.cost + 1.0 or each.n_causes > 1]
    for each in (cause.best, *cause.rivals, *(each for each in cause.others if each not in unlikely)):
        mend = _tried(judge, each, one)
        tried += [] if mend is None else [mend]
        if len(tried) > MOST_OTHERS:
            break
    one = replace(one, mend=None, mend_text="", is_safe=False)
    is_of_vector = any(isinstance(measured[str(name)], MeasuredVector) for (_, name), _ in cause.closed)
    is_made_up = is_of_vector and len(cause.best.hypotheses) > 1
    is_first = bool(tried) and mend_of(cause.best) is not None and not cause.rivals and not is_made_up
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
