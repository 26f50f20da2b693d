"""Timestamps in two columns, joined to one: whole seconds and the rest, as ROS writes them, or date and time of day.

The joined column is called ``"secs + nsecs"`` after its two parts, and read like any other, in seconds. Beside the sum
stands what rounding took off it, see `framescope.core.kernels.rounding`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from framescope.core.kernels.rounding import sum_with_rest
from framescope.core.kernels.validation import Array, read_only
from framescope.core.recordings.tables.iso_timestamps import Dated

JOINT = " + "

Joined = tuple[Array, Array]
"""A column (n,) of sums, and what rounding took off them."""

_SECONDS = re.compile(r"(.*?)(s|secs?|seconds)", re.IGNORECASE)
_RESTS = re.compile(r"(.*?)((?:n|nano)(?:s|secs?|seconds)|(?:u|micro)(?:s|secs?|seconds))", re.IGNORECASE)

_DATES = re.compile(r".*(?:date|datum|day).*|[0-9]+", re.IGNORECASE)
_CLOCKS = re.compile(r".*(?:time|zeit|clock|stamp|hour|utc).*|[0-9]+", re.IGNORECASE)


def join_times(order: Iterable[str], numbers: Mapping[str, Array]) -> dict[str, Joined]:
    """Return the joined columns, s, of those pairs that are whole seconds and a part of a second.

    Parameters
    ----------
    order
        The names of all columns; what has a name of its own is not joined anew.
    numbers
        Columns of numbers (n,).

    Examples
    --------
    >>> columns = {"stamp.secs": np.array([5.0, 6.0]), "stamp.nsecs": np.array([500_000_000.0, 0.0])}
    >>> join_times(columns, columns)
    {'stamp.secs + stamp.nsecs': (array([5.5, 6. ]), array([0., 0.]))}
    >>> join_times(["s", "ns"], {"s": np.array([1.5]), "ns": np.array([5e8])})
    {}
    """
    names = list(order)
    rests = {_stem(column, _RESTS): column for column in names if _stem(column, _RESTS) is not None}
    found: dict[str, Joined] = {}
    for column in names:
        rest = rests.get(_stem(column, _SECONDS))
        joined = f"{column}{JOINT}{rest}"
        if rest is None or joined in names or column not in numbers or rest not in numbers:
            continue
        per_second = 1e6 if is_micro(rest) else 1e9
        whole, part = numbers[column], numbers[rest]
        with np.errstate(invalid="ignore"):
            is_pair = np.isnan(whole) | (whole == np.round(whole))
            is_pair &= np.isnan(part) | ((part >= 0.0) & (part < per_second))
        if is_pair.all():
            found[joined] = _joined(whole, part / per_second, np.zeros(len(whole)))
    return found


def _joined(whole: Array, part: Array, rest: Array) -> Joined:
    total, lost = sum_with_rest(whole, part)
    return read_only(total), read_only(lost + rest)


def join_dates(order: Iterable[str], dates: Mapping[str, Dated]) -> dict[str, Joined]:
    """Return the joined column, s since 1970, of the first column of dates and the first of times of day.

    Columns that are not called so, or have no name, are not joined.

    Examples
    --------
    >>> day, noon = Dated("date", np.array([86400.0])), Dated("time of day", np.array([43200.5]))
    >>> join_dates(["date", "time"], {"date": day, "time": noon})
    {'date + time': (array([129600.5]), array([0.]))}
    """
    names = list(order)
    days = [column for column in names if column in dates and dates[column].kind == "date"]
    clocks = [column for column in names if column in dates and dates[column].kind == "time of day"]
    for day in days:
        for clock in clocks:
            joined = f"{day}{JOINT}{clock}"
            if joined not in names and parts_of(joined) == (day, clock):
                rest = dates[clock].rest
                rest = np.zeros(len(dates[clock].seconds)) if rest is None else rest
                return {joined: _joined(dates[day].seconds, dates[clock].seconds, rest)}
    return {}


def parts_of(column: str) -> tuple[str, str] | None:
    """Return the two columns that a joined one is made of; None of any other.

    >>> parts_of("secs + nsecs"), parts_of("date + time"), parts_of("x + y")
    (('secs', 'nsecs'), ('date', 'time'), None)
    """
    whole, joint, part = column.partition(JOINT)
    is_pair = _stem(whole, _SECONDS) is not None and _stem(whole, _SECONDS) == _stem(part, _RESTS)
    return (whole, part) if joint and (is_pair or are_dated(column)) else None


def are_dated(column: str) -> bool:
    """Return whether a column that was joined is one of dates and times of day.

    >>> are_dated("date + time"), are_dated("1 + 2"), are_dated("secs + nsecs")
    (True, True, False)
    """
    whole, joint, part = column.partition(JOINT)
    return bool(joint and _DATES.fullmatch(whole.strip()) and _CLOCKS.fullmatch(part.strip()))


def is_micro(column: str) -> bool:
    """Return whether the second of two columns that are joined counts microseconds; else it is nanoseconds.

    >>> is_micro("tv_usec"), is_micro("stamp.nanosec")
    (True, False)
    """
    found = _RESTS.fullmatch(column.strip())
    return found is not None and str(found[2]).lower().startswith(("u", "m"))


def _stem(column: str, pattern: re.Pattern[str]) -> str | None:
    """Return what comes before the unit in a name, in small letters; None where there is none, or no mark between."""
    found = pattern.fullmatch(column.strip())
    stem = "" if found is None else str(found[1])
    return None if found is None or stem[-1:].isalnum() else stem.lower()
