"""Timestamps in texts, of ISO 8601, loggers and spreadsheets, read as seconds.

A stamp is ``2026-11-21T10:00:00.250Z``. The T may be a blank; zone, fraction and seconds are optional; the decimal mark
may be a comma; ``AM`` or ``PM`` may follow. The date may also be written ``21.11.2026``, ``21.11.26``, ``11/21/2026``,
``21/11/2026`` or ``21-Nov-2026``. If the order of day and month is ambiguous, both readings are kept. Stamps become
seconds since 1970 in UTC, with their rounding errors. A stamp without a zone is read as UTC, which leaves time
differences right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.rounding import sum_with_rest
from framescope.core.kernels.validation import Array

Kind = Literal["stamp", "date", "time of day"]
Order = Literal["day first", "month first"]
KINDS: tuple[Kind, ...] = ("stamp", "date", "time of day")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:" + "|".join(_MONTHS) + r")[a-z]*\.?"
_DATE = (
    r"(?P<day>[0-9]{4}(?P<a>[-/.])[0-9]{1,2}(?P=a)[0-9]{1,2}|[0-9]{1,2}(?P<b>[-/.])[0-9]{1,2}(?P=b)(?:[0-9]{4}|[0-9]{2})|"
    rf"[0-9]{{1,2}}[- ]{_MONTH}[- ](?:[0-9]{{4}}|[0-9]{{2}})|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}})"
)
_ZONE = r"(?: ?(?P<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?))?"
_HALF = r"(?: ?(?P<half>[ap])\.?m\.?)?"
_TIME = (
    rf"(?P<h>[0-9]{{1,2}}):(?P<m>[0-9]{{2}})(?::(?P<s>[0-9]{{2}})(?P<f>[.,][0-9]{{1,18}}|:[0-9]{{3}})?)?{_HALF}{_ZONE}"
)
_BASIC = r"(?P<day>[0-9]{8})[T_](?P<h>[0-9]{2})(?P<m>[0-9]{2})(?P<s>[0-9]{2})(?P<f>[.,][0-9]{1,18})?" + _ZONE
_CLOCK_DASHED = r"(?P<h>[0-9]{2})(?P<c>[-.])(?P<m>[0-9]{2})(?P=c)(?P<s>[0-9]{2})(?P<f>[-_.,:][0-9]{1,9})?"
_DASHED = rf"{_DATE}[T _-]{_CLOCK_DASHED}{_HALF}"
_MINUTES = r"(?P<m>[0-9]{1,2}):(?P<s>[0-9]{2})(?P<f>[.,][0-9]{1,18})"


_FORMS: dict[Kind, tuple[str, ...]] = {
    "stamp": (rf"{_DATE}(?:T|,? +){_TIME}", _BASIC, _DASHED),
    "date": (_DATE,),
    "time of day": (_TIME, _MINUTES),
}
_DAY = 86_400
_FIRST = date(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class Dated:
    """Dates or times of day as seconds (n,), NaN for missing cells.

    `has_zone` is whether all cells state a zone, None if all cells are missing. `rest` has the rounding errors. If the
    file leaves the order of day and month open, `order` is the assumed order, and `other` has the seconds in the other
    order, or None if the cells are not dates in that order.
    """

    kind: Kind
    seconds: Array
    has_zone: bool | None = None
    rest: Array | None = None
    order: Order | None = None
    other: Array | None = None


@lru_cache
def _forms(kind: Kind) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _FORMS[kind])


def is_stamp(cell: str) -> bool:
    """Return whether a cell is a date with a time of day.

    >>> is_stamp("2026-11-21 10:00:00.25"), is_stamp("2026-11-21"), is_stamp("2026-13-01T10:00")
    (True, False, False)
    """
    return read_dated([cell], "stamp") is not None


def read_dated(cells: Sequence[str], kind: Kind, missing: frozenset[str] = frozenset()) -> Dated | None:
    """Read cells as seconds; None when a cell is of another kind, or only some cells state a zone.

    Parameters
    ----------
    cells
        Texts without blanks around them.
    kind
        Kind of all cells. Stamps and dates become seconds since 1970, times of day seconds since midnight.
    missing
        Texts of missing cells, in lower case.

    Examples
    --------
    >>> read_dated(["1970-01-02T00:00:00.5Z", "1970-01-02 02:00:00+02:00"], "stamp").seconds
    array([86400.5, 86400. ])
    >>> read_dated(["1970-01-02T00:00:00.5Z", "1970-01-02 02:00"], "stamp") is None
    True
    """
    matches: list[re.Match[str] | None] = []
    for cell in cells:
        match = None if cell.lower() in missing else _match(cell, kind)
        if match is None and cell.lower() not in missing:
            return None
        matches.append(match)
    if not any(match and match.groupdict().get("b") in ("/", "-") for match in matches):
        return _convert_matches(matches, kind)
    ways: dict[Order, Sequence[Dated]] = {}
    for order in _ORDERS:
        if (dated := _convert_matches(matches, kind, order)) is not None:
            ways[order] = (dated,)
    return _choose_order(ways)


_ORDERS: tuple[Order, ...] = ("month first", "day first")


def _match(cell: str, kind: Kind) -> re.Match[str] | None:
    if not cell[:1].isalnum():
        return None
    return next(filter(None, (form.fullmatch(cell) for form in _forms(kind))), None)


def _convert_matches(matches: Sequence[re.Match[str] | None], kind: Kind, order: Order | None = None) -> Dated | None:
    """Convert matches to seconds with an order of day and month; None when a match is not a date in that order."""
    seconds_of_cells, parts = np.full(len(matches), np.nan), np.zeros(len(matches))
    has_zone: bool | None = None
    for i, match in enumerate(matches):
        if match is None:
            continue
        groups = match.groupdict()
        try:
            seconds = 0 if kind == "time of day" else _day(groups["day"].lower(), order) * _DAY
            if kind != "date":
                whole, parts[i] = _time_of_day(
                    groups.get("h"), groups["m"], groups["s"], groups["f"], groups.get("half")
                )
                seconds += whole
                zone = groups.get("zone")
                if has_zone is None:
                    has_zone = zone is not None
                if has_zone is not (zone is not None):
                    return None
                seconds -= _offset(zone)
        except ValueError:
            return None
        seconds_of_cells[i] = seconds
    seconds, rest = _add_fractions(seconds_of_cells, parts)
    return Dated(kind, seconds, has_zone, rest, order)


def _choose_order(ways: Mapping[Order, Sequence[Dated]]) -> Dated | None:
    """Choose the order of day and month with the more even steps; month first if both are equally even."""
    if not ways:
        return None
    whole = {order: _concatenate(parts) for order, parts in ways.items()}
    best = min(whole, key=lambda order: _largest_step(whole[order].seconds))
    other = next((dated.seconds for order, dated in whole.items() if order != best), None)
    if other is not None and (2.0 * _largest_step(whole[best].seconds) + _DAY < _largest_step(other)):
        other = None
    if other is not None and np.array_equal(other, whole[best].seconds, equal_nan=True):
        return replace(whole[best], order=None)
    return replace(whole[best], order=best, other=other)


def _largest_step(seconds: Array) -> float:
    return float(np.max(np.abs(np.diff(seconds[np.isfinite(seconds)])), initial=0.0))


def _concatenate(parts: Sequence[Dated]) -> Dated:
    rests = [np.zeros(len(part.seconds)) if part.rest is None else part.rest for part in parts]
    rest = np.concatenate(rests) if any(part.rest is not None for part in parts) else None
    zone = next((part.has_zone for part in parts if part.has_zone is not None), None)
    return Dated(parts[0].kind, np.concatenate([part.seconds for part in parts]), zone, rest)


def join_parts(parts: Sequence[Dated]) -> Dated | None:
    """Join the parts of a column; None when only some parts state a zone."""
    zones = {part.has_zone for part in parts} - {None}
    if len(zones) > 1:
        return None
    if all(part.order is None for part in parts):
        return _concatenate(parts)
    ways: dict[Order, Sequence[Dated]] = {}
    for order in _ORDERS:
        ordered = [dated for part in parts if (dated := _in_order(part, order)) is not None]
        if len(ordered) == len(parts):
            ways[order] = ordered
    return _choose_order(ways)


def _in_order(part: Dated, order: Order) -> Dated | None:
    if part.order in (None, order):
        return part
    return None if part.other is None else replace(part, seconds=part.other, rest=None)


def stamps_of(values: NDArray[Any]) -> Dated:
    """Convert numpy dates (n,) to seconds since 1970.

    >>> stamps_of(np.array(["1970-01-01T00:00:01.5", "NaT"], dtype="M8[ns]")).seconds
    array([1.5, nan])
    """
    second = np.timedelta64(1, "s")
    whole = values.astype("M8[s]")
    seconds, rest = _add_fractions((whole - np.datetime64(0, "s")) / second, (values - whole) / second)
    return Dated("stamp", seconds, None, rest)


def _add_fractions(whole: Array, parts: Array) -> tuple[Array, Array | None]:
    """Add whole seconds and fractions; return the sum and its rounding error, None if that is zero."""
    seconds, rest = sum_with_rest(whole, parts)
    return seconds, rest if rest.any() else None


def written(seconds: float) -> str:
    """Format seconds since 1970 as date and time of day, with milliseconds, or microseconds if needed.

    Times on the first day are formatted without a date.

    >>> written(86400.25), written(86400.000001), written(36000.5)
    ('1970-01-02 00:00:00.250', '1970-01-02 00:00:00.000001', '10:00:00.500')
    """
    form = "%H:%M:%S.%f" if 0.0 <= seconds < _DAY else "%Y-%m-%d %H:%M:%S.%f"
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime(form).removesuffix("000")


@lru_cache(maxsize=1024)
def _day(text: str, order: Order | None) -> int:
    if text.isdigit():
        return (date.fromisoformat(text) - _FIRST).days
    parts = [part for part in re.split(r"[-/., ]+", text) if part]
    if len(parts[0]) == 4 and parts[0].isdigit():
        year, month, day = map(int, parts)
    elif named := next((part for part in parts if part[:3] in _MONTHS), None):
        month = _MONTHS.index(named[:3]) + 1
        day, year = (int(part) for part in parts if part is not named)
    else:
        day, month, year = map(int, parts)
        if order == "month first" and "." not in text:
            day, month = month, day
    century = 0 if year > 99 else 1900 if year >= 70 else 2000
    return (date(century + year, month, day) - _FIRST).days


def _time_of_day(
    hour: str | None, minute: str, second: str | None, fraction: str | None, half: str | None
) -> tuple[int, float]:
    """Return whole seconds and the fraction of a second."""
    h, m, s = int(hour or 0), int(minute), int(second or 0)
    if h > 23 or m > 59 or s > 60 or (half and not 1 <= h <= 12):  # 60 for a leap second
        raise ValueError("no time of day")
    if half:
        h = h % 12 + (12 if half in "pP" else 0)
    return 3600 * h + 60 * m + s, float("0." + fraction[1:]) if fraction else 0.0


@lru_cache(maxsize=64)
def _offset(zone: str | None) -> int:
    """Return the offset of a zone from UTC, s."""
    if zone is None or zone.upper() in ("Z", "UTC", "GMT"):
        return 0
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise ValueError("no zone")
    return (3600 * hours + 60 * minutes) * (-1 if zone[0] == "-" else 1)
