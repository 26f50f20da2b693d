"""Functions on transformation matrices as plain arrays (..., 3, 3), after Modelica `Frames.TransformationMatrices`.

A matrix `T` takes frame 1 into frame 2, ``v2 = T @ v1``.

References
----------
Modelica Standard Library 3.2.3 and 4.1, ``Modelica.Mechanics.MultiBody.Frames.TransformationMatrices``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels, turns
from framescope.core.arrays import Array, as_array, as_axis, as_columns, as_sequence, as_unit


def orientation_constraint(T: ArrayLike) -> Array:
    """Return the six residues (..., 6) that are zero for a rotation.

    The squared norms of the columns less one, then the products of columns 12, 13 and 23.

    >>> orientation_constraint(2.0 * np.eye(3))
    array([3., 3., 3., 0., 0., 0.])
    """
    return kernels.orientation_residues(as_array("T", T, (3, 3)))


def angular_velocity1(T: ArrayLike, der_T: ArrayLike) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to 1, resolved in 1.

    With columns, ``[T2·dT3, -T1·dT3, T1·dT2]``.

    >>> angular_velocity1(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    array([ 0., -0.,  1.])
    """
    return kernels.velocity_from_columns(as_array("T", T, (3, 3)), as_array("der_T", der_T, (3, 3)))


def angular_velocity2(T: ArrayLike, der_T: ArrayLike) -> Array:
    """Return the angular velocity (..., 3) of frame 2 relative to 1, resolved in 2.

    With rows, ``[T3·dT2, -T3·dT1, T2·dT1]``.

    >>> angular_velocity2(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    array([ 0., -0.,  1.])
    """
    return kernels.velocity_from_rows(as_array("T", T, (3, 3)), as_array("der_T", der_T, (3, 3)))


def resolve1(T: ArrayLike, v2: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 2, resolved in frame 1: ``Tᵀ v2``.

    >>> resolve1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [1, 0, 0])
    array([0., 1., 0.])
    """
    return kernels.apply_transposed(as_array("T", T, (3, 3)), as_array("v2", v2, (3,)))


def resolve2(T: ArrayLike, v1: ArrayLike) -> Array:
    """Return the vector (..., 3), given in frame 1, resolved in frame 2: ``T v1``.

    >>> resolve2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [0, 1, 0])
    array([1., 0., 0.])
    """
    return kernels.apply_matrix(as_array("T", T, (3, 3)), as_array("v1", v1, (3,)))


def multiple_resolve1(T: ArrayLike, v2: ArrayLike) -> Array:
    """Return vectors, the columns of (..., 3, n), given in frame 2, resolved in frame 1: ``Tᵀ v2``.

    >>> multiple_resolve1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.eye(3))[:, 0]
    array([0., 1., 0.])
    """
    T, v2 = as_array("T", T, (3, 3)), as_columns("v2", v2)
    return kernels.on_columns(kernels.apply_transposed, T[..., np.newaxis, :, :], v2)


def multiple_resolve2(T: ArrayLike, v1: ArrayLike) -> Array:
    """Return vectors, the columns of (..., 3, n), given in frame 1, resolved in frame 2: ``T v1``.

    >>> multiple_resolve2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.eye(3))[:, 1]
    array([1., 0., 0.])
    """
    T, v1 = as_array("T", T, (3, 3)), as_columns("v1", v1)
    return kernels.on_columns(kernels.apply_matrix, T[..., np.newaxis, :, :], v1)


def resolve_dyade1(T: ArrayLike, D2: ArrayLike) -> Array:
    """Return the second-order tensor (..., 3, 3), given in frame 2, resolved in frame 1: ``Tᵀ D2 T``.

    >>> resolve_dyade1([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.diag([1, 2, 3])).diagonal()
    array([2., 1., 3.])
    """
    return kernels.conjugate_by_transposed(as_array("T", T, (3, 3)), as_array("D2", D2, (3, 3)))


def resolve_dyade2(T: ArrayLike, D1: ArrayLike) -> Array:
    """Return the second-order tensor (..., 3, 3), given in frame 1, resolved in frame 2: ``T D1 Tᵀ``.

    >>> resolve_dyade2([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.diag([1, 2, 3])).diagonal()
    array([2., 1., 3.])
    """
    return kernels.conjugate_by(as_array("T", T, (3, 3)), as_array("D1", D1, (3, 3)))


def null_rotation() -> Array:
    """Return the matrix (3, 3) of a frame that coincides with frame 1.

    >>> null_rotation()[0]
    array([1., 0., 0.])
    """
    return np.eye(3)


def inverse_rotation(T: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) from frame 2 into frame 1: ``Tᵀ``.

    >>> inverse_rotation([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_array("T", T, (3, 3))).copy()


def relative_rotation(T1: ArrayLike, T2: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) from frame 1 into frame 2, both given from a common frame 0: ``T2 T1ᵀ``.

    >>> relative_rotation(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return kernels.multiply_by_transposed(as_array("T2", T2, (3, 3)), as_array("T1", T1, (3, 3)))


def absolute_rotation(T1: ArrayLike, T_rel: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) from frame 0 into frame 2, given 0 into 1 and 1 into 2: ``T_rel T1``.

    >>> absolute_rotation(np.eye(3), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return kernels.multiply_matrices(as_array("T_rel", T_rel, (3, 3)), as_array("T1", T1, (3, 3)))


def planar_rotation(e: ArrayLike, angle: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) turned by `angle` (...) rad about the unit axis `e` (..., 3).

    ``e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``

    >>> planar_rotation([0, 0, 1], np.pi / 2).round(12)[0]
    array([0., 1., 0.])
    """
    return turns.planar_matrix(as_unit("e", e), as_array("angle", angle))


def planar_rotation_angle(e: ArrayLike, v1: ArrayLike, v2: ArrayLike) -> Array:
    """Return the angle (...) about `e` that takes `v1` (frame 1) into `v2` (frame 2), in (-pi, pi].

    ``atan2(-(e × v1)·v2, v1·v2 - (e·v1)(e·v2))``

    >>> float(planar_rotation_angle([0, 0, 1], [0, 1, 0], [1, 0, 0]).round(4))
    1.5708
    """
    return turns.planar_angle(as_unit("e", e), as_array("v1", v1, (3,)), as_array("v2", v2, (3,)))


def axis_rotation(axis: int, angle: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) turned by `angle` (...) rad about coordinate axis 1, 2 or 3.

    >>> axis_rotation(1, np.pi / 2).round(12)[1]
    array([0., 0., 1.])
    """
    return turns.axis_matrix(as_axis(axis), as_array("angle", angle))


def axes_rotations(sequence: str | tuple[int, ...], angles: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) after three turns by `angles` (..., 3) rad about the axes of the moving frame.

    ``T3 T2 T1``

    >>> axes_rotations("XYZ", [0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return turns.axes_matrix(as_sequence(sequence))(as_array("angles", angles, (3,)))


def axes_rotations_angles(
    T: ArrayLike, sequence: str | tuple[int, ...] = (1, 2, 3), guess_angle1: ArrayLike = 0
) -> Array:
    """Return the three angles (..., 3) of `T` for an axis sequence, the branch nearest a guess.

    As `framescope.core.frames.axes_rotations_angles`.

    >>> axes_rotations_angles(axes_rotations("ZYX", [0.1, 0.2, 0.3]), "ZYX").round(12)
    array([0.1, 0.2, 0.3])
    """
    axes = as_sequence(sequence)
    return turns.axes_rotations_angles(axes)(as_array("T", T, (3, 3)), as_array("guess_angle1", guess_angle1))


def small_rotation(T: ArrayLike, with_residues: bool = False) -> Array:
    """Return the three small angles (..., 3) of `T`, or with the residues of the approximation (..., 6).

    ``[T23, -T13, T12]`` and ``[T11 - 1, T22 - 1, T11 T22 - T21 T12 - 1]``

    >>> small_rotation(axes_rotations("XYZ", [1e-3, 2e-3, -1e-3])).round(5)
    array([ 0.001,  0.002, -0.001])
    """
    found = kernels.small_rotation(as_array("T", T, (3, 3)))
    return found if with_residues else found[..., :3]


def from_nxy(n_x: ArrayLike, n_y: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) with x along `n_x` (..., 3) and y towards `n_y` (..., 3), both in frame 1.

    Degenerate directions are replaced, as in `framescope.core.frames.from_nxy`.

    >>> from_nxy([0, 2, 0], [-1, 0, 0])[0]
    array([0., 1., 0.])
    """
    return turns.matrix_from_nxy(as_array("n_x", n_x, (3,)), as_array("n_y", n_y, (3,)))


def from_nxz(n_x: ArrayLike, n_z: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) with x along `n_x` (..., 3) and z towards `n_z` (..., 3), both in frame 1.

    >>> from_nxz([1, 0, 0], [0, 0, 3])[2]
    array([0., 0., 1.])
    """
    return turns.matrix_from_nxz(as_array("n_x", n_x, (3,)), as_array("n_z", n_z, (3,)))


def from_T(T: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) itself, checked.

    >>> from_T([[1, 0, 0], [0, 1, 0], [0, 0, 1]])[0]
    array([1., 0., 0.])
    """
    return as_array("T", T, (3, 3)).copy()


def from_T_inv(T_inv: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) from frame 1 into frame 2 of the one from 2 into 1: ``T_invᵀ``.

    >>> from_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_array("T_inv", T_inv, (3, 3))).copy()


def from_Q(Q: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) of a quaternion `Q` (..., 4), scalar last, as it stands.

    >>> from_Q([0, 0, np.sqrt(0.5), np.sqrt(0.5)]).round(12)[0]
    array([0., 1., 0.])
    """
    return kernels.matrix_from_quaternion(as_array("Q", Q, (4,)))


def to_T(R: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) itself, checked; `R` is a matrix here, as in the reference.

    >>> to_T([[1, 0, 0], [0, 1, 0], [0, 0, 1]])[0]
    array([1., 0., 0.])
    """
    return as_array("R", R, (3, 3)).copy()


def to_T_inv(R: ArrayLike) -> Array:
    """Return the matrix (..., 3, 3) from frame 2 into frame 1; `R` is a matrix here, as in the reference.

    >>> to_T_inv([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_array("R", R, (3, 3))).copy()


def to_Q(T: ArrayLike, Q_guess: ArrayLike = (0, 0, 0, 1)) -> Array:
    """Return the quaternion (..., 4), scalar last; of `Q` and `-Q` the one with ``Q · Q_guess >= 0``.

    >>> to_Q([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return kernels.quaternion_from_matrix(as_array("T", T, (3, 3)), as_array("Q_guess", Q_guess, (4,)))


def to_vector(T: ArrayLike) -> Array:
    """Return the elements of `T` in one vector (..., 9), column by column.

    >>> to_vector([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[:3]
    array([ 0., -1.,  0.])
    """
    T = as_array("T", T, (3, 3))
    return kernels.transpose(T).reshape(*T.shape[:-2], 9)


def to_exy(T: ArrayLike) -> Array:
    """Return the x and y axes of frame 2, resolved in frame 1, as the columns of (..., 3, 2).

    >>> to_exy([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[:, 0]
    array([0., 1., 0.])
    """
    return kernels.transpose(as_array("T", T, (3, 3))[..., :2, :]).copy()


def equality_constraint(T1: ArrayLike, T2: ArrayLike) -> Array:
    """Return three residues (..., 3) that are zero when two matrices are the same: sines of the angles between them.

    With ``c = T1[1,:] × T1[2,:]``: ``[c·T2[2,:], -c·T2[1,:], T1[2,:]·T2[1,:]]``.

    >>> equality_constraint(np.eye(3), axis_rotation(1, 0.1)).round(4)
    array([ 0.0998, -0.    ,  0.    ])
    """
    return kernels.matrix_mismatch(as_array("T1", T1, (3, 3)), as_array("T2", T2, (3, 3)))


def project_to_rotation(T: ArrayLike) -> tuple[Array, Array]:
    """Return the rotations (..., 3, 3) nearest to `T` in the Frobenius norm, and the distance (...).

    Notes
    -----
    With the singular values ``T = U S Vᵀ`` the nearest rotation is ``U diag(1, 1, ±1) Vᵀ`` with the sign
    that makes the determinant +1. A left-handed or singular `T` has a nearest rotation too, far away.

    References
    ----------
    N. J. Higham, "Matrix nearness problems and applications", 1989, section 4.

    Examples
    --------
    >>> rotation, distance = project_to_rotation(1.01 * np.eye(3))
    >>> rotation[0], float(distance.round(4))
    (array([1., 0., 0.]), 0.0173)
    """
    T = as_array("T", T, (3, 3))
    U, _, Vt = np.linalg.svd(T)
    is_mirrored = np.linalg.det(U) * np.linalg.det(Vt) < 0.0
    U[..., :, 2] = np.where(is_mirrored[..., np.newaxis], -U[..., :, 2], U[..., :, 2])
    rotation = kernels.multiply_matrices(U, Vt)
    return rotation, np.sqrt(((T - rotation) ** 2).sum(axis=(-2, -1)))
