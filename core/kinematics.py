"""Kinematic equations of orientation, and their integration in time.

`T` and `Q` take frame 1 into frame 2, and `w` is the angular velocity of frame 2 relative to frame 1,
resolved in frame 2.

References
----------
ReferenceFrameRotations.jl 3.0, ``ddcm`` and ``dquat`` (there the quaternion is scalar first).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import frames, kernels, quaternions, transformation_matrices
from framescope.core.arrays import Array, as_array, as_sequence

Equation = Literal["dcm", "quaternion"]
Method = Literal["euler", "rk4"]
AngularVelocity = Callable[[Array], Array]
"""Takes times (n,) and returns angular velocities (n, 3), resolved in frame 2."""


def ddcm(D_ba: ArrayLike, w_ba_b: ArrayLike) -> Array:
    """Return the time derivative (..., 3, 3) of a transformation matrix, ``-skew(w) @ D``.

    >>> ddcm(np.eye(3), [0.0, 0.0, 1.0])[0]
    array([0., 1., 0.])
    """
    D, w = as_array("D_ba", D_ba, (3, 3)), as_array("w_ba_b", w_ba_b, (3,))
    return kernels.multiply_matrices(-kernels.skew(w), D) + 0.0  # + 0.0 turns -0.0 into 0.0


def dquat(q_ba: ArrayLike, w_ba_b: ArrayLike) -> Array:
    """Return the time derivative (..., 4) of a quaternion, scalar last, ``½ q ⊗ [w, 0]``.

    >>> dquat([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    array([0. , 0. , 0.5, 0. ])
    """
    q, w = as_array("q_ba", q_ba, (4,)), as_array("w_ba_b", w_ba_b, (3,))
    return kernels.multiply_quaternions(q, _half_pure(w))


def singularity_measure(sequence: str | tuple[int, ...], angles: ArrayLike) -> tuple[Array, Array]:
    """Return how near an axis sequence is to its lock, and the condition number of its rate map.

    Returns
    -------
    measure : (...)
        ``|sin angle2|`` when the first and third axes differ, ``|cos angle2|`` when they are the same;
        1 is the lock.
    condition : (...)
        ``sqrt((1 + s) / (1 - s))``, infinite at the lock.

    Examples
    --------
    >>> measure, condition = singularity_measure("XYZ", [0.0, 0.0, 0.0])
    >>> float(measure), float(condition)
    (0.0, 1.0)
    """
    axes = as_sequence(sequence)
    angle2 = as_array("angles", angles, (3,))[..., 1]
    s = np.abs(np.cos(angle2) if axes[0] == axes[2] else np.sin(angle2))
    with np.errstate(divide="ignore"):
        return s, np.sqrt((1.0 + s) / (1.0 - s))


@dataclass(frozen=True, eq=False)
class Integration:
    """An integrated orientation with everything that is needed to evaluate it between its steps.

    Attributes
    ----------
    times : (n,)
        Times of the steps, s.
    states : (n, 3, 3) or (n, 4)
        The integrated matrices or quaternions, as the method left them.
    """

    times: Array
    states: Array
    w: AngularVelocity
    equation: Equation
    method: Method
    renormalize: bool

    def at(self, t: Array) -> Array:
        """Return the state at times (n,): from the step before each, one step of the rest of the way.

        That is what the method itself says there, and it makes the state continuous. Outside the span
        the end states hold.
        """
        t = np.clip(t, self.times[0], self.times[-1])
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 1)
        step = t - self.times[i]
        moved = _advance(self.equation, _increments(self, self.times[i], step), self.states[i])
        if self.renormalize:
            moved = _renormalize(self.equation, moved)
        at_step = step == 0.0
        return np.where(at_step.reshape(-1, *[1] * (moved.ndim - 1)), self.states[i], moved)

    def T(self, t: Array) -> Array:
        """Return the transformation matrix (n, 3, 3) at times (n,), as it stands."""
        state = self.at(t)
        return kernels.matrix_from_quaternion(state) if self.equation == "quaternion" else state


def integrate(
    R0: frames.Orientation,
    w: AngularVelocity,
    times: ArrayLike,
    method: Method = "rk4",
    of: Equation = "dcm",
    renormalize: bool = False,
) -> Integration:
    """Integrate an orientation from an angular velocity that depends on time.

    Parameters
    ----------
    R0 : Orientation
        Orientation at ``times[0]``; its own `w` is not used.
    w
        Function of times (n,) giving the angular velocity (n, 3) of frame 2 relative to frame 1,
        resolved in frame 2, rad/s.
    times : (n,)
        Increasing times of the steps, s.
    method, of
        ``"euler"`` or ``"rk4"``, on ``"dcm"`` (``ddcm``) or ``"quaternion"`` (``dquat``).
    renormalize
        Whether to take the nearest rotation after each step; without it the residues show the drift.

    Raises
    ------
    ValueError
        When `times` does not increase, or `method` or `of` is unknown.

    Notes
    -----
    Both equations are linear in the orientation, so that a step is a factor that depends on `w` alone:
    ``T(t + h) = P T(t)`` and ``Q(t + h) = Q(t) ⊗ p``. The factors of all steps are computed at once.

    Examples
    --------
    >>> run = integrate(frames.null_rotation(), lambda t: np.outer(np.ones_like(t), [0, 0, 1]), [0, 0.5, 1.0])
    >>> float(run.states[-1, 0, 1].round(3)), float(np.sin(1.0).round(3))
    (0.841, 0.841)
    """
    times = as_array("times", times)
    if times.ndim != 1 or len(times) < 1 or not np.all(np.diff(times) > 0.0):
        raise ValueError("times: expected a one-dimensional array of increasing times")
    if method not in ("euler", "rk4"):
        raise ValueError(f"method: expected 'euler' or 'rk4', got {method!r}")
    if of not in ("dcm", "quaternion"):
        raise ValueError(f"of: expected 'dcm' or 'quaternion', got {of!r}")
    state = R0.T if of == "dcm" else frames.to_Q(R0)
    run = Integration(times, state[np.newaxis], w, of, method, renormalize)
    states = np.empty((len(times), *state.shape))
    states[0] = state
    with np.errstate(all="ignore"):  # an orientation that stops being numbers says so in its residues
        for k, increment in enumerate(_increments(run, times[:-1], np.diff(times))):
            states[k + 1] = _advance(of, increment, states[k])
            if renormalize:
                states[k + 1] = _renormalize(of, states[k + 1])
    return Integration(times, states, w, of, method, renormalize)


def _half_pure(w: Array) -> Array:
    """Return the quaternion ``½ [w, 0]``."""
    return np.concatenate([0.5 * w, np.zeros((*w.shape[:-1], 1))], axis=-1)


def _increments(run: Integration, t: Array, h: Array) -> Array:
    """Return the factor of one step of size `h` (n,) from each time `t` (n,): (n, 3, 3) or (n, 4)."""
    if run.equation == "dcm":
        product, one, tail = kernels.multiply_matrices, np.eye(3), (1, 1)
    else:
        product, one, tail = _multiply_quaternions_reversed, np.array([0.0, 0.0, 0.0, 1.0]), (1,)

    def rate(time: Array) -> Array:
        w = run.w(time)
        return -kernels.skew(w) if run.equation == "dcm" else _half_pure(w)

    h = h.reshape(-1, *tail)
    k1 = rate(t)
    if run.method == "euler":
        return one + h * k1
    flat_h = h.reshape(-1)
    a_mid = rate(t + 0.5 * flat_h)
    k2 = product(a_mid, one + 0.5 * h * k1)
    k3 = product(a_mid, one + 0.5 * h * k2)
    k4 = product(rate(t + flat_h), one + h * k3)
    return one + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


def _multiply_quaternions_reversed(a: Array, b: Array) -> Array:
    """``Q' = Q ⊗ a``: the factors stand to the right, so the order of a product is turned round."""
    return kernels.multiply_quaternions(b, a)


def _advance(equation: Equation, increment: Array, state: Array) -> Array:
    if equation == "dcm":
        return kernels.multiply_matrices(increment, state)
    return kernels.multiply_quaternions(state, increment)


def _renormalize(equation: Equation, state: Array) -> Array:
    if equation == "dcm":
        return transformation_matrices.project_to_rotation(state)[0]
    return quaternions.normalize_quaternion(state)
