"""Rotation nearest to a matrix: Newton's iteration near a rotation, singular values elsewhere."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.components import cross_of, dot_of, rows_of
from framescope.core.kernels.componentwise import Array, Components, both, divide, kernel_of_two, sqrt, where

NEAR = 0.3
"""Largest distance from a rotation at which five steps of Newton's iteration converge to rounding."""


ROUNDING = 1e-12
"""Distance from a rotation below which a matrix counts as a rotation."""


def nearest_rotation(T: ArrayLike) -> tuple[Array, Array]:
    """Return the nearest rotations (..., 3, 3) and their distances (...).

    Raises
    ------
    ValueError
        When the shape of `T` is not (..., 3, 3) or `T` is not finite.
    """
    rotation, distance, is_doubtful = newton_iteration.checked_with_doubt(("T",), T)
    is_far = np.isnan(distance) if is_doubtful else None
    if is_far is not None and is_far.any():
        rotation[is_far], distance[is_far] = _by_singular_values(np.asarray(T, np.float64)[is_far])
    return rotation, distance


def best_rotations(M: Array) -> Array:
    """Return the rotations R (..., 3, 3) that maximize ``tr(Rᵀ M)`` for any matrices M (..., 3, 3).

    For ``M = sum of m eᵀ`` the result R rotates the vectors e as near as possible to the vectors m (Wahba's problem).

    References
    ----------
    G. Wahba, "A least squares estimate of satellite attitude", SIAM Review 7, 1965.

    Examples
    --------
    >>> best_rotations(np.diag([3.0, 2.0, -0.5])) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    return _by_singular_values(M)[0]


def shown_rotations(T: Array) -> Array:
    """Return the rotations (..., 3, 3) to display for stored matrices, NaN where a matrix is not finite.

    An integrated matrix drifts away from a rotation. Displayed quaternions, angles and models use the nearest rotation,
    which only this function computes. Displayed matrices show the stored numbers. A matrix that is a rotation up to
    rounding is returned unchanged.
    """
    is_known = np.asarray(np.isfinite(T).all(axis=(-2, -1)), dtype=np.bool_)
    shown = np.where(is_known[..., np.newaxis, np.newaxis], T, np.nan)
    nearest, distance = nearest_rotation(T[is_known])
    is_drifted = np.asarray(distance > ROUNDING)
    shown[is_known] = np.where(is_drifted[..., np.newaxis, np.newaxis], nearest, T[is_known])
    return shown


@kernel_of_two((3, 3), gives=((3, 3), ()), tells_results=True)
def newton_iteration(T: Components) -> Components:
    """Return the limit of ``X ← (X + X⁻ᵀ) / 2`` and its distance from `T`, NaN where `T` is not near a rotation."""
    X = T
    for _ in range(5):
        x, y, z = rows_of(X)
        cofactors = (*cross_of(y, z), *cross_of(z, x), *cross_of(x, y))
        half = divide(0.5, dot_of(x, cofactors[0:3]))
        X = tuple(0.5 * entry + half * cofactor for entry, cofactor in zip(X, cofactors, strict=True))
    off = tuple(t - x for t, x in zip(T, X, strict=True))
    distance = sqrt(dot_of(off[0:3], off[0:3]) + dot_of(off[3:6], off[3:6]) + dot_of(off[6:9], off[6:9]))
    x, y, z = rows_of(T)
    is_near = both(distance < NEAR, dot_of(x, cross_of(y, z)) > 0.0)
    return (*X, where(is_near, distance, math.nan))


def _by_singular_values(T: Array) -> tuple[Array, Array]:
    """Return ``U diag(1, 1, ±1) Vᵀ`` for ``T = U S Vᵀ`` and its distance from `T`."""
    U, sizes, Vt = np.linalg.svd(T)
    is_mirrored = np.linalg.det(U) * np.linalg.det(Vt) < 0.0
    U[..., :, 2] = np.where(is_mirrored[..., np.newaxis], -U[..., :, 2], U[..., :, 2])
    off = sizes - 1.0
    distance = np.hypot(np.hypot(off[..., 0], off[..., 1]), np.where(is_mirrored, sizes[..., 2] + 1.0, off[..., 2]))
    return linear_algebra.multiply_matrices(U, Vt), distance
