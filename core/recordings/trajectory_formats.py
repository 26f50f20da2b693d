"""Readers of trajectory formats: TUM, KITTI odometry and the ground truth of EuRoC.

Each is a table whose columns are known.
"""

from __future__ import annotations

from pathlib import Path

from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_spline import RecordingError
from framescope.core.recordings.tables.mixed import read_once, read_table
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema.motions import MatrixColumns, PoseColumns, QuaternionColumns

_TUM_LINE = "Each line is: timestamp tx ty tz qx qy qz qw."
_KITTI_LINE = "Each line is a matrix of 3 rows and 4 columns, row by row: r11 r12 r13 tx r21 ... r33 tz."
_EUROC = PoseColumns(
    time="timestamp",
    time_unit="ns",
    position=("p_RS_R_x", "p_RS_R_y", "p_RS_R_z"),
    position_unit="m",
    orientation=QuaternionColumns(columns=("q_RS_w", "q_RS_x", "q_RS_y", "q_RS_z"), order="wxyz"),
)
_EUROC_HEADER = "The header is: #timestamp [ns],p_RS_R_x [m],...,q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []."


def tum_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return a TUM trajectory as a table with what its columns are.

    It is ``timestamp tx ty tz qx qy qz qw``: s, m, scalar last, the frame in its parent.

    Raises
    ------
    TableError
        When the file is no table of numbers.
    RecordingError
        When it has other than eight columns or says that its quaternions have the scalar first.
    """
    table = _read(path, 8, _TUM_LINE)
    names = tuple(table.columns)
    if names[4].casefold().endswith("w"):
        raise RecordingError(
            f'{table.name}: expected the quaternion scalar last, got "{names[4]}" as its first column.', _TUM_LINE
        )
    orientation = QuaternionColumns(columns=(names[4], names[5], names[6], names[7]), order="xyzw")
    xyz = names[1], names[2], names[3]
    return table, PoseColumns(time=names[0], time_unit="s", position=xyz, position_unit="m", orientation=orientation)


def kitti_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return KITTI odometry poses as a table with what its columns are; the file has no times.

    Its twelve columns are the upper three rows of the matrix that takes points from the frame into the parent, row by
    row, m. Raises as `tum_columns`.
    """
    table = _read(path, 12, _KITTI_LINE)
    names = tuple(table.columns)
    turned = tuple(name for i, name in enumerate(names) if i % 4 != 3)
    matrix = MatrixColumns(columns=turned, maps="frame to parent")
    return table, PoseColumns(position=(names[3], names[7], names[11]), position_unit="m", orientation=matrix)


def times_beside(path: Path, poses: Table) -> Array:
    """Return the times (n,) that a file of its own has for poses, since the first, s."""
    table = _read(path, 1, "Each line is one time in s.")
    if table.n_rows != poses.n_rows:
        raise RecordingError(
            f"{table.name} has {table.n_rows} times, expected {poses.n_rows}, as many as {poses.name} has poses.",
            "Take the times of the same sequence.",
        )
    return table.since_first(next(iter(table.columns)))


def euroc_columns(path: Path) -> tuple[Table, PoseColumns]:
    """Return the ground truth of a EuRoC recording as a table with what its columns are.

    It is CSV with a header, times in ns since 1970, which count from the first to the last digit, scalar first: the
    columns ``timestamp``, ``p_RS_R_x``, ``p_RS_R_y``, ``p_RS_R_z``, ``q_RS_w``, ``q_RS_x``, ``q_RS_y`` and ``q_RS_z``,
    with a # before the first and a unit in brackets after each, or without; others are let be. R is the parent, S the
    frame.

    Raises
    ------
    TableError
        When the file is no table of numbers.
    RecordingError
        When it has no header, or a unit is another one.
    """
    table = read_table(path, read_once)
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
    return Table(table.name, found, rests), _EUROC


def _read(path: Path, n_columns: int, hint: str) -> Table:
    table = read_table(path, read_once)
    if len(table.columns) != n_columns:
        raise RecordingError(f"{table.name} has {len(table.columns)} columns, expected {n_columns}.", hint)
    return table
