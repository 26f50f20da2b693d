"""Pairing: which rows of two sets of samples belong together, by their order or by their times.

Where both have times, those of the slower one are kept and the faster one is read there, between its samples. Clocks
may differ by a constant: it is found from how fast each side turns, which no convention changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.detective.hypotheses import angles_between
from framescope.core.analysis.detective.interpretations import Interpretation, interpretations_of
from framescope.core.analysis.detective.samples import Samples
from framescope.core.kernels.validation import Array

GAP = 5.0
"""Nothing is read in steps so many times longer than the usual one."""

DEGREES = 7.0
"""Angles that get larger than this are in degrees."""

FEWEST = 2

MOST = 20_000
"""Pairs that are compared; of more, so many are taken evenly."""

SPEED_ROWS = 4000
"""Rows that the speeds are computed from."""

BETTER = 0.3
"""A shift of the clocks must bring the misfit of the speeds below this share of that without one."""

OVERLAP, QUIET = 0.5, 0.2
"""Parts of the shorter side, and of the most motion, that must overlap."""

LEAST = 1e-6
"""Misfits below this are none."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Rows that belong together.

    Attributes
    ----------
    numbers_a : (n, k)
    numbers_b : (n, l)
    times : (n,), optional
        When, s, by the clock of `a`.
    offset
        What the clock of `b` shows less than that of `a`, s: added to the times of `b`.
    said
        How they were paired, in a few words.
    """

    numbers_a: Array
    numbers_b: Array
    times: Array | None
    offset: float
    description: str


def pair(a: Samples, b: Samples, offset: float | None = None) -> Pairs:
    """Pair the rows of two sets of samples.

    Parameters
    ----------
    a, b
        With times both, or they are paired row by row.
    offset
        Added to the times of `b`, s; None finds it.

    Raises
    ------
    ValueError
        When rows without times are not equally many, or times do not overlap.

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
    timed_a, timed_b = _sorted(a, a.times), _sorted(b, b.times)
    t_a, t_b = timed_a.t, timed_b.t
    if len(t_a) < FEWEST or len(t_b) < FEWEST:
        raise ValueError("there is one sample with a time on a side: expected 2 or more")
    found = _clock_offset(timed_a, timed_b) if offset is None else offset
    t_b = t_b + found
    is_slower_a = _step(t_a) >= _step(t_b)
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
    keep = _thinned(keep)
    message = "rows matched by time" + (f", clocks {_signed(found)} s apart" if found else "")
    return Pairs(rows_a[0][keep], rows_b[0][keep], t[keep], found, message)


def _signed(value: float) -> str:
    return f"{value:+.4g}".replace("-", "\N{MINUS SIGN}")


def _by_row(a: Samples, b: Samples) -> Pairs:
    if len(a.numbers) != len(b.numbers):
        both = (
            "Give both a column of time, or" if a.times is None and b.times is None else "Give the other its times, or"
        )
        raise ValueError(
            f"{a.label or 'A'} has {len(a.numbers)} rows and {b.label or 'B'} {len(b.numbers)}: without times on both "
            f"sides rows are paired in order, and must be equally many. {both} the rows that belong together"
        )
    keep = _thinned(np.arange(len(a.numbers)))
    times = a.times if a.times is not None else b.times
    return Pairs(a.numbers[keep], b.numbers[keep], None if times is None else times[keep], 0.0, "rows paired in order")


def _thinned(rows: NDArray[np.intp]) -> NDArray[np.intp]:
    return rows if len(rows) <= MOST else rows[np.linspace(0, len(rows) - 1, MOST).astype(int)]


class _Timed(NamedTuple):
    """Rows (n, k) and their times (n,), s, which go forward."""

    numbers: Array
    t: Array


def _sorted(samples: Samples, times: Array) -> _Timed:
    """Return samples in the order of their times, each time once, without rows that have none."""
    is_whole = np.isfinite(times) & np.isfinite(samples.numbers).all(axis=1)
    t, kept = np.unique(times[is_whole], return_index=True)
    return _Timed(samples.numbers[is_whole][kept], t)


def _step(t: Array) -> float:
    return float(np.median(np.diff(t)))


def _read_at(numbers: Array, t: Array, at: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return rows between samples, and which of them can be read: not outside, in gaps, or where angles jump."""
    i = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    span = t[i + 1] - t[i]
    share = ((at - t[i]) / span)[:, None]
    slack = 1e-9 * max(abs(float(t[0])), abs(float(t[-1])), 1.0)
    is_known = (at >= t[0] - slack) & (at <= t[-1] + slack) & (span <= GAP * _step(t))
    first, second = numbers[i], numbers[i + 1]
    if numbers.shape[1] == 3:
        turn = _turn(numbers)
        by = (second - first + turn / 2) % turn - turn / 2
        return first + share * by, is_known & (np.abs(by).max(axis=1) < turn / 8)
    if numbers.shape[1] == 4 and _are_unit(numbers):
        second = second * np.where(np.sum(first * second, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    return first + share * (second - first), is_known & (np.abs(second - first).max(axis=1) < 0.5)


def _turn(angles: Array) -> float:
    return 360.0 if float(np.abs(angles).max()) > DEGREES else 2 * np.pi


def _are_unit(rows: Array) -> bool:
    return bool(np.quantile(np.abs(np.linalg.norm(rows, axis=1) - 1.0), 0.8) < 0.05)


# --- Clocks


def _clock_offset(a: _Timed, b: _Timed) -> float:
    """Return what has to be added to the times of `b`: 0 where the clocks agree, else by how fast both turn."""
    dt = max(_step(a.t), _step(b.t))
    overlaps = min(a.t[-1], b.t[-1]) - max(a.t[0], b.t[0]) > 2 * dt
    start = 0.0 if overlaps else float(a.t[0] - b.t[0])
    best: tuple[float, float, float] | None = None
    for speed_a in _speeds(a):
        for speed_b in _speeds(b):
            found = _shift_of(a.t, speed_a, b.t + start, speed_b, dt)
            if found is not None and (best is None or found[1] < best[1]):
                best = found
    if best is None:
        return start
    shift, misfit, misfit_unshifted = best
    # Clocks that agree are left alone: a shift must explain the speeds much better.
    return start + shift if misfit < BETTER * misfit_unshifted and abs(shift) > dt / 4 else start


def _speeds(timed: _Timed) -> list[Array]:
    """Return how fast rows (n,) turn between them, rad/s, by each reading that would give another."""
    rows = timed.numbers[:SPEED_ROWS]
    dt = np.diff(timed.t[: len(rows)])
    found: list[Array] = []
    for interpretation in _telling(timed.numbers):
        R = interpretation.matrices(rows)
        found.append(angles_between(R[:-1], R[1:]) / dt)
    return found


def _telling(numbers: Array) -> Sequence[Interpretation]:
    if numbers.shape[1] == 9:
        return interpretations_of(9)
    if numbers.shape[1] == 4:
        unit = "deg" if np.abs(numbers).max() > DEGREES else "rad"
        return (
            (Interpretation("quaternion", "xyzw"),)
            if _are_unit(numbers)
            else interpretations_of(4, f"axis and angle {unit}")
        )
    unit = "deg" if _turn(numbers) == 360.0 else "rad"
    return [interpretation for interpretation in interpretations_of(3, unit) if not interpretation.choice.islower()]


def _shift_of(t_a: Array, speed_a: Array, t_b: Array, speed_b: Array, dt: float) -> tuple[float, float, float] | None:
    """Return the shift of `b` that makes two speeds most alike, s, its misfit and that without a shift."""
    (mid_a, u_a), (mid_b, u_b) = (
        (((t[1 : len(u) + 1] + t[: len(u)]) / 2), u) for t, u in ((t_a, speed_a), (t_b, speed_b))
    )
    step = max(dt, (mid_a[-1] - mid_a[0]) / SPEED_ROWS, (mid_b[-1] - mid_b[0]) / SPEED_ROWS)
    grid_a, grid_b = np.arange(mid_a[0], mid_a[-1], step), np.arange(mid_b[0], mid_b[-1], step)
    if min(len(grid_a), len(grid_b)) < 8:
        return None
    x, y = np.interp(grid_a, mid_a, u_a), np.interp(grid_b, mid_b, u_b)
    n = len(x) + len(y) - 1
    size = 1 << (n - 1).bit_length()

    def lagged(p: Array, q: Array) -> Array:
        return np.roll(np.fft.irfft(np.fft.rfft(p, size) * np.conj(np.fft.rfft(q, size)), size), len(y) - 1)[:n]

    count = np.round(lagged(np.ones_like(x), np.ones_like(y)))
    power = lagged(x * x, np.ones_like(y)) + lagged(np.ones_like(x), y * y)
    # In parts of how fast both turn: where nothing moves, everything fits.
    with np.errstate(divide="ignore", invalid="ignore"):
        misfit = 1.0 - 2.0 * lagged(x, y) / power
    misfit[~((count >= OVERLAP * min(len(x), len(y))) & (power > QUIET * power.max()))] = np.inf
    k = int(np.argmin(misfit))
    at_once = (grid_a[0] - grid_b[0]) / step
    lags = np.arange(n) - (len(y) - 1) + at_once
    part = 0.0
    if 0 < k < n - 1 and np.isfinite(misfit[k - 1 : k + 2]).all():
        before, here, after = misfit[k - 1 : k + 2]
        bend = before - 2 * here + after
        part = 0.5 * float((before - after) / bend) if bend > 0.0 else 0.0
    unshifted = float(np.interp(0.0, lags, misfit)) if np.isfinite(misfit[np.abs(lags) <= 1]).all() else np.inf
    return float(lags[k] + part) * step, max(float(misfit[k]), 0.0) + LEAST, unshifted + LEAST
