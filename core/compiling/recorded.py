"""Recordings that a scene names made into the motion of a frame."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from framescope.core import recordings, tables, trajectories
from framescope.core.arrays import Array
from framescope.core.compiling.local_motion import Context, LocalMotion, Sample
from framescope.core.errors import ItemError, KeyPath, Problem, Severity
from framescope.core.mixed_tables import MixedTable, Rows, read_mixed
from framescope.core.named_files import resolve_named
from framescope.core.scene import motions as authored
from framescope.core.scene.files import TABLE_FILES, TEXT_FILES
from framescope.core.scene.quantities import unit_factor
from framescope.core.tables import Table
from framescope.core.trajectory_steps import gaps

FileState = tuple[int, int]
"""Time of change and size of a file: while they stay, what was read of it holds."""

File = tuple[Path, FileState]


@dataclass(frozen=True)
class Source:
    """What is read of which file, and how; `columns` are None of a format that has fixed ones."""

    kind: str
    file: File
    times: File | None
    rate_hz: float | None
    columns: trajectories.PoseColumns | None
    where: tuple[str, str | float] | None
    is_inverse: bool
    mends: tuple[authored.Mend, ...]


def compile_recorded(form: authored.Recorded, context: Context, key: KeyPath = ("motion",)) -> LocalMotion:
    """Make the motion of a recording, smoothed; before its start and after its end the frame stands still."""
    bandwidth = form.bandwidth.si("frequency", (*key, "bandwidth"))
    start = form.start.si("time", (*key, "start"))
    with file_faults((*key, "file"), form.file):
        spline, findings, empty = _fitted(source_of(form, context, key), bandwidth)
    problems = list(_oddities(findings, bandwidth, (*key, "file"), start))
    end = start + spline.t_end
    if context.start < start or context.end > end + 1e-9:
        message = f"the recording covers {start:g} to {end:.2f} s, the scene {context.start:g} to {context.end:g} s."
        hint = "Outside it the frame stands still at its end."
        edges = tuple(t for t in (start, end) if context.start < t < context.end)
        problems.append(Problem((*key, "file"), message, hint, "amber", time=edges[0] if edges else None, times=edges))

    def sample(t: Array) -> Sample:
        motion = Sample(*spline.sample(t - start))
        if not len(empty):
            return motion
        i = np.searchsorted(empty[:, 0], t - start, side="left") - 1
        is_empty = (i >= 0) & (t - start < empty[i, 1])
        return Sample(*(np.where(is_empty.reshape(-1, *(1,) * (x.ndim - 1)), np.nan, x) for x in motion))

    return LocalMotion(sample, is_constant=False, problems=tuple(problems), work=2 * spline.n_samples)


@contextmanager
def file_faults(key_path: KeyPath, name: str) -> Generator[None]:
    """Turn what reading a file raises into an `ItemError` at the place that names it."""
    try:
        yield
    except (recordings.RecordingError, tables.TableError) as error:
        raise ItemError(key_path, error.message, error.hint) from None
    except OSError as error:
        raise ItemError(key_path, f"{name} cannot be read: {error.strerror}.") from None


def _oddities(
    findings: tuple[trajectories.Finding, ...], bandwidth_hz: float, key_path: KeyPath, start: float
) -> Iterator[Problem]:
    """Yield what is said of gaps, the longest in full, and of samples left out; `start` is the first sample's time.

    A gap longer than what the spline can follow is made up; shorter ones are bridged.
    """
    for kind in ("gap", "doubled"):
        found = [finding for finding in findings if finding.kind == kind]
        if found:
            worst = max(found, key=lambda finding: finding.duration)
            others = f" There are {len(found)} such places in all." if len(found) > 1 else ""
            is_made_up = worst.duration > 1.0 / bandwidth_hz
            hint = "What is drawn inside it is a guess." if is_made_up else "The spline bridges it." * (kind == "gap")
            name = "time-gap" if kind == "gap" else "duplicate-sample"
            severity: Severity = "amber" if is_made_up else "note"
            times = tuple(sorted({start + finding.time for finding in found}))
            yield Problem(
                key_path, worst.text + others, hint, severity, time=start + worst.time, kind=name, times=times
            )


Fitted = tuple[recordings.PoseSpline, tuple[trajectories.Finding, ...], Array]
"""A recording fitted, what is odd about it, and the spans (k, 2) in which there is no pose, s."""


def source_of(form: authored.Recorded, context: Context, key: KeyPath = ("motion",)) -> Source:
    """Return what is to be read; raise `ItemError` where the form is not complete or names no file."""
    extensions = TABLE_FILES if form.format == "table" else TEXT_FILES
    path = resolve_named(form.file, context.access, (*key, "file"), extensions)
    columns = _columns(form, key)
    if form.rows is not None and form.format != "table":
        raise ItemError((*key, "rows"), f"the format {form.format} holds one frame.", "Remove rows.")
    rate, times = None, None
    if form.format == "kitti":
        if (form.rate is None) is (form.times is None):
            raise ItemError(
                (*key, "rate"), "the kitti format has no times.", "Give a rate, such as 10 Hz, or a file of times."
            )
        rate = _rate(form, key)
        if form.times is not None:
            times = resolve_named(form.times, context.access, (*key, "times"), TEXT_FILES)
    elif columns is not None and columns.time is None:
        if form.rate is None:
            raise ItemError((*key, "rate"), "the table has no column of time.", "Give a rate, such as 100 Hz.")
        rate = _rate(form, key)
    else:
        for name in ("rate", "times"):
            if getattr(form, name) is not None:
                raise ItemError((*key, name), f"the format {form.format} has its own times.", f"Remove {name}.")
    where = None if form.rows is None else (form.rows.column, form.rows.value)
    with file_faults((*key, "file"), form.file):
        file, times_file = (path, _state(path)), None if times is None else (times, _state(times))
    is_inverse = form.pose == "parent in frame"
    return Source(form.format, file, times_file, rate, columns, where, is_inverse, form.mends)


def table_of(source: Source) -> tuple[Table, trajectories.PoseColumns, Array]:
    """Return the rows of a recording as they stand in its file, what their columns are, and their times (n,), s.

    Raises
    ------
    TableError, RecordingError, OSError
        When the file cannot be read as that.
    """
    path, columns = source.file[0], source.columns
    if columns is not None:
        mixed = _table(*source.file)
        rows = None if source.where is None else mixed.rows_where(*source.where)
        table = mixed.table(columns.names, rows)
    elif source.kind == "kitti":
        table, columns = trajectories.kitti_columns(path)
        if source.times is not None:
            return table, columns, trajectories.times_beside(source.times[0], table)
    else:
        table, columns = (trajectories.euroc_columns if source.kind == "euroc" else trajectories.tum_columns)(path)
    return table, columns, trajectories.times_of(table, columns, source.rate_hz)


def row_numbers(source: Source, n: int) -> Rows:
    """Return which rows of its file, from 1, the `n` rows of a recording are."""
    if source.columns is None or source.where is None:
        return np.arange(1, n + 1)
    return _table(*source.file).rows_where(*source.where) + 1


def _rate(form: authored.Recorded, key: KeyPath) -> float | None:
    rate = None if form.rate is None else form.rate.si("frequency", (*key, "rate"))
    if rate is not None and not rate > 0.0:
        raise ItemError((*key, "rate"), f"expected more than zero, got {form.rate}.")
    return rate


def _columns(form: authored.Recorded, key: KeyPath) -> trajectories.PoseColumns | None:
    if form.format != "table":
        if form.columns is not None:
            raise ItemError((*key, "columns"), f"the format {form.format} has fixed columns.", "Remove columns.")
        return None
    columns = form.columns
    if columns is None:
        raise ItemError((*key, "columns"), "a table needs its columns named.", "Add columns: {time: …, position: …}.")
    if columns.position is None and columns.orientation is None:
        raise ItemError((*key, "columns"), "neither a position nor an orientation is named.", "Name one, or both.")
    return named_columns(columns, (*key, "columns"))


def named_columns(columns: authored.PoseColumns, place: KeyPath) -> trajectories.PoseColumns:
    """Return what the scene says of columns, checked; raise `ItemError` where a unit or a convention is missing."""
    if columns.time is not None:
        unit_factor(columns.time_unit, "recorded time", (*place, "time_unit"))
    if columns.position is not None:
        unit_factor(columns.position_unit, "length", (*place, "position_unit"))
    orientation = columns.orientation
    return trajectories.PoseColumns(
        columns.time,
        columns.time_unit or "",
        columns.position,
        columns.position_unit or "",
        None if orientation is None else _orientation_columns(orientation, (*place, "orientation")),
    )


def _orientation_columns(
    form: authored.QuaternionColumns | authored.MatrixColumns | authored.AngleColumns, place: KeyPath
) -> trajectories.QuaternionColumns | trajectories.MatrixColumns | trajectories.AngleColumns:
    match form:
        case authored.QuaternionColumns():
            if form.order not in ("xyzw", "wxyz"):
                raise ItemError((*place, "order"), "the order of the quaternion is missing.", "Use xyzw or wxyz.")
            return trajectories.QuaternionColumns(form.columns, form.order, form.maps)
        case authored.MatrixColumns():
            if form.maps not in ("parent to frame", "frame to parent"):
                raise ItemError(
                    (*place, "maps"),
                    "the direction of the matrix is missing.",
                    'Use "parent to frame" or its opposite.',
                )
            return trajectories.MatrixColumns(form.columns, form.maps)
        case authored.AngleColumns():
            unit_factor(form.unit, "angle", (*place, "unit"))
            return trajectories.AngleColumns(form.columns, form.sequence, form.unit or "")


def _state(path: Path) -> FileState:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=64)
def _fitted(source: Source, bandwidth_hz: float) -> Fitted:
    """Read and fit a recording once per state of its files."""
    table, columns, t = table_of(source)
    recording, findings = trajectories.poses_at(t, table, columns, source.mends)
    if source.is_inverse:
        recording = trajectories.inverted(recording)
    i = gaps(recording.t) if "leave gaps empty" in source.mends else np.zeros(0, dtype=np.intp)
    empty = np.stack([recording.t[i], recording.t[i + 1]], axis=-1)
    return recordings.smooth(recording, bandwidth_hz), findings, empty


@lru_cache(maxsize=2)
def _table(path: Path, _state: FileState) -> MixedTable:
    """Read a table once for all the frames that are in it."""
    return read_mixed(path)
