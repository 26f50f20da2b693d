"""Kinematics of the bodies and ports of a mechanism for a state.

Formulas use components, as everywhere in the core: Python floats for one state, contiguous rows for many. Both give the
same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from framescope.core.kernels.components import (
    applied_to,
    cross_of,
    matrix_of_quaternion,
    minus,
    plus,
    product_of,
    transpose_of,
)
from framescope.core.kernels.componentwise import Component, Components, divide, sqrt
from framescope.core.simulation.mechanism import Body, ConstraintRow, Mechanism


@dataclass(slots=True)
class BodyMotion:
    """Pose and motion of a body, in components; small-angle bodies have the orientation of their rest pose."""

    u: Components
    v: Components
    w: Components
    """Angular velocity in world axes."""
    R: Components
    w_B: Components
    q: Components
    """Quaternion of the state, or the small angles."""


@dataclass(slots=True)
class PortMotion:
    """Lever in world axes, displacement from rest and velocity of a port, in components."""

    r: Components
    x: Components
    v: Components


@dataclass(slots=True)
class Kinematics:
    """Motion of all bodies and ports."""

    bodies: list[BodyMotion]
    ports: list[PortMotion]


def move(mechanism: Mechanism, y: Sequence[Component]) -> Kinematics:
    """Return the motion of all bodies and ports for a state, with a component or a row for each of its numbers."""
    bodies = [_move_body(body, y) for body in mechanism.bodies]
    ports: list[PortMotion] = []
    for port in mechanism.ports:
        motion = bodies[port.body]
        if mechanism.bodies[port.body].is_finite:
            r = applied_to(motion.R, port.offset)
            x = plus(motion.u, minus(r, port.r_rest))
        else:
            r = port.r_rest
            x = plus(motion.u, cross_of(motion.q, r))
        ports.append(PortMotion(r, x, plus(motion.v, cross_of(motion.w, r))))
    return Kinematics(bodies, ports)


def _move_body(body: Body, y: Sequence[Component]) -> BodyMotion:
    at = body.at
    u = (y[at], y[at + 1], y[at + 2])
    if not body.is_finite:
        theta = (y[at + 3], y[at + 4], y[at + 5])
        w = (y[at + 9], y[at + 10], y[at + 11])
        return BodyMotion(u, (y[at + 6], y[at + 7], y[at + 8]), w, body.R_rest, w, theta)
    q = (y[at + 3], y[at + 4], y[at + 5], y[at + 6])
    s = divide(1.0, sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    R = transpose_of(matrix_of_quaternion((s * q[0], s * q[1], s * q[2], s * q[3])))
    w_B = (y[at + 10], y[at + 11], y[at + 12])
    return BodyMotion(u, (y[at + 7], y[at + 8], y[at + 9]), applied_to(R, w_B), R, w_B, q)


def difference(ports: Sequence[PortMotion], row: ConstraintRow) -> tuple[Component, Component]:
    """Return displacement and velocity of port 1 of a row relative to port 2."""
    first = ports[row.port_1]
    x, v = first.x[row.axis_1], first.v[row.axis_1]
    if row.port_2 >= 0:
        second = ports[row.port_2]
        x, v = x - second.x[row.axis_2], v - second.v[row.axis_2]
    return x, v


def lever_of(r: Components, axis: int) -> Components:
    """Return ``r × n`` for a world axis n: the moment of a unit force along it."""
    x, y, z = r
    return ((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0))[axis]


def turning_of(mechanism: Mechanism, kinematics: Kinematics, i_body: int) -> Components:
    """Return the inverse inertia of a body in world axes."""
    body, motion = mechanism.bodies[i_body], kinematics.bodies[i_body]
    if not body.is_finite:
        return body.J_inv
    return product_of(product_of(motion.R, body.J_inv), transpose_of(motion.R))
