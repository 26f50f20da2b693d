"""Functions on transformation matrices as plain arrays (..., 3, 3), after Modelica `Frames.TransformationMatrices`.

A matrix `T` takes frame 1 into frame 2, ``v2 = T @ v1``.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames.TransformationMatrices``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import (
    NO_ROTATION,
    Array,
    as_array,
    as_axis,
    as_columns,
    as_guess,
    as_sequence,
    as_unit,
    broadcast_leading,
)


def orientation_constraint(T: ArrayLike) -> Array:
    """Return the six residues that are zero for a rotation.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 6)
        Squared norms of the columns of `T` less one, then the products of columns 12, 13 and 23.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    They measure how far `T` has drifted. A left-handed `T` with orthonormal columns has zeros too.

    Examples
    --------
    >>> orientation_constraint(2.0 * np.eye(3))
    array([3., 3., 3., 0., 0., 0.])
    """
    return linear_algebra.orientation_residues.checked(("T",), T)


def angular_velocity1(T: ArrayLike, der_T: ArrayLike) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    der_T : (..., 3, 3)
        Time derivative of `T`, 1/s.

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
    With columns, ``[T2·dT3, -T1·dT3, T1·dT2]``: three elements of ``skew(w) = der_Tᵀ T``. The others are not used.

    Examples
    --------
    >>> angular_velocity1(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    array([ 0., -0.,  1.])
    """
    return linear_algebra.velocity_from_columns.checked(("T", "der_T"), T, der_T)


def angular_velocity2(T: ArrayLike, der_T: ArrayLike) -> Array:
    """Return the angular velocity of frame 2 relative to frame 1, resolved in frame 2.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    der_T : (..., 3, 3)
        Time derivative of `T`, 1/s.

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
    ``[T3·dT2, -T3·dT1, T2·dT1]``, with the rows of `T` and `der_T`. These are three elements of ``skew(w) = T der_Tᵀ``;
    the others are not used.

    Examples
    --------
    >>> angular_velocity2(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    array([ 0., -0.,  1.])
    """
    return linear_algebra.velocity_from_rows.checked(("T", "der_T"), T, der_T)


def resolve1(T: ArrayLike, v2: ArrayLike) -> Array:
    """Return a vector given in frame 2, resolved in frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
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
    ``v1 = Tᵀ v2``, also for a drifted `T`.

    Examples
    --------
    >>> resolve1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [1, 0, 0])
    array([0., 1., 0.])
    """
    return linear_algebra.apply_transposed.checked(("T", "v2"), T, v2)


def resolve2(T: ArrayLike, v1: ArrayLike) -> Array:
    """Return a vector given in frame 1, resolved in frame 2.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
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
    ``v2 = T v1``, also for a drifted `T`.

    Examples
    --------
    >>> resolve2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [0, 1, 0])
    array([1., 0., 0.])
    """
    return linear_algebra.apply_matrix.checked(("T", "v1"), T, v1)


def multiple_resolve1(T: ArrayLike, v2: ArrayLike) -> Array:
    """Return vectors given in frame 2, resolved in frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
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
    ``v1 = Tᵀ v2``, also for a drifted `T`; the leading axes are the axes before the columns.

    Examples
    --------
    >>> multiple_resolve1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.eye(3))[:, 0]
    array([0., 1., 0.])
    """
    T, v2 = _as_T("T", T), as_columns("v2", v2)
    broadcast_leading(T=T.shape[:-2], v2=v2.shape[:-2])
    return linear_algebra.on_columns(linear_algebra.apply_transposed, T[..., np.newaxis, :, :], v2)


def multiple_resolve2(T: ArrayLike, v1: ArrayLike) -> Array:
    """Return vectors given in frame 1, resolved in frame 2.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
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
    ``v2 = T v1``, also for a drifted `T`; the leading axes are the axes before the columns.

    Examples
    --------
    >>> multiple_resolve2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.eye(3))[:, 1]
    array([1., 0., 0.])
    """
    T, v1 = _as_T("T", T), as_columns("v1", v1)
    broadcast_leading(T=T.shape[:-2], v1=v1.shape[:-2])
    return linear_algebra.on_columns(linear_algebra.apply_matrix, T[..., np.newaxis, :, :], v1)


def resolve_dyade1(T: ArrayLike, D2: ArrayLike) -> Array:
    """Return a second-order tensor given in frame 2, resolved in frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    D2 : (..., 3, 3)
        Tensor, such as an inertia, resolved in frame 2, any unit.

    Returns
    -------
    (..., 3, 3)
        The same tensor resolved in frame 1.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``D1 = Tᵀ D2 T``, also for a drifted `T`.

    Examples
    --------
    >>> resolve_dyade1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.diag([1, 2, 3])).diagonal()
    array([2., 1., 3.])
    """
    return linear_algebra.conjugate_by_transposed.checked(("T", "D2"), T, D2)


def resolve_dyade2(T: ArrayLike, D1: ArrayLike) -> Array:
    """Return a second-order tensor given in frame 1, resolved in frame 2.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    D1 : (..., 3, 3)
        Tensor, such as an inertia, resolved in frame 1, any unit.

    Returns
    -------
    (..., 3, 3)
        The same tensor resolved in frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``D2 = T D1 Tᵀ``, also for a drifted `T`.

    Examples
    --------
    >>> resolve_dyade2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.diag([1, 2, 3])).diagonal()
    array([2., 1., 3.])
    """
    return linear_algebra.conjugate_by.checked(("T", "D1"), T, D1)


def null_rotation() -> Array:
    """Return the transformation matrix of a frame that coincides with frame 1.

    Returns
    -------
    (3, 3)
        The unit matrix.

    Examples
    --------
    >>> null_rotation()[0]
    array([1., 0., 0.])
    """
    return np.eye(3)


def inverse_rotation(T: ArrayLike) -> Array:
    """Return the transformation matrix from frame 2 into frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    ``Tᵀ``. A drifted `T` is transposed, not inverted.

    Examples
    --------
    >>> inverse_rotation([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(_as_T("T", T)).copy()


def relative_rotation(T1: ArrayLike, T2: ArrayLike) -> Array:
    """Return the transformation matrix from frame 1 into frame 2, with both given from a common frame 0.

    Parameters
    ----------
    T1 : (..., 3, 3)
        Transformation matrix from frame 0 into frame 1.
    T2 : (..., 3, 3)
        Transformation matrix from frame 0 into frame 2.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``T2 T1ᵀ``.

    Examples
    --------
    >>> relative_rotation(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return linear_algebra.multiply_by_transposed.checked(("T2", "T1"), T2, T1)


def absolute_rotation(T1: ArrayLike, T_rel: ArrayLike) -> Array:
    """Return the transformation matrix from frame 0 into frame 2, given 0 into 1 and 1 into 2.

    Parameters
    ----------
    T1 : (..., 3, 3)
        Transformation matrix from frame 0 into frame 1.
    T_rel : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 0 into frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``T_rel T1``.

    Examples
    --------
    >>> absolute_rotation(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return linear_algebra.multiply_matrices.checked(("T_rel", "T1"), T_rel, T1)


def planar_rotation(e: ArrayLike, angle: ArrayLike) -> Array:
    """Return the transformation matrix of a frame turned about an axis.

    Parameters
    ----------
    e : (..., 3)
        Axis of the turn, of unit length; it has the same components in both frames.
    angle : (...)
        Angle from frame 1 to frame 2 about `e`, rad.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, `e` is not of unit length within 1e-6, or the leading axes do not
        broadcast.

    Notes
    -----
    ``e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``. An `e` within the tolerance is not normalized. The reference does not
    check its length.

    Examples
    --------
    >>> planar_rotation([0, 0, 1], np.pi / 2).round(12)[0]
    array([0., 1., 0.])
    """
    return axis_rotations.planar_matrix.checked(("e", "angle"), as_unit("e", e), angle)


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


def axis_rotation(axis: int, angle: ArrayLike) -> Array:
    """Return the transformation matrix of a frame turned about a coordinate axis.

    Parameters
    ----------
    axis
        1, 2 or 3 for x, y or z.
    angle : (...)
        Angle from frame 1 to frame 2, rad.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `axis` is not 1, 2 or 3, or `angle` is not finite.

    Notes
    -----
    About x ``[[1, 0, 0], [0, c, s], [0, -s, c]]``, the others cyclic. The active matrix of the same turn is the
    transpose.

    Examples
    --------
    >>> axis_rotation(1, np.pi / 2).round(12)[1]
    array([0., 0., 1.])
    """
    return axis_rotations.axis_matrix(as_axis(axis)).checked(("angle",), angle)


def axes_rotations(sequence: str | tuple[int, ...], angles: ArrayLike) -> Array:
    """Return the transformation matrix of a frame after three turns about the axes of the moving frame.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `sequence` is invalid, or `angles` has a wrong shape or is not finite.

    Notes
    -----
    ``T3 T2 T1``.

    Examples
    --------
    >>> axes_rotations("XYZ", [0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return axis_rotations.axes_matrix(as_sequence(sequence)).checked(("angles",), angles)


def axes_rotations_angles(
    T: ArrayLike, sequence: str | tuple[int, ...] = (1, 2, 3), guess_angle1: ArrayLike = 0
) -> Array:
    """Return the three angles of a transformation matrix for an axis sequence, on the branch nearest a guess.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
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
        When `sequence` is invalid, a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `frames.axes_rotations_angles` explains the formulas and the two branches. At gimbal lock angle 1 is the unchanged
    guess. There, ReferenceFrameRotations.jl puts the whole rotation into angle 1 and sets angle 3 to zero;
    `conventions.axes_angles_all_in_first` gives its angles.

    Examples
    --------
    >>> axes_rotations_angles(axes_rotations("ZYX", [0.1, 0.2, 0.3]), "ZYX").round(12)
    array([0.1, 0.2, 0.3])
    """
    axes = as_sequence(sequence)
    return axis_rotations.axes_rotations_angles(axes).checked(("T", "guess_angle1"), T, guess_angle1)


def small_rotation(T: ArrayLike, with_residues: bool = False) -> Array:
    """Return the three angles of a small rotation, and on demand the residues of the approximation.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    with_residues
        Whether the residues follow the angles.

    Returns
    -------
    (..., 3) or (..., 6)
        Angles about the axes 1, 2 and 3, rad, and with `with_residues` the three residues.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    Angles ``[T23, -T13, T12]``, residues ``[T11 - 1, T22 - 1, T11 T22 - T21 T12 - 1]``. The residues, and the errors of
    the angles, are of second order in the angles.

    Examples
    --------
    >>> small_rotation(axes_rotations("XYZ", [1e-3, 2e-3, -1e-3])).round(5)
    array([ 0.001,  0.002, -0.001])
    """
    small_angles = linear_algebra.small_rotation.checked(("T",), T)
    return small_angles if with_residues else small_angles[..., :3]


def from_nxy(n_x: ArrayLike, n_y: ArrayLike) -> Array:
    """Return the transformation matrix of a frame with x along one direction and y towards another.

    Parameters
    ----------
    n_x : (..., 3)
        Direction of the x axis of frame 2, resolved in frame 1, any unit.
    n_y : (..., 3)
        Direction towards which the y axis of frame 2 points, resolved in frame 1, any unit.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The rows are ``e_x = n_x / |n_x|``, ``e_y = e_z × e_x`` and `e_z` along ``e_x × n_y``. Degenerate directions, an
    `n_x` of zeros or an `n_y` parallel to it, are replaced as in `frames.from_nxy`.

    Examples
    --------
    >>> from_nxy([0, 2, 0], [-1, 0, 0])[0]
    array([0., 1., 0.])
    """
    return axis_rotations.matrix_from_nxy.checked(("n_x", "n_y"), n_x, n_y)


def from_nxz(n_x: ArrayLike, n_z: ArrayLike) -> Array:
    """Return the transformation matrix of a frame with x along one direction and z towards another.

    Parameters
    ----------
    n_x : (..., 3)
        Direction of the x axis of frame 2, resolved in frame 1, any unit.
    n_z : (..., 3)
        Direction towards which the z axis of frame 2 points, resolved in frame 1, any unit.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    The rows are ``e_x = n_x / |n_x|``, `e_y` along ``n_z × e_x`` and ``e_z = e_x × e_y``. Degenerate directions, an
    `n_x` of zeros or an `n_z` parallel to it, are replaced as in `frames.from_nxz`.

    Examples
    --------
    >>> from_nxz([1, 0, 0], [0, 0, 3])[2]
    array([0., 0., 1.])
    """
    return axis_rotations.matrix_from_nxz.checked(("n_x", "n_z"), n_x, n_z)


def from_T(T: ArrayLike) -> Array:
    """Return the transformation matrix itself, checked.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        A copy of `T`, float64.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    The function checks shape and finiteness, but not that `T` is a rotation.

    Examples
    --------
    >>> from_T([[1, 0, 0], [0, 1, 0], [0, 0, 1]])[0]
    array([1., 0., 0.])
    """
    return _as_T("T", T).copy()


def from_T_inv(T_inv: ArrayLike) -> Array:
    """Return the transformation matrix from frame 1 into frame 2, given the inverse matrix.

    Parameters
    ----------
    T_inv : (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `T_inv` has a wrong shape or is not finite.

    Notes
    -----
    ``T_invᵀ``.

    Examples
    --------
    >>> from_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(_as_T("T_inv", T_inv)).copy()


def from_Q(Q: ArrayLike) -> Array:
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
    >>> from_Q([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([0., 1., 0.])
    """
    return linear_algebra.matrix_from_quaternion.checked(("Q",), Q)


def to_T(R: ArrayLike) -> Array:
    """Return the transformation matrix itself, checked.

    Parameters
    ----------
    R : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        A copy of `R`, float64.

    Raises
    ------
    ValueError
        When `R` has a wrong shape or is not finite.

    Notes
    -----
    `R` is a matrix here, named as in the reference, and no `Orientation`. The function does not check that it is a
    rotation.

    Examples
    --------
    >>> to_T([[1, 0, 0], [0, 1, 0], [0, 0, 1]])[0]
    array([1., 0., 0.])
    """
    return _as_T("R", R).copy()


def to_T_inv(R: ArrayLike) -> Array:
    """Return the inverse transformation matrix.

    Parameters
    ----------
    R : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 2 into frame 1.

    Raises
    ------
    ValueError
        When `R` has a wrong shape or is not finite.

    Notes
    -----
    ``Rᵀ``; `R` is a matrix here, named as in the reference, and no `Orientation`.

    Examples
    --------
    >>> to_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(_as_T("R", R)).copy()


def to_Q(T: ArrayLike, Q_guess: ArrayLike = NO_ROTATION) -> Array:
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
    ``Q · Q_guess = 0`` either sign is right. A drifted `T` gives a `Q` that is not quite of unit length.

    Examples
    --------
    >>> to_Q([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return linear_algebra.quaternion_from_matrix.checked(("T", "Q_guess"), T, as_guess(Q_guess))


def to_vector(T: ArrayLike) -> Array:
    """Return the elements of a transformation matrix in one vector, column by column.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 9)
        ``[T11, T21, T31, T12, T22, T32, T13, T23, T33]``.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Examples
    --------
    >>> to_vector([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[:3]
    array([ 0., -1.,  0.])
    """
    T = _as_T("T", T)
    return linear_algebra.transpose(T).copy().reshape(*T.shape[:-2], 9)


def to_exy(T: ArrayLike) -> Array:
    """Return the x and y axes of frame 2, resolved in frame 1.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 2)
        The axes as columns: rows 1 and 2 of `T`.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    `from_nxy` of the two columns gives the matrix of a rotation again.

    Examples
    --------
    >>> to_exy([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[:, 0]
    array([0., 1., 0.])
    """
    return linear_algebra.transpose(_as_T("T", T)[..., :2, :]).copy()


def equality_constraint(T1: ArrayLike, T2: ArrayLike) -> Array:
    """Return three residues that are zero when two transformation matrices are the same.

    Parameters
    ----------
    T1 : (..., 3, 3)
        Transformation matrix from frame 0 into frame 1.
    T2 : (..., 3, 3)
        Transformation matrix from frame 0 into frame 2.

    Returns
    -------
    (..., 3)
        Residues without a unit; near zero they are the angles from frame 1 to 2 about the three axes.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    With rows and ``c = T1[1,:] × T1[2,:]``: ``[c·T2[2,:], -c·T2[1,:], T1[2,:]·T2[1,:]]``, which are the sines of small
    angles. They are zero, too, when the frames differ by half a turn about one of the axes;
    `frames.equality_constraint` distinguishes these cases.

    Examples
    --------
    >>> equality_constraint(np.eye(3), axis_rotation(1, 0.1)).round(4)
    array([ 0.0998, -0.    ,  0.    ])
    """
    return linear_algebra.matrix_mismatch.checked(("T1", "T2"), T1, T2)


def project_to_rotation(T: ArrayLike) -> tuple[Array, Array]:
    """Return the rotation nearest to a matrix in the Frobenius norm, and its distance.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2 that has drifted, or any matrix.

    Returns
    -------
    rotation : (..., 3, 3)
        The nearest rotation, from frame 1 into frame 2.
    distance : (...)
        Frobenius norm of ``T - rotation``.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    With the singular values ``T = U S Vᵀ`` the nearest rotation is ``U diag(1, 1, ±1) Vᵀ`` with the sign that makes the
    determinant +1. A left-handed or singular `T` has a nearest rotation too, far away; it may be one of many.

    References
    ----------
    N. J. Higham, "Matrix nearness problems and applications", 1989, section 4.

    Examples
    --------
    >>> rotation, distance = project_to_rotation(1.01 * np.eye(3))
    >>> rotation[0], float(distance.round(4))
    (array([1., 0., 0.]), 0.0173)
    """
    return nearest_rotation(T)


def _as_T(name: str, value: ArrayLike) -> Array:
    """Return matrices (..., 3, 3) that are finite; raise `ValueError` with their name."""
    return as_array(name, value, (3, 3))
