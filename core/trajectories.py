"""Recorded poses of the usual trajectory formats, and of any table whose columns are named.

All come out as a `Recording`: time from 0 s, position in m, and the quaternion, scalar last, that takes the parent into
the frame. What is odd about a recording but does not keep it from being used comes with it, as findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from framescope.core import conventions, frames, kernels, quaternions
from framescope.core.arrays import EXTRINSIC_SEQUENCES, SEQUENCES, Array, median
from framescope.core.code import ROTATION_TOLERANCE
from framescope.core.errors import did_you_mean
from framescope.core.recordings import UNIT_NORM_TOLERANCE, Recording, RecordingError
from framescope.core.scene.quantities import UNITS
from framescope.core.tables import Table, read_table
from framescope.core.trajectory_steps import gaps, outliers
from framescope.core.transformation_matrices import project_to_rotation, to_Q

TIME_UNITS = UNITS["recorded time"]
"""Units of recorded times, in s."""

LENGTH_UNITS = UNITS["length"]
"""Units of positions, in m."""

ANGLE_UNITS = UNITS["angle"]
"""Units of angles, in rad."""

DIRECTIONS = ("frame to parent", "parent to frame")
"""Whose vectors a matrix or a quaternion takes, and into what."""

NEAREST_TAKEN = 0.3
"""How far a matrix may miss a rotation where the nearest is asked for."""

MIN_SAMPLES = 5
"""What the smoothing spline needs."""

MAX_FINDINGS = 100
"""Findings of one kind that are told one by one."""

_TUM_LINE = "Each line is: timestamp tx ty tz qx qy qz qw."
_KITTI_LINE = "Each line is a matrix of 3 rows and 4 columns, row by row: r11 r12 r13 tx r21 ... r33 tz."
_EUROC_HEADER = "The header is: #timestamp [ns],p_RS_R_x [m],...,q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []."


@dataclass(frozen=True)
class Finding:
    """Something odd about a recording that is used all the same.

    Attributes
    ----------
    kind
        ``"gap"``: a step much larger than the others, which the spline bridges; ``"doubled"``: a sample with the time
        of the one before, left out.
    time
        Time since the first sample, s.
    row
        Sample, from 1, in the file; for a gap the last one before it.
    text
        What a list of problems shows.
    duration
        How long a gap is, s; 0 of a doubled sample.
    """

    kind: Literal["gap", "doubled"]
    time: float
    row: int
    text: str
    duration: float = 0.0


Poses = tuple[Recording, tuple[Finding, ...]]
"""A recording, and what is odd about it in the order of time."""


@dataclass(frozen=True)
class QuaternionColumns:
    """An orientation given by a quaternion, Hamilton's.

    Attributes
    ----------
    names
        Columns of the four components, in the order `order`.
    order
        ``"xyzw"`` or ``"wxyz"``: scalar last or first.
    maps
        ``"frame to parent"``: its rotation takes vectors from the frame into the parent; or ``"parent to frame"``.
    """

    names: tuple[str, str, str, str]
    order: str
    maps: str = "frame to parent"


@dataclass(frozen=True)
class MatrixColumns:
    """An orientation given by a rotation matrix.

    Attributes
    ----------
    names
        Columns of the nine elements, row by row.
    maps
        ``"parent to frame"``: the matrix takes vectors from the parent into the frame; or ``"frame to parent"``.
    """

    names: tuple[str, ...]
    maps: str


@dataclass(frozen=True)
class AngleColumns:
    """An orientation given by three turns from the parent to the frame.

    Attributes
    ----------
    names
        Columns of the angles, in the order of the sequence.
    sequence
        ``"ZYX"`` and the like: about axes of the moving frame; in lower case about the fixed axes of the parent.
    unit
        ``"rad"``, ``"deg"`` or ``"turn"``.
    """

    names: tuple[str, str, str]
    sequence: str
    unit: str


@dataclass(frozen=True)
class PoseColumns:
    """Which columns of a table are the pose of a frame in its parent, and what they mean; no unit is assumed.

    Attributes
    ----------
    time, time_unit
        Column of the time, and ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``; None where there is a rate instead.
    position, position_unit
        Columns x, y, z of the frame's origin resolved in the parent, and ``"m"``, ``"cm"``, ``"mm"`` or ``"km"``; None
        where the origins coincide.
    orientation
        Columns of the orientation; None where the frame is not turned.
    """

    time: str | None
    time_unit: str
    position: tuple[str, str, str] | None
    position_unit: str
    orientation: QuaternionColumns | MatrixColumns | AngleColumns | None

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are used."""
        time = () if self.time is None else (self.time,)
        orientation = () if self.orientation is None else self.orientation.names
        return tuple(dict.fromkeys((*time, *(self.position or ()), *orientation)))


def poses_from_table(
    table: Table, columns: PoseColumns, rate_hz: float | None = None, mends: Collection[str] = ()
) -> Poses:
    """Return the poses that the columns of a table hold.

    Parameters
    ----------
    table
        Numbers by column, one row for each sample.
    columns
        Which are time, position and orientation, and in what convention.
    rate_hz
        Samples per second of a table without a column of time.
    mends
        What is odd about the rows and dealt with, see `framescope.core.scene.motions.Recorded`.

    Returns
    -------
    recording : Recording
        The poses; quaternions of unit length and continuous sign.
    findings : tuple of Finding
        Gaps, and samples left out as their time is that of the one before.

    Raises
    ------
    TableError
        When a column does not exist.
    RecordingError
        When a unit, order, direction or sequence is unknown, there are fewer than 5 samples, time runs backwards, or an
        orientation is no rotation within 1e-3.

    Notes
    -----
    A quaternion of Hamilton's convention that rotates vectors from the frame into the parent is, as numbers, the same
    as `Q`, parent into frame: ``T(Q)`` is the transposed rotation. Of times, the first is taken off before they are
    scaled, so that large ones lose nothing more.

    Examples
    --------
    >>> n = np.arange(5.0)
    >>> table = Table("turntable.csv", {"ms": 20 * n, "x": n, "y": 0 * n, "z": 0 * n, "yaw": 10 * n, "none": 0 * n})
    >>> angles = AngleColumns(("yaw", "none", "none"), "ZYX", "deg")
    >>> recording, findings = poses_from_table(table, PoseColumns("ms", "ms", ("x", "y", "z"), "mm", angles))
    >>> recording.t, recording.Q_PF[-1].round(4), findings
    (array([0.  , 0.02, 0.04, 0.06, 0.08]), array([0.    , 0.    , 0.342 , 0.9397]), ())
    """
    return poses_at(times_of(table, columns, rate_hz), table, columns, mends)


def poses_at(t: Array, table: Table, columns: PoseColumns, mends: Collection[str] = ()) -> Poses:
    """Return the poses that the columns of a table hold at times (n,) from elsewhere, s; see `poses_from_table`."""
    return _poses(table.name, t, *rows_of(table, columns, mends), mends)


def times_of(table: Table, columns: PoseColumns, rate_hz: float | None = None) -> Array:
    """Return the times (n,) of the rows of a table as they stand there, since the first, s."""
    if columns.time is None:
        return _times_at(rate_hz, table)
    time_unit = _chosen(table, "unit of time", columns.time_unit, TIME_UNITS)
    return _scaled(_since_first(table.column(columns.time)), TIME_UNITS[time_unit])


def rows_of(table: Table, columns: PoseColumns, mends: Collection[str] = ()) -> tuple[Array, Array]:
    """Return positions (n, 3), m, and unit quaternions (n, 4) of the rows of a table, with the signs they have there.

    Raises as `poses_from_table`, which see, but says nothing of the time.
    """
    p_PF, Q_PF = np.zeros((table.n_rows, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (table.n_rows, 1))
    if columns.position is not None:
        length_unit = _chosen(table, "unit of length", columns.position_unit, LENGTH_UNITS)
        p_PF = _scaled(_stacked(table, columns.position, 3), LENGTH_UNITS[length_unit])
    if columns.orientation is not None:
        Q_PF = _orientation(table, columns.orientation, is_mended="normalise" in mends)
    return p_PF, Q_PF


def inverted(recording: Recording) -> Recording:
    """Return the poses of P in F of a recording of F in P.

    Examples
    --------
    >>> turned = np.tile([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)], (5, 1))
    >>> recording = Recording(np.arange(5.0), np.tile([1.0, 0.0, 0.0], (5, 1)), turned)
    >>> found = inverted(recording)
    >>> found.p_PF[0].round(9) + 0.0, found.Q_PF[0].round(4)
    (array([0., 1., 0.]), array([-0.    , -0.    , -0.7071,  0.7071]))
    """
    T_PF = kernels.matrix_from_quaternion(recording.Q_PF)
    p_FP = -np.einsum("nij,nj->ni", T_PF, recording.p_PF)
    return Recording(recording.t, p_FP, recording.Q_PF * [-1.0, -1.0, -1.0, 1.0])


def read_tum(path: Path, mends: Collection[str] = ()) -> Poses:
    """Read a TUM trajectory, ``timestamp tx ty tz qx qy qz qw``: s, m, scalar last, the frame in its parent.

    Parameters
    ----------
    path
        Text of eight columns, in this order whatever they are called.
    mends
        As of `poses_from_table`.

    Returns
    -------
    recording, findings
        As of `poses_from_table`.

    Raises
    ------
    TableError
        When the file is no table of numbers.
    RecordingError
        When it has other than eight columns or says that its quaternions have the scalar first, and as of
        `poses_from_table`.
    """
    return poses_from_table(*tum_columns(path), mends=mends)


def tum_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return a TUM trajectory as a table with what its columns are; raises as `read_tum`."""
    table = _read(path, 8, _TUM_LINE)
    names = tuple(table.columns)
    if names[4].casefold().endswith("w"):
        raise RecordingError(
            f'{table.name}: expected the quaternion scalar last, got "{names[4]}" as its first column.', _TUM_LINE
        )
    orientation = QuaternionColumns((names[4], names[5], names[6], names[7]), "xyzw")
    return table, PoseColumns(names[0], "s", (names[1], names[2], names[3]), "m", orientation)


def read_kitti(
    path: Path, rate_hz: float | None = None, times: Path | None = None, mends: Collection[str] = ()
) -> Poses:
    """Read KITTI odometry poses, twelve numbers a line; the file has no times, so that they are to be given.

    Parameters
    ----------
    path
        Text of twelve columns: the upper three rows of the matrix that takes points from the frame into the parent, row
        by row, m.
    rate_hz
        Samples per second; or
    times
        a text file of as many times, one a line, s.
    mends
        As of `poses_from_table`.

    Returns
    -------
    recording, findings
        As of `poses_from_table`.

    Raises
    ------
    TableError
        When a file is no table of numbers.
    RecordingError
        When not one of `rate_hz` and `times` is given, a file has another number of columns, the times are not as many
        as the poses, and as of `poses_from_table`.
    """
    table, columns = kitti_columns(path)
    if (rate_hz is None) == (times is None):
        raise RecordingError(
            f"{table.name}: KITTI poses have no times, expected a rate or a file of times.",
            "Give one of them: 10 Hz, as KITTI's cameras have, or its times.txt.",
        )
    t = _times_at(rate_hz, table) if times is None else times_beside(times, table)
    return poses_at(t, table, columns, mends)


def kitti_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return KITTI odometry poses as a table with what its columns are; raises as `read_kitti`."""
    table = _read(path, 12, _KITTI_LINE)
    names = tuple(table.columns)
    matrix = MatrixColumns(tuple(name for i, name in enumerate(names) if i % 4 != 3), "frame to parent")
    return table, PoseColumns(None, "", (names[3], names[7], names[11]), "m", matrix)


def read_euroc(path: Path, mends: Collection[str] = ()) -> Poses:
    """Read the ground truth of a EuRoC recording: CSV with a header, times in ns, scalar first.

    Parameters
    ----------
    path
        Columns ``timestamp``, ``p_RS_R_x``, ``p_RS_R_y``, ``p_RS_R_z``, ``q_RS_w``, ``q_RS_x``, ``q_RS_y`` and
        ``q_RS_z``, with a # before the first and a unit in brackets after each, or without; others are let be.
    mends
        As of `poses_from_table`.

    Returns
    -------
    recording, findings
        As of `poses_from_table`: R is the parent, S the frame.

    Raises
    ------
    TableError
        When the file is no table of numbers, or one of its columns does not exist.
    RecordingError
        When a unit is another one, and as of `poses_from_table`.

    Notes
    -----
    Times in ns since 1970 are rounded to 256 ns, as float64 has it.
    """
    return poses_from_table(*euroc_columns(path), mends=mends)


def euroc_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return the ground truth of EuRoC as a table with what its columns are; raises as `read_euroc`."""
    table = read_table(path)
    found: dict[str, Array] = {}
    for header, values in table.columns.items():
        name, _, unit = (part.strip() for part in header.lstrip("# ").rstrip("] ").partition("["))
        expected = "ns" if name == "timestamp" else "m" if name.startswith("p_RS_R") else None
        if expected is not None and unit not in ("", expected):
            raise RecordingError(
                f'{table.name}, column "{header}": expected the unit {expected}, got {unit}.',
                "Name the columns and their units yourself.",
            )
        found.setdefault(name, values)
    if "timestamp" not in found and "1" in found:
        raise RecordingError(f"{table.name} has no header that names its columns.", _EUROC_HEADER)
    orientation = QuaternionColumns(("q_RS_w", "q_RS_x", "q_RS_y", "q_RS_z"), "wxyz")
    columns = PoseColumns("timestamp", "ns", ("p_RS_R_x", "p_RS_R_y", "p_RS_R_z"), "m", orientation)
    return Table(table.name, found), columns


# --- Columns


def _read(path: Path, n_columns: int, hint: str) -> Table:
    table = read_table(path)
    if len(table.columns) != n_columns:
        raise RecordingError(f"{table.name} has {len(table.columns)} columns, expected {n_columns}.", hint)
    return table


def _times_at(rate_hz: float | None, table: Table) -> Array:
    if rate_hz is None or not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise RecordingError(f"{table.name}: a rate of {rate_hz} Hz is none.", "Use a number larger than 0.")
    with np.errstate(over="ignore"):
        return np.arange(table.n_rows) / np.float64(rate_hz)


def times_beside(path: Path, poses: Table) -> Array:
    """Return the times (n,) that a file of its own has for poses, since the first, s."""
    table = _read(path, 1, "Each line is one time in s.")
    if table.n_rows != poses.n_rows:
        raise RecordingError(
            f"{table.name} has {table.n_rows} times, expected {poses.n_rows}, as many as {poses.name} has poses.",
            "Take the times of the same sequence.",
        )
    return _since_first(next(iter(table.columns.values())))


def _chosen(table: Table, what: str, choice: str, choices: Iterable[str]) -> str:
    if choice not in choices:
        raise RecordingError(f'{table.name}: "{choice}" is no {what}.', did_you_mean(choice, choices))
    return choice


def _since_first(t: Array) -> Array:
    with np.errstate(over="ignore"):
        return t - t[0]


def _scaled(values: Array, unit: float) -> Array:
    with np.errstate(over="ignore"):  # what becomes infinite is refused
        return values * unit


def _stacked(table: Table, names: Sequence[str], n: int) -> Array:
    if len(names) != n:
        raise RecordingError(f"{table.name}: expected the names of {n} columns, got {len(names)}.")
    return np.stack([table.column(name) for name in names], axis=-1)


def _orientation(
    table: Table, columns: QuaternionColumns | MatrixColumns | AngleColumns, *, is_mended: bool = False
) -> Array:
    match columns:
        case QuaternionColumns():
            order = _chosen(table, "order of a quaternion", columns.order, ("xyzw", "wxyz"))
            q = _stacked(table, columns.names, 4)
            maps = _chosen(table, "direction of a quaternion", columns.maps, DIRECTIONS)
            Q = q if order == "xyzw" else conventions.scalar_last_from_scalar_first(q)
            _check_quaternions(table.name, Q, is_mended=is_mended)
            Q = quaternions.normalize_quaternion(Q)
            return Q if maps == "frame to parent" else Q * [-1.0, -1.0, -1.0, 1.0]
        case MatrixColumns():
            maps = _chosen(table, "direction of a matrix", columns.maps, DIRECTIONS)
            M = _stacked(table, columns.names, 9).reshape(-1, 3, 3)
            T = M if maps == "parent to frame" else kernels.transpose(M)
            return _from_matrices(table.name, T, NEAREST_TAKEN if is_mended else ROTATION_TOLERANCE)
        case AngleColumns():
            sequence = _chosen(table, "axis sequence", columns.sequence, (*SEQUENCES, *EXTRINSIC_SEQUENCES))
            unit = _chosen(table, "unit of angles", columns.unit, ANGLE_UNITS)
            angles = _scaled(_stacked(table, columns.names, 3), ANGLE_UNITS[unit])
            _check_finite(table.name, "angles are", angles)
            if sequence in EXTRINSIC_SEQUENCES:
                sequence, angles = conventions.intrinsic_from_extrinsic(sequence, angles)
            return frames.to_Q(frames.axes_rotations(sequence, angles))


def _check_quaternions(name: str, Q: Array, *, is_mended: bool) -> None:
    with np.errstate(over="ignore"):
        norm = np.sqrt(kernels.squared_norm(Q))
    miss = np.where((norm > 0.0) & np.isfinite(norm), 0.0, 1.0) if is_mended else np.abs(norm - 1.0)
    row = int(np.argmax(miss))
    if miss[row] > UNIT_NORM_TOLERANCE:
        raise RecordingError(
            f"{name}: the quaternion of sample {row + 1} misses unit length by {miss[row]:.3g}.",
            f"At most {UNIT_NORM_TOLERANCE:g} is taken as rounding: check the columns and their order.",
        )


def _from_matrices(name: str, T: Array, tolerance: float) -> Array:
    """Return the quaternions of the nearest rotations; what is no rotation at all must not reach the decomposition."""
    largest: Array = np.abs(T).reshape(-1, 9).max(axis=1)
    is_bounded = largest < 2.0
    rotation, distance = project_to_rotation(np.where(is_bounded[:, np.newaxis, np.newaxis], T, 0.0))
    distance = np.where(is_bounded, distance, np.inf)
    row = int(np.argmax(distance))
    if distance[row] > tolerance:
        raise RecordingError(
            f"{name}: the matrix of sample {row + 1} misses a rotation by {distance[row]:.3g}.",
            f"At most {tolerance:g} is taken as rounding: check the columns and their order.",
        )
    return to_Q(rotation)


def _check_finite(name: str, what: str, values: Array) -> None:
    is_finite = np.isfinite(values).reshape(len(values), -1).all(axis=1)
    if not is_finite.all():
        row = int(np.argmin(is_finite))
        raise RecordingError(f"{name}, sample {row + 1}: the {what} too large.", "Check the columns and the units.")


# --- Time


def _poses(name: str, t: Array, p_PF: Array, Q_PF: Array, mends: Collection[str]) -> Poses:
    _check_finite(name, "time is", t)
    _check_finite(name, "position is", p_PF)
    if "sort by time" in mends:
        order = np.argsort(t, kind="stable")
        t, p_PF, Q_PF = t[order] - t[order[0]], p_PF[order], Q_PF[order]
    step = np.diff(t)
    if (step < 0.0).any():
        row = int(np.argmax(step < 0.0))
        raise RecordingError(
            f"{name}: time runs backwards after sample {row + 1}, from {t[row]:.9g} s to {t[row + 1]:.9g} s.",
            "Sort the samples by time, or cut the file where it starts anew.",
        )
    rows = np.flatnonzero(np.concatenate([[True], step > 0.0]))
    if "drop outliers" in mends:
        rows = np.delete(rows, outliers(t[rows], p_PF[rows], Q_PF[rows]))
    if len(rows) < MIN_SAMPLES:
        raise RecordingError(f"{name} has {len(rows)} samples of different times, at least {MIN_SAMPLES} are needed.")
    findings = [] if "drop duplicates" in mends else _doubled(t, p_PF, Q_PF)
    findings += [] if "leave gaps empty" in mends else _gaps(t, rows)
    recording = Recording(t[rows], p_PF[rows], quaternions.continuous_signs(Q_PF[rows]))
    return recording, tuple(sorted(findings, key=lambda finding: finding.row))


def _doubled(t: Array, p_PF: Array, Q_PF: Array) -> list[Finding]:
    rows = np.flatnonzero(np.diff(t) == 0.0) + 1
    is_turned = (Q_PF[rows] != Q_PF[rows - 1]).any(axis=1) & (Q_PF[rows] != -Q_PF[rows - 1]).any(axis=1)
    is_same = (p_PF[rows] == p_PF[rows - 1]).all(axis=1) & ~is_turned
    findings: list[Finding] = []
    for row, same in zip(rows[:MAX_FINDINGS].tolist(), is_same.tolist(), strict=False):
        poses = "the same pose" if same else "another pose"
        text = f"sample {row + 1} has the time of the one before, {t[row]:.9g} s, and {poses}: left out."
        findings.append(Finding("doubled", float(t[row]), row + 1, text))
    return _with_rest(findings, len(rows), "samples left out")


def _gaps(t: Array, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[Finding]:
    step = np.diff(t[rows])
    usual = median(step)
    places = gaps(t[rows])
    findings: list[Finding] = []
    for i in places[:MAX_FINDINGS].tolist():
        row, length = int(rows[i]), float(step[i])
        text = f"no sample for {length:.3g} s after {t[row]:.9g} s, {length / usual:.0f} times the usual step."
        findings.append(Finding("gap", float(t[row]), row + 1, text, length))
    return _with_rest(findings, len(places), "gaps")


def _with_rest(findings: list[Finding], n: int, what: str) -> list[Finding]:
    if n > len(findings):
        last = findings[-1]
        findings.append(
            Finding(last.kind, last.time, last.row, f"{n - len(findings)} more {what} after that.", last.duration)
        )
    return findings
