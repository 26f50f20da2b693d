"""Functions on orientation objects, after Modelica `MultiBody.Frames`.

An `Orientation` takes frame 1 into frame 2: ``v2 = T @ v1``, and `w` is the angular velocity of frame 2 relative to
frame 1, resolved in frame 2. Every function broadcasts over leading axes and checks what it is given: a wrong shape, a
number that is not finite, a direction that is not of unit length, an invalid sequence is a `ValueError`.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels, turns
from framescope.core.arrays import Array, as_array, as_axis, as_sequence, as_unit
from framescope.core.orientation import Orientation, as_orientation, unchecked


def orientation_constraint(R: Orientation) -> Array:
    """Return the six residues (..., 6) that are zero for a rotation.

    The squared norms of the columns of `T` less one, then the products of columns 12, 13 and 23.

    >>> orientation_constraint(null_rotation())
    array([0., 0., 0., 0., 0., 0.])
    """
    return kernels.orientation_residues(as_orientation("R", R).T)


def angular_velocity1(R: Orientation) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to frame 1, resolved in frame 1: ``Tᵀ w``.

    >>> angular_velocity1(axis_rotation(3, np.pi / 2, 2.0))
    array([0., 0., 2.])
    """
    return kernels.apply_transposed(as_orientation("R", R).T, R.w)


def angular_velocity2(R: Orientation) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to frame 1, resolved in frame 2: `w`.

    >>> angular_velocity2(axis_rotation(3, np.pi / 2, 2.0))
    array([0., 0., 2.])
    """
    return as_orientation("R", R).w


def resolve1(R: Orientation, v2: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 2, resolved in frame 1: ``Tᵀ v2``.

    >>> resolve1(axis_rotation(3, np.pi / 2), [1.0, 0.0, 0.0]).round(12)
    array([0., 1., 0.])
    """
    return kernels.apply_transposed(as_orientation("R", R).T, as_array("v2", v2, (3,)))


def resolve2(R: Orientation, v1: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 1, resolved in frame 2: ``T v1``.

    >>> resolve2(axis_rotation(3, np.pi / 2), [0.0, 1.0, 0.0]).round(12)
    array([1., 0., 0.])
    """
    return kernels.apply_matrix(as_orientation("R", R).T, as_array("v1", v1, (3,)))


def resolve_relative(v1: ArrayLike, R1: Orientation, R2: Orientation) -> Array:
    """Return the vector (..., 3), given in frame 1, resolved in frame 2, both frames given from a common frame 0.

    ``resolve2(R2, resolve1(R1, v1))``

    >>> resolve_relative([1.0, 0.0, 0.0], axis_rotation(3, np.pi / 2), null_rotation()).round(12)
    array([0., 1., 0.])
    """
    v1 = as_array("v1", v1, (3,))
    return kernels.resolve_relative(as_orientation("R1", R1).T, as_orientation("R2", R2).T, v1)


def resolve_dyade1(R: Orientation, D2: ArrayLike) -> Array:
    """Return the second-order tensor (..., 3, 3), given in frame 2, resolved in frame 1: ``Tᵀ D2 T``.

    >>> resolve_dyade1(axis_rotation(3, np.pi / 2), np.diag([1.0, 2.0, 3.0])).round(12).diagonal()
    array([2., 1., 3.])
    """
    return kernels.conjugate_by_transposed(as_orientation("R", R).T, as_array("D2", D2, (3, 3)))


def resolve_dyade2(R: Orientation, D1: ArrayLike) -> Array:
    """Return the second-order tensor (..., 3, 3), given in frame 1, resolved in frame 2: ``T D1 Tᵀ``.

    >>> resolve_dyade2(axis_rotation(3, np.pi / 2), np.diag([1.0, 2.0, 3.0])).round(12).diagonal()
    array([2., 1., 3.])
    """
    return kernels.conjugate_by(as_orientation("R", R).T, as_array("D1", D1, (3, 3)))


def null_rotation() -> Orientation:
    """Return the orientation of a frame that coincides with frame 1 and does not turn.

    >>> null_rotation().T[0]
    array([1., 0., 0.])
    """
    return unchecked((np.eye(3), np.zeros(3)))


def inverse_rotation(R: Orientation) -> Orientation:
    """Return the orientation from frame 2 into frame 1: ``Tᵀ``, ``w = -Tᵀ w``.

    >>> inverse_rotation(axis_rotation(1, 0.1, 2.0)).w
    array([-2., -0., -0.])
    """
    return unchecked(kernels.inverse_rotation(as_orientation("R", R).T, R.w))


def relative_rotation(R1: Orientation, R2: Orientation) -> Orientation:
    """Return the orientation from frame 1 into frame 2, both given from a common frame 0.

    ``T = T2 T1ᵀ``, ``w = w2 - T2 T1ᵀ w1``

    >>> R = relative_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.3))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.2).T))
    True
    """
    R1, R2 = as_orientation("R1", R1), as_orientation("R2", R2)
    return unchecked(kernels.relative_rotation(R1.T, R1.w, R2.T, R2.w))


def absolute_rotation(R1: Orientation, R_rel: Orientation) -> Orientation:
    """Return the orientation from frame 0 into frame 2, given 0 into 1 and 1 into 2.

    ``T = T_rel T1``, ``w = T_rel w1 + w_rel``

    >>> R = absolute_rotation(axis_rotation(1, 0.1), axis_rotation(1, 0.2))
    >>> bool(np.allclose(R.T, axis_rotation(1, 0.3).T))
    True
    """
    R1, R_rel = as_orientation("R1", R1), as_orientation("R_rel", R_rel)
    return unchecked(kernels.absolute_rotation(R1.T, R1.w, R_rel.T, R_rel.w))


def planar_rotation(e: ArrayLike, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation turned by `angle` (...) rad about the unit axis `e` (..., 3).

    ``T = e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``, ``w = e der_angle``.

    >>> planar_rotation([0, 0, 1], np.pi / 2).T.round(12)[0]
    array([0., 1., 0.])
    """
    e, angle, rate = as_unit("e", e), as_array("angle", angle), as_array("der_angle", der_angle)
    return unchecked(turns.planar_rotation(e, angle, rate))


def planar_rotation_angle(e: ArrayLike, v1: ArrayLike, v2: ArrayLike) -> Array:
    """Return the angle (...) about `e` that takes `v1` (frame 1) into `v2` (frame 2), in (-pi, pi].

    ``atan2(-(e × v1)·v2, v1·v2 - (e·v1)(e·v2))``

    >>> float(planar_rotation_angle([0, 0, 1], [0, 1, 0], [1, 0, 0]).round(4))
    1.5708
    """
    return turns.planar_angle(as_unit("e", e), as_array("v1", v1, (3,)), as_array("v2", v2, (3,)))


def axis_rotation(axis: int, angle: ArrayLike, der_angle: ArrayLike = 0) -> Orientation:
    """Return the orientation turned by `angle` (...) rad about coordinate axis 1, 2 or 3.

    >>> axis_rotation(1, np.pi / 2).T.round(12)[1]
    array([0., 0., 1.])
    """
    angle, rate = as_array("angle", angle), as_array("der_angle", der_angle)
    return unchecked(turns.axis_rotation(as_axis(axis))(angle, rate))


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
    axes = as_sequence(sequence)
    angles = as_array("angles", angles, (3,))
    is_still = isinstance(der_angles, int) and der_angles == 0
    rates = np.zeros(3) if is_still else as_array("der_angles", der_angles, (3,))
    return unchecked(turns.axes_rotations(axes)(angles, rates))


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
    return turns.axes_rotations_angles(axes)(as_orientation("R", R).T, guess)


def small_rotation(R: Orientation, with_residues: bool = False) -> Array:
    """Return the three small angles (..., 3) of `R`, or with the residues of the approximation (..., 6).

    ``[T23, -T13, T12]`` and ``[T11 - 1, T22 - 1, T11 T22 - T21 T12 - 1]``

    >>> small_rotation(axes_rotations("XYZ", [1e-3, 2e-3, -1e-3])).round(5)
    array([ 0.001,  0.002, -0.001])
    """
    found = kernels.small_rotation(as_orientation("R", R).T)
    return found if with_residues else found[..., :3]


def from_nxy(n_x: ArrayLike, n_y: ArrayLike) -> Orientation:
    """Return the orientation with x along `n_x` (..., 3) and y towards `n_y` (..., 3), both in frame 1.

    Degenerate directions are replaced as the reference does (a zero `n_x` by the x axis, an `n_y`
    parallel to it by another axis); `w` is zero.

    >>> from_nxy([0, 2, 0], [-1, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    return _still(turns.matrix_from_nxy(as_array("n_x", n_x, (3,)), as_array("n_y", n_y, (3,))))


def from_nxz(n_x: ArrayLike, n_z: ArrayLike) -> Orientation:
    """Return the orientation with x along `n_x` (..., 3) and z towards `n_z` (..., 3), both in frame 1.

    >>> from_nxz([1, 0, 0], [0, 0, 3]).T.round(12)[2]
    array([0., 0., 1.])
    """
    return _still(turns.matrix_from_nxz(as_array("n_x", n_x, (3,)), as_array("n_z", n_z, (3,))))


def from_T(T: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of a matrix `T` (..., 3, 3) with angular velocity `w` (..., 3), resolved in frame 2.

    >>> from_T(np.eye(3), [0.0, 0.0, 1.0]).w
    array([0., 0., 1.])
    """
    return Orientation(as_array("T", T, (3, 3)), as_array("w", w, (3,)))


def from_T2(T: ArrayLike, der_T: ArrayLike) -> Orientation:
    """Return the orientation of a matrix `T` (..., 3, 3) with its derivative `der_T` (..., 3, 3), 1/s.

    With rows, ``w = [T3·dT2, -T3·dT1, T2·dT1]``.

    >>> from_T2(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]).w
    array([ 0., -0.,  1.])
    """
    T, der_T = as_array("T", T, (3, 3)), as_array("der_T", der_T, (3, 3))
    return Orientation(T, kernels.velocity_from_rows(T, der_T))


def from_T_inv(T_inv: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation from frame 1 into frame 2, given the matrix `T_inv` (..., 3, 3) from 2 into 1.

    `w` (..., 3) is the angular velocity of frame 1 relative to frame 2, resolved in frame 1, so that the result has
    ``-T w``. The reference's text defines it so too, but its code only negates: there the result is resolved in the
    wrong frame whenever `w` is not along the axis of the rotation.

    >>> from_T_inv(axis_rotation(3, np.pi / 2).T, [1.0, 0.0, 0.0]).w.round(12)
    array([-0., -1., -0.])
    """
    T_inv, w = as_array("T_inv", T_inv, (3, 3)), as_array("w", w, (3,))
    return unchecked(kernels.inverse_rotation(T_inv, w))


def from_Q(Q: ArrayLike, w: ArrayLike) -> Orientation:
    """Return the orientation of a quaternion `Q` (..., 4), scalar last, as it stands, with `w` (..., 3).

    >>> from_Q([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0, 0]).T.round(12)[0]
    array([0., 1., 0.])
    """
    return Orientation(kernels.matrix_from_quaternion(as_array("Q", Q, (4,))), as_array("w", w, (3,)))


def to_T(R: Orientation) -> Array:
    """Return the transformation matrix (..., 3, 3) from frame 1 into frame 2.

    >>> to_T(null_rotation())[0]
    array([1., 0., 0.])
    """
    return as_orientation("R", R).T


def to_T_inv(R: Orientation) -> Array:
    """Return the inverse transformation matrix (..., 3, 3), from frame 2 into frame 1: ``Tᵀ``.

    >>> to_T_inv(axis_rotation(3, np.pi / 2)).round(12)[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_orientation("R", R).T)


def to_Q(R: Orientation, Q_guess: ArrayLike = (0, 0, 0, 1)) -> Array:
    """Return the quaternion (..., 4), scalar last; of `Q` and `-Q` the one with ``Q · Q_guess >= 0``.

    >>> to_Q(axis_rotation(3, np.pi / 2)).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return kernels.quaternion_from_matrix(as_orientation("R", R).T, as_array("Q_guess", Q_guess, (4,)))


def to_vector(R: Orientation) -> Array:
    """Return the elements of `T` in one vector (..., 9), column by column.

    >>> to_vector(axis_rotation(3, np.pi / 2)).round(12)[:3]
    array([ 0., -1.,  0.])
    """
    T = as_orientation("R", R).T
    return kernels.transpose(T).reshape(*T.shape[:-2], 9)


def to_exy(R: Orientation) -> Array:
    """Return the x and y axes of frame 2, resolved in frame 1, as the columns of (..., 3, 2).

    >>> to_exy(axis_rotation(3, np.pi / 2)).round(12)[:, 0]
    array([0., 1., 0.])
    """
    return kernels.transpose(as_orientation("R", R).T[..., :2, :])


def equality_constraint(R1: Orientation, R2: Orientation) -> Array:
    """Return three residues (..., 3), rad, that are zero when two orientations are the same; they may be -pi.

    >>> equality_constraint(null_rotation(), axis_rotation(1, 0.1)).round(4)
    array([ 0.0995, -0.    ,  0.    ])
    """
    return kernels.angles_between(as_orientation("R1", R1).T, as_orientation("R2", R2).T)


def length(v: ArrayLike) -> Array:
    """Return the length (...) of a vector (..., 3), in its unit.

    >>> float(length([3.0, 0.0, 4.0]))
    5.0
    """
    return kernels.length(as_array("v", v, (3,)))


def normalize(v: ArrayLike) -> Array:
    """Return the vector (..., 3) of unit length along `v`; one shorter than 1e-13 is divided by 1e-13.

    So a zero vector stays zero.

    >>> normalize([0.0, 0.0, 2.0])
    array([0., 0., 1.])
    """
    return kernels.normalize(as_array("v", v, (3,)))


def axis(axis: int) -> Array:
    """Return the unit vector (3,) of coordinate axis 1, 2 or 3.

    >>> axis(2)
    array([0., 1., 0.])
    """
    e = np.zeros(3)
    e[as_axis(axis) - 1] = 1.0
    return e


def _still(T: Array) -> Orientation:
    return unchecked((T, np.zeros(T.shape[:-1])))
