"""The usual formats of trajectories: TUM, KITTI odometry and the ground truth of EuRoC.

Each is a table whose columns are known. All come out as a `Recording`: time from 0 s, position in m, and the
quaternion, scalar last, that takes the parent into the frame.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_columns import MatrixColumns, PoseColumns, QuaternionColumns, times_of
from framescope.core.recordings.pose_spline import RecordingError
from framescope.core.recordings.row_cleaning import Poses, poses_at, poses_from_table
from framescope.core.recordings.tables.numeric import Table, read_table

_TUM_LINE = "Each line is: timestamp tx ty tz qx qy qz qw."
_KITTI_LINE = "Each line is a matrix of 3 rows and 4 columns, row by row: r11 r12 r13 tx r21 ... r33 tz."
_EUROC_HEADER = "The header is: #timestamp [ns],p_RS_R_x [m],...,q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []."


def read_tum(path: Path, mends: Collection[str] = ()) -> Poses:
    """Read a TUM trajectory, ``timestamp tx ty tz qx qy qz qw``: s, m, scalar last, the frame in its parent.

    Parameters
    ----------
    path
        Text of eight columns, in this order whatever they are called.
    mends
        As of `framescope.core.recordings.row_cleaning.poses_from_table`.

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
    t = times_of(table, columns, rate_hz) if times is None else times_beside(times, table)
    return poses_at(t, table, columns, mends)


def kitti_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return KITTI odometry poses as a table with what its columns are; raises as `read_kitti`."""
    table = _read(path, 12, _KITTI_LINE)
    names = tuple(table.columns)
    matrix = MatrixColumns(tuple(name for i, name in enumerate(names) if i % 4 != 3), "frame to parent")
    return table, PoseColumns(None, "", (names[3], names[7], names[11]), "m", matrix)


def times_beside(path: Path, poses: Table) -> Array:
    """Return the times (n,) that a file of its own has for poses, since the first, s."""
    table = _read(path, 1, "Each line is one time in s.")
    if table.n_rows != poses.n_rows:
        raise RecordingError(
            f"{table.name} has {table.n_rows} times, expected {poses.n_rows}, as many as {poses.name} has poses.",
            "Take the times of the same sequence.",
        )
    return table.since_first(next(iter(table.columns)))


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
    Times in ns since 1970 count from the first to the last digit.
    """
    return poses_from_table(*euroc_columns(path), mends=mends)


def euroc_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return the ground truth of EuRoC as a table with what its columns are; raises as `read_euroc`."""
    table = read_table(path)
    found: dict[str, Array] = {}
    rests: dict[str, Array] = {}
    for header, values in table.columns.items():
        name, _, unit = (part.strip() for part in header.lstrip("# ").rstrip("] ").partition("["))
        expected = "ns" if name == "timestamp" else "m" if name.startswith("p_RS_R") else None
        if expected is not None and unit not in ("", expected):
            raise RecordingError(
                f'{table.name}, column "{header}": expected the unit {expected}, got {unit}.',
                "Name the columns and their units yourself.",
            )
        if name not in found and header in table.rests:
            rests[name] = table.rests[header]
        found.setdefault(name, values)
    if "timestamp" not in found and "1" in found:
        raise RecordingError(f"{table.name} has no header that names its columns.", _EUROC_HEADER)
    orientation = QuaternionColumns(("q_RS_w", "q_RS_x", "q_RS_y", "q_RS_z"), "wxyz")
    columns = PoseColumns("timestamp", "ns", ("p_RS_R_x", "p_RS_R_y", "p_RS_R_z"), "m", orientation)
    return Table(table.name, found, rests), columns


def _read(path: Path, n_columns: int, hint: str) -> Table:
    table = read_table(path)
    if len(table.columns) != n_columns:
        raise RecordingError(f"{table.name} has {len(table.columns)} columns, expected {n_columns}.", hint)
    return table
