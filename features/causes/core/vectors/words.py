"""Texts about a measured vector, in its own unit, and the edits that apply an explanation to the scene."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from framescope.core.analysis.diagnostics.costs import DELAY_COST, OFFSET_COST, SCALE_COST
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.analysis.diagnostics.measured_problems import RATE_MISMATCH, fit_text, is_far_off, vector_problem
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.pose_misses import rows_between
from framescope.core.analysis.misses.vector_comparison import VectorComparison
from framescope.core.errors import Fix, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame, with_item
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.poses import Position
from framescope.core.scene.schema.quantities import UNITS, Quantity, unit_factor
from framescope.features.causes.core.vectors.fits import VectorFit
from framescope.features.causes.core.vectors.hypotheses import MINUS_ONE
from framescope.features.causes.core.vectors.search import Verdict
from framescope.features.detective.core.axis_changes import AxisChange

UNEXPLAINED = "No one or two causes explain it: more than that is wrong, or something else."
"""Hint at a vector that no few causes explain."""

MOST_RIVALS = 3
"""Limit of reported rivals."""

UNSEEN_LEVER, UNSEEN_PART = 0.05, 0.3
"""Standard deviation of a part of a lever arm, m and as a part of its length, above which it counts as unseen."""


@dataclass(frozen=True)
class CauseText:
    """A cause in words, with the changes of the scene that express it.

    Attributes
    ----------
    title
        Short title.
    phrase
        Description of the vector, as in "in deg/s".
    cost
        Improbability, as in `PoseHypothesis`.
    button, values
        Text of a button and the values that it sets; empty without values.
    edits
        Alternative edits that express it, each with the text of its button.
    is_of_data
        Whether the vector alone may be the cause, which no edit expresses.
    is_whole
        Whether it changes the vector so much that fixing only other causes is of no use.
    """

    title: str
    phrase: str
    cost: float = 1.3
    button: str = ""
    values: tuple[tuple[KeyPath, object], ...] = ()
    edits: tuple[tuple[str, Edit], ...] = ()
    is_of_data: bool = False
    is_whole: bool = False

    @property
    def has_edit(self) -> bool:
        """Whether a scene can express it."""
        return bool(self.button or self.edits)


@dataclass(frozen=True, eq=False)
class Reading:
    """A possible meaning of a measured vector by itself.

    Attributes
    ----------
    comparison, miss
        The vector as given, and its miss.
    causes
        All changes relative to the scene.
    fit
        Fit of the remainder.
    fixes
        Edits that each apply all causes; empty if a scene cannot express all of them.
    is_settled
        Whether the fit leaves only noise.
    """

    comparison: VectorComparison
    miss: Miss
    causes: tuple[CauseText, ...]
    fit: VectorFit
    fixes: tuple[Fix[Edit], ...]
    is_settled: bool

    def sentence(self, rest: str, condition: str) -> str:
        """Return what this meaning leaves of the miss, see `fit_text`."""
        return fit_text(self.comparison, self.miss, self.words, rest, condition)

    @property
    def cost(self) -> float:
        """Improbability: the sum of the causes' costs."""
        return sum(cause.cost for cause in self.causes)

    @property
    def is_of_data(self) -> bool:
        """Whether the vector alone may be the cause."""
        return not self.fixes or any(cause.is_of_data for cause in self.causes)

    @property
    def words(self) -> str:
        """All causes as one phrase."""
        return _together(self.causes)

    @property
    def title(self) -> str:
        """Titles of all causes."""
        return _title(self.causes)

    @property
    def delay(self) -> float | None:
        """Delay of the vector, s, if that is the only cause."""
        return self.fit.delay if self.fit.hypothesis.causes == frozenset[object](("delay",)) else None


@dataclass(frozen=True, eq=False)
class ExplainedVector:
    """A measured vector that does not match, as an intermediate result of the search for causes.

    It holds two problems, of which one is reported: with the vector's own readings, or without them if another item is
    the cause.

    Attributes
    ----------
    problem
        Problem explained by the readings.
    bare
        Problem without an explanation.
    readings
        The best reading and its rivals; empty if no change of the vector itself would match.
    is_far
        Whether it misses by far more than noise, and by a large part of its size.
    """

    problem: Problem
    bare: Problem
    readings: tuple[Reading, ...] = field(default=())
    is_far: bool = False


def problem_of(comparison: VectorComparison, verdict: Verdict) -> ExplainedVector | None:
    """Return the problem of a measured vector; None if it matches."""
    miss = verdict.miss
    is_far = is_far_off(comparison, miss)
    key: KeyPath = ("measured", comparison.name)
    times = (miss.time or 0.0,)
    if not verdict.causes and verdict.fits:
        return None
    bare = vector_problem(comparison, miss, has_cause=bool(verdict.causes) or verdict.needs_more)
    if not verdict.causes:
        problem = bare if bare.severity == "note" else replace(bare, hint=UNEXPLAINED)
        return ExplainedVector(problem, bare, is_far=is_far)
    readings = tuple(_readings(comparison, verdict))
    best, others = readings[0], readings[1:]
    read = replace(miss, unit=read_unit(comparison, verdict.best))
    hint, is_open = "", bool(others) or not verdict.fits
    condition = "best if" if not verdict.fits else "if" if others else "only if"
    message = best.sentence(read.text(verdict.best.rms), condition)
    if not verdict.fits:
        hint = "That is more than its noise: there is more than one cause, or another."
        title = "more than one cause"
    elif others:
        hint = f"As likely: {'; or '.join(reading.words for reading in others)}. "
        hint += settled_by((verdict.best, *(vector_fit for vector_fit, _ in verdict.rivals)))
        titles = {_title(reading.causes) for reading in readings}
        title = titles.pop() if len(titles) == 1 else "one of several causes"
    else:
        title = _title(best.causes)
    is_form = [key for key, _ in verdict.best.hypothesis.changes] == ["form"] and len(best.causes) == 1
    severity = "red" if is_far and not is_open and not is_form else "amber"
    problem = make_problem(key, RATE_MISMATCH, title, message, hint, severity=severity, times=times)
    fixes = [fix for reading in readings for fix in reading.fixes]
    if is_open or best.is_of_data or len(fixes) != 1:
        return ExplainedVector(replace(problem, others=tuple(fixes)), bare, readings, is_far)
    return ExplainedVector(problem.with_fix(fixes[0].text, fixes[0].change), bare, readings, is_far)


def _readings(comparison: VectorComparison, verdict: Verdict) -> Iterable[Reading]:
    """Yield the best reading of a vector and its rivals."""
    for vector_fit, fitted_causes in ((verdict.best, verdict.causes), *verdict.rivals[:MOST_RIVALS]):
        causes = tuple(cause_text(comparison, vector_fit, cause) for cause in fitted_causes)
        yield Reading(comparison, verdict.miss, causes, vector_fit, tuple(_fixes(comparison, causes)), verdict.fits)


def _title(causes: Iterable[CauseText]) -> str:
    return " and ".join(dict.fromkeys(cause.title for cause in causes))


def _fixes(comparison: VectorComparison, causes: Collection[CauseText]) -> Iterable[Fix[Edit]]:
    """Yield the edits that each apply all causes to a scene; none if the scene cannot express one of them."""
    if not all(cause.has_edit for cause in causes):
        return
    values = {key: value for cause in causes for key, value in cause.values}
    label = f"{comparison.name}: {', '.join(cause.phrase for cause in causes)}"
    for chosen in itertools.product(*(cause.edits for cause in causes if cause.edits)):
        yield Fix(_button(causes, chosen), Edit(label, partial(_apply_all, values, label, chosen)))


def _apply_all(values: Mapping[KeyPath, object], label: str, edits: Iterable[tuple[str, Edit]], scene: Scene) -> Scene:
    scene = set_values(values, label).apply(scene) if values else scene
    for _, edit in edits:
        scene = edit.apply(scene)
    return scene


def _button(causes: Collection[CauseText], chosen: Collection[tuple[str, Edit]]) -> str:
    if len(causes) > 1:
        return "Mend both"
    return next((button for button, _ in chosen), next(iter(causes)).button)


def read_unit(comparison: VectorComparison, vector_fit: VectorFit) -> str:
    """Return the unit of the numbers in the file according to a fit."""
    return str(dict(vector_fit.hypothesis.changes).get("unit", comparison.staged.unit))


def _together(causes: Iterable[CauseText]) -> str:
    return ", ".join(cause.phrase for cause in causes)


def _vector(values: Array) -> str:
    return "(" + ", ".join(f"{x:.3g}" for x in (values + 0.0).tolist()) + ")"


def settled_by(fits: Iterable[VectorFit]) -> str:
    """Return a measurement that would distinguish some fits."""
    free = [vector_fit.hypothesis.free for vector_fit in fits]
    differing = frozenset[str]().union(*free) - free[0].intersection(*free)
    if differing & {"bias", "weight"}:
        return "A stretch at rest would settle it, or more turning about other axes."
    if "delay" in differing:
        return "Quicker changes would settle it."
    return "More motion along and about other axes would settle it."


def cause_text(comparison: VectorComparison, vector_fit: VectorFit, cause: object) -> CauseText:
    """Return a cause of a fit in words, with the changes of the scene that express it."""
    key: KeyPath = ("measured", comparison.name)
    match cause:
        case ("relative_to", str(name)):
            edit = (((*key, "relative_to"), name),)
            button = f"Relative to {name}"
            return CauseText("relative to another frame", f"relative to {name}", 1.4, button, edit)
        case ("resolved_in", str(name)):
            edit = (((*key, "resolved_in"), name),)
            return CauseText("wrong frame", f"in the axes of {name}", 1.2, f"Resolve in {name}", edit)
        case ("form", str(form)):
            edit = (((*key, "form"), form),)
            title = "weight in it" if form == "specific force" else "gravity removed"
            article = "a" if form == "specific force" else "an"
            return CauseText(title, f"as {article} {form}", 1.1, f"Read as {form}", edit)
        case ("unit", str(unit)):
            edit = (((*key, "unit"), unit), *_same_tolerance(comparison, unit))
            return CauseText("wrong unit", f"in {unit}", 1.0, f"Read as {unit}", edit)
        case ("axes", AxisChange() as change):
            return _negated_text(comparison, vector_fit) if change == MINUS_ONE else _other_axes(comparison, change)
        case _:
            return _FITTED[str(cause)](comparison, vector_fit)


def _same_tolerance(comparison: VectorComparison, unit: str) -> tuple[tuple[KeyPath, object], ...]:
    """Return the value that keeps a tolerance equal in another unit."""
    tolerance, form = comparison.measurement.tolerance, comparison.measurement.form
    if tolerance is None:
        return ()
    value = tolerance * comparison.staged.factor / UNITS[form][unit]
    return ((("measured", comparison.name, "tolerance"), float(f"{value:.6g}")),)


def _negated_text(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    measurement, key = comparison.measurement, ("measured", comparison.name)
    if not measurement.form.startswith("angular"):
        return CauseText("negated", "negated", 1.3, is_whole=True)
    relative_to = dict(vector_fit.hypothesis.changes).get("relative_to", measurement.relative_to)
    swapped = (((*key, "of"), relative_to), ((*key, "relative_to"), measurement.of))
    return CauseText("negated", "negated", 1.3, "Swap the frames", swapped)


def _other_axes(comparison: VectorComparison, change: AxisChange) -> CauseText:
    title = "other axes" if change.is_proper else "left-handed axes"
    phrase, cost = f"with other axes: its {change.text}", 1.3 + 0.25 * change.cost
    if change.signs != (1, 1, 1):
        return CauseText(title, phrase, cost, is_whole=True)
    # Column i holds the component places[i].
    columns = tuple(comparison.measurement.values[change.places.index(j)] for j in range(3))
    return CauseText(
        title, phrase, cost, f"Take {', '.join(columns)}", ((("measured", comparison.name, "values"), columns),)
    )


# --- Causes with fitted numbers


def _scale_text(_: VectorComparison, vector_fit: VectorFit) -> CauseText:
    return CauseText("scaled", f"{vector_fit.scale:.4g} times as large", SCALE_COST)


def _bias_text(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    offset = f"{_vector(vector_fit.bias / comparison.staged.factor)} {read_unit(comparison, vector_fit)}"
    return CauseText("constant offset", f"less a constant offset of {offset}", OFFSET_COST)


def _weight_text(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    weight = f"{_vector(vector_fit.weight / comparison.staged.factor)} {read_unit(comparison, vector_fit)}"
    cost = 1.5 if vector_fit.is_standard_weight else OFFSET_COST
    return CauseText("weight in it", f"less a vector that stands still in world, {weight}, as weight does,", cost)


def _late(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    start, delay = comparison.measurement.start, vector_fit.delay
    title = "late" if delay > 0.0 else "early"
    phrase = f"{_time(abs(delay))} {'earlier' if delay > 0.0 else 'later'}"
    if start.unit is None:
        return CauseText(title, phrase, DELAY_COST)
    key: KeyPath = ("measured", comparison.name, "start")
    moved = Quantity(round(start.value - delay / unit_factor(start.unit, "time", key), 6), start.unit)
    return CauseText(title, phrase, DELAY_COST, f"Move by {_time(-delay)}", ((key, str(moved)),))


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s"


def _rotation_text(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    """Return a rotation in words, from the stated axes of the vector towards the fitted ones."""
    resolved_in = comparison.measurement.resolved_in
    vector = -vector_fit.rotation_vector
    angle = float(np.linalg.norm(vector))
    about = _vector(vector / angle) if angle else ""
    phrase = f"with the axes of {resolved_in} turned by {np.degrees(angle):.3g}° about {about}"
    edits = tuple(_turns_of_frames(comparison, vector_fit))
    others = [button.removeprefix("Turn ") for button, _ in edits if button != f"Turn {resolved_in}"]
    phrase += f", by {' or by '.join(others)}," if others else ""
    return CauseText("turned", phrase, OFFSET_COST, edits=edits, is_of_data=True)


def _turns_of_frames(comparison: VectorComparison, vector_fit: VectorFit) -> Iterator[tuple[str, Edit]]:
    """Yield the edits of frames that each rotate the axes of a vector as fitted."""
    measurement, plan = comparison.measurement, comparison.plan
    if not dict(vector_fit.hypothesis.changes).keys().isdisjoint({"resolved_in", "axes"}):
        return
    T = np.eye(3)  # from the frame into the axes that the vector is resolved in
    for name, T_PF, _ in _fixed_above(plan, measurement.resolved_in, measurement.relative_to):
        turned = T.T @ vector_fit.turn @ T @ T_PF
        label = f"{name}: turned as {comparison.name} has it"
        yield f"Turn {name}", orient_frame(name, turned, plan.moment(name, plan.start), label)
        T = T @ T_PF


def _fixed_above(plan: Plan, name: str, below: str) -> Iterator[tuple[str, Array, Array]]:
    """Yield a frame and its ancestors that have constant poses, with these."""
    ways = rows_between(plan.tree, name, below)
    for row in () if ways is None else ways[0]:
        motion = plan.tree.motions[row]
        if motion.still is None or not motion.is_constant:
            return
        yield plan.names[row], *motion.still


def _lever_text(comparison: VectorComparison, vector_fit: VectorFit) -> CauseText:
    """Return a lever arm in words: the point of measurement relative to the origin of the frame."""
    of, lever = comparison.measurement.of, vector_fit.lever
    phrase = f"as measured at {_vector(lever)} m from the origin of {of}, {float(np.linalg.norm(lever)):.3g} m away,"
    unseen = _unseen_directions(comparison, vector_fit)
    if unseen:
        phrase += f" as far as the motion shows it: not along {' or '.join(map(_vector, unseen))},"
    edits = tuple(_moves_of_frames(comparison, lever)) or (_with_point(comparison, lever),)
    return CauseText("lever arm", phrase, OFFSET_COST, edits=edits, is_of_data=bool(unseen))


def _unseen_directions(comparison: VectorComparison, vector_fit: VectorFit) -> list[Array]:
    """Return the directions in which a lever arm hardly changes the vector."""
    J = comparison.mean(vector_fit.hypothesis.expected.by_lever)[vector_fit.accepted].reshape(-1, 3)
    sizes, directions = np.linalg.eigh(J.T @ J)
    spread = vector_fit.rms / np.sqrt(3.0 * np.maximum(sizes, 1e-300))
    limit = max(UNSEEN_LEVER, UNSEEN_PART * float(np.linalg.norm(vector_fit.lever)))
    return [directions[:, i] for i in np.flatnonzero(spread > limit)]


def _moves_of_frames(comparison: VectorComparison, lever: Array) -> Iterator[tuple[str, Edit]]:
    """Yield the edits of fixed frames that each move the origin of the vector's frame by the lever arm."""
    plan, measurement = comparison.plan, comparison.measurement
    shift = lever
    for name, T_PF, p_PF in _fixed_above(plan, measurement.of, measurement.relative_to):
        shift = T_PF.T @ shift
        frame = plan.scene.frames[name]
        if frame.motion is not None:
            return
        unit = "m" if frame.position is None or frame.position.unit is None else frame.position.unit
        value = np.round((p_PF + shift) / unit_factor(unit, "length", ()), 4) + 0.0
        position = Position(value=tuple(value.tolist()), unit=unit)
        label = f"{name}: moved as {comparison.name} has it"
        yield f"Move {name} to {_vector(value)} {unit}", Edit(label, partial(_set_position, name, position))


def _set_position(name: str, position: Position, scene: Scene) -> Scene:
    return set_frame(scene, name, position=position)


def _with_point(comparison: VectorComparison, lever: Array) -> tuple[str, Edit]:
    """Return the edit that adds a frame at the point of measurement."""
    name, of = comparison.name, comparison.measurement.of
    value = np.round(lever, 4) + 0.0
    frame = Frame(parent=of, position=Position(value=tuple(value.tolist()), unit="m"))

    def apply(scene: Scene) -> Scene:
        new = free_name(scene.frames, f"{of} at {name}")
        scene = scene.model_copy(update={"frames": scene.frames | {new: frame}})
        return with_item(scene, "measured", name, scene.measured[name].model_copy(update={"of": new}))

    return f"Add a frame at {_vector(value)} m", Edit(f"{name}: measured off the origin of {of}", apply)


_FITTED = {
    "rotation": _rotation_text,
    "scale": _scale_text,
    "bias": _bias_text,
    "delay": _late,
    "weight": _weight_text,
    "lever": _lever_text,
}
"""Functions that describe a cause with fitted numbers."""
