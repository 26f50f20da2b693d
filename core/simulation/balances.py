"""Balances of a run: energies, momenta and constraints, and their residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from framescope.core.kernels.components import applied_to, cross_of, dot_of, plus, scaled
from framescope.core.kernels.componentwise import Component, Components
from framescope.core.kernels.validation import Array
from framescope.core.simulation.body_kinematics import Kinematics, difference, lever_of, move
from framescope.core.simulation.dense_output import DenseStates
from framescope.core.simulation.dynamics import Evaluation, evaluate_along, signals_along
from framescope.core.simulation.mechanism import Body, ConstraintRow, Mechanism
from framescope.core.simulation.source_signals import integrate_signals, quadrature_of

BLOCK = 8192
"""Number of steps evaluated together."""


class Energy(NamedTuple):
    """Energies (n,), J; `residual` is the error of their balance since the start.

    `potential` is the energy of springs and weights relative to the rest poses. `work` of force and velocity sources
    and the heat `dissipated` by dampers count from the start.
    """

    kinetic: Array
    potential: Array
    work: Array
    dissipated: Array
    residual: Array


class Momentum(NamedTuple):
    """Momenta (n, 3) in world axes, N s and N m s; `angular` is about the world's origin.

    `residual` (n, 6) is the change of both since the start minus the impulse of weights and of all forces at ports.
    Forces between two bodies cancel, except for the moment of a pair of forces that act along different lines.
    """

    linear: Array
    angular: Array
    residual: Array


@dataclass(frozen=True)
class Balance:
    """Largest residuals over all steps.

    Attributes
    ----------
    energy
        Residual of the energy, relative to the largest energy, plus the work of forces that the steps missed.
    linear_momentum, angular_momentum
        Residuals of the momenta, relative to the largest momentum or impulse, plus missed impulses.
    constraint_position, constraint_velocity
        Residuals of velocity sources, m and m/s.
    """

    energy: float
    linear_momentum: float
    angular_momentum: float
    constraint_position: float
    constraint_velocity: float


@dataclass(frozen=True, eq=False)
class Missed:
    """Impulse and work of force sources that the steps of a run missed.

    Attributes
    ----------
    shares : (rows,)
        For each row of force sources, the largest impulse missed up to any step, relative to the total impulse of the
        row.
    momenta : (2,)
        Largest missed linear and angular impulse, N s and N m s.
    impulses : (2,)
        Largest authored linear and angular impulse, N s and N m s.
    work
        Largest missed work, J.
    """

    shares: Array
    momenta: Array
    impulses: Array
    work: float


def missed_of(mechanism: Mechanism, states: Array, steps: tuple[Array, Array], method: str, breaks: Array) -> Missed:
    """Return the impulse and work that a run missed: differences between the solver's and the authored integrals.

    `steps` are the starts and ends (m,) of the solver's steps, `breaks` (n, 2) the breakpoints of the signals.
    """
    rows, (begins, ends) = mechanism.forces, steps
    if not rows or not len(begins):
        return Missed(np.zeros(len(rows)), np.zeros(2), np.zeros(2), 0.0)
    at, weights = quadrature_of(method)
    sums = np.zeros((len(rows), 4))  # missed impulse, and its moment about the world's origin
    largest, totals, work, most_work = np.zeros((len(rows), 2)), np.zeros((len(rows), 2)), 0.0, 0.0
    for start in range(0, len(begins), BLOCK):
        part = slice(start, min(start + BLOCK, len(begins)))
        seen, authored, sizes = integrate_signals(mechanism, begins[part], ends[part], at, weights, breaks)
        n = seen.shape[1]
        kinematics = move(mechanism, list(np.ascontiguousarray(states[part.start : part.stop + 1].T)))
        works = np.zeros(n)
        for i, row in enumerate(rows):
            gap, size = authored[row.channel] - seen[row.channel], sizes[row.channel]
            v = np.broadcast_to(difference(kinematics.ports, row)[1], (n + 1,))
            works += 0.5 * gap * (v[1:] + v[:-1])
            arm = _arm(mechanism, kinematics, row, n + 1)[:-1]
            sums_now = sums[i] + np.cumsum(np.column_stack((gap, gap[:, np.newaxis] * arm)), axis=0)
            sums[i] = sums_now[-1]
            largest[i] = np.maximum(largest[i], _sizes(sums_now))
            totals[i] += size.sum(), (size * np.abs(arm).max(axis=1)).sum()
        work_now = work + np.cumsum(works)
        work, most_work = float(work_now[-1]), max(most_work, float(np.abs(work_now).max()))
    shares = largest[:, 0] / np.where(totals[:, 0] > 0.0, totals[:, 0], 1.0)
    return Missed(shares, largest.max(axis=0), totals.max(axis=0), most_work)


def _sizes(sums: Array) -> Array:
    """Return the largest impulse and moment (2,) of sums (n, 4)."""
    size = np.abs(sums).max(axis=0)
    return np.array([size[0], size[1:].max()])


def _arm(mechanism: Mechanism, kinematics: Kinematics, row: ConstraintRow, n: int) -> Array:
    """Return the moments (n, 3) about the world's origin of a unit force of a row on the body at port 1."""
    port = mechanism.ports[row.port_1]
    at = plus(plus(kinematics.bodies[port.body].u, mechanism.bodies[port.body].p_rest), kinematics.ports[row.port_1].r)
    return rows_of(lever_of(at, row.axis_1), n)


def balance_of(mechanism: Mechanism, steps: DenseStates, states: Array, missed: Missed) -> Balance:
    """Return the largest residuals at the steps with the given states (m + 1, n)."""
    E_0, momenta_0 = start_of(mechanism, steps)
    worst, largest = np.zeros(5), np.zeros(3)
    for start in range(0, len(states), BLOCK):
        t, block = steps.times[start : start + BLOCK], states[start : start + BLOCK]
        evaluation = evaluate_along(mechanism, t, block)
        kinetic, potential, work, heat = energies_of(mechanism, block, evaluation)
        momenta = momenta_of(mechanism, evaluation, len(t))
        impulse = block[:, mechanism.totals_at + 2 :]
        residual = np.abs(momenta - momenta_0 - impulse)
        x, v = constraint_errors_of(mechanism, t, block, evaluation)
        energy = np.abs(kinetic + potential - E_0 - work + heat).max()
        errors = np.abs(x).max(initial=0.0), np.abs(v).max(initial=0.0)
        worst = np.maximum(worst, [energy, residual[:, :3].max(), residual[:, 3:].max(), *errors])
        sizes = np.maximum(np.abs(momenta), np.abs(impulse))
        energies = max(float(np.abs(e).max()) for e in (kinetic, potential, work, heat))
        largest = np.maximum(largest, [energies, sizes[:, :3].max(), sizes[:, 3:].max()])
    worst[:3] += missed.work, *missed.momenta
    largest[1:] = np.maximum(largest[1:], missed.impulses)
    # For a system at rest, the only scale of speed is one lever per time range.
    mass = sum(body.mass for body in mechanism.bodies)
    speed = mechanism.lever / (steps.times[-1] - steps.times[0] or 1.0)
    largest = np.maximum(largest, mass * speed * np.array([speed, 1.0, mechanism.lever]))
    relative = worst[:3] / np.where(largest > 0.0, largest, 1.0)
    return Balance(*relative.tolist(), *worst[3:].tolist())


def start_of(mechanism: Mechanism, steps: DenseStates) -> tuple[float, Array]:
    """Return energy and momenta (6,) at the start."""
    state = steps.starts[:1]
    evaluation = evaluate_along(mechanism, steps.times[:1], state)
    kinetic, potential, _, _ = energies_of(mechanism, state, evaluation)
    return float((kinetic + potential)[0]), momenta_of(mechanism, evaluation, 1)[0]


def energies_of(mechanism: Mechanism, states: Array, evaluation: Evaluation) -> tuple[Array, Array, Array, Array]:
    """Return kinetic and potential energy, work and heat (n,)."""
    n = len(states)
    kinetic: Component = np.zeros(n)
    potential: Component = np.zeros(n)
    for body, motion in zip(mechanism.bodies, evaluation.kinematics.bodies, strict=True):
        turning = dot_of(motion.w_B, applied_to(body.J, motion.w_B))
        kinetic = kinetic + 0.5 * (body.mass * dot_of(motion.v, motion.v) + turning)
        potential = potential - dot_of(body.weight, motion.u)
    for row in mechanism.springs:
        x, _ = difference(evaluation.kinematics.ports, row)
        potential = potential + 0.5 * (row.k * x * x)
    return kinetic, potential, states[:, mechanism.totals_at], states[:, mechanism.totals_at + 1]


def momenta_of(mechanism: Mechanism, evaluation: Evaluation, n: int) -> Array:
    """Return linear and angular momentum (n, 6)."""
    linear: Components = (0.0, 0.0, 0.0)
    angular: Components = (0.0, 0.0, 0.0)
    for body, motion in zip(mechanism.bodies, evaluation.kinematics.bodies, strict=True):
        own = scaled(body.mass, motion.v)
        linear = plus(linear, own)
        angular = plus(angular, plus(cross_of(plus(motion.u, body.p_rest), own), _spin(body, motion.R, motion.w_B)))
    return rows_of((*linear, *angular), n)


def _spin(body: Body, R: Components, w: Components) -> Components:
    momentum = applied_to(body.J, w)
    return applied_to(R, momentum) if body.is_finite else momentum


def constraint_errors_of(mechanism: Mechanism, t: Array, states: Array, evaluation: Evaluation) -> tuple[Array, Array]:
    """Return the errors of the constraint rows (n, rows), m and m/s."""
    x, v = np.zeros((2, len(t), len(mechanism.constraints)))
    values = signals_along(mechanism, t)[0]
    for i, row in enumerate(mechanism.constraints):
        at, speed = difference(evaluation.kinematics.ports, row)
        x[:, i] = at - states[:, mechanism.goals_at + i]
        v[:, i] = speed - values[row.channel]
    return x, v


def rows_of(components: Components | list[Component], n: int) -> Array:
    """Return components as an array (n, k)."""
    return np.stack([np.broadcast_to(np.asarray(x, dtype=np.float64), (n,)) for x in components], axis=-1)
