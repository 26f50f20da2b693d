"""Connection points of 20-sim's bodies for small rotations: forces at a point, and its velocities.

A body has one port, at its centre of mass, with forces ``P_out.F = [Fx, Fy, Fz, Mx, My, Mz]`` and velocities
``P_out.v = [vx, vy, vz, wx, wy, wz]``. A port is **[force, torque]**, linear first: the other way round from the
spatial vectors of `framescope.core.spatial`, ``[rotational, translational]``. `port_from_spatial` and
`spatial_from_port` convert. A point X, Y or Z transmits the direction of its name, XYZ all three.

A point has the offset ``r = [XP, YP, ZP]`` from the centre of mass. Rotations are assumed to be small: `r` is constant
in world axes, in which everything is expressed. A force `f` therefore acts as ``[f, r × f]``, and the point moves with
``v + w × r``. The two maps are transposes of each other, so power is conserved: ``P_out.F · P_out.v = p_in.F ·
p_in.v``.

The causality is as in the reference: a point computes `P_out.F` and `p_in.v` from `p_in.F` and `P_out.v`. The parameter
table of the reference's XYZ omits `ZP`, which its equations use, and lists a `theta`, which no equation uses. Here `ZP`
is a parameter and `theta` is not.

References
----------
20-sim, Iconic Diagrams, Mechanical, Translation, 3DSmallRotation: 3D-point-X, 3D-point-Y, 3D-point-Z, 3D-point-XYZ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import connection_points
from framescope.core.kernels.validation import Array, as_array, broadcast_leading


@dataclass(frozen=True, eq=False)
class PointX:
    """Connection point that transmits forces and velocities along x.

    Parameters
    ----------
    YP, ZP : (...)
        Offsets of the point from the centre of mass along y and z, m.

    Raises
    ------
    ValueError
        When a number is not finite, or the offsets do not broadcast.

    Notes
    -----
    The offsets broadcast with the forces and velocities, and the fields have their common shape.

    References
    ----------
    20-sim, 3DSmallRotation, 3D-point-X.

    Examples
    --------
    >>> PointX(YP=0.0, ZP=2.0).force_out(3.0)
    array([ 3.,  0.,  0.,  0.,  6., -0.])
    """

    YP: Array
    ZP: Array

    def __post_init__(self) -> None:
        _set_offsets(self, YP=self.YP, ZP=self.ZP)

    def force_out(self, p_in_F: ArrayLike) -> Array:
        """Return the port force of a force along x at the point.

        Parameters
        ----------
        p_in_F : (...)
            Force along x, N.

        Returns
        -------
        (..., 6)
            `P_out.F`, forces, N, then torques about the centre of mass, N m.

        Raises
        ------
        ValueError
            When `p_in_F` is not finite or does not broadcast with the offsets.

        Notes
        -----
        ``[F, 0, 0, 0, ZP F, -YP F]``

        Examples
        --------
        >>> PointX(1.0, 2.0).force_out(3.0)
        array([ 3.,  0.,  0.,  0.,  6., -3.])
        """
        F = as_array("p_in_F", p_in_F)
        return connection_points.force_x(self.YP, self.ZP, F, names=("YP", "ZP", "p_in_F"))

    def velocity_in(self, P_out_v: ArrayLike) -> Array:
        """Return the velocity of the point along x.

        Parameters
        ----------
        P_out_v : (..., 6)
            Velocities of the centre of mass, m/s, then angular velocities of the body, rad/s.

        Returns
        -------
        (...)
            `p_in.v`, m/s.

        Raises
        ------
        ValueError
            When `P_out_v` has the wrong shape, is not finite, or does not broadcast with the offsets.

        Notes
        -----
        ``vx + ZP wy - YP wz``

        Examples
        --------
        >>> float(PointX(1.0, 2.0).velocity_in([10.0, 0.0, 0.0, 0.0, 3.0, 4.0]))
        12.0
        """
        V = as_array("P_out_v", P_out_v, (6,))
        return connection_points.velocity_x(self.YP, self.ZP, V, names=("YP", "ZP", "P_out_v"))


@dataclass(frozen=True, eq=False)
class PointY:
    """Connection point that transmits forces and velocities along y.

    Parameters
    ----------
    XP, ZP : (...)
        Offsets of the point from the centre of mass along x and z, m.

    Raises
    ------
    ValueError
        When a number is not finite, or the offsets do not broadcast.

    Notes
    -----
    The offsets broadcast with the forces and velocities, and the fields have their common shape.

    References
    ----------
    20-sim, 3DSmallRotation, 3D-point-Y.

    Examples
    --------
    >>> PointY(XP=1.0, ZP=2.0).force_out(3.0)
    array([ 0.,  3.,  0., -6.,  0.,  3.])
    """

    XP: Array
    ZP: Array

    def __post_init__(self) -> None:
        _set_offsets(self, XP=self.XP, ZP=self.ZP)

    def force_out(self, p_in_F: ArrayLike) -> Array:
        """Return the port force of a force along y at the point.

        Parameters
        ----------
        p_in_F : (...)
            Force along y, N.

        Returns
        -------
        (..., 6)
            `P_out.F`, forces, N, then torques about the centre of mass, N m.

        Raises
        ------
        ValueError
            When `p_in_F` is not finite or does not broadcast with the offsets.

        Notes
        -----
        ``[0, F, 0, -ZP F, 0, XP F]``

        Examples
        --------
        >>> PointY(1.0, 2.0).force_out(3.0)
        array([ 0.,  3.,  0., -6.,  0.,  3.])
        """
        F = as_array("p_in_F", p_in_F)
        return connection_points.force_y(self.XP, self.ZP, F, names=("XP", "ZP", "p_in_F"))

    def velocity_in(self, P_out_v: ArrayLike) -> Array:
        """Return the velocity of the point along y.

        Parameters
        ----------
        P_out_v : (..., 6)
            Velocities of the centre of mass, m/s, then angular velocities of the body, rad/s.

        Returns
        -------
        (...)
            `p_in.v`, m/s.

        Raises
        ------
        ValueError
            When `P_out_v` has the wrong shape, is not finite, or does not broadcast with the offsets.

        Notes
        -----
        ``vy + XP wz - ZP wx``

        Examples
        --------
        >>> float(PointY(1.0, 2.0).velocity_in([0.0, 10.0, 0.0, 3.0, 0.0, 4.0]))
        8.0
        """
        V = as_array("P_out_v", P_out_v, (6,))
        return connection_points.velocity_y(self.XP, self.ZP, V, names=("XP", "ZP", "P_out_v"))


@dataclass(frozen=True, eq=False)
class PointZ:
    """Connection point that transmits forces and velocities along z.

    Parameters
    ----------
    XP, YP : (...)
        Offsets of the point from the centre of mass along x and y, m.

    Raises
    ------
    ValueError
        When a number is not finite, or the offsets do not broadcast.

    Notes
    -----
    The offsets broadcast with the forces and velocities, and the fields have their common shape.

    References
    ----------
    20-sim, 3DSmallRotation, 3D-point-Z.

    Examples
    --------
    >>> PointZ(XP=1.0, YP=2.0).force_out(3.0)
    array([ 0.,  0.,  3.,  6., -3.,  0.])
    """

    XP: Array
    YP: Array

    def __post_init__(self) -> None:
        _set_offsets(self, XP=self.XP, YP=self.YP)

    def force_out(self, p_in_F: ArrayLike) -> Array:
        """Return the port force of a force along z at the point.

        Parameters
        ----------
        p_in_F : (...)
            Force along z, N.

        Returns
        -------
        (..., 6)
            `P_out.F`, forces, N, then torques about the centre of mass, N m.

        Raises
        ------
        ValueError
            When `p_in_F` is not finite or does not broadcast with the offsets.

        Notes
        -----
        ``[0, 0, F, YP F, -XP F, 0]``

        Examples
        --------
        >>> PointZ(1.0, 2.0).force_out(3.0)
        array([ 0.,  0.,  3.,  6., -3.,  0.])
        """
        F = as_array("p_in_F", p_in_F)
        return connection_points.force_z(self.XP, self.YP, F, names=("XP", "YP", "p_in_F"))

    def velocity_in(self, P_out_v: ArrayLike) -> Array:
        """Return the velocity of the point along z.

        Parameters
        ----------
        P_out_v : (..., 6)
            Velocities of the centre of mass, m/s, then angular velocities of the body, rad/s.

        Returns
        -------
        (...)
            `p_in.v`, m/s.

        Raises
        ------
        ValueError
            When `P_out_v` has the wrong shape, is not finite, or does not broadcast with the offsets.

        Notes
        -----
        ``vz + YP wx - XP wy``

        Examples
        --------
        >>> float(PointZ(1.0, 2.0).velocity_in([0.0, 0.0, 10.0, 3.0, 4.0, 0.0]))
        12.0
        """
        V = as_array("P_out_v", P_out_v, (6,))
        return connection_points.velocity_z(self.XP, self.YP, V, names=("XP", "YP", "P_out_v"))


@dataclass(frozen=True, eq=False)
class PointXYZ:
    """Connection point that transmits forces and velocities in all three directions.

    Parameters
    ----------
    XP, YP, ZP : (...)
        Offsets of the point from the centre of mass, m.

    Raises
    ------
    ValueError
        When a number is not finite, or the offsets do not broadcast.

    Notes
    -----
    The offsets broadcast with the forces and velocities, and the fields have their common shape.
    The reference's parameter table omits `ZP`; its `theta` is in no equation and is omitted here.

    References
    ----------
    20-sim, 3DSmallRotation, 3D-point-XYZ.

    Examples
    --------
    >>> PointXYZ(XP=1.0, YP=2.0, ZP=3.0).force_out([0.0, 10.0, 1.0])
    array([  0.,  10.,   1., -28.,  -1.,  10.])
    """

    XP: Array
    YP: Array
    ZP: Array

    def __post_init__(self) -> None:
        _set_offsets(self, XP=self.XP, YP=self.YP, ZP=self.ZP)

    def force_out(self, p_in_F: ArrayLike) -> Array:
        """Return the port force of a force at the point.

        Parameters
        ----------
        p_in_F : (..., 3)
            Force, N.

        Returns
        -------
        (..., 6)
            `P_out.F`, forces, N, then torques about the centre of mass, N m.

        Raises
        ------
        ValueError
            When `p_in_F` has the wrong shape, is not finite, or does not broadcast with the offsets.

        Notes
        -----
        ``[f, r × f]`` with ``r = [XP, YP, ZP]``: the sum of the points X, Y and Z.

        Examples
        --------
        >>> PointXYZ(1.0, 2.0, 3.0).force_out([0.0, 10.0, 1.0])
        array([  0.,  10.,   1., -28.,  -1.,  10.])
        """
        F = as_array("p_in_F", p_in_F, (3,))
        return connection_points.force_xyz(self.XP, self.YP, self.ZP, F, names=("XP", "YP", "ZP", "p_in_F"))

    def velocity_in(self, P_out_v: ArrayLike) -> Array:
        """Return the velocity of the point.

        Parameters
        ----------
        P_out_v : (..., 6)
            Velocities of the centre of mass, m/s, then angular velocities of the body, rad/s.

        Returns
        -------
        (..., 3)
            `p_in.v`, m/s.

        Raises
        ------
        ValueError
            When `P_out_v` has the wrong shape, is not finite, or does not broadcast with the offsets.

        Notes
        -----
        ``v + w × r`` with ``r = [XP, YP, ZP]``

        Examples
        --------
        >>> PointXYZ(1.0, 2.0, 3.0).velocity_in([10.0, 20.0, 30.0, 0.0, 0.0, 1.0])
        array([ 8., 21., 30.])
        """
        V = as_array("P_out_v", P_out_v, (6,))
        return connection_points.velocity_xyz(self.XP, self.YP, self.ZP, V, names=("XP", "YP", "ZP", "P_out_v"))


Point = PointX | PointY | PointZ | PointXYZ


def port_from_spatial(F_spatial: ArrayLike) -> Array:
    """Return a port's force or velocity, linear first, from a spatial vector.

    Parameters
    ----------
    F_spatial : (..., 6)
        ``[moment, force]`` (N m, N) or ``[angular velocity, velocity]`` (rad/s, m/s).

    Returns
    -------
    (..., 6)
        ``[force, torque]`` or ``[velocity, angular velocity]``.

    Raises
    ------
    ValueError
        When the shape is wrong or a number is not finite.

    Notes
    -----
    The two triples are swapped; nothing is computed.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, for the one order; 20-sim, 3DSmallRotation, for the other.

    Examples
    --------
    >>> port_from_spatial([1, 2, 3, 4, 5, 6])
    array([4., 5., 6., 1., 2., 3.])
    """
    return _swap_triples(as_array("F_spatial", F_spatial, (6,)))


def spatial_from_port(F_port: ArrayLike) -> Array:
    """Return the spatial vector, rotational first, of a port's force or velocity.

    Parameters
    ----------
    F_port : (..., 6)
        ``[force, torque]`` (N, N m) or ``[velocity, angular velocity]`` (m/s, rad/s).

    Returns
    -------
    (..., 6)
        ``[moment, force]`` or ``[angular velocity, velocity]``.

    Raises
    ------
    ValueError
        When the shape is wrong or a number is not finite.

    Notes
    -----
    The two triples are swapped; nothing is computed.

    References
    ----------
    Simbody 3.7, SimTKcommon ``SpatialAlgebra.h``, for the one order; 20-sim, 3DSmallRotation, for the other.

    Examples
    --------
    >>> spatial_from_port([4, 5, 6, 1, 2, 3])
    array([1., 2., 3., 4., 5., 6.])
    """
    return _swap_triples(as_array("F_port", F_port, (6,)))


def _set_offsets(point: Point, **offsets: ArrayLike) -> None:
    """Set the validated offsets of a point, broadcast to their common shape and read-only."""
    arrays = {name: as_array(name, offset) for name, offset in offsets.items()}
    leading = broadcast_leading(**{name: array.shape for name, array in arrays.items()})
    for name, array in arrays.items():
        object.__setattr__(point, name, np.broadcast_to(array, leading))


def _swap_triples(F: Array) -> Array:
    return np.concatenate((F[..., 3:], F[..., :3]), axis=-1)
