"""Samples: rows of numbers of orientations, with their times if known and their source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import MixedTable, read_once
from framescope.core.scene.schema.motions import PoseColumns
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.table_import.core.choices import Group
from framescope.features.table_import.core.guess_columns import Guess, guess

TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
SURE = 0.8
"""Smallest confidence of a guess by names to expect an interpretation."""

MOSTLY = 0.8
"""Smallest fraction of increasing steps in a column of time."""

WIDTHS = (3, 4, 9)
"""Possible counts of numbers in an orientation."""

GIVEN_WIDTHS = (1, *WIDTHS)
"""Possible counts of columns that a user gives: one is a heading."""

POSES = {12: (0, 1, 2, 4, 5, 6, 8, 9, 10), 16: (0, 1, 2, 4, 5, 6, 8, 9, 10)}
"""Indices of the rotation in pose matrices of three and four rows, by count of numbers."""

POSE_POSITION = (3, 7, 11)
"""Indices of the position in such matrices."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Orientations as numbers of unknown convention.

    Attributes
    ----------
    numbers : (n, k)
        Three, four or nine numbers per row.
    times : (n,), optional
        Times, s.
    label
        Name of the source.
    description
        Columns that were read.
    expected : tuple of Interpretation
        Interpretations suggested by the names of columns; empty for none.
    pose_columns
        Columns that a recording of the scene reads from its file.
    positions : (n, 3), optional
        Positions of the frame in its parent, or of the parent in the frame for an inverse, in the source's unit.
    """

    numbers: Array
    times: Array | None = None
    label: str = ""
    description: str = ""
    expected: tuple[Interpretation, ...] = ()
    pose_columns: PoseColumns | None = None
    positions: Array | None = None


def read_samples(path: Path, columns: tuple[str, ...] = (), time: str | None = None) -> Samples:
    """Return the orientations of a table file, from given columns or from guessed ones.

    Raises
    ------
    TableError
        When the table does not exist or has no columns of an orientation.
    """
    return samples_of(read_once(path), path.name, columns, time)


def samples_of(table: MixedTable, name: str, columns: tuple[str, ...] = (), time: str | None = None) -> Samples:
    """Return the orientations of a table, from given columns or from guessed ones."""
    if columns:
        if len(columns) not in GIVEN_WIDTHS:
            raise TableError(f"{counted(len(columns), 'column')} of {name} given: expected 1, 3, 4 or 9.")
        return _read_columns(table, name, columns, time, 1.0)
    if table.n_rows < 1:
        raise TableError(f"{name} has no rows.")
    plain = _without_names(table, name, time)
    if plain is not None:
        return plain
    guessed = guess(table, name)
    choices = guessed.choices
    if choices.time is not None and not _is_mostly_running(table, choices.time):
        choices = replace(choices, time=None)  # such as the second angle
    group = next((group for group in choices.groups if group.orientation), Group())
    columns = tuple(column for column in group.orientation if column)
    is_heading = choices.form == "heading" and len(columns) == 1
    if not is_heading and (len(columns) not in WIDTHS or len(columns) != len(group.orientation)):
        columns = _angle_columns(table, choices.time)
    if not columns:
        raise TableError(
            f"{name} has no columns that look like an orientation.",
            f"Its columns are {', '.join(table.order[:12])}: name 3, 4 or 9 of them, or one of a heading.",
        )
    stamp = time or choices.time
    unit = TIME_UNITS.get(choices.time_unit, 1.0) if stamp == choices.time else 1.0
    of_frame = table
    if choices.names is not None:  # the first of several frames in a table
        column = choices.names
        first = table.names[column].text(0) if column in table.names else float(table.numbers[column][0])
        rows = table.rows_where(column, first)
        numbers = {key: values[rows] for key, values in table.numbers.items()}
        of_frame = replace(table, numbers=numbers, n_rows=len(rows))
    samples = _read_columns(of_frame, name, columns, stamp, unit, _position_columns(group, columns))
    return replace(samples, expected=_expectations(guessed, len(columns)))


def _position_columns(group: Group, orientation: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the position beside an orientation; none if one is unknown or belongs to both."""
    columns = tuple(column for column in group.position if column)
    return columns if len(columns) == 3 and not {*columns} & {*orientation} else ()


def _expectations(guessed: Guess, n_columns: int) -> tuple[Interpretation, ...]:
    """Return the interpretations that the names of columns suggest with confidence."""
    choices, reasons = guessed.choices, guessed.reasons

    def is_sure(name: str) -> bool:
        return name in reasons and reasons[name].confidence >= SURE

    if choices.form == "quaternion" and n_columns == 4 and is_sure("order") and is_sure("form"):
        return (Interpretation("quaternion", choices.order),)
    if choices.form == "axes" and n_columns == 3 and is_sure("sequence"):
        units = (choices.angle_unit,) if is_sure("angle_unit") else ("rad", "deg")
        return tuple(Interpretation("angles", choices.sequence, unit) for unit in units)
    return ()


def _without_names(table: MixedTable, name: str, time: str | None) -> Samples | None:
    """Return the samples of a table without names, guessed by its number of columns; None if that does not decide."""
    columns = tuple(table.order)
    if time is not None or not all(column.isdigit() for column in columns) or len(table.numbers) != len(columns):
        return None
    n = len(columns)
    stamped = n > 1 and _is_running(table.numbers[columns[0]])
    if n in POSES:
        return _read_pose(table, name, columns, None)
    if n - 1 in POSES and stamped:
        return _read_pose(table, name, columns[1:], columns[0])
    if n == 4 and stamped:
        numbers = np.stack([table.numbers[column] for column in columns], axis=-1)
        if not _are_unit(numbers) and not _are_unit(numbers[:, :3]) and not _are_unit(numbers[:, 1:]):
            return _read_columns(table, name, columns[1:], columns[0], 1.0)
    if n in WIDTHS:
        return _read_columns(table, name, columns, None, 1.0)
    if n - 1 in WIDTHS and stamped:
        return _read_columns(table, name, columns[1:], columns[0], 1.0)
    return None


def _angle_columns(table: MixedTable, time: str | None) -> tuple[str, ...]:
    """Return all columns of numbers except the time if their count fits one orientation; else none."""
    rest = tuple(column for column in table.order if column in table.numbers and column != time)
    return rest if len(rest) in WIDTHS else ()


def _read_pose(table: MixedTable, name: str, columns: tuple[str, ...], time: str | None) -> Samples:
    rotation = tuple(columns[i] for i in POSES[len(columns)])
    return _read_columns(table, name, rotation, time, 1.0, tuple(columns[i] for i in POSE_POSITION))


def _read_columns(
    table: MixedTable,
    name: str,
    columns: tuple[str, ...],
    time: str | None,
    unit: float,
    position: tuple[str, ...] = (),
) -> Samples:
    wanted = (*columns, time) if time else columns
    for column in wanted:
        if column not in table.numbers:
            table.table([column])  # raises with the reason
    numbers = np.stack([table.numbers[column] for column in columns], axis=-1)
    times = table.numbers[time] * unit if time else None
    message = f"columns {', '.join(columns)}" + (f", time {time}" if time else "")
    at = [table.numbers[column] for column in position if column in table.numbers]
    positions = np.stack(at, axis=-1) if len(at) == 3 else None
    return Samples(numbers, times, name, message, positions=positions)


def _is_running(t: Array) -> bool:
    return len(t) > 2 and bool((np.diff(t) > 0.0).all())


def _is_mostly_running(table: MixedTable, column: str) -> bool:
    steps = np.diff(table.numbers[column]) if column in table.numbers else np.zeros(0)
    return len(steps) == 0 or float((steps > 0.0).mean()) > MOSTLY


def _are_unit(rows: Array) -> bool:
    length = np.linalg.norm(rows, axis=1)
    return bool(np.quantile(np.abs(length - 1.0), 0.8) < 0.02)
