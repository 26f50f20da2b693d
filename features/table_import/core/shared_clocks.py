"""Clocks of recordings: times in the files and their offsets in the scene."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.errors import FramescopeError, ItemError
from framescope.core.evaluation.compile.recorded import stamps_of
from framescope.core.evaluation.evaluate import Plan
from framescope.core.recordings.columns.guess_time import Clock
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.motions import Recorded


def recorded_clocks(plan: Plan) -> tuple[Clock, ...]:
    """Return the clocks of all readable recordings of a scene that have times."""
    return (*_of_poses(plan), *_of_vectors(plan))


def _of_poses(plan: Plan) -> Iterator[Clock]:
    motions = {name: frame.motion for name, frame in plan.scene.frames.items()}
    motions |= {
        name: measurement.motion
        for name, measurement in plan.scene.measured.items()
        if isinstance(measurement, MeasuredPose)
    }
    for name, motion in motions.items():
        if not isinstance(motion, Recorded):
            continue
        try:
            stamps = stamps_of(motion, plan.context)
            start = motion.start.si("time", ("start",))
        except (ItemError, FramescopeError):
            continue
        if stamps is not None:
            yield Clock(name, *stamps, start)


def _of_vectors(plan: Plan) -> Iterator[Clock]:
    for name, measurement in plan.instruments.measurements.items():
        if measurement.series is not None:
            t, first = measurement.series.t, measurement.series.first
            yield Clock(name, first, first + float(t[-1] - t[0]), float(t[0]))
