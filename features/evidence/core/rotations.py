"""Best rotation in relations that are linear in it: least squares over all rotations, from many starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.kernels.linear_systems import solve
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import changes
from framescope.features.evidence.core.spectral_fit import SpectralFit
from framescope.features.evidence.core.states import GENERATORS

STEPS = 12
"""Gauss–Newton steps."""


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


def best_rotation(
    normals: Iterable[tuple[Array, Array, float]], starts: Array | None = None
) -> tuple[Array, Array, float]:
    """Return the rotation (3, 3) that minimizes a sum of chi-squares, its information (3, 3), and the minimum.

    The information is that of a small turn on the left, 1/rad².
    """
    A, B, C = (sum(parts) for parts in zip(*normals, strict=True))
    R = np.stack([change.matrix for change in changes(is_proper=True)]) if starts is None else starts
    U, _, Vt = np.linalg.svd(np.asarray(B).reshape(3, 3))
    U[:, 2] *= np.linalg.det(U @ Vt)
    R = np.concatenate([R, (U @ Vt)[None]])
    generators = GENERATORS
    H = np.zeros((len(R), 3, 3))
    for _ in range(STEPS):
        J = np.einsum("iab,nbc->niac", generators, R).reshape(-1, 3, 9)
        gradient = B - R.reshape(-1, 9) @ A
        g = np.einsum("nik,nk->ni", J, gradient)
        H = np.einsum("nik,kl,njl->nij", J, A, J)
        damping = 1e-3 * np.einsum("nii->n", H)[:, None, None] * np.eye(3) + 1e-12 * np.eye(3)
        step = solve(H + damping, g)
        size = np.linalg.norm(step, axis=1, keepdims=True)
        step *= np.minimum(1.0, 0.5 / np.maximum(size, 1e-12))
        R = Rotation.from_rotvec(step).as_matrix() @ R
    flat = R.reshape(-1, 9)
    chi = np.einsum("nk,kl,nl->n", flat, A, flat) - 2.0 * flat @ B + C
    k = int(np.argmin(chi))
    return R[k], H[k], float(chi[k])


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
