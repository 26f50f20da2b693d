"""Terms of the shift of velocities, accelerations and forces from one point of a rigid body to another.

`framescope.core.spatial` computes the sums, as in Simbody. This module computes the single terms, for display. All
vectors of a call are resolved in the same frame. `w` and `b` are angular velocity and angular acceleration of the body,
and `r` is the vector from the body's origin O to the point P.

A point that moves in the body has a velocity `v_rel` and an acceleration `a_rel` relative to the body, which add the
Coriolis term. In 20-sim's bodies for small angles, the lever does not rotate: `small_angle_rates` gives the rates of
that model, and `small_angle_terms` its terms.

References
----------
Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``: ``shiftVelocityBy``, ``shiftAccelerationBy``, ``shiftForceBy``.
D. T. Greenwood, "Advanced Dynamics", 2003, section 1.4: motion relative to a moving frame.
20-sim, Iconic Diagrams, Mechanical, Translation, 3DSmallRotation: 3D-point-XYZ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.conventions import rotation_vector_from_T
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import Array, as_array

_UNITS = np.eye(3)


@dataclass(frozen=True, eq=False)
class Term:
    """Term of a shift.

    Attributes
    ----------
    symbol
        Formula: ``"ω×r"``.
    unit
        ``"m/s"``, ``"m/s²"``, ``"N"`` or ``"N m"``.
    vector : (..., 3)
        Value in SI units, resolved in the frame of the inputs.
    """

    symbol: str
    unit: str
    vector: Array


def velocity_terms(v_O: ArrayLike, w: ArrayLike, r: ArrayLike, v_rel: ArrayLike | None = None) -> tuple[Term, ...]:
    """Return the terms of the velocity of a point P.

    Parameters
    ----------
    v_O : (..., 3)
        Velocity of the body's origin O, m/s.
    w : (..., 3)
        Angular velocity of the body, rad/s.
    r : (..., 3)
        Vector from O to P, m.
    v_rel : (..., 3), optional
        Velocity of P relative to the body, m/s; without it P is fixed in the body.

    Returns
    -------
    tuple of Term
        ``v₀``, ``ω×r`` and, if given, ``v_rel``; their sum is the velocity of P.

    Raises
    ------
    ValueError
        When a shape is wrong or a number is not finite.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftVelocityBy``.

    Examples
    --------
    >>> [term.symbol for term in velocity_terms([1, 0, 0], [0, 0, 2], [0, 3, 0])]
    ['v₀', 'ω×r']
    >>> total(velocity_terms([1, 0, 0], [0, 0, 2], [0, 3, 0]))
    array([-5.,  0.,  0.])
    """
    v_O, w, r = _check_vectors(v_O=v_O, w=w, r=r)
    terms = [Term("v₀", "m/s", v_O), Term("ω×r", "m/s", linear_algebra.cross(w, r))]
    if v_rel is not None:
        terms.append(Term("v_rel", "m/s", as_array("v_rel", v_rel, (3,))))
    return tuple(terms)


def acceleration_terms(
    a_O: ArrayLike,
    b: ArrayLike,
    w: ArrayLike,
    r: ArrayLike,
    v_rel: ArrayLike | None = None,
    a_rel: ArrayLike | None = None,
) -> tuple[Term, ...]:
    """Return the terms of the acceleration of a point P.

    Parameters
    ----------
    a_O : (..., 3)
        Acceleration of the body's origin O, m/s².
    b, w : (..., 3)
        Angular acceleration, rad/s², and angular velocity, rad/s, of the body.
    r : (..., 3)
        Vector from O to P, m.
    v_rel, a_rel : (..., 3), optional
        Velocity, m/s, and acceleration, m/s², of P relative to the body; without them P is fixed in the body.

    Returns
    -------
    tuple of Term
        ``a₀``, ``b×r``, ``ω×(ω×r)`` and, for a point that moves in the body, ``2ω×v_rel`` and ``a_rel``; their sum is
        the acceleration of P.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or one of `v_rel` and `a_rel` is missing.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftAccelerationBy``; Greenwood, section 1.4, for the last two.

    Examples
    --------
    >>> total(acceleration_terms([0, 0, 0], [0, 0, 1], [0, 0, 3], [2, 0, 0]))
    array([-18.,   2.,   0.])
    >>> total(acceleration_terms([0, 0, 0], [0, 0, 0], [0, 0, 3], [2, 0, 0], [1, 0, 0], [0, 0, 0]))
    array([-18.,   6.,   0.])
    """
    a_O, b, w, r = _check_vectors(a_O=a_O, b=b, w=w, r=r)
    if (v_rel is None) is not (a_rel is None):
        raise ValueError("v_rel, a_rel: expected both, or none for a point that is fixed in the body")
    terms = [
        Term("a₀", "m/s²", a_O),
        Term("b×r", "m/s²", linear_algebra.cross(b, r)),
        Term("ω×(ω×r)", "m/s²", linear_algebra.cross(w, linear_algebra.cross(w, r))),
    ]
    if v_rel is not None and a_rel is not None:
        v_rel, a_rel = _check_vectors(v_rel=v_rel, a_rel=a_rel)
        terms += [Term("2ω×v_rel", "m/s²", 2.0 * linear_algebra.cross(w, v_rel)), Term("a_rel", "m/s²", a_rel)]
    return tuple(terms)


def force_terms(f: ArrayLike, r: ArrayLike) -> tuple[Term, Term]:
    """Return the force and moment at a point Q that are equivalent to a force at P.

    Parameters
    ----------
    f : (..., 3)
        Force at P, N.
    r : (..., 3)
        Vector from Q to P, m.

    Returns
    -------
    tuple of Term
        ``f`` and ``r×f``, the moment about Q.

    Raises
    ------
    ValueError
        When a shape is wrong or a number is not finite.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, ``shiftForceBy``, whose `r` has the opposite sign.

    Examples
    --------
    >>> f, moment = force_terms([0, 1, 0], [2, 0, 0])
    >>> moment.vector
    array([0., 0., 2.])
    """
    f, r = _check_vectors(f=f, r=r)
    return Term("f", "N", f), Term("r×f", "N m", linear_algebra.cross(r, f))


def total(terms: Sequence[Term]) -> Array:
    """Return the sum (..., 3) of terms with the same unit.

    >>> total((Term("v₀", "m/s", np.array([1.0, 0.0, 0.0])), Term("ω×r", "m/s", np.array([0.0, 2.0, 0.0]))))
    array([1., 2., 0.])
    """
    sum_of_terms = terms[0].vector
    for term in terms[1:]:
        sum_of_terms = sum_of_terms + term.vector
    return sum_of_terms


def small_angle_rates(R_rest: ArrayLike, R_WB: ArrayLike, w_B: ArrayLike, b_B: ArrayLike) -> tuple[Array, Array]:
    """Return the derivatives of the three small angles of a body from its displayed rotation.

    Parameters
    ----------
    R_rest : (..., 3, 3)
        Rotation from the body into the world when all small angles are zero.
    R_WB : (..., 3, 3)
        Current rotation: rotated from rest by the rotation vector θ of the small angles, by less than a full turn.
    w_B, b_B : (..., 3)
        Angular velocity, rad/s, and angular acceleration, rad/s², of the displayed body, resolved in it.

    Returns
    -------
    der_theta, der2_theta : (..., 3)
        First and second derivative of θ, in world axes; the model uses them as angular velocity and acceleration.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or `R_WB` is not a rotation.

    Notes
    -----
    The displayed angular velocity is ``J(θ) θ'``, the angular acceleration ``J(θ) θ'' + J'(θ, θ') θ'``. Both are solved
    for the derivatives of θ. J is singular at a full turn, far beyond the range of the model.

    Examples
    --------
    >>> der_theta, der2_theta = small_angle_rates(np.eye(3), np.eye(3), [0, 0, 2], [1, 0, 0])
    >>> der_theta, der2_theta
    (array([0., 0., 2.]), array([1., 0., 0.]))
    """
    R_rest, R_WB = as_array("R_rest", R_rest, (3, 3)), as_array("R_WB", R_WB, (3, 3))
    w_B, b_B = _check_vectors(w_B=w_B, b_B=b_B)
    # Rest axes rotated with the body: R_WB Rᵀ_rest maps vectors from them into the world.
    theta = rotation_vector_from_T(linear_algebra.multiply_matrices(R_rest, linear_algebra.transpose(R_WB)))
    w_C, b_C = linear_algebra.apply_matrix(R_rest, w_B), linear_algebra.apply_matrix(R_rest, b_B)
    none = np.zeros_like(theta)
    columns = [rotation_vector_motion(theta, np.broadcast_to(e, theta.shape), none)[0] for e in _UNITS]
    J = np.stack(columns, axis=-1)
    der_theta = _solve(J, w_C)
    without = rotation_vector_motion(theta, der_theta, none)[1]
    return der_theta, _solve(J, b_C - without)


def small_angle_terms(
    terms: Sequence[Term], der_theta: ArrayLike, der2_theta: ArrayLike, r_rest: ArrayLike
) -> tuple[Term, ...]:
    """Return the terms of the small-angle model for a point fixed in the body.

    Parameters
    ----------
    terms
        Terms of `velocity_terms`, `acceleration_terms` or, about the centre of mass, `force_terms`.
    der_theta, der2_theta : (..., 3)
        Rates of the small angles, see `small_angle_rates`.
    r_rest : (..., 3)
        Lever at rest, in world axes, m; it does not rotate in this model.

    Returns
    -------
    tuple of Term
        The terms with the lever at rest, without ``ω×(ω×r)``, which this model lacks.

    Raises
    ------
    ValueError
        When a shape is wrong or a number is not finite.

    Notes
    -----
    ``v + θ'×r``, ``a + θ''×r`` and ``r×f`` with a constant `r`: 20-sim's equations and their derivative.

    Examples
    --------
    >>> exact = velocity_terms([1, 0, 0], [0, 0, 2], [0, 3, 0.1])
    >>> [term.vector.tolist() for term in small_angle_terms(exact, [0, 0, 2], [0, 0, 0], [0, 3, 0])]
    [[1.0, 0.0, 0.0], [-6.0, 0.0, 0.0]]
    """
    der_theta, der2_theta, r_rest = _check_vectors(der_theta=der_theta, der2_theta=der2_theta, r_rest=r_rest)
    model_terms: list[Term] = []
    for term in terms:
        match term.symbol:
            case "ω×r":
                model_terms.append(Term("θ′×r", term.unit, linear_algebra.cross(der_theta, r_rest)))
            case "b×r":
                model_terms.append(Term("θ″×r", term.unit, linear_algebra.cross(der2_theta, r_rest)))
            case "ω×(ω×r)":
                pass
            case "r×f":
                model_terms.append(Term("r×f", term.unit, linear_algebra.cross(r_rest, model_terms[0].vector)))
            case _:
                model_terms.append(term)
    return tuple(model_terms)


def _solve(J: Array, y: Array) -> Array:
    return np.asarray(np.linalg.solve(J, y[..., np.newaxis])[..., 0], dtype=np.float64)


def _check_vectors(**vectors: ArrayLike) -> tuple[Array, ...]:
    return tuple(as_array(name, vector, (3,)) for name, vector in vectors.items())
