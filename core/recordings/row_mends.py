"""Mends of recorded rows: rows without a pose, frozen spans, time that wraps or runs back, and what tells them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema.motions import Mend, PoseColumns

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]

MENDS_OF_TIME: tuple[Mend, Mend, Mend] = ("unwrap time", "drop backward", "sort by time")
"""What deals with time that runs back, in the order it is done."""

BUTTONS: Mapping[Mend, str] = {
    "unwrap time": "Run on",
    "drop backward": "Leave out",
    "sort by time": "Sort by time",
    "spread time": "Spread evenly",
    "drop missing": "Leave out",
    "drop sentinels": "Leave out",
    "drop lost": "Leave out",
    "drop duplicates": "Leave out",
    "drop frozen": "Leave out",
    "drop outliers": "Leave out",
    "keep sign": "Keep sign",
    "unwrap angles": "Unwrap",
    "normalise": "Normalise",
    "leave gaps empty": "Mark gap",
}
"""What the button of a mend says."""

SENTINELS = (99.0, 999.0, 999.9, 999.99, 9999.0, 9999.9, 9999.99, 99999.0, 999999.0, 9999999.0, 99999999.0, 999999999.0,
             32767.0, 32768.0, 65535.0, 2147483647.0, 2147483648.0, 4294967295.0, 1e10)  # fmt: skip
"""Sizes of numbers that stand for none where all others are far smaller."""

HUGE = 1e15
"""Any number of this size is one, where all others are far smaller."""

FAR = 5.0
"""How many times larger than all others a sentinel is."""

MOST = 0.5
"""The part of the rows that may be lost or frozen without being the motion itself."""

MOST_BACKWARD = 0.9
"""The part of the steps of times that run back where the rows stand in the opposite order."""

JUMP = 10.0
"""A placeholder is left and entered by so many times the usual step."""

ROUNDED = 0.8
"""The part of the stamps that stand on a grid, and hold the usual number of rows, where stamps are rounded."""

FROZEN_ROWS = 5
"""Equal rows in a run that may be frozen."""

CATCHES_UP = 4.0
"""What was frozen goes on by so many times the usual step."""

_SECONDS = (1.0, 60.0, 3600.0, 43200.0, 86400.0, 604800.0)
_COUNTS = (2.0**8, 2.0**15, 2.0**16, 2.0**24, 2.0**31, 2.0**32)
_TICKS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9)
WRAPS = tuple(sorted({*_SECONDS, *(count * tick for count in _COUNTS for tick in _TICKS)}))
"""Periods after which clocks begin anew, s: seconds to weeks, and counters of so many ticks."""


LEAST_EPOCH = 6e8
"""Numbers beyond it that vary little count from a date, which zero is none."""

# --- Rows that hold no pose


def sentinels(values: Array) -> Flags:
    """Return which numbers of a column (n,) stand for none, such as -9999 or 1e20.

    >>> sentinels(np.array([0.1, -9999.0, 0.3, 1e20])), sentinels(np.array([998.0, 999.0, 1000.0]))
    (array([False,  True, False,  True]), array([False, False, False]))
    """
    size = np.abs(values)
    large = size[np.isfinite(size) & (size != 0.0)]
    if len(large) > 0.5 * len(size) and large.min() > max(LEAST_EPOCH, 0.5 * large.max()):
        return np.asarray(size == 0.0)  # times since 1970 that were not there yet
    is_one = np.isin(size, SENTINELS) | ((size >= HUGE) & np.isfinite(size))
    if not is_one.any():
        return is_one
    others = size[~is_one & np.isfinite(size)]
    return is_one & (size > FAR * (float(others.max()) if len(others) else np.inf))


def stand_ins(table: Table, columns: Collection[str]) -> tuple[tuple[int, ...], str]:
    """Return which rows, from 0, have a number that stands for none in one of some columns, and the first of these."""
    flags = {name: sentinels(table.column(name)) for name in columns}
    rows = np.flatnonzero(np.any(list(flags.values()), axis=0))
    return tuple(rows.tolist()), next((name for name, flag in flags.items() if flag.any()), "")


def has_no_length(orientation: Array) -> Flags:
    """Return which quaternions (n, 4) or matrices (n, 9) are all 0, or all -1; none of what has other columns."""
    is_rotation = orientation.shape[1] in (4, 9)
    is_placed = (orientation == 0.0).all(axis=1) | (orientation == -1.0).all(axis=1)
    return is_placed if is_rotation else np.zeros(len(orientation), dtype=bool)


def lost(position: Array, orientation: Array) -> Flags:
    """Return which rows (n,) hold a placeholder of lost tracking, and no pose.

    Parameters
    ----------
    position : (n, 3), (n, 2) or (n, 0)
    orientation : (n, k)
        The columns as they stand there.

    Notes
    -----
    Quaternions and matrices of zeros are one. So is the origin without a turn where the rows beside are far from it:
    a motion that begins there leaves it step by step.

    Examples
    --------
    >>> p = np.arange(1.0, 13.0)[:, np.newaxis] * [0.1, 0.0, 0.0] + [5.0, 0.0, 0.0]
    >>> p[3] = 0.0
    >>> np.flatnonzero(lost(p, np.zeros((12, 0))))
    array([3])
    """
    no_length = has_no_length(orientation)
    if not position.shape[1]:
        return no_length
    size = np.abs(orientation)
    is_unturned = (size == 0.0).all(axis=1)
    if size.shape[1] == 4:
        is_unturned = (np.sort(size, axis=1) == [0.0, 0.0, 0.0, 1.0]).all(axis=1)
    elif size.shape[1] == 9:
        is_unturned = (orientation == np.eye(3).ravel()).all(axis=1)
    at_origin = (position == 0.0).all(axis=1) & is_unturned
    usual = np.flatnonzero(~at_origin & ~no_length)
    if not at_origin.any() or len(usual) < MOST * len(position):
        return no_length
    steps = lengths(np.diff(position[usual], axis=0))
    least = JUMP * float(np.quantile(steps, 0.9)) if len(steps) else np.inf
    far = lengths(position) > least
    for start, end in _runs(at_origin):
        sides = [i for i in (start - 1, end) if 0 <= i < len(position)]
        at_origin[start:end] = all(far[i] or no_length[i] for i in sides)
    return no_length | at_origin


def kept(table: Table, columns: PoseColumns, mends: Collection[str]) -> Rows | None:
    """Return which rows of a table are left of those that mends drop as they hold no pose; None where all are."""
    is_kept = np.ones(table.n_rows, dtype=bool)
    if "drop sentinels" in mends:
        for name in columns.names:
            is_kept &= ~sentinels(table.column(name))
    if "drop lost" in mends:
        rows = np.flatnonzero(is_kept)
        turn = () if columns.orientation is None else columns.orientation.columns
        is_kept[rows[lost(_block(table, columns.position or (), rows), _block(table, turn, rows))]] = False
    return None if is_kept.all() else np.flatnonzero(is_kept)


def _block(table: Table, names: Collection[str], rows: Rows) -> Array:
    return np.stack([table.column(name)[rows] for name in names], axis=-1) if names else np.zeros((len(rows), 0))


# --- Poses that stand still and should not


@dataclass(frozen=True, eq=False)
class Frozen:
    """Rows (m,) that repeat the one before, in how many spans, and whether all poses are held so for some rows."""

    rows: Rows
    n_spans: int = 0
    is_held: bool = False


def frozen(position: Array, orientation: Array) -> Frozen:
    """Return the rows of poses that repeat the one before although the motion goes on.

    Parameters
    ----------
    position : (n, 3), (n, 2) or (n, 0)
    orientation : (n, k)

    Notes
    -----
    Of a span of five equal rows or more it catches up afterwards, by more than the usual step; what stands still and
    sets off step by step does not. Poses held for the same number of rows throughout were recorded faster than they
    were measured.

    Examples
    --------
    >>> p = np.arange(30.0)[:, np.newaxis] * [1.0, 0.5, 0.0]
    >>> p[8:16] = p[8]
    >>> found = frozen(p, np.zeros((30, 0)))
    >>> found.rows, found.n_spans
    (array([ 9, 10, 11, 12, 13, 14, 15]), 1)
    """
    blocks = [block for block in (position, orientation) if block.shape[1]]
    is_same = np.ones(max(len(position) - 1, 0), dtype=bool)
    steps = np.zeros(len(is_same))
    for block in blocks:
        is_same &= (block[1:] == block[:-1]).all(axis=1)
    if not blocks or not is_same.any() or is_same.all():
        return Frozen(np.zeros(0, dtype=np.intp))
    for block in blocks:
        extent = float(np.sqrt((np.ptp(block, axis=0) ** 2).sum()))
        steps += lengths(np.diff(block, axis=0)) / (extent or 1.0)
    spans = list(_runs(is_same))
    n_rows = np.array([end - start for start, end in spans])
    inner = n_rows[1:-1]
    if len(inner) >= FROZEN_ROWS and is_same.mean() > 0.4 and np.quantile(inner, 0.95) - np.quantile(inner, 0.05) <= 1:
        rate = len(spans) / np.count_nonzero(~is_same)
        if rate > 0.8:
            return Frozen(np.flatnonzero(is_same) + 1, len(spans), is_held=True)
    usual = median(steps[~is_same])
    ends = [(a, b) for a, b in spans if b - a >= FROZEN_ROWS - 1 and b < len(steps) and steps[b] > CATCHES_UP * usual]
    rows = [np.arange(a, b) + 1 for a, b in ends]
    return Frozen(np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp), len(ends))


def frozen_words(found: Frozen) -> str:
    """Return what is said of rows that repeat the one before."""
    n = len(found.rows)
    if found.is_held:
        times = round(n / found.n_spans) + 1
        return f"every pose is repeated, some {times} times, as it was recorded faster than measured."
    spans = counted(found.n_spans, "span")
    return f"the pose is frozen in {spans}, {counted(n, 'row')} in all, and jumps on afterwards."


# --- Time that does not run on


def wrap_of(t: Array) -> float | None:
    """Return the period after which the clock of times (n,), s, begins anew; None where it does not.

    >>> t = np.arange(0.0, 130.0, 0.25)
    >>> wrap_of(t % 60.0), wrap_of(t), wrap_of(np.concatenate([t, t]))
    (60.0, None, None)
    """
    step = np.diff(t)
    back = step[step < 0.0]
    forward = step[step > 0.0]
    if not len(back) or not len(forward):
        return None
    usual, span = median(forward), float(np.ptp(t))
    by = median(-back)
    if by < 20.0 * usual or float(np.ptp(back)) > 10.0 * usual:
        return None
    for period in WRAPS:
        if span <= period and (np.abs(period + back - usual) < 2.0 * usual + 1e-9 * period).all():
            return period
    return None


def in_order(t: Array, mends: Collection[str]) -> tuple[Rows, Array]:
    """Return which rows are taken, in which order, and their times, as the mends of time have it.

    Parameters
    ----------
    t : (n,)
        Times as they stand there, s.
    mends
        See `framescope.core.scene.schema.motions.Recorded`.

    Examples
    --------
    >>> rows, t = in_order(np.array([0.0, 0.2, 0.1, 0.3]), ("sort by time",))
    >>> rows, t
    (array([0, 2, 1, 3]), array([0. , 0.1, 0.2, 0.3]))
    """
    rows = np.arange(len(t))
    if "unwrap time" in mends and (period := wrap_of(t)) is not None:
        t = t + period * np.concatenate([[0.0], np.cumsum(np.diff(t) < -0.5 * period)])
    if "drop backward" in mends and len(t):
        rows = rows[t >= np.maximum.accumulate(t)]
    t = t[rows]
    if "sort by time" in mends and len(t):
        order = np.argsort(t, kind="stable")
        rows, t = rows[order], t[order] - t[order[0]]
    if "spread time" in mends and len(t):
        t = spread(t) - late_by(t)
    return rows, t


def late_by(t: Array) -> float:
    """Return by how much the first of times (n,) is later once those of one stamp are spread, s."""
    return float(spread(t)[0] - t[0]) if len(t) else 0.0


def spread(t: Array) -> Array:
    """Return times (n,) that never run back, those of one stamp spread evenly up to the next.

    A first stamp with fewer rows than the next has the last of them: the recording began within it.

    >>> spread(np.array([0.0, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2])).round(3)
    array([0.075, 0.1  , 0.125, 0.15 , 0.175, 0.2  , 0.225])
    """
    if len(t) < 2 or (np.diff(t) < 0.0).any():
        return t
    first = np.flatnonzero(np.append(True, np.diff(t) > 0.0))
    if len(first) < 3:
        return t
    n, stamp = np.diff(np.append(first, len(t))), t[first]
    step = np.append(np.diff(stamp), stamp[-1] - stamp[-2]) / n
    run = np.cumsum(np.append(False, np.diff(t) > 0.0))
    within = np.arange(len(t)) - first[run]
    if n[0] < n[1]:
        step[0] = step[1]
        within[: n[0]] += round(min((stamp[1] - stamp[0]) / step[1], n[1])) - n[0]
    if n[-1] < n[-2]:
        step[-1] = step[-2]
    return stamp[run] + within * step[run]


def grid_of(t: Array) -> float | None:
    """Return what the stamps (n,) of rows in order are rounded to, s; None where they are not rounded.

    Then most stamps hold about as many rows, and stand on a grid.

    >>> round(grid_of(np.round(np.arange(100) * 0.02, 1)), 6), grid_of(np.repeat([0.0, 0.3, 0.4, 1.7], [1, 5, 1, 2]))
    (0.1, None)
    """
    first = np.flatnonzero(np.append(True, np.diff(t) > 0.0)) if len(t) else np.zeros(0, dtype=np.intp)
    if len(first) < 4 or (np.diff(t) < 0.0).any():
        return None
    n, steps = np.diff(first), np.diff(t[first])
    grid, usual = float(np.median(steps)), float(np.median(n))
    is_even = (np.abs(steps - grid) < 1e-3 * grid) & (np.abs(n - usual) <= 1.0)
    return grid if usual >= 2.0 and float(is_even.mean()) > ROUNDED else None


def mend_of_backward(t: Array) -> Mend:
    """Return what mends times (n,), s, that run back.

    >>> mend_of_backward(np.arange(9.0)[::-1]), mend_of_backward(np.array([0.0, 1.0, 2.0, 0.0, 1.0]))
    ('sort by time', 'drop backward')
    """
    if len(t) > 1 and bool((np.diff(t) < 0.0).mean() > MOST_BACKWARD):  # the newest row stands first
        return "sort by time"
    if wrap_of(t) is not None:
        return "unwrap time"
    return "drop backward" if starts_anew(t) else "sort by time"


def starts_anew(t: Array) -> bool:
    """Return whether times (n,) run back by more than half of what had passed, as where another recording follows.

    >>> starts_anew(np.array([0.0, 1.0, 2.0, 0.0, 1.0])), starts_anew(np.array([0.0, 2.0, 1.0, 3.0, 4.0, 5.0]))
    (True, False)
    """
    if not len(t):
        return False
    back = np.flatnonzero(np.diff(t) < 0.0)
    passed = np.maximum.accumulate(t)[back] - t[0]
    return bool((t[back] - t[back + 1] > MOST * passed).any())


def _runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """Yield where runs of flags begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
