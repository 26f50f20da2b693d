"""Notes for numbers of a scene that come from a smoothed motion instead of the samples of a recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.recordings.smoothing import Smoothing, motion_words
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.sensors.packing import POSES


def smoothings_between(plan: Plan, frames: Iterable[str], *, has_rate: bool = True) -> Mapping[str, Smoothing]:
    """Return, by frame, the smoothing of recordings on which the relative motion of frames depends.

    Without a rate, only recordings with a smoothed pose matter. Common ancestors of the frames have no influence.
    """
    smoothings: dict[str, Smoothing] = {}
    for name, motion in recordings_between(plan, frames).items():
        smoothing = motion.smoothing
        if smoothing is not None and not smoothing.is_exact and (has_rate or smoothing.of_pose):
            smoothings[name] = smoothing
    return smoothings


def recordings_between(plan: Plan, frames: Iterable[str]) -> Mapping[str, LocalMotion]:
    """Return, by frame, the recorded motions on which the relative motion of frames depends."""
    chains = [_chain(plan, name) for name in frames if name in plan.index]
    rows = set[int]().union(*chains) - chains[0].intersection(*chains) if chains else set[int]()
    motions = ((plan.names[row], plan.tree.motions.get(row)) for row in sorted(rows))
    return {name: motion for name, motion in motions if motion is not None and motion.smoothing is not None}


def smoothing_note(plan: Plan, frames: Iterable[str], *, has_rate: bool = True) -> str:
    """Describe the smoothing that affects a number about frames; empty if nothing is smoothed."""
    smoothings = smoothings_between(plan, frames, has_rate=has_rate)
    words = {name: motion_words(smoothing) for name, smoothing in smoothings.items()}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{name}: {text}" for name, text in words.items())


def signal_note(plan: Plan, plot: CompiledPlot) -> str:
    """Describe the smoothing that affects a signal; empty if nothing is smoothed."""
    instruments = plan.instruments
    if plot.signal == "sensor":
        compiled = instruments.sensors.get(plot.of)
        return "" if compiled is None else sensor_note(plan, plot.of)
    if plot.signal == "measured":
        measurement = instruments.measurements.get(plot.of)
        if measurement is None:
            return ""
        frames = (measurement.of, measurement.relative_to, measurement.resolved_in)
        return smoothing_note(plan, frames, has_rate=measurement.series is not None)
    kind = signal_named(plot.signal)
    if kind.item != "frames":
        return ""
    frames = (plot.of, plot.relative_to, plot.resolved_in, plot.through)
    return smoothing_note(plan, (name for name in frames if name), has_rate=kind.has_rate)


def sensor_note(plan: Plan, name: str) -> str:
    """Describe the smoothing that affects the rates of a sensor, or all its values if poses are smoothed."""
    compiled = plan.instruments.sensors[name]
    if isinstance(compiled.sensor, RecordedValues):
        return ""
    frames = (compiled.at, compiled.seen_from, compiled.sensor.resolved_in)
    return smoothing_note(plan, frames, has_rate=any(part not in POSES for part in compiled.sensor.slices))


def _chain(plan: Plan, name: str) -> set[int]:
    """Return the rows of a frame and its ancestors."""
    row, rows = plan.index[name], set[int]()
    while row > 0 and row not in rows:
        rows.add(row)
        row = int(plan.tree.parents[row])
    return rows
