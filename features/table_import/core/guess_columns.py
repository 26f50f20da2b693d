"""Guess of the meaning of a table's columns, with reasons and their confidence.

Names come first, numbers second. A choice that neither decides takes its usual value, and its reason states that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import Named, read_name
from framescope.core.recordings.columns.guess_time import combined_unit, guess_time, guess_time_unit, is_row_count
from framescope.core.recordings.columns.reasons import Reason, Reasons
from framescope.core.recordings.pose_spline import MAX_SAMPLES
from framescope.core.recordings.tables.mixed import MixedTable, Rows
from framescope.core.recordings.tables.split_timestamps import parts_of, read_as_twin
from framescope.features.table_import.core import guess_conventions as conventions
from framescope.features.table_import.core.answers import GIVEN, NO_ANSWERS, Answers
from framescope.features.table_import.core.choices import Choices, Group
from framescope.features.table_import.core.column_groups import Found, group_by_name
from framescope.features.table_import.core.evidence import settle_by_numbers
from framescope.features.table_import.core.guess_forms import settle_forms, with_stated_conventions
from framescope.features.table_import.core.known_formats import known_format, with_format
from framescope.features.table_import.core.motion_doubts import doubt_directions
from framescope.features.table_import.core.number_groups import group_by_number, rotations_in, without_quaternions
from framescope.features.table_import.core.vectors import form_of_file

LOOKED_AT = 20_000
"""Largest number of rows that a guess reads; the row checks read all."""


@dataclass(frozen=True)
class Guess:
    """Guess of the choices for a table, with reasons by field name."""

    choices: Choices
    reasons: Reasons


MOST_ACCURATE = Reason("where rates are most accurate, by the noise of the samples")
"""Reason for the bandwidths, which a file does not state."""


@np.errstate(all="ignore")  # a file may hold numbers whose squares or differences overflow
def guess(table: MixedTable, file_name: str, answers: Answers = NO_ANSWERS) -> Guess:
    """Guess the columns, units and conventions of a table.

    Parameters
    ----------
    table
        The table as `framescope.core.recordings.tables.mixed.read_mixed` returns it.
    file_name
        File name: its extension and words such as ``extrinsics`` are evidence.
    answers
        User's answers, which take precedence over the guess.

    Returns
    -------
    Guess
        The choices, and reasons by the names of the fields of `Choices`. Groups are empty where nothing fits.

    Examples
    --------
    >>> n = np.arange(20.0)
    >>> columns = {"stamp": n * 33_333_333, "qw": np.cos(n / 20), "qx": np.sin(n / 20), "qy": 0 * n, "qz": 0 * n}
    >>> read = guess(MixedTable("a.csv", tuple(columns), columns, {}, 20), "a.csv")
    >>> read.choices.time, read.choices.time_unit, read.choices.order, read.reasons["time_unit"].text
    ('stamp', 'ns', 'wxyz', 'steps of 33 333 333: nanoseconds')
    """
    named = {column: read_name(column) for column in table.order}
    reasons: dict[str, Reason] = {}
    names, parents, why = _frame_columns(table, named, answers)
    if names is not None:
        reasons["names"] = why
    rows = _first_frame(table, names)
    values = {column: numbers[rows] for column, numbers in table.numbers.items()}
    values = {column: numbers for column, numbers in values.items() if np.isfinite(numbers).mean() > 0.5}
    named = without_quaternions(named, values)
    usable = [column for column in table.order if column in values and column not in (names, parents)]
    usable = [column for column in usable if read_as_twin(column) not in table.order]
    fixed = None if answers.are_columns_given else known_format(table, named, values, file_name)
    if fixed is not None and fixed.kind != "kitti" and answers.rate_hz is not None:
        fixed = None  # with a rate, the first column is no time

    time, reasons["time"] = None, _RATE
    if answers.time is not None or answers.rate_hz is not None:
        time, reasons["time"] = answers.time or None, GIVEN
    elif fixed is None or fixed.kind != "kitti":
        time, reasons["time"] = _time_of(table, usable, named, values)
        reasons["time"] = _either_way(table, time) or reasons["time"]
    rest = [column for column in usable if column not in (time, *(parts_of(time or "") or ()))]
    rest = [column for column in rest if not is_row_count(column, named[column], values[column])]
    form, groups, reasons["form"], reasons["position"] = _group_columns(table, rest, named, values)
    choices = Choices(time=time, groups=groups, form=form, names=names, parents=parents)
    choices = answers.with_columns(choices, reasons)
    if fixed is not None:
        choices = with_format(choices, fixed, named, values, reasons)
    else:
        reasons["format"] = Reason("no format of its own: the columns are named")
        choices = settle_forms(choices, named, values, reasons)
    choices = conventions.with_conventions(choices, named, values, file_name, reasons)
    if time is not None:
        unit, reasons["time_unit"] = combined_unit(time) or (
            ("s", _DATES) if time in table.stamps else guess_time_unit(values[time], named[time])
        )
        if fixed is not None:
            is_named = named[time].unit == fixed.time_unit
            unit = fixed.time_unit
            other = guess_time_unit(values[time], named[time])[0] if fixed.kind == "tum" else fixed.time_unit
            text = f"as {fixed.title} has it" + (f", although its steps are those of {other}" if other != unit else "")
            sure = fixed.confidence if other == unit else min(fixed.confidence, 0.7)
            reasons["time_unit"] = Reason(text, 1.0 if is_named else sure)
        choices = replace(choices, time_unit=unit)
    choices = _with_statements(table, choices, file_name, answers, reasons)
    n = _most_rows(table, choices.names)
    if n > MAX_SAMPLES and answers.every is None:
        choices = replace(choices, every=math.ceil(n / MAX_SAMPLES))
        reasons["every"] = Reason(f"{_with_spaces(n)} rows, at most {_with_spaces(MAX_SAMPLES)} are fitted")
    reasons |= dict.fromkeys(("bandwidth_hz", "orientation_bandwidth_hz"), MOST_ACCURATE)
    return Guess(choices, reasons)


def _with_statements(
    table: MixedTable, choices: Choices, file_name: str, answers: Answers, reasons: dict[str, Reason]
) -> Choices:
    """Return the choices with the statements of lines above the table, of the user and of the numbers."""
    choices = with_stated_conventions(choices, table.preamble, reasons)
    conventions.doubt_jpl(choices, (file_name, *table.order, *table.preamble), reasons)
    choices = answers.with_conventions(choices, reasons)
    choices = settle_by_numbers(table, choices, reasons)
    doubt_directions(table, choices, reasons)
    return choices


def _time_of(
    table: MixedTable, columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array]
) -> tuple[str | None, Reason]:
    """Return the column of time and the reason; a guess by numbers alone is dropped for an element of a rotation."""
    time, reason = guess_time(columns, named, values, table.stamps)
    if time is None or reason.confidence >= 0.9 or named[time].kind:
        return time, reason
    free = [column for column in columns if not is_row_count(column, named[column], values[column])]
    if any(time in (*group.orientation, *group.position) for group in rotations_in(free, named, values)):
        return None, _RATE
    return time, reason


def _group_columns(
    table: MixedTable, columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array]
) -> Found:
    """Return the groups by names, else by numbers; no position x, y, z from a file named after a sensor."""
    guessed = group_by_name(columns, named)
    if not guessed[1] or (guessed[0] == "none" and len(guessed[1]) == 1):
        guessed = group_by_number(columns, named, values, guessed[1])
    form, groups, *why = guessed
    if form == "none" and form_of_file(table.name) and _are_bare(groups, named):
        return form, (Group(),), why[0], why[1]
    return guessed


def _are_bare(groups: Sequence[Group], named: Mapping[str, Named]) -> bool:
    """Return whether all columns of positions have the bare names x, y and z."""
    return all(named[column].kind == "bare" for group in groups for column in group.position if column)


def _either_way(table: MixedTable, time: str | None) -> Reason | None:
    """Return the doubt about dates whose day and month could be exchanged; None for other times."""
    twin = next((column for column in table.order if time is not None and read_as_twin(column) == time), None)
    if time is None or twin is None:
        return None
    spans = [float(np.ptp(table.numbers[column][np.isfinite(table.numbers[column])])) for column in (time, twin)]
    first = "the month" if twin.endswith("(day first)") else "the day"
    text = f"dates whose day and month could be the other way: {first} is taken for the first"
    return Reason(text, 0.6 if spans[0] == spans[1] else 0.4)


_RATE = Reason("no column of time: give the rate", 0.3)
_DATES = Reason("dates and times of day")


# --- Many frames


def _frame_columns(
    table: MixedTable, named: dict[str, Named], answers: Answers
) -> tuple[str | None, str | None, Reason]:
    """Return the columns that name the frame and its parent of each row."""
    if answers.frames is not None:
        return answers.frames or None, None, GIVEN
    headers, children = _headers_of_messages(table)
    frames = [column for column in table.order if named[column].kind == "frame" and _holds_frames(table, column)]
    frames = [column for column in frames if column not in headers]
    parents = [*headers, *(column for column in table.names if named[column].kind == "parent")]
    children += [column for column in frames if "child" in column.lower()]
    if children:
        parents += [column for column in frames if column not in children and column in table.names]
        frames = children
    texts = [column for column in frames if column in table.names]
    if texts or frames:
        name = (texts or frames)[0]
        n = _n_values(table, name)
        return (
            name,
            parents[0] if parents else None,
            Reason(f'"{name}" holds {counted(n, "name")}', 0.95 if texts else 0.6),
        )
    in_time = {part for column in table.order for part in parts_of(column) or ()}
    for column, texts_of in table.names.items():
        if column in in_time:
            continue
        if column not in parents and 1 <= len(texts_of.values) <= 100 and table.n_rows >= 5 * len(texts_of.values):
            return column, parents[0] if parents else None, Reason(f'"{column}" holds a few texts again and again', 0.6)
    return None, parents[0] if parents else None, Reason("")


def _headers_of_messages(table: MixedTable) -> tuple[list[str], list[str]]:
    """Return the columns with the frame of a message's header, which is the parent, and with the frame that moves.

    ``frame_id`` with a single text is of a header. In a table without names of columns, as ``ros2 topic echo --csv``
    prints it, the frame of the header follows seconds and nanoseconds, and ``child_frame_id`` follows that.
    """
    headers = [column for column in table.names if _is_frame_id(column) and len(_texts(table, column)) == 1]
    for joint in table.order:
        parts = parts_of(joint)
        if parts is None or not parts[1].isdecimal():
            continue
        header, child = (str(int(parts[1]) + i) for i in (1, 2))
        if header in table.names:
            return [header], [child] if child in table.names else []
    return headers, []


def _is_frame_id(column: str) -> bool:
    """Return whether a column is called ``frame_id``, also of a message such as ``header.frame_id``."""
    return re.split(r"[./]", column.strip().lower())[-1] in ("frame_id", "frameid")


def _texts(table: MixedTable, column: str) -> set[str]:
    """Return the texts of a column, without the empty one."""
    return set(table.names[column].values) - {""}


def _holds_frames(table: MixedTable, column: str) -> bool:
    if column in table.names:
        return len(table.names[column].values) <= max(table.n_rows / 3, 1)
    if column not in table.numbers:
        return False
    numbers = table.numbers[column]
    n = len(np.unique(numbers[np.isfinite(numbers)]))
    return 2 <= n <= 100 and n <= table.n_rows / 5 and bool((numbers == np.round(numbers)).all())


def _n_values(table: MixedTable, column: str) -> int:
    return len(table.names[column].values) if column in table.names else len(np.unique(table.numbers[column]))


def _with_spaces(n: int) -> str:
    return f"{n:,}".replace(",", " ")


def _most_rows(table: MixedTable, names: str | None) -> int:
    """Return the number of rows of the longest frame."""
    if names is None:
        return table.n_rows
    if names in table.names:
        return int(np.bincount(table.names[names].codes).max())
    return int(np.unique(table.numbers[names], return_counts=True)[1].max())


def _first_frame(table: MixedTable, names: str | None) -> Rows:
    if names is None:
        return np.arange(min(table.n_rows, LOOKED_AT))
    first = table.names[names].text(0) if names in table.names else float(table.numbers[names][0])
    return table.rows_where(names, first)[:LOOKED_AT]
