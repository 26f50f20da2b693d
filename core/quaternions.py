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

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.arguments import is_finite
from framescope.core.kernels.validation import (
    NO_ROTATION,
    Array,
    as_array,
    as_columns,
    as_guess,
    as_unit,
    broadcast_leading,
)


def orientation_constraint(Q: ArrayLike) -> Array:
    """Return the residue that is zero for a unit quaternion.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 1)
        ``Q·Q - 1``.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Examples
    --------
    >>> orientation_constraint([0.0, 0.0, 0.0, 2.0])
    array([3.])
    """
    return linear_algebra.squared_norm.checked(("Q",), Q)[..., np.newaxis] - 1.0


def angular_velocity1(Q: ArrayLike, der_Q: ArrayLike) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 1.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    der_Q : (..., 4)
        Time derivative of `Q`, 1/s.

    Returns
    -------
    (..., 3)
        Angular velocity resolved in frame 1, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``2 vec(der_Q ⊗ conj(Q))``, not divided by ``Q·Q``. The scalar part, zero for a unit `Q`, is not used.

    Examples
    --------
    >>> angular_velocity1([0, 0, 0, 1], [0, 0, 0.5, 0])
    array([0., 0., 1.])
    """
    return linear_algebra.velocity1_of_quaternion.checked(("Q", "der_Q"), Q, der_Q)


def angular_velocity2(Q: ArrayLike, der_Q: ArrayLike) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 2.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    der_Q : (..., 4)
        Time derivative of `Q`, 1/s.

    Returns
    -------
    (..., 3)
        Angular velocity resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``2 vec(conj(Q) ⊗ der_Q)``, not divided by ``Q·Q``. The scalar part, zero for a unit `Q`, is not used.

    Examples
    --------
    >>> angular_velocity2([0, 0, 0, 1], [0, 0, 0.5, 0])
    array([0., 0., 1.])
    """
    return linear_algebra.velocity2_of_quaternion.checked(("Q", "der_Q"), Q, der_Q)


def resolve1(Q: ArrayLike, v2: ArrayLike) -> Array:
    """Return a vector given in frame 2, resolved in frame 1.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    v2 : (..., 3)
        Vector resolved in frame 2, any unit.

    Returns
    -------
    (..., 3)
        The same vector resolved in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``2((Q4² - 1/2) v + (q·v) q + Q4 q×v)``, `q` the vector part, without normalizing `Q`.

    Examples
    --------
    >>> resolve1([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [1, 0, 0]).round(12)
    array([0., 1., 0.])
    """
    return linear_algebra.resolve1_by_quaternion.checked(("Q", "v2"), Q, v2)


def resolve2(Q: ArrayLike, v1: ArrayLike) -> Array:
    """Return a vector given in frame 1, resolved in frame 2.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    v1 : (..., 3)
        Vector resolved in frame 1, any unit.

    Returns
    -------
    (..., 3)
        The same vector resolved in frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``2((Q4² - 1/2) v + (q·v) q - Q4 q×v)``, `q` the vector part, without normalizing `Q`.

    Examples
    --------
    >>> resolve2([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 1, 0]).round(12)
    array([1., 0., 0.])
    """
    return linear_algebra.resolve2_by_quaternion.checked(("Q", "v1"), Q, v1)


def multiple_resolve1(Q: ArrayLike, v2: ArrayLike) -> Array:
    """Return vectors given in frame 2, resolved in frame 1.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    v2 : (..., 3, n)
        Vectors resolved in frame 2, as columns, any unit.

    Returns
    -------
    (..., 3, n)
        The same vectors resolved in frame 1, as columns.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Each column is resolved as by `resolve1`; the leading axes are the axes before the columns.

    Examples
    --------
    >>> multiple_resolve1([0, 0, np.sqrt(0.5), np.sqrt(0.5)], np.eye(3)).round(12)[:, 0]
    array([0., 1., 0.])
    """
    Q, v2 = _as_Q("Q", Q), as_columns("v2", v2)
    broadcast_leading(Q=Q.shape[:-1], v2=v2.shape[:-2])
    return linear_algebra.on_columns(linear_algebra.resolve1_by_quaternion, Q[..., np.newaxis, :], v2)


def multiple_resolve2(Q: ArrayLike, v1: ArrayLike) -> Array:
    """Return vectors given in frame 1, resolved in frame 2.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    v1 : (..., 3, n)
        Vectors resolved in frame 1, as columns, any unit.

    Returns
    -------
    (..., 3, n)
        The same vectors resolved in frame 2, as columns.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Each column is resolved as by `resolve2`; the leading axes are the axes before the columns.

    Examples
    --------
    >>> multiple_resolve2([0, 0, np.sqrt(0.5), np.sqrt(0.5)], np.eye(3)).round(12)[:, 1]
    array([1., 0., 0.])
    """
    Q, v1 = _as_Q("Q", Q), as_columns("v1", v1)
    broadcast_leading(Q=Q.shape[:-1], v1=v1.shape[:-2])
    return linear_algebra.on_columns(linear_algebra.resolve2_by_quaternion, Q[..., np.newaxis, :], v1)


def null_rotation() -> Array:
    """Return the quaternion of a frame that coincides with frame 1.

    Returns
    -------
    (4,)
        ``[0, 0, 0, 1]``, scalar last.

    Examples
    --------
    >>> null_rotation()
    array([0., 0., 0., 1.])
    """
    return np.array([0.0, 0.0, 0.0, 1.0])


def inverse_rotation(Q: ArrayLike) -> Array:
    """Return the quaternion from frame 2 into frame 1.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 4)
        Quaternion from frame 2 into frame 1, scalar last.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    The result is the conjugate ``conj(Q)``, not divided by the norm, so it is the inverse only of a unit quaternion.

    Examples
    --------
    >>> inverse_rotation([0.0, 0.0, 0.6, 0.8])
    array([-0. , -0. , -0.6,  0.8])
    """
    return linear_algebra.conjugate.checked(("Q",), Q)


def relative_rotation(Q1: ArrayLike, Q2: ArrayLike) -> Array:
    """Return the quaternion from frame 1 into frame 2, with both given from a common frame 0.

    Parameters
    ----------
    Q1 : (..., 4)
        Quaternion from frame 0 into frame 1, scalar last.
    Q2 : (..., 4)
        Quaternion from frame 0 into frame 2, scalar last.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``conj(Q1) ⊗ Q2``, without normalization.

    Examples
    --------
    >>> relative_rotation([0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 0.6, 0.8])
    array([0., 0., 0., 1.])
    """
    return linear_algebra.relative_quaternion.checked(("Q1", "Q2"), Q1, Q2)


def absolute_rotation(Q1: ArrayLike, Q_rel: ArrayLike) -> Array:
    """Return the quaternion from frame 0 into frame 2, given 0 into 1 and 1 into 2.

    Parameters
    ----------
    Q1 : (..., 4)
        Quaternion from frame 0 into frame 1, scalar last.
    Q_rel : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 4)
        Quaternion from frame 0 into frame 2, scalar last.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``Q1 ⊗ Q_rel``, without normalization.

    Examples
    --------
    >>> absolute_rotation([0.0, 0.0, 0.6, 0.8], [0.0, 0.0, -0.6, 0.8])
    array([0., 0., 0., 1.])
    """
    return linear_algebra.multiply_quaternions.checked(("Q1", "Q_rel"), Q1, Q_rel)


def planar_rotation(e: ArrayLike, angle: ArrayLike) -> Array:
    """Return the quaternion of a frame turned about an axis.

    Parameters
    ----------
    e : (..., 3)
        Axis of the turn, of unit length; it has the same components in both frames.
    angle : (...)
        Angle from frame 1 to frame 2 about `e`, rad.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, `e` is not of unit length within 1e-6, or the leading axes do not
        broadcast.

    Notes
    -----
    ``[e sin(a/2), cos(a/2)]``. An `e` within the tolerance is not normalized. A whole turn more gives ``-Q``.

    Examples
    --------
    >>> planar_rotation([0, 0, 1], np.pi / 2).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return linear_algebra.planar_quaternion.checked(("e", "angle"), as_unit("e", e), angle)


def small_rotation(Q: ArrayLike) -> Array:
    """Return the three angles of a small rotation.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 3)
        Angles about the axes 1, 2 and 3, rad.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    ``2 Q[1:3]``, with 1-based indices: twice the vector part. `Q` must be near ``[0, 0, 0, 1]``; `-Q` gives the
    negative angles.

    Examples
    --------
    >>> small_rotation([0.0, 0.0, 0.001, 1.0])
    array([0.   , 0.   , 0.002])
    """
    return 2.0 * _as_Q("Q", Q)[..., :3]


def from_T(T: ArrayLike, Q_guess: ArrayLike = NO_ROTATION) -> Array:
    """Return the quaternion of a transformation matrix, with the sign that is nearer to a guess.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    Q_guess : (..., 4)
        Quaternion to be near to, scalar last, of any length.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, with ``Q · Q_guess >= 0``.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The pivoting algorithm of Modelica 4.x, accurate at all angles: it divides by a component that is at least 1/2 in
    size for a rotation. The references disagree: Modelica 3.x gives NaN at exact half turns. Where
    ``Q · Q_guess = 0`` either sign is right. A drifted matrix gives a `Q` that is not quite of unit length.

    Examples
    --------
    >>> from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return linear_algebra.quaternion_from_matrix.checked(("T", "Q_guess"), T, as_guess(Q_guess))


def from_T_inv(T_inv: ArrayLike, Q_guess: ArrayLike = NO_ROTATION) -> Array:
    """Return the quaternion of an inverse transformation matrix, with the sign that is nearer to a guess.

    Parameters
    ----------
    T_inv : (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.
    Q_guess : (..., 4)
        Quaternion to be near to, scalar last, of any length.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, with ``Q · Q_guess >= 0``.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `from_T` of ``T_invᵀ``, by the same algorithm.

    Examples
    --------
    >>> from_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([ 0.    ,  0.    , -0.7071,  0.7071])
    """
    T = linear_algebra.transpose(as_array("T_inv", T_inv, (3, 3)))
    return linear_algebra.quaternion_from_matrix(T, as_guess(Q_guess), names=("T_inv", "Q_guess"))


def to_T(Q: ArrayLike) -> Array:
    """Return the transformation matrix of a quaternion.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    Diagonal ``2(Qi² + Q4²) - 1``, other elements ``T12 = 2(Q1 Q2 + Q3 Q4)``, ``T21 = 2(Q1 Q2 - Q3 Q4)``, cyclic. `Q` is
    not normalized, so a `Q` of another length gives no rotation. `Q` and `-Q` give the same result.

    Examples
    --------
    >>> to_T([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([0., 1., 0.])
    """
    return linear_algebra.matrix_from_quaternion.checked(("Q",), Q)


def to_T_inv(Q: ArrayLike) -> Array:
    """Return the inverse transformation matrix of a quaternion.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    The transpose of `to_T`.

    Examples
    --------
    >>> to_T_inv([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(to_T(Q))


def equality_constraint(Q1: ArrayLike, Q2: ArrayLike) -> Array:
    """Return three residues that are zero when two quaternions are the same.

    Parameters
    ----------
    Q1 : (..., 4)
        Quaternion from frame 0 into frame 1, scalar last.
    Q2 : (..., 4)
        Quaternion from frame 0 into frame 2, scalar last.

    Returns
    -------
    (..., 3)
        Residues, rad, in [-pi, pi].

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``atan2(q_i, q_4)``, i = 1, 2, 3, of ``q = conj(Q1) ⊗ Q2``: near zero these are *half* the angles from frame 1 to 2
    about the three axes. ``Q2 = -Q1``, the same orientation, gives ±pi: choose the sign first, with ``Q1·Q2 >= 0``.
    Compare residues modulo 2 pi, because -pi is not converted to pi. The `atan2` of two numbers near zero is rounding
    noise.

    Examples
    --------
    >>> equality_constraint([0, 0, 0, 1], planar_rotation([1, 0, 0], 0.1)).round(12)
    array([0.05, 0.  , 0.  ])
    """
    return linear_algebra.angles_between_quaternions.checked(("Q1", "Q2"), Q1, Q2)


def normalize_quaternion(Q: ArrayLike) -> Array:
    """Return the unit quaternion along a quaternion.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion of any length but zero.

    Returns
    -------
    (..., 4)
        ``Q / |Q|``, with the same sign.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite, or a quaternion is at most 1e-150 long.

    Notes
    -----
    Components over 1e154, whose squares overflow, give zeros.

    Examples
    --------
    >>> normalize_quaternion([0, 0, 0, 2])
    array([0., 0., 0., 1.])
    """
    unit, is_doubtful = linear_algebra.normalize_quaternion.checked_with_doubt(("Q",), Q)
    if is_doubtful and not is_finite(unit):
        shortest = np.sqrt(linear_algebra.squared_norm(np.asarray(Q, dtype=np.float64))).min()
        raise ValueError(f"Q: expected a quaternion that is not zero, got one of length {shortest:.3g}")
    return unit


def continuous_signs(Q: ArrayLike) -> Array:
    """Return the quaternions of a time series, each with the sign that is nearest to the previous quaternion.

    Parameters
    ----------
    Q : (n, 4)
        Quaternions in the order of time.

    Returns
    -------
    (n, 4)
        Quaternions of the same orientations. The first is unchanged. Each of the others has a scalar product ``>= 0``
        with the previous quaternion.

    Raises
    ------
    ValueError
        When `Q` is not of shape (n, 4) or not finite.

    Notes
    -----
    The signs are right as long as the frame turns by less than half a turn from sample to sample.

    Examples
    --------
    >>> continuous_signs([[0, 0, 0, 1], [0, 0, -0.1, -1]])[1]
    array([-0. , -0. ,  0.1,  1. ])
    """
    Q = _as_Q("Q", Q)
    if Q.ndim != 2:
        raise ValueError(f"Q: expected a time series (n, 4), got shape {Q.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        flips = np.where((Q[1:] * Q[:-1]).sum(axis=-1) < 0.0, -1.0, 1.0)
    return Q * np.concatenate([[1.0], np.cumprod(flips)])[: len(Q), np.newaxis]


def _as_Q(name: str, value: ArrayLike) -> Array:
    """Return finite quaternions (..., 4), or raise `ValueError` with their name."""
    return as_array(name, value, (4,))
