"""Problems of measurements: loops that do not close and vectors that do not match, reported by their causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from framescope.core.analysis.diagnostics.comparisons import position_first
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.analysis.diagnostics.measured_problems import pose_problem
from framescope.core.analysis.misses.miss import Miss
from framescope.core.errors import Fix, Problem, Severity, counted
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Scene
from framescope.features.causes.core.explanations import Cause, Explanation, Search, own_explanations
from framescope.features.causes.core.judgement import Judge, changes_text, judged
from framescope.features.causes.core.vectors.words import ExplainedVector, settled_by

ASK = "The convention detective tries all other readings of its orientation: Measurement against Scene frame."
"""Advice if no tried hypothesis closes a loop."""

MORE = "No single change that is tried closes it: more than one thing is wrong, or something else."

MOST_NAMED = 4
"""Limit of named explanations of one problem."""

MOST_OTHERS = 6
"""Limit of further fixes offered for one problem."""


def explained_problems(judge: Judge, of_vectors: Sequence[ExplainedVector]) -> Iterator[Problem]:
    """Yield the misses of measurements, each cause once, with the fixes that were tried.

    Parameters
    ----------
    judge
        Misses of the plan.
    of_vectors
        Problems of measured vectors, with their own readings.
    """
    vectors = {problem.problem.name: problem for problem in of_vectors}
    search = Search(judge, vectors, own_explanations(judge, of_vectors))
    reported: set[str] = set()
    causes: list[Cause] = []
    for cause in search.causes():
        causes.append(cause)
        names = {str(key[1]) for key, _ in cause.closed}
        reported |= names
        if len(names) > 1:
            is_far = any(vectors[name].is_far for name in names if name in vectors)
            yield _joint(judge, cause, is_far=is_far)
        else:
            (name,) = names
            problem = vectors[name].bare if name in vectors else pose_problem(judge.plan, name, _parts(judge, name))
            if problem is not None:
                yield _explain(judge, problem, cause, is_far=name in vectors and vectors[name].is_far)
    for name in judge.plan.instruments.measurements:
        if name in reported:
            continue
        if name in vectors:
            if not _is_consequence(judge, name, causes):
                is_open = any(part.is_open for part in _parts(judge, name))
                upstream = search.upstream(name, causes) if is_open else ()
                yield _deferred(vectors[name], upstream) if upstream else _of_vector(judge, search, vectors[name])
        elif (problem := pose_problem(judge.plan, name, _parts(judge, name))) is not None:
            yield _report_unexplained(judge, search, name, problem)


def _is_consequence(judge: Judge, name: str, causes: Sequence[Cause]) -> bool:
    """Return whether the small miss of a vector shrinks by a cause that was reported already."""
    mine = [miss.id for miss in judge.before.values() if miss.key[1] == name]
    if any(judge.before[miss_id].is_open for miss_id in mine):
        return False
    return any(a.id in mine for cause in causes for a, _ in cause.best.trial.better)


def _deferred(vector: ExplainedVector, upstream: Sequence[Cause]) -> Problem:
    """Return the problem of a vector that cannot be explained before the causes of other misses are fixed."""
    firsts = dict.fromkeys(
        name
        for cause in upstream
        for name in (sorted({str(key[1]) for key, _ in cause.closed}) if cause.rivals else [cause.best.first.name])
    )
    hint = f"No single cause explains it. Fix {' and '.join(firsts)} first, then look again."
    return replace(vector.bare, hint=hint)


def _of_vector(judge: Judge, search: Search, vector: ExplainedVector) -> Problem:
    """Return the problem of a vector that no cause closes, with its own readings and fixes that leave only noise."""
    problem, name = judged(judge, vector.problem), vector.problem.name
    is_open = any(part.is_open for part in _parts(judge, name))
    if is_open:
        problem = replace(problem, others=tuple(fix for fix in problem.others if _closes(judge, fix.change, name)))
        if problem.fix is not None and not _closes(judge, problem.fix.change, name):
            problem = replace(problem, fix=None)
    nearest = search.nearest(name) if is_open and not all(reading.is_settled for reading in vector.readings) else None
    if nearest is None or nearest.reading is not None:
        return problem
    after = [nearest.trial.after[part.id] for part in _parts(judge, name) if part.id in nearest.trial.after]
    return replace(
        problem, hint=_join_sentences(problem.hint, f"Nearest, {_sizes(after)} away, is that {nearest.words(name)}.")
    )


def _closes(judge: Judge, edit: Edit, name: str) -> bool:
    """Return whether an edit reduces the misses of a measurement to noise."""
    trial = judge.try_edit(edit)
    mine = {part.id for part in _parts(judge, name) if part.is_open}
    return trial is not None and mine <= trial.closed_ids


def _parts(judge: Judge, name: str) -> tuple[Miss, ...]:
    """Return the misses of a measurement, the position first."""
    return position_first(tuple(miss for miss in judge.before.values() if miss.key == ("measured", name)))


def _explain(judge: Judge, problem: Problem, cause: Cause, *, is_far: bool) -> Problem:
    """Return the problem of one measurement with the cause that closes it, and its rivals."""
    name, best = problem.name, cause.best
    remaining = [best.trial.after[key] for key in sorted(best.trial.before, key=str) if key[0] == problem.key_path[:2]]
    is_vector = bool(remaining) and remaining[0].unit not in ("m", "°")
    if is_vector:
        problem = _with_title(problem, cause, "red" if is_far and not cause.rivals else "amber")
    if best.reading is not None:
        message = best.reading.sentence(_sizes(remaining), "if" if cause.rivals else "only if")
        problem = replace(problem, message=message)
        likely = _join_sentences(_rivals(best, cause.rivals, name, "As likely"), "" if cause.rivals else _says(best))
        return _with_fixes(judge, replace(problem, hint=likely), cause)
    closes = "It closes" if all(part.is_rounding for part in remaining) else f"It closes to {_sizes(remaining)}"
    if is_vector:
        closes = f"It matches to {_sizes(remaining)}"
    if cause.rivals:
        all_of_them = _any_of((best, *cause.rivals), name)
        hint = f"{closes} {all_of_them}: what is known does not tell which. {_settles(best, cause.rivals)}"
        return _with_fixes(judge, replace(problem, hint=hint), cause)
    two = " These are two causes." if best.n_causes > 1 else ""
    return _with_fixes(
        judge, replace(problem, hint=_join_sentences(f"{closes} {_if(best, name)}.{two}", _says(best))), cause
    )


def _with_title(problem: Problem, cause: Cause, severity: Severity) -> Problem:
    """Return a problem of a vector with the title and severity of its cause."""
    titles = {_title(candidate) for candidate in (cause.best, *cause.rivals)} - {""}
    title = titles.pop() if len(titles) == 1 else "one of several causes" if titles else problem.title
    return replace(problem, title=title, severity=severity)


def _title(candidate: Explanation) -> str:
    return " and ".join(dict.fromkeys(hypothesis.title for hypothesis in candidate.hypotheses if hypothesis.title))


def _joint(judge: Judge, cause: Cause, *, is_far: bool) -> Problem:
    """Return one problem for several misses that a single change closes."""
    best, before = cause.best, cause.best.trial.before
    key, name = best.first.item, best.first.name
    missed = sorted(cause.closed, key=str)
    pairs = changes_text((before[miss_id], best.trial.after[miss_id]) for miss_id in missed)
    message = f"{len(missed)} things are missed, and agree {_if(best, name)}. Better: {pairs}."
    severity = "red" if is_far and not cause.rivals else "amber"
    time = next((before[miss_id].time for miss_id in missed if before[miss_id].time is not None), None)
    title = f"{'one cause' if len(best.hypotheses) == 1 else 'two causes'} of {len(missed)} misses"
    problem = make_problem(key, "wrong-pose", title, message, severity=severity, times=() if time is None else (time,))
    besides = changes_text(pair for pair in best.trial.better if pair[0].id not in cause.closed)
    hint = f"Better besides: {besides}." if besides else ""
    if cause.rivals:
        others = _any_of(cause.rivals, name)
        hint = _join_sentences(
            hint, f"So they do {others}: what is known does not tell which.", _settles(best, cause.rivals)
        )
    return _with_fixes(judge, replace(problem, hint=hint), cause)


def _report_unexplained(judge: Judge, search: Search, name: str, problem: Problem) -> Problem:
    """Return a problem that no change closes, with the nearest one, and an edit that adopts the measured pose."""
    if problem.severity == "note":
        return _with_taken_pose(judge, name, problem)
    nearest = search.nearest(name)
    parts = [part for part in _parts(judge, name) if part.is_open]
    if nearest is not None:
        after = [nearest.trial.after[part.id] for part in _parts(judge, name) if part.id in nearest.trial.after]
        problem = replace(
            problem, hint=_join_sentences(f"Nearest, {_sizes(after)} away, is that {nearest.words(name)}.", MORE)
        )
    elif any(part.unit == "°" for part in parts):
        problem = replace(problem, hint=ASK)
    offsets = search.offsets(name)
    problem = _with_taken_pose(judge, name, problem)
    if len({candidate.first.item for candidate in offsets}) > 1:
        names = " or ".join(dict.fromkeys((name, *(candidate.first.name for candidate in offsets))))
        problem = replace(
            problem,
            hint=_join_sentences(problem.hint, f"The pose of {names} may be off: another measurement would tell."),
        )
    tried = (_try_fix(judge, candidate, problem) for candidate in offsets if candidate.first.button)
    return replace(problem, others=tuple(candidate for candidate in tried if candidate is not None)[:MOST_OTHERS])


def _with_taken_pose(judge: Judge, name: str, problem: Problem) -> Problem:
    item = judge.plan.scene.measured[name]
    edit = _pose_of_measurement(judge.plan.scene, name, item) if isinstance(item, MeasuredPose) else None
    return problem if edit is None else problem.with_fix("Take the measurement's pose", edit)


# --- Words


def _if(candidate: Explanation, name: str) -> str:
    return f"if {candidate.words(name)}"


def _sizes(parts: Sequence[Miss]) -> str:
    return " and ".join(
        f"{part.text(part.rms)}{' rms' if part.time is not None else ''}"
        for part in sorted(parts, key=lambda part: part.unit != "m")
    )


def _says(candidate: Explanation) -> str:
    """Return the improvements of all misses as a sentence."""
    return f"Better: {changes_text(candidate.trial.better)}." if candidate.trial.better else ""


def _any_of(candidates: Iterable[Explanation], name: str) -> str:
    """Return candidates as clauses, without repetitions, the likeliest first."""
    return _join_distinct([_if(candidate, name) for candidate in candidates], ", or ")


def _join_distinct(texts: Iterable[str], between: str) -> str:
    """Return the first distinct texts, joined, with the number of the others."""
    first = list(dict.fromkeys(texts))
    more = len(first) - MOST_NAMED
    return between.join([*first[:MOST_NAMED], *([counted(more, "other")] if more > 0 else [])])


def _rivals(best: Explanation, rivals: Sequence[Explanation], name: str, start: str) -> str:
    """Return the equally good candidates; a vector's own readings without its name."""
    if not rivals:
        return ""
    clauses = [
        rival.reading.words.rstrip(",") if rival.reading is not None else _if(rival, name)
        for rival in rivals
        if rival.reading is None or rival.reading is not best.reading
    ]
    text = f"{start}: {_join_distinct(clauses, '; or ')}." if clauses else "The scene may say it in several places."
    return f"{text} {_settles(best, rivals)}"


def _settles(best: Explanation, rivals: Sequence[Explanation]) -> str:
    """Return a measurement that would distinguish the candidates."""
    fits = [candidate.reading.fit for candidate in (best, *rivals) if candidate.reading is not None]
    if best.reading is not None and any(fit is not best.reading.fit for fit in fits):
        return settled_by(fits)
    items = {candidate.first.item for candidate in (best, *rivals)}
    if len(items) == 1:
        return "A measured position or velocity would tell."
    names = " and ".join(sorted({name for _, name in items}))
    return f"A measurement that does not depend on all of them, {names}, would tell."


def _join_sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


# --- Fixes


def _with_fixes(judge: Judge, problem: Problem, cause: Cause) -> Problem:
    """Return a problem with the tried fixes of its cause, the best one first unless rivals are as likely.

    For a vector, a pair of causes in two items never comes first: many pairs close a miss by chance.
    """
    measured = judge.plan.scene.measured
    fixes: list[Fix[Edit]] = []
    unlikely = [
        candidate for candidate in cause.others if candidate.cost > cause.best.cost + 1.0 or candidate.n_causes > 1
    ]
    for candidate in (
        cause.best,
        *cause.rivals,
        *(candidate for candidate in cause.others if candidate not in unlikely),
    ):
        fix = _try_fix(judge, candidate, problem)
        fixes += [] if fix is None else [fix]
        if len(fixes) > MOST_OTHERS:
            break
    problem = replace(problem, fix=None)
    is_of_vector = any(isinstance(measured[str(name)], MeasuredVector) for (_, name), _ in cause.closed)
    is_made_up = is_of_vector and len(cause.best.hypotheses) > 1
    is_first = bool(fixes) and mend_of(cause.best) is not None and not cause.rivals and not is_made_up
    if is_first:
        first, *fixes = fixes
        problem = problem.with_fix(first.text, first.change)
    return replace(problem, others=tuple(fixes))


def _try_fix(judge: Judge, candidate: Explanation, problem: Problem) -> Fix[Edit] | None:
    """Return the fix of a candidate for a problem; None if there is none, or it is harmful."""
    edit = mend_of(candidate)
    trial = None if edit is None else judge.try_edit(edit)
    if edit is None or trial is None or trial.is_harmful:
        return None
    text = candidate.first.button if len(candidate.hypotheses) == 1 else "Mend both"
    return Fix(text if candidate.first.name == problem.name else f"{candidate.first.name}: {text}", edit, trial.words)


def mend_of(candidate: Explanation) -> Edit | None:
    """Return the edit that applies all hypotheses of a candidate; None if the scene cannot express one."""
    edits = [hypothesis.mend for hypothesis in candidate.hypotheses]
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
    """Return the edit that gives a frame its measured pose, if both are constant with the same parent."""
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
