"""Fixes of recorded rows, and their detection: rows without a pose, frozen spans, time that wraps or runs backwards."""

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
"""Fixes of time that runs backwards, in the order in which they are applied."""

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
"""Label of the button of each fix."""

SENTINELS = (99.0, 999.0, 999.9, 999.99, 9999.0, 9999.9, 9999.99, 99999.0, 999999.0, 9999999.0, 99999999.0, 999999999.0,
             32767.0, 32768.0, 65535.0, 2147483647.0, 2147483648.0, 4294967295.0, 1e10)  # fmt: skip
"""Absolute values that mark missing numbers, if all other numbers are much smaller."""

LEAST_SENTINEL = 1e15
"""Absolute value from which any number marks a missing number, if all other numbers are much smaller."""

SENTINEL_RATIO = 5.0
"""Smallest size of a sentinel, as a multiple of the largest other number."""

MOST_LOST = 0.5
"""Smallest fraction of usual rows; with fewer, the repeated pose counts as the motion and not as a placeholder."""

RESTART = 0.5
"""Step back in time above which a new recording starts, as a fraction of the elapsed time."""

MOST_BACKWARD = 0.9
"""Fraction of steps backwards in time above which the rows are in reverse order."""

JUMP = 10.0
"""Smallest distance from a placeholder to the motion, as a multiple of the usual step."""

ROUNDED_FRACTION = 0.8
"""Fraction of stamps that must be on a grid, with the usual number of rows each, to count as rounded."""

FROZEN_ROWS = 5
"""Smallest number of equal rows in a frozen span."""

CATCH_UP_RATIO = 4.0
"""Smallest step after a frozen span, as a multiple of the usual step."""

_SECONDS = (1.0, 60.0, 3600.0, 43200.0, 86400.0, 604800.0)
_COUNTS = (2.0**8, 2.0**15, 2.0**16, 2.0**24, 2.0**31, 2.0**32)
_TICKS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9)
WRAPS = tuple(sorted({*_SECONDS, *(count * tick for count in _COUNTS for tick in _TICKS)}))
"""Periods after which clocks start again, s: from seconds to weeks, and overflows of tick counters."""


LEAST_EPOCH = 6e8
"""Size above which nearly constant numbers are times since a date, among which zeros mark missing times, s."""

# --- Rows that hold no pose


def sentinels(values: Array) -> Flags:
    """Flag the numbers of a column (n,) that mark missing values, such as -9999 or 1e20.

    >>> sentinels(np.array([0.1, -9999.0, 0.3, 1e20])), sentinels(np.array([998.0, 999.0, 1000.0]))
    (array([False,  True, False,  True]), array([False, False, False]))
    """
    size = np.abs(values)
    large = size[np.isfinite(size) & (size != 0.0)]
    if len(large) > 0.5 * len(size) and large.min() > max(LEAST_EPOCH, 0.5 * large.max()):
        return np.asarray(size == 0.0)  # times before the clock was set, among times since 1970
    is_one = np.isin(size, SENTINELS) | ((size >= LEAST_SENTINEL) & np.isfinite(size))
    if not is_one.any():
        return is_one
    others = size[~is_one & np.isfinite(size)]
    return is_one & (size > SENTINEL_RATIO * (float(others.max()) if len(others) else np.inf))


def sentinel_rows(table: Table, columns: Collection[str]) -> tuple[tuple[int, ...], str]:
    """Return the rows, from 0, with a sentinel in any of the columns, and the first column with a sentinel."""
    flags = {name: sentinels(table.column(name)) for name in columns}
    rows = np.flatnonzero(np.any(list(flags.values()), axis=0))
    return tuple(rows.tolist()), next((name for name, flag in flags.items() if flag.any()), "")


def has_no_length(orientation: Array) -> Flags:
    """Flag the quaternions (n, 4) or matrices (n, 9) that are all 0 or all -1; other widths get no flags."""
    is_rotation = orientation.shape[1] in (4, 9)
    is_placed = (orientation == 0.0).all(axis=1) | (orientation == -1.0).all(axis=1)
    return is_placed if is_rotation else np.zeros(len(orientation), dtype=bool)


def lost(position: Array, orientation: Array) -> Flags:
    """Flag the rows (n,) that hold a placeholder of lost tracking instead of a pose.

    Parameters
    ----------
    position : (n, 3), (n, 2) or (n, 0)
    orientation : (n, k)
        Orientation columns as in the file.

    Notes
    -----
    Quaternions and matrices of zeros are placeholders. The origin without rotation is a placeholder if the rows next to
    it are far away, because a motion that starts at the origin leaves it in small steps.

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
    if not at_origin.any() or len(usual) < MOST_LOST * len(position):
        return no_length
    steps = lengths(np.diff(position[usual], axis=0))
    least = JUMP * float(np.quantile(steps, 0.9)) if len(steps) else np.inf
    far = lengths(position) > least
    for start, end in _runs(at_origin):
        sides = [i for i in (start - 1, end) if 0 <= i < len(position)]
        at_origin[start:end] = all(far[i] or no_length[i] for i in sides)
    return no_length | at_origin


def kept_rows(table: Table, columns: PoseColumns, mends: Collection[str]) -> Rows | None:
    """Return the rows of a table that remain after fixes drop rows without a pose; None when all remain."""
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


# --- Poses that are constant during a motion


@dataclass(frozen=True, eq=False)
class Frozen:
    """Rows (m,) that repeat the row before, the number of spans of such rows, and whether every pose is repeated."""

    rows: Rows
    n_spans: int = 0
    is_held: bool = False


def frozen(position: Array, orientation: Array) -> Frozen:
    """Return the rows of poses that repeat the row before although the motion continues.

    Parameters
    ----------
    position : (n, 3), (n, 2) or (n, 0)
    orientation : (n, k)

    Notes
    -----
    A frozen span has at least five equal rows and ends with a step larger than usual. A motion that stops and starts
    again in small steps is not frozen. If every pose is repeated the same number of times, the poses were recorded
    faster than they were measured.

    Examples
    --------
    >>> p = np.arange(30.0)[:, np.newaxis] * [1.0, 0.5, 0.0]
    >>> p[8:16] = p[8]
    >>> result = frozen(p, np.zeros((30, 0)))
    >>> result.rows, result.n_spans
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
    ends = [
        (a, b) for a, b in spans if b - a >= FROZEN_ROWS - 1 and b < len(steps) and steps[b] > CATCH_UP_RATIO * usual
    ]
    rows = [np.arange(a, b) + 1 for a, b in ends]
    return Frozen(np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp), len(ends))


def frozen_words(frozen_rows: Frozen) -> str:
    """Describe frozen rows for a message."""
    n = len(frozen_rows.rows)
    if frozen_rows.is_held:
        times = round(n / frozen_rows.n_spans) + 1
        return f"every pose is repeated, some {times} times, as it was recorded faster than measured."
    spans = counted(frozen_rows.n_spans, "span")
    return f"the pose is frozen in {spans}, {counted(n, 'row')} in all, and jumps on afterwards."


# --- Time that does not increase


def wrap_of(t: Array) -> float | None:
    """Return the period after which the clock of times (n,) starts again, s; None when the clock does not.

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
    """Apply the fixes of time; return the remaining rows in order, and their times.

    Parameters
    ----------
    t : (n,)
        Times as in the file, s.
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
    """Return by how much `spread` delays the first of times (n,), s."""
    return float(spread(t)[0] - t[0]) if len(t) else 0.0


def spread(t: Array) -> Array:
    """Spread equal times, among non-decreasing times (n,), evenly up to the next time.

    If the first stamp has fewer rows than the next, the recording began within the first interval, and its rows get the
    last times of the interval.

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
    """Return the grid to which the stamps (n,) of ordered rows are rounded, s; None for stamps that are not rounded.

    Rounded stamps are on a grid, and most of them have about the same number of rows.

    >>> round(grid_of(np.round(np.arange(100) * 0.02, 1)), 6), grid_of(np.repeat([0.0, 0.3, 0.4, 1.7], [1, 5, 1, 2]))
    (0.1, None)
    """
    first = np.flatnonzero(np.append(True, np.diff(t) > 0.0)) if len(t) else np.zeros(0, dtype=np.intp)
    if len(first) < 4 or (np.diff(t) < 0.0).any():
        return None
    n, steps = np.diff(first), np.diff(t[first])
    grid, usual = float(np.median(steps)), float(np.median(n))
    is_even = (np.abs(steps - grid) < 1e-3 * grid) & (np.abs(n - usual) <= 1.0)
    return grid if usual >= 2.0 and float(is_even.mean()) > ROUNDED_FRACTION else None


def mend_of_backward(t: Array) -> Mend:
    """Return the fix for times (n,), s, that run backwards.

    >>> mend_of_backward(np.arange(9.0)[::-1]), mend_of_backward(np.array([0.0, 1.0, 2.0, 0.0, 1.0]))
    ('sort by time', 'drop backward')
    """
    if len(t) > 1 and bool((np.diff(t) < 0.0).mean() > MOST_BACKWARD):  # newest row first
        return "sort by time"
    if wrap_of(t) is not None:
        return "unwrap time"
    return "drop backward" if starts_anew(t) else "sort by time"


def starts_anew(t: Array) -> bool:
    """Return whether times (n,) step back by more than half of the elapsed time, as between joined recordings.

    >>> starts_anew(np.array([0.0, 1.0, 2.0, 0.0, 1.0])), starts_anew(np.array([0.0, 2.0, 1.0, 3.0, 4.0, 5.0]))
    (True, False)
    """
    if not len(t):
        return False
    back = np.flatnonzero(np.diff(t) < 0.0)
    passed = np.maximum.accumulate(t)[back] - t[0]
    return bool((t[back] - t[back + 1] > RESTART * passed).any())


def _runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
