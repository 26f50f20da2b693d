"""Refinement of a mounting on the manifold: Gauss-Newton with outliers left out, noise estimated, and covariance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.linear_systems import inv
from framescope.core.kernels.validation import Array, median
from framescope.features.trajectories.core.matched_poses import Matched, Matcher
from framescope.features.trajectories.core.mounting import (
    ROUNDING,
    Form,
    Mounting,
    size_of,
    some_rows,
    weights_of,
)
from framescope.features.trajectories.core.rotation_maps import cross_matrices, exp_rotation, log_rotations

PARTS = ("body rotation", "body position", "world rotation", "world position", "scale", "clock offset", "clock drift")
"""Parts of the parameters, in their order."""

SLICES: dict[str, slice] = {
    "body rotation": slice(0, 3),
    "body position": slice(3, 6),
    "world rotation": slice(6, 9),
    "world position": slice(9, 12),
    "scale": slice(12, 13),
    "clock offset": slice(13, 14),
    "clock drift": slice(14, 15),
}
"""Places of the parts in the parameters (15,)."""

N = 15

CONVERGED, ROBUST_STEP = 1e-12, 1e-6
"""Steps in natural units from which the last and the first iterations have converged."""

ROUNDS = 4
"""Largest number of times that outliers are decided anew."""

CHI2_6 = 27.86
"""Squared distance of the six residuals of a pair, in standard deviations, that one of 10,000 exceeds."""

FEW = 20.0
"""Number of pairs at which that distance doubles, because so few leave the noise uncertain."""

BLIND_SHARE = 1e-13
"""Mean square sensitivity of the residuals to a direction, in natural units, below which rounding decides it."""

BLIND_NOISE = 1.5
"""Root mean square sensitivity to a direction, as a multiple of the noise in it, below which nothing is known of it."""

MEDIAN_CHI_3 = 1.5382
"""Median length of three normal numbers."""


class Free(NamedTuple):
    """Parts that a refinement may change, besides those of the form."""

    has_scale: bool
    has_offset: bool
    has_drift: bool


@dataclass(frozen=True, eq=False)
class Refined:
    """Result of a refinement.

    Attributes
    ----------
    mounting
        The mounting.
    m
        Pairs of poses at its clocks.
    is_used : (n,)
        Whether a pair is no outlier.
    covariance : (15, 15)
        Covariance of the parameters in the order of `PARTS`: rotations turn about the axes of b and of its reference;
        infinite on the diagonal for a part that has a blind direction, zero for a fixed part.
    blind : (15, k)
        Directions of the parameters, in natural units and orthonormal, of which the poses say nothing.
    units : (15,)
        Natural units of the parameters.
    is_free : (15,)
        Whether a parameter was free.
    noise_angle, noise_position
        Noise of a pair, rad and m: standard deviation of one component.
    residual_angle, residual_position : (n,)
        Residual of each pair, rad and m.
    cost
        Robust measure of the misfit: logarithms of the noise, so that a difference of 1 is a factor e of one of six.
    inverse : (1, 6, 6) or None
        Inverse covariance of the noise of a pair; None if it differs from pair to pair.
    """

    mounting: Mounting
    m: Matched
    is_used: NDArray[np.bool_]
    covariance: Array
    blind: Array
    units: Array
    is_free: NDArray[np.bool_]
    noise_angle: float
    noise_position: float
    residual_angle: Array
    residual_position: Array
    cost: float
    inverse: Array | None

    @property
    def is_mounting_unknown(self) -> bool:
        """Whether the poses say nothing of X, as of a body that neither turns nor moves."""
        return self.blind.shape[1] >= 6 and int(np.linalg.matrix_rank(self.blind[:6], tol=0.1)) == 6


def free_parameters(form: Form, free: Free) -> NDArray[np.bool_]:
    """Return which of the 15 parameters are free."""
    out = np.zeros(N, dtype=np.bool_)
    out[0:6] = form != "same frame"
    out[6:12] = form != "same world"
    out[12], out[13], out[14] = free
    return out


def residuals_of(m: Matched, x: Mounting) -> Array:
    """Return the residuals (n, 6) of pairs: of orientation, rad, resolved in b, and of position, m, resolved in a."""
    E = np.swapaxes(m.R_A @ x.R_X, 1, 2) @ (x.R_Y @ m.R_B)
    r_R = log_rotations(E)
    d = x.s * (m.p_B @ x.R_Y.T) + x.p_Y - m.p_A
    r_p = np.einsum("nji,nj->ni", m.R_A, d) - x.p_X
    return np.concatenate([r_R, r_p], axis=1)


def jacobian_of(m: Matched, x: Mounting, R_A: Array, p_B: Array, centre: Array) -> Array:
    """Return the derivatives (6, n, 15) of the residuals by the parameters.

    `R_A` and `p_B` stand for the orientations of a and the positions of b, as measured or as predicted from the other.
    Positions of the world offset are those of the point `centre` of the world of b.
    """
    J = np.zeros((6, len(m), N))
    J[0, :, 0] = J[1, :, 1] = J[2, :, 2] = J[3, :, 3] = J[4, :, 4] = J[5, :, 5] = -1.0
    R_AtY = np.swapaxes(R_A, 1, 2) @ x.R_Y
    y = p_B - centre
    J[:3, :, 6:9] = m.R_B.transpose(2, 0, 1)
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):  # columns of a product with a cross product matrix
        J[3:, :, 6 + k] = x.s * (R_AtY[:, :, j].T * y[:, i] - R_AtY[:, :, i].T * y[:, j])
    J[3:, :, 9:12] = R_A.transpose(2, 0, 1)
    J[3:, :, 12] = x.s * np.einsum("nij,nj->in", R_AtY, y)
    if m.of_rates == "b":
        rate_R, rate_p = m.w, x.s * np.einsum("nij,nj->ni", R_AtY, m.v)
    elif m.of_rates == "a":
        rate_R = -m.w @ x.R_X
        rate_p = -np.cross(m.w, x.p_X) - np.einsum("nji,nj->ni", R_A, m.v)
    else:
        return J
    for first, rate in ((0, rate_R), (3, rate_p)):
        J[first : first + 3, :, 13] = rate.T * m.by_offset
        J[first : first + 3, :, 14] = rate.T * m.by_drift
    return J


def moved(x: Mounting, step: Array, centre: Array) -> Mounting:
    """Return a mounting after a step (15,) of its parameters."""
    at_centre = x.s * (x.R_Y @ centre) + x.p_Y + step[9:12]
    R_Y = x.R_Y @ exp_rotation(step[6:9])
    s = x.s * float(np.exp(np.clip(step[12], -1.0, 1.0)))
    clocks = replace(x.clocks, offset_s=x.clocks.offset_s + step[13], drift=x.clocks.drift + step[14])
    return Mounting(x.R_X @ exp_rotation(step[0:3]), x.p_X + step[3:6], R_Y, at_centre - s * (R_Y @ centre), s, clocks)


def natural_units(m: Matched, x: Mounting) -> Array:
    """Return the natural units (15,) of the parameters, in which a change of one moves the residuals by about one."""
    size = max(size_of(m), float(np.linalg.norm(x.p_X)))
    units = np.ones(N)
    units[3:6] = units[9:12] = size
    if m.of_rates:
        scale = x.s if m.of_rates == "b" else 1.0
        rate = np.sqrt(np.mean(m.w**2)) + scale * np.sqrt(np.mean(m.v**2)) / size
        units[13] = 1.0 / rate if rate > 1e-9 else 1.0
        span = float(np.sqrt(np.mean(m.by_drift**2)))
        units[14] = units[13] / span if span > 0.0 else 1.0
    return units


def refine(
    matcher: Matcher,
    start: Mounting,
    form: Form,
    free: Free,
    *,
    rows: NDArray[np.intp] | None = None,
    iterations: int = 30,
    is_inverse: bool = False,
    is_final: bool = False,
    inverse: Array | None = None,
) -> Refined:
    """Return the refinement of a mounting.

    Parameters
    ----------
    matcher
        The streams.
    start
        Where the refinement starts.
    form, free
        Parts that are free.
    rows
        Pairs to use, by their places among the rows of the matched stream; None for all.
    iterations
        Largest number of steps.
    is_inverse
        Whether the file of b holds the inverse of its poses, so that its noise is that of a in b.
    is_final
        Whether outliers are left out and the noise is modelled by pair, for a covariance.
    inverse
        Inverse covariance (1, 6, 6) of the noise of a start that is near: the robust steps are then left out.

    Notes
    -----
    In the first steps, pairs with large residuals get less weight. In the last, the pairs beyond the quantile `CHI2_6`
    are left out, and the others weigh by the inverse of the covariance of their noise. The derivatives contain measured
    orientations of a, whose noise is in the residuals too. This would draw lever arms toward zero when the body hardly
    turns. Therefore the normal equations multiply by derivatives with the orientations that b predicts.
    """
    solver = _Solver(matcher, free_parameters(form, free), rows, is_inverse=is_inverse)
    x, m = start, matcher.matched(start.clocks, rows)
    centre = np.median(m.p_B, axis=0)
    if inverse is None:
        x, m = _robust(solver, x, m, centre, iterations)
        inverse = _isotropic(_noise(residuals_of(m, x), None, size_of(m)))
    is_used: NDArray[np.bool_] | None = None
    system: System | None = None
    if is_final:
        x, m, is_used, inverse, system = _without_outliers(solver, x, m, centre, iterations, inverse)
    r = residuals_of(m, x)
    size = size_of(m)
    noise = _noise(r, is_used, size)
    used = np.ones(len(m), dtype=np.bool_) if is_used is None else is_used
    if system is None:
        system = _normal_equations(
            m, x, solver.is_free, inverse, used.astype(float), r, centre, is_corrected=False
        )  # fmt: skip
    blind = np.zeros((N, system.blind.shape[1]))
    blind[solver.is_free] = system.blind
    return Refined(
        x, m, used,
        _covariance(system, solver.is_free, r[used], _rows_of(inverse, used)),
        blind, system.units, solver.is_free, *noise,
        np.linalg.norm(r[:, :3], axis=1), np.linalg.norm(r[:, 3:], axis=1),
        _cost(noise, size), inverse if len(inverse) == 1 else None,
    )  # fmt: skip


class _Solver(NamedTuple):
    """What stays the same in a refinement."""

    matcher: Matcher
    is_free: NDArray[np.bool_]
    rows: NDArray[np.intp] | None
    is_inverse: bool


def _robust(solver: _Solver, x: Mounting, m: Matched, centre: Array, iterations: int) -> tuple[Mounting, Matched]:
    """Return the mounting and its pairs after steps in which pairs with large residuals get less weight."""
    for _ in range(iterations):
        r = residuals_of(m, x)
        inverse = _isotropic(_noise(r, None, size_of(m)))
        weights = weights_of(np.sqrt(_squared(r, inverse)), 0.0, 2.5)
        system = _normal_equations(m, x, solver.is_free, inverse, weights, r, centre, is_corrected=False)
        x, m, is_settled = _stepped(system, x, m, solver, centre, ROBUST_STEP)
        if is_settled:
            break
    return x, m


def _without_outliers(
    solver: _Solver, x: Mounting, m: Matched, centre: Array, iterations: int, inverse: Array
) -> tuple[Mounting, Matched, NDArray[np.bool_], Array, System | None]:
    """Return mounting, pairs, which are no outliers, inverse covariances and normal equations after the last steps."""
    is_used, system = _inliers(m, x, inverse), None
    for _ in range(ROUNDS):
        inverse = _noise_model(m, x, is_used, is_inverse=solver.is_inverse)
        for _ in range(iterations):
            r = residuals_of(m, x)
            system = _normal_equations(
                m, x, solver.is_free, inverse, is_used.astype(float), r, centre, is_corrected=True
            )  # fmt: skip
            before = m
            x, m, is_settled = _stepped(system, x, m, solver, centre, CONVERGED)
            if len(m) != len(before) or (m.rows != before.rows).any():
                is_used = np.isin(m.rows, before.rows[is_used])
                if len(inverse) > 1:
                    inverse = _noise_model(m, x, is_used, is_inverse=solver.is_inverse)
            if is_settled:
                break
        again = _inliers(m, x, inverse)
        if (again != is_used).mean() < CHANGED:
            break
        is_used = again
    return x, m, is_used, inverse, system


def _cost(noise: tuple[float, float], size: float) -> float:
    return 3.0 * float(np.log(max(noise[0], ROUNDING)) + np.log(max(noise[1] / size, ROUNDING)))


class System(NamedTuple):
    """Normal equations of a step.

    Attributes
    ----------
    information, gradient : (k, k), (k,)
        Of the free parameters in natural units.
    known, blind : (k, j), (k, k - j)
        Orthonormal directions of which the poses say something, and nothing.
    units : (15,)
        Natural units of all parameters.
    is_free : (15,)
        Whether a parameter is free.
    """

    information: Array
    gradient: Array
    known: Array
    blind: Array
    units: Array
    is_free: NDArray[np.bool_]


def _stepped(
    system: System,
    x: Mounting,
    m: Matched,
    solver: _Solver,
    centre: Array,
    least: float,
) -> tuple[Mounting, Matched, bool]:
    """Return the mounting after a Gauss-Newton step, its pairs, and whether the step was small.

    A step is small below `least`, or below a thousandth of the standard errors.
    """
    known = system.known
    step = np.zeros(N)
    if not known.shape[1]:
        return x, m, True
    reduced = known.T @ system.information @ known
    downhill = -(known.T @ system.gradient)
    try:
        along = np.linalg.solve(reduced, downhill)
    except np.linalg.LinAlgError:  # poses without noise: beside the rest, a direction may carry rounding errors alone
        along = np.linalg.lstsq(reduced, downhill, rcond=None)[0]
    step[system.is_free] = (known @ along) * system.units[system.is_free]
    x = moved(x, step, centre)
    if system.is_free[13:].any():
        m = solver.matcher.matched(x.clocks, solver.rows)
    in_errors = float(np.sqrt(max(along @ reduced @ along, 0.0)))
    small = SMALL_SHARE if len(m) < MANY_PAIRS else SMALL_OF_MANY
    return x, m, bool(np.linalg.norm(along) < least or in_errors < small)


def _normal_equations(
    m: Matched,
    x: Mounting,
    is_free: NDArray[np.bool_],
    inverse: Array,
    weights: Array,
    r: Array,
    centre: Array,
    *,
    is_corrected: bool,
) -> System:
    """Return the normal equations with weights (n,) of the pairs and inverse covariances of their noise, in blocks."""
    units = natural_units(m, x)
    H, g, S = np.zeros((N, N)), np.zeros(N), np.zeros((N, N))
    size = size_of(m)
    scale = np.repeat([1.0, 1.0 / size**2], 3)[:, np.newaxis, np.newaxis]
    n = len(m)
    n_seen = 0.0
    stride = max(n // SENSED, 1)
    for first in range(0, n, BLOCK):
        rows = slice(first, first + BLOCK)
        part = m.some(rows) if n > BLOCK else m
        J = jacobian_of(part, x, part.R_A, part.p_B, centre)
        Z = jacobian_of(part, x, *_predicted(part, x), centre) if is_corrected else J
        w = weights[rows]
        if len(inverse) == 1:
            ZW = (inverse[0] @ Z.reshape(6, -1)).reshape(Z.shape)
        else:
            ZW = np.einsum("nij,jnk->ink", inverse[rows], Z)
        ZW *= w[:, np.newaxis]
        flat = ZW.reshape(-1, N)
        H += flat.T @ J.reshape(-1, N)
        g += flat.T @ r[rows].T.ravel()
        seen = Z[:, ::stride] * scale * w[::stride, np.newaxis]
        S += seen.reshape(-1, N).T @ J[:, ::stride].reshape(-1, N)
        n_seen += float(w[::stride].sum())
    chosen = np.ix_(is_free, is_free)
    both = np.outer(units, units)[chosen]
    H, S = H[chosen] * both, S[chosen] * both
    known, blind = _split(0.5 * (S + S.T) / n_seen, _noise(r, weights > 0.5, size), size)
    return System(0.5 * (H + H.T), g[is_free] * units[is_free], known, blind, units, is_free)


def robust_cost(m: Matched, x: Mounting) -> float:
    """Return the cost of a mounting by medians, comparable with that of `Refined`."""
    size = size_of(m)
    return _cost(_noise(residuals_of(m, x), None, size), size)


BLOCK = 2048
"""Number of pairs whose derivatives are computed at once."""

SENSED = 4000
"""Number of pairs by which blind directions are decided."""

SMALL_SHARE = 0.01
"""Length of a step in standard errors from which an iteration has converged."""

MANY_PAIRS, SMALL_OF_MANY = 20_000, 20.0
"""Number of pairs from which a longer step suffices, because its remainder is of second order; its length."""

CHANGED = 1e-3
"""Fraction of the pairs that change between outlier and none up to which the outliers are settled."""


def _rows_of(inverse: Array, rows: NDArray[np.bool_]) -> Array:
    return inverse if len(inverse) == 1 else inverse[rows]


def _noise(r: Array, is_used: NDArray[np.bool_] | None, size: float) -> tuple[float, float]:
    """Return the noise of one component of orientation and position; by medians unless the outliers are known."""
    lengths: tuple[Array, Array] = np.linalg.norm(r[:, :3], axis=1), np.linalg.norm(r[:, 3:], axis=1)
    if is_used is None or is_used.sum() < 4:
        sigma = median(lengths[0]) / MEDIAN_CHI_3, median(lengths[1]) / MEDIAN_CHI_3
    else:
        sigma = (
            float(np.sqrt(np.mean(lengths[0][is_used] ** 2) / 3.0)),
            float(np.sqrt(np.mean(lengths[1][is_used] ** 2) / 3.0)),
        )
    return max(sigma[0], 1e-15), max(sigma[1], 1e-15 * size)


def _isotropic(noise: tuple[float, float]) -> Array:
    return np.diag(np.repeat([noise[0] ** -2, noise[1] ** -2], 3))[np.newaxis]


def _squared(r: Array, inverse: Array) -> Array:
    """Return the squared distances (n,) of residuals r (n, 6) with inverse covariances (1 or n, 6, 6)."""
    if len(inverse) == 1:
        return np.einsum("ni,ij,nj->n", r, inverse[0], r, optimize=True)
    return np.einsum("ni,nij,nj->n", r, inverse, r)


def _predicted(m: Matched, x: Mounting) -> tuple[Array, Array]:
    """Return the orientations of a that b predicts, and the means of the positions of b measured and predicted."""
    R_A = (x.R_Y @ m.R_B) @ x.R_X.T
    p_B = ((m.p_A + m.R_A @ x.p_X - x.p_Y) / x.s) @ x.R_Y
    return R_A, 0.5 * (m.p_B + p_B)


def _split(S: Array, noise: tuple[float, float], size: float) -> tuple[Array, Array]:
    """Return orthonormal directions of the free parameters that are known, and that are blind."""
    if not len(S):
        return np.zeros((0, 0)), np.zeros((0, 0))
    values, vectors = np.linalg.eigh(S)
    own = BLIND_NOISE * max(noise[0], noise[1] / size)
    is_blind = values < max(BLIND_SHARE * max(float(values[-1]), 1e-30), own**2)
    return vectors[:, ~is_blind], vectors[:, is_blind]


def _inliers(m: Matched, x: Mounting, inverse: Array) -> NDArray[np.bool_]:
    """Return the pairs whose residuals are within the noise, or within rounding."""
    r = residuals_of(m, x)
    is_rounding = (np.linalg.norm(r[:, :3], axis=1) < 10.0 * ROUNDING) & (
        np.linalg.norm(r[:, 3:], axis=1) < 10.0 * ROUNDING * size_of(m)
    )
    if len(inverse) not in (1, len(m)):
        inverse = np.median(inverse, axis=0)[np.newaxis]
    squared = _squared(r, inverse)
    is_in = (squared < CHI2_6 * (1.0 + FEW / len(m))) | is_rounding
    if is_in.sum() < max(4, len(m) // 10):  # nothing fits: the better half tells how badly
        return squared <= np.median(squared)
    return is_in


def _noise_model(m: Matched, x: Mounting, is_used: NDArray[np.bool_], *, is_inverse: bool) -> Array:
    """Return the inverse covariances (1 or n, 6, 6) of the noise of pairs.

    Of many pairs the covariance is that of the residuals. Of few, or where the file of b holds inverse poses, it has
    three parts: noise of the orientations of a, which a lever arm turns into noise of positions, noise of those of b,
    and noise of the positions. Their sizes are those of greatest likelihood.
    """
    from scipy.optimize import minimize  # pyright: ignore[reportUnknownVariableType] - not at a start

    every = residuals_of(m, x)
    r = every[is_used]
    size = size_of(m)
    if len(r) >= MANY and not is_inverse:
        S = r.T @ r / len(r)
        S += np.diag(np.repeat([1e-15**2, (1e-15 * size) ** 2], 3)) + 1e-12 * np.diag(np.diag(S))
        return inv(S)[np.newaxis]
    G_A = np.zeros((1, 6, 3))
    G_A[0, :3], G_A[0, 3:] = -x.R_X.T, cross_matrices(x.p_X)
    if is_inverse:
        G_B = np.zeros((len(m), 6, 3))
        G_B[:, :3] = -np.swapaxes(m.R_B, 1, 2)
        G_B[:, 3:] = x.s * (np.swapaxes(m.R_A, 1, 2) @ x.R_Y @ cross_matrices(m.p_B))
    else:
        G_B = np.zeros((1, 6, 3))
        G_B[0, :3] = np.eye(3)
    P = np.zeros((6, 6))
    P[3:, 3:] = np.eye(3)
    of_A, of_B = G_A @ np.swapaxes(G_A, 1, 2), G_B @ np.swapaxes(G_B, 1, 2)
    rows = np.flatnonzero(is_used)[some_rows(int(is_used.sum()), 400)]
    r_rows = every[rows]
    some_B = of_B if len(of_B) == 1 else of_B[rows]
    sigma_R = max(float(np.sqrt(np.mean(r_rows[:, :3] ** 2))), 1e-15)
    sigma_p = max(float(np.sqrt(np.mean(r_rows[:, 3:] ** 2))), 1e-15 * size)

    def covariance(log_sizes: Array, B: Array) -> Array:
        a, b, c = np.exp(2.0 * np.clip(log_sizes, -12.0, 3.0))
        C = sigma_R**2 * (a * of_A + b * B) + sigma_p**2 * c * P
        return C + np.diag(np.repeat([(1e-5 * sigma_R) ** 2, (1e-5 * sigma_p) ** 2], 3))

    def minus_log_likelihood(log_sizes: Array) -> float:
        C = covariance(log_sizes, some_B)
        sign, log_det = (np.asarray(part, dtype=np.float64) for part in np.linalg.slogdet(C))
        if (sign <= 0.0).any():
            return 1e30
        inverse = inv(C)
        prior = 0.5 * float(np.sum(np.square((log_sizes - np.log(0.7)) / PRIOR)))
        return 0.5 * float(np.mean(log_det) * len(rows) + _squared(r_rows, inverse).sum()) + prior

    start = np.log([0.7, 0.7, 0.7])
    best = cast("Any", minimize(minus_log_likelihood, start, method="Nelder-Mead", options={"maxiter": 120}))
    return inv(covariance(np.asarray(best.x, dtype=np.float64), of_B))


PRIOR = 1.0
"""Standard deviation of the logarithms of the three noises about equal ones, before any pair is seen."""

MANY = 200
"""Number of pairs from which the covariance of the noise is that of the residuals."""


def _covariance(system: System, is_free: NDArray[np.bool_], r: Array, inverse: Array) -> Array:
    """Return the covariance (15, 15) of the parameters from the residuals r (n, 6) of the pairs that were used.

    It grows with the correlation of neighbouring residuals, and with the number of parameters against that of pairs.
    """
    out = np.zeros((N, N))
    n_free = int(is_free.sum())
    if not n_free:
        return out
    H, blind, units = system.information, system.blind, system.units
    spare = max(r.size - n_free + blind.shape[1], 1)
    factor = float(_squared(r, inverse).sum()) / spare * _correlation(r)
    known = system.known
    reduced = known.T @ H @ known
    try:
        spread = inv(reduced)
    except np.linalg.LinAlgError:  # as in `_stepped`
        spread = np.linalg.pinv(reduced, hermitian=True)
    C = known @ spread @ known.T * factor
    C += ROUNDING_SHARE**2 * known @ known.T
    C *= np.outer(units[is_free], units[is_free])
    places = np.flatnonzero(is_free)
    C = 0.5 * (C + C.T)
    np.fill_diagonal(C, np.maximum(np.diagonal(C), 0.0))  # rounding
    out[np.ix_(places, places)] = C
    for k in places[np.linalg.norm(blind, axis=1) > BLIND_PART]:
        out[k, k] = np.inf
    return out


ROUNDING_SHARE = 1e-15
"""Standard error in natural units that rounding leaves."""

BLIND_PART = 0.02
"""Component of a blind direction, in natural units, from which a parameter counts as unknown."""


def _correlation(r: Array) -> float:
    """Return the factor by which correlation of neighbours enlarges a variance: 1 plus twice the autocorrelations."""
    n = len(r)
    if n < 50:
        return 1.0
    white: Array = r / np.sqrt(np.mean(r**2, axis=0) + 1e-300)
    total = 1.0
    for k in range(1, min(n // 10, 200)):
        rho = float(np.mean(white[k:] * white[:-k]))
        if rho < 2.0 / np.sqrt(6.0 * n):
            break
        total += 2.0 * rho
    return total
