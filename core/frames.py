"""Functions on orientation objects, after Modelica `MultiBody.Frames`.

An `Orientation` takes frame 1 into frame 2: ``v2 = T @ v1``, and `w` is the angular velocity of frame 2 relative to
frame 1, resolved in frame 2. Every function broadcasts over leading axes. A wrong shape, a number that is not finite, a
direction that is not of unit length or an invalid sequence raises `ValueError`.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import (
    NO_ROTATION,
    Array,
    as_array,
    as_axis,
    as_guess,
    as_rates,
    as_sequence,
    as_unit,
    broadcast_leading,
)
from framescope.core.orientation import Orientation, as_orientation, orientation_of, unchecked


def orientation_constraint(R: Orientation) -> Array:
    """Return the six residues that are zero for a rotation.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 6)
        Squared norms of the columns of `T` less one, then the products of columns 12, 13 and 23.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    They measure how far `T` has drifted. A left-handed `T` with orthonormal columns has zeros too.

    Examples
    --------
    >>> orientation_constraint(null_rotation())
    array([0., 0., 0., 0., 0., 0.])
    """
    return linear_algebra.orientation_residues(as_orientation("R", R).T)


def angular_velocity1(R: Orientation) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 1.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 3)
        Angular velocity resolved in frame 1, rad/s.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    ``Tᵀ w``.

    Examples
    --------
    >>> angular_velocity1(axis_rotation(3, np.pi / 2, 2.0))
    array([0., 0., 2.])
    """
    return linear_algebra.apply_transposed(as_orientation("R", R).T, R.w)


def angular_velocity2(R: Orientation) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 2.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 3)
        Angular velocity resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    The field `w` itself, read-only.

    Examples
    --------
    >>> angular_velocity2(axis_rotation(3, np.pi / 2, 2.0))
    array([0., 0., 2.])
    """
    return as_orientation("R", R).w


def resolve1(R: Orientation, v2: ArrayLike) -> Array:
    """Return a vector given in frame 2, resolved in frame 1.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    v2 : (..., 3)
        Vector resolved in frame 2, any unit.

    Returns
    -------
    (..., 3)
        The same vector resolved in frame 1.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `v2` has a wrong shape or is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``v1 = Tᵀ v2``, also for a drifted `T`.

    Examples
    --------
    >>> resolve1(axis_rotation(3, np.pi / 2), [1.0, 0.0, 0.0]).round(12)
    array([0., 1., 0.])
    """
    return linear_algebra.apply_transposed.checked(("R", "v2"), as_orientation("R", R).T, v2, n_trusted=1)


def resolve2(R: Orientation, v1: ArrayLike) -> Array:
    """Return a vector given in frame 1, resolved in frame 2.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    v1 : (..., 3)
        Vector resolved in frame 1, any unit.

    Returns
    -------
    (..., 3)
        The same vector resolved in frame 2.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `v1` has a wrong shape or is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``v2 = T v1``, also for a drifted `T`.

    Examples
    --------
    >>> resolve2(axis_rotation(3, np.pi / 2), [0.0, 1.0, 0.0]).round(12)
    array([1., 0., 0.])
    """
    return linear_algebra.apply_matrix.checked(("R", "v1"), as_orientation("R", R).T, v1, n_trusted=1)


def resolve_relative(v1: ArrayLike, R1: Orientation, R2: Orientation) -> Array:
    """Return a vector given in frame 1, resolved in frame 2, with both frames given in a common frame 0.

    Parameters
    ----------
    v1 : (..., 3)
        Vector resolved in frame 1, any unit.
    R1 : Orientation
        Orientation (...) of frame 1 in frame 0.
    R2 : Orientation
        Orientation (...) of frame 2 in frame 0.

    Returns
    -------
    (..., 3)
        The same vector resolved in frame 2.

    Raises
    ------
    ValueError
        When `R1` or `R2` is not an `Orientation`, `v1` has a wrong shape or is not finite, or the leading axes do not
        broadcast.

    Notes
    -----
    ``resolve2(R2, resolve1(R1, v1))``, that is ``v2 = T2 T1ᵀ v1``.

    Examples
    --------
    >>> resolve_relative([1.0, 0.0, 0.0], axis_rotation(3, np.pi / 2), null_rotation()).round(12)
    array([0., 1., 0.])
    """
    v1 = as_array("v1", v1, (3,))
    T1, T2 = as_orientation("R1", R1).T, as_orientation("R2", R2).T
    return linear_algebra.resolve_relative(T1, T2, v1, names=("R1", "R2", "v1"))


def resolve_dyade1(R: Orientation, D2: ArrayLike) -> Array:
    """Return a second-order tensor given in frame 2, resolved in frame 1.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    D2 : (..., 3, 3)
        Tensor, such as an inertia, resolved in frame 2, any unit.

    Returns
    -------
    (..., 3, 3)
        The same tensor resolved in frame 1.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `D2` has a wrong shape or is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``D1 = Tᵀ D2 T``, also for a drifted `T`.

    Examples
    --------
    >>> resolve_dyade1(axis_rotation(3, np.pi / 2), np.diag([1.0, 2.0, 3.0])).round(12).diagonal()
    array([2., 1., 3.])
    """
    T, D2 = as_orientation("R", R).T, as_array("D2", D2, (3, 3))
    return linear_algebra.conjugate_by_transposed(T, D2, names=("R", "D2"))


def resolve_dyade2(R: Orientation, D1: ArrayLike) -> Array:
    """Return a second-order tensor given in frame 1, resolved in frame 2.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    D1 : (..., 3, 3)
        Tensor, such as an inertia, resolved in frame 1, any unit.

    Returns
    -------
    (..., 3, 3)
        The same tensor resolved in frame 2.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `D1` has a wrong shape or is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``D2 = T D1 Tᵀ``, also for a drifted `T`.

    Examples
    --------
    >>> resolve_dyade2(axis_rotation(3, np.pi / 2), np.diag([1.0, 2.0, 3.0])).round(12).diagonal()
    array([2., 1., 3.])
    """
    return linear_algebra.conjugate_by.checked(("R", "D1"), as_orientation("R", R).T, D1, n_trusted=1)


def null_rotation() -> Orientation:
    """Return the orientation of a frame that coincides with frame 1 and does not turn.

    Returns
    -------
    Orientation
        The unit matrix (3, 3), and `w` (3,) of zeros.

    Examples
    --------
    >>> null_rotation().T[0]
    array([1., 0., 0.])
    """
    return unchecked((np.eye(3), np.zeros(3)))


def inverse_rotation(R: Orientation) -> Orientation:
    """Return the orientation of frame 1 in frame 2.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    Orientation
        Orientation (...) of frame 1 in frame 2; its `w`, of frame 1 relative to frame 2, is resolved in frame 1.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    The matrix is ``Tᵀ``, the angular velocity ``-Tᵀ w``. A drifted `T` is transposed, not inverted.

    Examples
    --------
    >>> inverse_rotation(axis_rotation(1, 0.1, 2.0)).w
    array([-2., -0., -0.])
    """
    return unchecked(linear_algebra.inverse_rotation(as_orientation("R", R).T, R.w))


def relative_rotation(R1: Orientation, R2: Orientation) -> Orientation:
    """Return the orientation of frame 2 in frame 1, with both given in a common frame 0.

    Parameters
    ----------
    R1 : Orientation
        Orientation (...) of frame 1 in frame 0.
    R2 : Orientation
        Orientation (...) of frame 2 in frame 0.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When `R1` or `R2` is not an `Orientation`, or the leading axes do not broadcast.

    Notes
    -----
    ``T = T2 T1ᵀ``, ``w = w2 - T2 T1ᵀ w1``.

    Examples
    --------
    >>> R = relative_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.3))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.2).T))
    True
    """
    R1, R2 = as_orientation("R1", R1), as_orientation("R2", R2)
    return unchecked(linear_algebra.relative_rotation(R1.T, R1.w, R2.T, R2.w, names=("R1", "R1", "R2", "R2")))


def absolute_rotation(R1: Orientation, R_rel: Orientation) -> Orientation:
    """Return the orientation of frame 2 in frame 0, given the orientations of frame 1 in 0 and of frame 2 in 1.

    Parameters
    ----------
    R1 : Orientation
        Orientation (...) of frame 1 in frame 0.
    R_rel : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 0.

    Raises
    ------
    ValueError
        When `R1` or `R_rel` is not an `Orientation`, or the leading axes do not broadcast.

    Notes
    -----
    ``T = T_rel T1``, ``w = T_rel w1 + w_rel``.

    Examples
    --------
    >>> R = absolute_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.2))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.3).T))
    True
    """
    R1, R_rel = as_orientation("R1", R1), as_orientation("R_rel", R_rel)
    names = ("R1", "R1", "R_rel", "R_rel")
    return unchecked(linear_algebra.absolute_rotation(R1.T, R1.w, R_rel.T, R_rel.w, names=names))


def planar_rotation(e: ArrayLike, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation of a frame turned about an axis.

    Parameters
    ----------
    e : (..., 3)
        Axis of the turn, of unit length; it has the same components in both frames.
    angle : (...)
        Angle from frame 1 to frame 2 about `e`, rad.
    der_angle : (...)
        Rate of the angle, rad/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, `e` is not of unit length within 1e-6, or the leading axes do not
        broadcast.

    Notes
    -----
    ``T = e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``, ``w = e der_angle``, with an `e` within the tolerance used as
    given. The reference does not check its length.

    Examples
    --------
    >>> planar_rotation([0, 0, 1], np.pi / 2).T.round(12)[0]
    array([0., 1., 0.])
    """
    e, angle, rate = as_unit("e", e), as_array("angle", angle), as_array("der_angle", der_angle)
    return unchecked(axis_rotations.planar_rotation(e, angle, rate, names=("e", "angle", "der_angle")))


def planar_rotation_angle(e: ArrayLike, v1: ArrayLike, v2: ArrayLike) -> Array:
    """Return the angle of a turn about an axis, from a vector resolved in both frames.

    Parameters
    ----------
    e : (..., 3)
        Axis of the turn, of unit length; it has the same components in both frames.
    v1 : (..., 3)
        Vector resolved in frame 1, any unit, not parallel to `e`.
    v2 : (..., 3)
        The same vector resolved in frame 2.

    Returns
    -------
    (...)
        Angle from frame 1 to frame 2 about `e`, rad, in (-pi, pi].

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, `e` is not of unit length within 1e-6, or the leading axes do not
        broadcast.

    Notes
    -----
    ``atan2(-(e × v1)·v2, v1·v2 - (e·v1)(e·v2))``: only the directions of the parts across `e` count. If a part is zero,
    the angle is undefined and the result is rounding noise. The reference may give -pi.

    Examples
    --------
    >>> float(planar_rotation_angle([0, 0, 1], [0, 1, 0], [1, 0, 0]).round(4))
    1.5708
    """
    e, v1, v2 = as_unit("e", e), as_array("v1", v1, (3,)), as_array("v2", v2, (3,))
    return axis_rotations.planar_angle(e, v1, v2, names=("e", "v1", "v2"))


def axis_rotation(axis: int, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation of a frame turned about a coordinate axis.

    Parameters
    ----------
    axis
        1, 2 or 3 for x, y or z.
    angle : (...)
        Angle from frame 1 to frame 2, rad.
    der_angle : (...)
        Rate of the angle, rad/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When `axis` is not 1, 2 or 3, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    About x ``T = [[1, 0, 0], [0, c, s], [0, -s, c]]``, the others cyclic, and ``w = e der_angle``. The active matrix of
    the same turn is the transpose.

    Examples
    --------
    >>> axis_rotation(1, np.pi / 2).T.round(12)[1]
    array([0., 0., 1.])
    """
    kernel, rate = axis_rotations.axis_rotation(as_axis(axis)), as_array("der_angle", der_angle)
    return unchecked(kernel.checked(("angle", "der_angle"), angle, rate))


def axes_rotations(sequence: str | tuple[int, ...], angles: ArrayLike, der_angles: ArrayLike = 0) -> Orientation:
    """Return the orientation of a frame after three turns about the axes of the moving frame.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.
    der_angles : (..., 3)
        Rates of the angles, rad/s; the default 0 means no rates.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When `sequence` is invalid, a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``T = T3 T2 T1`` and ``w = e3 d3 + T3 (e2 d2 + T2 e1 d1)``, with `d` the rates.

    Examples
    --------
    >>> axes_rotations("XYZ", [0.0, 0.0, np.pi / 2]).T.round(12)[0]
    array([0., 1., 0.])
    """
    kernel, rates = axis_rotations.axes_rotations(as_sequence(sequence)), as_rates("der_angles", der_angles)
    return unchecked(kernel.checked(("angles", "der_angles"), angles, rates))


def axes_rotations_angles(
    R: Orientation, sequence: str | tuple[int, ...] = (1, 2, 3), guess_angle1: ArrayLike = 0
) -> Array:
    """Return the three angles of an orientation for an axis sequence, on the branch nearest a guess.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1 : (...)
        Guess of angle 1, rad: it picks the branch, and is angle 1 at gimbal lock.

    Returns
    -------
    (..., 3)
        Angles in the order of the sequence, rad, in (-pi, pi], except for the guess at gimbal lock.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `sequence` is invalid, `guess_angle1` is not finite, or the leading axes do
        not broadcast.

    Notes
    -----
    With `e1`, `e2`, `e3` the unit vectors of the sequence, `r` the row of `T` of its third axis, ``A = e2·r`` and
    ``B = (e1 × e2)·r``, angle 1 is ``atan2(A, -B)`` or ``atan2(-A, B)``: the value with the smaller
    ``|angle1 - guess|``, without wrapping, and the first on a tie. Only then -pi becomes pi. The other angles are
    computed *with* it, so that the matrix is reproduced at any distance from gimbal lock.

    At gimbal lock, ``|A|`` and ``|B|`` at most 1e-12, only a sum or difference of angles 1 and 3 is defined: angle 1 is
    the unchanged guess, and angle 3 the remainder. The references disagree: ReferenceFrameRotations.jl puts the whole
    rotation into angle 1 and sets angle 3 to zero; `conventions.axes_angles_all_in_first` gives its angles.

    For angles over time see `angle_branches.axes_rotations_angles_along`: with a fixed guess they jump by pi.

    Examples
    --------
    >>> axes_rotations_angles(axes_rotations("ZYX", [0.1, 0.2, 0.3]), "ZYX").round(12)
    array([0.1, 0.2, 0.3])
    """
    kernel, guess = axis_rotations.axes_rotations_angles(as_sequence(sequence)), as_array("guess_angle1", guess_angle1)
    return kernel.checked(("R", "guess_angle1"), as_orientation("R", R).T, guess, n_trusted=1)


def small_rotation(R: Orientation, with_residues: bool = False) -> Array:
    """Return the three angles of a small rotation, and on demand the residues of the approximation.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    with_residues
        Whether the residues follow the angles.

    Returns
    -------
    (..., 3) or (..., 6)
        Angles about the axes 1, 2 and 3, rad, and with `with_residues` the three residues.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    Angles ``[T23, -T13, T12]``, residues ``[T11 - 1, T22 - 1, T11 T22 - T21 T12 - 1]``. The residues, and the errors of
    the angles, are of second order in the angles.

    Examples
    --------
    >>> small_rotation(axes_rotations("XYZ", [1e-3, 2e-3, -1e-3])).round(5)
    array([ 0.001,  0.002, -0.001])
    """
    small_angles = linear_algebra.small_rotation(as_orientation("R", R).T)
    return small_angles if with_residues else small_angles[..., :3]


def from_nxy(n_x: ArrayLike, n_y: ArrayLike) -> Orientation:
    """Return the orientation of a frame with x along one direction and y towards another.

    Parameters
    ----------
    n_x : (..., 3)
        Direction of the x axis of frame 2, resolved in frame 1, any unit.
    n_y : (..., 3)
        Direction towards which the y axis of frame 2 points, resolved in frame 1, any unit.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with `w` zero.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The rows of `T` are ``e_x = n_x / |n_x|``, ``e_y = e_z × e_x`` and `e_z` along ``e_x × n_y``.

    Degenerate directions are replaced as in the reference. When ``|n_x| < 1e-10``, `e_x` is the x axis. When
    ``|e_x × n_y|² <= 1e-6``, with `n_y` not normalized, so that a short `n_y` counts as parallel, `n_y` becomes the y
    axis if the first component of `e_x` is over 1e-6 in size, else the x axis. Components over 1e154, whose squares
    overflow, give no rotation.

    Examples
    --------
    >>> from_nxy([0, 2, 0], [-1, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    n_x, n_y = as_array("n_x", n_x, (3,)), as_array("n_y", n_y, (3,))
    return _still(axis_rotations.matrix_from_nxy(n_x, n_y, names=("n_x", "n_y")))


def from_nxz(n_x: ArrayLike, n_z: ArrayLike) -> Orientation:
    """Return the orientation of a frame with x along one direction and z towards another.

    Parameters
    ----------
    n_x : (..., 3)
        Direction of the x axis of frame 2, resolved in frame 1, any unit.
    n_z : (..., 3)
        Direction towards which the z axis of frame 2 points, resolved in frame 1, any unit.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with `w` zero.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The rows of `T` are ``e_x = n_x / |n_x|``, `e_y` along ``n_z × e_x`` and ``e_z = e_x × e_y``.

    Degenerate directions are replaced as in the reference. When ``|n_x| < 1e-10``, `e_x` is the x axis. When
    ``|e_x × n_z|² <= 1e-6``, with `n_z` not normalized, so that a short `n_z` counts as parallel, `n_z` becomes the z
    axis if the first component of `e_x` is over 1e-6 in size, else the x axis. Components over 1e154, whose squares
    overflow, give no rotation.

    Examples
    --------
    >>> from_nxz([1, 0, 0], [0, 0, 3]).T.round(12)[2]
    array([0., 0., 1.])
    """
    n_x, n_z = as_array("n_x", n_x, (3,)), as_array("n_z", n_z, (3,))
    return _still(axis_rotations.matrix_from_nxz(n_x, n_z, names=("n_x", "n_z")))


def from_T(T: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of a transformation matrix and an angular velocity.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `T` is not projected to a rotation: it may have drifted, or be no rotation at all. Arrays of float64 are not copied.

    Examples
    --------
    >>> from_T(np.eye(3), [0.0, 0.0, 1.0]).w
    array([0., 0., 1.])
    """
    return Orientation(as_array("T", T, (3, 3)), as_array("w", w, (3,)))


def from_T2(T: ArrayLike, der_T: ArrayLike) -> Orientation:
    """Return the orientation of a transformation matrix and its time derivative.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    der_T : (..., 3, 3)
        Time derivative of `T`, 1/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    With rows, ``w = [T3·dT2, -T3·dT1, T2·dT1]``: three elements of ``skew(w) = T der_Tᵀ``. The others are not used.

    Examples
    --------
    >>> from_T2(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]).w
    array([ 0., -0.,  1.])
    """
    T, der_T = as_array("T", T, (3, 3)), as_array("der_T", der_T, (3, 3))
    return orientation_of(T, linear_algebra.velocity_from_rows(T, der_T, names=("T", "der_T")))


def from_T_inv(T_inv: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of frame 2 in frame 1, given the matrix and angular velocity of the inverse.

    Parameters
    ----------
    T_inv : (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.
    w : (..., 3)
        Angular velocity of frame 1 relative to frame 2, resolved in frame 1, rad/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1; its `w`, of frame 2 relative to frame 1, is resolved in frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The result has ``T = T_invᵀ`` and ``-T w``. The reference has an error: its text defines `w` as above, but its code
    only negates `w`, so that its result is resolved in the wrong frame if `w` is not along the axis of the rotation.
    This function follows the text.

    Examples
    --------
    >>> from_T_inv(axis_rotation(3, np.pi / 2).T, [1.0, 0.0, 0.0]).w.round(12)
    array([-0., -1., -0.])
    """
    T_inv, w = as_array("T_inv", T_inv, (3, 3)), as_array("w", w, (3,))
    return unchecked(linear_algebra.inverse_rotation(T_inv, w, names=("T_inv", "w")))


def from_Q(Q: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of a quaternion and an angular velocity.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The diagonal of `T` is ``2(Qi² + Q4²) - 1``, the rest ``T12 = 2(Q1 Q2 + Q3 Q4)``, ``T21 = 2(Q1 Q2 - Q3 Q4)``,
    cyclic, without normalizing `Q` (see `quaternions.normalize_quaternion`). `Q` and `-Q` give the same result.

    Examples
    --------
    >>> from_Q([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    Q, w = as_array("Q", Q, (4,)), as_array("w", w, (3,))
    broadcast_leading(Q=Q.shape[:-1], w=w.shape[:-1])
    return orientation_of(linear_algebra.matrix_from_quaternion(Q), w)


def to_T(R: Orientation) -> Array:
    """Return the transformation matrix of an orientation.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    The field `T` itself, read-only.

    Examples
    --------
    >>> to_T(null_rotation())[0]
    array([1., 0., 0.])
    """
    return as_orientation("R", R).T


def to_T_inv(R: Orientation) -> Array:
    """Return the inverse transformation matrix of an orientation.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 2 into frame 1, read-only.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    ``Tᵀ``, also where `T` has drifted.

    Examples
    --------
    >>> to_T_inv(axis_rotation(3, np.pi / 2)).round(12)[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(as_orientation("R", R).T)


def to_Q(R: Orientation, Q_guess: ArrayLike = NO_ROTATION) -> Array:
    """Return the quaternion of an orientation, with the sign that is nearer to a guess.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    Q_guess : (..., 4)
        Quaternion to be near to, scalar last, of any length.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, with ``Q · Q_guess >= 0``.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `Q_guess` has a wrong shape or is not finite, or the leading axes do not
        broadcast.

    Notes
    -----
    The pivoting algorithm of Modelica 4.x, accurate at all angles: it divides by a component that is at least 1/2 in
    size for a rotation. The references disagree: Modelica 3.x gives NaN at exact half turns. Where
    ``Q · Q_guess = 0`` either sign is right. A drifted `T` gives a `Q` that is not quite of unit length.

    Examples
    --------
    >>> to_Q(axis_rotation(3, np.pi / 2)).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return linear_algebra.quaternion_from_matrix(as_orientation("R", R).T, as_guess(Q_guess), names=("R", "Q_guess"))


def to_vector(R: Orientation) -> Array:
    """Return the elements of the transformation matrix in one vector, column by column.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 9)
        ``[T11, T21, T31, T12, T22, T32, T13, T23, T33]``.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Examples
    --------
    >>> to_vector(axis_rotation(3, np.pi / 2)).round(12)[:3]
    array([ 0., -1.,  0.])
    """
    T = as_orientation("R", R).T
    return linear_algebra.transpose(T).copy().reshape(*T.shape[:-2], 9)


def to_exy(R: Orientation) -> Array:
    """Return the x and y axes of frame 2, resolved in frame 1.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.

    Returns
    -------
    (..., 3, 2)
        The axes as columns: rows 1 and 2 of `T`, read-only.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`.

    Notes
    -----
    `from_nxy` of the two columns gives the matrix of a rotation again.

    Examples
    --------
    >>> to_exy(axis_rotation(3, np.pi / 2)).round(12)[:, 0]
    array([0., 1., 0.])
    """
    return linear_algebra.transpose(as_orientation("R", R).T[..., :2, :])


def equality_constraint(R1: Orientation, R2: Orientation) -> Array:
    """Return three residues that are zero when two orientations are the same.

    Parameters
    ----------
    R1 : Orientation
        Orientation (...) of frame 1 in frame 0.
    R2 : Orientation
        Orientation (...) of frame 2 in frame 0.

    Returns
    -------
    (..., 3)
        Residues, rad, in [-pi, pi].

    Raises
    ------
    ValueError
        When `R1` or `R2` is not an `Orientation`, or the leading axes do not broadcast.

    Notes
    -----
    With rows and ``c = T1[1,:] × T1[2,:]`` they are the `atan2` of ``c·T2[2,:]``, ``-c·T2[1,:]`` and
    ``T1[2,:]·T2[1,:]`` over ``T1[i,:]·T2[i,:]``, i = 1, 2, 3: near zero they are the angles from frame 1 to 2 about the
    three axes, farther away they are not angles. Compare them modulo 2 pi, because -pi is not converted to pi. The
    `atan2` of two numbers near zero is rounding noise.

    Examples
    --------
    >>> equality_constraint(null_rotation(), axis_rotation(1, 0.1)).round(4)
    array([ 0.0995, -0.    ,  0.    ])
    """
    return linear_algebra.angles_between(as_orientation("R1", R1).T, as_orientation("R2", R2).T, names=("R1", "R2"))


def length(v: ArrayLike) -> Array:
    """Return the length of a vector.

    Parameters
    ----------
    v : (..., 3)
        Vector, any unit and frame.

    Returns
    -------
    (...)
        Length, in the unit of `v`.

    Raises
    ------
    ValueError
        When `v` has a wrong shape or is not finite.

    Notes
    -----
    ``sqrt(v·v)``: infinite where the squares are, for components over 1e154.

    Examples
    --------
    >>> float(length([3.0, 0.0, 4.0]))
    5.0
    """
    return linear_algebra.length.checked(("v",), v)


def normalize(v: ArrayLike) -> Array:
    """Return the vector of unit length along a vector.

    Parameters
    ----------
    v : (..., 3)
        Vector, any unit and frame.

    Returns
    -------
    (..., 3)
        Vector of unit length in the same frame; a zero vector stays zero.

    Raises
    ------
    ValueError
        When `v` has a wrong shape or is not finite.

    Notes
    -----
    ``v / max(|v|, 1e-13)``, as in the reference: a vector shorter than 1e-13 does not get unit length. Components over
    1e154, whose squares overflow, give zeros.

    Examples
    --------
    >>> normalize([0.0, 0.0, 2.0])
    array([0., 0., 1.])
    """
    return linear_algebra.normalize.checked(("v",), v)


def axis(axis: int) -> Array:
    """Return the unit vector of a coordinate axis.

    Parameters
    ----------
    axis
        1, 2 or 3 for x, y or z.

    Returns
    -------
    (3,)
        Unit vector, in the frame whose axis is meant.

    Raises
    ------
    ValueError
        When `axis` is not 1, 2 or 3.

    Examples
    --------
    >>> axis(2)
    array([0., 1., 0.])
    """
    e = np.zeros(3)
    e[as_axis(axis) - 1] = 1.0
    return e


def _still(T: Array) -> Orientation:
    return unchecked((T, np.zeros(T.shape[:-1])))
