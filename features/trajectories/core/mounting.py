"""Mounting of two pose streams, ``A X = Y S(B)``: closed form for rotations, then linear for positions and scale.

X is the pose of the frame of b in the frame of a (the body offset), Y the pose of the reference of b in that of a (the
world offset), and S multiplies the positions of b by a scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.nearest_rotation import best_rotations
from framescope.core.kernels.validation import Array, median
from framescope.features.detective.core.axis_changes import changes
from framescope.features.trajectories.core.matched_poses import Clocks, Matched
from framescope.features.trajectories.core.rotation_maps import angle_of_matrix, exp_rotation, log_rotations

Form = Literal["mounted", "same frame", "same world"]

FORMS: dict[Form, str] = {
    "mounted": "two frames of one body, each in its own world",
    "same frame": "one frame in two worlds",
    "same world": "two frames of one body in one world",
}
"""Forms of the problem in words: which of X and Y is free."""

ITERATIONS = 10
"""Number of reweightings of a robust closed form."""

ALTERNATIONS = 15
"""Number of steps of the alternation between X and Y."""

ROUNDING = 1e-9
"""Residual angle, rad, and residual position as a fraction of the size of the motion, that count as rounding."""

Weights = Array

NO_CLOCKS = Clocks()
"""Clocks that agree."""


@dataclass(frozen=True, eq=False)
class Mounting:
    """Estimate of a mounting.

    Attributes
    ----------
    R_X, p_X : (3, 3), (3,)
        Pose X of the frame of b in the frame of a, m.
    R_Y, p_Y : (3, 3), (3,)
        Pose Y of the reference of b in the reference of a, m.
    s
        Scale of the positions of b.
    clocks
        Relation of the clocks.
    """

    R_X: Array
    p_X: Array
    R_Y: Array
    p_Y: Array
    s: float = 1.0
    clocks: Clocks = NO_CLOCKS


def rotation_candidates(m: Matched, form: Form) -> tuple[tuple[Array, Array], ...]:
    """Return the likely pairs of rotations of X and Y, from which a refinement starts.

    Notes
    -----
    ``R_A R_X = R_Y R_B`` for all pairs is linear in both rotations. With ``T = sum of A x B`` the best Y of an X
    maximizes ``tr(Yᵀ T(X))``, and the reverse. The largest singular vectors of T as a 9 x 9 matrix, projected to
    rotations, and the 24 rotations of axes are starting points of an alternation between both. Pairs with large
    residuals get less weight. A body that turns about one axis leaves the angle of Y about it to the positions, which
    give it in closed form. The rotation of Umeyama between the positions is a start of its own: it decides where the
    body does not turn.
    """
    if form == "same frame":
        return ((np.eye(3), rotation_mean(m.R_A, m.R_B)),)
    if form == "same world":
        return ((rotation_mean(np.swapaxes(m.R_A, 1, 2), np.swapaxes(m.R_B, 1, 2)), np.eye(3)),)
    T = np.einsum("nab,ndc->abcd", m.R_A, m.R_B)
    X, Y, fits = _alternate(T, _starts(T), 6)
    X, Y, fits = _alternate(T, X[:MOST_STARTS], ALTERNATIONS)
    for _ in range(REWEIGHTINGS):
        weights = weights_of(rotation_residuals(m, X[0], Y[0]), ROUNDING)
        T = np.einsum("n,nab,ndc->abcd", weights, m.R_A, m.R_B)
        X, Y, fits = _alternate(T, X, 3)
        misfits = 3.0 * weights.sum() - fits
        is_likely = misfits < 3.0 * misfits[0] + 1e-9 * len(m)
        X, Y = X[is_likely], Y[is_likely]
    found: list[tuple[Array, Array]] = []
    for R_X, R_Y in zip(X, Y, strict=True):
        if all(angle_of_matrix(R_X.T @ other) > 0.05 for other, _ in found):
            found.append((R_X, R_Y))
        if len(found) == MOST_CANDIDATES:
            break
    return (*found, *_about_one_axis(m, *found[0]), *_of_positions(m))


ONE_AXIS = 0.02
"""Mean square of turns about a second axis, as a fraction of that about the first, up to which there is one axis."""


def _about_one_axis(m: Matched, R_X: Array, R_Y: Array) -> list[tuple[Array, Array]]:
    """Return the rotations whose angle about the axis of a body that turns about one axis only fits the positions.

    With the axis n in the world of a, Y may be ``exp(n phi) Y``. Across the axis
    ``p_A + R_A p_X = s exp(n phi) Y p_B + p_Y`` is linear in p_X, p_Y, ``s cos phi`` and ``s sin phi``.
    """
    weights = weights_of(rotation_residuals(m, R_X, R_Y), ROUNDING)
    turns = log_rotations(m.R_A @ m.R_A[len(m) // 2].T) * np.sqrt(weights)[:, np.newaxis]
    values, axes = np.linalg.eigh(turns.T @ turns)
    if not values[1] < ONE_AXIS * values[2]:
        return []
    n = axes[:, 2]
    across = np.linalg.svd(n[np.newaxis])[2][1:]  # two directions
    x = (m.p_A - np.median(m.p_A, axis=0)) @ across.T
    y = (m.p_B - np.median(m.p_B, axis=0)) @ R_Y.T
    along, ahead = y @ across.T, np.cross(n, y) @ across.T
    ones = np.broadcast_to(np.eye(2), (len(m), 2, 2))
    J = np.concatenate([across @ m.R_A, -ones, -along[:, :, np.newaxis], -ahead[:, :, np.newaxis]], axis=2)
    size = size_of(m)
    weights = _first_weights(m, R_X, R_Y)
    cosine, sine = 1.0, 0.0
    for _ in range(ITERATIONS):
        JW = J * weights[:, np.newaxis, np.newaxis]
        N, g = np.einsum("nij,nik->jk", JW, J), -np.einsum("nij,ni->j", JW, x)
        z = np.asarray(np.linalg.lstsq(N, g, rcond=1e-10)[0], dtype=np.float64)
        weights = weights_of(np.linalg.norm(np.einsum("nij,j->ni", J, z) + x, axis=1), ROUNDING * size)
        cosine, sine = z[5:].tolist()
    turn = exp_rotation(n * math.atan2(sine, cosine))
    return [(rotation_mean(np.swapaxes(m.R_A, 1, 2) @ turn @ R_Y, np.swapaxes(m.R_B, 1, 2)), turn @ R_Y)]


MOST_STARTS = 8
"""Number of starts that are followed to their end."""

REWEIGHTINGS = 6
"""Number of reweightings of the rotations."""


def _alternate(T: Array, X: Array, n: int) -> tuple[Array, Array, Array]:
    """Return X, Y (k, 3, 3) and their fits (k,) after n steps of the alternation from X, the best fit first."""
    Y = X
    for _ in range(n):
        Y = _polar(np.einsum("abcd,kbc->kad", T, X))
        X = _polar(np.einsum("abcd,kad->kbc", T, Y))
    fits = np.einsum("kbc,kbc->k", np.einsum("abcd,kad->kbc", T, Y), X)
    order = np.argsort(-fits, kind="stable")
    return X[order], Y[order], fits[order]


def _polar(M: Array) -> Array:
    """Return the rotations (k, 3, 3) that maximize ``tr(Rᵀ M)``: `best_rotations` without its care for bits."""
    U, _, Vt = np.linalg.svd(M)
    U[:, :, 2] *= np.sign(np.linalg.det(U @ Vt))[:, np.newaxis]
    return U @ Vt


MOST_CANDIDATES = 4
"""Number of different starting rotations that are refined."""


def rotation_mean(A: Array, B: Array) -> Array:
    """Return the rotation Y nearest to all ``A Bᵀ``, robustly."""
    weights = np.ones(len(A))
    Y = np.eye(3)
    for _ in range(ITERATIONS):
        Y = best_rotations(np.einsum("n,nab,ncb->ac", weights, A, B))
        residual = angles_between(A, Y @ B)
        weights = weights_of(residual, ROUNDING)
    return Y


def _starts(T: Array) -> Array:
    """Return rotations X from which the alternation starts: of the largest singular vectors, and of axes."""
    _, _, Vt = np.linalg.svd(T.transpose(0, 3, 1, 2).reshape(9, 9))
    top = Vt[:3].reshape(3, 3, 3)
    return np.concatenate([_polar(top), _polar(-top), AXES_24])


AXES_24 = np.array([change.matrix for change in changes(is_proper=True)])
"""The 24 rotations that take axes to axes."""


def _of_positions(m: Matched) -> list[tuple[Array, Array]]:
    """Return the rotations that align the positions, as if the lever arm were zero; none if they do not decide."""
    x, y = m.p_A - np.median(m.p_A, axis=0), m.p_B - np.median(m.p_B, axis=0)
    weights = np.ones(len(x))
    R_Y = np.eye(3)
    for _ in range(ITERATIONS):
        M = np.einsum("n,ni,nj->ij", weights, x, y)
        d = np.linalg.svd(M, compute_uv=False)
        if d[1] <= 1e-9 * d[0] or not d[0] > 0.0:
            return []
        R_Y = best_rotations(M)
        s = float(np.einsum("n,ni,ni->", weights, x, y @ R_Y.T) / np.einsum("n,ni,ni->", weights, y, y))
        weights = weights_of(np.linalg.norm(x - s * (y @ R_Y.T), axis=1), 1e-12)
    R_X = rotation_mean(np.swapaxes(m.R_A, 1, 2) @ R_Y, np.swapaxes(m.R_B, 1, 2))
    return [(R_X, R_Y)]


def rotation_residuals(m: Matched, R_X: Array, R_Y: Array) -> Array:
    """Return the angles (n,) between ``R_A R_X`` and ``R_Y R_B``, rad."""
    return angles_between(m.R_A @ R_X, R_Y @ m.R_B)


def angles_between(A: Array, B: Array) -> Array:
    """Return the angles (n,) between rotations (n, 3, 3), rad; exact near 0."""
    chord = np.linalg.norm(A - B, axis=(1, 2)) / np.sqrt(8.0)
    return 2.0 * np.arcsin(np.minimum(chord, 1.0))


def weights_of(residuals: Array, floor: float, width: float = 3.0) -> Weights:
    """Return robust weights (n,) of the sizes of residuals, after Geman and McClure.

    The scale is the median. `floor` is the least scale; a residual of `width` times the scale counts a quarter.
    """
    scale = max(median(residuals), floor)
    return 1.0 / (1.0 + (residuals / (width * scale)) ** 2) ** 2


def positions_of(m: Matched, R_X: Array, R_Y: Array, form: Form, *, has_scale: bool, clocks: Clocks) -> Mounting:
    """Return the mounting with the positions and the scale that fit given rotations best, robustly.

    ``p_A + R_A p_X = s R_Y p_B + p_Y`` is linear. A direction that the motion leaves open gets the least length. Pairs
    that are far from the middle or from the rotations count little at first: outliers would shrink the scale to none.
    """
    c_A, c_B = np.median(m.p_A, axis=0), np.median(m.p_B, axis=0)
    y = (m.p_B - c_B) @ R_Y.T
    x = m.p_A - c_A
    n = len(m)
    size = size_of(m)
    is_free = {"mounted": (True, True), "same frame": (False, True), "same world": (True, False)}[form]
    columns: list[Array] = []
    if is_free[0]:
        columns.append(m.R_A)
    if is_free[1]:
        columns.append(np.broadcast_to(-np.eye(3), (n, 3, 3)))
    if has_scale:
        columns.append(-y[:, :, np.newaxis])
    fixed = x if has_scale else x - y
    p_Y0 = np.zeros(3) if is_free[1] else -(c_A - R_Y @ c_B)
    fixed = fixed - p_Y0 if not is_free[1] else fixed
    weights = _first_weights(m, R_X, R_Y)
    z: Array = np.zeros(sum(c.shape[2] for c in columns))
    J = np.concatenate(columns, axis=2)
    for _ in range(ITERATIONS):
        JW = J * weights[:, np.newaxis, np.newaxis]
        N = np.einsum("nij,nik->jk", JW, J)
        z = np.asarray(np.linalg.lstsq(N, -np.einsum("nij,ni->j", JW, fixed), rcond=1e-10)[0], dtype=np.float64)
        residual = np.linalg.norm(np.einsum("nij,j->ni", J, z) + fixed, axis=1)
        weights = weights_of(residual, ROUNDING * size)
    p_X, z = (z[:3], z[3:]) if is_free[0] else (np.zeros(3), z)
    p_Y, z = (z[:3], z[3:]) if is_free[1] else (p_Y0, z)
    s = float(z[0]) if has_scale else 1.0
    s = max(1e-09, s)  # a mirrored or unrelated path: the refinement judges it
    origin = c_A + p_Y - s * (R_Y @ c_B)
    return Mounting(R_X, p_X, R_Y, origin, s, clocks)


def _first_weights(m: Matched, R_X: Array, R_Y: Array) -> Weights:
    """Return weights (n,) of pairs before positions are fitted: small far from the middle and from the rotations."""
    far = (np.linalg.norm(p - np.median(p, axis=0), axis=1) for p in (m.p_A, m.p_B))
    of_A, of_B = (weights_of(each, ROUNDING) for each in far)
    return weights_of(rotation_residuals(m, R_X, R_Y), ROUNDING) * of_A * of_B


def size_of(m: Matched) -> float:
    """Return the size of the motion, m: the root mean square distance of the positions of a from their centre."""
    spread = m.p_A - np.median(m.p_A, axis=0)
    return float(np.sqrt(np.median(np.einsum("ni,ni->n", spread, spread)))) or 1.0


def some_rows(n: int, most: int) -> NDArray[np.intp]:
    """Return at most `most` of n rows, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))
