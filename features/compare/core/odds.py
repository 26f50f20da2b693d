r"""Prior of relations, and evidence that two sides give for one.

A relation has the prior :math:`w_i \propto e^{-c_i}` with its cost :math:`c_i`, over all relations that are tried, and
the two sides may be unrelated with `UNRELATED`. If relation i holds, the orientations differ by a normal rotation
vector of standard deviation σ; otherwise by any rotation, whose density in the same coordinates is :math:`1/8π²` near
zero (Chirikjian, *Stochastic Models, Information Theory, and Lie Groups*, vol. 2, sec. 12.1). The factor between both
is :math:`8π² (2π)^{-3/2} σ^{-3} e^{-θ²/2σ²}`. Numbers are either rounded alone or measured as well, so that σ has two
values with equal weights.

Unrelated sides reach a weighted sum of factors above k with a probability of at most 1/k (Markov's inequality),
whatever is tried: this bounds wrong answers.
"""

from __future__ import annotations

import math

import numpy as np

from framescope.core.kernels.validation import Array

MEASURED, MEASURED_M = math.radians(0.3), 2e-3
"""Standard deviations of measured orientations, rad for each axis, and positions, m for each axis."""

FINEST, FINEST_M = 1e-7, 1e-7
"""Least standard deviations, rad and m."""

WITHIN = 4.5
"""Distance, in standard deviations, within which a relation is reached by the numbers."""

UNRELATED = 0.2
"""Prior of sides that no relation connects."""

ENOUGH, CERTAIN = 1e3, 1e5
"""Sum of weighted factors from which an answer is likely, and from which it may be settled."""


def rotation_evidence(angles: Array, rounding: Array) -> Array:
    """Return the logarithm of the factor in favour of relations, from their misfits and the rounding, rad.

    >>> bool(rotation_evidence(np.array([0.001]), np.array([0.0]))[0] > 15.0)
    True
    """
    constant = math.log(8.0 * math.pi**2) - 1.5 * math.log(2.0 * math.pi)
    return constant + _of_two(angles, np.hypot(rounding, FINEST), np.hypot(rounding, MEASURED))


def position_evidence(misses: Array, rounding: Array, measured: Array, scale: float) -> Array:
    """Return the logarithm of the factor in favour of positions that miss by distances (n,), m.

    Parameters
    ----------
    misses
        Distances (n,), m.
    rounding, measured
        Standard deviations (n,) of positions that are rounded alone, and of those that are measured, m.
    scale
        Size of positions in this pair, m: the standard deviation of unrelated ones.
    """
    return 3.0 * math.log(scale) + _of_two(misses, np.hypot(rounding, FINEST_M), np.minimum(measured, scale))


def _of_two(distances: Array, first: Array, second: Array) -> Array:
    """Return the logarithm of the mean of two normal densities in three dimensions, without their constant."""
    return np.logaddexp(*(-3.0 * np.log(s) - distances**2 / (2.0 * s**2) for s in (first, second))) - math.log(2.0)


def n_accidents(n_relations: float, angle: float) -> float:
    """Return the number of relations, among so many, that unrelated orientations fit within an angle, rad.

    The fraction of all rotations within an angle θ is (θ - sin θ)/π (Miles, Biometrika 52, 1965).

    >>> round(n_accidents(115_200, math.radians(0.5)), 3)
    0.004
    """
    return n_relations * (angle - math.sin(angle)) / math.pi
