"""Balances of a run: energies, momenta and constraints, and what is missing in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from framescope.core.arrays import Array
from framescope.core.components import applied_to, cross_of, dot_of, plus, scaled
from framescope.core.componentwise import Component, Components
from framescope.core.simulation.dense import DenseStates
from framescope.core.simulation.dynamics import Evaluation, evaluate_along, signals_along
from framescope.core.simulation.mechanism import Body, Mechanism
from framescope.core.simulation.movement import difference

BLOCK = 8192
"""Steps of which the balance is made at a time."""


class Energy(NamedTuple):
    """Energies (n,), J; `residual` is what is missing in their balance since the start.

    Potential energies are those of springs and of weights, from the rest poses. Work is that of force and velocity
    sources, dissipated what dampers have turned into heat, both since the start.
    """

    kinetic: Array
    potential: Array
    work: Array
    dissipated: Array
    residual: Array


class Momentum(NamedTuple):
    """Momenta (n, 3) in world axes, N s and N m s, the angular one about the world's origin.

    `residual` (n, 6) is what they have changed by since the start, less the impulse of weights and of all forces at
    ports. Those between two bodies cancel in it, but for the moment of a pair whose points are apart across it.
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
        Of the energy, relative to the largest one.
    linear_momentum, angular_momentum
        Of the momenta, relative to the largest one or the largest impulse.
    constraint_position, constraint_velocity
        Of velocity sources, m and m/s.
    """

    energy: float
    linear_momentum: float
    angular_momentum: float
    constraint_position: float
    constraint_velocity: float


def balance_of(mechanism: Mechanism, steps: DenseStates, states: Array) -> Balance:
    """Return the largest residuals at the steps, whose states (m + 1, n) are given."""
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
        worst = np.maximum(
            worst,
            [
                np.abs(kinetic + potential - E_0 - work + heat).max(),
                residual[:, :3].max(),
                residual[:, 3:].max(),
                np.abs(x).max(initial=0.0),
                np.abs(v).max(initial=0.0),
            ],
        )
        sizes = np.maximum(np.abs(momenta), np.abs(impulse))
        energies = max(float(np.abs(e).max()) for e in (kinetic, potential, work, heat))
        largest = np.maximum(largest, [energies, sizes[:, :3].max(), sizes[:, 3:].max()])
    # A system at rest has nothing to compare with but a lever per span.
    mass, speed = (
        sum(body.mass for body in mechanism.bodies),
        mechanism.lever / (steps.times[-1] - steps.times[0] or 1.0),
    )
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
    """Return by how much constraint rows are missed (n, rows), m and m/s."""
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
