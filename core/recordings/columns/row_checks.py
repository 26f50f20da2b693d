"""Checks of a table's rows under the chosen reading, each problem with the rows it is about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.choices import Choices, TableSource, Vector, columns_of, nth
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.columns.guess_conventions import rate_of
from framescope.core.recordings.columns.number_groups import matrix_off, quaternion_off
from framescope.core.recordings.outliers import GAP_STEPS
from framescope.core.recordings.pose_spline import MAX_SAMPLES, UNIT_NORM_TOLERANCE
from framescope.core.recordings.row_cleaning import MIN_SAMPLES
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import MixedTable, Rows
from framescope.core.scene.schema.quantities import UNITS

MAX_ROWS_NAMED = 100
"""Rows of one finding that are kept."""

JUMP_STEPS = 25.0
"""A step of the position or the orientation of more than this many times the usual one is a jump."""

JUMP_DEG = 20.0
"""Turns from one row to the next that are never called a jump, deg."""

_TIMES = ("time", "stamp", "date")

Severity = Literal["red", "amber", "note"]


@dataclass(frozen=True)
class TableProblem:
    """Something about the rows of a table.

    Attributes
    ----------
    kind
        ``"missing"``, ``"backwards"``, ``"doubled"``, ``"gap"``, ``"norm"``, ``"sign"``, ``"jump"``, ``"length"``,
        ``"bandwidth"``, ``"text"``, ``"gravity"`` or ``"columns"``.
    severity
        ``"red"``: it cannot be imported so; ``"amber"``: look at it; ``"note"``: it is dealt with.
    text
        A sentence with the number of rows and where they are.
    rows
        The first of them, from 1.
    field
        The choice it casts doubt on, by its name in `Choices`; empty where there is none.
    """

    kind: str
    severity: Severity
    text: str
    rows: tuple[int, ...] = ()
    field: str = ""


@dataclass(frozen=True, eq=False)
class Checked:
    """The samples of one frame of a table as they stand there, and what is odd about them.

    Attributes
    ----------
    t : (n,)
        Time since the first sample, s; of rows that have all their numbers.
    first
        The time of the first sample as the table has it, s.
    position : (n, 3) or (n, 0)
        In m.
    orientation : (n, k)
        The columns of the orientation as they are.
    residual : (n,)
        How far the orientation is off a rotation; zero for angles.
    rows : (n,)
        The rows of the table they are from, from 0.
    """

    t: Array
    position: Array
    orientation: Array
    residual: Array
    rows: Rows
    problems: tuple[TableProblem, ...]
    first: float = 0.0

    @property
    def is_usable(self) -> bool:
        """Whether nothing keeps it from being imported."""
        return not any(problem.severity == "red" for problem in self.problems)


def check(table: MixedTable, choices: Choices, source: TableSource) -> Checked:
    """Return the samples of one frame of a table and what does not fit.

    Parameters
    ----------
    table, choices
        The table, and how it is read.
    source
        Which of its frames.
    """
    if source.vector is not None:
        return _check_vector(table, choices, source.vector)
    empty = np.zeros((0, 0))
    try:
        if missing := source.group.missing():
            raise TableError(missing)
        rows = np.arange(table.n_rows)
        if choices.names is not None and source.value is not None:
            rows = table.rows_where(choices.names, source.value)
        used = columns_of(choices, source.group)
        orientation = [column for column in source.group.orientation if column]
        for column in (used.time, *(used.position or ()), *orientation):
            if column is not None and column not in table.numbers:
                table.table([column])
    except FramescopeError as error:
        problem = TableProblem("columns", "red", str(error), field="groups")
        return Checked(empty[:, :0].reshape(0), np.zeros((0, 3)), empty, np.zeros(0), np.arange(0), (problem,))

    def block(columns: list[str]) -> Array:
        return np.stack([table.numbers[column][rows] for column in columns], axis=-1) if columns else np.zeros((n, 0))

    n = len(rows)
    t = np.arange(n) / choices.rate_hz
    if choices.time is not None:
        t = table.numbers[choices.time][rows] * UNITS["recorded time"][choices.time_unit]
    p = block(list(used.position or ())) * UNITS["length"][choices.position_unit]
    p = np.pad(p, ((0, 0), (0, 3 - p.shape[1] if used.position else 0)))
    q = block(orientation)
    is_whole = np.isfinite(t) & np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1)
    problems: list[TableProblem] = []
    if not is_whole.all():
        where = _places(rows[~is_whole])
        problems.append(
            TableProblem(
                "missing", "red", f"{_count(~is_whole)} without a number: {where[0]}. Remove or mend them.", where[1]
            )
        )
    kept = np.flatnonzero(is_whole)[:: choices.every]
    rows, t, p, q = rows[kept], t[kept], p[kept], q[kept]
    first = float(t[0]) if len(t) else 0.0
    t = t - first
    residual = _residual(choices, q)
    problems += _of_length(choices, source, t, residual, rows)
    problems += _of_time(t, rows)
    problems += _of_jumps(choices, t, p, q, rows)
    return Checked(t, p, q, residual, rows, tuple(problems), first)


def _check_vector(table: MixedTable, choices: Choices, vector: Vector) -> Checked:
    """Return the samples of a measured vector, as `position`, and what does not fit."""
    rows = np.arange(table.n_rows)
    problems: list[TableProblem] = []
    if choices.time is None:
        problems.append(
            TableProblem("columns", "red", "A measured vector needs a column of time: choose one.", field="time")
        )
        t = rows / choices.rate_hz
    else:
        t = table.numbers[choices.time] * UNITS["recorded time"][choices.time_unit]
    values = np.stack([table.numbers[column] for column in vector.columns], axis=-1)
    is_whole = np.isfinite(t) & np.isfinite(values).all(axis=1)
    if not is_whole.all():
        message, where = _places(rows[~is_whole])
        text = f"{_count(~is_whole)} without a number: {message}. Remove or mend them."
        problems.append(TableProblem("missing", "red", text, where))
    rows, t, values = rows[is_whole], t[is_whole], values[is_whole]
    first = float(t[0]) if len(t) else 0.0
    problems += _of_time(t - first, rows, is_bridged=False)
    if vector.holds_gravity:
        text = (
            f"{vector.columns[0]} and the others are as long as gravity: an accelerometer shows the acceleration less "
            "that of gravity, which is no acceleration of a frame. Take gravity away first."
        )
        problems.append(TableProblem("gravity", "amber", text))
    return Checked(t - first, values, np.zeros((len(t), 0)), np.zeros(len(t)), rows, tuple(problems), first)


def stamps_of(table: MixedTable, choices: Choices) -> tuple[float, float] | None:
    """Return the first and the last time of a table, s; None where it has none."""
    if choices.time is None or choices.time not in table.numbers:
        return None
    t = table.numbers[choices.time] * UNITS["recorded time"][choices.time_unit]
    t = t[np.isfinite(t)]
    return (float(t.min()), float(t.max())) if len(t) else None


def unread_times(table: MixedTable, choices: Choices) -> tuple[TableProblem, ...]:
    """Return what is said of a column of time that is not used: a rate is then not guessed, but asked for."""
    if choices.time is not None or choices.format == "kitti" or choices.is_rate_chosen:
        return ()
    column = next((column for column in table.order if _is_called_time(table, column)), None)
    if column is None:
        return ()
    what = "holds text that is no date with a time of day" if column not in table.numbers else "is not used"
    message = f'The column of time "{column}" {what}: choose a column of time, or give the rate.'
    return (TableProblem("text", "red", message, field="time"),)


def _is_called_time(table: MixedTable, column: str) -> bool:
    is_text = column not in table.numbers
    return read_name(column).kind == "time" or (is_text and any(word in column.lower() for word in _TIMES))


def _of_length(choices: Choices, source: TableSource, t: Array, residual: Array, rows: Rows) -> Iterator[TableProblem]:
    if len(t) < MIN_SAMPLES:
        yield TableProblem("length", "red", f"{len(t)} rows with numbers, at least {MIN_SAMPLES} are needed.")
    if len(t) > MAX_SAMPLES:
        every = math.ceil(choices.every * len(t) / MAX_SAMPLES)
        text = f"{len(t)} rows, at most {MAX_SAMPLES} are fitted: take every {nth(every)} row."
        yield TableProblem("length", "red", text, field="every")
    is_off = residual > UNIT_NORM_TOLERANCE
    if is_off.any():
        message, where = _places(rows[is_off])
        what = "quaternions are not of unit length" if choices.form == "quaternion" else "matrices are no rotations"
        text = f"{what} in {_count(is_off)}, by up to {float(residual.max()):.3g}: {message}. Check columns and order."
        yield TableProblem("norm", "red", text, where, "form")
    rate = rate_of(replace(choices, time="t", time_unit="s"), t)
    bandwidth = choices.bandwidth_hz
    if rate is not None and bandwidth is not None and not 0.0 < bandwidth < 0.5 * rate:
        text = f"A bandwidth of {bandwidth:g} Hz needs more than {rate:.4g} samples a second."
        yield TableProblem("bandwidth", "red", text + f" Use less than {0.5 * rate:.4g} Hz.", field="bandwidth_hz")
    if source.group.is_planar:
        yield TableProblem("columns", "note", "The position is x and y alone: z is zero.")
    if not source.group.orientation:
        yield TableProblem("columns", "note", "There is no orientation: the frame is moved, and never turned.")
    elif not source.group.has_position:
        yield TableProblem("columns", "note", "There is no position: the frame turns where its parent is.")


def _of_time(t: Array, rows: Rows, *, is_bridged: bool = True) -> Iterator[TableProblem]:
    steps = np.diff(t)
    if not len(steps):
        return
    back, doubled, forward = steps < 0.0, steps == 0.0, steps[steps > 0.0]
    if back.any():
        message, where = _places(rows[1:][back])
        text = f"time runs back in {_count(back)}: {message}. Sort the rows, or say which frame each is of."
        yield TableProblem("backwards", "red", text, where, "time")
    if doubled.any():
        message, where = _places(rows[1:][doubled])
        severity: Severity = "note" if doubled.mean() < 0.1 else "amber"
        text = f"{_count(doubled)} with the time of the one before, left out: {message}."
        yield TableProblem("doubled", severity, text, where, "time")
    median = float(np.median(forward)) if len(forward) else 0.0
    gaps = steps > GAP_STEPS * median
    if median > 0.0 and gaps.any():
        message, where = _places(rows[:-1][gaps])
        n = int(gaps.sum())
        text = f"{n} {'gap' if n == 1 else 'gaps'} of up to {float(steps.max()):.3g} s after {message}; "
        text += "the spline bridges it." if is_bridged else "a straight line bridges it."
        yield TableProblem("gap", "amber" if float(steps.max()) > 50.0 * median else "note", text, where)


def _of_jumps(choices: Choices, t: Array, p: Array, q: Array, rows: Rows) -> Iterator[TableProblem]:
    if len(t) < MIN_SAMPLES:
        return
    if choices.form == "quaternion" and q.shape[1] == 4:
        along = (q[1:] * q[:-1]).sum(axis=1)
        flips = along < 0.0
        if flips.any():
            message, where = _places(rows[1:][flips])
            text = f"the quaternion changes its sign in {_count(flips)}: {message}. The orientation is the same."
            yield TableProblem("sign", "note", text, where)
        lengths = np.sqrt((q[1:] ** 2).sum(axis=1) * (q[:-1] ** 2).sum(axis=1))
        turned = 2.0 * np.degrees(np.arccos(np.clip(np.abs(along) / np.maximum(lengths, 1e-300), 0.0, 1.0)))
        yield from _jump("orientation", turned, JUMP_DEG, "{:.3g}°", rows)
    if p.shape[1] == 3:
        moved = np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1))
        yield from _jump("position", moved, 1e-3, "{:.3g} m", rows)


def _jump(what: str, steps: Array, least: float, written: str, rows: Rows) -> Iterator[TableProblem]:
    usual = float(np.quantile(steps, 0.9))
    jumps = steps > max(JUMP_STEPS * usual, least)
    if jumps.any():
        message, where = _places(rows[1:][jumps])
        text = f"the {what} jumps in {_count(jumps)}, by up to {written.format(float(steps.max()))}: {message}."
        yield TableProblem("jump", "amber", text, where)


def _residual(choices: Choices, q: Array) -> Array:
    if q.shape[1] == 4 and choices.form == "quaternion":
        return quaternion_off(q)
    if q.shape[1] == 9 and choices.form == "matrix":
        return matrix_off(q)
    return np.zeros(len(q))


def _count(flags: NDArray[np.bool_]) -> str:
    n = int(np.count_nonzero(flags))
    return "1 row" if n == 1 else f"{n} rows"


def _places(rows: Rows) -> tuple[str, tuple[int, ...]]:
    """Return rows as a sentence has them, and the first of them from 1.

    >>> _places(np.array([1, 4, 5, 9]))
    ('rows 2, 5, 6 and 1 more', (2, 5, 6, 10))
    """
    text = (rows[:MAX_ROWS_NAMED] + 1).tolist()
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(map(str, text[:3]))}{more}", tuple(text)
