"""One run of the drift laboratory: an angular velocity integrated by an equation, a method and a step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from framescope.core.analysis.laboratory.parameter_steps import ParameterStep, rotation_vector_from_matrix, stepper
from framescope.core.analysis.laboratory.rate_presets import Choice, LaboratoryError, Rate, attitude_error
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.integration_steps import METHODS, STEPS, Equation, Method
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import SEQUENCES, Array, as_sequence

MATRIX, QUATERNION, ROTATION_VECTOR = "matrix", "quaternion", "rotation vector"
ANGLES: tuple[str, ...] = SEQUENCES
"""Equations of angles have the name of their sequence."""

PARAMETER_METHODS: tuple[Method, ...] = ("euler", "rk4")
"""Methods of equations of three parameters: those that turn by a rotation vector are for rotations."""

MAX_STEPS = 100_000
"""Steps of one run, as of an integrated frame of a scene."""

LOOK = 64
"""Steps after which a run looks whether it is still wanted."""

Stop = Callable[[], bool]
"""Whether the result is not wanted any more."""

_OF: dict[str, Equation] = {MATRIX: "dcm", QUATERNION: "quaternion"}


@dataclass(frozen=True)
class DriftSettings:
    """Settings of the integration of an angular velocity.

    Attributes
    ----------
    equation
        ``"matrix"``, ``"quaternion"``, ``"rotation vector"``, or the angles of a sequence: ``"ZYX"``.
    method
        One of `methods_of` the equation.
    step
        Step, s.
    every
        After how many steps the nearest rotation is taken; 0 for never. A rotation vector is taken back within half a
        turn then. Angles are always those of a rotation.
    """

    equation: str = QUATERNION
    method: Method = "rk4"
    step: float = 0.02
    every: int = 0


@dataclass(frozen=True, eq=False)
class Run:
    """Result of the integration of an orientation.

    Attributes
    ----------
    settings, choice
        What was integrated, and how.
    t : (n,)
        Times of the steps, s; the last step ends with the time range.
    error : (n,)
        Angle between the nearest rotation and the exact orientation, rad; NaN where there are no numbers any more.
    residue : (n,)
        The largest constraint residue, absolute; 0 of three parameters, which have none.
    """

    settings: DriftSettings
    choice: Choice
    t: Array
    error: Array
    residue: Array

    @property
    def end_error(self) -> float:
        """The attitude error at the end, rad."""
        return float(self.error[-1])

    @property
    def largest_residue(self) -> float:
        """The largest residue of all; NaN where numbers ran out."""
        return float(self.residue.max())

    @property
    def has_residue(self) -> bool:
        """Whether what was integrated has constraints: a matrix six, a quaternion one."""
        return self.settings.equation in _OF


def methods_of(equation: str) -> tuple[Method, ...]:
    """Return the methods that an equation can be integrated with.

    >>> methods_of("ZYX")
    ('euler', 'rk4')
    """
    return METHODS if equation in _OF else PARAMETER_METHODS


def run_drift(rate: Rate, settings: DriftSettings, stop: Stop = lambda: False) -> Run | None:
    """Integrate an angular velocity and compare it with the orientation it should lead to.

    Parameters
    ----------
    rate
        The angular velocity with its orientation.
    settings
        Equation, method, step and re-normalisation.
    stop
        Asked now and then whether the result is not wanted any more.

    Returns
    -------
    Run or None
        None when it was stopped.

    Raises
    ------
    LaboratoryError
        When the equation or method is unknown, or the step is not positive or too short.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.analysis.laboratory.rate_presets import Steady, make_rate
    >>> from framescope.core.scene.schema.model import Scene
    >>> rate = make_rate(Steady((0.0, 0.0, 1.0)), compile_plan(Scene()))
    >>> run = run_drift(rate, DriftSettings("quaternion", "euler", 0.1))
    >>> f"{run.end_error:.4f} {run.largest_residue:.4f}"  # a fixed axis: each step turns 2 atan(0.05), and grows
    '0.0083 0.2836'
    """
    span = rate.end - rate.start
    if not (settings.step > 0.0 and math.isfinite(settings.step)):
        raise LaboratoryError("A step is longer than zero.", "Use 10 ms.")
    if span / settings.step > MAX_STEPS:
        raise LaboratoryError(
            f"{span / settings.step:.3g} steps are more than {MAX_STEPS}.", "Use a longer step or a shorter time range."
        )
    n = max(1, math.ceil(span / settings.step - 1e-9))
    times: Array = rate.start + settings.step * np.arange(n + 1, dtype=np.float64)
    times[-1] = rate.end
    return run_at(rate, settings, times, stop)


def run_at(rate: Rate, settings: DriftSettings, times: Array, stop: Stop) -> Run | None:
    """Return the run with steps that end at given times (n,), from the first on; see `run_drift`."""
    if settings.equation not in (*_OF, ROTATION_VECTOR, *ANGLES):
        raise LaboratoryError(f'There is no equation "{settings.equation}".')
    if settings.method not in methods_of(settings.equation):
        raise LaboratoryError(
            f"{settings.method} does not integrate three parameters.",
            f"Use one of: {', '.join(PARAMETER_METHODS)}.",
        )
    with np.errstate(all="ignore"):  # numbers that run out say so in the error
        found = _states(rate, settings, times, stop)
        if found is None:
            return None
        T, residue = found
        error = attitude_error(_nearest(T), rate.T(times))
    return Run(settings, rate.choice, times, error, np.where(np.isfinite(error), residue, np.nan))


def _states(rate: Rate, settings: DriftSettings, times: Array, stop: Stop) -> tuple[Array, Array] | None:
    """Return matrices (n, 3, 3) as integrated and the largest residues (n,)."""
    T0 = rate.T(times[:1])
    if settings.equation in _OF:
        of = _OF[settings.equation]
        start = T0[0] if of == "dcm" else linear_algebra.quaternion_from_matrix(T0[0], linear_algebra.NO_TURN)
        states = _factored(rate, settings, of, times, start, stop)
        if states is None:
            return None
        if of == "dcm":
            return states, np.abs(linear_algebra.orientation_residues(states)).max(axis=-1)
        norm2 = linear_algebra.squared_norm(states)
        unit = states / np.sqrt(norm2)[:, np.newaxis]
        return linear_algebra.matrix_from_quaternion(unit), np.abs(norm2 - 1.0)
    if settings.equation == ROTATION_VECTOR:
        states = _parameters(rate, settings, times, rotation_vector_from_matrix(T0[0]), stop)
        return None if states is None else (axis_rotations.matrix_from_rotation_vector(states), np.zeros(len(times)))
    axes = as_sequence(settings.equation)
    angles = axis_rotations.axes_rotations_angles(axes)(T0[0], np.zeros(()))
    states = _parameters(rate, settings, times, angles, stop)
    return None if states is None else (axis_rotations.axes_matrix(axes)(states), np.zeros(len(times)))


def _factored(
    rate: Rate, settings: DriftSettings, of: Equation, times: Array, start: Array, stop: Stop
) -> Array | None:
    """Integrate a matrix or a quaternion: both equations are linear, a step is a factor that depends on `w` alone."""
    one = np.eye(3) if of == "dcm" else np.array([0.0, 0.0, 0.0, 1.0])
    steps = np.diff(times)
    identities = np.broadcast_to(one, (len(steps), *one.shape))
    factors = STEPS[settings.method](of, lambda t, _: rate.w(t), times[:-1], steps, identities)
    if of == "quaternion":
        return _multiplied(factors, start, settings.every, stop)
    states = np.empty((len(times), 3, 3))
    state = states[0] = start
    for k in range(len(steps)):
        if k % LOOK == 0 and stop():
            return None
        state = factors[k] @ state
        if settings.every and (k + 1) % settings.every == 0 and np.isfinite(state).all():
            state = nearest_rotation(state)[0]
        states[k + 1] = state
    return states


def _multiplied(factors: Array, start: Array, every: int, stop: Stop) -> Array | None:
    """Return the products (n + 1, 4) of a quaternion by factors (n, 4), one after the other, in plain numbers."""
    x, y, z, s = start.tolist()
    states = [(x, y, z, s)]
    for k, (a, b, c, d) in enumerate(factors.tolist()):
        if k % LOOK == 0 and stop():
            return None
        x, y, z, s = (
            s * a + x * d + y * c - z * b,
            s * b + y * d + z * a - x * c,
            s * c + z * d + x * b - y * a,
            s * d - x * a - y * b - z * c,
        )
        if every and (k + 1) % every == 0:
            length = math.sqrt(x * x + y * y + z * z + s * s)
            x, y, z, s = x / length, y / length, z / length, s / length
        states.append((x, y, z, s))
    return np.array(states)


def _parameters(rate: Rate, settings: DriftSettings, times: Array, start: Array, stop: Stop) -> Array | None:
    """Integrate three parameters, in plain numbers: a step is too little work for arrays."""
    advance: ParameterStep = stepper(settings.equation, settings.method, settings.every)
    before, half_way, after = (rate.w(t).tolist() for t in (times[:-1], 0.5 * (times[:-1] + times[1:]), times[1:]))
    state = tuple(start.tolist())
    states = [state]
    for k, h in enumerate(np.diff(times).tolist()):
        if k % LOOK == 0 and stop():
            return None
        try:
            state = advance(k, h, state, before[k], half_way[k], after[k])
        except (ZeroDivisionError, OverflowError, ValueError):  # exactly in the lock, or beyond all numbers
            return np.concatenate([states, np.full((len(times) - len(states), 3), np.nan)])
        states.append(state)
    return np.array(states)


def _nearest(T: Array) -> Array:
    """Return the nearest rotations (n, 3, 3); NaN where there are no numbers."""
    is_good = np.isfinite(T).all(axis=(1, 2)) & (np.abs(T).max(axis=(1, 2)) < 1e100)
    out = np.full(T.shape, np.nan)
    out[is_good] = nearest_rotation(T[is_good])[0]
    return out
