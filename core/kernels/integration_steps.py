"""Integration steps of an orientation with a given angular velocity, by several methods.

A state is a transformation matrix or a quaternion. `w` is the angular velocity of frame 2 relative to frame 1, resolved
in frame 2. A rotation vector `s` changes a state to ``exp(-skew(s)) T`` or ``Q ⊗ exp(s / 2)``. A constant `w` changes
the state by the rotation vector ``h w`` exactly.

References
----------
H. Munthe-Kaas, "High order Runge-Kutta methods on manifolds", 1999. S. Blanes, F. Casas, J. A. Oteo and J. Ros, "The
Magnus expansion and some of its applications", 2009, section 5.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array

Equation = Literal["dcm", "quaternion"]
Method = Literal["euler", "rk4", "exponential", "munthe-kaas-4", "magnus-4", "magnus-6"]

EQUATIONS: tuple[Equation, ...] = ("dcm", "quaternion")
METHODS: tuple[Method, ...] = ("euler", "rk4", "exponential", "munthe-kaas-4", "magnus-4", "magnus-6")
OF_TIME_ONLY: tuple[Method, ...] = ("magnus-4", "magnus-6")
"""Methods that need the angular velocity as a function of time alone, independent of the orientation."""

Velocity = Callable[[Array, Array], Array]
"""Function of times (n,) and states (n, ...) that returns angular velocities (n, 3)."""
Step = Callable[[Equation, Velocity, Array, Array, Array], Array]
"""Function of the equation, the velocity, times (n,), step sizes (n,) and states (n, ...); returns states (n, ...)."""


def derivative(of: Equation, state: Array, w: Array) -> Array:
    """Return ``-skew(w) T`` or ``½ Q ⊗ [w, 0]``."""
    return linear_algebra.matrix_rate(state, w) if of == "dcm" else linear_algebra.quaternion_rate(state, w)


def rotate_state(of: Equation, state: Array, s: Array) -> Array:
    """Return the state rotated by a rotation vector (..., 3)."""
    if of == "dcm":
        return linear_algebra.multiply_matrices(axis_rotations.matrix_from_rotation_vector(s), state)
    return linear_algebra.multiply_quaternions(state, axis_rotations.quaternion_from_rotation_vector(s))


def _euler(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Explicit Euler step, first order."""
    return state + _with_axes_of(h, state) * derivative(of, state, w(t, state))


def _rk4(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Classical Runge-Kutta step on the numbers of the state, fourth order."""

    def rate(time: Array, at: Array) -> Array:
        return derivative(of, at, w(time, at))

    H, half_way = _with_axes_of(h, state), t + 0.5 * h
    k1 = rate(t, state)
    k2 = rate(half_way, state + 0.5 * H * k1)
    k3 = rate(half_way, state + 0.5 * H * k2)
    k4 = rate(t + h, state + H * k3)
    return state + H / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


def _exponential(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Rotation by the angular velocity at mid-step: second order, exact for a constant angular velocity."""
    h_3 = h[..., np.newaxis]
    half_way = rotate_state(of, state, 0.5 * h_3 * w(t, state))
    return rotate_state(of, state, h_3 * w(t + 0.5 * h, half_way))


def _munthe_kaas_4(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Runge-Kutta step of fourth order on the rotation vector of the step."""
    h_3 = h[..., np.newaxis]

    def rate(time: Array, s: Array) -> Array:
        return linear_algebra.rotation_vector_rate(s, w(time, rotate_state(of, state, s)))

    half_way = t + 0.5 * h
    k1 = w(t, state)
    k2 = rate(half_way, 0.5 * h_3 * k1)
    k3 = rate(half_way, 0.5 * h_3 * k2)
    k4 = rate(t + h, h_3 * k3)
    return rotate_state(of, state, h_3 / 6.0 * (k1 + 2.0 * (k2 + k3) + k4))


def _magnus_4(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Magnus step with two Gauss points and one commutator, fourth order."""
    h_3 = h[..., np.newaxis]
    d = np.sqrt(3.0) / 6.0
    w1, w2 = (w(t + c * h, state) for c in (0.5 - d, 0.5 + d))
    s = 0.5 * h_3 * (w1 + w2) + np.sqrt(3.0) / 12.0 * h_3 * h_3 * linear_algebra.cross(w1, w2)
    return rotate_state(of, state, s)


def _magnus_6(of: Equation, w: Velocity, t: Array, h: Array, state: Array) -> Array:
    """Magnus step with three Gauss points and three commutators, sixth order.

    The vectors `a1` to `a3` belong to the generator ``-skew(w)``. Its commutator is the cross product.
    """
    h_3 = h[..., np.newaxis]
    d = np.sqrt(15.0) / 10.0
    A1, A2, A3 = (-w(t + c * h, state) for c in (0.5 - d, 0.5, 0.5 + d))
    a1 = h_3 * A2
    a2 = np.sqrt(15.0) / 3.0 * h_3 * (A3 - A1)
    a3 = 10.0 / 3.0 * h_3 * (A3 - 2.0 * A2 + A1)
    C1 = linear_algebra.cross(a1, a2)
    C2 = -linear_algebra.cross(a1, 2.0 * a3 + C1) / 60.0
    generator = a1 + a3 / 12.0 + linear_algebra.cross(-20.0 * a1 - a3 + C1, a2 + C2) / 240.0
    return rotate_state(of, state, -generator)


STEPS: dict[Method, Step] = {
    "euler": _euler,
    "rk4": _rk4,
    "exponential": _exponential,
    "munthe-kaas-4": _munthe_kaas_4,
    "magnus-4": _magnus_4,
    "magnus-6": _magnus_6,
}
"""Step function of each method."""


def _with_axes_of(h: Array, state: Array) -> Array:
    """Return step sizes (n,) with axes appended, so that they can multiply states (n, ...)."""
    return h.reshape(h.shape + (1,) * (state.ndim - h.ndim))
