"""Stamps that a recorder rounds: the even times of a sensor that samples at a constant rate."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array

TICKS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
"""Units of coarse stamps, s. Finer ones are as good as exact."""

EXACT = 1e-5
"""Difference of a stamp from a multiple of its unit up to which it is one, s: stamps of a day are not exact."""

ONE_STEP = 1.5
"""Time between neighbouring samples, in the usual one, below which no sample is missing between them."""

COARSEST = 0.45
"""Largest unit, as a part of the period, whose rounding leaves no doubt of how many samples are missing."""

JITTER = 0.2
"""Largest jitter of samples that are even, as a part of the unit of their stamps."""


def even_stamps(t: Array) -> Array:
    """Return increasing stamps (n,) as they were before they were rounded, if the samples are even; else as they are.

    A pose that moves by five metres per second and has its stamp rounded to 10 ms is wrong by centimetres, far more
    than by its own noise. The samples of a constant rate lie on a line over their numbers, and rounded stamps within
    half a unit of it.

    Examples
    --------
    >>> even_stamps(np.array([0.0, 0.03, 0.07, 0.1, 0.13, 0.17])).round(3).tolist()
    [-0.001, 0.033, 0.066, 0.1, 0.134, 0.168]
    """
    steps = np.diff(t)
    if len(steps) < 2 or steps.min() <= 0.0:
        return t
    tick = next((tick for tick in TICKS if np.all(np.abs(steps - tick * np.round(steps / tick)) < EXACT)), 0.0)
    period = float(np.mean(steps[steps <= ONE_STEP * np.median(steps)]))
    if tick == 0.0 or tick > COARSEST * period:
        return t
    number = np.concatenate([[0.0], np.cumsum(np.round(steps / period))])
    away, later = number - number.mean(), t - t[0]
    slope = float(away @ later / (away @ away))
    even: Array = t[0] + float(later.mean()) + slope * away
    is_even = np.max(np.abs(even - t)) < (0.5 + JITTER) * tick
    return even if is_even and np.all(np.diff(even) > 0.0) else t


__all__ = ["even_stamps"]
