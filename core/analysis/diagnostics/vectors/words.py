"""What is said of a measured vector, in its own unit, and the edits that say in the scene what it was found to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from framescope.core.analysis.detective.axis_changes import AxisChange
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.analysis.diagnostics.miss import Miss
from framescope.core.analysis.diagnostics.vectors.comparison import Comparison, miss_of
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
from framescope.core.scene.schema.quantities import Quantity, unit_factor

FAR = 0.2
"""Part of the size from which on a measurement does not match at all."""


@dataclass(frozen=True)
class CauseText:
    """A cause in words: a title, what the vector is, the words of a button, and the values to set or another edit."""

    title: str
    what: str
    button: str = ""
    values: tuple[tuple[KeyPath, object], ...] = ()
    edit: Edit | None = None


def diagnosis_of(both: Comparison, verdict: Verdict) -> Diagnosis | None:
    """Return what is said of a measured vector; None where nothing is the matter."""
    miss = miss_of(both, both.expected.e)
    size = float(np.sqrt(max(np.mean(np.sum(x**2, axis=-1)) for x in (both.m, both.mean(both.expected.e)))))
    is_far = miss.rms > max(NOISE * miss.noise, FAR * size)
    text = miss_text(both, miss)
    key: KeyPath = ("measured", both.name)
    if not verdict.causes:
        if verdict.fits:
            return None
        title, severity = ("does not match", "amber") if is_far else ("matches roughly", "note")
        return found(key, "rate-mismatch", title, f"{text}.", severity=severity, times=(miss.time,))
    causes = [cause_text(both, verdict.best, cause) for cause in verdict.causes]
    rest = f"{_number(both, verdict.best.rms)} {both.staged.unit}"
    message = f"{text}; {_together(causes)} by {rest}."
    hint = ""
    if verdict.rivals:
        others = [_together([cause_text(both, one, cause) for cause in told]) for one, told in verdict.rivals[:3]]
        hint = f"As likely: {'; or '.join(others)}. {settled_by((verdict.best, *(one for one, _ in verdict.rivals)))}"
        title = "one of several causes"
    elif not verdict.fits:
        hint = "That is more than its noise: there is more than one cause, or another."
        title = "more than one cause" if len(causes) == 1 else f"more than {len(causes)} causes"
    else:
        title = " and ".join(dict.fromkeys(cause.title for cause in causes))
    severity = "red" if is_far and not verdict.rivals and verdict.fits else "amber"
    one = found(key, "rate-mismatch", title, message, hint, severity=severity, times=(miss.time,))
    return with_mends(one, both, causes)


def with_mends(one: Diagnosis, both: Comparison, causes: list[CauseText]) -> Diagnosis:
    """Return a problem with the edit of those of its causes that a scene can say."""
    edits = [cause for cause in causes if cause.button]
    if not edits:
        return one
    values = {key: value for cause in edits for key, value in cause.values}
    label = f"{both.name}: {', '.join(cause.what for cause in edits)}"
    others = [cause.edit for cause in edits if cause.edit is not None]

    def apply(scene: Scene) -> Scene:
        scene = set_values(values, label).apply(scene) if values else scene
        for edit in others:
            scene = edit.apply(scene)
        return scene

    return one.with_mend(edits[0].button if len(edits) == 1 else "Say it so", Edit(label, apply))


def miss_text(both: Comparison, miss: Miss) -> str:
    """Return by how much a measured vector misses, of what, when it is most, and beside which noise."""
    measurement, unit = both.measurement, both.staged.unit
    of = f"{measurement.of} relative to {measurement.relative_to} resolved in {measurement.resolved_in}"
    means = f", of means over {both.width:.2g} s" if both.width else ""
    most = f"at most {_number(both, miss.worst)} at {miss.time:.2f} s"
    rms, noise = _number(both, miss.rms), _number(both, miss.noise)
    wild = f"; {both.n_wild} wild row{'s' * (both.n_wild > 1)} left out" if both.n_wild else ""
    return f"it misses the {measurement.form} of {of} by {rms} {unit} rms{means} ({most}; noise {noise} {unit}{wild})"


def _together(causes: Iterable[CauseText]) -> str:
    return ", ".join(cause.what for cause in causes)


def _number(both: Comparison, value: float) -> str:
    return f"{value / both.staged.factor:.3g}"


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


def cause_text(both: Comparison, one: VectorFit, cause: object) -> CauseText:
    """Return a cause of a fit in words, with what says it in the scene."""
    measurement, key = both.measurement, ("measured", both.name)
    match cause:
        case ("relative_to", str(name)):
            title = "relative to another frame"
            return CauseText(title, f"relative to {name}", f"Relative to {name}", (((*key, "relative_to"), name),))
        case ("resolved_in", str(name)):
            return CauseText(
                "wrong frame", f"resolved in {name}", f"Resolve in {name}", (((*key, "resolved_in"), name),)
            )
        case ("unit", str(unit)):
            return CauseText("wrong unit", f"in {unit}", f"Read as {unit}", (((*key, "unit"), unit),))
        case ("axes", AxisChange() as change) if change == MINUS_ONE:
            if not measurement.form.startswith("angular"):
                return CauseText("negated", "negated")
            relative_to = dict(one.hypothesis.changes).get("relative_to", measurement.relative_to)
            swapped = (((*key, "of"), relative_to), ((*key, "relative_to"), measurement.of))
            return CauseText("negated", "negated", "Swap the frames", swapped)
        case ("axes", AxisChange() as change):
            title = "other axes" if change.is_proper else "left-handed axes"
            if change.signs != (1, 1, 1):
                return CauseText(title, f"with other axes: its {change.text}")
            # The column that is called i has the component places[i]: that of component j is where places is j.
            columns = tuple(measurement.values[change.places.index(j)] for j in range(3))
            order = ", ".join(columns)
            return CauseText(
                title, f"with other axes: its {change.text}", f"Take {order}", (((*key, "values"), columns),)
            )
        case ("recording", (str(name), str(what))):
            motion = both.plan.scene.frames[name].motion
            values = inversions(name, motion)[what] if isinstance(motion, Recorded) else {}
            button = what[0].upper() + what[1:]
            return CauseText("inverse recording", f"with the recording of {name} {what}", button, tuple(values.items()))
        case "rotation":
            return _turned(both, one)
        case "scale":
            return CauseText("scaled", f"{one.scale:.4g} times as large")
        case "bias":
            offset = f"{_vector(one.bias / both.staged.factor)} {both.staged.unit}"
            return CauseText("constant offset", f"less a constant offset of {offset}")
        case "weight":
            what = f"less a vector that stands still in world, {_vector(one.weight)} m/s², as weight does,"
            return CauseText("weight in it", what)
        case "delay":
            return _late(both, one)
        case _:
            raise TypeError(cause)


def _late(both: Comparison, one: VectorFit) -> CauseText:
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


def _turned(both: Comparison, one: VectorFit) -> CauseText:
    """Return a turn in words: of the axes that the vector is resolved in, towards where they are."""
    measurement = both.measurement
    vector = -one.rotation_vector
    angle = float(np.linalg.norm(vector))
    about = _vector(vector / angle) if angle else ""
    what = f"with the axes of {measurement.resolved_in} turned by {np.degrees(angle):.3g}° about {about}"
    edit = _turn_of_frame(both, one)
    button = f"Turn {measurement.resolved_in}" if edit else ""
    return CauseText("turned", what, button, edit=edit)


def _turn_of_frame(both: Comparison, one: VectorFit) -> Edit | None:
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
