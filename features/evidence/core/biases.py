"""Constant offsets of angular velocities and specific forces."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.linear_systems import inv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.relations import Relation, coefficients
from framescope.features.evidence.core.search import Explanation
from framescope.features.evidence.core.spectral_fit import inverse
from framescope.features.evidence.core.weighing import Evidence

BLOCKS = 12
"""Parts of a recording whose means show the error of a mean."""

LEAST_RATE, LEAST_FORCE = 0.025, 0.6
"""Least offset that is reported, rad/s and m/s²: sensors as cheap as that of a phone have less."""

SIGNIFICANT = 5.0
"""Standard errors above which an offset is significant."""


def rate_bias(evidence: Evidence, explanation: Explanation, k: int) -> tuple[Array, Array] | None:
    """Return the offset (3,) of an angular velocity in rad/s, as it is read, and its standard errors.

    It is the mean difference to the turns of each orientation; None without orientations, or if they disagree.
    """
    estimates = list[tuple[Array, Array]]()
    for relation in evidence.relations:
        if relation.kind != "turn" or k not in relation.members:
            continue
        other = next(m for m in relation.members if m != k)
        aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
        if aligned is None or evidence.scope.tracks[other].quantity != "orientation":
            continue
        series = aligned.fit.series
        # The rate is read as K times the rate by the orientation, and the offset.
        theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
        rate, turn = (series.Z, series.y) if relation.members[0] == other else (series.y, series.Z)
        K = inv(theta) if relation.members[0] == other else theta
        difference: Array = (rate - turn @ K.T)[series.is_good] / series.width
        if len(difference) >= 4 * BLOCKS:
            estimates.append(_mean_of(difference))
    if not estimates:
        return None
    best = min(estimates, key=lambda estimate: float(np.sum(estimate[1] ** 2)))
    for bias, sigma in estimates:
        if np.any(np.abs(bias - best[0]) > 6.0 * np.hypot(sigma, best[1]) + 0.3 * np.linalg.norm(best[0])):
            return None
    return best


def _mean_of(x: Array) -> tuple[Array, Array]:
    """Return the mean of rows (n, k), and its standard errors by those of its parts, without outliers."""
    means = np.array(
        [np.median(block, axis=0) if len(block) < 8 else _trimmed(block) for block in np.array_split(x, BLOCKS)]
    )
    return _trimmed(means, 0.1), means.std(axis=0, ddof=1) / np.sqrt(BLOCKS)


def _trimmed(x: Array, share: float = 0.02) -> Array:
    k = int(share * len(x))
    return np.sort(x, axis=0)[k : len(x) - k].mean(axis=0)


def force_bias(evidence: Evidence, explanation: Explanation, k: int) -> tuple[Array, Array] | None:
    """Return the offset (3,) of a specific force in m/s², as it is read, and its standard errors.

    A turn of the sensor and an error of its scale are free, so that only tilts tell.
    """
    best: tuple[Array, Array] | None = None
    for relation in evidence.relations:
        if relation.kind != "gravity" or relation.members[0] != k:
            continue
        estimate = _force_bias(evidence, explanation, relation)
        if estimate is not None and (best is None or np.sum(estimate[1] ** 2) < np.sum(best[1] ** 2)):
            best = estimate
    return best


def _force_bias(evidence: Evidence, explanation: Explanation, relation: Relation) -> tuple[Array, Array] | None:
    aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
    if aligned is None or not aligned.fit.is_telling or explanation.states[relation.members[0]].form != "stated":
        return None
    fit = aligned.fit
    theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
    wiggle = evidence.wiggle(relation, fit, theta, explanation.states, explanation.mounts)
    D = wiggle.directions
    free = np.array([*wiggle.sigma[:7], 10.0, 10.0, 10.0, *wiggle.sigma[10:]])
    H = np.einsum("wcq,cqp,vcp->wv", D, fit.A, D) + np.diag(1.0 / free**2)
    g = np.einsum("wcq,cq->w", D, fit.B - np.einsum("cpq,cq->cp", fit.A, theta))
    covariance = inverse(H)
    beta = covariance @ g
    return beta[7:10], np.sqrt(np.diag(covariance)[7:10])
