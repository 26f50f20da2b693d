"""Equations of a mechanism as single formulas: its derivative, and one step back onto its constraints.

The functions of `framescope.core.simulation.dynamics` go through bodies, ports and rows each time. Here they run once
on symbols, for every mechanism of a structure, and become straight-line code that takes the masses, inertias, places
and stiffnesses as arguments: the same operations on the same numbers, a tenth of the time. Where a run is long, that
code is compiled as any formula is.
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
"""Of a formula, in that of a usual one, where it is decided whether to compile it."""

MOST_BODIES = 8
"""Bodies up to which code is written: that of more would take longer to write than many runs do."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(componentwise, name) for name in ("divide", "sqrt", "sin", "cos", "atan2", "where")
}


@dataclass(frozen=True)
class _Structure:
    """What the code of a mechanism depends on; mechanisms of one structure differ in numbers alone."""

    key: tuple[Any, ...]
    mechanism: Mechanism = field(compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class Equations:
    """Equations of a mechanism.

    Attributes
    ----------
    constants
        The numbers of the mechanism in the order of the code.
    derivative
        Takes state, constants, values and first derivatives of the signals, and gives the derivative of the state.
    positions
        Takes state and constants, and gives what `constraints.position_step` does, one after the other; None without
        held rows.
    velocities
        The same of `constraints.velocity_step`, with the values of the signals.
    """

    constants: Array
    derivative: Formula
    positions: Formula | None
    velocities: Formula | None

    def rate(self, y: Array, values: Array, rates: Array) -> Array:
        """Return the derivative (n,) of a state (n,) with the signals (c,) of its time; see `signals_of`."""
        return self.derivative.run((y, self.constants, values, rates), ())[0]

    def rate_into(self, y: Array, values: Array, rates: Array, out: Array) -> None:
        """Compute the same into an array (n,)."""
        self.derivative.run_into((y, self.constants, values, rates), out)

    def projected(self, y: Array, values: Array, impact: float) -> list[float] | None:
        """Return a state brought back onto the held constraints, with unit quaternions.

        None where that takes a closer look: rows that are nearly dependent, a miss that does not get smaller, or a
        change of velocities that is an impact. `values` (c,) are those of the signals.
        """
        positions, velocities = self.positions, self.velocities
        if positions is None or velocities is None:
            return None
        n = len(y)
        m = velocities.gives[0][0] - n - 1
        error, size, found = math.inf, 0.0, y
        for _ in range(constraints.MAX_ITERATIONS):
            before, found = error, positions.run((y, self.constants), ())[0]
            error, size = float(np.abs(found[2 * n : -2]).max()), float(found[-2])
            # At rounding another step would only stir.
            if error <= constraints.ROUNDING * size or error > 0.5 * before:
                break
            if not constraints.is_far_from_singular(float(found[-1]), m):
                return None
            y = found[n : 2 * n]
        if not error <= constraints.RANK_TOLERANCE * size:
            return None
        found = velocities.run((found[:n], self.constants, values), ())[0]
        is_clear = constraints.is_far_from_singular(float(found[-1]), m) and np.abs(found[n:-1]).max() <= impact
        return found[:n].tolist() if is_clear else None


def signals_for(mechanism: Mechanism, t: Array) -> tuple[Array, Array]:
    """Return values and first derivatives (k, c) of the signals at times (k,), as the code takes them."""
    if not mechanism.signals:
        none = np.zeros((len(t), 1))
        return none, none
    found = np.concatenate([np.asarray(signal(t)) for signal in mechanism.signals], axis=-1)
    return np.ascontiguousarray(found[0]), np.ascontiguousarray(found[1])


def rate_at(mechanism: Mechanism, equations: Equations | None, t: float, y: Array) -> Array:
    """Return the derivative (n,) of a state (n,) at a time, by its equations where there are such."""
    if equations is None:
        return dynamics.rate(mechanism, t, y)
    values, rates = signals_for(mechanism, np.array([t]))
    return equations.rate(y, values[0], rates[0])


def equations_of(mechanism: Mechanism) -> Equations | None:
    """Return the equations; None of a mechanism that is too large to be written out.

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
    >>> none = np.zeros(1)
    >>> equations_of(mechanism).rate(y, none, none)[[0, 9]]
    array([ 1.  , -9.81])
    """
    if len(mechanism.bodies) > MOST_BODIES or len(mechanism.held) > dynamics.MOST_WRITTEN_OUT:
        return None
    constants = np.array(_constants(mechanism))
    return Equations(constants, *_formulas(_Structure(_key(mechanism), mechanism)))


def n_signals(mechanism: Mechanism) -> int:
    """Return how many numbers of signals the code takes: one at least, as no array of it may be empty."""
    return max(1, sum(mechanism.channels))


@lru_cache(maxsize=64)
def _formulas(structure: _Structure) -> tuple[Formula, Formula | None, Formula | None]:
    mechanism = structure.mechanism
    n, c, s = mechanism.size, len(_constants(mechanism)), n_signals(mechanism)

    def derivative(y: Any, constants: Any, values: Any, rates: Any) -> Sequence[Component]:
        return dynamics.derivative(_with_constants(mechanism, constants), y, (values, rates))

    def positions(y: Any, constants: Any) -> Sequence[Component]:
        return constraints.position_step(_with_constants(mechanism, constants), y)

    def velocities(y: Any, constants: Any, values: Any) -> Sequence[Component]:
        return constraints.velocity_step(_with_constants(mechanism, constants), y, values)

    m = len(mechanism.held)
    derived = _written(derivative, {"y": n, "constants": c, "values": s, "rates": s}, n)
    if not m:
        return derived, None, None
    return (
        derived,
        _written(positions, {"y": n, "constants": c}, 2 * n + m + 2),
        _written(velocities, {"y": n, "constants": c, "values": s}, n + m + 1),
    )


def _written(function: Callable[..., Sequence[Component]], takes: dict[str, int], n_gives: int) -> Formula:
    """Return a function on components as a formula of straight-line code."""
    code = code_of(lambda *given: list(function(*map(list, given))), {name: (size,) for name, size in takes.items()})
    # A state is worth compiling for sooner than a vector is: there is so much more to do for it. Both Python and the
    # compiler go by the step, so that of long formulas it is a number of calls that decides: some 3,000.
    weight = min(max(1.0, len(code.steps) / 100.0), MOST_WEIGHT)
    formula = python_function(code, FUNCTIONS)
    return Formula(formula, tuple((size,) for size in takes.values()), ((n_gives,),), weight=weight)


# --- Numbers and structure


def _key(mechanism: Mechanism) -> tuple[Any, ...]:
    rows = tuple(
        tuple((row.port_1, row.axis_1, row.port_2, row.axis_2, row.channel) for row in each)
        for each in (mechanism.springs, mechanism.forces, mechanism.constraints)
    )
    bodies = tuple((body.is_finite, body.at) for body in mechanism.bodies)
    ports = tuple((port.body, port.axes) for port in mechanism.ports)
    return bodies, ports, rows, mechanism.held, mechanism.channels


def _constants(mechanism: Mechanism) -> list[float]:
    found: list[float] = [mechanism.lever]
    for body in mechanism.bodies:
        found += (body.mass, *body.weight, *body.J, *body.J_inv, *body.R_rest, *body.p_rest)
    for port in mechanism.ports:
        found += (*port.offset, *port.r_rest)
    for row in mechanism.springs:
        found += (row.k, row.d)
    return found


def _with_constants(mechanism: Mechanism, constants: Sequence[Component]) -> Mechanism:
    """Return the mechanism with other numbers, in the order of `_constants`."""
    left = iter(constants)

    def next_ones(n: int) -> tuple[Component, ...]:
        return tuple(next(left) for _ in range(n))

    lever = next(left)
    bodies = tuple(
        replace(
            body,
            mass=next(left),
            weight=next_ones(3),
            J=next_ones(9),
            J_inv=next_ones(9),
            R_rest=next_ones(9),
            p_rest=next_ones(3),
        )
        for body in mechanism.bodies
    )
    ports = tuple(replace(port, offset=next_ones(3), r_rest=next_ones(3)) for port in mechanism.ports)
    springs = tuple(replace(row, k=next(left), d=next(left)) for row in mechanism.springs)
    return replace(mechanism, lever=lever, bodies=bodies, ports=ports, springs=springs)
