"""Exponential and logarithm of rotations, and cross product matrices, for many at once."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array


def cross_matrices(v: Array) -> Array:
    """Return the matrices (..., 3, 3) whose product with u is ``v x u``, of vectors v (..., 3).

    >>> cross_matrices(np.array([1.0, 2.0, 3.0])) @ [0.0, 0.0, 1.0]
    array([ 2., -1.,  0.])
    """
    out = np.zeros((*v.shape[:-1], 3, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return out


def exp_rotation(v: Array) -> Array:
    """Return the rotation (3, 3) of a rotation vector (3,), rad.

    >>> exp_rotation(np.array([0.0, 0.0, np.pi / 2])).round(9) @ [1.0, 0.0, 0.0]
    array([0., 1., 0.])
    """
    angle = float(np.linalg.norm(v))
    K = cross_matrices(v)
    a = np.sinc(angle / np.pi)
    b = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    return np.eye(3) + a * K + b * (K @ K)


def log_rotations(R: Array) -> Array:
    """Return the rotation vectors (n, 3) of rotations (n, 3, 3), rad; exact near 0, and sound up to pi.

    >>> log_rotations(exp_rotation(np.array([0.1, -0.2, 3.0]))[np.newaxis]).round(9)
    array([[ 0.1, -0.2,  3. ]])
    """
    from framescope.features.trajectories.core.pose_stream import quaternions_of

    q = quaternions_of(R)
    q = np.where(q[:, 3:] < 0.0, -q, q)
    sine = np.linalg.norm(q[:, :3], axis=1)
    angle = 2.0 * np.arctan2(sine, q[:, 3])
    factor = np.where(sine > 1e-12, angle / np.where(sine > 0.0, sine, 1.0), 2.0)
    return q[:, :3] * factor[:, np.newaxis]


def angle_of_matrix(R: Array) -> float:
    """Return the angle of a rotation (3, 3), rad; exact near 0."""
    return float(2.0 * np.arcsin(min(np.linalg.norm(R - np.eye(3)) / np.sqrt(8.0), 1.0)))
