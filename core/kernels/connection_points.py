"""Forces and velocities of connection points for small rotations, on components, as in the reference of `points`."""

from __future__ import annotations

from framescope.core.kernels.componentwise import Component, Components, kernel


@kernel((), (), (), gives=(6,))
def force_x(YP: Component, ZP: Component, F: Component) -> Components:
    """Return the forces at the port of a force along x at the point."""
    return F, 0.0, 0.0, 0.0, ZP * F, -(YP * F)


@kernel((), (), (), gives=(6,))
def force_y(XP: Component, ZP: Component, F: Component) -> Components:
    """Return the forces at the port of a force along y at the point."""
    return 0.0, F, 0.0, -(ZP * F), 0.0, XP * F


@kernel((), (), (), gives=(6,))
def force_z(XP: Component, YP: Component, F: Component) -> Components:
    """Return the forces at the port of a force along z at the point."""
    return 0.0, 0.0, F, YP * F, -(XP * F), 0.0


@kernel((), (), (), (3,), gives=(6,))
def force_xyz(XP: Component, YP: Component, ZP: Component, F: Components) -> Components:
    """Return the forces at the port of a force at the point."""
    x, y, z = F
    return x, y, z, YP * z - ZP * y, ZP * x - XP * z, XP * y - YP * x


@kernel((), (), (6,), gives=())
def velocity_x(YP: Component, ZP: Component, V: Components) -> Components:
    """Return the velocity of the point along x."""
    return (V[0] + ZP * V[4] - YP * V[5],)


@kernel((), (), (6,), gives=())
def velocity_y(XP: Component, ZP: Component, V: Components) -> Components:
    """Return the velocity of the point along y."""
    return (V[1] + XP * V[5] - ZP * V[3],)


@kernel((), (), (6,), gives=())
def velocity_z(XP: Component, YP: Component, V: Components) -> Components:
    """Return the velocity of the point along z."""
    return (V[2] + YP * V[3] - XP * V[4],)


@kernel((), (), (), (6,), gives=(3,))
def velocity_xyz(XP: Component, YP: Component, ZP: Component, V: Components) -> Components:
    """Return the velocity of the point."""
    vx, vy, vz, wx, wy, wz = V
    return vx + ZP * wy - YP * wz, vy + XP * wz - ZP * wx, vz + YP * wx - XP * wy
