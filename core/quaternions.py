"""Functions on quaternions as plain arrays (..., 4), scalar last, after Modelica `Frames.Quaternions`.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames.Quaternions``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels
from framescope.core.arrays import Array, as_array


def orientation_constraint(Q: ArrayLike) -> Array:
    """Return the residue ``Q·Q - 1``, shape (..., 1), that is zero for a unit quaternion.

    >>> orientation_constraint([0.0, 0.0, 0.0, 2.0])
    array([3.])
    """
    Q = as_array("Q", Q, (4,))
    return squared_norm(Q)[..., np.newaxis] - 1.0


def angular_velocity2(Q: ArrayLike, der_Q: ArrayLike) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to 1, resolved in 2: ``2 vec(conj(Q) ⊗ der_Q)``.

    >>> angular_velocity2([0, 0, 0, 1], [0, 0, 0.5, 0])
    array([0., 0., 1.])
    """
    Q, der_Q = as_array("Q", Q, (4,)), as_array("der_Q", der_Q, (4,))
    return 2.0 * kernels.multiply_quaternions(kernels.conjugate(Q), der_Q)[..., :3]


def normalize_quaternion(Q: ArrayLike) -> Array:
    """Return the unit quaternion (..., 4) along `Q`; raise `ValueError` when one is zero.

    >>> normalize_quaternion([0, 0, 0, 2])
    array([0., 0., 0., 1.])
    """
    Q = as_array("Q", Q, (4,))
    norm = np.sqrt(squared_norm(Q))[..., np.newaxis]
    if not np.all(norm > 0.0):
        raise ValueError("Q: expected a quaternion that is not zero")
    return Q / norm


def continuous_signs(Q: ArrayLike) -> Array:
    """Return the quaternions (n, 4) of a time series with signs such that neighbours are nearest.

    >>> continuous_signs([[0, 0, 0, 1], [0, 0, -0.1, -1]])[1]
    array([-0. , -0. ,  0.1,  1. ])
    """
    Q = as_array("Q", Q, (4,))
    flips = np.where((Q[1:] * Q[:-1]).sum(axis=-1) < 0.0, -1.0, 1.0)
    return Q * np.concatenate([[1.0], np.cumprod(flips)])[: len(Q), np.newaxis]


def squared_norm(Q: Array) -> Array:
    """Return ``Q·Q`` (...), unchecked."""
    return Q[..., 0] * Q[..., 0] + Q[..., 1] * Q[..., 1] + Q[..., 2] * Q[..., 2] + Q[..., 3] * Q[..., 3]
