"""Constant offset between two clocks: estimated before any convention is known, and refined afterwards.

The distance between two orientations of one side does not depend on axes, offsets and sense: ``|A1 - A2|`` is
``|L (B1 - B2) R|``, also for means of orientations. So both sides have common signals: the distances between the mean
orientation around a time and the one some delay later, for several delays. Means over many rows reduce the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import wild_rows
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.hypotheses import Hypothesis, turns_of
from framescope.features.detective.core.interpretations import DEGREES, Interpretation, interpretations_of, unit_of

MOST_ROWS, MOST_BINS, FEW_BINS, FEWEST_BINS = 20_000, 4000, 500, 8
"""Largest number of rows, and number of bins of means: at most, in the first pass, and at least."""

WIDTHS = (1 / 100, 1 / 40, 1 / 16, 1 / 7)
"""Delays between compared orientations, as fractions of the shorter side's duration."""

OVERLAP = 0.4
"""Fraction of the shorter side that must overlap."""

QUIET = 0.1
"""Fraction of the usual signal variance below which a shift cannot be judged."""

LEAST = 1e-5
"""Misfit below which signals count as equal."""

CANDIDATES = 4
"""Number of pairs of interpretations in the second pass."""

SURE, MAYBE = 1.2, 0.02
"""Decrease of the logarithm of the misfit from which a shift is certain, and from which it is tried."""

SPIKE = 8.0
"""Second difference from which a row may be an outlier, as a multiple of the median."""

OVER_S = 0.25
"""Time over which rates are computed, s."""

STEADY = 0.02
"""Fraction of the power of the rates that must vary to distinguish a clock offset from a fixed rotation."""

SIGNIFICANT = 5.0
"""Multiple of its standard deviation from which a shift is significant."""


class Timed(NamedTuple):
    """Rows (n, k) and their increasing times (n,), s."""

    numbers: Array
    t: Array

    @property
    def step(self) -> float:
        """Median time between rows, s."""
        return float(np.median(np.diff(self.t)))


def likely_offsets(a: Timed, b: Timed) -> tuple[float, ...]:
    """Return likely offsets to add to the times of `b`, s, the likeliest first; 0 alone for equal clocks."""
    step = max(a.step, b.step)
    overlaps = min(a.t[-1], b.t[-1]) - max(a.t[0], b.t[0]) > 2 * step
    start = 0.0 if overlaps else float(a.t[0] - b.t[0])
    best = _best_shift(a, Timed(b.numbers, b.t + start), step)
    if best is None:
        return (start,)
    shift, gain = best
    if not overlaps or (gain > SURE and abs(shift) > step / 4):
        return (start + shift,)
    return (start,) if gain < MAYBE or abs(shift) < step / 20 else (start, start + shift)


def are_unit(rows: Array) -> bool:
    """Return whether most rows have unit length."""
    return bool(np.quantile(np.abs(np.linalg.norm(rows, axis=1) - 1.0), 0.8) < 0.05)


def full_turn(angles: Array) -> float:
    """Return one revolution in the apparent unit of angles (n, 3)."""
    return 360.0 if unit_of(angles) == "deg" else 2 * np.pi


def shift_by_rate(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> tuple[float, bool]:
    """Return the delay by which to read `b` later, s, and whether it is significant.

    The residual rotation of each row is its angular velocity times the shift. Fitted offsets remove a constant part.
    """
    rates = _rates(h, numbers_a, numbers_b, times)
    if rates is None:
        return 0.0, False
    x, y = rates.rate, rates.residual
    if h.n_fitted:
        x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    power = float(np.sum(x * x))
    if power <= 0.0:
        return 0.0, False
    shift = float(np.sum(x * y)) / power
    variance = float(np.sum((y - shift * x) ** 2)) / (3 * len(x))
    uncertainty = np.sqrt(variance / power * min(2 * rates.reach, 10))  # rates over several rows share their noise
    return shift, abs(shift) > SIGNIFICANT * uncertainty


def is_shift_an_offset(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> bool:
    """Return whether a clock offset is indistinguishable from the fitted fixed offsets, as in a steady rotation."""
    rates = _rates(h, numbers_a, numbers_b, times) if h.n_fitted else None
    if rates is None:
        return False
    # Power of the rates without the parts that are constant in the frame or in its parent.
    n = len(rates.rate)
    total = rates.B.sum(axis=0)
    normal = np.block([[n * np.eye(3), total.T], [total, n * np.eye(3)]])
    sums = np.concatenate([rates.rate.sum(axis=0), np.einsum("nij,nj->i", rates.B, rates.rate)])
    power = float(np.sum(rates.rate**2))
    varying_power = power - float(sums @ np.linalg.pinv(normal, rcond=1e-9) @ sums)
    noise = 2.0 * float(np.sum((rates.residual - rates.residual.mean(axis=0)) ** 2)) / rates.span**2
    return varying_power < STEADY * power + noise


class _Rates(NamedTuple):
    """Angular velocities (n, 3), rad/s, residual rotations (n, 3), rad, and orientations of `b` (n, 3, 3).

    `reach` is the number of rows before and after for each rate, `span` the median time between them, s.
    """

    rate: Array
    residual: Array
    B: Array
    reach: int
    span: float


def _rates(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> _Rates | None:
    B = h.interpretation_b.matrices(numbers_b)
    residual = turns_of(np.swapaxes(B, 1, 2) @ h.predicted_b(numbers_a))
    step = max(float(np.median(np.diff(times))), 1e-9)
    k = max(round(OVER_S / 2 / step), 1)
    if len(times) < 2 * k + 5:
        return None
    span = times[2 * k :] - times[: -2 * k]
    rate = turns_of(np.swapaxes(B[: -2 * k], 1, 2) @ B[2 * k :]) / span[:, None]
    residual, B = residual[k:-k], B[k:-k]
    is_good = (span < 4 * k * step) & np.isfinite(rate + residual).all(axis=1)
    is_good[is_good] &= ~wild_rows(np.linalg.norm(residual[is_good], axis=1))
    is_good &= np.linalg.norm(rate, axis=1) * span < np.pi / 2
    if is_good.sum() < 5:
        return None
    return _Rates(rate[is_good], residual[is_good], B[is_good], k, float(np.median(span)))


# --- Signals of both sides


def _best_shift(a: Timed, b: Timed, step: float) -> tuple[float, float] | None:
    """Return the best shift of `b`, s, and the decrease of the logarithm of the misfit from no shift."""
    length = min(float(np.ptp(a.t)), float(np.ptp(b.t)))
    longest = max(float(np.ptp(a.t)), float(np.ptp(b.t)))
    coarse, fine = (max(step, longest / n) for n in (FEW_BINS, MOST_BINS))
    if length < FEWEST_BINS * step:
        return None
    every_a, every_b = _matrices(a), _matrices(b)
    pairs = [(i, j) for i in range(len(every_a)) for j in range(len(every_b))]
    if len(pairs) > CANDIDATES:
        signals_a, signals_b = (
            [_Signals(R, side.t, coarse, length, WIDTHS[2:3]) for R in every]
            for every, side in ((every_a, a), (every_b, b))
        )
        misfits = [float(np.nanmin(_lags(signals_a[i], signals_b[j])[1])) for i, j in pairs]
        best_first: list[int] = np.argsort(misfits, kind="stable").tolist()
        pairs = [pairs[k] for k in best_first[:CANDIDATES]]
    fine_a = {i: _Signals(every_a[i], a.t, fine, length, WIDTHS) for i in {i for i, _ in pairs}}
    fine_b = {j: _Signals(every_b[j], b.t, fine, length, WIDTHS) for j in {j for _, j in pairs}}
    best: tuple[float, float, float] | None = None
    for i, j in pairs:
        lags, misfit = _lags(fine_a[i], fine_b[j])
        if not np.isfinite(misfit).any():
            continue
        k = int(np.argmin(misfit))
        part = 0.0
        if 0 < k < len(misfit) - 1 and np.isfinite(misfit[k - 1 : k + 2]).all():
            before, here, after = np.exp(misfit[k - 1 : k + 2])
            bend = before - 2 * here + after
            part = 0.5 * float((before - after) / bend) if bend > 0.0 else 0.0
        near = misfit[np.abs(lags) <= 1.0]
        at_once = float(np.interp(0.0, lags, misfit)) if len(near) and np.isfinite(near).all() else np.inf
        if best is None or misfit[k] < best[0]:
            best = (float(misfit[k]), float(lags[k] + part) * fine, at_once - float(misfit[k]))
    return None if best is None else (best[1], best[2])


class _Signals:
    """Distances between mean orientations of a side some delays apart, on a grid of bins."""

    def __init__(self, R: Array, t: Array, step: float, length: float, widths: Sequence[float]) -> None:
        self.start, self.step = float(t[0]), step
        place = ((t - t[0]) / step).astype(int)
        n = int(place[-1]) + 1
        count = np.bincount(place, minlength=n)
        flat = R.reshape(len(R), 9)
        sums = np.stack([np.bincount(place, flat[:, i], n) for i in range(9)], axis=1)
        is_full = count > 0
        bins = np.flatnonzero(is_full)
        # The mean time of a bin's rows need not be the middle of the bin.
        at = np.bincount(place, (t - t[0]) / step, n)[bins] / count[bins]
        means = sums[bins] / count[bins, None]
        parts: list[Array] = [np.interp(np.arange(n) + 0.5, at, means[:, i]) for i in range(9)]
        M = np.stack(parts, axis=1)
        gap = np.diff(bins, prepend=bins[0])
        is_known = np.ones(n, dtype=np.bool_)
        for k in np.flatnonzero(gap > GAP_BINS).tolist():
            is_known[bins[k] - gap[k] + 1 : bins[k]] = False
        self.n = n
        self.signals: list[tuple[Array, Array]] = []
        for width in sorted({max(round(width * length / step), 1) for width in widths}):
            self.signals.append(_distances(M, is_known, width))


GAP_BINS = 4
"""Number of consecutive bins without rows up to which means are interpolated."""


def _distances(M: Array, is_known: NDArray[np.bool_], width: int) -> tuple[Array, Array]:
    """Return the squared distances (n,) of means `width` bins apart, and weights (n,): 1 where known, else 0."""
    box = max(width // 2, 1)
    n = len(M)
    total = np.concatenate([np.zeros((1, 9)), np.cumsum(M, axis=0)])
    known = np.concatenate([[0], np.cumsum(is_known)])
    signal, weight = np.zeros(n), np.zeros(n)
    reach = box + width
    if n <= reach:
        return signal, weight
    mean = (total[box:] - total[:-box]) / box  # of bins i to i + box
    whole = known[box:] - known[:-box] == box
    signal_part = np.sum((mean[width:] - mean[:-width]) ** 2, axis=1)
    at = reach // 2
    signal[at : at + len(signal_part)] = signal_part
    weight[at : at + len(signal_part)] = whole[width:] & whole[:-width]
    return signal * weight, weight


def _lags(a: _Signals, b: _Signals) -> tuple[Array, Array]:
    """Return the shifts of `b` in bins, and the mean logarithm of the misfit at each; inf for a shift without data."""
    n = a.n + b.n - 1
    size = 1 << (n - 1).bit_length()
    misfit = np.zeros(n)
    for (x, p), (y, q) in zip(a.signals, b.signals, strict=True):
        of_x, of_y = np.fft.rfft([p, x, x * x], size), np.conj(np.fft.rfft([q, y, y * y], size))
        products = np.stack(
            [
                of_x[0] * of_y[0],
                of_x[1] * of_y[0],
                of_x[0] * of_y[1],
                of_x[1] * of_y[1],
                of_x[2] * of_y[0],
                of_x[0] * of_y[2],
            ]
        )
        lagged = np.roll(np.fft.irfft(products, size, axis=1), b.n - 1, axis=1)[:, :n]
        count = cast("Array", np.round(lagged[0]))
        some = np.maximum(count, 1.0)
        mean_x, mean_y = lagged[1] / some, lagged[2] / some
        power = (lagged[4] + lagged[5]) / some - mean_x**2 - mean_y**2
        common = lagged[3] / some - mean_x * mean_y
        usual = float(np.var(x[p > 0]) + np.var(y[q > 0])) if p.any() and q.any() else 0.0
        is_reliable = (count >= OVERLAP * min(p.sum(), q.sum())) & (power > QUIET * usual) & (count > FEWEST_BINS / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_misfit = np.log(np.maximum(1.0 - 2.0 * common / power, 0.0) + LEAST)
        misfit += np.where(is_reliable, log_misfit, np.inf)
    lags = np.arange(n) - (b.n - 1) + (a.start - b.start) / a.step
    return lags.astype(np.float64), misfit / max(len(a.signals), 1)


def _matrices(side: Timed) -> list[Array]:
    """Return the orientations (n, 3, 3) by each interpretation with different distances, without spikes."""
    rows = side.numbers
    return [_remove_spikes(interpretation.matrices(rows), side.t) for interpretation in _distinct_interpretations(rows)]


def _remove_spikes(R: Array, t: Array) -> Array:
    """Return orientations (n, 3, 3) with spikes interpolated from their neighbours."""
    if len(R) < 5:
        return R
    ahead, behind = R[2:] - R[1:-1], R[1:-1] - R[:-2]
    bend = np.linalg.norm(ahead - behind, axis=(1, 2))
    step = np.maximum(np.linalg.norm(ahead, axis=(1, 2)), np.linalg.norm(behind, axis=(1, 2)))
    is_wild = np.concatenate([[False], (bend > SPIKE * np.median(bend)) & (bend > step), [False]])
    # The neighbours of a spike have large second differences, too: take the largest of each run.
    size = np.concatenate([[0.0], bend, [0.0]])
    is_wild &= (size >= np.roll(size, 1)) & (size >= np.roll(size, -1))
    is_good = ~is_wild
    flat = R.reshape(len(R), 9).copy()
    for i in range(9):
        flat[is_wild, i] = np.interp(t[is_wild], t[is_good], flat[is_good, i])
    return flat.reshape(-1, 3, 3)


def _distinct_interpretations(numbers: Array) -> Sequence[Interpretation]:
    if numbers.shape[1] == 9:
        return interpretations_of(9)
    if numbers.shape[1] == 4:
        unit = "deg" if np.abs(numbers).max() > DEGREES else "rad"
        axis_and_angle = interpretations_of(4, f"axis and angle {unit}")
        return (Interpretation("quaternion", "xyzw"),) if are_unit(numbers) else axis_and_angle
    return interpretations_of(numbers.shape[1], unit_of(numbers))
