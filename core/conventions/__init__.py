"""Conversions between common forms of an orientation, each named in full, and orientations as text and code.

`T` takes frame 1 into frame 2, ``v2 = T @ v1``. `Q` is its Hamilton quaternion, scalar last, with
``v2 = conj(Q) v1 Q``. Most libraries call ``R_12 = Tᵀ`` the rotation matrix, ``v1 = R_12 @ v2``: active, it turns
frame 1 into frame 2. Axes, rotation vectors and Rodrigues parameters describe the rotation from frame 1 to frame 2 and
have the same components in both.

All functions take and return arrays with leading axes (...), angles in rad, and raise `ValueError` where an argument
has another shape or is not finite. Quaternions as arguments may have any length between 1e-150 and 1e150. `Q` and `-Q`
give the same result, except opposite axes for a half turn. A quaternion of zeros, which is not an orientation, counts
as no rotation. Rotation vectors and parameters may have lengths up to 1e150. ``code_snippets`` writes an orientation
for other libraries, ``notation`` reads and writes it as text.

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

from framescope.core.conventions.code_snippets import as_code as as_code
from framescope.core.kernels import axis_rotations, conversions, linear_algebra
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, Array, as_array, as_sequence, as_unit

# --- Order of a quaternion, direction of a matrix


def scalar_first_from_scalar_last(Q: ArrayLike) -> Array:
    """Return a quaternion scalar first, given it scalar last.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion ``[x, y, z, w]``, of any convention and length.

    Returns
    -------
    (..., 4)
        The same numbers as ``[w, x, y, z]``, in a new array.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    Eigen's constructor, Julia, MATLAB and Drake have the scalar first. Only the order changes: nothing is conjugated or
    normalized.

    Examples
    --------
    >>> scalar_first_from_scalar_last([0.1, 0.2, 0.3, 0.9])
    array([0.9, 0.1, 0.2, 0.3])
    """
    return as_array("Q", Q, (4,))[..., [3, 0, 1, 2]]


def scalar_last_from_scalar_first(q_wxyz: ArrayLike) -> Array:
    """Return a quaternion scalar last, given it scalar first.

    Parameters
    ----------
    q_wxyz : (..., 4)
        Quaternion ``[w, x, y, z]``, of any convention and length.

    Returns
    -------
    (..., 4)
        The same numbers as ``[x, y, z, w]``, in a new array.

    Raises
    ------
    ValueError
        When `q_wxyz` has a wrong shape or is not finite.

    Notes
    -----
    Modelica, scipy and ROS have the scalar last. Only the order changes: nothing is conjugated or normalized.

    Examples
    --------
    >>> scalar_last_from_scalar_first([0.9, 0.1, 0.2, 0.3])
    array([0.1, 0.2, 0.3, 0.9])
    """
    return as_array("q_wxyz", q_wxyz, (4,))[..., [1, 2, 3, 0]]


def passive_quaternion_from_Q(Q: ArrayLike) -> Array:
    """Return the quaternion `p` of the passive convention, which changes components by ``v2 = p v1 conj(p)``.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Returns
    -------
    (..., 4)
        ``p = conj(Q)``, scalar last.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    `p` is as long as `Q`, without normalization. The JPL convention differs in the quaternion product instead: its
    quaternion of ``v2 = T @ v1`` has the numbers of `Q`.

    Examples
    --------
    >>> passive_quaternion_from_Q([0.0, 0.0, 0.6, 0.8])
    array([-0. , -0. , -0.6,  0.8])
    """
    return linear_algebra.conjugate.checked(("Q",), Q)


def Q_from_passive_quaternion(p: ArrayLike) -> Array:
    """Return `Q` of a quaternion `p` of the passive convention, ``v2 = p v1 conj(p)``.

    Parameters
    ----------
    p : (..., 4)
        Quaternion that changes components from frame 1 to frame 2 by ``v2 = p v1 conj(p)``, scalar last.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, ``Q = conj(p)``, scalar last.

    Raises
    ------
    ValueError
        When `p` has a wrong shape or is not finite.

    Notes
    -----
    `Q` is as long as `p`, without normalization.

    Examples
    --------
    >>> Q_from_passive_quaternion([-0.6, -0.0, -0.0, 0.8])
    array([0.6, 0. , 0. , 0.8])
    """
    return linear_algebra.conjugate.checked(("p",), p)


def active_matrix_from_T(T: ArrayLike) -> Array:
    """Return the matrix that turns frame 1 into frame 2, which most libraries call the rotation matrix.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        ``R_12 = Tᵀ``, ``v1 = R_12 @ v2``: its columns are the axes of frame 2 resolved in frame 1.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    Returns a new array. A drifted `T` is transposed, not inverted.

    Examples
    --------
    >>> active_matrix_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[0]
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(as_array("T", T, (3, 3))).copy()


def T_from_active_matrix(R_12: ArrayLike) -> Array:
    """Return the transformation matrix for a matrix that turns frame 1 into frame 2.

    Parameters
    ----------
    R_12 : (..., 3, 3)
        Matrix with ``v1 = R_12 @ v2``: its columns are the axes of frame 2 resolved in frame 1.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2, ``T = R_12ᵀ``.

    Raises
    ------
    ValueError
        When `R_12` has a wrong shape or is not finite.

    Notes
    -----
    Returns a new array. A drifted `R_12` is transposed, not inverted.

    Examples
    --------
    >>> T_from_active_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return linear_algebra.transpose(as_array("R_12", R_12, (3, 3))).copy()


def row_vector_matrix_from_T(T: ArrayLike) -> Array:
    """Return the matrix for row vectors.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3, 3)
        ``M = Tᵀ`` with ``v2 = v1 @ M``, also from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    Returns a new array. It has the numbers of ``R_12`` but another meaning: `R_12` maps column vectors from frame 2
    into frame 1.

    Examples
    --------
    >>> [1.0, 0.0, 0.0] @ row_vector_matrix_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    array([ 0., -1.,  0.])
    """
    return linear_algebra.transpose(as_array("T", T, (3, 3))).copy()


def T_from_row_vector_matrix(M: ArrayLike) -> Array:
    """Return the transformation matrix for a matrix that multiplies row vectors from the right.

    Parameters
    ----------
    M : (..., 3, 3)
        Matrix from frame 1 into frame 2 with ``v2 = v1 @ M``.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2, ``T = Mᵀ``.

    Raises
    ------
    ValueError
        When `M` has a wrong shape or is not finite.

    Notes
    -----
    Returns a new array. A drifted `M` is transposed, not inverted.

    Examples
    --------
    >>> T_from_row_vector_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])[0]
    array([0., 1., 0.])
    """
    return linear_algebra.transpose(as_array("M", M, (3, 3))).copy()


# --- Angles


def intrinsic_from_extrinsic(sequence: str, angles: ArrayLike) -> tuple[str, Array]:
    """Return the rotations about moving axes that are equivalent to rotations about fixed axes.

    Parameters
    ----------
    sequence
        Axes of frame 1 in lower case, as in scipy, neighbours different: ``"xyz"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.

    Returns
    -------
    sequence : str
        Reversed axes in upper case: rotations about axes of the moving frame.
    angles : (..., 3)
        Reversed angles, rad, in a new array.

    Raises
    ------
    ValueError
        When `sequence` is in upper case, has other letters or equal neighbours, or `angles` has a wrong shape or is not
        finite.

    Notes
    -----
    Rotations 1, 2, 3 about moving axes give ``T = T3 T2 T1``, about fixed axes ``T = T1 T2 T3``. Reversing axes and
    angles therefore gives the same orientation, exactly and for all angles.

    Examples
    --------
    >>> intrinsic_from_extrinsic("xyz", [0.1, 0.2, 0.3])
    ('ZYX', array([0.3, 0.2, 0.1]))
    """
    if sequence not in EXTRINSIC_SEQUENCES:
        message = f"sequence: expected fixed axes in lower case, neighbours different, such as 'xyz', got {sequence!r}"
        raise ValueError(message)
    return sequence[::-1].upper(), as_array("angles", angles, (3,))[..., ::-1].copy()


def extrinsic_from_intrinsic(sequence: str | tuple[int, ...], angles: ArrayLike) -> tuple[str, Array]:
    """Return the rotations about fixed axes that are equivalent to rotations about moving axes.

    Parameters
    ----------
    sequence
        Three axes of the moving frame, neighbours different: ``(3, 2, 1)`` or ``"ZYX"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.

    Returns
    -------
    sequence : str
        Reversed axes in lower case: rotations about the fixed axes of frame 1.
    angles : (..., 3)
        Reversed angles, rad, in a new array.

    Raises
    ------
    ValueError
        When `sequence` is invalid, or `angles` has a wrong shape or is not finite.

    Notes
    -----
    Exact inverse of `intrinsic_from_extrinsic`.

    Examples
    --------
    >>> extrinsic_from_intrinsic("ZYX", [0.3, 0.2, 0.1])
    ('xyz', array([0.1, 0.2, 0.3]))
    """
    a, b, c = as_sequence(sequence)
    return "".join(" xyz"[axis] for axis in (c, b, a)), as_array("angles", angles, (3,))[..., ::-1].copy()


def T_from_roll_pitch_yaw(roll_pitch_yaw: ArrayLike) -> Array:
    """Return the transformation matrix of roll, pitch and yaw as in ROS: about fixed x, then y, then z [3]_.

    Parameters
    ----------
    roll_pitch_yaw : (..., 3)
        Roll, pitch and yaw, rad, of any magnitude: rotations from frame 1 to frame 2 about the axes of frame 1.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Raises
    ------
    ValueError
        When `roll_pitch_yaw` has a wrong shape or is not finite.

    Notes
    -----
    ``Tᵀ = R_12 = Rz(yaw) Ry(pitch) Rx(roll)``: the axis sequence ``"ZYX"`` with the angles reversed. `T` is orthonormal
    to rounding for all angles.

    Examples
    --------
    >>> T_from_roll_pitch_yaw([0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return conversions.matrix_from_rpy.checked(("roll_pitch_yaw",), roll_pitch_yaw)


def roll_pitch_yaw_from_T(T: ArrayLike) -> Array:
    """Return roll, pitch and yaw as in ROS: about fixed x, then y, then z [3]_.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3)
        Roll in (-pi, pi], pitch in [-pi/2, pi/2] and yaw in (-pi, pi], rad.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    Roll and pitch are computed *with* yaw, so that they reproduce the matrix at any distance from gimbal lock. At
    gimbal lock, with ``|T11|`` and ``|T12|`` at most 1e-12 (the nose straight up or down), yaw is 0, as in ROS, and
    roll contains the whole rotation. The angles then reproduce the matrix within 3e-12, and pitch may exceed its range
    by 1e-12. ROS sets yaw to 0 only where ``|T13|`` is 1 or more, and computes roll from two elements that are zero
    there. A drifted `T` is not projected to a rotation.

    Examples
    --------
    >>> float(roll_pitch_yaw_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])[2].round(4))
    1.5708
    """
    return conversions.rpy.checked(("T",), T)


def axes_angles_all_in_first(T: ArrayLike, sequence: str | tuple[int, ...] = (1, 2, 3)) -> Array:
    """Return the angles of a sequence by the rule of ReferenceFrameRotations.jl: at gimbal lock all in the first [4]_.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.
    sequence
        Three axes of the moving frame, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.

    Returns
    -------
    (..., 3)
        Angles in the order of the sequence, rad. Angle 2 is in [-pi/2, pi/2], or in [0, pi] where the first and third
        axes are the same; the others are in (-pi, pi].

    Raises
    ------
    ValueError
        When `sequence` is invalid, or `T` has a wrong shape or is not finite.

    Notes
    -----
    With `e1`, `e2`, `e3` the unit vectors of the sequence and `r` the row of `T` of its third axis, gimbal lock is
    where ``|e2·r|`` and ``|(e1 × e2)·r|`` are at most 1e-12. There the first angle contains the whole rotation and the
    third is 0, whereas `frames.axes_rotations_angles` keeps a guess of the first. The angles then reproduce the matrix
    within 3e-12, and angle 2 may exceed its range by 1e-12. Elsewhere angles 2 and 3 are computed *with* angle 1, so
    that they reproduce the matrix to rounding, near gimbal lock too. A drifted `T` is not projected to a rotation.

    Examples
    --------
    >>> float(axes_angles_all_in_first([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "ZXZ")[0].round(4))
    1.5708
    """
    return conversions.all_in_first(as_sequence(sequence)).checked(("T",), T)


# --- Axis and angle, rotation vector


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return the quaternion of a rotation about an axis.

    Parameters
    ----------
    axis : (..., 3)
        Axis of the rotation, of unit length; it has the same components in both frames.
    angle : (...)
        Angle from frame 1 to frame 2 about `axis`, rad, of any magnitude.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, `axis` is not of unit length within 1e-6, or the leading axes do
        not broadcast.

    Notes
    -----
    ``[axis sin(a/2), cos(a/2)]``. An `axis` within the tolerance is not normalized; the length of `Q` then has at most
    the same deviation. A whole turn more gives ``-Q``.

    Examples
    --------
    >>> quaternion_from_axis_angle([0, 0, 1], np.pi / 2).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return linear_algebra.planar_quaternion.checked(("axis", "angle"), as_unit("axis", axis), angle)


def axis_angle_from_quaternion(Q: ArrayLike) -> tuple[Array, Array]:
    """Return the axis and the angle of the rotation of a quaternion, the short way round.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of any length from 1e-150 to 1e150.

    Returns
    -------
    axis : (..., 3)
        Axis of the rotation, of unit length; it has the same components in both frames.
    angle : (...)
        Angle from frame 1 to frame 2 about `axis`, rad, in [0, pi].

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    With `v` the vector part and `w` the scalar of `Q` or `-Q`, whichever has ``w >= 0``, ``axis = v / |v|`` and
    ``angle = 2 atan2(|v|, w)``. This keeps all digits of small angles and is equally accurate near a half turn.

    Without a rotation, ``v = 0``, and for a `Q` of zeros, the axis is the x axis and the angle 0. For a half turn,
    ``w = 0``, the axis has the direction of the vector part, so that `Q` and `-Q` give opposite axes.

    Examples
    --------
    >>> axis, angle = axis_angle_from_quaternion([0.0, 0.0, -np.sqrt(0.5), -np.sqrt(0.5)])
    >>> axis, float(angle.round(4))
    (array([0., 0., 1.]), 1.5708)
    """
    return conversions.axis_angle.checked(("Q",), Q)


def rotation_vector_from_quaternion(Q: ArrayLike) -> Array:
    """Return the rotation vector of a quaternion, axis times angle, the short way round.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of any length from 1e-150 to 1e150.

    Returns
    -------
    (..., 3)
        Rotation vector from frame 1 to frame 2, rad, of length at most pi; it has the same components in both frames.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    Axis and angle are computed as in `axis_angle_from_quaternion`, accurate at all angles to the rounding of the
    vector's length. Without a rotation, and for a `Q` of zeros, the vector is zero. Past a half turn it jumps to the
    other side. For a half turn it has the direction of the vector part of `Q`.

    Examples
    --------
    >>> rotation_vector_from_quaternion([0.0, 0.0, 1e-9, 1.0])
    array([0.e+00, 0.e+00, 2.e-09])
    """
    return conversions.rotation_vector.checked(("Q",), Q)


def quaternion_from_rotation_vector(rotation_vector: ArrayLike) -> Array:
    """Return the quaternion of a rotation vector.

    Parameters
    ----------
    rotation_vector : (..., 3)
        Rotation vector from frame 1 to frame 2, rad, of any length up to 1e150; it has the same components in both
        frames.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of unit length.

    Raises
    ------
    ValueError
        When `rotation_vector` has a wrong shape or is not finite.

    Notes
    -----
    ``[r sin(|r|/2) / |r|, cos(|r|/2)]``; zero gives ``[0, 0, 0, 1]``, and short vectors keep all their digits. Lengths
    between one and three half turns, and so on, give a negative scalar. The angle of a long vector is as uncertain as
    the rounding of ``|r|``. Components over 1e154, whose squares overflow, give NaN.

    Examples
    --------
    >>> quaternion_from_rotation_vector([0.0, 0.0, np.pi / 2]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return axis_rotations.quaternion_from_rotation_vector.checked(("rotation_vector",), rotation_vector)


def rotation_vector_from_T(T: ArrayLike) -> Array:
    """Return the rotation vector of a transformation matrix, axis times angle, the short way round.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2.

    Returns
    -------
    (..., 3)
        Rotation vector from frame 1 to frame 2, rad, of length at most pi; it has the same components in both frames.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite.

    Notes
    -----
    Computed from the quaternion, with the pivoting algorithm of `quaternions.from_T`: accurate at all angles, half
    turns included, to the rounding of `T`. For a half turn, `r` and ``-r`` are the same orientation, and either may be
    returned within rounding of one. A drifted `T` is not projected to a rotation, and a `T` that is not a rotation at
    all gives a vector too; `transformation_matrices.project_to_rotation` returns the distance from a rotation.

    Examples
    --------
    >>> rotation_vector_from_T([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).round(4)
    array([0.    , 0.    , 1.5708])
    """
    return conversions.vector_from_matrix.checked(("T",), T)


def T_from_rotation_vector(rotation_vector: ArrayLike) -> Array:
    """Return the transformation matrix of a rotation vector.

    Parameters
    ----------
    rotation_vector : (..., 3)
        Rotation vector from frame 1 to frame 2, rad, of any length up to 1e150; it has the same components in both
        frames.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2, orthonormal to rounding.

    Raises
    ------
    ValueError
        When `rotation_vector` has a wrong shape or is not finite.

    Notes
    -----
    ``exp(-skew(r))``, computed from the quaternion of `quaternion_from_rotation_vector`; zero gives the unit matrix.
    The angle of a long vector is as uncertain as the rounding of ``|r|``. Components over 1e154, whose squares
    overflow, give NaN.

    Examples
    --------
    >>> T_from_rotation_vector([0.0, 0.0, np.pi / 2]).round(12)[0]
    array([0., 1., 0.])
    """
    return axis_rotations.matrix_from_rotation_vector.checked(("rotation_vector",), rotation_vector)


# --- Rodrigues parameters


def rodrigues_from_quaternion(Q: ArrayLike) -> Array:
    """Return the Rodrigues (Gibbs) parameters of a quaternion, axis times ``tan(angle / 2)`` [1]_.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of any length from 1e-150 to 1e150.

    Returns
    -------
    (..., 3)
        Parameters of the rotation from frame 1 to frame 2, the same in both frames; infinite at half turns.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    The vector part divided by the scalar. At a half turn, with scalar 0, components are infinite with the sign of the
    vector part, and 0 where the vector part is 0. Overflows are infinite, too. Without a rotation, and for a `Q` of
    zeros, they are 0. Modified Rodrigues parameters are finite at half turns.

    Examples
    --------
    >>> rodrigues_from_quaternion([[0.0, 0.0, -1.0, -1.0], [0.6, 0.0, -0.8, 0.0]])
    array([[  0.,   0.,   1.],
           [ inf,   0., -inf]])
    """
    return conversions.rodrigues.checked(("Q",), Q)


def quaternion_from_rodrigues(rodrigues: ArrayLike) -> Array:
    """Return the quaternion of Rodrigues (Gibbs) parameters [1]_.

    Parameters
    ----------
    rodrigues : (..., 3)
        Parameters of the rotation from frame 1 to frame 2, axis times ``tan(angle / 2)``; the same in both frames.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of unit length and with a scalar that is not negative.

    Raises
    ------
    ValueError
        When `rodrigues` has a wrong shape or is not finite, which excludes half turns.

    Notes
    -----
    ``[g, 1] / sqrt(1 + g·g)``, divided by the largest component before squaring, so that nothing overflows. Finite
    parameters never give a half turn; large parameters come within about ``2 / |g|`` of a half turn.

    Examples
    --------
    >>> quaternion_from_rodrigues([0.0, 0.0, 1.0]).round(4)
    array([0.    , 0.    , 0.7071, 0.7071])
    """
    return conversions.quaternion_from_rodrigues.checked(("rodrigues",), rodrigues)


def modified_rodrigues_from_quaternion(Q: ArrayLike) -> Array:
    """Return the modified Rodrigues parameters of a quaternion, axis times ``tan(angle / 4)``: the short set [2]_.

    Parameters
    ----------
    Q : (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of any length from 1e-150 to 1e150.

    Returns
    -------
    (..., 3)
        Parameters of the rotation from frame 1 to frame 2, the same in both frames, of length at most 1.

    Raises
    ------
    ValueError
        When `Q` has a wrong shape or is not finite.

    Notes
    -----
    ``v / (|Q| + w)``, with `v` the vector part and `w` the scalar of `Q` or `-Q`, whichever has ``w >= 0``: nowhere
    singular. Past a half turn the parameters jump to the other side. For a half turn they have length 1 and the
    direction of the vector part, so that `Q` and `-Q` give opposite parameters. A `Q` of zeros gives zeros.
    `shadow_modified_rodrigues` returns the long set.

    Examples
    --------
    >>> modified_rodrigues_from_quaternion([0.0, 0.0, 1.0, 0.0])
    array([0., 0., 1.])
    """
    return conversions.modified_rodrigues.checked(("Q",), Q)


def quaternion_from_modified_rodrigues(modified_rodrigues: ArrayLike) -> Array:
    """Return the quaternion of modified Rodrigues parameters, of the short or the long set [2]_.

    Parameters
    ----------
    modified_rodrigues : (..., 3)
        Parameters of the rotation from frame 1 to frame 2, axis times ``tan(angle / 4)``, of any length up to 1e150;
        the same in both frames.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of unit length.

    Raises
    ------
    ValueError
        When `modified_rodrigues` has a wrong shape or is not finite.

    Notes
    -----
    ``[2p, 1 - p·p] / (1 + p·p)``, nowhere singular. The short set, ``|p| <= 1``, gives a scalar that is not negative,
    the long one a negative scalar: the two sets of an orientation give `Q` and `-Q`.

    Examples
    --------
    >>> quaternion_from_modified_rodrigues([0.0, 0.0, 0.5])
    array([0. , 0. , 0.8, 0.6])
    """
    return conversions.quaternion_from_modified.checked(("modified_rodrigues",), modified_rodrigues)


def shadow_modified_rodrigues(modified_rodrigues: ArrayLike) -> Array:
    """Return the other set of modified Rodrigues parameters of the same orientation [2]_.

    Parameters
    ----------
    modified_rodrigues : (..., 3)
        Parameters of the rotation from frame 1 to frame 2, axis times ``tan(angle / 4)``; the same in both frames.

    Returns
    -------
    (..., 3)
        The other parameters of the same orientation, of length ``1 / |p|``; infinite where there is no rotation.

    Raises
    ------
    ValueError
        When `modified_rodrigues` has a wrong shape or is not finite.

    Notes
    -----
    ``-p / p·p``: the rotation the long way round; the function is its own inverse. Both sets have length 1 at half
    turns. Parameters of zero give ``[inf, 0, 0]``, infinite along x. Lengths below about 1e-308 overflow.

    Examples
    --------
    >>> shadow_modified_rodrigues([[0.1, 0.2, -0.2], [0.0, 0.0, 0.0]])[:, 0].round(4)
    array([-1.1111,     inf])
    """
    return conversions.shadow.checked(("modified_rodrigues",), modified_rodrigues)


# --- Small angles and drifted matrices


def T_from_small_angles(angles: ArrayLike) -> Array:
    """Return the transformation matrix of small angles to first order [4]_.

    Parameters
    ----------
    angles : (..., 3)
        Small angles from frame 1 to frame 2 about the axes 1, 2 and 3, rad; to first order their sequence does not
        matter.

    Returns
    -------
    (..., 3, 3)
        Transformation matrix from frame 1 into frame 2 to first order, which is not a rotation.

    Raises
    ------
    ValueError
        When `angles` has a wrong shape or is not finite.

    Notes
    -----
    ``1 - skew(a)``, with determinant ``1 + a·a``. Its distance from the rotation by the vector `a` is about
    ``a·a / 2``. `T_from_rotation_vector` returns that rotation, and `orthonormalize_by_gram_schmidt` a rotation at a
    similar distance.

    Examples
    --------
    >>> T_from_small_angles([0.01, 0.02, 0.03])[0]
    array([ 1.  ,  0.03, -0.02])
    """
    return conversions.matrix_from_small_angles.checked(("angles",), angles)


def quaternion_from_small_angles(angles: ArrayLike) -> Array:
    """Return the unit quaternion of small angles to first order [4]_.

    Parameters
    ----------
    angles : (..., 3)
        Small angles from frame 1 to frame 2 about the axes 1, 2 and 3, rad; to first order their sequence does not
        matter.

    Returns
    -------
    (..., 4)
        Quaternion from frame 1 into frame 2, scalar last, of unit length.

    Raises
    ------
    ValueError
        When `angles` has a wrong shape or is not finite.

    Notes
    -----
    ``[a/2, 1]`` divided by its length: a rotation about `a` by ``2 atan(|a|/2)``, less than ``|a|`` by about
    ``|a|³ / 12``.

    Examples
    --------
    >>> quaternion_from_small_angles([0.0, 0.0, 0.02]).round(6)
    array([0.     , 0.     , 0.01   , 0.99995])
    """
    return conversions.quaternion_from_rodrigues(0.5 * as_array("angles", angles, (3,)))


def orthonormalize_by_gram_schmidt(T: ArrayLike) -> Array:
    """Return a drifted matrix with its columns made orthonormal by the Gram-Schmidt method [4]_.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2 that has drifted, or any matrix with independent columns.

    Returns
    -------
    (..., 3, 3)
        Matrix from frame 1 into frame 2 with orthonormal columns, of the same handedness as `T`.

    Raises
    ------
    ValueError
        When `T` has a wrong shape or is not finite, or one of its columns is zero or depends linearly on the columns
        before it, with a remainder of at most 1e-14 of its largest component.

    Notes
    -----
    The first column keeps its direction. The others keep their remainder after the components along earlier columns
    are subtracted, twice: the result is orthonormal to rounding, however large, small or nearly dependent the columns
    are. The method favours the first column, and a left-handed matrix stays left-handed.
    `transformation_matrices.project_to_rotation` returns the nearest rotation instead.

    Examples
    --------
    >>> orthonormalize_by_gram_schmidt([[2.0, 1.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 3.0]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    columns = conversions.gram_schmidt.checked(("T",), T)
    if not np.isfinite(columns).all():
        raise ValueError("T: expected independent columns, got some that are zero or follow from the others")
    return columns
