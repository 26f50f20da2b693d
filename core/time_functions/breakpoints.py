"""Breakpoints of expressions of t: where they, or derivatives of them, jump.

Between two breakpoints an expression is as smooth as its smooth functions are. A solver that ends a step at each sees
every pulse, however short, and nothing but smooth functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.core.time_functions.expressions import Expression

GRID = 1024
"""Cells of the range at first; those in which what is compared is no cubic are halved."""

FINEST = 10
"""How often they are halved."""

MOST_SAMPLES = 1_000_000
"""Times of the grid, times conditions."""

UNRESOLVED = 0.1
"""How far what is compared may miss the cubic, of its distance from zero."""

ROUNDS = 8
"""How many levels of functions inside one another are followed."""

HALVINGS = 64
"""From a cell to neighbours among floats."""

NEAREST = 2.0**-60
"""Part of the range below which two times are one: floats next to zero are nearer to each other."""

BLOCK = 4096
"""Times at which an expression is computed together, as it may have hundreds of conditions."""

MOST_WORK = 500_000
"""Changes of side times conditions that are looked for at once, which takes a second."""

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]


class TooManyBreakpointsError(Exception):
    """Expressions bend or jump more often than is allowed, or than can be followed; `most` is how often."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} breakpoints")


def breakpoints(expressions: Sequence[Expression], start: float, end: float, most: int) -> Array:
    """Return where expressions of t bend or jump.

    Parameters
    ----------
    expressions
        Expressions of t.
    start, end
        The range of times, s.
    most
        How many breakpoints there may be.

    Returns
    -------
    (n, 2)
        The last time before each breakpoint and the first time after it, which are neighbours, in rising order.

    Raises
    ------
    TooManyBreakpointsError
        When there are more than `most`.

    Notes
    -----
    The breakpoints of ``abs``, ``min``, ``max``, ``smoothstep``, ``pulse``, ``pulses``, of roots and of powers are the
    zeros of what they compare, which may be any expression of t. They are bracketed by a grid of times, the turning
    points of what is compared and the breakpoints inside it, and then halved down to neighbouring floats.

    Examples
    --------
    >>> from framescope.core.time_functions.expressions import parse_expression
    >>> breakpoints([parse_expression("pulse(2*t - 1, 0, 1e-3)")], 0.0, 10.0, 100)[:, 1]
    array([0.5   , 0.5005])
    """
    if not end > start:
        return np.zeros((0, 2))
    found = [_Search(each, start, end, most).pairs() for each in expressions if each.has_phases]
    pairs = _merged(np.concatenate([np.zeros((0, 2)), *found]), NEAREST * (end - start))
    if len(pairs) > most:
        raise TooManyBreakpointsError(most)
    return pairs


class _Search:
    """The search for the breakpoints of one expression."""

    def __init__(self, expression: Expression, start: float, end: float, most: int) -> None:
        self.expression, self.start, self.end, self.most = expression, start, end, most
        self.nearest = NEAREST * (end - start)

    def pairs(self) -> Array:
        """Return the neighbouring times (n, 2) on either side of each breakpoint."""
        times = self._grid()
        pairs = np.zeros((0, 2))
        for _ in range(ROUNDS):
            side, difference, slope = self._conditions(times)
            turns = self._turning_points(times, difference, slope)
            if len(turns):
                times = np.union1d(times, turns)
                side, _, _ = self._conditions(times)
            pairs = self._crossings(times, side)
            new = np.union1d(times, pairs)
            if len(new) == len(times):
                break
            times = new
        return pairs

    def _grid(self) -> Array:
        """Return times between which what is compared turns back once at most, as far as can be told."""
        times = np.unique(np.linspace(self.start, self.end, GRID + 1))
        found = self._conditions(times)
        cells = np.arange(len(times) - 1)
        for _ in range(FINEST):
            if not len(cells) or len(found[0]) * (len(times) + len(cells)) > MOST_SAMPLES:
                break
            step = times[cells + 1] - times[cells]
            middle = times[cells] + 0.5 * step
            (_, left, down), (_, right, up) = found[:, :, cells], found[:, :, cells + 1]
            new = self._conditions(middle)
            with np.errstate(all="ignore"):
                miss = np.abs(new[1] - 0.5 * (left + right) - 0.125 * step * (down - up))
                nearest = np.minimum(np.minimum(np.abs(left), np.abs(right)), np.abs(new[1]))
            is_open = (miss > UNRESOLVED * nearest).any(axis=0)
            # What repeats may fit by chance: not in the cells beside it.
            is_open[1:] |= is_open[:-1].copy()
            is_open[:-1] |= is_open[1:].copy()
            times = np.concatenate((times, middle))
            found = np.concatenate((found, new), axis=2)
            order = np.argsort(times, kind="stable")
            halves = middle[is_open]
            times, found = times[order], found[:, :, order]
            at = np.searchsorted(times, halves)
            cells = np.union1d(at - 1, at)
        return np.unique(times)

    def _conditions(self, times: Array) -> Array:
        """Return side, difference and slope (3, k, n) of all conditions."""
        return np.concatenate([self._block(times[i : i + BLOCK]) for i in range(0, len(times), BLOCK)], axis=2)

    def _block(self, times: Array) -> Array:
        phases = self.expression.phases(times)
        found = np.zeros((3, len(phases), len(times)))
        for i, phase in enumerate(phases):
            found[0, i], found[1, i], found[2, i] = phase.side, phase.difference, phase.slope
        np.nan_to_num(found[0], copy=False, nan=-1.0)
        return found

    def _of_rows(self, part: int, times: Array, rows: Rows) -> Array:
        """Return side or slope (n,) of one condition for each time (n,)."""
        out = np.zeros(len(times))
        for i in range(0, len(times), BLOCK):
            block = self._block(times[i : i + BLOCK])[part]
            out[i : i + BLOCK] = block[rows[i : i + BLOCK], np.arange(block.shape[1])]
        return out

    def _turning_points(self, times: Array, difference: Array, slope: Array) -> Array:
        """Return where what is compared turns back between the times, and may reach zero."""
        rises = slope > 0.0
        is_turning = rises[:, :-1] != rises[:, 1:]
        with np.errstate(all="ignore"):
            # Tangents from both ends meet further out than a bend between them gets; to twice as far, to be safe.
            step = np.diff(times)
            left, right = difference[:, :-1], difference[:, 1:]
            at = (right - left - slope[:, 1:] * step) / (slope[:, :-1] - slope[:, 1:])
            reach = left + 2.0 * slope[:, :-1] * np.clip(at, 0.0, step)
            is_far = (np.sign(left) == np.sign(right)) & (np.sign(reach) == np.sign(left)) & (left != 0.0)
        is_known = np.isfinite(slope[:, :-1]) & np.isfinite(slope[:, 1:]) & (step > self.nearest)
        rows, cells = np.nonzero(is_turning & is_known & ~is_far)
        later = rises[rows, cells + 1]
        self._check(len(rows), len(slope))

        def is_later(t: Array, of: Rows) -> Flags:
            return (self._of_rows(2, t, rows[of]) > 0.0) == later[of]

        return self._halved(times[cells], times[cells + 1], is_later).ravel()

    def _crossings(self, times: Array, side: Array) -> Array:
        """Return the neighbours (n, 2) between which a side changes: all changes of one that counts."""
        rows, cells = np.nonzero(side[:, :-1] != side[:, 1:])
        change = side[rows, cells + 1] - side[rows, cells]
        if not np.abs(change).sum() <= 2 * self.most:  # several conditions may change at one time
            raise TooManyBreakpointsError(self.most)
        n = np.abs(change).astype(np.intp)
        which = np.repeat(np.arange(len(n)), n)
        nth = np.arange(len(which)) - (np.cumsum(n) - n)[which]
        rows, cells, direction = rows[which], cells[which], np.sign(change)[which]
        first = side[rows, cells] + direction * (nth + 1)
        self._check(len(rows), len(side))

        def is_later(t: Array, of: Rows) -> Flags:
            return direction[of] * self._of_rows(0, t, rows[of]) >= direction[of] * first[of]

        return _merged(self._halved(times[cells], times[cells + 1], is_later), self.nearest)

    def _check(self, n: int, n_conditions: int) -> None:
        if n * n_conditions > max(MOST_WORK, n):
            raise TooManyBreakpointsError(MOST_WORK // n_conditions)

    def _halved(self, before: Array, after: Array, is_later: Callable[[Array, Rows], Flags]) -> Array:
        """Return neighbours (n, 2) in brackets (n,): at the first of a pair it is not yet later, at the second it is.

        `is_later` takes times, and of which of the brackets they are.
        """
        before, after = before.copy(), after.copy()
        rows = np.arange(len(before))
        for _ in range(HALVINGS):
            middle = before[rows] + 0.5 * (after[rows] - before[rows])
            is_open = (middle > before[rows]) & (middle < after[rows]) & (after[rows] - before[rows] > self.nearest)
            rows, middle = rows[is_open], middle[is_open]
            if not len(rows):
                break
            late = is_later(middle, rows)
            after[rows[late]] = middle[late]
            before[rows[~late]] = middle[~late]
        return np.stack((before, after), axis=-1)


def _merged(pairs: Array, nearest: float) -> Array:
    """Return pairs (n, 2) in order, those that touch as one."""
    if not len(pairs):
        return pairs
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    latest = np.maximum.accumulate(pairs[:, 1])
    begins = np.concatenate(([True], pairs[1:, 0] > latest[:-1] + nearest))
    ends = np.concatenate((begins[1:], [True]))
    return np.stack((pairs[begins, 0], latest[ends]), axis=-1)
