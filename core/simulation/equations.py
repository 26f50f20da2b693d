"""Equations of a mechanism as single formulas: its derivative, and one step of projection onto its constraints.

The functions of `framescope.core.simulation.dynamics` loop over bodies, ports and rows. Here they run once on symbols
for each structure of mechanisms. The result is straight-line code with the masses, inertias, positions and stiffnesses
as arguments. It does the same operations on the same numbers, two to six times as fast. For long runs the code is
compiled like any formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from framescope.core.kernels import componentwise
from framescope.core.kernels.code.python_code import python_function
from framescope.core.kernels.code.symbolic import code_of
from framescope.core.kernels.componentwise import Component, Formula
from framescope.core.kernels.validation import Array
from framescope.core.simulation import constraints, dynamics
from framescope.core.simulation.mechanism import Mechanism

MOST_WEIGHT = 12.0
"""Upper limit of a formula's weight, relative to a usual formula, when deciding whether to compile it."""

MOST_BODIES = 8
"""Number of bodies above which no code is generated, because generating it takes longer than most runs."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(componentwise, name) for name in ("divide", "sqrt", "sin", "cos", "atan2", "where")
}


@dataclass(frozen=True)
class _Structure:
    """Everything the code of a mechanism depends on; mechanisms with the same structure differ in numbers only."""

    key: tuple[Any, ...]
    mechanism: Mechanism = field(compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class Equations:
    """Equations of a mechanism.

    Attributes
    ----------
    constants
        Numbers of the mechanism in the order of the code.
    derivative
        Function of state, constants, values and first derivatives of the signals that returns the derivative of the
        state.
    positions
        Function of state and constants that returns the results of `constraints.position_step` in one array; None
        without held rows.
    velocities
        Function of state, constants and values of the signals that returns the results of `constraints.velocity_step`;
        None without held rows.
    """

    constants: Array
    derivative: Formula
    positions: Formula | None
    velocities: Formula | None

    def rate(self, y: Array, values: Array, rates: Array) -> Array:
        """Return the derivative (n,) of a state (n,) with the signals (c,) at its time; see `signals_for`."""
        return self.derivative.run((y, self.constants, values, rates), ())[0]

    def rate_into(self, y: Array, values: Array, rates: Array, out: Array) -> None:
        """Write the derivative of a state into an array (n,)."""
        self.derivative.run_into((y, self.constants, values, rates), out)

    def project(self, y: Array, values: Array, impact: float) -> list[float] | None:
        """Return a state projected onto the held constraints, with unit quaternions.

        Return None if the slower projection must decide: rows that are nearly dependent, an error that does not
        decrease, or a change of velocities large enough for an impact. `values` (c,) are the values of the signals.
        """
        positions, velocities = self.positions, self.velocities
        if positions is None or velocities is None:
            return None
        n = len(y)
        m = velocities.gives[0][0] - n - 1
        error, size, result = math.inf, 0.0, y
        for _ in range(constraints.MAX_ITERATIONS):
            before, result = error, positions.run((y, self.constants), ())[0]
            error, size = float(np.abs(result[2 * n : -2]).max()), float(result[-2])
            # At the level of rounding another step brings no improvement.
            if error <= constraints.ROUNDING * size or error > 0.5 * before:
                break
            if not constraints.is_far_from_singular(float(result[-1]), m):
                return None
            y = result[n : 2 * n]
        if not error <= constraints.RANK_TOLERANCE * size:
            return None
        result = velocities.run((result[:n], self.constants, values), ())[0]
        is_clear = constraints.is_far_from_singular(float(result[-1]), m) and np.abs(result[n:-1]).max() <= impact
        return result[:n].tolist() if is_clear else None


def signals_for(mechanism: Mechanism, t: Array) -> tuple[Array, Array]:
    """Return values and first derivatives (k, c) of the signals at times (k,), in the form the code needs."""
    if not mechanism.signals:
        zeros = np.zeros((len(t), 1))
        return zeros, zeros
    signals = np.concatenate([np.asarray(signal(t)) for signal in mechanism.signals], axis=-1)
    return np.ascontiguousarray(signals[0]), np.ascontiguousarray(signals[1])


def rate_at(mechanism: Mechanism, equations: Equations | None, t: float, y: Array) -> Array:
    """Return the derivative (n,) of a state (n,) at a time, by its equations if there are any."""
    if equations is None:
        return dynamics.rate(mechanism, t, y)
    values, rates = signals_for(mechanism, np.array([t]))
    return equations.rate(y, values[0], rates[0])


def equations_of(mechanism: Mechanism) -> Equations | None:
    """Return the equations; None for a mechanism that is too large for generated code.

    Examples
    --------
    >>> from framescope.core.bodies import RigidBody
    >>> from framescope.core.simulation.mechanism import build_mechanism
    >>> from framescope.core.simulation.system import System, SystemBody
    >>> I, o = np.eye(3), np.zeros(3)
    >>> stone = SystemBody("stone", RigidBody(2.0, [1.0, 1.0, 1.0]), "finite", I, o, I, o, [1.0, 0.0, 0.0], o)
    >>> mechanism = build_mechanism(System([stone], [], [], [0.0, 0.0, -9.81], 0.0, 1.0))
    >>> y = np.zeros(mechanism.size)
    >>> y[[6, 7]] = 1.0
    >>> no_signals = np.zeros(1)
    >>> equations_of(mechanism).rate(y, no_signals, no_signals)[[0, 9]]
    array([ 1.  , -9.81])
    """
    if len(mechanism.bodies) > MOST_BODIES or len(mechanism.held) > dynamics.MOST_WRITTEN_OUT:
        return None
    constants = np.array(_constants(mechanism))
    return Equations(constants, *formulas_of(_Structure(_key(mechanism), mechanism)))


def n_signals(mechanism: Mechanism) -> int:
    """Return the number of signals in the code; at least one, because its arrays must not be empty."""
    return max(1, sum(mechanism.channels))


@lru_cache(maxsize=64)
def formulas_of(structure: _Structure) -> tuple[Formula, Formula | None, Formula | None]:
    """Return the derivative of a structure, and its steps of positions and velocities if it has held rows."""
    mechanism = structure.mechanism
    n, c, s = mechanism.size, len(_constants(mechanism)), n_signals(mechanism)

    def derivative(y: Any, constants: Any, values: Any, rates: Any) -> Sequence[Component]:
        return dynamics.derivative(_with_constants(mechanism, constants), y, (values, rates))

    def positions(y: Any, constants: Any) -> Sequence[Component]:
        return constraints.position_step(_with_constants(mechanism, constants), y)

    def velocities(y: Any, constants: Any, values: Any) -> Sequence[Component]:
        return constraints.velocity_step(_with_constants(mechanism, constants), y, values)

    m = len(mechanism.held)
    rate = _generate(derivative, {"y": n, "constants": c, "values": s, "rates": s}, n)
    if not m:
        return rate, None, None
    return (
        rate,
        _generate(positions, {"y": n, "constants": c}, 2 * n + m + 2),
        _generate(velocities, {"y": n, "constants": c, "values": s}, n + m + 1),
    )


def _generate(function: Callable[..., Sequence[Component]], takes: dict[str, int], n_gives: int) -> Formula:
    """Return a function on components as a formula of straight-line code."""
    code = code_of(
        lambda *arguments: list(function(*map(list, arguments))), {name: (size,) for name, size in takes.items()}
    )
    # A formula of a state is worth compiling sooner than a formula of a vector, because it has more operations. The
    # times of running it in Python and of compiling it are both proportional to the number of operations. So for long
    # formulas only the number of calls matters, about 3,000.
    weight = min(max(1.0, len(code.steps) / 100.0), MOST_WEIGHT)
    formula = python_function(code, FUNCTIONS)
    return Formula(formula, tuple((size,) for size in takes.values()), ((n_gives,),), weight=weight)


# --- Numbers and structure


def _key(mechanism: Mechanism) -> tuple[Any, ...]:
    rows = tuple(
        tuple((row.port_1, row.axis_1, row.port_2, row.axis_2, row.channel) for row in rows_of_kind)
        for rows_of_kind in (mechanism.springs, mechanism.forces, mechanism.constraints)
    )
    bodies = tuple((body.is_finite, body.at) for body in mechanism.bodies)
    ports = tuple((port.body, port.axes) for port in mechanism.ports)
    return bodies, ports, rows, mechanism.held, mechanism.channels


def _constants(mechanism: Mechanism) -> list[float]:
    numbers: list[float] = [mechanism.lever]
    for body in mechanism.bodies:
        numbers += (body.mass, *body.weight, *body.J, *body.J_inv, *body.R_rest, *body.p_rest)
    for port in mechanism.ports:
        numbers += (*port.offset, *port.r_rest)
    for row in mechanism.springs:
        numbers += (row.k, row.d)
    return numbers


def _with_constants(mechanism: Mechanism, constants: Sequence[Component]) -> Mechanism:
    """Return the mechanism with other numbers, in the order of `_constants`."""
    numbers = iter(constants)

    def take(n: int) -> tuple[Component, ...]:
        return tuple(next(numbers) for _ in range(n))

    lever = next(numbers)
    bodies = tuple(
        replace(
            body,
            mass=next(numbers),
            weight=take(3),
            J=take(9),
            J_inv=take(9),
            R_rest=take(9),
            p_rest=take(3),
        )
        for body in mechanism.bodies
    )
    ports = tuple(replace(port, offset=take(3), r_rest=take(3)) for port in mechanism.ports)
    springs = tuple(replace(row, k=next(numbers), d=next(numbers)) for row in mechanism.springs)
    return replace(mechanism, lever=lever, bodies=bodies, ports=ports, springs=springs)
