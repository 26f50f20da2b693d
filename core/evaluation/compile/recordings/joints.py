"""Compilation of recorded values of joints into functions of time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from framescope.core.errors import FramescopeError, ItemError, KeyPath, did_you_mean
from framescope.core.evaluation.compile.recorded import file_problems
from framescope.core.evaluation.compile.recordings.columns import read_columns
from framescope.core.evaluation.local_motion import MotionContext, RecordedValue
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.referenced_files import BAG_FILES, TABLE_FILES
from framescope.core.scene.schema.motions import JointRecording
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import FileState, cache_while_used, file_state
from framescope.core.system.features import entries, missing_feature_message
from framescope.core.system.file_access import resolve_named
from framescope.core.time_functions.scalar_keyframes import scalar_keyframes

KEY: KeyPath = ("motion", "recording")

MOST_SAMPLES = 200_000
"""Largest number of samples of a joint; of more, every n-th is used."""

LARGEST_DELAY_S = 1.0
"""Largest delay of joint states relative to others that still counts as transport delay, s."""


def compile_recorded_value(recording: JointRecording, unit: float, context: MotionContext) -> RecordedValue:
    """Compile a recorded value to a function of time; `unit` is the joint's unit, rad or m. Raises `ItemError`."""
    is_bag = recording.topic is not None
    path = resolve_named(recording.file, context.access, (*KEY, "file"), BAG_FILES if is_bag else TABLE_FILES)
    with file_problems((*KEY, "file"), recording.file):
        state = file_state(path)
    # Frozen models are hashable, which the checker does not know.
    return _compile_value(recording, unit, path, state)  # pyright: ignore[reportArgumentType]


@cache_while_used
def _compile_value(recording: JointRecording, unit: float, path: Path, _state: FileState) -> RecordedValue:
    start = recording.start.si("time", (*KEY, "start"))
    read = _of_table if recording.topic is None else _of_bag
    times, values = read(recording, path)
    size = unit if recording.topic is None else 1.0
    values = recording.factor * size * values + recording.offset * unit
    is_finite = np.isfinite(times) & np.isfinite(values)
    times, values = times[is_finite], values[is_finite]
    if not len(times):
        raise ItemError((*KEY, "column"), f"{recording.file} has no value of {recording.column}.")
    steps = np.diff(times)
    back = int(np.argmin(steps)) if len(steps) else 0
    if len(steps) and steps[back] < (0.0 if recording.topic is None else -LARGEST_DELAY_S):
        message = (
            f"{recording.file}: time jumps back by {-steps[back]:g} s after value {back + 1} of {recording.column}."
        )
        hint = "Sort it by time." if recording.topic is None else "It holds several runs: cut it there."
        raise ItemError((*KEY, "file"), message, hint)
    times, first = np.unique(times, return_index=True)  # the first of equal times is used
    values = values[first]
    every = -(-len(times) // MOST_SAMPLES)
    return RecordedValue(scalar_keyframes(times[::every] + start, values[::every]), unit)


def _of_table(recording: JointRecording, path: Path) -> tuple[Array, Array]:
    if recording.time is None:
        raise ItemError((*KEY, "time"), "the column of times is not named.", "Name it, or the topic of a bag.")
    second = unit_factor(recording.time_unit, "recorded time", (*KEY, "time_unit"))
    with file_problems((*KEY, "file"), recording.file):
        series = read_columns(path, recording.time, second, (recording.column,))
    return series.t, series.values[:, 0]


def _of_bag(recording: JointRecording, path: Path) -> tuple[Array, Array]:
    read_log = next(entries(lambda feature: feature.joint_logs), None)
    if read_log is None:
        hint = "Install it, or name the column of times of a table."
        raise ItemError((*KEY, "file"), missing_feature_message("bags are", "bags"), hint)
    try:
        topics = read_log(path)
    except FramescopeError as error:
        raise ItemError((*KEY, "file"), f"{recording.file} cannot be read as a bag: {error}") from None
    except OSError as error:
        raise ItemError((*KEY, "file"), f"{recording.file} cannot be read: {error.strerror}.") from None
    topic = recording.topic or ""
    if topic not in topics:
        hint = did_you_mean(topic, topics)
        raise ItemError((*KEY, "topic"), f'{recording.file} has no joint states on "{topic}".', hint)
    series = topics[topic].get(recording.column)
    if series is None:
        hint = did_you_mean(recording.column, topics[topic])
        raise ItemError((*KEY, "column"), f'{topic} has no values of a joint "{recording.column}".', hint)
    return series.times, series.values
