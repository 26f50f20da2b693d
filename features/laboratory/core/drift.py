"""Runs of the drift laboratory: an angular velocity integrated with an equation, a method and a step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.integration_steps import METHODS, STEPS, Equation, Method
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import SEQUENCES, Array, as_sequence
from framescope.features.laboratory.core.rate_presets import Choice, LaboratoryError, Rate, attitude_error

MATRIX, QUATERNION, ROTATION_VECTOR = "matrix", "quaternion", "rotation vector"
ANGLES: tuple[str, ...] = SEQUENCES
"""Names of the equations of angles, which are their axis sequences."""

PARAMETER_METHODS: tuple[Method, ...] = ("euler", "rk4")
"""Methods for equations of three parameters. The other methods compose rotations and apply only to rotations."""

MAX_STEPS = 100_000
"""Largest number of steps of a run, as for integrated frames of a scene."""

LOOK = 64
"""Number of steps between two calls of `Stop`."""

Stop = Callable[[], bool]
"""Function that returns whether to stop a run."""

_OF: dict[str, Equation] = {MATRIX: "dcm", QUATERNION: "quaternion"}


@dataclass(frozen=True)
class DriftSettings:
    """Settings of the integration of an angular velocity.

    Attributes
    ----------
    equation
        ``"matrix"``, ``"quaternion"``, ``"rotation vector"``, or the angles of a sequence: ``"ZYX"``.
    method
        Method, one of `methods_of` the equation.
    step
        Step, s.
    every
        Number of steps between re-normalisations to the nearest rotation; 0 for never. A rotation vector is reduced to
        at most half a turn instead. Angles need no re-normalisation.
    """

    equation: str = QUATERNION
    method: Method = "rk4"
    step: float = 0.02
    every: int = 0


@dataclass(frozen=True, eq=False)
class DriftRun:
    """Result of the integration of an orientation.

    Attributes
    ----------
    settings, choice
        Settings of the integration, and the angular velocity.
    t : (n,)
        Times of the steps, s; the last step ends with the time range.
    error : (n,)
        Angle between the nearest rotation and the exact orientation, rad; NaN after an overflow.
    residue : (n,)
        Largest absolute constraint residue; 0 for three parameters, which have no constraints.
    """

    settings: DriftSettings
    choice: Choice
    t: Array
    error: Array
    residue: Array

    @property
    def end_error(self) -> float:
        """Attitude error at the end, rad."""
        return float(self.error[-1])

    @property
    def largest_residue(self) -> float:
        """Largest residue of the run; NaN after an overflow."""
        return float(self.residue.max())

    @property
    def has_residue(self) -> bool:
        """Whether the equation has constraints: six for a matrix, one for a quaternion."""
        return self.settings.equation in _OF


def methods_of(equation: str) -> tuple[Method, ...]:
    """Return the methods that can integrate an equation.

    >>> methods_of("ZYX")
    ('euler', 'rk4')
    """
    return METHODS if equation in _OF else PARAMETER_METHODS


def run_drift(rate: Rate, settings: DriftSettings, stop: Stop = lambda: False) -> DriftRun | None:
    """Integrate an angular velocity and compare the result with the exact orientation.

    Parameters
    ----------
    rate
        Angular velocity with its orientation.
    settings
        Equation, method, step and re-normalisation.
    stop
        Function that returns whether to stop, called regularly.

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
    >>> from framescope.features.laboratory.core.rate_presets import Steady, make_rate
    >>> from framescope.core.scene.schema.model import Scene
    >>> rate = make_rate(Steady((0.0, 0.0, 1.0)), compile_plan(Scene()))
    >>> run = run_drift(rate, DriftSettings("quaternion", "euler", 0.1))
    >>> f"{run.end_error:.4f} {run.largest_residue:.4f}"  # each step turns by 2 atan(0.05), and the norm grows
    '0.0083 0.2836'
    """
    span = rate.end - rate.start
    if not (settings.step > 0.0 and math.isfinite(settings.step)):
        raise LaboratoryError("A step must be longer than zero.", "Use 10 ms.")
    if span / settings.step > MAX_STEPS:
        message = f"{span / settings.step:.3g} steps are more than {MAX_STEPS}."
        raise LaboratoryError(message, "Use a longer step or a shorter time range.")
    n = max(1, math.ceil(span / settings.step - 1e-9))
    times: Array = rate.start + settings.step * np.arange(n + 1, dtype=np.float64)
    times[-1] = rate.end
    return run_at(rate, settings, times, stop)


def run_at(rate: Rate, settings: DriftSettings, times: Array, stop: Stop) -> DriftRun | None:
    """Integrate from the first of the times (n,) with steps that end at the others; see `run_drift`."""
    if settings.equation not in (*_OF, ROTATION_VECTOR, *ANGLES):
        raise LaboratoryError(f'There is no equation "{settings.equation}".')
    if settings.method not in methods_of(settings.equation):
        message, known = f"{settings.method} does not integrate three parameters.", ", ".join(PARAMETER_METHODS)
        raise LaboratoryError(message, f"Use one of: {known}.")
    with np.errstate(all="ignore"):  # an overflow shows as NaN in the error
        result = _states(rate, settings, times, stop)
        if result is None:
            return None
        T, residue = result
        error = attitude_error(_nearest(T), rate.T(times))
    return DriftRun(settings, rate.choice, times, error, np.where(np.isfinite(error), residue, np.nan))


def _states(rate: Rate, settings: DriftSettings, times: Array, stop: Stop) -> tuple[Array, Array] | None:
    """Return the integrated matrices (n, 3, 3) and their largest residues (n,)."""
    T0 = rate.T(times[:1])
    if settings.equation in _OF:
        of = _OF[settings.equation]
        start = T0[0] if of == "dcm" else linear_algebra.quaternion_from_matrix(T0[0], linear_algebra.NO_TURN)
        states = _integrate_linear(rate, settings, of, times, start, stop)
        if states is None:
            return None
        if of == "dcm":
            return states, np.abs(linear_algebra.orientation_residues(states)).max(axis=-1)
        norm2 = linear_algebra.squared_norm(states)
        unit = states / np.sqrt(norm2)[:, np.newaxis]
        return linear_algebra.matrix_from_quaternion(unit), np.abs(norm2 - 1.0)
    if settings.equation == ROTATION_VECTOR:
        states = _integrate_parameters(rate, settings, times, rotation_vector_from_matrix(T0[0]), stop)
        return None if states is None else (axis_rotations.matrix_from_rotation_vector(states), np.zeros(len(times)))
    axes = as_sequence(settings.equation)
    angles = axis_rotations.axes_rotations_angles(axes)(T0[0], np.zeros(()))
    states = _integrate_parameters(rate, settings, times, angles, stop)
    return None if states is None else (axis_rotations.axes_matrix(axes)(states), np.zeros(len(times)))


def _integrate_linear(
    rate: Rate, settings: DriftSettings, of: Equation, times: Array, start: Array, stop: Stop
) -> Array | None:
    """Integrate a matrix or a quaternion. Both equations are linear: a step is a factor that depends on `w` alone."""
    identity = np.eye(3) if of == "dcm" else np.array([0.0, 0.0, 0.0, 1.0])
    steps = np.diff(times)
    identities = np.broadcast_to(identity, (len(steps), *identity.shape))
    factors = STEPS[settings.method](of, lambda t, _: rate.w(t), times[:-1], steps, identities)
    if of == "quaternion":
        return _multiply_quaternions(factors, start, settings.every, stop)
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


def _multiply_quaternions(factors: Array, start: Array, every: int, stop: Stop) -> Array | None:
    """Multiply a quaternion by factors (n, 4) in turn, with plain floats, and return all products (n + 1, 4)."""
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


def _integrate_parameters(rate: Rate, settings: DriftSettings, times: Array, start: Array, stop: Stop) -> Array | None:
    """Integrate three parameters with plain floats, which are faster than small arrays."""
    advance: ParameterStep = stepper(settings.equation, settings.method, settings.every)
    before, half_way, after = (rate.w(t).tolist() for t in (times[:-1], 0.5 * (times[:-1] + times[1:]), times[1:]))
    state = tuple(start.tolist())
    states = [state]
    for k, h in enumerate(np.diff(times).tolist()):
        if k % LOOK == 0 and stop():
            return None
        try:
            state = advance(k, h, state, before[k], half_way[k], after[k])
        except (ZeroDivisionError, OverflowError, ValueError):  # exactly at the lock, or an overflow
            return np.concatenate([states, np.full((len(times) - len(states), 3), np.nan)])
        states.append(state)
    return np.array(states)


def _nearest(T: Array) -> Array:
    """Return the nearest rotations (n, 3, 3); NaN where a matrix is not finite or too large."""
    is_good = np.isfinite(T).all(axis=(1, 2)) & (np.abs(T).max(axis=(1, 2)) < 1e100)
    out = np.full(T.shape, np.nan)
    out[is_good] = nearest_rotation(T[is_good])[0]
    return out


Three = tuple[float, ...]
ParameterStep = Callable[[int, float, Three, list[float], list[float], list[float]], Three]
"""Function of step number, step length, parameters, and the angular velocity before, half-way and after the step."""

_SMALL = 1e-2
"""Length of a rotation vector below which its rate uses a series, rad; the truncation error is below rounding."""

_Rates = Callable[[Three, list[float]], Three]


def stepper(equation: str, method: Method, every: int) -> ParameterStep:
    """Return the step function of ``"rotation vector"`` or of a sequence's angles, by ``"euler"`` or ``"rk4"``."""
    is_vector = equation == "rotation vector"
    rates = rotation_vector_rates if is_vector else angle_rates(equation)
    step = _rk4(rates) if method == "rk4" else _euler(rates)
    if not (is_vector and every):
        return step

    def shorten(k: int, h: float, s: Three, w0: list[float], w1: list[float], w2: list[float]) -> Three:
        state = step(k, h, s, w0, w1, w2)
        return within_half_turn(state) if (k + 1) % every == 0 else state

    return shorten


def angle_rates(sequence: str) -> _Rates:
    """Return the function from angles and angular velocity to the rates of the angles, see `kinematics.euler_rates`.

    >>> angle_rates("XYZ")((0.0, 0.0, 0.0), [1.0, 2.0, 3.0])
    (1.0, 2.0, 3.0)
    """
    e1, e2, e3 = (axis - 1 for axis in as_sequence(sequence))
    m = 3 - e1 - e2
    sign = 1.0 if (e2 - e1) % 3 == 1 else -1.0
    j, k = (e3 + 1) % 3, (e3 + 2) % 3

    def rates(angles: Three, w: list[float]) -> Three:
        c3, s3 = math.cos(angles[2]), math.sin(angles[2])
        u = list(w)
        u[j], u[k] = c3 * w[j] - s3 * w[k], c3 * w[k] + s3 * w[j]
        c2, s2 = math.cos(angles[1]), math.sin(angles[1])
        along_m = sign * u[m]
        if e1 == e3:
            first = along_m / s2
            return first, u[e2], u[e1] - c2 * first
        first = u[e1] / c2
        return first, u[e2], sign * (along_m - s2 * first)

    return rates


def rotation_vector_rates(s: Three, w: list[float]) -> Three:
    """Return ``w + ½ s × w + f s × (s × w)`` with ``f = (1 - r/2 cot(r/2)) / r²`` and `r` the length of `s`.

    The rate is undefined at whole turns.
    """
    x, y, z = s
    a, b, c = y * w[2] - z * w[1], z * w[0] - x * w[2], x * w[1] - y * w[0]
    r2 = x * x + y * y + z * z
    if r2 < _SMALL * _SMALL:
        f = 1.0 / 12.0 + r2 / 720.0 + r2 * r2 / 30240.0
    else:
        half = 0.5 * math.sqrt(r2)
        f = (1.0 - half / math.tan(half)) / r2
    return (
        w[0] + 0.5 * a + f * (y * c - z * b),
        w[1] + 0.5 * b + f * (z * a - x * c),
        w[2] + 0.5 * c + f * (x * b - y * a),
    )


def within_half_turn(s: Three) -> Three:
    """Return the rotation vector of at most half a turn with the same rotation.

    >>> within_half_turn((0.0, 0.0, 2.0 * math.pi))
    (0.0, 0.0, 0.0)
    """
    length = math.sqrt(sum(x * x for x in s))
    if length <= math.pi:
        return s
    shorter = (length - 2.0 * math.pi * round(length / (2.0 * math.pi))) / length
    return s[0] * shorter, s[1] * shorter, s[2] * shorter


def rotation_vector_from_matrix(T: Array) -> Array:
    """Return the rotation vector (3,) of a transformation matrix (3, 3), of at most half a turn, rad."""
    Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
    length = float(np.sqrt(linear_algebra.dot(Q[:3], Q[:3])))
    return Q[:3] * (2.0 if length == 0.0 else 2.0 * math.atan2(length, float(Q[3])) / length)


def _euler(rates: _Rates) -> ParameterStep:
    def step(_k: int, h: float, s: Three, w0: list[float], _w1: list[float], _w2: list[float]) -> Three:
        return _advance(s, h, rates(s, w0))

    return step


def _rk4(rates: _Rates) -> ParameterStep:
    def step(_k: int, h: float, s: Three, w0: list[float], w1: list[float], w2: list[float]) -> Three:
        k1 = rates(s, w0)
        k2 = rates(_advance(s, 0.5 * h, k1), w1)
        k3 = rates(_advance(s, 0.5 * h, k2), w1)
        k4 = rates(_advance(s, h, k3), w2)
        sixth = h / 6.0
        return (
            s[0] + sixth * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]),
            s[1] + sixth * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]),
            s[2] + sixth * (k1[2] + 2.0 * (k2[2] + k3[2]) + k4[2]),
        )

    return step


def _advance(s: Three, h: float, ds: Three) -> Three:
    return s[0] + h * ds[0], s[1] + h * ds[1], s[2] + h * ds[2]
