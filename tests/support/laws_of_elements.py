"""Laws of the elements that join connection points to each other or to ground.

Of each point an element sees what it passes on: one direction, or three. A force on a body is positive along the
positive axis, at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels.componentwise import Component, Components, kernel, kernel_of_two
from framescope.core.kernels.validation import Array, as_array, broadcast_leading, set_read_only
from framescope.core.points import Point, PointXYZ
from framescope.core.simulation.point_constraints import as_point, velocity_rows


def force_source(signal: ArrayLike) -> tuple[Array, Array]:
    """Return the forces of a source that pushes the body at port 1 with a given force.

    Parameters
    ----------
    signal : (...)
        Force, N; of three directions (..., 3).

    Returns
    -------
    F_1, F_2 : (...)
        Forces on the bodies at port 1 and at port 2 (or ground), N: the signal and its opposite.

    Raises
    ------
    ValueError
        When `signal` is not finite.

    Examples
    --------
    >>> F_1, F_2 = force_source(3.0)
    >>> float(F_1), float(F_2)
    (3.0, -3.0)
    """
    return _action_and_reaction(as_array("signal", signal))


@dataclass(frozen=True, eq=False)
class SpringDamper:
    """Linear spring and damper side by side, between two ports or a port and ground.

    Parameters
    ----------
    stiffness, damping : (...)
        N/m and N s/m, not negative; 0 is none.

    Raises
    ------
    ValueError
        When a number is not finite or negative, or the shapes do not broadcast.

    Notes
    -----
    The elongation is ``x = x_1 - x_2``, how far port 1 has moved along the direction more than port 2, since the
    spring was slack. The tension ``k x + d der(x)`` pulls port 1 back and port 2 along:
    ``F_1 = -(k x + d der(x))``, ``F_2 = -F_1``. Numbers of three directions are (..., 3), each on its own.

    Examples
    --------
    >>> F_1, F_2 = SpringDamper(stiffness=100.0, damping=2.0).forces(0.1, 1.0)
    >>> float(F_1), float(F_2)
    (-12.0, 12.0)
    """

    stiffness: Array
    damping: Array

    def __post_init__(self) -> None:
        given = {name: as_array(name, getattr(self, name)) for name in ("stiffness", "damping")}
        for name, array in given.items():
            if np.any(array < 0.0):
                raise ValueError(f"{name}: expected 0 or more, got {array.min()}")
        leading = broadcast_leading(**{name: array.shape for name, array in given.items()})
        for name, array in given.items():
            set_read_only(self, **{name: np.broadcast_to(array.copy(), leading)})

    def __reduce__(self) -> tuple[object, ...]:
        return SpringDamper, (self.stiffness, self.damping)

    def forces(self, elongation: ArrayLike, elongation_rate: ArrayLike) -> tuple[Array, Array]:
        """Return the forces on the bodies at port 1 and at port 2 (or ground).

        Parameters
        ----------
        elongation : (...)
            ``x_1 - x_2``, m, and ``x_1`` to ground.
        elongation_rate : (...)
            ``v_1 - v_2`` of the velocities `p_in.v` of both ports, m/s.

        Returns
        -------
        F_1, F_2 : (...)
            Forces along the positive axis, N.

        Raises
        ------
        ValueError
            When a number is not finite, or the shapes do not broadcast.

        Notes
        -----
        ``F_1 = -(k x + d der(x))``, ``F_2 = -F_1``

        Examples
        --------
        >>> F_1, _ = SpringDamper(100.0, 0.0).forces([0.1, 0.0, -0.1], 0.0)
        >>> F_1
        array([-10.,  -0.,  10.])
        """
        x, v = as_array("elongation", elongation), as_array("elongation_rate", elongation_rate)
        return _spring_damper(self.stiffness, self.damping, x, v, names=("stiffness", "damping", *_ELONGATIONS))

    def energy(self, elongation: ArrayLike) -> Array:
        """Return the energy that the spring holds.

        Parameters
        ----------
        elongation : (...)
            ``x_1 - x_2``, m.

        Returns
        -------
        (...)
            ``½ k x²``, J, of each direction.

        Raises
        ------
        ValueError
            When a number is not finite, or the shapes do not broadcast.

        Examples
        --------
        >>> float(SpringDamper(100.0, 2.0).energy(0.5))
        12.5
        """
        return _half_of_square(self.stiffness, as_array("elongation", elongation), names=("stiffness", "elongation"))

    def dissipated_power(self, elongation_rate: ArrayLike) -> Array:
        """Return the power that the damper turns into heat.

        Parameters
        ----------
        elongation_rate : (...)
            ``v_1 - v_2``, m/s.

        Returns
        -------
        (...)
            ``d der(x)²``, W, of each direction; never negative.

        Raises
        ------
        ValueError
            When a number is not finite, or the shapes do not broadcast.

        Examples
        --------
        >>> float(SpringDamper(100.0, 2.0).dissipated_power(3.0))
        18.0
        """
        return _product_with_square(
            self.damping, as_array("elongation_rate", elongation_rate), names=("damping", "elongation_rate")
        )


@dataclass(frozen=True, eq=False)
class VelocitySource:
    """Constraint that port 1 moves with a given velocity, from port 2 or from ground.

    Parameters
    ----------
    point_1, point_2
        Points that pass on equally many directions; without the second, ground.

    Raises
    ------
    ValueError
        When one is no point, or one is XYZ and the other not.

    Notes
    -----
    ``row_1 P_1.v - row_2 P_2.v = signal``, in which a row is `velocity_in` as a linear map. The force that upholds it,
    `F`, acts on body 1 as ``row_1ᵀ F`` and on body 2 as ``-row_2ᵀ F``, and gives the power ``F signal``.

    Examples
    --------
    >>> from framescope.core.points import PointX
    >>> VelocitySource(PointX(YP=2.0, ZP=0.0)).rows()[0]
    array([[ 1.,  0.,  0.,  0.,  0., -2.]])
    """

    point_1: Point
    point_2: Point | None = None

    def __post_init__(self) -> None:
        as_point("point_1", self.point_1)
        if self.point_2 is None:
            return
        as_point("point_2", self.point_2)
        if isinstance(self.point_1, PointXYZ) is not isinstance(self.point_2, PointXYZ):
            raise ValueError("point_2: expected a point with as many directions as point_1, got XYZ with X, Y or Z")

    def rows(self) -> tuple[Array, Array]:
        """Return the rows of the constraint.

        Returns
        -------
        row_1, row_2 : (..., n, 6)
            What to multiply `P_1.v` and `P_2.v` by: `velocity_in` of point 1, and that of point 2 negated, or zeros for
            ground. `n` is 3 for XYZ, else 1.

        Examples
        --------
        >>> from framescope.core.points import PointZ
        >>> VelocitySource(PointZ(1.0, 0.0), PointZ(0.0, 0.0)).rows()
        (array([[ 0.,  0.,  1.,  0., -1.,  0.]]), array([[ 0.,  0., -1.,  0.,  0.,  0.]]))
        """
        row_1 = velocity_rows(self.point_1)
        row_2 = np.zeros(row_1.shape[-2:]) if self.point_2 is None else 0.0 - velocity_rows(self.point_2)
        return row_1, row_2

    def residual(self, P_1_v: ArrayLike, P_2_v: ArrayLike, signal: ArrayLike) -> Array:
        """Return by how much velocities miss the constraint.

        Parameters
        ----------
        P_1_v, P_2_v : (..., 6)
            Velocities of both bodies, m/s and rad/s, in world axes; the second is not used for ground, where it may
            be 0.
        signal : (...) or (..., 3)
            Velocity of port 1 from port 2, m/s.

        Returns
        -------
        (...) or (..., 3)
            ``v_1 - v_2 - signal``, m/s.

        Raises
        ------
        ValueError
            When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

        Examples
        --------
        >>> from framescope.core.points import PointX
        >>> float(VelocitySource(PointX(0.0, 2.0)).residual([1.0, 0.0, 0.0, 0.0, 3.0, 0.0], 0, 5.0))
        2.0
        """
        trailing = (3,) if isinstance(self.point_1, PointXYZ) else ()
        velocity = as_array("signal", signal, trailing)
        v_1 = self.point_1.velocity_in(as_array("P_1_v", P_1_v, (6,)))
        v_2 = np.zeros(trailing)
        if self.point_2 is not None:
            v_2 = self.point_2.velocity_in(as_array("P_2_v", P_2_v, (6,)))
        return _residual(v_1, v_2, velocity, names=("P_1_v", "P_2_v", "signal"))

    def port_forces(self, F: ArrayLike) -> tuple[Array, Array]:
        """Return the port forces on both bodies of the force that upholds the constraint.

        Parameters
        ----------
        F : (...) or (..., 3)
            Force on the body at port 1, N: the Lagrange multiplier.

        Returns
        -------
        P_1_F, P_2_F : (..., 6)
            Forces and torques about the centres of mass of both bodies, in world axes; zeros for ground.

        Raises
        ------
        ValueError
            When `F` has the wrong shape, is not finite, or does not broadcast with the points.

        Examples
        --------
        >>> from framescope.core.points import PointX
        >>> VelocitySource(PointX(0.0, 2.0)).port_forces(3.0)[0]
        array([ 3.,  0.,  0.,  0.,  6., -0.])
        """
        F = as_array("F", F, (3,) if isinstance(self.point_1, PointXYZ) else ())
        P_1_F = self.point_1.force_out(F)
        return P_1_F, np.zeros_like(P_1_F) if self.point_2 is None else self.point_2.force_out(np.negative(F))


_ELONGATIONS = ("elongation", "elongation_rate")


@kernel_of_two((), gives=((), ()))
def _action_and_reaction(F: Component) -> Components:
    return F, -F


@kernel_of_two((), (), (), (), gives=((), ()))
def _spring_damper(k: Component, d: Component, x: Component, v: Component) -> Components:
    tension = k * x + d * v
    return -tension, tension


@kernel((), (), gives=())
def _half_of_square(k: Component, x: Component) -> Components:
    return (0.5 * (k * x * x),)


@kernel((), (), gives=())
def _product_with_square(d: Component, v: Component) -> Components:
    return (d * v * v,)


@kernel((), (), (), gives=())
def _residual(v_1: Component, v_2: Component, signal: Component) -> Components:
    return (v_1 - v_2 - signal,)
