"""Kinematic equations of orientation, and their integration in time.

`T` and `Q` take frame 1 into frame 2. `w` is the angular velocity of frame 2 relative to frame 1, resolved in frame 2.

References
----------
ReferenceFrameRotations.jl 3.0, ``ddcm`` and ``dquat`` (there the quaternion is scalar first).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.cumulative_products import running_products
from framescope.core.kernels.integration_steps import (
    EQUATIONS,
    METHODS,
    OF_TIME_ONLY,
    STEPS,
    Equation,
    Method,
    Velocity,
)
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array, as_array, as_sequence
from framescope.core.orientation import Orientation, as_orientation, unchecked

UNSURE = 1e7
"""Condition number from which rates of angles are meaningless, because rounding errors dominate."""

AngularVelocity = Callable[..., ArrayLike]
"""Function ``w(t)``, for one time or many at once, or ``w(t, R)``; it returns (..., 3), resolved in frame 2, rad/s."""


def ddcm(D_ba: ArrayLike, w_ba_b: ArrayLike) -> Array:
    """Return the time derivative of a transformation matrix.

    Parameters
    ----------
    D_ba : (..., 3, 3)
        Transformation matrix from frame a into frame b: ``v_b = D_ba @ v_a``.
    w_ba_b : (..., 3)
        Angular velocity of frame b relative to frame a, resolved in frame b, rad/s.

    Returns
    -------
    (..., 3, 3)
        Time derivative of `D_ba`, 1/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``-skew(w) @ D``, also for a drifted `D`.

    Examples
    --------
    >>> ddcm(np.eye(3), [0.0, 0.0, 1.0])[0]
    array([0., 1., 0.])
    """
    D, w = as_array("D_ba", D_ba, (3, 3)), as_array("w_ba_b", w_ba_b, (3,))
    return linear_algebra.matrix_rate(D, w, names=("D_ba", "w_ba_b"))


def dquat(q_ba: ArrayLike, w_ba_b: ArrayLike) -> Array:
    """Return the time derivative of a quaternion.

    Parameters
    ----------
    q_ba : (..., 4)
        Quaternion from frame a into frame b, scalar last.
    w_ba_b : (..., 3)
        Angular velocity of frame b relative to frame a, resolved in frame b, rad/s.

    Returns
    -------
    (..., 4)
        Time derivative of `q_ba`, scalar last, 1/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``½ q ⊗ [w, 0]``, without normalizing `q`. The reference's quaternion is scalar first.

    Examples
    --------
    >>> dquat([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    array([ 0. ,  0. ,  0.5, -0. ])
    """
    q, w = as_array("q_ba", q_ba, (4,)), as_array("w_ba_b", w_ba_b, (3,))
    return linear_algebra.quaternion_rate(q, w, names=("q_ba", "w_ba_b"))


def euler_rates(sequence: str | tuple[int, ...], angles: ArrayLike, w: ArrayLike) -> Array:
    """Return the rates of the angles of an axis sequence for an angular velocity.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Returns
    -------
    (..., 3)
        Rates of the angles, rad/s.

    Raises
    ------
    ValueError
        When `sequence` is invalid, a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Solves ``w = e3 d3 + T3 (e2 d2 + T2 e1 d1)``. The errors grow with the condition number (see `singularity_measure`).
    At gimbal lock, rates 1 and 3 are meaningless: infinite or NaN where angle 2 is exactly 0, and finite but huge at
    pi/2 and pi, which float64 cannot represent.

    Examples
    --------
    >>> from framescope.core import frames
    >>> R = frames.axes_rotations("ZYX", [0.1, 0.2, 0.3], [1.0, 2.0, 3.0])
    >>> euler_rates("ZYX", [0.1, 0.2, 0.3], R.w).round(12)
    array([1., 2., 3.])
    """
    axes = as_sequence(sequence)
    angles, w = as_array("angles", angles, (3,)), as_array("w", w, (3,))
    return axis_rotations.euler_rates(axes)(angles, w, names=("angles", "w"))


def angular_velocity_from_euler_rates(sequence: str | tuple[int, ...], angles: ArrayLike, rates: ArrayLike) -> Array:
    """Return the angular velocity for rates of the angles of an axis sequence.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.
    rates : (..., 3)
        Rates of the angles, rad/s.

    Returns
    -------
    (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When `sequence` is invalid, a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    ``e3 d3 + T3 (e2 d2 + T2 e1 d1)``, with `d` the rates; nowhere singular.

    Examples
    --------
    >>> angular_velocity_from_euler_rates("XYZ", [0.0, 0.0, np.pi / 2], [1.0, 0.0, 0.0]).round(12)
    array([ 0., -1.,  0.])
    """
    axes = as_sequence(sequence)
    angles, rates = as_array("angles", angles, (3,)), as_array("rates", rates, (3,))
    return axis_rotations.axes_rotations(axes)(angles, rates, names=("angles", "rates"))[1]


def singularity_measure(sequence: str | tuple[int, ...], angles: ArrayLike) -> tuple[Array, Array]:
    """Return the nearness of an axis sequence to its lock, and the condition number of its rate map.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad; only the second is used.

    Returns
    -------
    measure : (...)
        ``|sin angle2|`` when the first and third axes differ, ``|cos angle2|`` when they are the same; 1 is gimbal
        lock.
    condition : (...)
        ``sqrt((1 + s) / (1 - s))`` with `s` the measure, from 1 to 2^53; infinite within 2^-52 rad of gimbal lock.

    Raises
    ------
    ValueError
        When `sequence` is invalid, or `angles` has a wrong shape or is not finite.

    Notes
    -----
    The condition number is computed as ``(1 + s) / sqrt(1 - s²)``. The root is the cosine for a sine `s` and vice
    versa, so that nothing cancels near gimbal lock. It is infinite only where the root is at most 2^-52, about 2.2e-16,
    as at the float64 values of pi/2, 0 and pi. The measure is less informative there: it is 1 to the last bit within
    about 1e-8 rad of gimbal lock.

    Examples
    --------
    >>> measure, condition = singularity_measure("XYZ", [0.0, 0.0, 0.0])
    >>> float(measure), float(condition)
    (0.0, 1.0)
    >>> float(singularity_measure("XYZ", [0.0, np.pi / 2, 0.0])[1])
    inf
    """
    return axis_rotations.nearness(as_sequence(sequence)).checked(("angles",), angles)


@dataclass(frozen=True, eq=False)
class Integration:
    """An integrated orientation, with all data required to evaluate it between its steps.

    It unpacks into ``orientations, residues``.

    Attributes
    ----------
    times : (n,)
        Times of the steps, s.
    states : (n, ..., 3, 3) or (n, ..., 4)
        Integrated matrices or quaternions from frame 1 into frame 2, with their drift.
    orientations : Orientation
        `states` as orientations (n, ...), with their angular velocities.
    residues : (n, ..., 6) or (n, ..., 1)
        Constraint residues of `states` at every step.
    of
        Integrated quantity, ``"dcm"`` or ``"quaternion"``.
    method
        Name of the method.
    renormalize
        Whether each step ended with the nearest rotation.

    Examples
    --------
    >>> from framescope.core import frames
    >>> turning = integrate(frames.null_rotation(), lambda t: [0, 0, 1], [0.0, 1.0], of="quaternion")
    >>> orientations, residues = turning
    >>> turning.states.shape, orientations.T.shape, residues.shape
    ((2, 4), (2, 3, 3), (2, 1))
    """

    times: Array
    states: Array
    orientations: Orientation
    residues: Array
    of: Equation
    method: Method
    renormalize: bool
    _w: Velocity
    _is_of_time: bool

    def __iter__(self) -> Iterator[Orientation | Array]:
        yield self.orientations
        yield self.residues

    def at(self, t: ArrayLike) -> Array:
        """Return the integrated matrices or quaternions at any time or times.

        Parameters
        ----------
        t : () or (m,)
            One time, or times in any order, s. Outside the span of the steps the end states are returned.

        Returns
        -------
        (m, ..., 3, 3) or (m, ..., 4)
            States from frame 1 into frame 2, with their drift; without the axis of times for a single time.

        Raises
        ------
        ValueError
            When `t` has two axes or more or is not finite, or `w` does not return three numbers at one of the times.

        Notes
        -----
        The method takes one shorter step from the last step before each time, which makes the state continuous. At the
        times of the steps, the result has the bits of `states`.

        Examples
        --------
        >>> from framescope.core import frames
        >>> turning = integrate(frames.null_rotation(), lambda t: [0, 0, 1], [0.0, 1.0], "exponential", "quaternion")
        >>> turning.at(0.5).round(4)
        array([0.    , 0.    , 0.2474, 0.9689])
        >>> turning.at([0.0, 0.5, 1.0]).shape
        (3, 4)
        """
        t = as_array("t", t)
        if t.ndim > 1:
            raise ValueError(f"t: expected times (n,) or one time, got shape {t.shape}")
        states = self._at(np.clip(t.reshape(-1), self.times[0], self.times[-1]))
        return states if t.ndim else states[0]

    def T(self, t: ArrayLike) -> Array:
        """Return the transformation matrices at any time or times.

        Parameters
        ----------
        t : () or (m,)
            One time, or times in any order, s. Outside the span of the steps the end states are returned.

        Returns
        -------
        (m, ..., 3, 3)
            Transformation matrices from frame 1 into frame 2, with their drift; without the axis of times for a single
            time.

        Raises
        ------
        ValueError
            When `t` has two axes or more or is not finite, or `w` does not return three numbers at one of the times.

        Notes
        -----
        Matrices of the states of `at`. A quaternion that has drifted from unit length gives no rotation.

        Examples
        --------
        >>> from framescope.core import frames
        >>> turning = integrate(frames.null_rotation(), lambda t: [0, 0, 1], [0.0, 1.0], "exponential")
        >>> turning.T(0.5)[0].round(4)
        array([0.8776, 0.4794, 0.    ])
        >>> turning.T([0.0, 0.5, 1.0]).shape
        (3, 3, 3)
        """
        return _matrices(self.of, self.at(t))

    def _at(self, t: Array) -> Array:
        """Return the states at times (m,)."""
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 1)
        step = t - self.times[i]
        with np.errstate(all="ignore"):
            states = self._advance(self.times[i], step, self.states[i])
            if self.renormalize:
                states = _renormalize(self.of, states)
        is_at_step = step == 0.0
        return np.where(is_at_step.reshape(-1, *[1] * (states.ndim - 1)), self.states[i], states)

    def _advance(self, t: Array, h: Array, states: Array) -> Array:
        """Return states advanced by steps `h` (m,) from times `t` (m,)."""
        step_function = STEPS[self.method]
        if not self._is_of_time:
            steps = [step_function(self.of, self._w, *step) for step in zip(t, h, states, strict=True)]
            return np.reshape(steps, states.shape)
        factors = step_function(self.of, self._w, t, h, _identities(self.of, len(t)))
        between = (1,) * (states.ndim - factors.ndim)
        return _multiply(self.of, factors.reshape(len(t), *between, *factors.shape[1:]), states)


def integrate(
    R0: Orientation,
    w: AngularVelocity,
    times: ArrayLike,
    method: Method = "rk4",
    of: Equation = "dcm",
    renormalize: bool = False,
) -> Integration:
    """Integrate an orientation from its angular velocity.

    Parameters
    ----------
    R0 : Orientation
        Orientation (...) at ``times[0]``; its own `w` is not used.
    w
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s: ``w(t)`` returning (3,) for a time,
        or (n, 3) for times (n,), which is faster; or ``w(t, R)`` returning (..., 3), when it depends on the
        orientation.
    times : (n,)
        Increasing times of the steps, s.
    method
        ``"euler"`` (explicit, first order) and ``"rk4"`` (fourth) integrate the kinematic equation, and their states
        drift off rotations. ``"exponential"`` (second, exact for a constant `w`), ``"munthe-kaas-4"`` (fourth),
        ``"magnus-4"`` and ``"magnus-6"`` (fourth and sixth, for ``w(t)`` only) rotate by a rotation vector, and their
        states stay rotations up to rounding.
    of
        ``"dcm"`` (``ddcm``) or ``"quaternion"`` (``dquat``).
    renormalize
        Whether to replace the state by the nearest rotation after each step. Otherwise the residues show the drift.

    Returns
    -------
    Integration
        Orientations and residues at every time, and the orientation at any time between.

    Raises
    ------
    ValueError
        When `R0` is not an `Orientation`, `times` is not a finite increasing series, `method` or `of` is unknown, a
        Magnus method is combined with ``w(t, R)``, or `w` does not return three numbers.

    Notes
    -----
    Both equations are linear in the orientation. For ``w(t)`` a step is therefore a factor that depends on `w` alone,
    ``T(t + h) = P T(t)`` and ``Q(t + h) = Q(t) ⊗ p``. The factors of all steps are computed at once.

    Examples
    --------
    >>> from framescope.core import frames
    >>> orientations, residues = integrate(frames.null_rotation(), lambda t: [0, 0, 1], [0, 0.5, 1.0], "exponential")
    >>> float(orientations.T[-1, 0, 1].round(12)) == float(np.sin(1.0).round(12)), residues.shape
    (True, (3, 6))
    """
    R0 = as_orientation("R0", R0)
    times = as_array("times", times)
    if times.ndim != 1 or len(times) < 1:
        raise ValueError(f"times: expected a one-dimensional array of increasing times, got shape {times.shape}")
    if not np.all(np.diff(times) > 0.0):
        i = int(np.argmin(np.diff(times) > 0.0))
        raise ValueError(f"times: expected increasing times, got {times[i]:g} s before {times[i + 1]:g} s at {i}")
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if of not in EQUATIONS:
        raise ValueError(f"of: expected 'dcm' or 'quaternion', got {of!r}")
    n_arguments = _count_arguments(w)
    if n_arguments not in (1, 2):
        raise ValueError(f"w: expected a function w(t) or w(t, R), got one of {n_arguments} arguments")
    is_of_time = n_arguments == 1
    if method in OF_TIME_ONLY and not is_of_time:
        raise ValueError(f"method: {method} needs w(t), got w(t, R); 'munthe-kaas-4' takes it")
    velocity = _velocity_of_time(w, times) if is_of_time else _velocity_of_orientation(w, of)
    state = R0.T if of == "dcm" else linear_algebra.quaternion_from_matrix(R0.T, linear_algebra.NO_TURN)
    with np.errstate(all="ignore"):  # overflows of an orientation are visible in its residues
        if is_of_time:
            rates = velocity(times, state)
            states = _chain_factors(of, method, _cache_velocity(times, rates, velocity), times, state, renormalize)
            rates = rates.reshape(len(times), *[1] * (R0.T.ndim - 2), 3)
        else:
            states = _step_in_loop(of, method, velocity, times, state, renormalize)
            rates = np.stack([velocity(t, at) for t, at in zip(times, states, strict=True)])
        T = _matrices(of, states)
        orientations = unchecked((T, np.broadcast_to(rates, T.shape[:-1])))
        residues = (
            linear_algebra.orientation_residues(states)
            if of == "dcm"
            else linear_algebra.squared_norm(states)[..., None] - 1.0
        )
    return Integration(times, states, orientations, residues, of, method, renormalize, velocity, is_of_time)


def _step_in_loop(of: Equation, method: Method, w: Velocity, times: Array, state: Array, renormalize: bool) -> Array:
    """Return the states (n + 1, ...) of n steps, each computed from the one before."""
    step_function = STEPS[method]
    states = np.empty((len(times), *state.shape))
    states[0] = state
    for k, h in enumerate(np.diff(times)):
        states[k + 1] = step_function(of, w, times[k], h, states[k])
        if renormalize:
            states[k + 1] = _renormalize(of, states[k + 1])
    return states


def _chain_factors(of: Equation, method: Method, w: Velocity, times: Array, state: Array, renormalize: bool) -> Array:
    """Return the states (n + 1, ...) of n steps by products of their factors and the first state.

    The rotation nearest to a factor times a rotation is the rotation nearest to the factor, times the rotation. After
    the first step it is therefore enough to normalize the factors; rounding errors are removed at the end.
    """
    if len(times) == 1:
        return state[np.newaxis]
    steps = np.diff(times)
    factors = STEPS[method](of, w, times[:-1], steps, _identities(of, len(steps)))
    if not renormalize:
        return _products(of, factors, state)
    first = _renormalize(of, _multiply(of, factors[0], state))
    later_states = _products(of, _renormalize(of, factors[1:]), first)
    return np.concatenate((state[np.newaxis], _renormalize(of, later_states)))


def _products(of: Equation, factors: Array, state: Array) -> Array:
    """Return the first state and its products with the first 1 to n factors, (n + 1, ...), without normalization."""
    if of == "dcm":
        columns = np.moveaxis(state, -2, 0)
        products = running_products(factors, columns.reshape(3, -1))
        return np.moveaxis(products.reshape(-1, *columns.shape), 1, -2)
    columns = np.moveaxis(state, -1, 0)
    products = running_products(np.tensordot(factors, _TIMES, axes=1), columns.reshape(4, -1))
    return np.moveaxis(products.reshape(-1, *columns.shape), 1, -1)


_TIMES = np.moveaxis(linear_algebra.multiply_quaternions(np.eye(4)[:, np.newaxis], np.eye(4)), 0, -1)
"""Tensor for which ``p @ _TIMES`` is the matrix (4, 4) that maps Q to ``Q ⊗ p``."""


def _identities(of: Equation, n: int) -> Array:
    """Return n states of no rotation."""
    identity = np.eye(3) if of == "dcm" else np.array([0.0, 0.0, 0.0, 1.0])
    return np.broadcast_to(identity, (n, *identity.shape))


def _multiply(of: Equation, factors: Array, states: Array) -> Array:
    """Return the products of factors and states, in the order of the equation."""
    if of == "dcm":
        return linear_algebra.multiply_matrices(factors, states)
    return linear_algebra.multiply_quaternions(states, factors)


def _matrices(of: Equation, states: Array) -> Array:
    """Return states as matrices."""
    return states if of == "dcm" else linear_algebra.matrix_from_quaternion(states)


def _renormalize(of: Equation, state: Array) -> Array:
    """Return the nearest rotations; states that are not finite are unchanged."""
    if of == "quaternion":
        return linear_algebra.normalize_quaternion(state)
    is_finite = np.isfinite(state).all(axis=(-2, -1), keepdims=True)
    return np.where(is_finite, nearest_rotation(np.where(is_finite, state, np.eye(3)))[0], state)


def _count_arguments(w: AngularVelocity) -> int:
    """Return the number of required arguments of a function, 1 for a function with only optional arguments."""
    if not callable(w):
        raise ValueError(f"w: expected a function w(t) or w(t, R), got {type(w).__name__}")  # noqa: TRY004
    try:
        parameters = inspect.signature(w).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = sum(p.kind in positional and p.default is inspect.Parameter.empty for p in parameters)
    takes_any = any(p.kind in (*positional, inspect.Parameter.VAR_POSITIONAL) for p in parameters)
    return 1 if required == 0 and takes_any else required


def _velocity_of_time(w: Callable[..., ArrayLike], times: Array) -> Velocity:
    """Return `w` as a function of many times, whether it accepts one time or many."""
    try:
        is_of_many = np.shape(w(times[[0, -1]])) == (2, 3)
    except Exception:  # noqa: BLE001  the call with a single time reports the error
        is_of_many = False

    def velocity(t: Array, _state: Array) -> Array:
        if is_of_many and t.size:
            return _triples("w(t)", w(t), t.shape)
        return np.array([_triples("w(t)", w(time), ()) for time in t.tolist()]).reshape(*t.shape, 3)

    return velocity


def _cache_velocity(times: Array, rates: Array, velocity: Velocity) -> Velocity:
    """Return a velocity as a function of time, with known values at the ends of steps and the latest others cached."""
    known = [(times[:-1], rates[:-1]), (times[1:], rates[1:])]

    def cached_velocity(t: Array, state: Array) -> Array:
        for known_times, rates_at_times in known:
            if np.array_equal(t, known_times):
                return rates_at_times
        known[2:] = [(t, velocity(t, state))]
        return known[2][1]

    return cached_velocity


def _velocity_of_orientation(w: Callable[..., ArrayLike], of: Equation) -> Velocity:
    """Return `w` as a function of a time and states."""

    def velocity(t: Array, state: Array) -> Array:
        T = _matrices(of, state)
        return _triples("w(t, R)", w(float(t), unchecked((T, np.zeros(T.shape[:-1])))), T.shape[:-2])

    return velocity


def _triples(name: str, rates: ArrayLike, leading: tuple[int, ...]) -> Array:
    """Return the result of `w` as (*leading, 3), or raise `ValueError`; residues show numbers that are infinite."""
    shape = np.shape(rates)
    is_real = np.asarray(rates).dtype.kind in "fiu"
    if not is_real or shape[-1:] != (3,) or shape[:-1] not in ((), leading):
        hint = "; a rate for each of many orientations needs w(t, R)" if name == "w(t)" and len(shape) > 1 else ""
        got = f"shape {shape}" if is_real else f"{np.asarray(rates).dtype}"
        raise ValueError(f"{name}: expected three real numbers, rad/s, got {got}{hint}")
    return np.broadcast_to(np.asarray(rates, dtype=np.float64), (*leading, 3))
