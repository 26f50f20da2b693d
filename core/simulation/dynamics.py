"""Equations of motion of a mechanism, for one state and for many.

Formulas use components, as everywhere in the core: Python floats for one state, contiguous rows for many. Both give the
same bits. A port is at ``p + r`` of its body: ``r = R r_B`` rotates with a finite body and is constant for small
angles, where the port moves by ``u + θ × r``. Along a world axis n it moves with ``n·(v + w × r)``, and a force F there
acts on the body as F and ``r × F``.

A velocity source is a constraint on the velocities V of all bodies: its rows A satisfy ``A V' = s' - n·(w × (w × r))``,
where s' is the derivative of its signal, and the second term is the difference between the two points. The constraint
forces λ act as ``Aᵀ λ``, so that ``A M⁻¹ Aᵀ λ = s' - n·(w × (w × r)) - A M⁻¹ F``.

References
----------
D. T. Greenwood, "Advanced Dynamics", 2003, sections 3.1, 3.3 and 2.3.
R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 3.2 and 8.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.components import applied_to, cross_of, dot_of, minus, plus, scaled, transpose_of
from framescope.core.kernels.componentwise import Component, Components, divide
from framescope.core.kernels.validation import Array
from framescope.core.simulation import body_kinematics
from framescope.core.simulation.mechanism import Body, ConstraintRow, Mechanism


@dataclass(slots=True)
class Evaluation:
    """Quantities computed from a state: forces, accelerations, powers, in components.

    `accelerations` has, for each body, the acceleration of the centre of mass, in world axes, and the derivative of the
    angular velocity, in B for a finite body and in world axes for a small-angle body. Forces of rows act on the body at
    port 1.
    """

    kinematics: body_kinematics.Kinematics
    accelerations: list[tuple[Components, Components]]
    port_forces: list[list[Component]]
    spring_forces: list[Component]
    source_forces: list[Component]
    constraint_forces: list[Component]
    body_forces: list[tuple[Components, Components]]
    power: Component
    heat: Component


def signals_at(mechanism: Mechanism, t: float) -> Array:
    """Return values, first and second derivatives (3, channels) of all signals at one time."""
    if not mechanism.signals:
        return np.zeros((3, 0))
    time = np.array([t])
    return np.concatenate([np.asarray(signal(time))[:, 0] for signal in mechanism.signals], axis=-1)


def signals_along(mechanism: Mechanism, t: Array) -> Array:
    """Return values, first and second derivatives (3, channels, n) of all signals at times (n,)."""
    if not mechanism.signals:
        return np.zeros((3, 0, len(t)))
    signals = np.concatenate([np.asarray(signal(t)) for signal in mechanism.signals], axis=-1)
    return np.ascontiguousarray(np.swapaxes(signals, 1, 2))


def evaluate(mechanism: Mechanism, y: Sequence[Component], signals: Sequence[Sequence[Component]]) -> Evaluation:
    """Evaluate a state, given the values and first derivatives of the signals by channel."""
    kinematics = body_kinematics.move(mechanism, y)
    ports = kinematics.ports
    values = signals[0]
    port_forces: list[list[Component]] = [[0.0, 0.0, 0.0] for _ in ports]
    power: Component = 0.0
    heat: Component = 0.0
    spring_forces: list[Component] = []
    for row in mechanism.springs:
        x, v = body_kinematics.difference(ports, row)
        spring_forces.append(-(row.k * x + row.d * v))
        heat = heat + row.d * v * v
        _push(port_forces, row, spring_forces[-1])
    source_forces: list[Component] = []
    for row in mechanism.forces:
        F = values[row.channel]
        source_forces.append(F)
        power = power + F * body_kinematics.difference(ports, row)[1]
        _push(port_forces, row, F)
    totals = _totals(mechanism, ports, port_forces)
    turning = [
        cross_of(motion.w_B, applied_to(body.J, motion.w_B)) if body.is_finite else None
        for body, motion in zip(mechanism.bodies, kinematics.bodies, strict=True)
    ]
    accelerations = [
        _accelerations(body, motion, *total, gyroscopic)
        for body, motion, total, gyroscopic in zip(mechanism.bodies, kinematics.bodies, totals, turning, strict=True)
    ]
    constraint_forces: list[Component] = [0.0] * len(mechanism.constraints)
    if mechanism.held:
        held_forces = _constraint_forces(mechanism, kinematics, accelerations, signals[1])
        for i, F in zip(mechanism.held, held_forces, strict=True):
            row = mechanism.constraints[i]
            constraint_forces[i] = F
            power = power + F * body_kinematics.difference(ports, row)[1]
            _push(port_forces, row, F)
        totals = _totals(mechanism, ports, port_forces)
        for i in mechanism.held_bodies:
            accelerations[i] = _accelerations(mechanism.bodies[i], kinematics.bodies[i], *totals[i], turning[i])
    return Evaluation(
        kinematics, accelerations, port_forces, spring_forces, source_forces, constraint_forces, totals, power, heat
    )


def derivative(mechanism: Mechanism, y: Sequence[Component], signals: Sequence[Sequence[Component]]) -> list[Component]:
    """Return the derivative of a state."""
    evaluation = evaluate(mechanism, y, signals)
    out: list[Component] = []
    f_x = f_y = f_z = m_x = m_y = m_z = 0.0
    for body, motion, (a, b), (f, m) in zip(
        mechanism.bodies, evaluation.kinematics.bodies, evaluation.accelerations, evaluation.body_forces, strict=True
    ):
        out += motion.v
        if body.is_finite:
            x, y_, z, s = motion.q
            e, f_, g = scaled(0.5, motion.w_B)
            out += (s * e + y_ * g - z * f_, s * f_ - x * g + z * e, s * g + x * f_ - y_ * e)
            out.append(-(x * e) - y_ * f_ - z * g)
        else:
            out += motion.w
        out += a
        out += b
        pull = plus(f, body.weight)
        moment = plus(cross_of(plus(motion.u, body.p_rest), pull), m)
        f_x, f_y, f_z = f_x + pull[0], f_y + pull[1], f_z + pull[2]
        m_x, m_y, m_z = m_x + moment[0], m_y + moment[1], m_z + moment[2]
    values = signals[0]
    out += [values[row.channel] for row in mechanism.constraints]
    out += (evaluation.power, evaluation.heat, f_x, f_y, f_z, m_x, m_y, m_z)
    return out


def rate(mechanism: Mechanism, t: float, y: Array) -> Array:
    """Return the derivative (n,) of a state (n,) at a time."""
    return np.array(derivative(mechanism, y.tolist(), signals_at(mechanism, t).tolist()))


def rates(mechanism: Mechanism, t: float, columns: Array) -> Array:
    """Return the derivatives (n, k) of states (n, k), all at one time."""
    rows = derivative(mechanism, list(columns), signals_at(mechanism, t).tolist())
    return np.array([np.broadcast_to(row, columns.shape[1:]) for row in rows])


def evaluate_along(mechanism: Mechanism, t: Array, states: Array) -> Evaluation:
    """Evaluate states (n, size) at times (n,): a single state in floats, several in components (n,)."""
    if len(t) == 1:
        return evaluate(mechanism, states[0].tolist(), signals_at(mechanism, float(t[0])).tolist())
    columns: list[Component] = list(np.ascontiguousarray(states.T))
    signals: list[list[Component]] = [list(rows) for rows in signals_along(mechanism, t)]
    return evaluate(mechanism, columns, signals)


# --- Constraints


MOST_WRITTEN_OUT = 12
"""Number of held rows up to which their equations are solved component by component."""


def reluctance_rows(mechanism: Mechanism, kinematics: body_kinematics.Kinematics) -> list[list[Component]]:
    """Return the rows of ``A M⁻¹ Aᵀ`` of the held rows, in components."""
    turning = {i: body_kinematics.turning_of(mechanism, kinematics, i) for i in mechanism.held_bodies}
    levers: dict[tuple[int, int], tuple[Components, Components]] = {}
    for _, _, common in mechanism.pairs:
        for side, _ in common:
            key = (side[1], side[2])
            if key not in levers:
                c = body_kinematics.lever_of(kinematics.ports[side[1]].r, side[2])
                levers[key] = (c, applied_to(turning[side[0]], c))
    m = len(mechanism.held)
    W: list[list[Component]] = [[0.0] * m for _ in range(m)]
    for i, j, common in mechanism.pairs:
        entry: Component = 0.0
        for a, b in common:
            along = 1.0 / mechanism.bodies[a[0]].mass if a[2] == b[2] else 0.0
            product = along + dot_of(levers[a[1], a[2]][0], levers[b[1], b[2]][1])
            entry = entry + product if a[3] == b[3] else entry - product
        W[i][j] = W[j][i] = entry
    return W


def reluctance(mechanism: Mechanism, kinematics: body_kinematics.Kinematics) -> Array:
    """Return ``A M⁻¹ Aᵀ`` (k, m, m) of the held rows for k states; k is 1 for a single state."""
    rows = reluctance_rows(mechanism, kinematics)
    k = max(int(np.size(entry)) for row in rows for entry in row)
    W = np.empty((k, len(rows), len(rows)))
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            W[:, i, j] = entry
    return W


def solve_rows(W: Sequence[Sequence[Component]], b: Sequence[Component]) -> list[Component]:
    """Return `x` of ``W x = b`` for a symmetric and positive definite `W`, by ``L D Lᵀ``, in components.

    The result is not finite if `W` is singular.

    >>> solve_rows([[2.0, 1.0], [1.0, 3.0]], [4.0, 7.0])
    [1.0, 2.0]
    """
    m = len(b)
    L: list[list[Component]] = [[0.0] * m for _ in range(m)]
    pivots: list[Component] = []
    for j in range(m):
        pivot = W[j][j]
        for k in range(j):
            pivot = pivot - L[j][k] * L[j][k] * pivots[k]
        pivots.append(pivot)
        for i in range(j + 1, m):
            entry = W[i][j]
            for k in range(j):
                entry = entry - L[i][k] * L[j][k] * pivots[k]
            L[i][j] = divide(entry, pivot)
    x = list(b)
    for i in range(m):
        for k in range(i):
            x[i] = x[i] - L[i][k] * x[k]
    x = [divide(value, pivot) for value, pivot in zip(x, pivots, strict=True)]
    for i in reversed(range(m)):
        for k in range(i + 1, m):
            x[i] = x[i] - L[k][i] * x[k]
    return x


def solve(W: Array, b: Array) -> Array:
    """Return `x` (k, m) of ``W x = b`` for each of k matrices; NaN where a matrix is singular."""
    try:
        return np.asarray(np.linalg.solve(W, b[..., np.newaxis])[..., 0], dtype=np.float64)
    except np.linalg.LinAlgError:
        if len(W) == 1:
            return np.full_like(b, np.nan)
        return np.concatenate([solve(W[i : i + 1], b[i : i + 1]) for i in range(len(W))])


def _constraint_forces(
    mechanism: Mechanism,
    kinematics: body_kinematics.Kinematics,
    accelerations: list[tuple[Components, Components]],
    rates: Sequence[Component],
) -> list[Component]:
    """Return the forces of the held rows."""
    accelerated: dict[int, Components] = {}
    for i in mechanism.held_ports:
        i_body, r = mechanism.ports[i].body, kinematics.ports[i].r
        motion, (a, b) = kinematics.bodies[i_body], accelerations[i_body]
        if mechanism.bodies[i_body].is_finite:
            b = applied_to(motion.R, b)
            a = plus(a, cross_of(motion.w, cross_of(motion.w, r)))
        accelerated[i] = plus(a, cross_of(b, r))
    missing: list[Component] = []
    for i in mechanism.held:
        row = mechanism.constraints[i]
        now = accelerated[row.port_1][row.axis_1]
        if row.port_2 >= 0:
            now = now - accelerated[row.port_2][row.axis_2]
        missing.append(rates[row.channel] - now)
    return solve_held_rows(mechanism, kinematics, missing)


def solve_held_rows(
    mechanism: Mechanism, kinematics: body_kinematics.Kinematics, missing: Sequence[Component]
) -> list[Component]:
    """Return `x` of ``A M⁻¹ Aᵀ x = missing`` for the held rows."""
    if len(missing) <= MOST_WRITTEN_OUT:
        return solve_rows(reluctance_rows(mechanism, kinematics), missing)
    W = reluctance(mechanism, kinematics)
    k = max(len(W), *(np.size(x) for x in missing))
    b = np.stack([np.broadcast_to(x, (k,)) for x in missing], axis=-1)
    x = solve(np.broadcast_to(W, (k, *W.shape[1:])), b)
    return x[0].tolist() if all(isinstance(x, float) for x in missing) and k == 1 else list(x.T)


# --- Forces


def _push(port_forces: list[list[Component]], row: ConstraintRow, F: Component) -> None:
    """Add the force of a row to the forces of its ports."""
    first = port_forces[row.port_1]
    first[row.axis_1] = first[row.axis_1] + F
    if row.port_2 >= 0:
        second = port_forces[row.port_2]
        second[row.axis_2] = second[row.axis_2] - F


def _totals(
    mechanism: Mechanism, ports: list[body_kinematics.PortMotion], port_forces: list[list[Component]]
) -> list[tuple[Components, Components]]:
    """Return force and moment about the centre of mass, in world axes, from all ports of each body."""
    totals: list[tuple[Components, Components]] = [((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) for _ in mechanism.bodies]
    for port, motion, F in zip(mechanism.ports, ports, port_forces, strict=True):
        f, m = totals[port.body]
        totals[port.body] = ((f[0] + F[0], f[1] + F[1], f[2] + F[2]), plus(m, cross_of(motion.r, (F[0], F[1], F[2]))))
    return totals


def _accelerations(
    body: Body, motion: body_kinematics.BodyMotion, f: Components, m: Components, gyroscopic: Components | None
) -> tuple[Components, Components]:
    """Return the acceleration of the centre of mass and the derivative of the angular velocity."""
    pull = plus(f, body.weight)
    a = (pull[0] / body.mass, pull[1] / body.mass, pull[2] / body.mass)
    if gyroscopic is None:
        return a, (body.J_inv[0] * m[0], body.J_inv[4] * m[1], body.J_inv[8] * m[2])
    return a, applied_to(body.J_inv, minus(applied_to(transpose_of(motion.R), m), gyroscopic))
