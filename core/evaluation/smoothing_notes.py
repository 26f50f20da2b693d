"""What numbers of a scene are of a smoothed motion, and not of the samples of a recording, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.recordings.smoothing import Smoothing, motion_words
from framescope.core.scene.schema.signals import TAKES
from framescope.core.sensors.packing import POSES

RATES = ("velocity", "acceleration", "angular velocity", "angular acceleration", "angle rates")
"""Signals with a rate in them."""


def smoothings_between(plan: Plan, frames: Iterable[str], *, has_rate: bool = True) -> Mapping[str, Smoothing]:
    """Return by frame how the recordings are smoothed that the motion of frames relative to each other depends on.

    Without a rate only those whose pose is smoothed. What all of the frames hang on makes no difference.
    """
    found: dict[str, Smoothing] = {}
    for name, motion in recordings_between(plan, frames).items():
        smoothing = motion.smoothing
        if smoothing is not None and not smoothing.is_exact and (has_rate or smoothing.of_pose):
            found[name] = smoothing
    return found


def recordings_between(plan: Plan, frames: Iterable[str]) -> Mapping[str, LocalMotion]:
    """Return by frame the recorded motions that the motion of frames relative to each other depends on."""
    chains = [_chain(plan, name) for name in frames if name in plan.index]
    rows = set[int]().union(*chains) - chains[0].intersection(*chains) if chains else set[int]()
    motions = ((plan.names[row], plan.tree.motions.get(row)) for row in sorted(rows))
    return {name: motion for name, motion in motions if motion is not None and motion.smoothing is not None}


def smoothing_note(plan: Plan, frames: Iterable[str], *, has_rate: bool = True) -> str:
    """Return what a number about frames is of; empty where it is of the motion as it stands."""
    found = smoothings_between(plan, frames, has_rate=has_rate)
    words = {name: motion_words(smoothing) for name, smoothing in found.items()}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{name}: {each}" for name, each in words.items())


def signal_note(plan: Plan, plot: CompiledPlot) -> str:
    """Return what the numbers of a signal are of; empty where they are of the motion as it stands."""
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
    if TAKES[plot.signal].of in ("points", "elements", ""):
        return ""
    frames = (plot.of, plot.relative_to, plot.resolved_in, plot.through)
    return smoothing_note(plan, (name for name in frames if name), has_rate=plot.signal in RATES)


def sensor_note(plan: Plan, name: str) -> str:
    """Return what the rates are of that a sensor shows, or all of it where poses are smoothed."""
    compiled = plan.instruments.sensors[name]
    if isinstance(compiled.sensor, RecordedValues):
        return ""
    frames = (compiled.at, compiled.seen_from, compiled.sensor.resolved_in)
    return smoothing_note(plan, frames, has_rate=any(part not in POSES for part in compiled.sensor.slices))


def _chain(plan: Plan, name: str) -> set[int]:
    """Return the rows of a frame and of those it hangs on."""
    row, rows = plan.index[name], set[int]()
    while row > 0 and row not in rows:
        rows.add(row)
        row = int(plan.tree.parents[row])
    return rows
