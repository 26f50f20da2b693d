"""Motions that are known: trees of frames whose poses and rates are functions of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

Array = np.ndarray
Pose = tuple[Array, Array]
"""Rotations (n, 3, 3) from a frame into another, and its origin there (n, 3), m."""

STEP = 1e-3
"""Step of difference quotients, s."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A frame with its pose in its parent at any times."""

    parent: str
    pose: Callable[[Array], Pose]


Truth = Mapping[str, Placed]


def turn(sequence: str, *degrees: float) -> Array:
    """Return a rotation from the frame into its parent: turns about moving axes in capitals, about fixed in small."""
    return Rotation.from_euler(sequence, degrees, degrees=True).as_matrix().reshape(3, 3)


def still(parent: str, R: Array, p: tuple[float, float, float]) -> Placed:
    """Return a frame that stands still in its parent."""
    return Placed(parent, lambda t: (np.broadcast_to(R, (len(t), 3, 3)), np.broadcast_to(p, (len(t), 3))))


def waves(random: np.random.Generator, size: tuple[float, ...], fastest_hz: float, n: int = 3) -> Callable:
    """Return smooth signals (n, k) of rms about `size`, of some sines each."""
    f = fastest_hz * random.uniform(0.25, 1.0, (n, len(size)))
    f[0], phase = fastest_hz * random.uniform(0.75, 1.0, len(size)), random.uniform(0, 2 * np.pi, f.shape)
    a = random.uniform(0.6, 1.0, f.shape)
    a *= np.array(size) * np.sqrt(2.0) / np.sqrt((a**2).sum(axis=0))
    return lambda t: (a * np.sin(2 * np.pi * f * np.asarray(t)[:, None, None] + phase)).sum(axis=1)


def wandering(
    parent: str, p: Callable[[Array], Array], angles: Callable[[Array], Array], middle: Array | None = None
) -> Placed:
    """Return a frame that moves by `p`, and turns by yaw, pitch and roll, rad, from where it is in the `middle`."""
    R_0 = np.eye(3) if middle is None else middle

    def pose(t: Array) -> Pose:
        return R_0 @ Rotation.from_euler("ZYX", angles(t)).as_matrix(), p(t)

    return Placed(parent, pose)


@dataclass(frozen=True, eq=False)
class Drive:
    """The way of a vehicle over the ground, which goes where it points."""

    yaw: Callable[[Array], Array]
    position: Callable[[Array], Array]


def driven(random: np.random.Generator, span: float, speed: float, turning: float) -> Drive:
    """Return a drive at about a speed, m/s, that turns by about a rate, rad/s."""
    size = turning / (2 * np.pi * 0.08)
    sway, pace = waves(random, (size,), 0.08 + 0.04 * turning), waves(random, (0.3 * speed,), 0.15)
    t = np.arange(-1.0, span + 1.0, 0.005)
    yaw = 0.4 * turning * t + sway(t)[:, 0]
    v = (speed + pace(t)) * np.column_stack([np.cos(yaw), np.sin(yaw)])
    of_yaw, of_position = CubicSpline(t, yaw), CubicSpline(t, v).antiderivative()
    return Drive(of_yaw, of_position)


def in_world(truth: Truth, name: str, t: Array) -> Pose:
    """Return the pose of a frame in the world."""
    if name == "world":
        return np.broadcast_to(np.eye(3), (len(t), 3, 3)), np.zeros((len(t), 3))
    R, p = truth[name].pose(t)
    R_WP, p_WP = in_world(truth, truth[name].parent, t)
    return R_WP @ R, p_WP + _applied(R_WP, p)


def relative(truth: Truth, of: str, to: str, t: Array) -> Pose:
    """Return the pose of one frame in another."""
    return between(in_world(truth, to, t), in_world(truth, of, t))


def between(a: Pose, b: Pose) -> Pose:
    """Return the pose of b in a, both being poses in one frame."""
    R = np.swapaxes(a[0], -1, -2)
    return R @ b[0], _applied(R, b[1] - a[1])


def vector(truth: Truth, form: str, of: str, relative_to: str, resolved_in: str, t: Array) -> Array:
    """Return a velocity or acceleration (n, 3) of one frame relative to another, resolved in a third, SI."""
    (R_a, p_a), (_, p_0), (R_b, p_b) = (relative(truth, of, relative_to, t + k * STEP) for k in (-1, 0, 1))
    match form:
        case "velocity":
            v = (p_b - p_a) / (2 * STEP)
        case "acceleration":
            v = (p_b - 2 * p_0 + p_a) / STEP**2
        case _:
            v = Rotation.from_matrix(R_b @ np.swapaxes(R_a, -1, -2)).as_rotvec() / (2 * STEP)
    R, _ = relative(truth, relative_to, resolved_in, t)
    return _applied(R, v)


def _applied(R: Array, v: Array) -> Array:
    return np.einsum("...ij,...j->...i", R, v)


def shaken(random: np.random.Generator, pose: Pose, metres: float, degrees: float) -> Pose:
    """Return poses with noise about and along each axis."""
    R, p = pose
    turns = Rotation.from_rotvec(np.radians(degrees) * random.normal(size=p.shape)).as_matrix()
    return R @ turns, p + metres * random.normal(size=p.shape)


def angles_between(R_a: Array, R_b: Array) -> Array:
    """Return the angles (n,) between rotations, rad."""
    return Rotation.from_matrix(np.swapaxes(R_a, -1, -2) @ R_b).magnitude()
