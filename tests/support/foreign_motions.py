"""Random motions of a body, by NumPy and SciPy alone: wheeled, flying, hand-held and on an arm; lively and quiet.

Angles and speeds are splines, so that poses, velocities and accelerations exist at any time. B is the body (x forward,
y left, z up), W the world (z up).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.interpolate import BSpline, CubicHermiteSpline, make_interp_spline
from scipy.spatial.transform import Rotation

Array = np.ndarray
Random = np.random.Generator

KINDS = ("wheeled", "flying", "hand-held", "arm")
"""Bodies."""

QUIET = ("parked", "straight", "slow")
"""Motions that excite little."""

G = np.array([0.0, 0.0, 9.80665])
"""Upward reaction to gravity in the world, m/s²."""

MARGIN_S = 3.0
"""Time before the start and after the end for which motions are defined, s."""

STEP_S = 1e-3
"""Half of the interval of central differences, s."""


@dataclass(frozen=True)
class Motion:
    """Motion of a body from 0 s to `duration`."""

    kind: str
    liveliness: str
    duration: float
    turn: Callable[[Array], Rotation]
    """R_WB at times."""
    place: Callable[[Array], Array]
    """p_WB at times, m."""
    velocity: Callable[[Array], Array]
    """Derivative of `place`, m/s."""
    acceleration: Callable[[Array], Array]
    """Derivative of `velocity`, m/s²."""

    def rate(self, t: Array) -> Array:
        """Return the angular velocity of B relative to W, resolved in B, rad/s."""
        return (self.turn(t - STEP_S).inv() * self.turn(t + STEP_S)).as_rotvec() / (2.0 * STEP_S)

    def angular_acceleration(self, t: Array) -> Array:
        """Return the derivative of `rate`, rad/s²."""
        h = 10.0 * STEP_S
        return (self.rate(t + h) - self.rate(t - h)) / (2.0 * h)

    def specific_force(self, t: Array, lever: Array) -> Array:
        """Return the specific force at a point of the body, resolved in B, m/s²."""
        w, a = self.rate(t), self.angular_acceleration(t)
        swing = np.cross(a, lever) + np.cross(w, np.cross(w, lever))
        return self.turn(t).inv().apply(self.acceleration(t) + G) + swing


def motion(rng: Random, kind: str, liveliness: str = "lively", duration: float = 60.0) -> Motion:
    """Return a random motion; `liveliness` is ``"lively"``, ``"one axis"`` or one of `QUIET`."""
    if kind == "wheeled":
        return _wheeled(rng, liveliness, duration)
    if kind == "flying":
        return _flying(rng, liveliness, duration)
    return _held(rng, kind, liveliness, duration)


def random_spline(rng: Random, duration: float, step: float, sigma: float | Array) -> BSpline:
    """Return a quintic spline through normal numbers, `step` seconds apart; a column for each entry of `sigma`."""
    knots = _knots(duration, step)
    return _spline(knots, rng.normal(size=(len(knots), *np.shape(sigma))) * sigma)


def _knots(duration: float, step: float) -> Array:
    n = int(np.ceil((duration + 2.0 * MARGIN_S) / step)) + 6
    return -MARGIN_S + step * (np.arange(n) - 2.0)


def _spline(knots: Array, values: Array) -> Any:
    return make_interp_spline(knots, values, k=5)


def _wheeled(rng: Random, liveliness: str, duration: float) -> Motion:
    fastest = float(rng.uniform(0.5, 3.0))
    bumps = np.radians(rng.uniform(0.2, 1.5))
    turning = float(rng.uniform(0.3, 0.9))
    speed_knots = _knots(duration, float(rng.uniform(2.0, 4.0)))
    speeds = rng.uniform(0.0, fastest, len(speed_knots)) * (rng.random(len(speed_knots)) < 0.8)
    if liveliness == "parked":
        bumps, turning, speeds = 0.0, 0.0, 0.0 * speeds
    elif liveliness == "straight":
        bumps, turning, speeds = np.radians(0.1), 0.0, 0.5 * fastest + 0.02 * speeds
    elif liveliness == "slow":
        bumps, turning, speeds = np.radians(0.1), 0.01, 0.05 + 0.02 * speeds
    speed = _spline(speed_knots, speeds)
    yaw = random_spline(rng, duration, float(rng.uniform(1.5, 4.0)), turning).antiderivative()
    first = float(rng.uniform(-np.pi, np.pi))
    tilt = random_spline(rng, duration, 0.5, np.array([bumps, bumps]))
    still = np.radians(rng.normal(0.0, 0.5, 2))

    def turn(t: Array) -> Rotation:
        return Rotation.from_euler("ZYX", np.column_stack([first + yaw(t), tilt(t) + still]))

    def velocity(t: Array) -> Array:
        return turn(t).apply(np.column_stack([speed(t), 0.0 * t, 0.0 * t]))

    def acceleration(t: Array) -> Array:
        return (velocity(t + STEP_S) - velocity(t - STEP_S)) / (2.0 * STEP_S)

    grid = np.arange(-MARGIN_S, duration + MARGIN_S, 0.005)
    along = velocity(grid)
    place = CubicHermiteSpline(grid, cumulative_simpson(along, x=grid, axis=0, initial=np.zeros((1, 3))), along)
    return Motion("wheeled", liveliness, duration, turn, place, velocity, acceleration)


def _flying(rng: Random, liveliness: str, duration: float) -> Motion:
    step = float(rng.uniform(1.5, 3.0))
    reach, turning = float(rng.uniform(1.0, 4.0)), float(rng.uniform(0.2, 0.8))
    if liveliness == "parked":
        reach, turning = 0.0, 0.0
    elif liveliness == "straight":
        reach, turning = 0.02, 0.0
    elif liveliness == "slow":
        reach, turning = 0.03, 0.01
    wander = random_spline(rng, duration, step, reach * np.array([1.0, 1.0, 0.4]))
    cruise = rng.normal(0.0, 2.0, 3) * [1.0, 1.0, 0.1] * (liveliness == "straight")
    yaw = random_spline(rng, duration, float(rng.uniform(1.5, 4.0)), turning).antiderivative()
    first = float(rng.uniform(-np.pi, np.pi))
    speed_of, pull_of = wander.derivative(), wander.derivative(2)

    def turn(t: Array) -> Rotation:
        z = pull_of(t) + G
        z = z / np.linalg.norm(z, axis=-1, keepdims=True)
        nose = np.column_stack([np.cos(first + yaw(t)), np.sin(first + yaw(t)), 0.0 * t])
        y = np.cross(z, nose)
        y = y / np.linalg.norm(y, axis=-1, keepdims=True)
        return Rotation.from_matrix(np.stack([np.cross(y, z), y, z], axis=-1))

    return Motion(
        *("flying", liveliness, duration, turn),
        *(lambda t: wander(t) + np.multiply.outer(t, cruise), lambda t: speed_of(t) + cruise, pull_of),
    )


def _held(rng: Random, kind: str, liveliness: str, duration: float) -> Motion:
    step = float(rng.uniform(0.5, 1.2) if kind == "hand-held" else rng.uniform(1.0, 2.5))
    reach = float(rng.uniform(0.05, 0.2) if kind == "hand-held" else rng.uniform(0.1, 0.4))
    swing = float(rng.uniform(0.2, 0.8)) * np.ones(3)
    if liveliness == "one axis":
        swing = swing * np.eye(3)[int(rng.integers(3))]
    elif liveliness == "parked":
        swing, reach = 0.0 * swing, 0.0
    elif liveliness in ("slow", "straight"):
        swing, reach = 0.004 * swing, 0.01 * reach
    held = Rotation.random(random_state=rng) if kind == "arm" else _leaning(rng)
    angles = random_spline(rng, duration, step, swing)
    wander = random_spline(rng, duration, step, reach * np.ones(3))
    walk = rng.normal(0.0, 0.5, 3) * [1.0, 1.0, 0.0] * (liveliness == "straight")
    speed_of, pull_of = wander.derivative(), wander.derivative(2)
    return Motion(
        *(kind, liveliness, duration, lambda t: held * Rotation.from_euler("ZYX", angles(t)[:, ::-1])),
        *(lambda t: wander(t) + np.multiply.outer(t, walk), lambda t: speed_of(t) + walk, pull_of),
    )


def _leaning(rng: Random) -> Rotation:
    """Return a random heading with a lean of up to 60 degrees."""
    lean = Rotation.from_rotvec(rng.uniform(0.0, 1.0) * np.array([*rng.normal(0.0, 0.6, 2), 0.0]))
    return Rotation.from_euler("Z", float(rng.uniform(-np.pi, np.pi))) * lean
