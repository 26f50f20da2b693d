"""What is said of a measured vector, in its own unit, and the edits that say in the scene what it was found to be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.detective.axis_changes import AxisChange
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, TriedMend, found
from framescope.core.analysis.diagnostics.miss import Miss
from framescope.core.analysis.diagnostics.vectors.comparison import VectorComparison, rms_of
from framescope.core.analysis.diagnostics.vectors.fits import VectorFit
from framescope.core.analysis.diagnostics.vectors.hypotheses import MINUS_ONE, inversions
from framescope.core.analysis.diagnostics.vectors.search import NOISE, Verdict
from framescope.core.errors import KeyPath
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.quantities import UNITS, Quantity, unit_factor

MOST_RIVALS = 3
"""What is as likely, and told, at most."""

FAR = 0.2
"""Part of the size from which on a measurement does not match at all."""


@dataclass(frozen=True)
class CauseText:
    """A cause in words: a title, what the vector is, the words of a button, and the values to set or another edit.

    One that is whole leaves nothing as it was: the others are no mend without it.
    """

    title: str
    what: str
    button: str = ""
    values: tuple[tuple[KeyPath, object], ...] = ()
    edit: Edit | None = None
    is_whole: bool = False


def diagnosis_of(both: VectorComparison, verdict: Verdict) -> Diagnosis | None:
    """Return what is said of a measured vector; None where nothing is the matter."""
    miss = verdict.miss
    size = max(rms_of(both.m), rms_of(both.mean(both.expected.e)))
    is_far = miss.rms > max(NOISE * miss.noise, FAR * size)
    text = miss_text(both, miss)
    key: KeyPath = ("measured", both.name)
    if not verdict.causes:
        if verdict.fits:
            return None
        title, severity = ("does not match", "amber") if is_far else ("matches roughly", "note")
        return found(key, "rate-mismatch", title, f"{text}.", severity=severity, times=(miss.time or 0.0,))
    causes = [cause_text(both, verdict.best, cause) for cause in verdict.causes]
    others = [[cause_text(both, one, cause) for cause in told] for one, told in verdict.rivals[:MOST_RIVALS]]
    read = replace(miss, unit=read_unit(both, verdict.best))
    message = f"{text}; {_together(causes)} by {read.text(verdict.best.rms)}."
    hint, is_open = "", bool(others) or not verdict.fits
    if not verdict.fits:
        hint = "That is more than its noise: there is more than one cause, or another."
        title = "more than one cause"
    elif others:
        hint = f"As likely: {'; or '.join(map(_together, others))}. "
        hint += settled_by((verdict.best, *(one for one, _ in verdict.rivals)))
        titles = {_title(each) for each in (causes, *others)}
        title = titles.pop() if len(titles) == 1 else "one of several causes"
    else:
        title = _title(causes)
    severity = "red" if is_far and not is_open else "amber"
    one = found(key, "rate-mismatch", title, message, hint, severity=severity, times=(miss.time or 0.0,))
    mends = [mend for each in (causes, *others) if (mend := _mend(both, each)) is not None]
    if is_open or any(cause.edit is not None for cause in causes) or not mends:
        return replace(one, others=tuple(mends))
    return one.with_mend(mends[0].text, mends[0].edit)


def _title(causes: Iterable[CauseText]) -> str:
    return " and ".join(dict.fromkeys(cause.title for cause in causes))


def _mend(both: VectorComparison, causes: Collection[CauseText]) -> TriedMend | None:
    """Return the edit of those of some causes that a scene can say; None where there is none.

    Without what is fitted it is better, too; of other axes and frames all or none.
    """
    edits = [cause for cause in causes if cause.button]
    if not edits or any(cause.is_whole and not cause.button for cause in causes):
        return None
    values = {key: value for cause in edits for key, value in cause.values}
    label = f"{both.name}: {', '.join(cause.what for cause in edits)}"

    def apply(scene: Scene) -> Scene:
        scene = set_values(values, label).apply(scene) if values else scene
        for cause in edits:
            scene = scene if cause.edit is None else cause.edit.apply(scene)
        return scene

    button = edits[0].button if len(edits) == 1 else "Mend both" if len(edits) == 2 else "Mend all"
    return TriedMend(button, Edit(label, apply))


def miss_text(both: VectorComparison, miss: Miss) -> str:
    """Return by how much a measured vector misses, of what, when it is most, and beside which noise."""
    measurement = both.measurement
    of = f"{measurement.of} relative to {measurement.relative_to} resolved in {measurement.resolved_in}"
    means = f", of means over {both.width:.2g} s" if both.width else ""
    most = "" if miss.time is None else f"at most {miss.text(miss.worst)} at {miss.time:.2f} s; "
    n_wild = both.n_wild + miss.n_wild
    wild = f"; {n_wild} wild row{'s' * (n_wild > 1)} left out" if n_wild else ""
    rms = f"{miss.text(miss.rms)} rms{means}"
    return f"it misses the {measurement.form} of {of} by {rms} ({most}noise {miss.text(miss.noise)}{wild})"


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
            return CauseText("relative to another frame", f"relative to {name}", f"Relative to {name}", edit)
        case ("resolved_in", str(name)):
            edit = (((*key, "resolved_in"), name),)
            return CauseText("wrong frame", f"resolved in {name}", f"Resolve in {name}", edit)
        case ("unit", str(unit)):
            edit = (((*key, "unit"), unit), *_same_tolerance(both, unit))
            return CauseText("wrong unit", f"in {unit}", f"Read as {unit}", edit)
        case ("axes", AxisChange() as change):
            return _negated(both, one) if change == MINUS_ONE else _other_axes(both, change)
        case ("recording", (str(name), str(what))):
            motion = both.plan.scene.frames[name].motion
            values = tuple(inversions(name, motion)[what].items()) if isinstance(motion, Recorded) else ()
            is_part = what.startswith("its")
            button = f"Invert the {what.split()[1]} of {name}" if is_part else what.replace("read", f"Read {name}", 1)
            return CauseText("inverse recording", f"with the recording of {name} {what}", button, values)
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
        return CauseText("negated", "negated", is_whole=True)
    relative_to = dict(one.hypothesis.changes).get("relative_to", measurement.relative_to)
    swapped = (((*key, "of"), relative_to), ((*key, "relative_to"), measurement.of))
    return CauseText("negated", "negated", "Swap the frames", swapped)


def _other_axes(both: VectorComparison, change: AxisChange) -> CauseText:
    title = "other axes" if change.is_proper else "left-handed axes"
    what = f"with other axes: its {change.text}"
    if change.signs != (1, 1, 1):
        return CauseText(title, what, is_whole=True)
    # Column i holds the component places[i].
    columns = tuple(both.measurement.values[change.places.index(j)] for j in range(3))
    return CauseText(title, what, f"Take {', '.join(columns)}", ((("measured", both.name, "values"), columns),))


def _scaled(_: VectorComparison, one: VectorFit) -> CauseText:
    return CauseText("scaled", f"{one.scale:.4g} times as large")


def _biased(both: VectorComparison, one: VectorFit) -> CauseText:
    offset = f"{_vector(one.bias / both.staged.factor)} {read_unit(both, one)}"
    return CauseText("constant offset", f"less a constant offset of {offset}")


def _weighed(both: VectorComparison, one: VectorFit) -> CauseText:
    weight = f"{_vector(one.weight / both.staged.factor)} {read_unit(both, one)}"
    return CauseText("weight in it", f"less a vector that stands still in world, {weight}, as weight does,")


def _late(both: VectorComparison, one: VectorFit) -> CauseText:
    start, delay = both.measurement.start, one.delay
    title = "late" if delay > 0.0 else "early"
    what = f"{_time(abs(delay))} {'earlier' if delay > 0.0 else 'later'}"
    if start.unit is None:
        return CauseText(title, what)
    key: KeyPath = ("measured", both.name, "start")
    moved = Quantity(round(start.value - delay / unit_factor(start.unit, "time", key), 6), start.unit)
    return CauseText(title, what, f"Move by {_time(-delay)}", ((key, str(moved)),))


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s"


def _turned(both: VectorComparison, one: VectorFit) -> CauseText:
    """Return a turn in words: of the axes that the vector is resolved in, towards where they are."""
    measurement = both.measurement
    vector = -one.rotation_vector
    angle = float(np.linalg.norm(vector))
    about = _vector(vector / angle) if angle else ""
    what = f"with the axes of {measurement.resolved_in} turned by {np.degrees(angle):.3g}° about {about}"
    edit = _turn_of_frame(both, one)
    button = f"Turn {measurement.resolved_in}" if edit else ""
    return CauseText("turned", what, button, edit=edit)


def _turn_of_frame(both: VectorComparison, one: VectorFit) -> Edit | None:
    """Return the edit that turns the frame that a vector is resolved in, where it stands still in its parent."""
    measurement, plan = both.measurement, both.plan
    name = measurement.resolved_in
    motion = plan.tree.motions.get(plan.index[name])
    is_own = name not in (WORLD, measurement.relative_to) and dict(one.hypothesis.changes).keys().isdisjoint(
        {"resolved_in", "axes"}
    )
    if not is_own or motion is None or motion.still is None or not motion.is_constant:
        return None
    moment = plan.moment(name, plan.start)
    return orient_frame(name, one.turn @ motion.still[0], moment, f"{name}: turned as {both.name} has it")


_FITTED = {"rotation": _turned, "scale": _scaled, "bias": _biased, "delay": _late, "weight": _weighed}
"""What says a cause whose numbers are fitted."""
