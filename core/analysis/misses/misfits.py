"""Robust misfits: goodness of fit of hypotheses when some rows are wild.

The error of a row is either noise with a normally distributed rotation vector, or the row is *wild*: any rotation.
Twice the negative logarithm of the likelihood of n rows, w of them wild, at the best noise is

    3 (n - w) ln(mean of r² of the others) + w WILD_COST,    WILD_COST = 2 ln(8π² / share) - 3 ln(2πe/3)

with 8π² the volume of the rotations in the measure of rotation vectors (Chirikjian, Stochastic Models, Information
Theory, and Lie Groups, vol. 2, ch. 12). The best w is used, up to a tenth of the rows. The order of rows is irrelevant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array

MOST_WILD = 0.1
"""Largest fraction of wild rows."""

FEWEST_WITH_WILD = 5
"""Smallest number of rows at which a row may be wild."""

SHARE = 0.01
"""Expected fraction of wild rows."""

WILD_COST = 2.0 * np.log(8.0 * np.pi**2 / SHARE) - 3.0 * np.log(2.0 * np.pi * np.e / 3.0)

OFFSET_COST = (8.0 * np.pi**2) ** (2.0 / 3.0) / (2.0 * np.pi)

FLOOR = 1e-7
"""Residual up to which a difference counts as rounding, rad."""


@dataclass(frozen=True, eq=False)
class Misfit:
    """Goodness of fit of hypotheses.

    Attributes
    ----------
    cost : (k,)
        Twice the negative logarithm of the likelihood, up to a constant.
    rms : (k,)
        Root mean square of the residuals of the rows that are not wild, in units of the scale.
    n_wild : (k,)
        Number of wild rows under each hypothesis.
    """

    cost: Array
    rms: Array
    n_wild: NDArray[np.intp]


def most_wild(n: int) -> int:
    """Return the largest number of wild rows among n rows.

    >>> most_wild(4), most_wild(5), most_wild(100)
    (0, 1, 10)
    """
    return max(int(MOST_WILD * n), int(n >= FEWEST_WITH_WILD))


def cost_of(miss: Array, n: Array | int, n_fitted: Array, scale: Array) -> Array:
    """Return twice the negative logarithm of the likelihood of n residuals, up to a common constant.

    Parameters
    ----------
    miss
        Root mean square residual, in units of the scale.
    n_fitted
        Number of fitted parameters of constant offsets. The likelihood is averaged over them with all rotations equally
        likely.
    scale
        Unit of the residuals, rad.

    Notes
    -----
    By Laplace's method, p fitted parameters remove p of the 3 n degrees of freedom and cost
    ``p ln(n (8π²)^(2/3) / 2π)``. When noise is small, an offset that fits by chance is large, which the usual
    ``p ln n`` alone ignores (C. Bishop, Pattern Recognition and Machine Learning, sec. 4.4.1).
    """
    free = np.maximum(3.0 * n - n_fitted, 0.0)
    mean = 3.0 * n * miss**2 / np.maximum(free, 1.0)
    return free * np.log(mean + FLOOR**2) + n_fitted * np.log(OFFSET_COST * n / scale**2)


def misfit_of(residuals: Array, scale: Array, n_fitted: Array) -> Misfit:
    """Return the goodness of fit of hypotheses.

    Parameters
    ----------
    residuals : (k, n)
        Residuals, rad.
    scale, n_fitted : (k,)
        See `cost_of`.
    """
    n = residuals.shape[1]
    most = most_wild(n)
    squares = (residuals / scale[:, None]) ** 2
    if most:
        squares = np.partition(squares, n - most - 1, axis=1)
        top = np.sort(squares[:, n - most :], axis=1)
        body = squares[:, : n - most].sum(axis=1)
        sums = body[:, None] + np.concatenate([np.zeros((len(top), 1)), np.cumsum(top, axis=1)], axis=1)
        sums = sums[:, ::-1]  # with 0, 1, ... rows wild
    else:
        sums = squares.sum(axis=1, keepdims=True)
    w = np.arange(most + 1)
    mean = sums / (n - w)
    # A wild row must differ from the others, not be in the tail of larger noise.
    costs = cost_of(np.sqrt(mean), n - w, n_fitted[:, None], scale[:, None]) + w * WILD_COST
    best = costs.argmin(axis=1)
    rows = np.arange(len(costs))
    return Misfit(costs[rows, best], np.sqrt(mean[rows, best]), best)


def wild_rows(residuals: Array) -> NDArray[np.bool_]:
    """Flag the wild rows (n,) by the residuals of a hypothesis, rad."""
    n_wild = int(misfit_of(residuals[None], np.ones(1), np.zeros(1)).n_wild[0])
    if not n_wild:
        return np.zeros(len(residuals), dtype=np.bool_)
    limit = np.partition(residuals, len(residuals) - n_wild)[len(residuals) - n_wild]
    return np.asarray(residuals >= limit)
