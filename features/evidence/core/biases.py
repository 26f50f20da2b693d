"""Constant offsets of angular velocities, specific forces and magnetic fields, and scales of angular velocities."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from framescope.core.kernels.linear_systems import inv
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import AxisChange, changes
from framescope.features.evidence.core.relations import Relation, coefficients
from framescope.features.evidence.core.search import Explanation
from framescope.features.evidence.core.spectral_fit import inverse
from framescope.features.evidence.core.tracks import Track
from framescope.features.evidence.core.weighing import DEPENDENT, Aligned, Evidence
from framescope.features.evidence.core.windows import turns_between, value_at

BLOCKS = 12
"""Parts of a recording whose means show the error of a mean."""

LEAST_RATE, LEAST_FORCE = 0.025, 0.6
"""Least offset that is reported, rad/s and m/s²: sensors as cheap as that of a phone have less."""

MOST_FORCE = 5.0
"""Length from which a constant difference of a specific force is no offset, but gravity in another unit, m/s²."""

LEAST_FIELD = 10e-6
"""Least offset of a magnetic field that is reported, T: bodies with little iron have less."""

LARGE_FIELD = 1e-3
"""Largest offset of a magnetic field, T."""

ALONG = 0.95
"""Cosine of the angle to gravity from which an offset may be an error of the scale."""

UNUSUAL, AS_GOOD, MOST_CHANGES = 4.5, 2.0, 3
"""Cost above the free fit from which an offset of a field is unusual, and up to which other axes explain the field; and
largest number of such axes that are told."""

KNOWN = 0.3
"""Largest standard error of an offset of a magnetic field that is reported, as a part of it."""

TILTING = 0.3
"""Part of its tilts that a sensor does not feel from which the body tilts in order to accelerate."""

TILT_FORCE = 0.1
"""Usual error of an offset by tilts of the reference, m/s²."""

ARM = 0.2
"""Usual distance of a sensor from the point about which its body turns, m."""

TURN_STEP = 0.1
"""Time over which turning rates are averaged, s."""

CONTRADICTING = 16.0
"""Chi-square of the three components of two offsets from which they are not of one sensor alone."""

SIGNIFICANT = 5.0
"""Standard errors above which an offset is significant."""

LEAST_SCALE = 0.035
"""Least part by which rates are reported as too large or too small: those of cheap sensors differ by less."""

UNALIKE, EXPLAINED = 0.01, 0.15
"""Largest difference of scales by several orientations, and part of the evidence that scaled rates may miss."""


def rate_bias(evidence: Evidence, explanation: Explanation, k: int, scale: float = 1.0) -> tuple[Array, Array] | None:
    """Return the offset (3,) of an angular velocity in rad/s, as it is read, and its standard errors.

    `scale` is the factor by which it reads too large beside its state (`rate_scale`).
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
        K = scale * (inv(theta) if relation.members[0] == other else theta)
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


def rate_scale(evidence: Evidence, explanation: Explanation, k: int) -> tuple[float, float] | None:
    """Return the factor by which an angular velocity reads too large beside its state, and its standard error.

    The turns of orientations have no scale; those about one axis alone may be counted by wheels, and tell nothing.
    None without other orientations, or if they disagree.
    """
    tracks, estimates = evidence.scope.tracks, list[tuple[float, float]]()
    for relation in evidence.relations:
        if relation.kind != "turn" or k not in relation.members:
            continue
        other = next(m for m in relation.members if m != k)
        aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
        if aligned is None or tracks[other].quantity != "orientation" or not aligned.fit.is_telling:
            continue
        fit = aligned.fit
        if np.count_nonzero(fit.n) < fit.n.size:
            continue
        theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
        along, power = np.einsum("cp,cp->", theta, fit.B), np.einsum("cp,cpq,cq->", theta, fit.A, theta)
        if along <= 0.0:
            continue
        # Noise of the features makes the first of both factors too small, and noise of the series the other too large.
        factors = np.array([along / power, float(np.sum(fit.C)) / along])
        missed = float(fit.cost(fit.chi_squares(factors[0] * theta))) - fit.unexplained
        if missed > EXPLAINED * abs(fit.unexplained):
            continue
        scale = 1.0 / factors if relation.members[1] == k else factors
        nearest = float(scale[np.argmin(np.abs(np.log(scale)))] if np.prod(np.log(scale)) > 0.0 else 1.0)
        excess = max(1.0, float(np.sum(fit.chi_squares(factors[0] * theta)) / max(float(np.sum(fit.n)), 1.0)))
        estimates.append((nearest, float(nearest * np.sqrt(excess / power) / factors[0])))
    if not estimates or np.ptp(np.log([scale for scale, _ in estimates])) > UNALIKE:
        return None
    return min(estimates, key=lambda estimate: estimate[1])


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

    Accelerations that positions or velocities show are taken into account. Without those, as for the height of a robot
    in the plane, only tilts tell: a turn of the sensor and an error of its scale are free, and a body that tilts in
    order to accelerate tells nothing. Nor do orientations whose tilts show different offsets.
    """
    moving = [r for r in evidence.relations if r.kind == "motion" and r.members[1] == k]
    tilting = [r for r in evidence.relations if r.kind == "gravity" and r.members[0] == k]
    in_motion = _least([_bias_in_motion(evidence, explanation, relation) for relation in moving])
    if in_motion is not None and np.linalg.eigvalsh(in_motion[1])[-1] < LEAST_FORCE**2:
        return in_motion[0], np.sqrt(np.diag(in_motion[1]))
    at_rest = agreed_offset(
        [_bias_at_rest(evidence, explanation, r) for r in tilting],
        [not evidence.scope.joins_bodies(r) for r in tilting],
    )
    known = [estimate for estimate in (in_motion, at_rest) if estimate is not None]
    if not known:
        return None
    covariance = inv(np.sum([inv(C) for _, C in known], axis=0))
    bias = covariance @ np.sum([inv(C) @ b for b, C in known], axis=0)
    return bias, np.sqrt(np.diag(covariance))


def _least(estimates: list[tuple[Array, Array] | None]) -> tuple[Array, Array] | None:
    """Return the offset (3,) and covariance (3, 3) that are known best."""
    known = [estimate for estimate in estimates if estimate is not None]
    return min(known, key=lambda estimate: float(np.trace(estimate[1])), default=None)


def agreed_offset(
    estimates: list[tuple[Array, Array] | None], can_contradict: list[bool]
) -> tuple[Array, Array] | None:
    """Return the offset (3,) and covariance (3, 3) that are known best; None if another contradicts them.

    Those that follow from a fitted mount contradict nothing, since the mount may be wrong.
    """
    best = _least(estimates)
    for other, contradicts in zip(estimates, can_contradict, strict=True):
        if best is None or other is None or other is best or not contradicts:
            continue
        apart = other[0] - best[0]
        if float(apart @ inv(other[1] + best[1]) @ apart) > CONTRADICTING:
            return None
    return best


def _usable(evidence: Evidence, explanation: Explanation, relation: Relation, k: int) -> Aligned | None:
    aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
    if aligned is None or not aligned.fit.is_telling or explanation.states[k].form not in ("stated", "offset"):
        return None
    return aligned


def _bias_in_motion(evidence: Evidence, explanation: Explanation, relation: Relation) -> tuple[Array, Array] | None:
    aligned = _usable(evidence, explanation, relation, relation.members[1])
    if aligned is None:
        return None
    fit = aligned.fit
    theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
    rest = fit.nuisance_B - np.einsum("cmq,cq->cm", fit.nuisance_A, theta)
    # Position of the sensor and offset are the same in all channels.
    H = np.sum(fit.nuisance_information, axis=0) + np.diag([1.0, 1.0, 1.0, 0.01, 0.01, 0.01])
    covariance = inv(H)
    offset = covariance @ np.sum(rest, axis=0)
    # The chi-square with the same offset in all channels, which may be larger than is usual.
    kept = np.einsum("cm,cmn,cn->", rest, fit.nuisance_inverse, rest)
    chi = (
        np.sum(fit.chi_squares(theta))
        + kept
        + np.einsum("cm,m->", fit.nuisance_information @ offset - 2.0 * rest, offset)
    )
    excess = max(1.0, float(chi / max(float(np.sum(fit.n)), 1.0)))
    _, j, k = relation.members
    # The offset is resolved in the axes of the orientation, as they are read.
    back = (
        explanation.states[j].T.M @ evidence.scope.turn_between(j, k, explanation.mounts) @ explanation.states[k].T.back
    )
    usual = (TILT_FORCE * float(explanation.states[j].T.size)) ** 2
    return -back @ offset[3:], back @ covariance[3:, 3:] @ back.T * excess + usual * np.eye(3)


def _bias_at_rest(evidence: Evidence, explanation: Explanation, relation: Relation) -> tuple[Array, Array] | None:
    aligned = _usable(evidence, explanation, relation, relation.members[0])
    if aligned is None:
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
    if wiggle.share >= 0 and beta[wiggle.share] > TILTING:
        return None
    # The pull towards the point about which the body turns is constant in the body, as an offset is.
    pull = ARM * mean_square_rate(evidence.scope.tracks[relation.members[1]])
    return beta[7:10], covariance[7:10, 7:10] + pull**2 * np.eye(3)


def mean_square_rate(track: Track) -> float:
    """Return the mean square of the turning rate that an orientation shows, rad²/s²."""
    step = max(TURN_STEP, 2.0 * track.period)
    edges = np.arange(track.t[0], track.t[-1], step)
    if len(edges) < 2:
        return 0.0
    turns = turns_between(value_at(track, edges))
    squares: Array = np.sum(turns**2, axis=1)
    return float(np.mean(squares)) / step**2


def field_bias(
    evidence: Evidence, explanation: Explanation, k: int, doubted: frozenset[int] = frozenset()
) -> tuple[Array, Array] | None:
    """Return the offset (3,) of a magnetic field in T, as it is read, and its standard errors.

    The field of the Earth turns against the body, and the offset does not. None if the turns leave it open, or
    contradict each other. `doubted` are tracks whose fault has rivals: turns about wrong axes make an offset of a field
    that has none.
    """
    relations = [r for r in evidence.relations if r.kind == "carried" and r.members[0] == k]
    relations = [r for r in relations if r.members[1] not in doubted]
    estimates = [_bias_of_turning(evidence, explanation, relation) for relation in relations]
    best = agreed_offset(estimates, [not evidence.scope.joins_bodies(relation) for relation in relations])
    if best is None or np.linalg.eigvalsh(best[1])[-1] > (KNOWN * np.linalg.norm(best[0])) ** 2:
        return None
    return best[0], np.sqrt(np.diag(best[1]))


def scale_like_an_offset(
    evidence: Evidence, explanation: Explanation, k: int, offset: Array
) -> tuple[float, float] | None:
    """Return the factor by which a specific force is too large in place of an offset, and by how much it fits better.

    A sensor that hardly tilts reads an offset along gravity, and one that reads too much, in the same way: only the
    other accelerations tell. The difference is one of negative log-likelihoods. None for an offset in other directions.
    """
    mean: Array = np.mean(evidence.scope.tracks[k].x, axis=0)
    rest = mean - offset
    along = float(mean @ offset) / max(float(np.linalg.norm(mean) * np.linalg.norm(offset)), 1e-12)
    if abs(along) < ALONG or float(mean @ rest) <= 0.0:
        return None
    factor = float(np.linalg.norm(mean) / np.linalg.norm(rest))
    state, relations = explanation.states[k], evidence.of((k,))
    costs = [
        float(evidence.total(explanation.states | {k: other}, explanation.mounts, relations))
        for other in (replace(state, form="offset"), state.with_T(factor * state.T.M))
    ]
    return factor, costs[0] - costs[1]


def changes_like_an_offset(evidence: Evidence, explanation: Explanation, k: int) -> tuple[AxisChange, ...]:
    """Return the axes in which a magnetic field would need no offset: those that explain as much as an offset does.

    A body that hardly tilts shows a field that is mounted upside down, or the other way round, as one with an offset.
    The opposite field turns in the same way, so that mirrored axes, of which that is one, are not told apart.
    """
    relations = [r for r in evidence.relations if r.kind == "carried" and r.members[0] == k]
    fits = [(r, evidence.aligned(r, explanation.states, explanation.mounts)) for r in relations]
    telling = [(r, aligned.fit.unexplained) for r, aligned in fits if aligned is not None and aligned.fit.is_telling]
    state = explanation.states[k]

    def missed(change: AxisChange) -> float:
        states = explanation.states | {k: state.with_T(change.matrix @ state.T.M)}
        return sum(
            evidence.weight(r) * (float(evidence.cost(r, states, explanation.mounts)) - free) for r, free in telling
        )

    as_stated, *others = changes(is_proper=True)
    if not telling or missed(as_stated) < UNUSUAL:
        return ()  # such an offset is usual, and in other axes there would be one, too
    return tuple(itertools.islice((change for change in others if missed(change) < AS_GOOD), MOST_CHANGES))


def _bias_of_turning(evidence: Evidence, explanation: Explanation, relation: Relation) -> tuple[Array, Array] | None:
    aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
    if aligned is None or not aligned.fit.is_telling:
        return None
    fit = aligned.fit
    theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
    rest = fit.nuisance_B - np.einsum("cmq,cq->cm", fit.nuisance_A, theta)
    N, others = fit.nuisance_information, fit.nuisance_B.shape[1] - 3
    # The last nuisances are turns by channel: their coefficients are linear in the offset. The others are free.
    drop = N[:, others:, :others] @ inverse(N[:, :others, :others] + np.diag(fit.series.precision[:others]))
    information = N[:, others:, others:] - drop @ N[:, :others, others:]
    right = rest[:, others:] - np.einsum("cij,cj->ci", drop, rest[:, :others])
    P = -np.swapaxes(theta.reshape(3, 3, 3), -1, -2)
    H = np.einsum("cia,cij,cjb->ab", P, information, P)
    covariance = inv(H + np.eye(3) / LARGE_FIELD**2)
    offset = covariance @ np.einsum("cia,ci->a", P, right)
    excess = max(1.0, float(np.sum(fit.chi_squares(theta)) / max(float(np.sum(fit.n)), 1.0)))
    return offset, covariance * excess / DEPENDENT
