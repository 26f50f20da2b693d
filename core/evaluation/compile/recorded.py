"""Compilation of recordings into motions of frames."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from framescope.core.errors import ItemError, KeyPath, Problem, Severity
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample, keep_last_time
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings import (
    pose_columns,
    pose_spline,
    row_cleaning,
    row_mends,
    sampled_poses,
    trajectory_formats,
)
from framescope.core.recordings.outliers import gaps
from framescope.core.recordings.sampled_poses import SampledPoses
from framescope.core.recordings.smoothing import RATE_SHARE, Smoothing, Stated, bandwidth_words, deviation_words, fit
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.mixed import Missing, Rows, missing_in, read_once
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.files.referenced_files import TABLE_FILES, TEXT_FILES
from framescope.core.scene.schema import motions as authored
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import FileState, cache_while_used, file_state
from framescope.core.system.file_access import resolve_named

SPARED_STEPS = 2.0
"""Number of usual steps by which a scene may exceed a recording without a report."""

USUAL_STEPS = (1e-4, 1.0)
"""Shortest and longest usual step of a recording, s."""

NUMBERING_HZ = 1.0
"""Rate at which rows without times are numbered, Hz. Another rate is that of a camera."""

File = tuple[Path, FileState]


@dataclass(frozen=True)
class RecordedSource:
    """Source of a recording: file and reading options; `columns` are None for a format with fixed columns."""

    kind: str
    file: File
    times: File | None
    rate_hz: float | None
    columns: authored.PoseColumns | None
    where: tuple[str, str | float] | None
    is_inverse: bool
    mends: tuple[authored.Mend, ...]
    every: int = 1


def compile_recorded(form: authored.Recorded, context: MotionContext, key: KeyPath = ("motion",)) -> LocalMotion:
    """Return the motion of a recording; before its start and after its end the frame is at rest.

    The pose comes from the samples unless smoothing was requested; rates come from the smoothed motion.
    """
    stated = _stated_bandwidths(form, key)
    start = form.start.si("time", (*key, "start"))
    source = source_of(form, context, key)
    with file_problems((*key, "file"), form.file):
        try:
            fitted = _fit(source, stated)
        except pose_spline.BandwidthError as error:
            unit = _likelier_time_unit(source)
            if unit is None:
                raise
            place = (*key, "columns", "time_unit")
            raise ItemError(place, error.message, f'Did you mean "{unit}"? {error.hint}', meant=unit) from None
    smoothing = replace(fitted.smoothing, of_pose=form.smooth == "pose")
    problems = list(_problems(fitted.problems, smoothing.bandwidths.largest_hz, (*key, "file"), start))
    problems += _coverage_problems(source, context, key, start, fitted.spline)
    problems += _smoothing_problems(smoothing, key, start)

    def sample(t: Array) -> Sample:
        since = fitted.poses.time_of(t, start)
        return Sample(*_blank_gaps(fitted, since, fitted.spline.sample(since)))

    def own_pose(t: Array) -> tuple[Array, Array]:
        since = fitted.poses.time_of(t, start)
        T, p = _blank_gaps(fitted, since, fitted.poses.poses(since))
        return T, p

    return LocalMotion(
        keep_last_time(sample),
        is_constant=False,
        problems=tuple(problems),
        n_samples=fitted.spline.n_samples,
        own_pose=None if smoothing.of_pose else own_pose,
        smoothing=smoothing,
        sample_times=fitted.poses.t + start,
    )


def sampled_motion(
    form: authored.Recorded, context: MotionContext, former: LocalMotion, key: KeyPath = ("motion",)
) -> LocalMotion:
    """Return the motion of a recording with new poses but without fitting.

    Rates and noise come from the `former` motion. Raises `ItemError` as `compile_recorded` does.
    """
    source = source_of(form, context, key)
    start = form.start.si("time", (*key, "start"))
    with file_problems((*key, "file"), form.file):
        table, columns, t = table_of(source)
        recording, _ = row_cleaning.poses_at(t, table, columns, source.mends)
    recording = row_cleaning.inverted(recording) if source.is_inverse else recording
    poses = sampled_poses.through(recording)

    def own_pose(t: Array) -> tuple[Array, Array]:
        return poses.poses(poses.time_of(t, start))

    return replace(former, own_pose=own_pose, sample_times=poses.t + start)


def _blank_gaps(fitted: Fitted, since: Array, parts: Iterable[Array]) -> Iterable[Array]:
    """Return parts of a motion at times (n,) since the first sample, with NaN inside spans without a pose."""
    empty = fitted.empty
    if not len(empty):
        return parts
    i = np.searchsorted(empty[:, 0], since, side="left") - 1
    is_empty = (i >= 0) & (since < empty[i, 1])
    return (np.where(is_empty.reshape(-1, *(1,) * (part.ndim - 1)), np.nan, part) for part in parts)


def _stated_bandwidths(form: authored.Recorded, key: KeyPath) -> Stated:
    quantities = (("bandwidth", form.bandwidth), ("orientation_bandwidth", form.orientation_bandwidth))
    return Stated(*(quantity and quantity.si("frequency", (*key, name)) for name, quantity in quantities))


def _smoothing_problems(smoothing: Smoothing, key: KeyPath, start: float) -> Iterator[Problem]:
    """Yield a problem with the deviation from the samples, if the pose is smoothed or smoothing removes motion."""
    deviation, is_lossy = smoothing.deviation, smoothing.loses_motion and not smoothing.is_estimated
    if smoothing.is_exact or not (smoothing.of_pose or is_lossy):
        return
    of = "the pose is" if smoothing.of_pose else "rates are"
    message = f"{of} of the motion smoothed at {bandwidth_words(smoothing.bandwidths)}, off the samples by"
    message += f" {deviation_words(deviation, start)}."
    hint = "Leave bandwidth out: it is then taken from the noise of the samples." if is_lossy else ""
    severity: Severity = "amber" if smoothing.of_pose and is_lossy else "note"
    place = (*key, "smooth" if smoothing.of_pose else "bandwidth")
    is_moved = deviation.position_rms > deviation.angle_rms
    time = start + (deviation.position_time if is_moved else deviation.angle_time)
    yield Problem(place, message, hint, severity, time=time, kind="smoothed-motion", times=(time,))


def _coverage_problems(
    source: RecordedSource, context: MotionContext, key: KeyPath, start: float, spline: pose_spline.PoseSpline
) -> Iterator[Problem]:
    """Yield a problem if a recording does not cover the scene, except for a few steps at its ends."""
    end = start + spline.t_end
    spared = SPARED_STEPS * median(np.diff(spline.times)) - 1e-9
    if max(start - context.start, context.end - end) < spared:
        return
    message = f"the recording covers {start:g} to {end:.2f} s, the scene {context.start:g} to {context.end:g} s."
    hint = "Outside it the frame rests at the first or the last pose."
    edges = tuple(t for t in (start, end) if context.start < t < context.end)
    place, unit = (*key, "file"), _likelier_time_unit(source)
    if unit is not None:
        place, hint = (*key, "columns", "time_unit"), f'Did you mean "{unit}"? {hint}'
    time = edges[0] if edges else None
    yield Problem(place, message, hint, "amber", time=time, times=edges, meant=unit or "")


def _likelier_time_unit(source: RecordedSource) -> str | None:
    """Return the time unit that gives a usual step between samples, if the present unit gives an unusual step.

    An import guesses the same unit.
    """
    from framescope.core.recordings.columns.column_names import Named
    from framescope.core.recordings.columns.guess_time import guess_time_unit

    columns = source.columns
    if columns is None or columns.time is None:
        return None
    t = table_of(source)[0].column(columns.time)
    unit, _ = guess_time_unit(t, Named("time"))
    step = median(np.abs(np.diff(t)))

    def is_usual(unit: str) -> bool:
        return USUAL_STEPS[0] <= step * pose_columns.TIME_UNITS[unit] <= USUAL_STEPS[1]

    return unit if is_usual(unit) and not is_usual(columns.time_unit or "") else None


@contextmanager
def file_problems(key_path: KeyPath, name: str) -> Generator[None]:
    """Convert errors of reading a file into an `ItemError` at the key that names it."""
    try:
        yield
    except (pose_spline.RecordingError, limits.TableError) as error:
        raise ItemError(key_path, error.message, error.hint) from None
    except OSError as error:
        raise ItemError(key_path, f"{name} cannot be read: {error.strerror}.") from None


def _problems(of_rows: tuple[Problem, ...], bandwidth_hz: float, key_path: KeyPath, start: float) -> Iterator[Problem]:
    """Yield a problem for all gaps and one for all dropped samples; `start` is the scene time of the first sample.

    The message describes the longest gap. Motion inside a gap is a guess if the gap exceeds a period of the bandwidth.
    """
    for kind in ("time-gap", "duplicate-sample"):
        same_kind = [problem for problem in of_rows if problem.kind == kind]
        if same_kind:
            worst = max(same_kind, key=_duration)
            n = sum(len(problem.rows) for problem in same_kind)
            others = f" There are {n} such places in all." if n > 1 else ""
            hint, severity = "The spline bridges it." * (kind == "time-gap"), worst.severity
            if _duration(worst) > 1.0 / bandwidth_hz:
                hint, severity = "What is drawn inside it is a guess.", "amber"
            times = tuple(sorted({start + problem.times[0] for problem in same_kind}))
            text, at = worst.message + others, start + worst.times[0]
            yield Problem(key_path, text, hint, severity, time=at, kind=kind, times=times)


def _duration(problem: Problem) -> float:
    """Return the length of a gap, s; 0 for a sample that is left out."""
    return problem.times[-1] - problem.times[0]


Stamps = tuple[float, float]
"""First and last time of a recording in its file, s."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted recording, problems of its rows, the spans (k, 2) without a pose, s, and its stamps if it has any."""

    poses: SampledPoses
    spline: pose_spline.PoseSpline
    smoothing: Smoothing
    problems: tuple[Problem, ...]
    empty: Array
    stamps: Stamps | None


def stamps_of(form: authored.Recorded, context: MotionContext, key: KeyPath = ("motion",)) -> Stamps | None:
    """Return the first and last time of a recording in its file; None if it has no times.

    Raises `ItemError` if the recording cannot be read. A compiled recording is not read again.
    """
    stated = _stated_bandwidths(form, key)
    with file_problems((*key, "file"), form.file):
        return _fit(source_of(form, context, key), stated).stamps


def bandwidth_of(form: authored.Recorded, source: RecordedSource, key: KeyPath = ("motion",)) -> float:
    """Return the larger bandwidth of a recording, Hz; derived from its rate if it is neither stated nor fitted."""
    stated = _stated_bandwidths(form, key)
    if stated.position_hz is not None:
        return max(stated.position_hz, stated.orientation_hz or 0.0)
    try:
        return _fit(source, stated).smoothing.bandwidths.largest_hz
    except pose_spline.RecordingError:
        steps = np.abs(np.diff(table_of(source)[2]))
        return RATE_SHARE / median(steps[steps > 0.0]) if (steps > 0.0).any() else 1.0


def source_of(form: authored.Recorded, context: MotionContext, key: KeyPath = ("motion",)) -> RecordedSource:
    """Return the source of a recording; raise `ItemError` if the form is incomplete or names no file."""
    extensions = TABLE_FILES if form.format == "table" else TEXT_FILES
    path = resolve_named(form.file, context.access, (*key, "file"), extensions)
    columns = _columns(form, key)
    if form.rows is not None and form.format != "table":
        raise ItemError((*key, "rows"), f"the format {form.format} holds one frame.", "Remove rows.")
    rate, times = None, None
    if form.format == "kitti" or (columns is not None and columns.time is None):
        if (form.rate is None) is (form.times is None):
            what = "the kitti format has no times." if columns is None else "the table has no column of time."
            raise ItemError((*key, "rate"), what, "Give a rate, such as 10 Hz, or a file of times.")
        rate = _rate(form, key)
        if form.times is not None:
            times = resolve_named(form.times, context.access, (*key, "times"), TEXT_FILES)
    else:
        for name in ("rate", "times"):
            if getattr(form, name) is not None:
                raise ItemError((*key, name), f"the format {form.format} has its own times.", f"Remove {name}.")
    where = None if form.rows is None else (form.rows.column, form.rows.value)
    with file_problems((*key, "file"), form.file):
        file, times_file = (path, file_state(path)), None if times is None else (times, file_state(times))
    is_inverse = form.pose == "parent in frame"
    return RecordedSource(form.format, file, times_file, rate, columns, where, is_inverse, form.mends, form.every)


def as_table(form: authored.Recorded, context: MotionContext, key: KeyPath = ("motion",)) -> authored.Recorded:
    """Return a recording in a fixed format as a table with named columns; a table stays as it is.

    The table reads the same data. The meaning of the numbers can be changed in a table only.

    Raises
    ------
    ItemError, TableError, RecordingError, OSError
        When the file cannot be read in this format.
    """
    if form.format == "table":
        return form
    source = source_of(form, context, key)
    columns = trajectory_formats.rename_as_in_file(source.file[0], source.kind, table_of(source)[1])
    return form.model_copy(update={"format": "table", "columns": columns})


def table_of(source: RecordedSource) -> tuple[Table, authored.PoseColumns, Array]:
    """Return the rows of a recording as in its file, the meaning of their columns, and their times (n,), s.

    Raises
    ------
    TableError, RecordingError, OSError
        When the file cannot be read in this format.
    """
    return _rows_of(source)[:3]


def row_numbers(source: RecordedSource) -> Rows:
    """Return the row numbers in the file, from 1, of the rows of a recording."""
    return _rows_of(source)[3] + 1


_FORMATS = {
    "tum": trajectory_formats.tum_columns,
    "kitti": trajectory_formats.kitti_columns,
    "euroc": trajectory_formats.euroc_columns,
}


def _rows_of(source: RecordedSource) -> tuple[Table, authored.PoseColumns, Array, Rows]:
    """Return the result of `table_of`, and the indices of the rows in the file, from 0."""
    path, columns = source.file[0], source.columns
    rows = None
    if columns is not None:
        mixed = read_once(source.file[0])
        rows = _rows(source)
        table = mixed.table(columns.names, rows)
        if columns.time is not None:
            mixed.check_time_unit(columns.time, columns.time_unit or "")
    else:
        rows = trajectory_formats.whole_rows(path, source.kind) if "drop missing" in source.mends else None
        table, columns = _FORMATS[source.kind](path, rows)
    if source.times is not None:
        n = table.n_rows if rows is None else read_once(path).n_rows
        t = trajectory_formats.times_beside(source.times[0], table.name, n, rows)
    else:
        t = pose_columns.times_of(table, columns, source.rate_hz)
        if columns.time is None and rows is not None:  # dropped rows still take time
            every_row = _rows(replace(source, mends=()))
            places = rows if every_row is None else np.searchsorted(every_row, rows)
            t = (places - places[0]) / np.float64(source.rate_hz or np.nan)
    rows = np.arange(table.n_rows) if rows is None else rows
    selected = row_mends.kept_rows(table, columns, source.mends)
    if selected is not None:
        if not len(selected):
            raise limits.TableError(f"{table.name} has no row that holds a pose.")
        table, t, rows = table.some(selected), t[selected] - t[selected[0]], rows[selected]
    if source.every > 1:
        nth = slice(None, None, source.every)
        table, t, rows = table.some(nth), t[nth], rows[nth]
    return table, columns, t, rows


def _is_numbered(source: RecordedSource) -> bool:
    """Return whether the times of a recording only number its rows, one a second, which have none of their own."""
    is_plain = source.columns is not None and source.columns.time is None and source.times is None
    return is_plain and source.rate_hz == NUMBERING_HZ and read_once(source.file[0]).is_sequence


@lru_cache(maxsize=64)
def rows_without_number(source: RecordedSource) -> Missing | None:
    """Return the rows of a file that lack a number in a used column; None if all rows are complete."""
    if source.columns is None:
        return trajectory_formats.missing_rows(source.file[0], source.kind)
    rows = _rows(replace(source, mends=()))
    return missing_in(read_once(source.file[0]), source.columns.names, rows)


def _rows(source: RecordedSource) -> Rows | None:
    """Return the indices of the rows of a table to read, from 0; None for all."""
    columns, is_cleared = source.columns, "drop missing" in source.mends
    if columns is None or (source.where is None and not is_cleared):
        return None
    table = read_once(source.file[0])
    rows = None if source.where is None else table.rows_where(*source.where)
    if not is_cleared:
        return rows
    rows = table.whole_rows(columns.names, rows)
    if not len(rows):
        raise limits.TableError(f"{table.name} has no row with a number in each column that is named.")
    return rows


def _rate(form: authored.Recorded, key: KeyPath) -> float | None:
    rate = None if form.rate is None else form.rate.si("frequency", (*key, "rate"))
    if rate is not None and not rate > 0.0:
        raise ItemError((*key, "rate"), f"expected more than zero, got {form.rate}.")
    return rate


def _columns(form: authored.Recorded, key: KeyPath) -> authored.PoseColumns | None:
    if form.format != "table":
        if form.columns is not None:
            raise ItemError((*key, "columns"), f"the format {form.format} has fixed columns.", "Remove columns.")
        return None
    columns = form.columns
    if columns is None:
        raise ItemError((*key, "columns"), "a table needs its columns named.", "Add columns: {time: …, position: …}.")
    if columns.position is None and columns.orientation is None:
        raise ItemError((*key, "columns"), "neither a position nor an orientation is named.", "Name one, or both.")
    check_columns(columns, (*key, "columns"))
    return columns


def check_columns(columns: authored.PoseColumns, place: KeyPath) -> None:
    """Raise `ItemError` if a unit or a convention of columns is missing."""
    if columns.time is not None:
        unit_factor(columns.time_unit, "recorded time", (*place, "time_unit"))
    if columns.position is not None:
        unit_factor(columns.position_unit, "length", (*place, "position_unit"))
    place = (*place, "orientation")
    match columns.orientation:
        case authored.QuaternionColumns(order=order) if order not in ("xyzw", "wxyz"):
            raise ItemError((*place, "order"), "the order of the quaternion is missing.", "Use xyzw or wxyz.")
        case authored.MatrixColumns(maps=maps) if maps not in pose_columns.DIRECTIONS:
            raise ItemError(
                (*place, "maps"), "the direction of the matrix is missing.", 'Use "parent to frame" or its opposite.'
            )
        case (
            authored.AngleColumns(unit=unit)
            | authored.HeadingColumn(unit=unit)
            | authored.RotationVectorColumns(unit=unit)
        ):
            unit_factor(unit, "angle", (*place, "unit"))
        case _:
            pass


@cache_while_used
def _fit(source: RecordedSource, stated: Stated) -> Fitted:
    """Read and fit a recording, cached per state of its files; the default bandwidth comes from the noise."""
    table, columns, t = table_of(source)
    if len(t) > pose_spline.MAX_SAMPLES:
        every = math.ceil(source.every * len(t) / pose_spline.MAX_SAMPLES)
        most = pose_spline.MAX_SAMPLES
        message = f"{table.name}: {len(t)} samples are too many, at most {most} are fitted."
        raise pose_spline.RecordingError(message, f"Add every: {every}, or a larger number, to the motion.")
    recording, problems = row_cleaning.poses_at(t, table, columns, source.mends)
    if source.is_inverse:
        recording = row_cleaning.inverted(recording)
    i = gaps(recording.t) if "leave gaps empty" in source.mends else np.zeros(0, dtype=np.intp)
    empty = np.stack([recording.t[i], recording.t[i + 1]], axis=-1)
    stamps = None
    if columns.time is not None:
        stamped = table.column(columns.time) * pose_columns.TIME_UNITS[columns.time_unit or ""]
        stamps = float(stamped.min()), float(stamped.max())
    with np.errstate(all="ignore"):  # numbers too large for the fit give no warning
        spline, smoothing = fit(recording, stated)
    smoothing = replace(smoothing, is_numbered=_is_numbered(source))
    return Fitted(sampled_poses.through(recording), spline, smoothing, problems, empty, stamps)
