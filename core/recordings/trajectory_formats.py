"""Readers of trajectory formats: TUM, KITTI odometry and the ground truth of EuRoC.

Each format is a table with fixed columns.
"""

from __future__ import annotations

from pathlib import Path

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_spline import RecordingError
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import Missing, MixedTable, Rows, missing_in, read_once, read_table
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


def missing_rows(path: Path, kind: str) -> Missing | None:
    """Return the rows of a trajectory with a missing number in the pose; None when all rows are complete."""
    table = read_once(path)
    return missing_in(table, _pose_columns_of(table, kind))


def whole_rows(path: Path, kind: str) -> Rows:
    """Return the rows of a trajectory, from 0, in which all numbers of the pose are present."""
    table = read_once(path)
    return table.whole_rows(_pose_columns_of(table, kind))


def _pose_columns_of(table: MixedTable, kind: str) -> tuple[str, ...]:
    return table.own if kind != "euroc" else tuple(name for name in table.own if _split_header(name)[0] in _EUROC.names)


def _split_header(header: str) -> tuple[str, str]:
    """Split a EuRoC column header into name and unit."""
    name, _, unit = (part.strip() for part in header.lstrip("# ").rstrip("] ").partition("["))
    return name, unit


def rename_as_in_file(path: Path, kind: str, columns: PoseColumns) -> PoseColumns:
    """Return pose columns with the column names in the header of a file, as for any other table."""
    turn = columns.orientation
    if kind != "euroc" or columns.position is None or not isinstance(turn, QuaternionColumns):
        return columns
    headers: dict[str, str] = {}
    for header in read_once(path).own:
        headers.setdefault(_split_header(header)[0], header)
    named = {
        "time": headers[columns.time or ""],
        "position": tuple(headers[name] for name in columns.position),
        "orientation": turn.model_copy(update={"columns": tuple(headers[name] for name in turn.columns)}),
    }
    return columns.model_copy(update=named)


def tum_columns(path: Path, rows: Rows | None = None) -> tuple[Table, PoseColumns]:
    """Read a TUM trajectory as a table and its pose columns.

    The columns are ``timestamp tx ty tz qx qy qz qw``, in s and m, scalar last: the pose of the frame in its parent.
    `rows` selects rows; None reads all rows.

    Raises
    ------
    TableError
        When the file is not a table of numbers.
    RecordingError
        When the table does not have eight columns, or its header names the quaternion's scalar first.
    """
    table = _read(path, 8, _TUM_LINE, rows)
    names = tuple(table.columns)
    if names[4].casefold().endswith("w"):
        raise RecordingError(
            f'{table.name}: expected the quaternion scalar last, got "{names[4]}" as its first column.', _TUM_LINE
        )
    orientation = QuaternionColumns(columns=(names[4], names[5], names[6], names[7]), order="xyzw")
    xyz = names[1], names[2], names[3]
    return table, PoseColumns(time=names[0], time_unit="s", position=xyz, position_unit="m", orientation=orientation)


def kitti_columns(path: Path, rows: Rows | None = None) -> tuple[Table, PoseColumns]:
    """Read KITTI odometry poses as a table and its pose columns; the file has no times.

    The twelve columns are the upper three rows, in m, of the matrix that maps points from the frame into the parent.
    Raises the same errors as `tum_columns`.
    """
    table = _read(path, 12, _KITTI_LINE, rows)
    names = tuple(table.columns)
    turned = tuple(name for i, name in enumerate(names) if i % 4 != 3)
    matrix = MatrixColumns(columns=turned, maps="frame to parent")
    return table, PoseColumns(position=(names[3], names[7], names[11]), position_unit="m", orientation=matrix)


def times_beside(path: Path, poses: str, n: int, rows: Rows | None = None) -> Array:
    """Read the times (n,) of `n` poses from a separate file, s since the first time; `rows` selects rows."""
    table = _read(path, 1, "Each line is one time in s.")
    if table.n_rows != n:
        raise RecordingError(
            f"{table.name} has {table.n_rows} times, expected {n}, as many as {poses} has poses.",
            "Take the times of the same sequence.",
        )
    t = table.since_first(next(iter(table.columns)))
    return t if rows is None else t[rows] - t[rows[0]]


def euroc_columns(path: Path, rows: Rows | None = None) -> tuple[Table, PoseColumns]:
    """Read the ground truth of a EuRoC recording as a table and its pose columns.

    The file is CSV with a header; quaternions have the scalar first. Times are ns since 1970, read to the last digit.
    The columns are ``timestamp``, ``p_RS_R_x``, ``p_RS_R_y``, ``p_RS_R_z``, ``q_RS_w``, ``q_RS_x``, ``q_RS_y`` and
    ``q_RS_z``, with or without a # before the first name and a unit in brackets after each name. Other columns are
    ignored. R is the parent, S the frame.

    Raises
    ------
    TableError
        When the file is not a table of numbers.
    RecordingError
        When the file has no header, or a unit differs from the expected one.
    """
    table = read_table(path, read_once) if rows is None else _read_rows(path, "euroc", rows)
    columns: dict[str, Array] = {}
    rests: dict[str, Array] = {}
    for header, values in table.columns.items():
        name, unit = _split_header(header)
        expected = "ns" if name == "timestamp" else "m" if name.startswith("p_RS_R") else None
        if expected is not None and unit not in ("", expected):
            raise RecordingError(
                f'{table.name}, column "{header}": expected the unit {expected}, got {unit}.',
                "Name the columns and their units yourself.",
            )
        if name not in columns and header in table.rests:
            rests[name] = table.rests[header]
        columns.setdefault(name, values)
    if "timestamp" not in columns and "1" in columns:
        raise RecordingError(f"{table.name} has no header that names its columns.", _EUROC_HEADER)
    return Table(table.name, columns, rests), _EUROC


def _read_rows(path: Path, kind: str, rows: Rows) -> Table:
    if not len(rows):
        raise TableError(f"{path.name} has no row with a number in each column.")
    table = read_once(path)
    return table.table(_pose_columns_of(table, kind), rows)


def _read(path: Path, n_columns: int, hint: str, rows: Rows | None = None) -> Table:
    table = read_table(path, read_once) if rows is None else _read_rows(path, "", rows)
    if len(table.columns) != n_columns:
        raise RecordingError(f"{table.name} has {counted(len(table.columns), 'column')}, expected {n_columns}.", hint)
    return table
