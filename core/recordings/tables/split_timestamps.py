"""Timestamps in two columns: seconds and nanoseconds as in ROS, date and time of day, or GPS week and time.

The combined column is named after its parts, such as ``"secs + nsecs"``, and is in seconds. Its rounding errors are
stored, see `framescope.core.kernels.rounding`.
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
"""Column (n,) of sums, and the rounding errors of the sums."""

_SECONDS = re.compile(r"(.*?)(s|secs?|seconds)", re.IGNORECASE)
_RESTS = re.compile(r"(.*?)((?:n|nano|u|micro|m|milli)(?:s|secs?|seconds))", re.IGNORECASE)
_PLACE = re.compile(r"[0-9]+")
_EPOCH = 6e8, 4e9
"""Range of seconds since 1970 that is expected in columns without names."""
_TWIN = re.compile(r"(.+) \((?:day first|month first|thousands|decimal)\)")

_DATES = re.compile(r".*(?:date|datum|day).*|[0-9]+", re.IGNORECASE)
_CLOCKS = re.compile(r".*(?:time|zeit|clock|stamp|hour|utc).*|[0-9]+", re.IGNORECASE)


_WEEKS = re.compile(r"(?:.*[^a-z])?(?:gps_?)?(?:week|weeks|wn|week_?(?:no|nr|num|number))", re.IGNORECASE)
_WEEK_TIMES = re.compile(
    r"(?:.*[^a-z])?(?:i?tow|sow|time_?of_?week|seconds?_?of_?week|gps_?sec(?:ond)?s?)(?:_?(?:ms|millis|s|sec))?",
    re.IGNORECASE,
)
_WEEK_S, _MOST_WEEKS = 604_800.0, 10_000.0


def is_week(column: str) -> bool:
    """Return whether a column is named like a GPS week number.

    >>> is_week("gps_week"), is_week("week"), is_week("weekday")
    (True, True, False)
    """
    return _WEEKS.fullmatch(column.strip()) is not None


def is_week_time(column: str) -> bool:
    """Return whether a column is named like a GPS time of week.

    >>> is_week_time("gps_tow"), is_week_time("iTOW_ms"), is_week_time("tower")
    (True, True, False)
    """
    return _WEEK_TIMES.fullmatch(column.strip()) is not None


def join_weeks(order: Iterable[str], numbers: Mapping[str, Array]) -> dict[str, Joined]:
    """Combine GPS week and time of week into s since 6 January 1980; return nothing without these columns.

    The time of week is in milliseconds if its name says milliseconds or its numbers exceed a week, else in seconds.

    Examples
    --------
    >>> columns = {"gps_week": np.array([2311.0, 2311.0]), "gps_tow": np.array([10.0, 10.5])}
    >>> join_weeks(columns, columns)["gps_week + gps_tow"][0]
    array([1.39769281e+09, 1.39769281e+09])
    """
    names = list(order)
    weeks = [column for column in names if is_week(column) and column in numbers]
    times = [column for column in names if is_week_time(column) and column in numbers]
    if len(weeks) != 1 or len(times) != 1 or f"{weeks[0]}{JOINT}{times[0]}" in names:
        return {}
    week, tow = numbers[weeks[0]], numbers[times[0]]
    with np.errstate(invalid="ignore"):
        is_pair = np.isnan(week) | ((week == np.round(week)) & (week >= 0.0) & (week < _MOST_WEEKS))
        most = float(np.nanmax(tow, initial=0.0))
        is_short = re.search(r"_?(?:ms|millis)$", times[0].strip(), re.IGNORECASE) is not None
        unit = 1e-3 if is_short or most > _WEEK_S else 1.0
        is_pair &= np.isnan(tow) | ((tow >= 0.0) & (tow * unit <= _WEEK_S))
    if not is_pair.all():
        return {}
    return {f"{weeks[0]}{JOINT}{times[0]}": _add_columns(_WEEK_S * week, unit * tow, np.zeros(len(week)))}


def is_of_weeks(column: str) -> bool:
    """Return whether a combined column consists of GPS week and time of week.

    >>> is_of_weeks("gps_week + gps_tow"), is_of_weeks("secs + nsecs")
    (True, False)
    """
    whole, joint, part = column.partition(JOINT)
    return bool(joint) and is_week(whole) and is_week_time(part)


def join_times(order: Iterable[str], numbers: Mapping[str, Array]) -> dict[str, Joined]:
    """Combine pairs of columns with whole seconds and fractions of a second, s.

    Parameters
    ----------
    order
        Names of all columns; a pair whose combined name exists is skipped.
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
    pairs: dict[str, Joined] = {}
    for column, after in zip(names, [*names[1:], ""], strict=True):
        rest = rests.get(_stem(column, _SECONDS))
        if (
            rest is None
            and _PLACE.fullmatch(column)
            and _PLACE.fullmatch(after)
            and _are_stamps(numbers, column, after)
        ):
            rest = after
        joined = f"{column}{JOINT}{rest}"
        if rest is None or joined in names or column not in numbers or rest not in numbers:
            continue
        per_second = parts_per_second(rest)
        whole, part = numbers[column], numbers[rest]
        with np.errstate(invalid="ignore"):
            is_pair = np.isnan(whole) | (whole == np.round(whole))
            is_pair &= np.isnan(part) | ((part >= 0.0) & (part < per_second))
        if is_pair.all():
            pairs[joined] = _add_columns(whole, part / per_second, np.zeros(len(whole)))
    return pairs


def _are_stamps(numbers: Mapping[str, Array], column: str, after: str) -> bool:
    """Return whether two columns without names look like seconds since 1970 and nanoseconds."""
    if column not in numbers or after not in numbers or len(numbers[column]) < 3:
        return False
    whole, part = numbers[column], numbers[after]
    is_whole = bool((whole == np.round(whole)).all() and (part == np.round(part)).all())
    return (
        is_whole
        and bool(((whole > _EPOCH[0]) & (whole < _EPOCH[1]) & (part >= 0.0) & (part < 1e9)).all())
        and float(part.max()) > 1e6
        and bool((np.diff(whole + 1e-9 * part) > 0.0).all())
    )


def _add_columns(whole: Array, part: Array, rest: Array) -> Joined:
    total, lost = sum_with_rest(whole, part)
    return read_only(total), read_only(lost + rest)


def join_dates(order: Iterable[str], dates: Mapping[str, Dated]) -> dict[str, Joined]:
    """Combine the first column of dates and the first column of times of day into s since 1970.

    Columns without names are used. Columns with names that mean neither a date nor a time are skipped.

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
                pairs = {joined: _add_columns(dates[day].seconds, dates[clock].seconds, rest)}
                if (twin := twin_of(joined, dates[day])) is not None:
                    pairs[twin[0]] = _add_columns(twin[1], dates[clock].seconds, rest)
                return pairs
    return {}


def twin_of(column: str, dated: Dated) -> tuple[str, Array] | None:
    """Return name and seconds of the second reading of a date column; None if the order of day and month is clear.

    >>> twin_of("t", Dated("stamp", np.zeros(1), order="month first", other=np.ones(1)))
    ('t (day first)', array([1.]))
    """
    if dated.other is None:
        return None
    return f"{column} ({'day first' if dated.order == 'month first' else 'month first'})", dated.other


def read_as_twin(column: str) -> str:
    """Return the name of the column whose second reading a column is, judged by its name; empty for other columns.

    >>> read_as_twin("time (day first)"), read_as_twin("time")
    ('time', '')
    """
    match = _TWIN.fullmatch(column)
    return match[1] if match else ""


def parts_of(column: str) -> tuple[str, str] | None:
    """Return the two parts of a combined column; None for any other column.

    >>> parts_of("secs + nsecs"), parts_of("date + time"), parts_of("x + y")
    (('secs', 'nsecs'), ('date', 'time'), None)
    """
    whole, joint, part = (read_as_twin(column) or column).partition(JOINT)
    is_pair = _stem(whole, _SECONDS) is not None and _stem(whole, _SECONDS) == _stem(part, _RESTS)
    is_pair |= bool(_PLACE.fullmatch(whole) and _PLACE.fullmatch(part)) and int(part) == int(whole) + 1
    return (whole, part) if joint and (is_pair or are_dated(column) or is_of_weeks(column)) else None


def are_dated(column: str) -> bool:
    """Return whether a combined column consists of dates and times of day.

    >>> are_dated("date + time"), are_dated("1 + 2"), are_dated("secs + nsecs")
    (True, True, False)
    """
    whole, joint, part = (read_as_twin(column) or column).partition(JOINT)
    return bool(joint and _DATES.fullmatch(whole.strip()) and _CLOCKS.fullmatch(part.strip()))


def parts_per_second(column: str) -> float:
    """Return the number of units of the second part per second; nanoseconds if the name has no unit.

    >>> parts_per_second("tv_usec"), parts_per_second("stamp.nanosec"), parts_per_second("2")
    (1000000.0, 1000000000.0, 1000000000.0)
    """
    match = _RESTS.fullmatch(column.strip())
    unit = "n" if match is None else str(match[2]).lower()
    return 1e9 if unit.startswith("n") else 1e6 if unit.startswith(("u", "mic")) else 1e3


def _stem(column: str, pattern: re.Pattern[str]) -> str | None:
    """Return the part of a name before the unit, in lower case; None without a unit or a mark before it."""
    match = pattern.fullmatch(column.strip())
    stem = "" if match is None else str(match[1])
    return None if match is None or stem[-1:].isalnum() else stem.lower()
