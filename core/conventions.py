"""Conversions between the forms of an orientation that people have, each named in full.

Here `T` takes frame 1 into frame 2, ``v2 = T @ v1``; `Q` is its quaternion, Hamilton's, scalar last, with
``v2 = conj(Q) v1 Q``; ``R_12 = Tᵀ`` is what most libraries call the rotation matrix, ``v1 = R_12 @ v2``: active, it
turns frame 1 into frame 2. Axes, rotation vectors and the parameters of Rodrigues describe the turn from frame 1 to
frame 2 and have the same components in both.

Everything takes and gives arrays with leading axes (...), angles in rad, and raises `ValueError` where an argument has
another shape or is not finite. Where a quaternion is read, `Q` and `-Q` give the same, its length does not matter
(between 1e-150 and 1e150), and one of zeros, which is no orientation, is taken for no rotation. Rotation vectors and
parameters are understood up to a length of 1e150. The module ``code`` writes an orientation for other libraries,
``notation`` reads and writes it as text.

References
----------
.. [1] M. D. Shuster, "A survey of attitude representations", Journal of the Astronautical Sciences 41(4), 1993.
.. [2] H. Schaub, J. L. Junkins, "Stereographic orientation parameters for attitude dynamics", same 44(1), 1996.
.. [3] ROS 2, ``tf2/LinearMath/Matrix3x3.hpp``: ``setRPY``, ``getRPY``; REP 103, "Rotation representation".
.. [4] ReferenceFrameRotations.jl 3.0, ``dcm_to_angle``, ``smallangle_to_dcm``, ``smallangle_to_quat``,
   ``orthonormalize``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import conversion_kernels, kernels, turns
from framescope.core.arrays import EXTRINSIC_SEQUENCES, Array, as_array, as_sequence, as_unit
from framescope.core.code import as_code as as_code  # noqa: PLC0414

# --- Order of a quaternion, direction of a matrix


def scalar_first_from_scalar_last(Q: ArrayLike) -> Array:
    """Return ``[w, x, y, z]`` (..., 4) of ``[x, y, z, w]``: as Eigen's constructor, Julia, MATLAB and Drake have it.

    >>> scalar_first_from_scalar_last([0.1, 0.2, 0.3, 0.9])
    array([0.9, 0.1, 0.2, 0.3])
    """
    return as_array("Q", Q, (4,))[..., [3, 0, 1, 2]]


def scalar_last_from_scalar_first(q_wxyz: ArrayLike) -> Array:
    """Return ``[x, y, z, w]`` (..., 4) of ``[w, x, y, z]``: as Modelica, scipy and ROS have it.

    >>> scalar_last_from_scalar_first([0.9, 0.1, 0.2, 0.3])
    array([0.1, 0.2, 0.3, 0.9])
    """
    return as_array("q_wxyz", q_wxyz, (4,))[..., [1, 2, 3, 0]]


def passive_quaternion_from_Q(Q: ArrayLike) -> Array:
    """Return the quaternion (..., 4) `p` of those who change components by ``v2 = p v1 conj(p)``: ``conj(Q)``.

    The convention of JPL has another product instead: its quaternion of ``v2 = T @ v1`` has the numbers of `Q`.

    >>> passive_quaternion_from_Q([0.0, 0.0, 0.6, 0.8])
    array([-0. , -0. , -0.6,  0.8])
    """
    return kernels.conjugate(as_array("Q", Q, (4,)))


def Q_from_passive_quaternion(p: ArrayLike) -> Array:
    """Return `Q` (..., 4) of a quaternion meant as ``v2 = p v1 conj(p)``: ``conj(p)``.

    >>> Q_from_passive_quaternion([-0.6, -0.0, -0.0, 0.8])
    array([0.6, 0. , 0. , 0.8])
    """
    return kernels.conjugate(as_array("p", p, (4,)))


def active_matrix_from_T(T: ArrayLike) -> Array:
    """Return ``R_12 = Tᵀ`` (..., 3, 3), ``v1 = R_12 @ v2``: its columns are the axes of frame 2 resolved in frame 1.

    >>> active_matrix_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_array("T", T, (3, 3))).copy()


def T_from_active_matrix(R_12: ArrayLike) -> Array:
    """Return ``T = R_12ᵀ`` (..., 3, 3) of the matrix that turns frame 1 into frame 2, ``v1 = R_12 @ v2``.

    >>> T_from_active_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return kernels.transpose(as_array("R_12", R_12, (3, 3))).copy()


def row_vector_matrix_from_T(T: ArrayLike) -> Array:
    """Return `M` (..., 3, 3) for vectors written as rows, ``v2 = v1 @ M``: ``Tᵀ``, still from frame 1 to 2.

    It has the numbers of ``R_12`` and another meaning: `R_12` takes columns from frame 2 to 1.

    >>> [1.0, 0.0, 0.0] @ row_vector_matrix_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    array([ 0., -1.,  0.])
    """
    return kernels.transpose(as_array("T", T, (3, 3))).copy()


def T_from_row_vector_matrix(M: ArrayLike) -> Array:
    """Return ``T = Mᵀ`` (..., 3, 3) of a matrix that multiplies rows from the right, ``v2 = v1 @ M``.

    >>> T_from_row_vector_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return kernels.transpose(as_array("M", M, (3, 3))).copy()


# --- Angles


def intrinsic_from_extrinsic(sequence: str, angles: ArrayLike) -> tuple[str, Array]:
    """Return upper-case sequence and angles (..., 3) about moving axes of turns about the fixed axes of frame 1.

    Fixed axes are written in lower case, as in scipy; the same orientation comes of both reversed. Raises `ValueError`
    for a sequence in upper case, of other letters, or with like neighbours.

    >>> intrinsic_from_extrinsic("xyz", [0.1, 0.2, 0.3])
    ('ZYX', array([0.3, 0.2, 0.1]))
    """
    if sequence not in EXTRINSIC_SEQUENCES:
        raise ValueError(
            f"sequence: expected fixed axes in lower case, neighbours different, such as 'xyz', got {sequence!r}"
        )
    return sequence[::-1].upper(), as_array("angles", angles, (3,))[..., ::-1].copy()


def extrinsic_from_intrinsic(sequence: str | tuple[int, ...], angles: ArrayLike) -> tuple[str, Array]:
    """Return lower-case sequence and angles (..., 3) about the fixed axes of frame 1 of turns about moving axes.

    >>> extrinsic_from_intrinsic("ZYX", [0.3, 0.2, 0.1])
    ('xyz', array([0.1, 0.2, 0.3]))
    """
    a, b, c = as_sequence(sequence)
    return "".join(" xyz"[axis] for axis in (c, b, a)), as_array("angles", angles, (3,))[..., ::-1].copy()


def T_from_roll_pitch_yaw(roll_pitch_yaw: ArrayLike) -> Array:
    """Return `T` (..., 3, 3) of roll, pitch and yaw (..., 3) as ROS means them: about the fixed x, then y, then z [3]_.

    ``R_12 = Rz(yaw) Ry(pitch) Rx(roll)``: the axis sequence ``"ZYX"`` with the angles reversed.

    >>> T_from_roll_pitch_yaw([0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return conversion_kernels.matrix_from_rpy(as_array("roll_pitch_yaw", roll_pitch_yaw, (3,)))


def roll_pitch_yaw_from_T(T: ArrayLike) -> Array:
    """Return roll, pitch and yaw (..., 3) as ROS means them [3]_: pitch in [-pi/2, pi/2], the others in (-pi, pi].

    With the nose straight up or down yaw is 0, as in ROS, and roll holds the whole turn.

    >>> float(roll_pitch_yaw_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[2].round(4))
    1.5708
    """
    return conversion_kernels.rpy(as_array("T", T, (3, 3)))


def axes_angles_all_in_first(T: ArrayLike, sequence: str | tuple[int, ...] = (1, 2, 3)) -> Array:
    """Return the angles (..., 3) of a sequence by the rule of ReferenceFrameRotations.jl [4]_.

    Angle 2 is in [-pi/2, pi/2], or in [0, pi] where the first and third axes are the same; the others are in (-pi, pi].
    At the lock, both terms of angle 1 within 1e-12, the first angle holds the whole turn and the third is 0, whereas
    `frames.axes_rotations_angles` keeps a guess of the first.

    >>> float(axes_angles_all_in_first([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "ZXZ")[0].round(4))
    1.5708
    """
    return conversion_kernels.all_in_first(as_sequence(sequence))(as_array("T", T, (3, 3)))


# --- Axis and angle, rotation vector


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return `Q` (..., 4) of a turn by `angle` (...) about the unit `axis` (..., 3): ``[axis sin(a/2), cos(a/2)]``.

    Raises `ValueError` for an axis that is not of unit length within 1e-6; within, it is used as given.

    >>> quaternion_from_axis_angle([0, 0, 1], np.pi / 2).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return kernels.planar_quaternion(as_unit("axis", axis), as_array("angle", angle), names=("axis", "angle"))


def axis_angle_from_quaternion(Q: ArrayLike) -> tuple[Array, Array]:
    """Return the unit axis (..., 3) and the angle (...) in [0, pi] of a quaternion, scalar last.

    The axis is the same in both frames. Without a rotation it is the x axis; of a half turn it is the vector part as
    given. The half angle comes from atan2, which keeps small angles exact; the quaternion need not be of unit length.

    Examples
    --------
    >>> axis, angle = axis_angle_from_quaternion([0.0, 0.0, -np.sqrt(0.5), -np.sqrt(0.5)])
    >>> axis, float(angle.round(4))
    (array([0., 0., 1.]), 1.5708)
    """
    return conversion_kernels.axis_angle(as_array("Q", Q, (4,)))


def rotation_vector_from_quaternion(Q: ArrayLike) -> Array:
    """Return the rotation vector (..., 3), axis times angle, rad, of length at most pi; accurate at all angles.

    >>> rotation_vector_from_quaternion([0.0, 0.0, 1e-9, 1.0])
    array([0.e+00, 0.e+00, 2.e-09])
    """
    return conversion_kernels.rotation_vector(as_array("Q", Q, (4,)))


def quaternion_from_rotation_vector(rotation_vector: ArrayLike) -> Array:
    """Return `Q` (..., 4) of a rotation vector (..., 3), rad, of any length: ``[r sin(|r|/2) / |r|, cos(|r|/2)]``.

    >>> quaternion_from_rotation_vector([0.0, 0.0, np.pi / 2]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return turns.quaternion_from_rotation_vector(as_array("rotation_vector", rotation_vector, (3,)))


def rotation_vector_from_T(T: ArrayLike) -> Array:
    """Return the rotation vector (..., 3), rad, of length at most pi; at half turns one of the two.

    >>> rotation_vector_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 1.5708])
    """
    return conversion_kernels.vector_from_matrix(as_array("T", T, (3, 3)))


def T_from_rotation_vector(rotation_vector: ArrayLike) -> Array:
    """Return `T` (..., 3, 3) of a rotation vector (..., 3), rad, of any length: ``exp(-skew(r))``.

    >>> T_from_rotation_vector([0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return turns.matrix_from_rotation_vector(as_array("rotation_vector", rotation_vector, (3,)))


# --- Parameters of Rodrigues


def rodrigues_from_quaternion(Q: ArrayLike) -> Array:
    """Return the Rodrigues (Gibbs) parameters (..., 3), axis times ``tan(angle / 2)`` [1]_.

    At a half turn they are infinite where the axis has a component, with its sign, and 0 elsewhere: of the axis only
    that is left. Modified Rodrigues parameters have no such turn.

    >>> rodrigues_from_quaternion([[0.0, 0.0, -1.0, -1.0], [0.6, 0.0, -0.8, 0.0]])
    array([[  0.,   0.,   1.],
           [ inf,   0., -inf]])
    """
    return conversion_kernels.rodrigues(as_array("Q", Q, (4,)))


def quaternion_from_rodrigues(rodrigues: ArrayLike) -> Array:
    """Return the unit `Q` (..., 4) of Rodrigues parameters (..., 3): ``[g, 1] / sqrt(1 + g·g)``; no half turn has any.

    >>> quaternion_from_rodrigues([0.0, 0.0, 1.0]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return conversion_kernels.quaternion_from_rodrigues(as_array("rodrigues", rodrigues, (3,)))


def modified_rodrigues_from_quaternion(Q: ArrayLike) -> Array:
    """Return the modified Rodrigues parameters (..., 3), axis times ``tan(angle / 4)``, of length at most 1 [2]_.

    This is the short set: ``v / (|Q| + w)`` with the sign of `Q` that has ``w >= 0``; at half turns as given.

    >>> modified_rodrigues_from_quaternion([0.0, 0.0, 1.0, 0.0])
    array([0., 0., 1.])
    """
    return conversion_kernels.modified_rodrigues(as_array("Q", Q, (4,)))


def quaternion_from_modified_rodrigues(modified_rodrigues: ArrayLike) -> Array:
    """Return the unit `Q` (..., 4) of modified Rodrigues parameters (..., 3): ``[2p, 1 - p·p] / (1 + p·p)``.

    Both sets are understood; the long one gives the quaternion with ``w < 0``.

    >>> quaternion_from_modified_rodrigues([0.0, 0.0, 0.5])
    array([0. , 0. , 0.8, 0.6])
    """
    return conversion_kernels.quaternion_from_modified(as_array("modified_rodrigues", modified_rodrigues, (3,)))


def shadow_modified_rodrigues(modified_rodrigues: ArrayLike) -> Array:
    """Return the other set of modified Rodrigues parameters (..., 3) of the same orientation: ``-p / p·p`` [2]_.

    It is the turn the long way round, and singular where there is no rotation: infinite, along x.

    >>> shadow_modified_rodrigues([[0.1, 0.2, -0.2], [0.0, 0.0, 0.0]])[:, 0].round(4)
    array([-1.1111,     inf])
    """
    return conversion_kernels.shadow(as_array("modified_rodrigues", modified_rodrigues, (3,)))


# --- Small angles and drifted matrices


def T_from_small_angles(angles: ArrayLike) -> Array:
    """Return ``1 - skew(angles)`` (..., 3, 3) of small angles (..., 3): `T` to first order, and no rotation [4]_.

    >>> T_from_small_angles([0.01, 0.02, 0.03])[0]
    array([ 1.  ,  0.03, -0.02])
    """
    return conversion_kernels.matrix_from_small_angles(as_array("angles", angles, (3,)))


def quaternion_from_small_angles(angles: ArrayLike) -> Array:
    """Return ``[angles / 2, 1]`` made a unit quaternion (..., 4), of small angles (..., 3) [4]_.

    >>> quaternion_from_small_angles([0.0, 0.0, 0.02]).round(6)
    array([0.     , 0.     , 0.01   , 0.99995])
    """
    return conversion_kernels.quaternion_from_rodrigues(0.5 * as_array("angles", angles, (3,)))


def orthonormalize_by_gram_schmidt(T: ArrayLike) -> Array:
    """Return orthonormal columns (..., 3, 3): the first of `T` as it points, the others by what they add to it [4]_.

    It favours the first column, and a left-handed matrix stays left-handed;
    `transformation_matrices.project_to_rotation` gives the nearest rotation instead. Raises `ValueError` where a column
    is nothing but a combination of those before it.

    >>> orthonormalize_by_gram_schmidt([[2.0, 1.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 3.0]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    columns = conversion_kernels.gram_schmidt(as_array("T", T, (3, 3)))
    if not np.isfinite(columns).all():
        raise ValueError("T: expected independent columns, got some that are zero or follow from the others")
    return columns
