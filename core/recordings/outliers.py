"""Outliers of a recording: gaps in time, jumps, and single samples that are far off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median

Rows = NDArray[np.intp]

GAP_STEPS = 5.0
"""A step of more than this many times the median step is a gap."""

JUMP_RATIO = 8.0
"""A step is a jump when it is so many times as fast as those around it."""

LEAST_TURN = np.radians(3.0)
"""Turns from one sample to the next that are never called a jump, rad."""

LEAST_SHIFT = 0.01
"""Shifts that are never called a jump, of the extent of the whole path."""

AROUND = 9
"""Steps on either side that a step is compared with."""

SPARED = 4
"""So many of them may be jumps themselves."""

BACK = 0.4
"""An outlier ends as near to where it began, of the step out."""


def gaps(t: Array) -> Rows:
    """Return which of rising times (n,) a gap follows.

    >>> gaps(np.array([0.0, 0.1, 0.2, 0.3, 0.9, 1.0]))
    array([3])
    """
    step = np.diff(t)
    return np.flatnonzero(step > GAP_STEPS * median(step)) if len(step) else np.zeros(0, dtype=np.intp)


def turns(Q: Array) -> Array:
    """Return the angles (n - 1,) between unit quaternions (n, 4) and the next ones, rad, whatever their signs are."""
    return _turn(Q[1:], Q[:-1])


def jumps(t: Array, steps: Array, least: float) -> Rows:
    """Return which steps (n - 1,) are far outside of those around them.

    Parameters
    ----------
    t : (n,)
        Rising times of the samples, s.
    steps : (n - 1,)
        How far it is from each sample to the next.
    least
        Smaller steps are none.

    Examples
    --------
    >>> steps = np.ones(30)
    >>> steps[12] = 20.0
    >>> jumps(np.arange(31.0), steps, 0.0)
    array([12])
    """
    n = len(steps)
    if n < SPARED + 2:
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
        usual[start : start + 8192] = np.partition(near, -SPARED, axis=-1)[:, -SPARED]
    return suspects[rate[suspects] > JUMP_RATIO * usual]


def shifts(p: Array) -> tuple[Array, float]:
    """Return the distances (n - 1,) between points (n, 3) and the next ones, and the least that may be a jump."""
    extent = float(np.sqrt((np.ptp(p, axis=0) ** 2).sum())) if len(p) else 0.0
    return np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1)), max(LEAST_SHIFT * extent, 1e-12)


def outliers(t: Array, p: Array, Q: Array) -> Rows:
    """Return which samples jump out and come back with the next, of positions (n, 3) and quaternions (n, 4).

    >>> Q = np.tile([0.0, 0.0, 0.0, 1.0], (20, 1))
    >>> Q[7] = [0.0, 0.0, 1.0, 0.0]
    >>> outliers(np.arange(20.0), np.zeros((20, 3)), Q)
    array([7])
    """
    steps = turns(Q)
    turned = _there_and_back(jumps(t, steps, LEAST_TURN), steps, _turn(Q[2:], Q[:-2]))
    steps, least = shifts(p)
    across = np.sqrt(((p[2:] - p[:-2]) ** 2).sum(axis=1))
    return np.union1d(turned, _there_and_back(jumps(t, steps, least), steps, across))


def _there_and_back(found: Rows, steps: Array, across: Array) -> Rows:
    """Return the samples with a jump before and after, whose neighbours are near each other."""
    samples = np.intersect1d(found + 1, found)
    return samples[across[samples - 1] < BACK * np.minimum(steps[samples - 1], steps[samples])]


def _turn(Q_a: Array, Q_b: Array) -> Array:
    chord = np.sqrt(np.minimum(linear_algebra.squared_norm(Q_a - Q_b), linear_algebra.squared_norm(Q_a + Q_b)))
    return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
