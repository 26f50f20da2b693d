"""Guess of the time column and its unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import INDEX, Named
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.split_timestamps import (
    are_dated,
    is_of_weeks,
    is_week,
    parts_of,
    parts_per_second,
)

FAR = 10.0
"""Age of a clock, as a multiple of a recording's length, from which overlapping clocks are certainly the same."""

MOSTLY_NEW = 0.5
"""Smallest fraction of rows with a new value in a time column whose name does not mean time."""

WORDS = {
    "s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds", "min": "minutes", "h": "hours",
    "d": "days",
}  # fmt: skip
_DAYS = ((30_000.0, 75_000.0, "as spreadsheets count them"), (700_000.0, 800_000.0, "as MATLAB counts them"))
"""Ranges of recording dates in days, since 1900 and since the year 0."""
_LONGEST_STEP_D = 2e-5
"""Longest step between dates in days; no recording has such short steps in seconds."""
_EPOCHS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_FIRST, _LAST = 6e8, 4e9
"""Range of recording dates in seconds since 1970: 1989 to 2096."""


@dataclass(frozen=True)
class Clock:
    """Time range of a recording, in the file and in the scene.

    Attributes
    ----------
    name
        Name of the frame or the measurement.
    first, last
        First and last time in the file, s.
    start
        Scene time of the first sample, s.
    """

    name: str
    first: float
    last: float
    start: float = 0.0


def guess_time(
    columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array], stamps: Collection[str] = ()
) -> tuple[str | None, Reason]:
    """Return the time column, or None, and the reason; `stamps` are the columns of dates."""
    for column in columns:
        parts = parts_of(column)
        if parts is not None:
            return column, Reason(f'"{parts[0]}" and "{parts[1]}" are joined')
    columns = [column for column in columns if not is_row_count(column, named[column], values[column])]
    columns = [column for column in columns if not is_week(column)]
    stated = [column for column in columns if named[column].kind == "time" or column in stamps]
    running = {column: _share_forward(values[column]) for column in columns}
    if stated:
        strictly = {column: round(_share_new(values[column]), 1) for column in stated}
        best = max(
            stated,
            key=lambda column: (running[column] > 0.9, strictly[column], -_width(column), -columns.index(column)),
        )
        if best in stamps and running[best] > 0.9:
            return best, Reason(f'"{best}" holds dates and times, and runs on')
        if running[best] > 0.9 and _is_index(values[best]):
            return best, Reason(f'it is called "{best}", and counts the rows', 0.45)
        if running[best] > 0.9:
            return best, Reason(f'it is called "{best}" and runs on')
        return best, Reason(f'it is called "{best}", yet it runs back in places', 0.4)
    return _unnamed_time(columns, named, values, running)


def _unnamed_time(
    columns: Sequence[str], named: Mapping[str, Named], values: Mapping[str, Array], running: Mapping[str, float]
) -> tuple[str | None, Reason]:
    """Return the time column among columns whose names do not mean time, or None, and the reason."""
    blank = [column for column in columns if named[column].kind in ("", "array")]
    for column in blank:
        if running[column] > 0.99 and _share_new(values[column]) > MOSTLY_NEW:
            first = column == columns[0]
            if first and bool((np.diff(values[column]) == 1.0).all()):
                return column, Reason("the first column, which goes on by one: a count of rows, or a time", 0.4)
            if first and not column.isdigit() and named[column].kind != "array":
                return column, Reason("the first column, and it never runs back, though it is not called a time", 0.6)
            why = "the first column, and it never runs back" if first else "the only one that never runs back"
            return column, Reason(why, (0.9 if _is_even(values[column]) else 0.6) if first else 0.45)
    if blank and blank[0] == columns[0] and running[blank[0]] > 0.9 and _share_new(values[blank[0]]) > MOSTLY_NEW:
        return blank[0], Reason("the first column, which mostly runs on", 0.5)
    return None, Reason("no column runs on as time does: give the rate", 0.3)


def combined_unit(column: str) -> tuple[str, Reason] | None:
    """Return the unit of a combined column, and the reason; None for any other column."""
    parts = parts_of(column)
    if parts is None:
        return None
    if are_dated(column):
        return "s", Reason("date and time of day, joined")
    if is_of_weeks(column):
        return "s", Reason("GPS week and time of week, joined, in seconds")
    unit = {1e9: "nanoseconds", 1e6: "microseconds", 1e3: "milliseconds"}[parts_per_second(parts[1])]
    return "s", Reason(f"seconds and {unit}, joined")


def guess_time_unit(t: Array, named: Named) -> tuple[str, Reason]:
    """Return the unit of times (n,), and the reason.

    >>> guess_time_unit(np.arange(5) * 20_000_000.0, Named("time"))[0]
    'ns'
    """
    t = t[np.isfinite(t)]
    steps = np.diff(t)
    steps = steps[steps > 0.0]
    step = float(np.median(steps)) if len(steps) else 1.0
    size = float(np.median(np.abs(t))) if len(t) else 0.0
    if named.unit in WORDS:
        return named.unit, Reason(f"its name says {WORDS[named.unit]}")
    if (epoch_unit := _unit_of_dates(size, step)) is not None:
        return epoch_unit
    text = f"steps of {_format_number(step)}"
    if step < 0.8:
        return "s", Reason(f"{text}: seconds", 0.85 if step > 5e-4 else 0.6)
    if step < 2.0 and not (steps == np.round(steps)).all():
        return "s", Reason(f"{text}: seconds, or milliseconds", 0.45)
    if step < 2.0:
        return "s", Reason(f"{text}: seconds, milliseconds, or a count of samples", 0.3)
    if step < 900.0:
        return "ms", Reason(f"{text}: milliseconds", 0.85)
    if step < 4e5:
        return "us", Reason(f"{text}: microseconds", 0.85)
    return "ns", Reason(f"{text}: nanoseconds", 0.85)


def _unit_of_dates(size: float, step: float) -> tuple[str, Reason] | None:
    """Return the unit of times that count from a common epoch, and the reason; None for other times."""
    for unit, scale in _EPOCHS.items():
        if _FIRST * scale < size < _LAST * scale and step < 60.0 * scale:
            return unit, Reason(f"{WORDS[unit]} counted from 1970", 0.97)
    for first, last, how in _DAYS:
        if first < size < last and step < _LONGEST_STEP_D:
            return "d", Reason(f"days, {how}", 0.9)
    return None


def guess_start(first: float, last: float, clocks: Iterable[Clock]) -> tuple[float, Reason] | None:
    """Return the scene time of a first sample, s, from a clock of the scene, and the reason; None if none fits.

    Parameters
    ----------
    first, last
        Times of the first and the last sample in the file, s.
    clocks
        Clocks of the recordings in the scene. A clock with overlapping times counts as the same clock; this is certain
        if both clocks started long before.

    Examples
    --------
    >>> guess_start(1002.0, 1012.0, [Clock("mocap", 1000.0, 1012.0)])
    (2.0, Reason(text='2.00 s after mocap, by the same clock', confidence=0.9))
    >>> guess_start(0.0, 10.0, [Clock("mocap", 1000.0, 1012.0)]) is None
    True
    """
    best: tuple[tuple[bool, float], Clock] | None = None
    for clock in clocks:
        overlap = min(last, clock.last) - max(first, clock.first)
        length = max(last - first, clock.last - clock.first)
        rank = min(first, clock.first) > FAR * length, overlap
        if overlap > 0.0 and (best is None or rank > best[0]):
            best = rank, clock
    if best is None:
        return None
    (is_sure, _), clock = best
    later = round(first - clock.first, 6)
    how = f"{abs(later):.2f} s" if abs(later) >= 0.1 else f"{abs(later):.3g} s"
    place = f"{how} {'after' if later > 0.0 else 'before'} {clock.name}" if later else f"with {clock.name}"
    confidence = 0.9 if is_sure else 0.45 if later else 0.6
    return round(clock.start + later, 6), Reason(f"{place}, by the same clock", confidence)


def _is_even(t: Array) -> bool:
    """Return whether times have even steps, apart from gaps."""
    steps = np.diff(t[np.isfinite(t)])
    usual = float(np.median(steps)) if len(steps) else 0.0
    return usual > 0.0 and bool((steps > 0.0).all()) and float((np.abs(steps / usual - 1.0) < 0.02).mean()) > 0.8


def _share_forward(t: Array) -> float:
    steps = np.diff(t[np.isfinite(t)])
    if not len(steps) or not (steps > 0.0).any():
        return 0.0
    return float((steps >= 0.0).mean())


def _share_new(t: Array) -> float:
    steps = np.diff(t[np.isfinite(t)])
    return float((steps > 0.0).mean()) if len(steps) else 0.0


def is_row_count(column: str, named: Named, numbers: Array) -> bool:
    """Return whether a column contains row numbers instead of time, judged by its name and numbers."""
    plain = column.strip().lstrip("#").strip().lower()
    words = re.split(r"[\s_.]+", plain)
    is_called_so = plain in INDEX or words[-1] in INDEX or words[-1] in ("#", "") or plain.startswith("unnamed:")
    if plain.endswith(("counter", "packetcount")):  # such a count may start at any number
        return len(numbers) > 2 and float((np.diff(numbers) == 1.0).mean()) > 0.9
    return (is_called_so or (not named.kind and column.isdigit())) and _is_index(numbers)


def _is_index(t: Array) -> bool:
    """Return whether numbers are row numbers from 0 or 1."""
    return len(t) > 2 and t[0] in (0.0, 1.0) and bool((np.diff(t) == 1.0).all())


def _width(column: str) -> int:
    return column.count(".") + column.count("_")


def _format_number(value: float) -> str:
    """Format a number with blanks between thousands.

    >>> _format_number(33333333.0), _format_number(0.0333333)
    ('33 333 333', '0.03333')
    """
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 1000.0 else f"{value:.4g}"
