"""Readings of the tables that a scene refers to: recorded poses, and vectors such as those of an inertial unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core.errors import FramescopeError, ItemError
from framescope.core.evaluation.compile.instruments import CompiledMeasurement
from framescope.core.evaluation.compile.recordings.vectors import Series
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Recorded
from framescope.core.system.caches import FileState, cache_while_used, file_state
from framescope.core.system.file_access import resolve_named
from framescope.features.evidence.core.readings import Mount, Quantity, Readings, SensorLog
from framescope.features.evidence.core.recorded_sensors import QUANTITIES, has_table_recordings
from framescope.features.evidence.core.scene_readings import FixedPose, SceneBag, fixed_poses, mount_of, restate_mounts

MOST_SAMPLES = 200_000
"""Largest number of samples of a table that are compared; of more, every second, third and so on is."""


@dataclass(frozen=True)
class SceneTables(SceneBag):
    """Tables that a scene refers to, with the names of the scene; `file` is the first of them.

    Attributes
    ----------
    readings
        Readings of the tables.
    sources
        Items of the scene that the readings were taken from, with the states of their files; by these two are equal.
    """

    readings: tuple[Readings, ...] = field(default=(), compare=False)
    sources: tuple[tuple[Item, FileState], ...] = ()

    def log(self) -> SensorLog:
        """Return the readings with the mounts that the scene states."""
        mounts = tuple(_mounts_up(self.poses, dict.fromkeys(each.frame for each in self.readings)))
        return restate_mounts(SensorLog(self.readings, mounts), self.poses, "the scene")


def _mounts_up(poses: Iterable[FixedPose], named: Collection[str]) -> Iterator[Mount]:
    """Yield the mount of each named frame on the nearest named frame above it."""
    above = {pose.frame: pose for pose in poses}
    for name in named:
        at, X, seen = name, None, {name}
        while at in above and above[at].parent not in seen:
            X = above[at].X if X is None else above[at].X @ X
            at = above[at].parent
            seen.add(at)
            if at in named:
                yield mount_of(at, name, X, "the scene")
                break


def tables_of(plan: Plan) -> tuple[SceneTables, ...]:
    """Return the tables of a scene in one, if they have two readings that can be compared; else none."""
    if not has_table_recordings(plan.scene):
        return ()
    taken = [(item, path, readings) for item, file, readings in _readings(plan) if (path := _path(plan, file))]
    quantities = {readings.quantity for _, _, readings in taken}
    if len(taken) < 2 or quantities <= {"position", "orientation"}:
        return ()
    # A frame at rest in the world is no mount of a sensor.
    poses = tuple(pose for pose in fixed_poses(plan, {}) if pose.parent != WORLD)
    sources = tuple((item, file_state(path)) for item, path, _ in taken)
    readings = tuple(readings for _, _, readings in taken)
    return (SceneTables(taken[0][1], 0, (), poses, readings=readings, sources=sources),)


def _path(plan: Plan, file: str) -> Path | None:
    """Return the path of a file that the scene names; None if it cannot be read, which its item reports."""
    try:
        return resolve_named(file, plan.context.access, (), TABLE_FILES)
    except (ItemError, FramescopeError, OSError):
        return None


def _readings(plan: Plan) -> Iterator[tuple[Item, str, Readings]]:
    """Yield item, file and readings of a scene's tables."""
    for name, frame in plan.scene.frames.items():
        if isinstance(frame.motion, Recorded) and name in plan.index and not frame.parent_keys:
            motion, file = plan.tree.motions.get(plan.index[name]), frame.motion.file
            if motion is not None and motion.sample_times is not None:
                for quantity in _recorded_parts(frame.motion):
                    label = f"{quantity} of {name} in {file}"
                    yield frame.motion, file, _of_motion(motion, label, file, quantity, name, frame.parent)
    for name, staged in plan.instruments.measurements.items():
        item = plan.scene.measured.get(name)
        if isinstance(item, MeasuredPose) and item.motion is not None and staged.motion is not None:
            for quantity in _measured_parts(staged):
                label, file = f"{quantity} of {name}", item.motion.file
                yield item, file, _of_motion(staged.motion, label, file, quantity, item.of, item.relative_to)
        elif isinstance(item, MeasuredVector) and staged.series is not None and item.form in QUANTITIES:
            readings = _of_series(staged.series, name, item)
            if readings is not None:
                yield item, item.file, readings


def _recorded_parts(motion: Recorded) -> Iterator[Quantity]:
    """Yield the quantities that the columns of a recording have."""
    if motion.columns is None or motion.columns.position is not None:
        yield "position"
    if motion.columns is None or motion.columns.orientation is not None:
        yield "orientation"


def _measured_parts(staged: CompiledMeasurement) -> Iterator[Quantity]:
    if staged.has_position:
        yield "position"
    if staged.has_orientation:
        yield "orientation"


@dataclass(frozen=True, eq=False)
class _Samples:
    t: Array
    p: Array
    Q: Array


@cache_while_used
def _samples_of(motion: LocalMotion) -> _Samples:
    """Return the samples of a recorded motion: times (n,), positions (n, 3) and quaternions (n, 4)."""
    t = motion.sample_times
    t = np.zeros(0) if t is None else t[:: -(-len(t) // MOST_SAMPLES)] if len(t) else t
    T, p = motion.pose(t)
    guess = np.broadcast_to(np.array([0.0, 0.0, 0.0, 1.0]), (len(t), 4))
    return _Samples(t, np.broadcast_to(p, (len(t), 3)), linear_algebra.quaternion_from_matrix(T, guess))


def _of_motion(motion: LocalMotion, label: str, file: str, quantity: Quantity, frame: str, reference: str) -> Readings:
    samples = _samples_of(motion)
    values = samples.p if quantity == "position" else samples.Q
    return Readings(label, file, quantity, samples.t, values, frame, reference)


def _of_series(series: Series, name: str, item: MeasuredVector) -> Readings | None:
    """Return the readings of a vector; None if it is resolved in axes that readings of its kind have not."""
    quantity = QUANTITIES[item.form]
    is_own = item.resolved_in == item.of
    if not is_own and not (quantity == "velocity" and item.resolved_in == item.relative_to):
        return None
    every = max(1, -(-len(series.t) // MOST_SAMPLES))
    reference = item.relative_to if quantity == "velocity" else ""
    resolved = item.resolved_in if quantity == "velocity" else ""
    t, values = series.t[::every], series.values[::every]
    return Readings(f"{item.form} of {name}", item.file, quantity, t, values, item.of, reference, resolved)
