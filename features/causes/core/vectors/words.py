"""What is said of a measured vector, in its own unit, and the edits that say in the scene what it was found to be."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from framescope.core.analysis.diagnostics.costs import DELAY_COST, OFFSET_COST, SCALE_COST
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, found
from framescope.core.analysis.diagnostics.measured_problems import RATE_MISMATCH, is_far_off, miss_text, vector_problem
from framescope.core.analysis.misses.pose_misses import rows_between
from framescope.core.analysis.misses.vector_comparison import VectorComparison
from framescope.core.errors import KeyPath
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

MOST_RIVALS = 3
"""What is as likely, and told, at most."""

UNSEEN_LEVER, UNSEEN_PART = 0.05, 0.3
"""Standard deviation of a part of a lever arm, m and as a part of its length, above which it counts as unseen."""


@dataclass(frozen=True)
class CauseText:
    """A cause in words, and how the scene can say it.

    Attributes
    ----------
    title
        A few words.
    what
        What the vector is, as in "in deg/s".
    cost
        How far-fetched it is, as of a `PoseHypothesis`.
    button, values
        The words of a button, and the values that it sets; empty where it sets none.
    edits
        Edits each of which says it in another place, with the words of its button.
    is_of_data
        Whether it may also be a matter of the vector alone, which no edit says.
    is_whole
        Whether it leaves nothing as it was, so that the other causes are no mend without it.
    """

    title: str
    what: str
    cost: float = 1.3
    button: str = ""
    values: tuple[tuple[KeyPath, object], ...] = ()
    edits: tuple[tuple[str, Edit], ...] = ()
    is_of_data: bool = False
    is_whole: bool = False

    @property
    def has_edit(self) -> bool:
        """Whether a scene can say it."""
        return bool(self.button or self.edits)


@dataclass(frozen=True, eq=False)
class Reading:
    """What a measured vector may be by itself.

    Attributes
    ----------
    causes
        All that is otherwise than the scene says.
    fit
        What is left then.
    mends
        Edits each of which says all causes; none where a scene cannot say all of them.
    is_settled
        Whether the fit leaves no more than noise.
    """

    causes: tuple[CauseText, ...]
    fit: VectorFit
    mends: tuple[TriedMend, ...]
    is_settled: bool

    @property
    def cost(self) -> float:
        """How far-fetched it is."""
        return sum(cause.cost for cause in self.causes)

    @property
    def is_of_data(self) -> bool:
        """Whether it may be a matter of the vector alone."""
        return not self.mends or any(cause.is_of_data for cause in self.causes)

    @property
    def words(self) -> str:
        """All causes as one phrase."""
        return _together(self.causes)

    @property
    def title(self) -> str:
        """All causes in a few words."""
        return _title(self.causes)

    @property
    def delay(self) -> float | None:
        """By how much the vector is late where that is all, s."""
        return self.fit.delay if self.fit.hypothesis.causes == frozenset[object](("delay",)) else None


@dataclass(frozen=True, eq=False)
class VectorProblem:
    """A measured vector that does not match: with its own readings, and as it is reported where they are not the cause.

    Attributes
    ----------
    diagnosis
        The problem, explained by the readings.
    bare
        The same without an explanation.
    readings
        The best reading and its rivals; none where nothing of the vector itself would match.
    is_far
        Whether it misses by much more than noise, and by much of its size.
    """

    diagnosis: Diagnosis
    bare: Diagnosis
    readings: tuple[Reading, ...] = field(default=())
    is_far: bool = False


def problem_of(both: VectorComparison, verdict: Verdict) -> VectorProblem | None:
    """Return the problem of a measured vector; None where nothing is the matter."""
    miss = verdict.miss
    is_far = is_far_off(both, miss)
    text = miss_text(both, miss)
    key: KeyPath = ("measured", both.name)
    times = (miss.time or 0.0,)
    if not verdict.causes and verdict.fits:
        return None
    bare = vector_problem(both, miss, has_cause=bool(verdict.causes))
    if not verdict.causes:
        return VectorProblem(bare, bare, is_far=is_far)
    readings = tuple(_readings(both, verdict))
    best, others = readings[0], readings[1:]
    read = replace(miss, unit=read_unit(both, verdict.best))
    message = f"{text}; {best.words} by {read.text(verdict.best.rms)}."
    hint, is_open = "", bool(others) or not verdict.fits
    if not verdict.fits:
        hint = "That is more than its noise: there is more than one cause, or another."
        title = "more than one cause"
    elif others:
        hint = f"As likely: {'; or '.join(each.words for each in others)}. "
        hint += settled_by((verdict.best, *(one for one, _ in verdict.rivals)))
        titles = {_title(each.causes) for each in readings}
        title = titles.pop() if len(titles) == 1 else "one of several causes"
    else:
        title = _title(best.causes)
    severity = "red" if is_far and not is_open else "amber"
    one = found(key, RATE_MISMATCH, title, message, hint, severity=severity, times=times)
    mends = [mend for each in readings for mend in each.mends]
    if is_open or best.is_of_data or len(mends) != 1:
        return VectorProblem(replace(one, others=tuple(mends)), bare, readings, is_far)
    return VectorProblem(one.with_mend(mends[0].text, mends[0].edit), bare, readings, is_far)


def _readings(both: VectorComparison, verdict: Verdict) -> Iterable[Reading]:
    """Yield the best reading of a vector and its rivals."""
    for one, told in ((verdict.best, verdict.causes), *verdict.rivals[:MOST_RIVALS]):
        causes = tuple(cause_text(both, one, cause) for cause in told)
        yield Reading(causes, one, tuple(_mends(both, causes)), verdict.fits)


def _title(causes: Iterable[CauseText]) -> str:
    return " and ".join(dict.fromkeys(cause.title for cause in causes))


def _mends(both: VectorComparison, causes: Collection[CauseText]) -> Iterable[TriedMend]:
    """Yield the edits each of which says all causes in a scene; none where it cannot say one of them."""
    if not all(cause.has_edit for cause in causes):
        return
    values = {key: value for cause in causes for key, value in cause.values}
    label = f"{both.name}: {', '.join(cause.what for cause in causes)}"
    for chosen in itertools.product(*(cause.edits for cause in causes if cause.edits)):
        yield TriedMend(_button(causes, chosen), Edit(label, partial(_said, values, label, chosen)))


def _said(values: Mapping[KeyPath, object], label: str, edits: Iterable[tuple[str, Edit]], scene: Scene) -> Scene:
    scene = set_values(values, label).apply(scene) if values else scene
    for _, edit in edits:
        scene = edit.apply(scene)
    return scene


def _button(causes: Collection[CauseText], chosen: Collection[tuple[str, Edit]]) -> str:
    if len(causes) > 1:
        return "Mend both" if len(causes) == 2 else "Mend all"
    return next((button for button, _ in chosen), next(iter(causes)).button)


def read_unit(both: VectorComparison, one: VectorFit) -> str:
    """Return the unit that the numbers of the file are in by a fit."""
    return str(dict(one.hypothesis.changes).get("unit", both.staged.unit))


def _together(causes: Iterable[CauseText]) -> str:
    return ", ".join(cause.what for cause in causes)


def _vector(values: Array) -> str:
    return "(" + ", ".join(f"{x:.3g}" for x in (values + 0.0).tolist()) + ")"


def settled_by(fits: Iterable[VectorFit]) -> str:
    """Return what would tell some fits from each other."""
    free = [one.hypothesis.free for one in fits]
    differing = frozenset[str]().union(*free) - free[0].intersection(*free)
    if differing & {"bias", "weight"}:
        return "A stretch at rest would settle it, or more turning about other axes."
    if "delay" in differing:
        return "Quicker changes would settle it."
    return "More motion along and about other axes would settle it."


def cause_text(both: VectorComparison, one: VectorFit, cause: object) -> CauseText:
    """Return a cause of a fit in words, with what says it in the scene."""
    key: KeyPath = ("measured", both.name)
    match cause:
        case ("relative_to", str(name)):
            edit = (((*key, "relative_to"), name),)
            button = f"Relative to {name}"
            return CauseText("relative to another frame", f"relative to {name}", 1.4, button, edit)
        case ("resolved_in", str(name)):
            edit = (((*key, "resolved_in"), name),)
            return CauseText("wrong frame", f"resolved in {name}", 1.2, f"Resolve in {name}", edit)
        case ("unit", str(unit)):
            edit = (((*key, "unit"), unit), *_same_tolerance(both, unit))
            return CauseText("wrong unit", f"in {unit}", 1.0, f"Read as {unit}", edit)
        case ("axes", AxisChange() as change):
            return _negated(both, one) if change == MINUS_ONE else _other_axes(both, change)
        case _:
            return _FITTED[str(cause)](both, one)


def _same_tolerance(both: VectorComparison, unit: str) -> tuple[tuple[KeyPath, object], ...]:
    """Return what to set for a tolerance to be as large in another unit."""
    tolerance, form = both.measurement.tolerance, both.measurement.form
    if tolerance is None:
        return ()
    value = tolerance * both.staged.factor / UNITS[form][unit]
    return ((("measured", both.name, "tolerance"), float(f"{value:.6g}")),)


def _negated(both: VectorComparison, one: VectorFit) -> CauseText:
    measurement, key = both.measurement, ("measured", both.name)
    if not measurement.form.startswith("angular"):
        return CauseText("negated", "negated", 1.3, is_whole=True)
    relative_to = dict(one.hypothesis.changes).get("relative_to", measurement.relative_to)
    swapped = (((*key, "of"), relative_to), ((*key, "relative_to"), measurement.of))
    return CauseText("negated", "negated", 1.3, "Swap the frames", swapped)


def _other_axes(both: VectorComparison, change: AxisChange) -> CauseText:
    title = "other axes" if change.is_proper else "left-handed axes"
    what, cost = f"with other axes: its {change.text}", 1.3 + 0.25 * change.cost
    if change.signs != (1, 1, 1):
        return CauseText(title, what, cost, is_whole=True)
    # Column i holds the component places[i].
    columns = tuple(both.measurement.values[change.places.index(j)] for j in range(3))
    return CauseText(title, what, cost, f"Take {', '.join(columns)}", ((("measured", both.name, "values"), columns),))


# --- Causes whose numbers are fitted


def _scaled(_: VectorComparison, one: VectorFit) -> CauseText:
    return CauseText("scaled", f"{one.scale:.4g} times as large", SCALE_COST)


def _biased(both: VectorComparison, one: VectorFit) -> CauseText:
    offset = f"{_vector(one.bias / both.staged.factor)} {read_unit(both, one)}"
    return CauseText("constant offset", f"less a constant offset of {offset}", OFFSET_COST)


def _weighed(both: VectorComparison, one: VectorFit) -> CauseText:
    weight = f"{_vector(one.weight / both.staged.factor)} {read_unit(both, one)}"
    cost = 1.5 if one.is_standard_weight else OFFSET_COST
    return CauseText("weight in it", f"less a vector that stands still in world, {weight}, as weight does,", cost)


def _late(both: VectorComparison, one: VectorFit) -> CauseText:
    start, delay = both.measurement.start, one.delay
    title = "late" if delay > 0.0 else "early"
    what = f"{_time(abs(delay))} {'earlier' if delay > 0.0 else 'later'}"
    if start.unit is None:
        return CauseText(title, what, DELAY_COST)
    key: KeyPath = ("measured", both.name, "start")
    moved = Quantity(round(start.value - delay / unit_factor(start.unit, "time", key), 6), start.unit)
    return CauseText(title, what, DELAY_COST, f"Move by {_time(-delay)}", ((key, str(moved)),))


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s"


def _turned(both: VectorComparison, one: VectorFit) -> CauseText:
    """Return a turn in words: of the axes that the vector is resolved in, towards where they are."""
    resolved_in = both.measurement.resolved_in
    vector = -one.rotation_vector
    angle = float(np.linalg.norm(vector))
    about = _vector(vector / angle) if angle else ""
    what = f"with the axes of {resolved_in} turned by {np.degrees(angle):.3g}° about {about}"
    edits = tuple(_turns_of_frames(both, one))
    others = [button.removeprefix("Turn ") for button, _ in edits if button != f"Turn {resolved_in}"]
    what += f", by {' or by '.join(others)}," if others else ""
    return CauseText("turned", what, OFFSET_COST, edits=edits, is_of_data=True)


def _turns_of_frames(both: VectorComparison, one: VectorFit) -> Iterator[tuple[str, Edit]]:
    """Yield the edits that turn a frame that the axes of a vector hang on, each of which turns them so."""
    measurement, plan = both.measurement, both.plan
    if not dict(one.hypothesis.changes).keys().isdisjoint({"resolved_in", "axes"}):
        return
    T = np.eye(3)  # from the frame into the axes that the vector is resolved in
    for name, T_PF, _ in _fixed_above(plan, measurement.resolved_in, measurement.relative_to):
        turned = T.T @ one.turn @ T @ T_PF
        label = f"{name}: turned as {both.name} has it"
        yield f"Turn {name}", orient_frame(name, turned, plan.moment(name, plan.start), label)
        T = T @ T_PF


def _fixed_above(plan: Plan, name: str, below: str) -> Iterator[tuple[str, Array, Array]]:
    """Yield a frame and those above it that stand still in their parents, with their poses."""
    ways = rows_between(plan.tree, name, below)
    for row in () if ways is None else ways[0]:
        motion = plan.tree.motions[row]
        if motion.still is None or not motion.is_constant:
            return
        yield plan.names[row], *motion.still


def _off_origin(both: VectorComparison, one: VectorFit) -> CauseText:
    """Return a lever arm in words: where the vector is measured, off the origin of the frame that it is of."""
    of, lever = both.measurement.of, one.lever
    what = f"measured at {_vector(lever)} m from the origin of {of}, {float(np.linalg.norm(lever)):.3g} m away,"
    unseen = _unseen_directions(both, one)
    if unseen:
        what += f" as far as the motion shows it: not along {' or '.join(map(_vector, unseen))},"
    edits = tuple(_moves_of_frames(both, lever)) or (_with_point(both, lever),)
    return CauseText("lever arm", what, OFFSET_COST, edits=edits, is_of_data=bool(unseen))


def _unseen_directions(both: VectorComparison, one: VectorFit) -> list[Array]:
    """Return the directions along which a lever arm hardly changes the vector."""
    J = both.mean(one.hypothesis.expected.by_lever)[one.kept].reshape(-1, 3)
    sizes, directions = np.linalg.eigh(J.T @ J)
    spread = one.rms / np.sqrt(3.0 * np.maximum(sizes, 1e-300))
    limit = max(UNSEEN_LEVER, UNSEEN_PART * float(np.linalg.norm(one.lever)))
    return [directions[:, i] for i in np.flatnonzero(spread > limit)]


def _moves_of_frames(both: VectorComparison, lever: Array) -> Iterator[tuple[str, Edit]]:
    """Yield the edits that move a fixed frame that the one of a vector hangs on, each of which moves its origin so."""
    plan, measurement = both.plan, both.measurement
    shift = lever
    for name, T_PF, p_PF in _fixed_above(plan, measurement.of, measurement.relative_to):
        shift = T_PF.T @ shift
        frame = plan.scene.frames[name]
        if frame.motion is not None:
            return
        unit = "m" if frame.position is None or frame.position.unit is None else frame.position.unit
        value = np.round((p_PF + shift) / unit_factor(unit, "length", ()), 4) + 0.0
        position = Position(value=tuple(value.tolist()), unit=unit)
        label = f"{name}: moved as {both.name} has it"
        yield f"Move {name} to {_vector(value)} {unit}", Edit(label, partial(_placed, name, position))


def _placed(name: str, position: Position, scene: Scene) -> Scene:
    return set_frame(scene, name, position=position)


def _with_point(both: VectorComparison, lever: Array) -> tuple[str, Edit]:
    """Return the edit that adds a frame where a vector is measured."""
    name, of = both.name, both.measurement.of
    value = np.round(lever, 4) + 0.0
    frame = Frame(parent=of, position=Position(value=tuple(value.tolist()), unit="m"))

    def apply(scene: Scene) -> Scene:
        new = free_name(scene.frames, f"{of} at {name}")
        scene = scene.model_copy(update={"frames": scene.frames | {new: frame}})
        return with_item(scene, "measured", name, scene.measured[name].model_copy(update={"of": new}))

    return f"Add a frame at {_vector(value)} m", Edit(f"{name}: measured off the origin of {of}", apply)


_FITTED = {
    "rotation": _turned,
    "scale": _scaled,
    "bias": _biased,
    "delay": _late,
    "weight": _weighed,
    "lever": _off_origin,
}
"""Words and edits of the causes whose numbers are fitted."""
