"""Outliers of a recording: gaps in time, jumps, and single samples far from the motion."""

from __future__ import annotations

import itertools
from typing import cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median

Rows = NDArray[np.intp]

GAP_STEPS = 5.0
"""Length above which a step counts as a gap, as a multiple of the median step."""

JUMP_RATIO = 8.0
"""Speed above which a step counts as a jump, as a multiple of the speed of the steps around it."""

LEAST_TURN = np.radians(3.0)
"""Rotation between samples up to which a step never counts as a jump, rad."""

LEAST_SHIFT = 0.01
"""Distance between samples up to which a step never counts as a jump, as a fraction of the extent of the path."""

AROUND = 9
"""Number of steps on either side with which a step is compared."""

USUAL_RANK = 4
"""Rank of the usual speed among the compared steps, counted from the fastest."""

RETURN_RATIO = 0.4
"""Largest distance between the samples before and after an outlier, as a fraction of the step to the outlier."""

SPIKE_RATIO = 5.0
"""Distance from the surrounding motion above which a sample is a spike, as a multiple of the usual distance."""

SUSPECT_RATIO = 3.0
"""Distance from the cubic through its neighbours above which a sample is examined, relative to the usual distance."""

SPIKE_AROUND = 6
"""Number of samples on either side of a spike that define the motion around it."""

CUBIC_MISS = 1.39
"""Rms distance of samples from the cubic through four neighbours, as a multiple of their noise: sqrt(70) / 6."""

CORNER_RATIO = 0.5
"""Smallest distance of a spike from its neighbours, as a multiple of the distance that a corner would explain."""

REWEIGHTINGS = 8
"""Number of iterations of a robust fit."""

BLOCK = 4096
"""Number of suspected spikes that are fitted together."""

SHORTEST_PART = 8
"""Smallest number of samples between two jumps that form a motion of their own."""


def gaps(t: Array) -> Rows:
    """Return the indices of the times that precede a gap, among rising times (n,).

    >>> gaps(np.array([0.0, 0.1, 0.2, 0.3, 0.9, 1.0]))
    array([3])
    """
    step = np.diff(t)
    return np.flatnonzero(step > GAP_STEPS * median(step)) if len(step) else np.zeros(0, dtype=np.intp)


def turns(Q: Array) -> Array:
    """Return the angles (n - 1,) between successive unit quaternions (n, 4), rad, independent of their signs."""
    return _turn(Q[1:], Q[:-1])


def jumps(t: Array, steps: Array, least: float) -> Rows:
    """Return the indices of steps (n - 1,) that are much faster than the steps around them.

    Parameters
    ----------
    t : (n,)
        Rising times of the samples, s.
    steps : (n - 1,)
        Distance from each sample to the next, m or rad.
    least
        Size up to which a step never counts as a jump.

    Examples
    --------
    >>> steps = np.ones(30)
    >>> steps[12] = 20.0
    >>> jumps(np.arange(31.0), steps, 0.0)
    array([12])
    """
    n = len(steps)
    if n < USUAL_RANK + 2:
        return np.zeros(0, dtype=np.intp)
    dt = np.diff(t)
    rate = steps / np.maximum(dt, 0.2 * median(dt))
    suspects = np.flatnonzero(steps > least)
    padded = np.pad(rate, AROUND, constant_values=0.0)
    offsets = np.array([k for k in range(2 * AROUND + 1) if k != AROUND])
    usual = np.empty(len(suspects))
    for start in range(0, len(suspects), 8192):
        rows = suspects[start : start + 8192]
        near = padded[rows[:, np.newaxis] + offsets]
        usual[start : start + 8192] = np.partition(near, -USUAL_RANK, axis=-1)[:, -USUAL_RANK]
    return suspects[rate[suspects] > JUMP_RATIO * usual]


def shifts(p: Array) -> tuple[Array, float]:
    """Return the distances (n - 1,) between successive points (n, 3), and the smallest distance of a jump."""
    extent = float(np.sqrt((np.ptp(p, axis=0) ** 2).sum())) if len(p) else 0.0
    return np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1)), max(LEAST_SHIFT * extent, 1e-12)


def outliers(t: Array, p: Array, Q: Array) -> Rows:
    """Return the samples of positions (n, 3) and quaternions (n, 4) that jump away and return with the next sample.

    >>> Q = np.tile([0.0, 0.0, 0.0, 1.0], (20, 1))
    >>> Q[7] = [0.0, 0.0, 1.0, 0.0]
    >>> outliers(np.arange(20.0), np.zeros((20, 3)), Q)
    array([7])
    """
    steps = turns(Q)
    turned = _outliers_between_jumps(jumps(t, steps, LEAST_TURN), steps, _turn(Q[2:], Q[:-2]))
    steps, least = shifts(p)
    across = np.sqrt(((p[2:] - p[:-2]) ** 2).sum(axis=1))
    return np.union1d(turned, _outliers_between_jumps(jumps(t, steps, least), steps, across))


def spikes(t: Array, y: Array) -> Rows:
    """Return the samples, single or in groups, that deviate from the surrounding motion by much more than noise.

    Unlike `outliers`, this function needs no smallest size: it compares a deviation with the neighbours' deviations.

    Parameters
    ----------
    t : (n,)
        Rising times, s.
    y : (n, m)
        Samples of signals with a meaningful distance, such as positions or quaternions.

    Notes
    -----
    Samples far from the cubic through their four neighbours are suspects; these include the neighbours of a spike. Each
    suspect is compared with the cubic that has the least sum of distances to the samples around it. This cubic hardly
    changes even if a third of the samples are wild. Kinks and jumps do not count as spikes: at a kink of an exact
    motion all samples deviate alike, and after a jump the cubic follows the larger part.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 40)
    >>> y = np.stack([100.0 * t, np.sin(t)], axis=-1)
    >>> y[[7, 20, 21, 23]] += 0.01
    >>> spikes(t, y)
    array([ 7, 20, 21, 23])
    """
    n = len(t)
    if n < 2 * SPIKE_AROUND + 1:
        return np.zeros(0, dtype=np.intp)
    start = np.arange(n - 4)[:, np.newaxis] + np.array([0, 1, 3, 4])
    miss = y[2:-2] - _interpolate(t[start], y[start], t[2:-2])
    far = np.pad(np.sqrt((miss**2).sum(axis=1)), 2, constant_values=np.inf) / CUBIC_MISS
    calm = float(np.quantile(far, 0.1))
    suspects = np.flatnonzero(far > SUSPECT_RATIO * calm)
    spike_rows = [np.zeros(0, dtype=np.intp)]
    for first in range(0, len(suspects), BLOCK):
        rows = suspects[first : first + BLOCK]
        around = np.clip(rows, 2 * SPIKE_AROUND, n - 1 - 2 * SPIKE_AROUND)[:, np.newaxis]
        wide = np.clip(around + np.arange(-2 * SPIKE_AROUND, 2 * SPIKE_AROUND + 1), 0, n - 1)
        usual = np.median(far[wide], axis=1)
        near = far[rows] > SUSPECT_RATIO * usual
        rows, usual = rows[near], usual[near]
        off, others = _distances_from_cubic(t, y, rows)
        spike_rows.append(rows[off > SPIKE_RATIO * np.maximum(usual, others)])
    return _drop_jumps_and_corners(t, y, np.concatenate(spike_rows))


def _drop_jumps_and_corners(t: Array, y: Array, rows: Rows) -> Rows:
    """Drop runs of rows that are jumps or corners of the motion and not spikes."""
    rest = np.delete(np.arange(len(t)), rows)
    if not len(rows) or len(rest) < 6:
        return rows
    is_first = np.append(True, np.diff(rows) > 1)
    run = np.cumsum(is_first) - 1
    after = np.searchsorted(rest, rows[is_first])
    is_inside = (after >= 3) & (after <= len(rest) - 3)  # at the ends of the recording the continuation is unknown
    after = np.clip(after, 3, len(rest) - 3)
    a0, a, b, b0 = (rest[after + k] for k in (-3, -1, 0, 2))
    across = np.sqrt(((y[b] - y[a]) ** 2).sum(axis=1))
    slopes = ((y[last] - y[first]) / (t[last] - t[first])[:, np.newaxis] for first, last in ((a0, a), (b, b0)))
    corner = np.sqrt(((next(slopes) - next(slopes)) ** 2).sum(axis=1)) * (t[b] - t[a])
    step = np.sqrt((np.diff(y, axis=0) ** 2).sum(axis=1))
    around = np.clip(a[:, np.newaxis] + np.arange(-SPIKE_AROUND, SPIKE_AROUND + 1), 0, len(step) - 1)
    usual = np.median(step[around], axis=1) * (b - a)
    u = ((t[rows] - t[a[run]]) / (t[b[run]] - t[a[run]]))[:, np.newaxis]
    off = np.sqrt(((y[rows] - (1.0 - u) * y[a[run]] - u * y[b[run]]) ** 2).sum(axis=1))
    goes_on = is_inside[run] & (across[run] <= RETURN_RATIO * off + 2.0 * usual[run])
    return rows[goes_on & (off > CORNER_RATIO * corner[run])]


def remove_spikes(t: Array, y: Array) -> Array:
    """Replace each spike of samples (n, m) by the polynomial through the six nearest samples that are not spikes."""
    wild = spikes(t, y)
    if not len(wild):
        return y
    rest = np.delete(np.arange(len(t)), wild)
    y = y.copy()
    first = np.clip(np.searchsorted(rest, wild) - 3, 0, len(rest) - 6)
    around = rest[first[:, np.newaxis] + np.arange(6)]
    is_near = np.diff(t[around], axis=1).max(axis=1) <= GAP_STEPS * median(np.diff(t))
    y[wild[is_near]] = _interpolate(t[around[is_near]], y[around[is_near]], t[wild[is_near]])
    far = wild[~is_near]
    for i in range(y.shape[1]):
        y[far, i] = np.interp(t[far], t[rest], y[rest, i])
    return y


def breaks(t: Array, p: Array, Q: Array) -> Rows:
    """Return the samples after which a new motion starts, which are jumps with no other jump nearby.

    >>> x = np.where(np.arange(40.0) < 20.0, 0.0, 5.0)[:, np.newaxis]
    >>> breaks(np.arange(40.0), np.hstack([x, 0.0 * x, 0.0 * x]), np.tile([0.0, 0.0, 0.0, 1.0], (40, 1)))
    array([19])
    """
    steps, least = shifts(p)
    jump_rows = np.union1d(jumps(t, turns(Q), LEAST_TURN), jumps(t, steps, least))
    lengths = np.diff(np.concatenate([[-1], jump_rows, [len(t) - 1]]))
    return jump_rows[(lengths[:-1] >= SHORTEST_PART) & (lengths[1:] >= SHORTEST_PART)]


def _distances_from_cubic(t: Array, y: Array, rows: Rows) -> tuple[Array, Array]:
    """Return the distances of samples from a robust cubic of their neighbours, and the neighbours' median distance.

    The cubic has the least sum of distances. It is found by iterated least squares with inverse distances as weights.
    """
    width = 2 * SPIKE_AROUND + 1
    first = np.clip(rows - SPIKE_AROUND, 0, len(t) - width)
    around = first[:, np.newaxis] + np.arange(width)
    near_t, near_y = t[around], y[around]
    middle = 0.5 * (near_t[:, :1] + near_t[:, -1:])
    u = (near_t - middle) / np.maximum(near_t[:, -1:] - middle, 1e-300)
    basis = np.stack([np.ones_like(u), u, u**2, u**3], axis=-1)
    near_y = near_y - np.median(near_y, axis=1, keepdims=True)
    size = np.maximum(np.sqrt((near_y**2).sum(axis=-1)).max(axis=1, keepdims=True), 1e-300)
    weight = np.ones_like(u)
    distance = weight
    for _ in range(REWEIGHTINGS):
        weighted = basis * weight[..., np.newaxis]
        normal = np.swapaxes(weighted, 1, 2) @ basis + 1e-12 * np.eye(4) * weight.max(axis=1)[:, np.newaxis, np.newaxis]
        parts = cast("Array", np.linalg.solve(normal, np.swapaxes(weighted, 1, 2) @ near_y))
        fitted = basis @ parts
        distance = np.sqrt(((near_y - fitted) ** 2).sum(axis=-1))
        weight = 1.0 / np.maximum(distance / size, 1e-9)
    place = rows - first
    is_other = np.arange(width) != place[:, np.newaxis]
    others = np.median(distance[is_other].reshape(len(rows), width - 1), axis=1)
    return distance[np.arange(len(rows)), place], others


def _interpolate(t: Array, y: Array, at: Array) -> Array:
    """Interpolate at each of n times by a polynomial through k samples of times (n, k) and values y (n, k, m)."""
    out = np.zeros((len(at), y.shape[-1]))
    for i in range(t.shape[1]):
        weight = np.ones(len(at))
        for j in itertools.chain(range(i), range(i + 1, t.shape[1])):
            weight *= (at - t[:, j]) / (t[:, i] - t[:, j])
        out += weight[:, np.newaxis] * y[:, i]
    return out


def _outliers_between_jumps(jump_rows: Rows, steps: Array, across: Array) -> Rows:
    """Return the samples with a jump before and after whose neighbours are close to each other."""
    samples = np.intersect1d(jump_rows + 1, jump_rows)
    return samples[across[samples - 1] < RETURN_RATIO * np.minimum(steps[samples - 1], steps[samples])]


def _turn(Q_a: Array, Q_b: Array) -> Array:
    chord = np.sqrt(np.minimum(linear_algebra.squared_norm(Q_a - Q_b), linear_algebra.squared_norm(Q_a + Q_b)))
    return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
