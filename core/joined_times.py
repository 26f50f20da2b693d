"""Times in two columns, whole seconds and the rest, joined to one: as ROS writes its stamps.

The joined column is called ``"secs + nsecs"`` after its two parts, and read like any other, in seconds. Times since
1970 are then exact to 0.2 µs, as in any column of such numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from framescope.core.arrays import Array, read_only

JOINT = " + "

_SECONDS = re.compile(r"(.*?)(s|secs?|seconds)", re.IGNORECASE)
_RESTS = re.compile(r"(.*?)((?:n|nano)(?:s|secs?|seconds)|(?:u|micro)(?:s|secs?|seconds))", re.IGNORECASE)


def join_times(order: Iterable[str], numbers: Mapping[str, Array]) -> dict[str, Array]:
    """Return the joined columns (n,), s, of those pairs that are whole seconds and a part of a second.

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
    {'stamp.secs + stamp.nsecs': array([5.5, 6. ])}
    >>> join_times(["s", "ns"], {"s": np.array([1.5]), "ns": np.array([5e8])})
    {}
    """
    names = list(order)
    rests = {_stem(column, _RESTS): column for column in names if _stem(column, _RESTS) is not None}
    found: dict[str, Array] = {}
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
            found[joined] = read_only(whole + part / per_second)
    return found


def parts_of(column: str) -> tuple[str, str] | None:
    """Return the two columns that a joined one is made of; None of any other.

    >>> parts_of("secs + nsecs"), parts_of("x + y")
    (('secs', 'nsecs'), None)
    """
    whole, joint, part = column.partition(JOINT)
    is_pair = bool(joint) and _stem(whole, _SECONDS) is not None and _stem(whole, _SECONDS) == _stem(part, _RESTS)
    return (whole, part) if is_pair else None


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
