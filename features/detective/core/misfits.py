"""Evidence of a fit of orientations: rows far off, rows that tell something new, and the odds against chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import FLOOR, most_wild
from framescope.core.kernels.validation import Array

APART = 1.0 / 3.0
"""Orientations that lie less than so many times the spread apart count as one when it is said what a fit proves."""

FEWEST_IN_TIME, FEWEST_SPEAKING = 20, 3.0
"""Rows of which it is said how white what they miss is, and of which at least so many speak."""

OUTLYING = 6.0
"""Times the median distance from the middle at which a row lies far off."""

COUNTED = 300
"""Rows by which different orientations are counted."""


def outlying_rows(R: Array) -> NDArray[np.bool_]:
    """Say which orientations (n, 3, 3) lie far off where all others lie close together, and so may be wild.

    None where they would be more than a tenth, or where the orientations lie anywhere.
    """
    none = np.zeros(len(R), dtype=np.bool_)
    off = np.linalg.norm(R - np.median(R, axis=0), axis=(1, 2))
    is_out = np.asarray(off > OUTLYING * np.median(off))
    return is_out if is_out.sum() <= most_wild(len(R)) else none


def whiteness(missed: Array) -> float:
    """Return how much of what is missed is new from row to row, 0 to 1, of turns (n, 3) in the order of time, rad.

    That is von Neumann's ratio. Where it is little, as of drift, so many times fewer rows speak.

    >>> random = np.random.default_rng(0)
    >>> slow = np.sin(np.arange(300.0)[:, None] / [40, 50, 60])
    >>> whiteness(random.normal(size=(1000, 3))) > 0.9, whiteness(slow) < 0.02
    (True, True)
    """
    power = 2.0 * float(np.sum(missed**2))
    if len(missed) < FEWEST_IN_TIME or power <= 0.0:
        return 1.0
    steps = float(np.sum(np.diff(missed, axis=0) ** 2))
    return float(np.clip(steps / power, FEWEST_SPEAKING / len(missed), 1.0))


def n_different(R: Array, spread: float) -> float:
    """Return how many different orientations there are among matrices (n, 3, 3) that lie about `spread` apart, rad.

    Those of a smooth motion are far fewer than its rows. Each row counts one over how many lie near it.

    >>> round(n_different(np.stack([np.eye(3), np.diag([1.0, -1.0, -1.0])] * 50), 1.5), 6)
    2.0
    """
    rows = R[np.linspace(0, len(R) - 1, min(len(R), COUNTED)).astype(int)].reshape(-1, 9)
    cosine = np.clip((rows @ rows.T - 1.0) / 2.0, -1.0, 1.0)
    is_near = cosine >= np.cos(min(APART * spread, 1.0)) - 1e-12
    return float(np.sum(1.0 / np.maximum(is_near.sum(axis=1), 1)))


def evidence(rms: float, spread: float, n_rows: float, n_fitted: int, n_tried: float) -> float:
    """Return how much better than chance a fit is: minus the logarithm of how likely numbers without relation fit so.

    Parameters
    ----------
    rms
        Of the fit, rad.
    spread
        How far the orientations lie apart, rad: by so much what is not related misses.
    n_rows
        Different orientations.
    n_fitted
        Numbers that were fitted; the three of a common orientation count always, as both sides may begin at zero.
    n_tried
        Hypotheses of this kind.

    Notes
    -----
    The sum of D squares of unit normal variables is below ``D x²`` with a probability of at most
    ``exp(D/2 (1 - x² + ln x²))`` for x < 1 (Chernoff's bound; Boucheron, Lugosi, Massart, Concentration Inequalities,
    sec. 2.3). All that were tried had their chance.
    """
    x2 = (rms**2 + FLOOR**2) / max(spread, FLOOR) ** 2
    if x2 >= 1.0:
        return -float(np.log(n_tried))
    degrees = max(3.0 * (n_rows - 1.0) - max(n_fitted - 3, 0), 0.0)
    return degrees / 2.0 * (x2 - 1.0 - float(np.log(x2))) - float(np.log(n_tried))
