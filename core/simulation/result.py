"""Result of a simulation: motions, forces and balances at any times.

All results follow from the states between the steps and the equations of motion, so accelerations and forces are exact
for these states. The same times in one call or in many give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.errors import Problem
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.components import plus
from framescope.core.kernels.componentwise import Component
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import Array, as_array
from framescope.core.simulation import balances
from framescope.core.simulation.dense_output import DenseStates
from framescope.core.simulation.dynamics import Evaluation, evaluate_along
from framescope.core.simulation.mechanism import Mechanism
from framescope.core.simulation.system import System
from framescope.core.simulation.termination import Stop
from framescope.core.time_functions.piecewise_polynomial import is_beyond


@dataclass(frozen=True, eq=False)
class Simulation:
    """A run of a system. Make one with `framescope.core.simulation.simulate.simulate`.

    Before and after the time range of the system, bodies rest at their first or last pose, and forces and balances are
    NaN. After `t_end` of a run that stopped early, everything is NaN.

    Attributes
    ----------
    system
        The simulated system.
    t_end
        Last time of the run, s.
    stop
        Reason for an end before the end of the system; None for a complete run.
    findings
        Problems that did not end the run, by kind. ``"redundant"``: other velocity sources already impose the same
        motion. ``"start"``: a body could not start with its authored velocities. ``"missed"``: the steps missed part
        of a force. ``"large angle"``: a small-angle body rotated too far.
    n_steps
        Number of steps of the solver.
    balance
        Largest residuals of energy, momenta and constraints.

    Examples
    --------
    A body that falls for a second:

    >>> from framescope.core.bodies import RigidBody
    >>> from framescope.core.simulation.simulate import simulate
    >>> from framescope.core.simulation.system import SystemBody
    >>> I, o = np.eye(3), np.zeros(3)
    >>> stone = SystemBody("stone", RigidBody(2.0, [1.0, 1.0, 1.0]), "finite", I, o, I, o, o, o)
    >>> run = simulate(System([stone], [], [], [0.0, 0.0, -9.81], 0.0, 1.0))
    >>> T, p, w, v, b, a = run.motion("stone", [0.0, 1.0])
    >>> p[1].round(9), a[1]
    (array([ 0.   ,  0.   , -4.905]), array([ 0.  ,  0.  , -9.81]))
    >>> run.energy([1.0]).potential.round(6)
    array([-96.2361])
    """

    system: System
    t_end: float
    stop: Stop | None
    findings: tuple[Problem, ...]
    n_steps: int
    balance: balances.Balance
    mechanism: Mechanism = field(repr=False)
    states: DenseStates = field(repr=False)
    angles: Mapping[str, float] = field(repr=False)
    last_evaluation: dict[bytes, tuple[Array, Array, Evaluation]] = field(default_factory=dict, init=False, repr=False)

    def motion(self, body: str, t: ArrayLike) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return the motion of a body's frame B in the world W.

        Parameters
        ----------
        body
            Name of the body.
        t : (n,)
            Times, s.

        Returns
        -------
        T : (n, 3, 3)
            Transformation matrix from W into B.
        p, w, v, b, a : (n, 3)
            Position, angular velocity, velocity, angular acceleration, acceleration; `p`, `v`, `a` of the centre of
            mass, in world axes, `w` and `b` resolved in B, SI units.

        Raises
        ------
        ValueError
            When there is no such body, or the times are not finite numbers (n,).

        Notes
        -----
        A small-angle body is drawn rotated from its rest pose by the rotation vector of its three angles. `w` and `b`
        are the exact derivatives of the drawn pose.
        """
        i = _index("body", body, [b.name for b in self.mechanism.bodies])
        time, _, evaluation = self._evaluate(t)
        motion, (a, b) = evaluation.kinematics.bodies[i], evaluation.accelerations[i]
        definition = self.mechanism.bodies[i]
        n = len(time)
        p, v, acceleration = (balances.rows_of(x, n) for x in (plus(motion.u, definition.p_rest), motion.v, a))
        if definition.is_finite:
            T = balances.rows_of(motion.R, n).reshape(n, 3, 3).swapaxes(-1, -2)
            w, der_w = balances.rows_of(motion.w_B, n), balances.rows_of(b, n)
        else:
            T_CB = np.array(definition.R_rest).reshape(3, 3).T
            theta = balances.rows_of(motion.q, n)
            w_C, b_C = rotation_vector_motion(theta, balances.rows_of(motion.w, n), balances.rows_of(b, n))
            T = linear_algebra.multiply_matrices(T_CB, axis_rotations.matrix_from_rotation_vector(theta))
            w, der_w = linear_algebra.apply_matrix(T_CB, w_C), linear_algebra.apply_matrix(T_CB, b_C)
        T, p = self._blank_after_stop(time, T), self._blank_after_stop(time, p)
        w, v, der_w, acceleration = (self._rate_values(time, x) for x in (w, v, der_w, acceleration))
        return T, p, w, v, der_w, acceleration

    def port_forces(self, t: ArrayLike) -> Mapping[str, Array]:
        """Return the total force of all elements on the body at each point.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        mapping of str to (n,) or (n, 3)
            Force along world axes, N, by the name of the point; (n, 3) for a point with the directions XYZ.

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, _, evaluation = self._evaluate(t)
        return self._port_values(time, [tuple(F) for F in evaluation.port_forces], self._run_values)

    def port_velocities(self, t: ArrayLike) -> Mapping[str, Array]:
        """Return the velocity of each point along its directions.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        mapping of str to (n,) or (n, 3)
            Velocity along world axes, m/s, by the name of the point; (n, 3) for a point with the directions XYZ.

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, _, evaluation = self._evaluate(t)
        return self._port_values(time, [port.v for port in evaluation.kinematics.ports], self._rate_values)

    def displacements(self, t: ArrayLike) -> Mapping[str, Array]:
        """Return the displacement of each point from its rest position, along its directions.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        mapping of str to (n,) or (n, 3)
            Displacement along world axes, m, by the name of the point; (n, 3) for a point with the directions XYZ.

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).

        Notes
        -----
        ``p + r - p_rest - r_rest``, and ``u + θ × r`` for a small-angle body.
        """
        time, _, evaluation = self._evaluate(t)
        return self._port_values(time, [port.x for port in evaluation.kinematics.ports], self._blank_after_stop)

    def element_forces(self, t: ArrayLike) -> Mapping[str, Array]:
        """Return the force of each element on the body at its point 1.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        mapping of str to (n,) or (n, 3)
            Force along world axes, N, by the name of the element. Point 2 has the opposite force. The force of a
            velocity source is zero in directions in which other velocity sources already hold the body.

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, _, evaluation = self._evaluate(t)
        forces = {
            "Spring": evaluation.spring_forces,
            "Force": evaluation.source_forces,
            "VelocitySource": evaluation.constraint_forces,
        }
        return {
            element.name: self._run_values(
                time, _squeeze(balances.rows_of([forces[kind][k] for kind, k in rows], len(time)))
            )
            for element, rows in zip(self.mechanism.elements, self.mechanism.rows_of, strict=True)
        }

    def constraint_errors(self, t: ArrayLike) -> Mapping[str, tuple[Array, Array]]:
        """Return the error of each velocity source.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        mapping of str to a pair of (n,) or (n, 3)
            Displacement minus the integrated signal, m, and velocity minus the signal, m/s, by the name of the element.

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, states, evaluation = self._evaluate(t)
        x, v = balances.constraint_errors_of(self.mechanism, time, states, evaluation)
        errors: dict[str, tuple[Array, Array]] = {}
        for element, rows in zip(self.mechanism.elements, self.mechanism.rows_of, strict=True):
            if rows[0][0] == "VelocitySource":
                columns = [k for _, k in rows]
                x_now, v_now = (self._run_values(time, _squeeze(part[:, columns])) for part in (x, v))
                errors[element.name] = x_now, v_now
        return errors

    def energy(self, t: ArrayLike) -> balances.Energy:
        """Return energies and their balance.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        Energy
            Kinetic and potential energy, work, dissipated heat, and the residual since the start, J, each (n,).

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, states, evaluation = self._evaluate(t)
        energies = balances.energies_of(self.mechanism, states, evaluation)
        E_0 = balances.start_of(self.mechanism, self.states)[0]
        kinetic, potential, work, heat = energies
        parts = [self._run_values(time, x) for x in (*energies, kinetic + potential - E_0 - work + heat)]
        return balances.Energy(*parts)

    def momentum(self, t: ArrayLike) -> balances.Momentum:
        """Return the total momenta of all bodies, and their balance.

        Parameters
        ----------
        t : (n,)
            Times, s.

        Returns
        -------
        Momentum
            Linear and angular momentum about the world's origin (n, 3), and the residual since the start (n, 6).

        Raises
        ------
        ValueError
            When the times are not finite numbers (n,).
        """
        time, states, evaluation = self._evaluate(t)
        momenta = balances.momenta_of(self.mechanism, evaluation, len(time))
        impulse = states[:, self.mechanism.totals_at + 2 :]
        residual = momenta - balances.start_of(self.mechanism, self.states)[1] - impulse
        linear, angular, residual = (self._run_values(time, x) for x in (momenta[:, :3], momenta[:, 3:], residual))
        return balances.Momentum(linear, angular, residual)

    def largest_angle(self, body: str) -> float:
        """Return the largest rotation of a small-angle body from its rest pose, at the steps, rad.

        Raises
        ------
        ValueError
            When there is no such body, or its model is finite.
        """
        if body not in self.angles:
            raise ValueError(f"body: expected one with the small-angle model, got {body!r}")
        return self.angles[body]

    def _evaluate(self, t: ArrayLike) -> tuple[Array, Array, Evaluation]:
        """Return times, states and evaluation within the time range; the latest result is cached."""
        time = as_array("t", t)
        if time.ndim != 1:
            raise ValueError(f"t: expected shape (n,), got {time.shape}")
        key = time.tobytes()
        result = self.last_evaluation.get(key)
        if result is None:
            inside = np.minimum(np.clip(time, self.system.start, self.system.end), self.t_end)
            states = self.states(inside)
            with np.errstate(all="ignore"):
                result = (time, states, evaluate_along(self.mechanism, inside, states))
            self.last_evaluation.clear()
            self.last_evaluation[key] = result
        return result

    def _blank_after_stop(self, time: Array, x: Array) -> Array:
        """Return values with NaN after an early end of the run."""
        is_after = np.minimum(time, self.system.end) > self.t_end
        return _fill(x, is_after, np.nan) if is_after.any() else x

    def _rate_values(self, time: Array, x: Array) -> Array:
        """Return rates with zero outside the time range, where bodies are at rest."""
        is_held = is_beyond(time, self.system.start, self.system.end)
        return self._blank_after_stop(time, _fill(x, is_held, 0.0) if is_held.any() else x)

    def _run_values(self, time: Array, x: Array) -> Array:
        """Return values that exist only during a run, with NaN outside the time range."""
        is_held = is_beyond(time, self.system.start, self.system.end)
        return self._blank_after_stop(time, _fill(x, is_held, np.nan) if is_held.any() else x)

    def _port_values(
        self, time: Array, values: list[tuple[Component, ...]], law: Callable[[Array, Array], Array]
    ) -> Mapping[str, Array]:
        return {
            port.name: law(time, _squeeze(balances.rows_of([x[k] for k in port.axes], len(time))))
            for port, x in zip(self.mechanism.ports, values, strict=True)
        }


def angles_of(mechanism: Mechanism, states: Array) -> dict[str, float]:
    """Return the largest angle, rad, of each small-angle body in states (n, size)."""
    return {
        body.name: float(linear_algebra.length(np.ascontiguousarray(states[:, body.at + 3 : body.at + 6])).max())
        for body in mechanism.bodies
        if not body.is_finite
    }


def _fill(x: Array, where: NDArray[np.bool_], value: float) -> Array:
    """Return values (n, ...) with `value` at some of the times (n,)."""
    return np.where(where.reshape(-1, *[1] * (x.ndim - 1)), value, x)


def _squeeze(x: Array) -> Array:
    """Return (n, 1) as (n,)."""
    return x[:, 0] if x.shape[1] == 1 else x


def _index(what: str, name: str, names: list[str]) -> int:
    if name not in names:
        raise ValueError(f"{what}: expected one of {', '.join(names)}, got {name!r}")
    return names.index(name)
