"""Poses, and spatial velocities, accelerations and forces, after Simbody's `SpatialAlgebra`.

A spatial vector is (..., 6), ``[rotational, translational]``. `V_AB` is the velocity of frame B in frame A,
``[w_AB, v_AB]``, with `v_AB` the velocity of B's origin; `A_AB` is its acceleration ``[b_AB, a_AB]``; `F_AP` is a force
at the point P, ``[moment, force]``. All are expressed in A, `w_AB` too: unlike the `w` of an `Orientation`, which is
resolved in its frame 2. Every function broadcasts over leading axes. Overflows give infinite numbers or NaN.

References
----------
Simbody 3.7, SimTKcommon ``SpatialAlgebra.h`` and ``Transform.h``.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from framescope.core.kernels import spatial
from framescope.core.kernels.validation import Array, as_array
from framescope.core.transform import Transform, as_pose


def find_relative_velocity(X_FA: Transform, V_FA: ArrayLike, X_FB: Transform, V_FB: ArrayLike) -> Array:
    """Return the velocity of B in A, expressed in A, from the poses and velocities of both in F.

    Parameters
    ----------
    X_FA, X_FB : Transform
        Poses of A and of B in F.
    V_FA, V_FB : (..., 6)
        Their velocities in F, expressed in F, rad/s and m/s.

    Returns
    -------
    (..., 6)
        `V_AB`, expressed in A, rad/s and m/s.

    Raises
    ------
    ValueError
        When a pose is not a `Transform`, a shape is wrong, a number is not finite, or the leading axes do not
        broadcast.

    Notes
    -----
    `find_relative_velocity_in_F` with ``p_AB_F = p_FB - p_FA``, both parts then taken into A by ``R_FAᵀ``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``findRelativeVelocity``.

    Examples
    --------
    >>> import numpy as np
    >>> X_FA, X_FB = Transform(np.eye(3), [0, 0, 0]), Transform(np.eye(3), [1, 0, 0])
    >>> find_relative_velocity(X_FA, [0, 0, -2, 0, 0, 0], X_FB, np.zeros(6))
    array([0., 0., 2., 0., 2., 0.])
    """
    V_FA, V_FB = as_array("V_FA", V_FA, (6,)), as_array("V_FB", V_FB, (6,))
    X_FA, X_FB = as_pose("X_FA", X_FA), as_pose("X_FB", X_FB)
    names = ("X_FA", "X_FA", "V_FA", "X_FB", "V_FB")
    return spatial.relative_velocity(X_FA.R_AB, X_FA.p_AB, V_FA, X_FB.p_AB, V_FB, names=names)


def find_relative_velocity_in_F(p_AB_F: ArrayLike, V_FA: ArrayLike, V_FB: ArrayLike) -> Array:
    """Return the velocity of B in A, but expressed in F.

    Parameters
    ----------
    p_AB_F : (..., 3)
        Position of B's origin from A's, expressed in F, m.
    V_FA, V_FB : (..., 6)
        Velocities of A and of B in F, expressed in F, rad/s and m/s.

    Returns
    -------
    (..., 6)
        `V_AB_F`, expressed in F, rad/s and m/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    With ``p = p_AB_F`` and ``p' = v_FB - v_FA``: ``[w_FB - w_FA, p' - w_FA × p]``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``findRelativeVelocityInF``.

    Examples
    --------
    >>> import numpy as np
    >>> find_relative_velocity_in_F([1, 0, 0], [0, 0, -2, 0, 0, 0], np.zeros(6))
    array([0., 0., 2., 0., 2., 0.])
    """
    p_AB_F = as_array("p_AB_F", p_AB_F, (3,))
    V_FA, V_FB = as_array("V_FA", V_FA, (6,)), as_array("V_FB", V_FB, (6,))
    return spatial.relative_velocity_in_F(p_AB_F, V_FA, V_FB, names=("p_AB_F", "V_FA", "V_FB"))


def find_relative_acceleration(
    X_FA: Transform, V_FA: ArrayLike, A_FA: ArrayLike, X_FB: Transform, V_FB: ArrayLike, A_FB: ArrayLike
) -> Array:
    """Return the acceleration of B in A, expressed in A, from the motions of both in F.

    Parameters
    ----------
    X_FA, X_FB : Transform
        Poses of A and of B in F.
    V_FA, V_FB : (..., 6)
        Their velocities in F, expressed in F, rad/s and m/s.
    A_FA, A_FB : (..., 6)
        Their accelerations in F, expressed in F, rad/s² and m/s².

    Returns
    -------
    (..., 6)
        `A_AB`, expressed in A, rad/s² and m/s²: the derivative in A of `V_AB`.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `find_relative_acceleration_in_F` with ``p_AB_F = p_FB - p_FA``, both parts then taken into A by ``R_FAᵀ``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``findRelativeAcceleration``.

    Examples
    --------
    >>> import numpy as np
    >>> X_FA, X_FB = Transform(np.eye(3), [0, 0, 0]), Transform(np.eye(3), [1, 0, 0])
    >>> find_relative_acceleration(X_FA, [0, 0, 2, 0, 0, 0], np.zeros(6), X_FB, [0, 0, 2, 0, 0, 0], np.ones(6))
    array([ 1.,  1.,  1., -3.,  1.,  1.])
    """
    V_FA, A_FA = as_array("V_FA", V_FA, (6,)), as_array("A_FA", A_FA, (6,))
    V_FB, A_FB = as_array("V_FB", V_FB, (6,)), as_array("A_FB", A_FB, (6,))
    X_FA, X_FB = as_pose("X_FA", X_FA), as_pose("X_FB", X_FB)
    names = ("X_FA", "X_FA", "V_FA", "A_FA", "X_FB", "V_FB", "A_FB")
    return spatial.relative_acceleration(X_FA.R_AB, X_FA.p_AB, V_FA, A_FA, X_FB.p_AB, V_FB, A_FB, names=names)


def find_relative_acceleration_in_F(
    p_AB_F: ArrayLike, V_FA: ArrayLike, A_FA: ArrayLike, V_FB: ArrayLike, A_FB: ArrayLike
) -> Array:
    """Return the acceleration of B in A, but expressed in F.

    Parameters
    ----------
    p_AB_F : (..., 3)
        Position of B's origin from A's, expressed in F, m.
    V_FA, V_FB : (..., 6)
        Velocities of A and of B in F, expressed in F, rad/s and m/s.
    A_FA, A_FB : (..., 6)
        Their accelerations in F, expressed in F, rad/s² and m/s².

    Returns
    -------
    (..., 6)
        `A_AB_F`, expressed in F, rad/s² and m/s²: the derivative in A of `V_AB`.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    With ``p = p_AB_F``, ``p' = v_FB - v_FA`` and ``p'' = a_FB - a_FA``: rotational
    ``b_FB - b_FA - w_FA × (w_FB - w_FA)``, translational
    ``p'' - (b_FA × p + 2 w_FA × p' - w_FA × (w_FA × p))``. The last sign is positive because `p'` is the derivative
    in F, which contains another ``w_FA × p``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``findRelativeAccelerationInF``.

    Examples
    --------
    >>> import numpy as np
    >>> find_relative_acceleration_in_F([1, 0, 0], [0, 0, 2, 0, 0, 0], np.zeros(6), np.zeros(6), np.zeros(6))
    array([ 0.,  0.,  0., -4.,  0.,  0.])
    """
    p_AB_F = as_array("p_AB_F", p_AB_F, (3,))
    V_FA, A_FA = as_array("V_FA", V_FA, (6,)), as_array("A_FA", A_FA, (6,))
    V_FB, A_FB = as_array("V_FB", V_FB, (6,)), as_array("A_FB", A_FB, (6,))
    return spatial.relative_acceleration_in_F(
        p_AB_F, V_FA, A_FA, V_FB, A_FB, names=("p_AB_F", "V_FA", "A_FA", "V_FB", "A_FB")
    )


def reverse_relative_velocity(X_AB: Transform, V_AB: ArrayLike) -> Array:
    """Return the velocity of A in B, expressed in B, from the velocity of B in A.

    Parameters
    ----------
    X_AB : Transform
        Pose of B in A.
    V_AB : (..., 6)
        Velocity of B in A, expressed in A, rad/s and m/s.

    Returns
    -------
    (..., 6)
        `V_BA`, expressed in B, rad/s and m/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `reverse_relative_velocity_in_A`, both parts then taken into B by ``R_ABᵀ``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``reverseRelativeVelocity``.

    Examples
    --------
    >>> import numpy as np
    >>> reverse_relative_velocity(Transform(np.eye(3), [1, 0, 0]), [1, 2, 3, 4, 5, 6])
    array([-1., -2., -3., -4., -2., -8.])
    """
    V_AB = as_array("V_AB", V_AB, (6,))
    X_AB = as_pose("X_AB", X_AB)
    return spatial.reverse_velocity(X_AB.R_AB, X_AB.p_AB, V_AB, names=("X_AB", "X_AB", "V_AB"))


def reverse_relative_velocity_in_A(X_AB: Transform, V_AB: ArrayLike) -> Array:
    """Return the velocity of A in B, but expressed in A.

    Parameters
    ----------
    X_AB : Transform
        Pose of B in A.
    V_AB : (..., 6)
        Velocity of B in A, expressed in A, rad/s and m/s.

    Returns
    -------
    (..., 6)
        `V_BA_A`, expressed in A, rad/s and m/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``[-w_AB, w_AB × p_AB - v_AB]``

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``reverseRelativeVelocityInA``.

    Examples
    --------
    >>> import numpy as np
    >>> reverse_relative_velocity_in_A(Transform(np.eye(3), [1, 0, 0]), [1, 2, 3, 4, 5, 6])
    array([-1., -2., -3., -4., -2., -8.])
    """
    V_AB = as_array("V_AB", V_AB, (6,))
    X_AB = as_pose("X_AB", X_AB)
    return spatial.reverse_velocity_in_A(X_AB.p_AB, V_AB, names=("X_AB", "V_AB"))


def shift_velocity_by(V_AB: ArrayLike, r_A: ArrayLike) -> Array:
    """Return the velocity of a rigid body at a point `r_A` away from B's origin.

    Parameters
    ----------
    V_AB : (..., 6)
        Velocity of B in A, expressed in A, rad/s and m/s.
    r_A : (..., 3)
        Vector from B's origin to the point, which is fixed in B; expressed in A, m.

    Returns
    -------
    (..., 6)
        Velocity with the translational part at the point, expressed in A, rad/s and m/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``[w, v + w × r]``

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftVelocityBy``.

    Examples
    --------
    >>> shift_velocity_by([0, 0, 1, 0, 0, 0], [2, 0, 0])
    array([0., 0., 1., 0., 2., 0.])
    """
    V_AB, r_A = as_array("V_AB", V_AB, (6,)), as_array("r_A", r_A, (3,))
    return spatial.shift_velocity(V_AB, r_A, names=("V_AB", "r_A"))


def shift_velocity_from_to(V_A_BP: ArrayLike, from_P_A: ArrayLike, to_Q_A: ArrayLike) -> Array:
    """Return the velocity of a rigid body at its point Q, from the velocity at its point P.

    Parameters
    ----------
    V_A_BP : (..., 6)
        Velocity in A of the point P of B, expressed in A, rad/s and m/s.
    from_P_A, to_Q_A : (..., 3)
        Positions of P and of Q from a common origin, expressed in A, m; both are fixed in B.

    Returns
    -------
    (..., 6)
        `V_A_BQ`, expressed in A, rad/s and m/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `shift_velocity_by` with ``r = to_Q_A - from_P_A``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftVelocityFromTo``.

    Examples
    --------
    >>> shift_velocity_from_to([0, 0, 1, 0, 0, 0], [1, 0, 0], [3, 0, 0])
    array([0., 0., 1., 0., 2., 0.])
    """
    V_A_BP = as_array("V_A_BP", V_A_BP, (6,))
    from_P_A, to_Q_A = as_array("from_P_A", from_P_A, (3,)), as_array("to_Q_A", to_Q_A, (3,))
    return spatial.shift_velocity_from_to(V_A_BP, from_P_A, to_Q_A, names=("V_A_BP", "from_P_A", "to_Q_A"))


def shift_force_by(F_AP: ArrayLike, r_A: ArrayLike) -> Array:
    """Return the force at a point `r_A` away from P that is equivalent to the force at P for a rigid body.

    Parameters
    ----------
    F_AP : (..., 6)
        Moment and force at P, expressed in A, N m and N.
    r_A : (..., 3)
        Vector from P to the point, expressed in A, m.

    Returns
    -------
    (..., 6)
        Moment about the point and force, expressed in A, N m and N.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``[m - r × f, f]``. Its power with a velocity shifted by the same `r_A` is the same.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftForceBy``.

    Examples
    --------
    >>> shift_force_by([0, 0, 5, 0, 1, 0], [2, 0, 0])
    array([0., 0., 3., 0., 1., 0.])
    """
    F_AP, r_A = as_array("F_AP", F_AP, (6,)), as_array("r_A", r_A, (3,))
    return spatial.shift_force(F_AP, r_A, names=("F_AP", "r_A"))


def shift_force_from_to(F_AP: ArrayLike, from_P_A: ArrayLike, to_Q_A: ArrayLike) -> Array:
    """Return the force at the point Q that is equivalent to the force at the point P for a rigid body.

    Parameters
    ----------
    F_AP : (..., 6)
        Moment and force at P, expressed in A, N m and N.
    from_P_A, to_Q_A : (..., 3)
        Positions of P and of Q from a common origin, expressed in A, m.

    Returns
    -------
    (..., 6)
        `F_AQ`, moment about Q and force, expressed in A, N m and N.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `shift_force_by` with ``r = to_Q_A - from_P_A``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftForceFromTo``.

    Examples
    --------
    >>> shift_force_from_to([0, 0, 5, 0, 1, 0], [1, 0, 0], [3, 0, 0])
    array([0., 0., 3., 0., 1., 0.])
    """
    F_AP = as_array("F_AP", F_AP, (6,))
    from_P_A, to_Q_A = as_array("from_P_A", from_P_A, (3,)), as_array("to_Q_A", to_Q_A, (3,))
    return spatial.shift_force_from_to(F_AP, from_P_A, to_Q_A, names=("F_AP", "from_P_A", "to_Q_A"))


def shift_acceleration_by(A_AB: ArrayLike, w_AB: ArrayLike, r_A: ArrayLike) -> Array:
    """Return the acceleration of a rigid body at a point `r_A` away from B's origin.

    Parameters
    ----------
    A_AB : (..., 6)
        Acceleration of B in A, expressed in A, rad/s² and m/s².
    w_AB : (..., 3)
        Angular velocity of B in A, expressed in A, rad/s.
    r_A : (..., 3)
        Vector from B's origin to the point, which is fixed in B; expressed in A, m.

    Returns
    -------
    (..., 6)
        Acceleration with the translational part at the point, expressed in A, rad/s² and m/s².

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``[b, a + b × r + w × (w × r)]``

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftAccelerationBy``.

    Examples
    --------
    >>> shift_acceleration_by([0, 0, 1, 0, 0, 0], [0, 0, 3], [2, 0, 0])
    array([  0.,   0.,   1., -18.,   2.,   0.])
    """
    A_AB, w_AB, r_A = as_array("A_AB", A_AB, (6,)), as_array("w_AB", w_AB, (3,)), as_array("r_A", r_A, (3,))
    return spatial.shift_acceleration(A_AB, w_AB, r_A, names=("A_AB", "w_AB", "r_A"))


def shift_acceleration_from_to(A_A_BP: ArrayLike, w_AB: ArrayLike, from_P_A: ArrayLike, to_Q_A: ArrayLike) -> Array:
    """Return the acceleration of a rigid body at its point Q, from the acceleration at its point P.

    Parameters
    ----------
    A_A_BP : (..., 6)
        Acceleration in A of the point P of B, expressed in A, rad/s² and m/s².
    w_AB : (..., 3)
        Angular velocity of B in A, expressed in A, rad/s.
    from_P_A, to_Q_A : (..., 3)
        Positions of P and of Q from a common origin, expressed in A, m; both are fixed in B.

    Returns
    -------
    (..., 6)
        `A_A_BQ`, expressed in A, rad/s² and m/s².

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    `shift_acceleration_by` with ``r = to_Q_A - from_P_A``.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftAccelerationFromTo``.

    Examples
    --------
    >>> shift_acceleration_from_to([0, 0, 1, 0, 0, 0], [0, 0, 3], [1, 0, 0], [3, 0, 0])
    array([  0.,   0.,   1., -18.,   2.,   0.])
    """
    A_A_BP, w_AB = as_array("A_A_BP", A_A_BP, (6,)), as_array("w_AB", w_AB, (3,))
    from_P_A, to_Q_A = as_array("from_P_A", from_P_A, (3,)), as_array("to_Q_A", to_Q_A, (3,))
    return spatial.shift_acceleration_from_to(
        A_A_BP, w_AB, from_P_A, to_Q_A, names=("A_A_BP", "w_AB", "from_P_A", "to_Q_A")
    )
