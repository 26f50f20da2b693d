"""Evidence for a fit of orientations: outlying rows, independent rows, and the odds against chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import FLOOR, most_wild
from framescope.core.kernels.validation import Array

APART = 1.0 / 3.0
"""Distance below which orientations count as one in the evidence, as a fraction of the spread."""

FEWEST_IN_TIME, FEWEST_INDEPENDENT = 20, 3.0
"""Smallest number of rows for judging whiteness, and smallest number of rows that count as independent."""

OUTLYING = 6.0
"""Distance from the median from which a row is an outlier, as a multiple of the median distance."""

COUNTED = 300
"""Largest number of rows for counting different orientations."""


def outlying_rows(R: Array) -> NDArray[np.bool_]:
    """Return flags (n,) of orientations (n, 3, 3) far from a cluster of the others.

    All are false if more rows than `most_wild` allows would be flagged.
    """
    none = np.zeros(len(R), dtype=np.bool_)
    off = np.linalg.norm(R - np.median(R, axis=0), axis=(1, 2))
    is_out = np.asarray(off > OUTLYING * np.median(off))
    return is_out if is_out.sum() <= most_wild(len(R)) else none


def whiteness(residuals: Array) -> float:
    """Return the fraction of independent rows among residual rotations (n, 3) in the order of time, rad.

    It is von Neumann's ratio, scaled to 1 for white noise and small for drift.

    >>> random = np.random.default_rng(0)
    >>> slow = np.sin(np.arange(300.0)[:, None] / [40, 50, 60])
    >>> whiteness(random.normal(size=(1000, 3))) > 0.9, whiteness(slow) < 0.02
    (True, True)
    """
    power = 2.0 * float(np.sum(residuals**2))
    if len(residuals) < FEWEST_IN_TIME or power <= 0.0:
        return 1.0
    steps = float(np.sum(np.diff(residuals, axis=0) ** 2))
    return float(np.clip(steps / power, FEWEST_INDEPENDENT / len(residuals), 1.0))


def n_different(R: Array, spread: float) -> float:
    """Return the number of different orientations among matrices (n, 3, 3) with a given spread, rad.

    A smooth motion has far fewer of them than rows. Each row counts as one divided by the number of rows near it.

    >>> round(n_different(np.stack([np.eye(3), np.diag([1.0, -1.0, -1.0])] * 50), 1.5), 6)
    2.0
    """
    rows = R[np.linspace(0, len(R) - 1, min(len(R), COUNTED)).astype(int)].reshape(-1, 9)
    cosine = np.clip((rows @ rows.T - 1.0) / 2.0, -1.0, 1.0)
    is_near = cosine >= np.cos(min(APART * spread, 1.0)) - 1e-12
    return float(np.sum(1.0 / np.maximum(is_near.sum(axis=1), 1)))


def evidence(rms: float, spread: float, n_rows: float, n_fitted: int, n_tried: float) -> float:
    """Return the evidence for a fit: minus the logarithm of the probability that unrelated numbers fit as well.

    Parameters
    ----------
    rms
        RMS residual of the fit, rad.
    spread
        Spread of the orientations, rad: the residual of unrelated numbers.
    n_rows
        Number of different orientations.
    n_fitted
        Number of fitted parameters; the three of a common orientation always count, as both sides may begin at zero.
    n_tried
        Number of hypotheses of this kind.

    Notes
    -----
    The sum of D squares of unit normal variables is below ``D x²`` with a probability of at most
    ``exp(D/2 (1 - x² + ln x²))`` for x < 1 (Chernoff's bound; Boucheron, Lugosi, Massart, Concentration Inequalities,
    sec. 2.3). The logarithm of `n_tried` is subtracted, as each trial could fit by chance.
    """
    x2 = (rms**2 + FLOOR**2) / max(spread, FLOOR) ** 2
    if x2 >= 1.0:
        return -float(np.log(n_tried))
    degrees = max(3.0 * (n_rows - 1.0) - max(n_fitted - 3, 0), 0.0)
    return degrees / 2.0 * (x2 - 1.0 - float(np.log(x2))) - float(np.log(n_tried))
