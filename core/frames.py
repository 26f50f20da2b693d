"""Orientation objects and functions on them, after Modelica `MultiBody.Frames`.

An `Orientation` takes frame 1 into frame 2: ``v2 = T @ v1``, and `w` is the angular velocity of
frame 2 relative to frame 1, resolved in frame 2. Every function broadcasts over leading axes.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels
from framescope.core.arrays import Array, as_array, as_axis, as_sequence, as_unit, broadcast_leading

SINGULAR = 1e-12
"""Both terms of the first angle at most this: the sequence is locked and angle 1 is the guess."""


@dataclass(frozen=True, eq=False)
class Orientation:
    """Orientation of frame 2 in frame 1 with its angular velocity.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix, ``v2 = T @ v1``. It may have drifted: formulas apply as it stands.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> Orientation(np.eye(3), [0.0, 0.0, 1.0]).w
    array([0., 0., 1.])
    """

    T: Array
    w: Array

    def __post_init__(self) -> None:
        T, w = as_array("T", self.T, (3, 3)), as_array("w", self.w, (3,))
        leading = broadcast_leading(T=T.shape[:-2], w=w.shape[:-1])
        object.__setattr__(self, "T", np.broadcast_to(T, (*leading, 3, 3)))
        object.__setattr__(self, "w", np.broadcast_to(w, (*leading, 3)))


def null_rotation() -> Orientation:
    """Return the orientation of a frame that coincides with frame 1 and does not turn.

    >>> null_rotation().T[0]
    array([1., 0., 0.])
    """
    return Orientation(np.eye(3), np.zeros(3))


def orientation_constraint(R: Orientation) -> Array:
    """Return the six residues (..., 6) that are zero for a rotation.

    The squared norms of the columns of `T` less one, then the products of columns 12, 13 and 23.

    >>> orientation_constraint(null_rotation())
    array([0., 0., 0., 0., 0., 0.])
    """
    return kernels.orientation_residues(R.T)


def resolve1(R: Orientation, v2: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 2, resolved in frame 1: ``Tᵀ v2``.

    >>> resolve1(axis_rotation(3, np.pi / 2), [1.0, 0.0, 0.0]).round(12)
    array([0., 1., 0.])
    """
    return kernels.apply_matrix(kernels.transpose(R.T), as_array("v2", v2, (3,)))


def resolve2(R: Orientation, v1: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 1, resolved in frame 2: ``T v1``.

    >>> resolve2(axis_rotation(3, np.pi / 2), [0.0, 1.0, 0.0]).round(12)
    array([1., 0., 0.])
    """
    return kernels.apply_matrix(R.T, as_array("v1", v1, (3,)))


def inverse_rotation(R: Orientation) -> Orientation:
    """Return the orientation from frame 2 into frame 1: ``Tᵀ``, ``w = -Tᵀ w``.

    >>> inverse_rotation(axis_rotation(1, 0.1, 2.0)).w
    array([-2., -0., -0.])
    """
    T_inv = kernels.transpose(R.T)
    return Orientation(T_inv, -kernels.apply_matrix(T_inv, R.w))


def relative_rotation(R1: Orientation, R2: Orientation) -> Orientation:
    """Return the orientation from frame 1 into frame 2, both given from a common frame 0.

    >>> R = relative_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.3))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.2).T))
    True
    """
    T = kernels.multiply_matrices(R2.T, kernels.transpose(R1.T))
    return Orientation(T, R2.w - kernels.apply_matrix(T, R1.w))


def absolute_rotation(R1: Orientation, R_rel: Orientation) -> Orientation:
    """Return the orientation from frame 0 into frame 2, given 0 into 1 and 1 into 2.

    >>> R = absolute_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.2))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.3).T))
    True
    """
    T = kernels.multiply_matrices(R_rel.T, R1.T)
    return Orientation(T, kernels.apply_matrix(R_rel.T, R1.w) + R_rel.w)


def planar_rotation(e: ArrayLike, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation turned by `angle` (...) rad about the unit axis `e` (..., 3).

    ``T = e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``, ``w = e der_angle``.

    >>> planar_rotation([0, 0, 1], np.pi / 2).T.round(12)[0]
    array([0., 1., 0.])
    """
    e, angle, rate = as_unit("e", e), as_array("angle", angle), as_array("der_angle", der_angle)
    return Orientation(kernels.planar_matrix(e, angle), e * rate[..., np.newaxis])


def planar_rotation_angle(e: ArrayLike, v1: ArrayLike, v2: ArrayLike) -> Array:
    """Return the angle (...) about `e` that takes `v1` (frame 1) into `v2` (frame 2), in (-pi, pi].

    ``atan2(-(e × v1)·v2, v1·v2 - (e·v1)(e·v2))``

    >>> float(planar_rotation_angle([0, 0, 1], [0, 1, 0], [1, 0, 0]).round(4))
    1.5708
    """
    e, v1, v2 = as_unit("e", e), as_array("v1", v1, (3,)), as_array("v2", v2, (3,))
    return _wrap(_planar_angle(e, v1, v2))


def axis_rotation(axis: int, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation turned by `angle` (...) rad about coordinate axis 1, 2 or 3.

    >>> axis_rotation(1, np.pi / 2).T.round(12)[1]
    array([0., 0., 1.])
    """
    axis = as_axis(axis)
    angle, rate = as_array("angle", angle), as_array("der_angle", der_angle)
    w = np.zeros((*rate.shape, 3))
    w[..., axis - 1] = rate
    return Orientation(kernels.axis_matrix(axis, angle), w)


def axes_rotations(sequence: str | tuple[int, ...], angles: ArrayLike, der_angles: ArrayLike = 0) -> Orientation:
    """Return the orientation after three turns about the axes of the moving frame.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles, der_angles : (..., 3)
        Angles, rad, and their rates, rad/s; a `der_angles` of 0 is no rate.

    Notes
    -----
    ``T = T3 T2 T1`` and ``w = e3 d3 + T3 (e2 d2 + T2 e1 d1)``.

    Examples
    --------
    >>> axes_rotations("XYZ", [0.0, 0.0, np.pi / 2]).T.round(12)[0]
    array([0., 1., 0.])
    """
    a, b, c = as_sequence(sequence)
    angles = as_array("angles", angles, (3,))
    rates = np.zeros(3) if np.ndim(der_angles) == 0 and der_angles == 0 else as_array("der_angles", der_angles, (3,))
    T, w = axes_matrix_and_velocity((a, b, c), angles, rates)
    return Orientation(T, w)


def axes_matrix_and_velocity(sequence: tuple[int, int, int], angles: Array, rates: Array) -> tuple[Array, Array]:
    """Unchecked kernel of `axes_rotations`: `T` and `w` of three turns with their rates."""
    T1, T2, T3 = (kernels.axis_matrix(axis, angles[..., i]) for i, axis in enumerate(sequence))
    e1, e2, e3 = np.eye(3)[[axis - 1 for axis in sequence]]
    w = e2 * rates[..., 1:2] + kernels.apply_matrix(T2, e1 * rates[..., 0:1])
    w = e3 * rates[..., 2:3] + kernels.apply_matrix(T3, w)
    return kernels.multiply_matrices(T3, kernels.multiply_matrices(T2, T1)), w


def axes_rotations_angles(
    R: Orientation, sequence: str | tuple[int, ...] = (1, 2, 3), guess_angle1: ArrayLike = 0
) -> Array:
    """Return the three angles (..., 3) of `R` for an axis sequence, the branch nearest a guess.

    Notes
    -----
    Angle 1 is computed first and the others *with* it, so that the matrix is reproduced at any distance
    from the lock. Of the two branches the one with the smaller ``|angle1 - guess|`` is taken, the first
    on a tie. At the lock, where only a sum or difference of angles 1 and 3 is defined, angle 1 is the
    guess as given. Angles are in (-pi, pi].

    Examples
    --------
    >>> axes_rotations_angles(axes_rotations("ZYX", [0.1, 0.2, 0.3]), "ZYX").round(12)
    array([0.1, 0.2, 0.3])
    """
    axes = as_sequence(sequence)
    guess = as_array("guess_angle1", guess_angle1)
    e1, e2, e3 = np.eye(3)[[axis - 1 for axis in axes]]
    r = R.T[..., axes[2] - 1, :]
    A = kernels.dot(e2, r)
    B = kernels.dot(kernels.cross(e1, e2), r)
    first, second = np.arctan2(A, -B), np.arctan2(-A, B)
    angle1 = np.where(np.abs(first - guess) <= np.abs(second - guess), first, second)
    is_locked = (np.abs(A) <= SINGULAR) & (np.abs(B) <= SINGULAR)
    angle1 = np.where(is_locked, guess, angle1)
    T1 = kernels.axis_matrix(axes[0], angle1)
    angle2 = _planar_angle(e2, kernels.apply_matrix(T1, r), e3)
    e2_in_2 = kernels.apply_matrix(R.T, kernels.apply_matrix(kernels.transpose(T1), e2))
    angle3 = _planar_angle(e3, e2, e2_in_2)
    return np.stack([np.where(is_locked, angle1, _wrap(angle1)), _wrap(angle2), _wrap(angle3)], axis=-1)


def other_branch(sequence: str | tuple[int, ...], angles: ArrayLike) -> Array:
    """Return the second set of angles (..., 3) that gives the same orientation.

    For three different axes ``[a ± pi, pi - b, c ± pi]``, for first and third the same
    ``[a ± pi, -b, c ± pi]``, each in (-pi, pi].

    >>> other_branch("XYZ", [0.1, 0.2, 0.3]).round(4)
    array([-3.0416,  2.9416, -2.8416])
    """
    axes = as_sequence(sequence)
    angles = as_array("angles", angles, (3,))
    second = -angles[..., 1] if axes[0] == axes[2] else np.pi - angles[..., 1]
    return _wrap_turns(np.stack([angles[..., 0] + np.pi, second, angles[..., 2] + np.pi], axis=-1))


def from_nxy(n_x: ArrayLike, n_y: ArrayLike) -> Orientation:
    """Return the orientation with x along `n_x` (..., 3) and y towards `n_y` (..., 3), both in frame 1.

    Degenerate directions are replaced as the reference does (a zero `n_x` by the x axis, an `n_y`
    parallel to it by another axis); `w` is zero.

    >>> from_nxy([0, 2, 0], [-1, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    e_x, n = _first_axis_and_other(n_x, as_array("n_y", n_y, (3,)), np.array([0.0, 1.0, 0.0]))
    e_z = _unit(kernels.cross(e_x, n))
    return _from_rows(e_x, kernels.cross(e_z, e_x), e_z)


def from_nxz(n_x: ArrayLike, n_z: ArrayLike) -> Orientation:
    """Return the orientation with x along `n_x` (..., 3) and z towards `n_z` (..., 3), both in frame 1.

    >>> from_nxz([1, 0, 0], [0, 0, 3]).T.round(12)[2]
    array([0., 0., 1.])
    """
    e_x, n = _first_axis_and_other(n_x, as_array("n_z", n_z, (3,)), np.array([0.0, 0.0, 1.0]))
    e_y = _unit(kernels.cross(n, e_x))
    return _from_rows(e_x, e_y, kernels.cross(e_x, e_y))


def from_Q(Q: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of a quaternion `Q` (..., 4), scalar last, as it stands, with `w` (..., 3).

    >>> from_Q([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    return Orientation(kernels.matrix_from_quaternion(as_array("Q", Q, (4,))), as_array("w", w, (3,)))


def to_Q(R: Orientation, Q_guess: ArrayLike = (0, 0, 0, 1)) -> Array:
    """Return the quaternion (..., 4), scalar last; of `Q` and `-Q` the one with ``Q · Q_guess >= 0``.

    >>> to_Q(axis_rotation(3, np.pi / 2)).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    guess = as_array("Q_guess", Q_guess, (4,))
    Q = kernels.quaternion_from_matrix(R.T)
    return np.where((Q * guess).sum(axis=-1, keepdims=True) < 0.0, -Q, Q)


def _planar_angle(e: Array, v1: Array, v2: Array) -> Array:
    y = -kernels.dot(kernels.cross(e, v1), v2)
    return np.arctan2(y, kernels.dot(v1, v2) - kernels.dot(e, v1) * kernels.dot(e, v2))


def _wrap(angle: Array) -> Array:
    """Turn -pi into pi, so that angles are in (-pi, pi]."""
    return np.where(angle == -np.pi, np.pi, angle)


def _wrap_turns(angle: Array) -> Array:
    """Take whole turns off, into (-pi, pi]."""
    return _wrap(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))


def _unit(v: Array) -> Array:
    return v / np.sqrt(kernels.dot(v, v))[..., np.newaxis]


def _first_axis_and_other(n_x: ArrayLike, n: Array, fallback: Array) -> tuple[Array, Array]:
    """Return the unit x axis, and the second direction or its stand-in when it is parallel to x."""
    n_x = as_array("n_x", n_x, (3,))
    length = np.sqrt(kernels.dot(n_x, n_x))[..., np.newaxis]
    is_zero = length < 1e-10
    e_x = np.where(is_zero, np.array([1.0, 0.0, 0.0]), n_x / np.where(is_zero, 1.0, length))
    normal = kernels.cross(e_x, n)
    is_parallel = (kernels.dot(normal, normal) <= 1e-6)[..., np.newaxis]
    stand_in = np.where(np.abs(e_x[..., :1]) > 1e-6, fallback, np.array([1.0, 0.0, 0.0]))
    return e_x, np.where(is_parallel, stand_in, n)


def _from_rows(e_x: Array, e_y: Array, e_z: Array) -> Orientation:
    return Orientation(np.stack(np.broadcast_arrays(e_x, e_y, e_z), axis=-2), np.zeros(3))
