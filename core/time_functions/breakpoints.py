"""Breakpoints of expressions of t: times at which a value or a derivative jumps.

Between two breakpoints an expression is smooth. A solver that ends a step at each breakpoint misses no pulse, however
short, and integrates smooth functions only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.core.time_functions.expressions import Expression

GRID = 1024
"""Number of cells into which the time range is divided first; cells where a compared value is not cubic are halved."""

FINEST = 10
"""Largest number of halvings of a cell."""

MOST_SAMPLES = 1_000_000
"""Largest number of evaluations for the grid: number of times multiplied by number of conditions."""

UNRESOLVED = 0.1
"""Deviation of a compared value from a cubic, relative to the value, above which a cell is halved."""

ROUNDS = 8
"""Largest depth of nested functions whose breakpoints are searched."""

HALVINGS = 64
"""Number of halvings that reduce a cell to neighbouring floats."""

NEAREST = 2.0**-60
"""Distance below which two times count as one, as a fraction of the range; floats near zero may be closer."""

BLOCK = 4096
"""Number of times at which an expression with many conditions is evaluated together."""

MOST_WORK = 500_000
"""Largest number of searched side changes multiplied by conditions; such a search takes about a second."""

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]


class TooManyBreakpointsError(Exception):
    """Error of expressions with more breakpoints than allowed or than can be found; `most` is the limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} breakpoints")


def breakpoints(expressions: Sequence[Expression], start: float, end: float, most: int) -> Array:
    """Return the times at which expressions of t or their derivatives jump.

    Parameters
    ----------
    expressions
        Expressions of t.
    start, end
        Time range, s.
    most
        Largest number of breakpoints.

    Returns
    -------
    (n, 2)
        Neighbouring times before and after each breakpoint, in increasing order.

    Raises
    ------
    TooManyBreakpointsError
        When there are more than `most`.

    Notes
    -----
    The functions ``abs``, ``min``, ``max``, ``smoothstep``, ``pulse``, ``pulses``, roots and powers compare values,
    which may be any expressions of t. Breakpoints are the zeros of the compared differences. A grid of times, the
    turning points of compared values and the breakpoints of inner functions bracket the zeros. Bisection then narrows
    them down to neighbouring floats.

    Examples
    --------
    >>> from framescope.core.time_functions.expressions import parse_expression
    >>> breakpoints([parse_expression("pulse(2*t - 1, 0, 1e-3)")], 0.0, 10.0, 100)[:, 1]
    array([0.5   , 0.5005])
    """
    if not end > start:
        return np.zeros((0, 2))
    pairs_of_each = [
        _Search(expression, start, end, most).pairs() for expression in expressions if expression.has_phases
    ]
    pairs = _merge(np.concatenate([np.zeros((0, 2)), *pairs_of_each]), NEAREST * (end - start))
    if len(pairs) > most:
        raise TooManyBreakpointsError(most)
    return pairs


class _Search:
    """Search for the breakpoints of one expression."""

    def __init__(self, expression: Expression, start: float, end: float, most: int) -> None:
        self.expression, self.start, self.end, self.most = expression, start, end, most
        self.nearest = NEAREST * (end - start)

    def pairs(self) -> Array:
        """Return the neighbouring times (n, 2) before and after each breakpoint."""
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
        """Return times between which each compared value has at most one turning point, as far as samples show."""
        times = np.unique(np.linspace(self.start, self.end, GRID + 1))
        conditions = self._conditions(times)
        cells = np.arange(len(times) - 1)
        for _ in range(FINEST):
            if not len(cells) or len(conditions[0]) * (len(times) + len(cells)) > MOST_SAMPLES:
                break
            step = times[cells + 1] - times[cells]
            middle = times[cells] + 0.5 * step
            (_, left, down), (_, right, up) = conditions[:, :, cells], conditions[:, :, cells + 1]
            middle_conditions = self._conditions(middle)
            with np.errstate(all="ignore"):
                miss = np.abs(middle_conditions[1] - 0.5 * (left + right) - 0.125 * step * (down - up))
                nearest = np.minimum(np.minimum(np.abs(left), np.abs(right)), np.abs(middle_conditions[1]))
            is_open = (miss > UNRESOLVED * nearest).any(axis=0)
            # In a single cell, a periodic value may fit a cubic by chance, so neighbours of open cells are halved,
            # too.
            is_open[1:] |= is_open[:-1].copy()
            is_open[:-1] |= is_open[1:].copy()
            times = np.concatenate((times, middle))
            conditions = np.concatenate((conditions, middle_conditions), axis=2)
            order = np.argsort(times, kind="stable")
            halves = middle[is_open]
            times, conditions = times[order], conditions[:, :, order]
            at = np.searchsorted(times, halves)
            cells = np.union1d(at - 1, at)
        return np.unique(times)

    def _conditions(self, times: Array) -> Array:
        """Return side, difference and slope (3, k, n) of all conditions."""
        return np.concatenate([self._block(times[i : i + BLOCK]) for i in range(0, len(times), BLOCK)], axis=2)

    def _block(self, times: Array) -> Array:
        phases = self.expression.phases(times)
        conditions = np.zeros((3, len(phases), len(times)))
        for i, phase in enumerate(phases):
            conditions[0, i], conditions[1, i], conditions[2, i] = phase.side, phase.difference, phase.slope
        np.nan_to_num(conditions[0], copy=False, nan=-1.0)
        return conditions

    def _of_rows(self, part: int, times: Array, rows: Rows) -> Array:
        """Return side, difference or slope (n,), by `part`, of the condition `rows` (n,) at each of `times` (n,)."""
        out = np.zeros(len(times))
        for i in range(0, len(times), BLOCK):
            block = self._block(times[i : i + BLOCK])[part]
            out[i : i + BLOCK] = block[rows[i : i + BLOCK], np.arange(block.shape[1])]
        return out

    def _turning_points(self, times: Array, difference: Array, slope: Array) -> Array:
        """Return times at which a compared value has a turning point and may reach zero."""
        rises = slope > 0.0
        is_turning = rises[:, :-1] != rises[:, 1:]
        with np.errstate(all="ignore"):
            # The tangents at both ends meet further out than the curve between them reaches. The factor 2 is a
            # margin.
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

        return self._bisect(times[cells], times[cells + 1], is_later).ravel()

    def _crossings(self, times: Array, side: Array) -> Array:
        """Return neighbouring times (n, 2) between which a side changes, possibly several times if it counts pulses."""
        rows, cells = np.nonzero(side[:, :-1] != side[:, 1:])
        change = side[rows, cells + 1] - side[rows, cells]
        if not np.abs(change).sum() <= 2 * self.most:  # at one time several conditions may change
            raise TooManyBreakpointsError(self.most)
        n = np.abs(change).astype(np.intp)
        which = np.repeat(np.arange(len(n)), n)
        nth = np.arange(len(which)) - (np.cumsum(n) - n)[which]
        rows, cells, direction = rows[which], cells[which], np.sign(change)[which]
        first = side[rows, cells] + direction * (nth + 1)
        self._check(len(rows), len(side))

        def is_later(t: Array, of: Rows) -> Flags:
            return direction[of] * self._of_rows(0, t, rows[of]) >= direction[of] * first[of]

        return _merge(self._bisect(times[cells], times[cells + 1], is_later), self.nearest)

    def _check(self, n: int, n_conditions: int) -> None:
        """Raise `TooManyBreakpointsError` if `n` searches among `n_conditions` conditions would take too long."""
        if n * n_conditions > max(MOST_WORK, n):
            raise TooManyBreakpointsError(MOST_WORK // n_conditions)

    def _bisect(self, before: Array, after: Array, is_later: Callable[[Array, Rows], Flags]) -> Array:
        """Return neighbouring times (n, 2) within brackets (n,): `is_later` is false at the first, true at the second.

        `is_later` takes times and the indices of their brackets, and returns flags.
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


def _merge(pairs: Array, nearest: float) -> Array:
    """Return pairs (n, 2) in increasing order, with pairs that touch merged."""
    if not len(pairs):
        return pairs
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    latest = np.maximum.accumulate(pairs[:, 1])
    begins = np.concatenate(([True], pairs[1:, 0] > latest[:-1] + nearest))
    ends = np.concatenate((begins[1:], [True]))
    return np.stack((pairs[begins, 0], latest[ends]), axis=-1)
