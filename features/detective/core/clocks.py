"""Clocks that differ by a constant: found before any convention is known, and refined once one is.

How far two orientations of one side lie apart is the same whatever the axes, offsets and sense of the other side:
``|A1 - A2|`` is ``|L (B1 - B2) R|``, and means of orientations keep it. So the distances between what a side was on
average and what it is some time later, for several such times, are signals that both sides have in common. They are
taken of means over many rows, which leaves little of the noise of fast data.
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
"""Rows that are looked at, and means that are taken of them: at most, for a first look, and at least."""

WIDTHS = (1 / 100, 1 / 40, 1 / 16, 1 / 7)
"""Times over which distances are taken, in parts of the shorter side."""

OVERLAP = 0.4
"""Part of the shorter side that must overlap."""

QUIET = 0.1
"""Part of the usual change below which there is nothing to compare."""

LEAST = 1e-5
"""Misfits below this are none."""

FOUND = 4
"""Pairs of readings that are looked at more closely."""

SURE, MAYBE = 1.2, 0.02
"""By how much the logarithm of the misfit falls where a shift is plain, and where it is worth a try."""

SPIKE = 8.0
"""Times the usual second difference from which a row may be a wild one."""

OVER_S = 0.25
"""Rates are taken over so many seconds."""

STEADY = 0.02
"""Part of the power of the rates below which what changes of them is nothing to set a clock by."""

SIGNIFICANT = 5.0
"""Times its own uncertainty from which on a shift is none by chance."""


class Timed(NamedTuple):
    """Rows (n, k) and their times (n,), s, which go forward."""

    numbers: Array
    t: Array

    @property
    def step(self) -> float:
        """The usual time between rows, s."""
        return float(np.median(np.diff(self.t)))


def likely_offsets(a: Timed, b: Timed) -> tuple[float, ...]:
    """Return what may have to be added to the times of `b`, s, the likeliest first: 0 alone where clocks agree."""
    step = max(a.step, b.step)
    overlaps = min(a.t[-1], b.t[-1]) - max(a.t[0], b.t[0]) > 2 * step
    start = 0.0 if overlaps else float(a.t[0] - b.t[0])
    found = _best_shift(a, Timed(b.numbers, b.t + start), step)
    if found is None:
        return (start,)
    shift, gain = found
    if not overlaps or (gain > SURE and abs(shift) > step / 4):
        return (start + shift,)
    return (start,) if gain < MAYBE or abs(shift) < step / 20 else (start, start + shift)


def are_unit(rows: Array) -> bool:
    """Whether most rows have unit length."""
    return bool(np.quantile(np.abs(np.linalg.norm(rows, axis=1) - 1.0), 0.8) < 0.05)


def full_turn(angles: Array) -> float:
    """Return a full turn in the unit that angles (n, 3) seem to have."""
    return 360.0 if unit_of(angles) == "deg" else 2 * np.pi


def shift_by_rate(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> tuple[float, bool]:
    """Return by how much later `b` should be read, s, and whether that is more than chance.

    What the rows miss of a hypothesis is how fast they turn times the shift; where offsets were fitted, besides a
    constant, which they have taken away.
    """
    rates = _rates(h, numbers_a, numbers_b, times)
    if rates is None:
        return 0.0, False
    x, y = rates.rate, rates.missed
    if h.n_fitted:
        x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    power = float(np.sum(x * x))
    if power <= 0.0:
        return 0.0, False
    shift = float(np.sum(x * y)) / power
    left = float(np.sum((y - shift * x) ** 2)) / (3 * len(x))
    uncertainty = np.sqrt(left / power * min(2 * rates.reach, 10))  # rates over several rows share their noise
    return shift, abs(shift) > SIGNIFICANT * uncertainty


def is_shift_an_offset(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> bool:
    """Whether a shift of the clocks would look as the fixed offsets of a hypothesis do: where all turns steadily."""
    rates = _rates(h, numbers_a, numbers_b, times) if h.n_fitted else None
    if rates is None:
        return False
    # What of the rates is no constant, neither for the frame nor for its parent.
    n = len(rates.rate)
    total = rates.B.sum(axis=0)
    normal = np.block([[n * np.eye(3), total.T], [total, n * np.eye(3)]])
    sums = np.concatenate([rates.rate.sum(axis=0), np.einsum("nij,nj->i", rates.B, rates.rate)])
    power = float(np.sum(rates.rate**2))
    left = power - float(sums @ np.linalg.pinv(normal, rcond=1e-9) @ sums)
    noise = 2.0 * float(np.sum((rates.missed - rates.missed.mean(axis=0)) ** 2)) / rates.span**2
    return left < STEADY * power + noise


class _Rates(NamedTuple):
    """How fast rows turn (n, 3), rad/s, by which turns they miss (n, 3), rad, and orientations of `b` (n, 3, 3).

    `reach` is how many rows before and after were taken, `span` the time between these, s.
    """

    rate: Array
    missed: Array
    B: Array
    reach: int
    span: float


def _rates(h: Hypothesis, numbers_a: Array, numbers_b: Array, times: Array) -> _Rates | None:
    B = h.interpretation_b.matrices(numbers_b)
    missed = turns_of(np.swapaxes(B, 1, 2) @ h.predicted_b(numbers_a))
    step = max(float(np.median(np.diff(times))), 1e-9)
    k = max(round(OVER_S / 2 / step), 1)
    if len(times) < 2 * k + 5:
        return None
    span = times[2 * k :] - times[: -2 * k]
    rate = turns_of(np.swapaxes(B[: -2 * k], 1, 2) @ B[2 * k :]) / span[:, None]
    missed, B = missed[k:-k], B[k:-k]
    is_kept = (span < 4 * k * step) & np.isfinite(rate + missed).all(axis=1)
    is_kept[is_kept] &= ~wild_rows(np.linalg.norm(missed[is_kept], axis=1))
    is_kept &= np.linalg.norm(rate, axis=1) * span < np.pi / 2
    if is_kept.sum() < 5:
        return None
    return _Rates(rate[is_kept], missed[is_kept], B[is_kept], k, float(np.median(span)))


# --- Signals of both sides


def _best_shift(a: Timed, b: Timed, step: float) -> tuple[float, float] | None:
    """Return the shift of `b` that makes both most alike, s, and by how much the logarithm of the misfit then falls."""
    length = min(float(np.ptp(a.t)), float(np.ptp(b.t)))
    longest = max(float(np.ptp(a.t)), float(np.ptp(b.t)))
    coarse, fine = (max(step, longest / n) for n in (FEW_BINS, MOST_BINS))
    if length < FEWEST_BINS * step:
        return None
    every_a, every_b = _matrices(a), _matrices(b)
    pairs = [(i, j) for i in range(len(every_a)) for j in range(len(every_b))]
    if len(pairs) > FOUND:
        found_a, found_b = (
            [_Signals(R, side.t, coarse, length, WIDTHS[2:3]) for R in every]
            for every, side in ((every_a, a), (every_b, b))
        )
        misfits = [float(np.nanmin(_lags(found_a[i], found_b[j])[1])) for i, j in pairs]
        best_first: list[int] = np.argsort(misfits, kind="stable").tolist()
        pairs = [pairs[k] for k in best_first[:FOUND]]
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
    """Distances between means of a side and means some time later, on a grid of bins, for several such times."""

    def __init__(self, R: Array, t: Array, step: float, length: float, widths: Sequence[float]) -> None:
        self.start, self.step = float(t[0]), step
        place = ((t - t[0]) / step).astype(int)
        n = int(place[-1]) + 1
        count = np.bincount(place, minlength=n)
        flat = R.reshape(len(R), 9)
        sums = np.stack([np.bincount(place, flat[:, i], n) for i in range(9)], axis=1)
        is_full = count > 0
        bins = np.flatnonzero(is_full)
        # A mean is of the middle of its times, which need not be that of its bin.
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
"""Bins without rows that are bridged."""


def _distances(M: Array, is_known: NDArray[np.bool_], width: int) -> tuple[Array, Array]:
    """Return the squared distances of means that lie `width` bins apart (n,), and whether each is known."""
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
    """Return the shifts of `b` in bins, and the mean logarithm of the misfit of the signals at each; inf where none."""
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
        is_telling = (count >= OVERLAP * min(p.sum(), q.sum())) & (power > QUIET * usual) & (count > FEWEST_BINS / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.log(np.maximum(1.0 - 2.0 * common / power, 0.0) + LEAST)
        misfit += np.where(is_telling, left, np.inf)
    lags = np.arange(n) - (b.n - 1) + (a.start - b.start) / a.step
    return lags.astype(np.float64), misfit / max(len(a.signals), 1)


def _matrices(side: Timed) -> list[Array]:
    """Return the orientations (n, 3, 3) by each reading that gives other distances, wild rows bridged."""
    rows = side.numbers
    return [_calm(interpretation.matrices(rows), side.t) for interpretation in _telling(rows)]


def _calm(R: Array, t: Array) -> Array:
    """Return orientations with those that jump away and back replaced by what lies between their neighbours."""
    if len(R) < 5:
        return R
    ahead, behind = R[2:] - R[1:-1], R[1:-1] - R[:-2]
    bend = np.linalg.norm(ahead - behind, axis=(1, 2))
    step = np.maximum(np.linalg.norm(ahead, axis=(1, 2)), np.linalg.norm(behind, axis=(1, 2)))
    is_wild = np.concatenate([[False], (bend > SPIKE * np.median(bend)) & (bend > step), [False]])
    # Beside a wild row its neighbours bend, too: of each run the one that bends most.
    size = np.concatenate([[0.0], bend, [0.0]])
    is_wild &= (size >= np.roll(size, 1)) & (size >= np.roll(size, -1))
    kept = ~is_wild
    flat = R.reshape(len(R), 9).copy()
    for i in range(9):
        flat[is_wild, i] = np.interp(t[is_wild], t[kept], flat[kept, i])
    return flat.reshape(-1, 3, 3)


def _telling(numbers: Array) -> Sequence[Interpretation]:
    if numbers.shape[1] == 9:
        return interpretations_of(9)
    if numbers.shape[1] == 4:
        unit = "deg" if np.abs(numbers).max() > DEGREES else "rad"
        axis_and_angle = interpretations_of(4, f"axis and angle {unit}")
        return (Interpretation("quaternion", "xyzw"),) if are_unit(numbers) else axis_and_angle
    return interpretations_of(3, unit_of(numbers))
