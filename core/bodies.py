"""Rigid bodies on connection points: equations of motion for small and for finite angles.

A body has one port, at its centre of mass: forces ``P.F = [Fx, Fy, Fz, Mx, My, Mz]`` and velocities
``P.v = [vx, vy, vz, wx, wy, wz]``, **linear first** as in `framescope.core.points`, torques about the centre of mass,
all in world axes. Forces of several ports add up; the velocity is shared. There are two models.

small angle
    20-sim's model: ``der(P.v) = P.F / [m, m, m, J1, J2, J3]``. It has no gyroscopic term, no products of inertia and no
    gravity; the principal axes of the body stay parallel to the world axes.
finite
    Newton's law for the centre of mass in the world frame W, and Euler's in the body frame B, which has its origin at
    the centre of mass and turns with the body: ``m a_W = f_W + m g_W`` and ``J b_B + w_B × J w_B = T m_W``. The
    orientation is an `Orientation` of B in W, ``v_B = T v_W``, whose `w` is the angular velocity resolved in B. `b_B`
    is both the derivative of the components `w_B` and the angular acceleration resolved in B.

To first order in forces, angles and rates the two models agree. In the finite model a point fixed in the body at `r_B`
has the offset ``r_W = Tᵀ r_B`` in world axes: a `PointXYZ` at `r_W` gives its port force at that time.

References
----------
20-sim, Iconic Diagrams, Mechanical, Translation, 3DSmallRotation: 3D-body.
D. T. Greenwood, "Advanced Dynamics", 2003, sections 3.1 and 3.3, for the finite model.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels.components import applied_to, cross_of, dot_of, minus, plus, scaled, transpose_of
from framescope.core.kernels.componentwise import Component, Components, divide, kernel, kernel_of_two
from framescope.core.kernels.validation import Array, as_array, as_rates, broadcast_leading, set_read_only
from framescope.core.orientation import Orientation, as_orientation

INERTIA_TOLERANCE = 1e-6
"""Largest violation of symmetry or of the triangle inequality of an inertia, relative to its largest moment."""


@dataclass(frozen=True, eq=False)
class RigidBody:
    """Mass and inertia of a body, with its equations of motion.

    Parameters
    ----------
    mass : (...)
        Mass, kg.
    inertia : (..., 3) or (..., 3, 3)
        Moments of inertia about the principal axes through the centre of mass, or the inertia matrix about the centre
        of mass resolved in the body frame B, kg m². The small-angle model takes moments, or a diagonal matrix.

    Raises
    ------
    ValueError
        When a number is not finite, a mass or a moment is not positive, a matrix is not symmetric or not positive
        definite, a matrix has a principal moment greater than the sum of the other two, or the leading axes do not
        broadcast.

    Notes
    -----
    No body has a principal moment greater than the sum of the other two (triangle inequality; equal for a flat body).
    Three moments that violate it are accepted, as in the reference, because the small-angle model only divides by them.
    `is_realizable` is then false, and the finite model rejects them.

    A shape that ends in (3, 3) means matrices. Pass the moments of three bodies as diagonal matrices, or with the shape
    (3, 1, 3). Three rows of moments of real bodies are rejected, because no inertia matrix has such rows.

    Fields are read-only copies with the same leading axes. A matrix may deviate from symmetry by rounding, 1e-6 of its
    largest moment, and is made symmetric.

    References
    ----------
    20-sim, 3DSmallRotation, 3D-body.

    Examples
    --------
    >>> body = RigidBody(mass=2.0, inertia=[1.0, 2.0, 2.5])
    >>> body.small_angle_acceleration([[4.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 5.0]])
    array([2., 0., 0., 0., 0., 2.])
    """

    mass: Array
    inertia: Array
    inertia_matrix: Array = field(init=False, repr=False)
    """Inertia matrix (..., 3, 3) about the centre of mass, resolved in B, kg m²."""
    is_realizable: bool = field(init=False, repr=False)
    """Whether no principal moment is greater than the sum of the other two."""

    def __post_init__(self) -> None:
        mass, inertia = as_array("mass", self.mass), as_array("inertia", self.inertia)
        if not np.all(mass > 0.0):
            raise ValueError(f"mass: expected a positive mass, got {mass.min()}")
        if inertia.shape[-1:] != (3,):
            message = f"inertia: expected three principal moments (..., 3) or a matrix (..., 3, 3), got {inertia.shape}"
            raise ValueError(message)
        is_matrix = inertia.shape[-2:] == (3, 3)
        J = _symmetric_matrices(inertia) if is_matrix else _diagonal_matrices(inertia)
        leading = broadcast_leading(mass=mass.shape, inertia=J.shape[:-2])
        _fill_body(
            self,
            np.broadcast_to(mass.copy(), leading),
            np.broadcast_to(J, (*leading, 3, 3)) if is_matrix else np.broadcast_to(inertia.copy(), (*leading, 3)),
            np.broadcast_to(J, (*leading, 3, 3)),
            is_matrix or _unrealizable_moments(inertia) is None,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _body_of, (self.mass, self.inertia, self.inertia_matrix, self.is_realizable)  # a copy is read-only too

    # --- Small angles

    def small_angle_acceleration(self, port_forces: ArrayLike) -> Array:
        """Return the acceleration of the body for small rotations.

        Parameters
        ----------
        port_forces : (..., n_ports, 6)
            Forces, N, and torques about the centre of mass, N m, of all ports, in world axes; `n_ports` may be 0.

        Returns
        -------
        (..., 6)
            ``der(P.v)``: m/s², then rad/s², in world axes.

        Raises
        ------
        ValueError
            When the inertia is a matrix with products of inertia, `port_forces` has the wrong shape or is not finite,
            or the leading axes do not broadcast.

        Notes
        -----
        ``P.F / [m, m, m, J1, J2, J3]`` with `P.F` the sum over the ports. The reference has neither a gyroscopic
        term nor gravity; a weight is one more port force, ``[0, 0, -m g, 0, 0, 0]``.

        References
        ----------
        20-sim, 3DSmallRotation, 3D-body.

        Examples
        --------
        >>> RigidBody(2.0, [1.0, 2.0, 2.5]).small_angle_acceleration([[0.0, 0.0, 4.0, 3.0, 0.0, 0.0]])
        array([0., 0., 2., 3., 0., 0.])
        """
        F = _sum_over_ports(port_forces)
        return _small_angle_acceleration(F, self.mass, self._moments(), names=("port_forces", "mass", "inertia"))

    def small_angle_kinetic_energy(self, P_v: ArrayLike) -> Array:
        """Return the kinetic energy of the body for small rotations.

        Parameters
        ----------
        P_v : (..., 6)
            Velocity of the centre of mass, m/s, then angular velocity, rad/s, in world axes.

        Returns
        -------
        (...)
            Kinetic energy, J.

        Raises
        ------
        ValueError
            When the inertia is a matrix with products of inertia, `P_v` has the wrong shape or is not finite, or the
            leading axes do not broadcast.

        Notes
        -----
        ``½ (m v·v + J1 wx² + J2 wy² + J3 wz²)``. Its derivative is ``P.F · P.v`` exactly.

        Examples
        --------
        >>> float(RigidBody(2.0, [1.0, 2.0, 2.5]).small_angle_kinetic_energy([3.0, 0.0, 0.0, 0.0, 0.0, 2.0]))
        14.0
        """
        P_v = as_array("P_v", P_v, (6,))
        return _small_angle_energy(P_v, self.mass, self._moments(), names=("P_v", "mass", "inertia"))

    def small_angle_momentum(self, P_v: ArrayLike, p_W: ArrayLike = 0) -> Array:
        """Return the linear and the angular momentum of the body for small rotations.

        Parameters
        ----------
        P_v : (..., 6)
            Velocity of the centre of mass, m/s, then angular velocity, rad/s, in world axes.
        p_W : (..., 3)
            Position of the centre of mass from the reference point of the angular momentum, m; 0 is the centre of mass
            itself. The position from the world's origin gives the angular momentum about the world's origin.

        Returns
        -------
        (..., 6)
            Linear momentum, N s, then angular momentum, N m s, in world axes.

        Raises
        ------
        ValueError
            When the inertia is a matrix with products of inertia, a shape is wrong, a number is not finite, or the
            leading axes do not broadcast.

        Notes
        -----
        ``[m v, p × m v + (J1 wx, J2 wy, J3 wz)]``. About the centre of mass its derivative is `P.F`.

        Examples
        --------
        >>> RigidBody(2.0, [1.0, 2.0, 2.5]).small_angle_momentum([3.0, 0.0, 0.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0])
        array([ 6.,  0.,  0.,  0.,  0., -1.])
        """
        P_v, p_W = as_array("P_v", P_v, (6,)), as_rates("p_W", p_W)
        return _small_angle_momentum(P_v, p_W, self.mass, self._moments(), names=("P_v", "p_W", "mass", "inertia"))

    # --- Finite rotations

    def finite_acceleration(
        self, R: Orientation, port_forces: ArrayLike, gravity_W: ArrayLike = 0
    ) -> tuple[Array, Array]:
        """Return the accelerations of the body at any rotation.

        Parameters
        ----------
        R : Orientation
            Orientation of the body frame B in the world W, ``v_B = R.T @ v_W``, with its angular velocity `w` resolved
            in B, rad/s. It may have drifted; formulas use it without correction.
        port_forces : (..., n_ports, 6)
            Forces, N, and torques about the centre of mass, N m, of all ports, in world axes, as for small angles;
            `n_ports` may be 0.
        gravity_W : (..., 3)
            Gravitational acceleration, in world axes, m/s²; 0 for none.

        Returns
        -------
        a_W : (..., 3)
            Acceleration of the centre of mass, in world axes, m/s².
        b_B : (..., 3)
            Angular acceleration, resolved in B, rad/s²: the derivative of the components of `w`.

        Raises
        ------
        ValueError
            When no real body has this inertia, `R` is not an `Orientation`, a shape is wrong, a number is not finite,
            or the leading axes do not broadcast.

        Notes
        -----
        ``a_W = f_W / m + g_W`` (Newton) and ``b_B = J⁻¹ (T m_W - w × J w)`` (Euler), with `f_W` and `m_W` the sums over
        the ports. Gravity has no moment about the centre of mass. `J` is factored as ``L D Lᵀ``, which for a diagonal
        `J` is plain division.

        References
        ----------
        D. T. Greenwood, "Advanced Dynamics", 2003, section 3.3.

        Examples
        --------
        >>> from framescope.core.frames import null_rotation
        >>> from framescope.core.orientation import Orientation
        >>> R = Orientation(null_rotation().T, [1.0, 1.0, 0.0])
        >>> a_W, b_B = RigidBody(2.0, [1.0, 2.0, 2.5]).finite_acceleration(R, [[4, 0, 0, 0, 0, 0]], [0, 0, -9.81])
        >>> a_W, b_B
        (array([ 2.  ,  0.  , -9.81]), array([ 0. ,  0. , -0.4]))
        """
        R, F, g = as_orientation("R", R), _sum_over_ports(port_forces), as_rates("gravity_W", gravity_W)
        inertia, names = self._finite_inertia(), ("R", "R", "port_forces", "gravity_W", "mass", "inertia")
        return _finite_acceleration(R.T, R.w, F, g, self.mass, inertia, names=names)

    def kinetic_energy(self, R: Orientation, v_W: ArrayLike) -> Array:
        """Return the kinetic energy of the body.

        Parameters
        ----------
        R : Orientation
            Orientation of the body frame B in the world W; only its `w` is used.
        v_W : (..., 3)
            Velocity of the centre of mass, in world axes, m/s.

        Returns
        -------
        (...)
            Kinetic energy, J.

        Raises
        ------
        ValueError
            When no real body has this inertia, `R` is not an `Orientation`, `v_W` has the wrong shape or is not finite,
            or the leading axes do not broadcast.

        Notes
        -----
        ``½ (m v·v + w·J w)``. Its derivative is ``f·v + m·w`` for all forces, gravity included.

        Examples
        --------
        >>> from framescope.core.frames import axis_rotation
        >>> float(RigidBody(2.0, [1.0, 2.0, 2.5]).kinetic_energy(axis_rotation(3, 0.5, 2.0), [3.0, 0.0, 0.0]))
        14.0
        """
        R, v_W = as_orientation("R", R), as_array("v_W", v_W, (3,))
        return _kinetic_energy(R.w, v_W, self.mass, self._finite_inertia(), names=("R", "v_W", "mass", "inertia"))

    def linear_momentum(self, v_W: ArrayLike) -> Array:
        """Return the linear momentum of the body.

        Parameters
        ----------
        v_W : (..., 3)
            Velocity of the centre of mass, in world axes, m/s.

        Returns
        -------
        (..., 3)
            Linear momentum, in world axes, N s.

        Raises
        ------
        ValueError
            When `v_W` has the wrong shape, is not finite, or does not broadcast with the body.

        Notes
        -----
        ``m v``, in both models.

        Examples
        --------
        >>> RigidBody(2.0, [1.0, 2.0, 2.5]).linear_momentum([3.0, 0.0, 0.0])
        array([6., 0., 0.])
        """
        return _linear_momentum(as_array("v_W", v_W, (3,)), self.mass, names=("v_W", "mass"))

    def angular_momentum(self, R: Orientation) -> Array:
        """Return the angular momentum of the body about its centre of mass.

        Parameters
        ----------
        R : Orientation
            Orientation of the body frame B in the world W, with its angular velocity resolved in B.

        Returns
        -------
        (..., 3)
            Angular momentum about the centre of mass, in world axes, N m s.

        Raises
        ------
        ValueError
            When no real body has this inertia, or `R` is not an `Orientation` or does not broadcast with the body.

        Notes
        -----
        ``Tᵀ J w``

        Examples
        --------
        >>> from framescope.core.frames import axis_rotation
        >>> RigidBody(2.0, [1.0, 2.0, 2.5]).angular_momentum(axis_rotation(3, 0.5, 2.0))
        array([0., 0., 5.])
        """
        R = as_orientation("R", R)
        return _angular_momentum(R.T, R.w, self._finite_inertia(), names=("R", "R", "inertia"))

    def angular_momentum_about_origin(self, R: Orientation, p_W: ArrayLike, v_W: ArrayLike) -> Array:
        """Return the angular momentum of the body about the origin of the world.

        Parameters
        ----------
        R : Orientation
            Orientation of the body frame B in the world W, with its angular velocity resolved in B.
        p_W : (..., 3)
            Position of the centre of mass from the world's origin, in world axes, m.
        v_W : (..., 3)
            Velocity of the centre of mass, in world axes, m/s.

        Returns
        -------
        (..., 3)
            Angular momentum about the world's origin, in world axes, N m s.

        Raises
        ------
        ValueError
            When no real body has this inertia, `R` is not an `Orientation`, a shape is wrong, a number is not finite,
            or the leading axes do not broadcast.

        Notes
        -----
        ``p × m v + Tᵀ J w``

        Examples
        --------
        >>> from framescope.core.frames import axis_rotation
        >>> body, R = RigidBody(2.0, [1.0, 2.0, 2.5]), axis_rotation(3, 0.5, 2.0)
        >>> body.angular_momentum_about_origin(R, [0.0, 1.0, 0.0], [3.0, 0.0, 0.0])
        array([ 0.,  0., -1.])
        """
        R, p_W, v_W = as_orientation("R", R), as_array("p_W", p_W, (3,)), as_array("v_W", v_W, (3,))
        inertia, names = self._finite_inertia(), ("R", "R", "p_W", "v_W", "mass", "inertia")
        return _angular_momentum_about_origin(R.T, R.w, p_W, v_W, self.mass, inertia, names=names)

    def _moments(self) -> Array:
        """Return the principal moments (..., 3), or raise `ValueError` when there are products of inertia."""
        if self.inertia.ndim == self.mass.ndim + 1:
            return self.inertia
        if np.any(self.inertia[..., (0, 0, 1), (1, 2, 2)]):
            raise ValueError(
                "inertia: expected three principal moments for the small-angle model, got a matrix with products of"
                " inertia (resolve it in its principal axes, or use the finite model)"
            )
        return np.diagonal(self.inertia, axis1=-2, axis2=-1)

    def _finite_inertia(self) -> Array:
        """Return the inertia matrix (..., 3, 3), or raise `ValueError` when no body has it."""
        if not self.is_realizable:
            raise ValueError(_triangle_message(_unrealizable_moments(self.inertia)))
        return self.inertia_matrix


def _body_of(mass: Array, inertia: Array, inertia_matrix: Array, is_realizable: bool) -> RigidBody:
    """Return the body of validated fields."""
    body = object.__new__(RigidBody)
    _fill_body(body, mass, inertia, inertia_matrix, is_realizable)
    return body


def _fill_body(body: RigidBody, mass: Array, inertia: Array, inertia_matrix: Array, is_realizable: bool) -> None:
    set_read_only(body, mass=mass, inertia=inertia, inertia_matrix=inertia_matrix)
    object.__setattr__(body, "is_realizable", is_realizable)


def _diagonal_matrices(moments: Array) -> Array:
    """Return positive principal moments (..., 3) as matrices, or raise `ValueError`."""
    if not np.all(moments > 0.0):
        raise ValueError(f"inertia: expected positive principal moments, got {moments.min()}")
    return moments[..., np.newaxis] * np.eye(3)


def _symmetric_matrices(inertia: Array) -> Array:
    """Return inertia matrices (..., 3, 3) made symmetric, or raise `ValueError`."""
    J_T = np.swapaxes(inertia, -1, -2)
    size = np.abs(inertia).max(axis=(-2, -1), initial=0.0)[..., np.newaxis, np.newaxis]
    with np.errstate(over="ignore"):
        skewed = np.abs(inertia - J_T)
    if np.any(skewed > INERTIA_TOLERANCE * size):
        raise ValueError(
            f"inertia: expected a symmetric matrix, got one whose opposite elements differ by {skewed.max():.3g}"
            " (a shape that ends in (3, 3) means matrices: pass moments of three bodies as diagonal matrices)"
        )
    J = 0.5 * inertia + 0.5 * J_T
    moments = np.linalg.eigvalsh(J / np.where(size > 0.0, size, 1.0)) * size[..., 0]
    if not np.all(moments[..., 0] > 1e-12 * moments[..., 2]):
        message = f"inertia: expected a positive definite matrix, got a principal moment of {moments[..., 0].min():.3g}"
        raise ValueError(message)
    broken = _unrealizable_moments(moments)
    if broken is not None:
        raise ValueError(_triangle_message(broken))
    return J


def _unrealizable_moments(moments: Array) -> Array | None:
    """Return the first moments (3,) of (..., 3) that violate the triangle inequality, or None."""
    halves = 0.5 * moments
    largest = halves.max(axis=-1, initial=0.0)
    excess = largest - (halves.sum(axis=-1) - largest)
    broken = moments[excess > INERTIA_TOLERANCE * largest]
    return np.sort(broken[0]) if len(broken) else None


def _triangle_message(moments: Array | None) -> str:
    a, b, c = (0.0, 0.0, 0.0) if moments is None else moments
    return (
        "inertia: expected no principal moment greater than the sum of the other two, got"
        f" {c:.6g} > {a:.6g} + {b:.6g}, which no body has"
    )


def _sum_over_ports(port_forces: ArrayLike) -> Array:
    """Return validated forces (..., n_ports, 6) summed in order, so that all batches have the same bits."""
    F = as_array("port_forces", port_forces, (6,))
    if F.ndim < 2:
        raise ValueError(f"port_forces: expected shape (..., n_ports, 6), got {F.shape}")
    if F.shape[-2] == 0:
        return np.zeros((*F.shape[:-2], 6))
    total = F[..., 0, :]
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(1, F.shape[-2]):
            total = total + F[..., i, :]
    return total


def _divide(v: Components, by: Components) -> Components:
    return tuple(divide(a, b) for a, b in zip(v, by, strict=True))


def _times(a: Components, b: Components) -> Components:
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@kernel((6,), (), (3,), gives=(6,))
def _small_angle_acceleration(F: Components, m: Component, J: Components) -> Components:
    return _divide(F, (m, m, m, *J))


@kernel((6,), (), (3,), gives=())
def _small_angle_energy(V: Components, m: Component, J: Components) -> Components:
    v, w = V[:3], V[3:]
    return (0.5 * (m * dot_of(v, v) + dot_of(w, _times(J, w))),)


@kernel((6,), (3,), (), (3,), gives=(6,))
def _small_angle_momentum(V: Components, p: Components, m: Component, J: Components) -> Components:
    linear = scaled(m, V[:3])
    return (*linear, *plus(cross_of(p, linear), _times(J, V[3:])))


@kernel_of_two((3, 3), (3,), (6,), (3,), (), (3, 3), gives=((3,), (3,)))
def _finite_acceleration(
    T: Components, w: Components, F: Components, g: Components, m: Component, J: Components
) -> Components:
    moment = minus(applied_to(T, F[3:]), cross_of(w, applied_to(J, w)))
    return (*plus(_divide(F[:3], (m, m, m)), g), *_solve(J, moment))


def _solve(J: Components, y: Components) -> Components:
    """Return `x` of ``J x = y`` for a symmetric positive definite `J`, by ``L D Lᵀ``."""
    d1 = J[0]
    l21, l31 = divide(J[3], d1), divide(J[6], d1)
    d2 = J[4] - l21 * J[3]
    below = J[7] - l31 * J[3]
    l32 = divide(below, d2)
    d3 = J[8] - l31 * J[6] - l32 * below
    z2 = y[1] - l21 * y[0]
    z3 = y[2] - l31 * y[0] - l32 * z2
    x3 = divide(z3, d3)
    x2 = divide(z2, d2) - l32 * x3
    return divide(y[0], d1) - l21 * x2 - l31 * x3, x2, x3


@kernel((3,), (3,), (), (3, 3), gives=())
def _kinetic_energy(w: Components, v: Components, m: Component, J: Components) -> Components:
    return (0.5 * (m * dot_of(v, v) + dot_of(w, applied_to(J, w))),)


@kernel((3,), (), gives=(3,))
def _linear_momentum(v: Components, m: Component) -> Components:
    return scaled(m, v)


@kernel((3, 3), (3,), (3, 3), gives=(3,))
def _angular_momentum(T: Components, w: Components, J: Components) -> Components:
    return applied_to(transpose_of(T), applied_to(J, w))


@kernel((3, 3), (3,), (3,), (3,), (), (3, 3), gives=(3,))
def _angular_momentum_about_origin(
    T: Components, w: Components, p: Components, v: Components, m: Component, J: Components
) -> Components:
    return plus(cross_of(p, scaled(m, v)), applied_to(transpose_of(T), applied_to(J, w)))
