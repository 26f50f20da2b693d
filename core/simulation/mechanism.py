"""Mechanism: a system prepared for simulation, with items by index and constants as floats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core import quaternions
from framescope.core.kernels import conversions
from framescope.core.kernels.componentwise import Components
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import Array
from framescope.core.simulation.system import (
    Element,
    Force,
    Signal,
    Spring,
    System,
    SystemBody,
    SystemPoint,
    VelocitySource,
    inertia_at_rest,
)


@dataclass(frozen=True)
class Body:
    """A body by index; its state is a slice of the whole state.

    The state of a finite body is ``u, q, v, w``: displacement of the centre of mass from rest, quaternion from W into
    B, velocity in world axes, angular velocity in B. The state of a small-angle body is ``u, θ, v, der(θ)``, in world
    axes.
    """

    name: str
    is_finite: bool
    at: int
    mass: float
    weight: Components
    """Mass times gravity."""
    J: Components
    """Inertia, in B for a finite body, in world axes for a small-angle one."""
    J_inv: Components
    R_rest: Components
    p_rest: Components

    @property
    def size(self) -> int:
        """Number of components of the body's state."""
        return 13 if self.is_finite else 12


@dataclass(frozen=True)
class Port:
    """A point by index: its body, its world axes, and its offset in B and in world axes at rest."""

    name: str
    body: int
    axes: tuple[int, ...]
    offset: Components
    r_rest: Components


@dataclass(frozen=True)
class ConstraintRow:
    """One direction of an element: its axis of port 1, and of port 2 (-1 for ground).

    `channel` is the index of the source among all signal channels. `k` and `d` are the constants of a spring.
    """

    element: int
    port_1: int
    axis_1: int
    port_2: int
    axis_2: int
    k: float = 0.0
    d: float = 0.0
    channel: int = -1


Side = tuple[int, int, int, float]
"""Body, port, axis and sign of one end of a row."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Bodies, ports and rows by index.

    The state consists of the states of all bodies; the integrated signal of each constraint row, which is its target
    displacement; the work of sources, the heat of dampers, and the impulse of all forces on bodies (force, then moment
    about the world's origin).

    Attributes
    ----------
    held
        Indices of the active constraint rows; the others depend on these.
    pairs
        Pairs of held rows, ``i <= j``, with a common body, and their sides on it.
    """

    bodies: tuple[Body, ...]
    ports: tuple[Port, ...]
    springs: tuple[ConstraintRow, ...]
    forces: tuple[ConstraintRow, ...]
    constraints: tuple[ConstraintRow, ...]
    held: tuple[int, ...]
    pairs: tuple[tuple[int, int, tuple[tuple[Side, Side], ...]], ...]
    held_ports: tuple[int, ...]
    held_bodies: tuple[int, ...]
    elements: tuple[Element, ...]
    rows_of: tuple[tuple[tuple[str, int], ...], ...]
    """Rows of each element: the name of the list, and the index in it."""
    signals: tuple[Signal, ...]
    channels: tuple[int, ...]
    """Number of directions of each signal."""
    lever: float
    """Longest distance of a point from its centre of mass, m; 1 if there is none."""
    start: float

    @property
    def goals_at(self) -> int:
        """Index of the first integrated signal of the constraint rows in the state."""
        return sum(body.size for body in self.bodies)

    @property
    def totals_at(self) -> int:
        """Index in the state at which work, heat and impulse begin."""
        return self.goals_at + len(self.constraints)

    @property
    def size(self) -> int:
        """Number of components of the state."""
        return self.totals_at + 8


def build_mechanism(system: System) -> Mechanism:
    """Return the mechanism of a system; all constraint rows are held."""
    index = {body.name: i for i, body in enumerate(system.bodies)}
    at = 0
    bodies: list[Body] = []
    for body in system.bodies:
        bodies.append(_body(body, at, system.gravity_W))
        at += bodies[-1].size
    ports = tuple(_port(point, index[point.body], system) for point in system.points)
    lists: dict[type, list[ConstraintRow]] = {Spring: [], Force: [], VelocitySource: []}
    rows_of: list[tuple[tuple[str, int], ...]] = []
    signals: list[Signal] = []
    channels: list[int] = []
    place = {port.name: i for i, port in enumerate(ports)}
    for i, element in enumerate(system.elements):
        element_rows = list(_rows(i, element, ports, place, sum(channels)))
        if not isinstance(element, Spring):
            signals.append(element.signal)
            channels.append(len(element_rows))
        rows = lists[type(element)]
        rows_of.append(tuple((type(element).__name__, len(rows) + n) for n in range(len(element_rows))))
        rows += element_rows
    longest = max((float(np.hypot.reduce(point.offset)) for point in system.points), default=0.0)
    mechanism = Mechanism(
        bodies=tuple(bodies),
        ports=ports,
        springs=tuple(lists[Spring]),
        forces=tuple(lists[Force]),
        constraints=tuple(lists[VelocitySource]),
        held=(),
        pairs=(),
        held_ports=(),
        held_bodies=(),
        elements=system.elements,
        rows_of=tuple(rows_of),
        signals=tuple(signals),
        channels=tuple(channels),
        lever=longest if longest > 0.0 else 1.0,
        start=system.start,
    )
    return with_held_rows(mechanism, tuple(range(len(mechanism.constraints))))


def with_held_rows(mechanism: Mechanism, held: tuple[int, ...]) -> Mechanism:
    """Return the mechanism with only some of its constraint rows active."""
    sides = [sides_of(mechanism, mechanism.constraints[i]) for i in held]
    pairs: list[tuple[int, int, tuple[tuple[Side, Side], ...]]] = []
    for i, first in enumerate(sides):
        for j in range(i, len(sides)):
            common = tuple((a, b) for a in first for b in sides[j] if a[0] == b[0])
            if common:
                pairs.append((i, j, common))
    return replace(
        mechanism,
        held=held,
        pairs=tuple(pairs),
        held_ports=tuple(sorted({side[1] for row in sides for side in row})),
        held_bodies=tuple(sorted({side[0] for row in sides for side in row})),
    )


def with_acting_ports(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism with only the ports that have an element; its states are the same.

    The other ports only follow their bodies, and nothing depends on them.
    """
    lists = (mechanism.springs, mechanism.forces, mechanism.constraints)
    acting = sorted({port for rows in lists for row in rows for port in (row.port_1, row.port_2) if port >= 0})
    if len(acting) == len(mechanism.ports):
        return mechanism
    place = {port: i for i, port in enumerate(acting)} | {-1: -1}
    springs, forces, constraints = (
        tuple(replace(row, port_1=place[row.port_1], port_2=place[row.port_2]) for row in rows) for rows in lists
    )
    ports = tuple(mechanism.ports[port] for port in acting)
    numbered = replace(mechanism, ports=ports, springs=springs, forces=forces, constraints=constraints)
    return with_held_rows(numbered, mechanism.held)


def sides_of(mechanism: Mechanism, row: ConstraintRow) -> tuple[Side, ...]:
    """Return the ends of a row that are on bodies."""
    first = (mechanism.ports[row.port_1].body, row.port_1, row.axis_1, 1.0)
    if row.port_2 < 0:
        return (first,)
    return first, (mechanism.ports[row.port_2].body, row.port_2, row.axis_2, -1.0)


def start_of_bodies(system: System) -> list[float]:
    """Return the state of all bodies at the start, with velocities as authored."""
    state: list[float] = []
    for body in system.bodies:
        state += (body.p_start - body.p_rest).tolist()
        if body.model == "finite":
            state += quaternions.from_T(body.R_start.T).tolist()
            state += [*body.v_start.tolist(), *body.w_start.tolist()]
            continue
        # Frame C rotates with the body and equals the world's axes at rest: T_WC = exp(-skew(θ)).
        theta = conversions.vector_from_matrix(body.R_rest @ body.R_start.T)
        w_C = body.R_rest @ body.w_start
        columns = np.array([rotation_vector_motion(theta, e, np.zeros(3))[0] for e in np.eye(3)]).T
        rates = np.linalg.solve(columns, w_C)
        state += [*theta.tolist(), *body.v_start.tolist(), *rates.tolist()]
    return state


def _body(body: SystemBody, at: int, gravity_W: Array) -> Body:
    is_finite = body.model == "finite"
    mass = float(body.body.mass)
    J = body.body.inertia_matrix if is_finite else np.diag(np.diag(inertia_at_rest(body)))
    J_inv = np.linalg.inv(J)
    J_inv = 0.5 * (J_inv + J_inv.T)
    return Body(
        name=body.name,
        is_finite=is_finite,
        at=at,
        mass=mass,
        weight=tuple((mass * gravity_W).tolist()),
        J=tuple(J.ravel().tolist()),
        J_inv=tuple(J_inv.ravel().tolist()),
        R_rest=tuple(body.R_rest.ravel().tolist()),
        p_rest=tuple(body.p_rest.tolist()),
    )


def _port(point: SystemPoint, i_body: int, system: System) -> Port:
    r_rest = system.bodies[i_body].R_rest @ point.offset
    return Port(point.name, i_body, point.axes, tuple(point.offset.tolist()), tuple(r_rest.tolist()))


def _rows(
    i_element: int, element: Element, ports: tuple[Port, ...], place: dict[str, int], channel: int
) -> Iterator[ConstraintRow]:
    port_1 = place[element.point_1]
    port_2 = -1 if element.point_2 is None else place[element.point_2]
    axes_1 = ports[port_1].axes
    axes_2 = axes_1 if port_2 < 0 else ports[port_2].axes
    n = len(axes_1)
    for i, (axis_1, axis_2) in enumerate(zip(axes_1, axes_2, strict=True)):
        if isinstance(element, Spring):
            k, d = (float(np.broadcast_to(a, (n,))[i]) for a in (element.stiffness, element.damping))
            yield ConstraintRow(i_element, port_1, axis_1, port_2, axis_2, k, d)
        else:
            yield ConstraintRow(i_element, port_1, axis_1, port_2, axis_2, channel=channel + i)
