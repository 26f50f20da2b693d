"""Readers of trajectory formats: TUM, KITTI odometry and the ground truth of EuRoC.

Each is a table whose columns are known.
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
    """Return which rows of a trajectory are no pose as a number is missing; None where none is."""
    table = read_once(path)
    return missing_in(table, _used(table, kind))


def whole_rows(path: Path, kind: str) -> Rows:
    """Return which rows of a trajectory, from 0, have all numbers of a pose."""
    table = read_once(path)
    return table.whole_rows(_used(table, kind))


def _used(table: MixedTable, kind: str) -> tuple[str, ...]:
    return table.own if kind != "euroc" else tuple(name for name in table.own if _plain(name)[0] in _EUROC.names)


def _plain(header: str) -> tuple[str, str]:
    """Return the name and the unit of a column of EuRoC's."""
    name, _, unit = (part.strip() for part in header.lstrip("# ").rstrip("] ").partition("["))
    return name, unit


def named_as_in_file(path: Path, kind: str, columns: PoseColumns) -> PoseColumns:
    """Return the columns of a trajectory by the names that its file gives them, as a table of any kind names them."""
    turn = columns.orientation
    if kind != "euroc" or columns.position is None or not isinstance(turn, QuaternionColumns):
        return columns
    headers: dict[str, str] = {}
    for header in read_once(path).own:
        headers.setdefault(_plain(header)[0], header)
    named = {
        "time": headers[columns.time or ""],
        "position": tuple(headers[name] for name in columns.position),
        "orientation": turn.model_copy(update={"columns": tuple(headers[name] for name in turn.columns)}),
    }
    return columns.model_copy(update=named)


def tum_columns(path: Path, rows: Rows | None = None) -> tuple[Table, PoseColumns]:
    """Return a TUM trajectory as a table with what its columns are.

    It is ``timestamp tx ty tz qx qy qz qw``: s, m, scalar last, the frame in its parent; of its rows all, or some.

    Raises
    ------
    TableError
        When the file is no table of numbers.
    RecordingError
        When it has other than eight columns or says that its quaternions have the scalar first.
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
    """Return KITTI odometry poses as a table with what its columns are; the file has no times.

    Its twelve columns are the upper three rows of the matrix that takes points from the frame into the parent, row by
    row, m. Raises as `tum_columns`.
    """
    table = _read(path, 12, _KITTI_LINE, rows)
    names = tuple(table.columns)
    turned = tuple(name for i, name in enumerate(names) if i % 4 != 3)
    matrix = MatrixColumns(columns=turned, maps="frame to parent")
    return table, PoseColumns(position=(names[3], names[7], names[11]), position_unit="m", orientation=matrix)


def times_beside(path: Path, poses: str, n: int, rows: Rows | None = None) -> Array:
    """Return the times (n,) that a file of its own has for `n` poses, all or some of them, since the first, s."""
    table = _read(path, 1, "Each line is one time in s.")
    if table.n_rows != n:
        raise RecordingError(
            f"{table.name} has {table.n_rows} times, expected {n}, as many as {poses} has poses.",
            "Take the times of the same sequence.",
        )
    t = table.since_first(next(iter(table.columns)))
    return t if rows is None else t[rows] - t[rows[0]]


def euroc_columns(path: Path, rows: Rows | None = None) -> tuple[Table, PoseColumns]:
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
    table = read_table(path, read_once) if rows is None else _some(path, "euroc", rows)
    found: dict[str, Array] = {}
    rests: dict[str, Array] = {}
    for header, values in table.columns.items():
        name, unit = _plain(header)
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


def _some(path: Path, kind: str, rows: Rows) -> Table:
    if not len(rows):
        raise TableError(f"{path.name} has no row with a number in each column.")
    table = read_once(path)
    return table.table(_used(table, kind), rows)


def _read(path: Path, n_columns: int, hint: str, rows: Rows | None = None) -> Table:
    table = read_table(path, read_once) if rows is None else _some(path, "", rows)
    if len(table.columns) != n_columns:
        raise RecordingError(f"{table.name} has {counted(len(table.columns), 'column')}, expected {n_columns}.", hint)
    return table
