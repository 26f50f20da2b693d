"""Recordings that a scene names made into the motion of a frame."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from framescope.core import recordings, tables, trajectories
from framescope.core.arrays import Array
from framescope.core.compiling.local_motion import Context, LocalMotion, Sample
from framescope.core.errors import ItemError, KeyPath, Problem
from framescope.core.named_files import resolve_named
from framescope.core.scene import motions as authored
from framescope.core.scene.files import TABLE_FILES, TEXT_FILES
from framescope.core.scene.quantities import unit_factor

FileState = tuple[int, int]
"""Time of change and size of a file: while they stay, what was read of it holds."""


def compile_recorded(form: authored.Recorded, context: Context, key: KeyPath = ("motion",)) -> LocalMotion:
    """Make the motion of a recording, smoothed; before its start and after its end the frame stands still."""
    bandwidth = form.bandwidth.si("frequency", (*key, "bandwidth"))
    start = form.start.si("time", (*key, "start"))
    read = _reader(form, context, key)
    with file_faults((*key, "file"), form.file):
        spline, findings = read(bandwidth)
    problems = list(_oddities(findings, bandwidth, (*key, "file")))
    end = start + spline.t_end
    if context.start < start or context.end > end + 1e-9:
        message = f"the recording covers {start:g} to {end:.2f} s, the scene {context.start:g} to {context.end:g} s."
        problems.append(Problem((*key, "file"), message, "Outside it the frame stands still at its end.", "amber"))

    def sample(t: Array) -> Sample:
        return Sample(*spline.sample(t - start))

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


def _oddities(findings: tuple[trajectories.Finding, ...], bandwidth_hz: float, key_path: KeyPath) -> Iterator[Problem]:
    """Yield what is said of gaps, the longest in full, and of samples left out.

    A gap longer than what the spline can follow is made up; shorter ones are bridged.
    """
    for kind in ("gap", "doubled"):
        found = [finding for finding in findings if finding.kind == kind]
        if found:
            worst = max(found, key=lambda finding: finding.duration)
            others = f" There are {len(found)} such places in all." if len(found) > 1 else ""
            is_made_up = worst.duration > 1.0 / bandwidth_hz
            hint = "What is drawn inside it is a guess." if is_made_up else "The spline bridges it." * (kind == "gap")
            yield Problem(key_path, worst.text + others, hint, "amber" if is_made_up else "note")


Fitted = tuple[recordings.PoseSpline, tuple[trajectories.Finding, ...]]


def _reader(form: authored.Recorded, context: Context, key: KeyPath) -> Callable[[float], Fitted]:
    """Return a function of the bandwidth that reads and fits; raise `ItemError` where the form is not complete."""
    extensions = TABLE_FILES if form.format == "table" else TEXT_FILES
    path = resolve_named(form.file, context.access, (*key, "file"), extensions)
    columns = _columns(form, key)
    rate, times = None, None
    if form.format == "kitti":
        if (form.rate is None) is (form.times is None):
            raise ItemError(
                (*key, "rate"), "the kitti format has no times.", "Give a rate, such as 10 Hz, or a file of times."
            )
        rate = None if form.rate is None else form.rate.si("frequency", (*key, "rate"))
        if rate is not None and not rate > 0.0:
            raise ItemError((*key, "rate"), f"expected more than zero, got {form.rate}.")
        if form.times is not None:
            times = resolve_named(form.times, context.access, (*key, "times"), TEXT_FILES)
    else:
        for name in ("rate", "times"):
            if getattr(form, name) is not None:
                raise ItemError((*key, name), f"the format {form.format} has its own times.", f"Remove {name}.")

    def read(bandwidth: float) -> Fitted:
        times_state = None if times is None else (times, _state(times))
        return _fitted(form.format, (path, _state(path)), times_state, rate, columns, bandwidth)

    return read


def _columns(form: authored.Recorded, key: KeyPath) -> trajectories.PoseColumns | None:
    if form.format != "table":
        if form.columns is not None:
            raise ItemError((*key, "columns"), f"the format {form.format} has fixed columns.", "Remove columns.")
        return None
    columns = form.columns
    if columns is None:
        raise ItemError((*key, "columns"), "a table needs its columns named.", "Add columns: {time: …, position: …}.")
    place = (*key, "columns")
    unit_factor(columns.time_unit, "recorded time", (*place, "time_unit"))
    unit_factor(columns.position_unit, "length", (*place, "position_unit"))
    return trajectories.PoseColumns(
        columns.time,
        columns.time_unit or "",
        columns.position,
        columns.position_unit or "",
        _orientation_columns(columns.orientation, (*place, "orientation")),
    )


def _orientation_columns(
    form: authored.QuaternionColumns | authored.MatrixColumns | authored.AngleColumns, place: KeyPath
) -> trajectories.QuaternionColumns | trajectories.MatrixColumns | trajectories.AngleColumns:
    match form:
        case authored.QuaternionColumns():
            if form.order not in ("xyzw", "wxyz"):
                raise ItemError((*place, "order"), "the order of the quaternion is missing.", "Use xyzw or wxyz.")
            return trajectories.QuaternionColumns(form.columns, form.order)
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
def _fitted(
    kind: str,
    file: tuple[Path, FileState],
    times: tuple[Path, FileState] | None,
    rate_hz: float | None,
    columns: trajectories.PoseColumns | None,
    bandwidth_hz: float,
) -> Fitted:
    """Read and fit a recording once per state of its files."""
    path = file[0]
    if columns is not None:
        recording, findings = trajectories.poses_from_table(tables.read_table(path), columns)
    elif kind == "kitti":
        recording, findings = trajectories.read_kitti(path, rate_hz, None if times is None else times[0])
    elif kind == "euroc":
        recording, findings = trajectories.read_euroc(path)
    else:
        recording, findings = trajectories.read_tum(path)
    return recordings.smooth(recording, bandwidth_hz), findings
