"""Best rotation in relations that are linear in it: least squares over all rotations, from many starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.kernels.linear_systems import solve
from framescope.core.kernels.nearest_rotation import best_rotations
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import changes
from framescope.features.evidence.core.spectral_fit import SpectralFit
from framescope.features.evidence.core.states import GENERATORS

STEPS = 12
"""Most Gauss–Newton steps."""

CONVERGED = 1e-8
"""Largest step from which no more follow, rad."""


def normal_of(fit: SpectralFit, theta_of: Callable[[Array], Array]) -> tuple[Array, Array, float]:
    """Return the chi-square of coefficients that are affine in a matrix (3, 3): ``vec.A.vec - 2 B.vec + C``."""
    basis = np.eye(9).reshape(9, 3, 3)
    origin = theta_of(np.zeros((3, 3)))
    L = np.broadcast_to(theta_of(basis), (9, *origin.shape)) - origin
    AL = np.einsum("cpq,kcq->kcp", fit.A, L)
    A = np.einsum("kcp,lcp->kl", AL, L)
    rest = fit.B - np.einsum("cpq,cq->cp", fit.A, origin)
    B = np.einsum("kcp,cp->k", L, rest)
    C = float(np.sum(fit.C - np.einsum("cp,cp->c", origin, 2.0 * fit.B - np.einsum("cpq,cq->cp", fit.A, origin))))
    return A, B, C


def fitted_rotation(
    normals: Iterable[tuple[Array, Array, float]], starts: Array | None = None
) -> tuple[Array, Array, float]:
    """Return the rotation (3, 3) that minimizes a sum of chi-squares, its information (3, 3), and the minimum.

    The information is that of a small turn on the left, 1/rad².
    """
    A, B, C = (np.asarray(sum(parts)) for parts in zip(*normals, strict=True))
    R = fitted_rotations(A[None], B[None], starts)
    _, H = _step(A[None], B[None], R[:, None])
    return R[0], H[0, 0], float(_chi(A[None], B[None], R[:, None])[0, 0] + C)


def fitted_rotations(A: Array, B: Array, starts: Array | None = None) -> Array:
    """Return the rotations (p, 3, 3) that minimize chi-squares.

    Parameters
    ----------
    A : (p, 9, 9), B : (p, 9)
        Normal equations of each rotation, see `normal_of`.
    starts : (n, 3, 3), optional
        Rotations from which the steps begin; all turns of axes into axes by default.
    """
    if starts is None:
        starts = np.stack([change.matrix for change in changes(is_proper=True)])
    count = len(A)
    nearest = best_rotations(B.reshape(-1, 3, 3))
    R = np.concatenate([np.broadcast_to(starts, (count, *starts.shape)), nearest[:, None]], axis=1)
    for _ in range(STEPS):
        step, _ = _step(A, B, R)
        R = _turned(step) @ R
        if np.abs(step).max() < CONVERGED:
            break
    return R[np.arange(count), np.argmin(_chi(A, B, R), axis=1)]


def _chi(A: Array, B: Array, R: Array) -> Array:
    """Return the chi-squares (p, n) of rotations (p, n, 3, 3), up to a constant."""
    flat = R.reshape(*R.shape[:2], 9)
    return np.sum(flat * (flat @ A - 2.0 * B[:, None]), axis=-1)


def _step(A: Array, B: Array, R: Array) -> tuple[Array, Array]:
    """Return the Gauss–Newton steps (p, n, 3) from rotations (p, n, 3, 3), and the information (p, n, 3, 3)."""
    p, n = R.shape[:2]
    J = (GENERATORS @ R[:, :, None]).reshape(p, n, 3, 9)
    gradient = B[:, None] - R.reshape(p, n, 9) @ A
    g = np.squeeze(J @ gradient[..., None], -1)
    H = (J.reshape(p, 3 * n, 9) @ A).reshape(p, n, 3, 9) @ np.swapaxes(J, -1, -2)
    damping = 1e-3 * np.trace(H, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) + 1e-12 * np.eye(3)
    step = solve(H + damping, g)
    size = np.linalg.norm(step, axis=-1, keepdims=True)
    return step * np.minimum(1.0, 0.5 / np.maximum(size, 1e-12)), H


def _turned(s: Array) -> Array:
    """Return the matrices (..., 3, 3) of turn vectors (..., 3) of less than half a turn."""
    angle = np.linalg.norm(s, axis=-1)[..., None, None]
    K = (s @ GENERATORS.reshape(3, 9)).reshape(*s.shape[:-1], 3, 3)
    return np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * (K @ K)


def best_yaw(normals: Iterable[tuple[Array, Array, float]]) -> Array:
    """Return the rotation (3, 3) about z that minimizes a sum of chi-squares."""
    A, B, _ = (sum(parts) for parts in zip(*normals, strict=True))
    angles = np.linspace(-np.pi, np.pi, 360, endpoint=False)
    for width in (2.0 * np.pi / 360, 2.0 * np.pi / 36000):
        R = Rotation.from_euler("z", angles[:, None]).as_matrix().reshape(-1, 9)
        chi = np.einsum("nk,kl,nl->n", R, A, R) - 2.0 * R @ B
        best = angles[int(np.argmin(chi))]
        angles = best + np.linspace(-width, width, 201)
    return Rotation.from_euler("z", best).as_matrix()
