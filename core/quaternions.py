"""Functions on quaternions as plain arrays (..., 4), scalar last, after Modelica `Frames.Quaternions`.

A quaternion `Q` takes frame 1 into frame 2, as the matrix `to_T(Q)` does: ``v2 = conj(Q) ⊗ v1 ⊗ Q``. `Q` and `-Q` are
the same orientation.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames.Quaternions``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels
from framescope.core.arrays import Array, as_array, as_columns, as_unit

SHORTEST = 1e-150
"""Length below which a quaternion has no direction that can be trusted: its square is near the smallest number."""


def orientation_constraint(Q: ArrayLike) -> Array:
    """Return the residue ``Q·Q - 1``, shape (..., 1), that is zero for a unit quaternion.

    >>> orientation_constraint([0.0, 0.0, 0.0, 2.0])
    array([3.])
    """
    return kernels.squared_norm(as_array("Q", Q, (4,)))[..., np.newaxis] - 1.0


def angular_velocity1(Q: ArrayLike, der_Q: ArrayLike) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to 1, resolved in 1: ``2 vec(der_Q ⊗ conj(Q))``.

    >>> angular_velocity1([0, 0, 0, 1], [0, 0, 0.5, 0])
    array([0., 0., 1.])
    """
    return kernels.velocity1_of_quaternion(as_array("Q", Q, (4,)), as_array("der_Q", der_Q, (4,)))


def angular_velocity2(Q: ArrayLike, der_Q: ArrayLike) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to 1, resolved in 2: ``2 vec(conj(Q) ⊗ der_Q)``.

    >>> angular_velocity2([0, 0, 0, 1], [0, 0, 0.5, 0])
    array([0., 0., 1.])
    """
    return kernels.velocity2_of_quaternion(as_array("Q", Q, (4,)), as_array("der_Q", der_Q, (4,)))


def resolve1(Q: ArrayLike, v2: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 2, resolved in frame 1: ``2((Q4² - 1/2) v + (q·v) q + Q4 q×v)``.

    >>> resolve1([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [1, 0, 0]).round(12)
    array([0., 1., 0.])
    """
    return kernels.resolve1_by_quaternion(as_array("Q", Q, (4,)), as_array("v2", v2, (3,)))


def resolve2(Q: ArrayLike, v1: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 1, resolved in frame 2: ``2((Q4² - 1/2) v + (q·v) q - Q4 q×v)``.

    >>> resolve2([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 1, 0]).round(12)
    array([1., 0., 0.])
    """
    return kernels.resolve2_by_quaternion(as_array("Q", Q, (4,)), as_array("v1", v1, (3,)))


def multiple_resolve1(Q: ArrayLike, v2: ArrayLike) -> Array:
    """Return vectors, the columns of (..., 3, n), given in frame 2, resolved in frame 1.

    >>> multiple_resolve1([0, 0, np.sqrt(0.5), np.sqrt(0.5)], np.eye(3)).round(12)[:, 0]
    array([0., 1., 0.])
    """
    Q, v2 = as_array("Q", Q, (4,)), as_columns("v2", v2)
    return kernels.on_columns(kernels.resolve1_by_quaternion, Q[..., np.newaxis, :], v2)


def multiple_resolve2(Q: ArrayLike, v1: ArrayLike) -> Array:
    """Return vectors, the columns of (..., 3, n), given in frame 1, resolved in frame 2.

    >>> multiple_resolve2([0, 0, np.sqrt(0.5), np.sqrt(0.5)], np.eye(3)).round(12)[:, 1]
    array([1., 0., 0.])
    """
    Q, v1 = as_array("Q", Q, (4,)), as_columns("v1", v1)
    return kernels.on_columns(kernels.resolve2_by_quaternion, Q[..., np.newaxis, :], v1)


def null_rotation() -> Array:
    """Return the quaternion (4,) of a frame that coincides with frame 1.

    >>> null_rotation()
    array([0., 0., 0., 1.])
    """
    return np.array([0.0, 0.0, 0.0, 1.0])


def inverse_rotation(Q: ArrayLike) -> Array:
    """Return the quaternion (..., 4) from frame 2 into frame 1: the conjugate, never divided by the norm.

    >>> inverse_rotation([0.0, 0.0, 0.6, 0.8])
    array([-0. , -0. , -0.6,  0.8])
    """
    return kernels.conjugate(as_array("Q", Q, (4,)))


def relative_rotation(Q1: ArrayLike, Q2: ArrayLike) -> Array:
    """Return the quaternion (..., 4) from frame 1 into frame 2, both given from a common frame 0: ``conj(Q1) ⊗ Q2``.

    >>> relative_rotation([0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 0.6, 0.8])
    array([0., 0., 0., 1.])
    """
    return kernels.relative_quaternion(as_array("Q1", Q1, (4,)), as_array("Q2", Q2, (4,)))


def absolute_rotation(Q1: ArrayLike, Q_rel: ArrayLike) -> Array:
    """Return the quaternion (..., 4) from frame 0 into frame 2, given 0 into 1 and 1 into 2: ``Q1 ⊗ Q_rel``.

    >>> absolute_rotation([0.0, 0.0, 0.6, 0.8], [0.0, 0.0, -0.6, 0.8])
    array([0., 0., 0., 1.])
    """
    return kernels.multiply_quaternions(as_array("Q1", Q1, (4,)), as_array("Q_rel", Q_rel, (4,)))


def planar_rotation(e: ArrayLike, angle: ArrayLike) -> Array:
    """Return the quaternion (..., 4) turned by `angle` (...) rad about the unit axis `e`: ``[e sin(a/2), cos(a/2)]``.

    >>> planar_rotation([0, 0, 1], np.pi / 2).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return kernels.planar_quaternion(as_unit("e", e), as_array("angle", angle))


def small_rotation(Q: ArrayLike) -> Array:
    """Return the three small angles (..., 3), rad, of a quaternion: ``2 Q[1:3]``.

    >>> small_rotation([0.0, 0.0, 0.001, 1.0])
    array([0.   , 0.   , 0.002])
    """
    return 2.0 * as_array("Q", Q, (4,))[..., :3]


def from_T(T: ArrayLike, Q_guess: ArrayLike = (0, 0, 0, 1)) -> Array:
    """Return the quaternion (..., 4) of a matrix `T` (..., 3, 3), with ``Q · Q_guess >= 0``.

    >>> from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return kernels.quaternion_from_matrix(as_array("T", T, (3, 3)), as_array("Q_guess", Q_guess, (4,)))


def from_T_inv(T_inv: ArrayLike, Q_guess: ArrayLike = (0, 0, 0, 1)) -> Array:
    """Return the quaternion (..., 4) from frame 1 into 2 of the matrix from 2 into 1, with ``Q · Q_guess >= 0``.

    >>> from_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([ 0.    ,  0.    , -0.7071,  0.7071])
    """
    T = kernels.transpose(as_array("T_inv", T_inv, (3, 3)))
    return kernels.quaternion_from_matrix(T, as_array("Q_guess", Q_guess, (4,)))


def to_T(Q: ArrayLike) -> Array:
    """Return the transformation matrix (..., 3, 3) of a quaternion as it stands, diagonal ``2(Qi² + Q4²) - 1``.

    >>> to_T([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([0., 1., 0.])
    """
    return kernels.matrix_from_quaternion(as_array("Q", Q, (4,)))


def to_T_inv(Q: ArrayLike) -> Array:
    """Return the inverse transformation matrix (..., 3, 3), from frame 2 into frame 1.

    >>> to_T_inv([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(to_T(Q))


def equality_constraint(Q1: ArrayLike, Q2: ArrayLike) -> Array:
    """Return three residues (..., 3), rad, that are zero when two quaternions are the same orientation.

    ``atan2(q_i, q_4)`` of ``q = conj(Q1) ⊗ Q2``: half the angles between them; they may be -pi.

    >>> equality_constraint([0, 0, 0, 1], planar_rotation([1, 0, 0], 0.1)).round(12)
    array([0.05, 0.  , 0.  ])
    """
    return kernels.angles_between_quaternions(as_array("Q1", Q1, (4,)), as_array("Q2", Q2, (4,)))


def normalize_quaternion(Q: ArrayLike) -> Array:
    """Return the unit quaternion (..., 4) along `Q`; raise `ValueError` when one is zero.

    >>> normalize_quaternion([0, 0, 0, 2])
    array([0., 0., 0., 1.])
    """
    Q = as_array("Q", Q, (4,))
    shortest = np.min(kernels.squared_norm(Q), initial=np.inf)
    if not shortest > SHORTEST**2:
        raise ValueError(f"Q: expected a quaternion that is not zero, got one of length {np.sqrt(shortest):.3g}")
    return kernels.normalize_quaternion(Q)


def continuous_signs(Q: ArrayLike) -> Array:
    """Return the quaternions (n, 4) of a time series with signs such that neighbours are nearest.

    >>> continuous_signs([[0, 0, 0, 1], [0, 0, -0.1, -1]])[1]
    array([-0. , -0. ,  0.1,  1. ])
    """
    Q = as_array("Q", Q, (4,))
    if Q.ndim != 2:
        raise ValueError(f"Q: expected a time series (n, 4), got shape {Q.shape}")
    flips = np.where((Q[1:] * Q[:-1]).sum(axis=-1) < 0.0, -1.0, 1.0)
    return Q * np.concatenate([[1.0], np.cumprod(flips)])[: len(Q), np.newaxis]
