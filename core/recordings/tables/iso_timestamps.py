"""ISO 8601 timestamps in texts, read as seconds.

A stamp is ``2026-11-21T10:00:00.250Z``: a blank may stand for the T, the zone, the fraction and the seconds may be
left out, and a comma may stand for the point; the date may be written ``21.11.2026``, too. Its seconds count from 1970
in UTC, and what rounding takes off them is kept beside them; what has no zone is taken for UTC, so that differences are
right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.rounding import sum_with_rest
from framescope.core.kernels.validation import Array

Kind = Literal["stamp", "date", "time of day"]
KINDS: tuple[Kind, ...] = ("stamp", "date", "time of day")

_DATE = r"([0-9]{4}([-/])[0-9]{2}\2[0-9]{2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4})"
_TIME = r"([0-9]{2}):([0-9]{2})(?::([0-9]{2})([.,][0-9]{1,18})?)?(?: ?(Z|z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?"
_FORMS = {
    "stamp": re.compile(rf"{_DATE}(?:[Tt]| +){_TIME}"),
    "date": re.compile(_DATE),
    "time of day": re.compile(f"(?:()()){_TIME}"),
}
_DAY = 86_400
_FIRST = date(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class Dated:
    """Cells that are all of one kind, as seconds (n,), NaN where there is none.

    `has_zone` is whether all of them say their zone; None where there are none. `rest` is what rounding took off.
    """

    kind: Kind
    seconds: Array
    has_zone: bool | None = None
    rest: Array | None = None


def is_stamp(cell: str) -> bool:
    """Return whether a cell is a date with a time of day.

    >>> is_stamp("2026-11-21 10:00:00.25"), is_stamp("2026-11-21"), is_stamp("2026-13-01T10:00")
    (True, False, False)
    """
    return read_dated([cell], "stamp") is not None


def read_dated(cells: Sequence[str], kind: Kind, missing: frozenset[str] = frozenset()) -> Dated | None:
    """Return cells as seconds; None when any is something else, or some say a zone and others do not.

    Parameters
    ----------
    cells
        Texts without blanks around them.
    kind
        A stamp and a date count from 1970, a time of day from midnight.
    missing
        What stands where there is none, in small letters.

    Examples
    --------
    >>> read_dated(["1970-01-02T00:00:00.5Z", "1970-01-02 02:00:00+02:00"], "stamp").seconds
    array([86400.5, 86400. ])
    >>> read_dated(["1970-01-02T00:00:00.5Z", "1970-01-02 02:00"], "stamp") is None
    True
    """
    match = _FORMS[kind].fullmatch
    found, parts = np.full(len(cells), np.nan), np.zeros(len(cells))
    has_zone: bool | None = None
    for i, cell in enumerate(cells):
        if cell.lower() in missing:
            continue
        read = match(cell)
        if read is None:
            return None
        try:
            seconds = 0 if kind == "time of day" else _day(read[1]) * _DAY
            if kind != "date":
                whole, parts[i] = _time_of_day(*read.groups()[2:6])
                seconds += whole
                zone = read[7]
                if has_zone is None:
                    has_zone = zone is not None
                if has_zone is not (zone is not None):
                    return None
                seconds -= _offset(zone)
        except ValueError:
            return None
        found[i] = seconds
    seconds, rest = _summed(found, parts)
    return Dated(kind, seconds, has_zone, rest)


def joined(parts: Sequence[Dated]) -> Dated | None:
    """Return parts of one column as one; None where some say a zone and others do not."""
    zones = {part.has_zone for part in parts} - {None}
    if len(zones) > 1:
        return None
    rests = [np.zeros(len(part.seconds)) if part.rest is None else part.rest for part in parts]
    rest = np.concatenate(rests) if any(part.rest is not None for part in parts) else None
    return Dated(parts[0].kind, np.concatenate([part.seconds for part in parts]), next(iter(zones), None), rest)


def stamps_of(values: NDArray[Any]) -> Dated:
    """Return numpy's dates (n,) as seconds since 1970.

    >>> stamps_of(np.array(["1970-01-01T00:00:01.5", "NaT"], dtype="M8[ns]")).seconds
    array([1.5, nan])
    """
    second = np.timedelta64(1, "s")
    whole = values.astype("M8[s]")
    seconds, rest = _summed((whole - np.datetime64(0, "s")) / second, (values - whole) / second)
    return Dated("stamp", seconds, None, rest)


def _summed(whole: Array, parts: Array) -> tuple[Array, Array | None]:
    """Return whole seconds and parts of a second as one number, and what rounding took off it where it did."""
    seconds, rest = sum_with_rest(whole, parts)
    return seconds, rest if rest.any() else None


def written(seconds: float) -> str:
    """Write seconds since 1970 as a date and a time of day, to the millisecond, or the microsecond where there are any.

    Those of the first day are a time of day without a date.

    >>> written(86400.25), written(86400.000001), written(36000.5)
    ('1970-01-02 00:00:00.250', '1970-01-02 00:00:00.000001', '10:00:00.500')
    """
    form = "%H:%M:%S.%f" if 0.0 <= seconds < _DAY else "%Y-%m-%d %H:%M:%S.%f"
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime(form).removesuffix("000")


@lru_cache(maxsize=1024)
def _day(text: str) -> int:
    if "." in text:
        day, month, year = map(int, text.split("."))
        return (date(year, month, day) - _FIRST).days
    return (date.fromisoformat(text.replace("/", "-")) - _FIRST).days


def _time_of_day(hour: str, minute: str, second: str | None, fraction: str | None) -> tuple[int, float]:
    """Return whole seconds, and the part of one."""
    h, m, s = int(hour), int(minute), int(second or 0)
    if h > 23 or m > 59 or s > 60:  # one more where a second is leapt
        raise ValueError("no time of day")
    return 3600 * h + 60 * m + s, float("0." + fraction[1:]) if fraction else 0.0


@lru_cache(maxsize=64)
def _offset(zone: str | None) -> int:
    """Return how far a zone is ahead of UTC, s."""
    if zone is None or zone in ("Z", "z", "UTC"):
        return 0
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise ValueError("no zone")
    return (3600 * hours + 60 * minutes) * (-1 if zone[0] == "-" else 1)
