"""Pairing of the rows of two sets of samples, by order or by time.

With times on both sides, the faster side is interpolated at the times of the slower one. Clocks may differ by a
constant, see `clocks`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.clocks import Timed, are_unit, full_turn, likely_offsets
from framescope.features.detective.core.interpretations import ANGLES
from framescope.features.detective.core.samples import Samples

GAP = 5.0
"""Longest step to interpolate in, as a multiple of the median step."""

FEWEST = 2

MOST = 20_000
"""Largest number of pairs; more are thinned evenly."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of rows.

    Attributes
    ----------
    numbers_a : (n, k)
    numbers_b : (n, l)
    times : (n,), optional
        Times by the clock of `a`, s.
    offset
        Offset added to the times of `b`, s.
    description
        Short description of the pairing.
    positions_a, positions_b : (n, 3), optional
        Positions of the rows; None unless both sides have them.
    """

    numbers_a: Array
    numbers_b: Array
    times: Array | None
    offset: float
    description: str
    positions_a: Array | None = None
    positions_b: Array | None = None


def pair(a: Samples, b: Samples, offset: float | None = None) -> Pairs:
    """Pair the rows of two sets of samples.

    Parameters
    ----------
    a, b
        Samples; paired row by row unless both have times.
    offset
        Offset to add to the times of `b`, s; None estimates it.

    Raises
    ------
    ValueError
        When the sides without times differ in their number of rows, or times do not overlap.

    Examples
    --------
    >>> t = np.arange(0.0, 4.0, 0.01)
    >>> turn = np.sin(t * t)[:, None] * [0.3, -0.4, 0.5]
    >>> pairs = pair(Samples(turn, t), Samples(turn, t + 2.5))
    >>> round(pairs.offset, 3)
    -2.5
    """
    if a.times is None or b.times is None:
        return _by_row(a, b)
    timed_a, timed_b = _sort_by_time(a, a.times), _sort_by_time(b, b.times)
    t_a, t_b = timed_a.t, timed_b.t
    if len(t_a) < FEWEST or len(t_b) < FEWEST:
        raise ValueError("there is one sample with a time on a side: expected 2 or more")
    offset = likely_offsets(timed_a, timed_b)[0] if offset is None else offset
    t_b = t_b + offset
    is_slower_a = timed_a.step >= timed_b.step
    t = t_a if is_slower_a else t_b
    is_all = np.ones(len(t), dtype=np.bool_)
    rows_a = (timed_a.numbers, is_all) if is_slower_a else _read_at(timed_a.numbers, t_a, t)
    rows_b = _read_at(timed_b.numbers, t_b, t) if is_slower_a else (timed_b.numbers, is_all)
    keep = np.flatnonzero(rows_a[1] & rows_b[1])
    if len(keep) < FEWEST:
        raise ValueError(
            f"the times of {a.label or 'A'} ({t_a[0]:.6g} to {t_a[-1]:.6g} s) and of {b.label or 'B'} "
            f"({t_b[0]:.6g} to {t_b[-1]:.6g} s) do not overlap: expected one clock, or leave the times out"
        )
    keep = _thin_rows(keep)
    message = "rows matched by time" + (f", clocks {_signed_text(offset)} s apart" if offset else "")
    at = _positions_at(a, t[keep]), _positions_at(b, t[keep] - offset)
    return Pairs(rows_a[0][keep], rows_b[0][keep], t[keep], offset, message, *_both(*at))


def _positions_at(samples: Samples, at: Array) -> Array | None:
    """Return the positions (n, 3) of samples, interpolated at times by their own clock; None without positions."""
    if samples.positions is None or samples.times is None:
        return None
    is_whole = np.isfinite(samples.times) & np.isfinite(samples.positions).all(axis=1)
    t, rows = np.unique(samples.times[is_whole], return_index=True)
    if len(t) < FEWEST:
        return None
    p = samples.positions[is_whole][rows]
    return np.column_stack([np.interp(at, t, p[:, i]) for i in range(3)])


def _both(a: Array | None, b: Array | None) -> tuple[Array | None, Array | None]:
    return (None, None) if a is None or b is None else (a, b)


def offsets_to_try(a: Samples, b: Samples) -> tuple[float, ...]:
    """Return likely offsets to add to the times of `b`, s, the likeliest first; 0 alone without times."""
    if a.times is None or b.times is None:
        return (0.0,)
    timed_a, timed_b = _sort_by_time(a, a.times), _sort_by_time(b, b.times)
    return likely_offsets(timed_a, timed_b) if min(len(timed_a.t), len(timed_b.t)) >= FEWEST else (0.0,)


def _signed_text(value: float) -> str:
    return f"{value:+.4g}".replace("-", "\N{MINUS SIGN}")


def _by_row(a: Samples, b: Samples) -> Pairs:
    if len(a.numbers) != len(b.numbers):
        advice = (
            "Give both a column of time, or" if a.times is None and b.times is None else "Give the other its times, or"
        )
        raise ValueError(
            f"{a.label or 'A'} has {counted(len(a.numbers), 'row')} and {b.label or 'B'} {len(b.numbers)}: "
            "without times on both sides rows are paired in order, and must be equally many. "
            f"{advice} the rows that belong together"
        )
    keep = _thin_rows(np.arange(len(a.numbers)))
    times = a.times if a.times is not None else b.times
    at = (None if side.positions is None else side.positions[keep] for side in (a, b))
    t = None if times is None else times[keep]
    return Pairs(a.numbers[keep], b.numbers[keep], t, 0.0, "rows paired in order", *_both(*at))


def _thin_rows(rows: NDArray[np.intp]) -> NDArray[np.intp]:
    return rows if len(rows) <= MOST else rows[np.linspace(0, len(rows) - 1, MOST).astype(int)]


def _sort_by_time(samples: Samples, times: Array) -> Timed:
    """Return the finite samples in the order of their times, one for each time."""
    is_whole = np.isfinite(times) & np.isfinite(samples.numbers).all(axis=1)
    t, first_rows = np.unique(times[is_whole], return_index=True)
    return Timed(samples.numbers[is_whole][first_rows], t)


def _read_at(numbers: Array, t: Array, at: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return rows interpolated at given times, and flags, false outside of the data, in gaps and at jumps of angles."""
    i = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    span = t[i + 1] - t[i]
    share = ((at - t[i]) / span)[:, None]
    slack = 1e-9 * max(abs(float(t[0])), abs(float(t[-1])), 1.0)
    is_known = (at >= t[0] - slack) & (at <= t[-1] + slack) & (span <= GAP * float(np.median(np.diff(t))))
    first, second = numbers[i], numbers[i + 1]
    if numbers.shape[1] in ANGLES:
        turn = full_turn(numbers)
        by = (second - first + turn / 2) % turn - turn / 2
        return first + share * by, is_known & (np.abs(by).max(axis=1) < turn / 8)
    if numbers.shape[1] == 4 and are_unit(numbers):
        second = second * np.where(np.sum(first * second, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    return first + share * (second - first), is_known & (np.abs(second - first).max(axis=1) < 0.5)
