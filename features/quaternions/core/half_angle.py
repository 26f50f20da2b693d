"""Half angle: axis and angle of a quaternion over two full turns, and attitudes as rotation vectors in a ball."""

from __future__ import annotations

import math

import numpy as np

from framescope.core.kernels.validation import Array

TWO_TURNS = 4.0 * math.pi
"""Angle after which a quaternion repeats, rad."""

NEAR = 1e-12
"""Sine of the half angle below which a turn has no axis."""


def turn_of(q: Array) -> tuple[Array, float]:
    """Return the axis (3,) and the angle of a unit quaternion (4,), scalar last, rad, from 0 to a full turn.

    The sign of the quaternion matters: with a negative scalar part the angle is more than half a turn. The axis is x
    where the quaternion has none.

    Examples
    --------
    >>> n, angle = turn_of(np.array([0.0, 0.0, 1.0, 0.0]))
    >>> n.tolist(), math.degrees(angle)
    ([0.0, 0.0, 1.0], 180.0)
    """
    size = float(np.linalg.norm(q[:3]))
    axis = np.array([1.0, 0.0, 0.0]) if size < NEAR else q[:3] / size
    return axis, 2.0 * math.atan2(size, float(q[3]))


def rotation_vectors(q: Array) -> Array:
    """Return axis times angle of quaternions (..., 4), at most half a turn, rad: the position in the ball of attitudes.

    `q` and `-q` have the same position, except for half turns, which have two: opposite points of the ball's surface.

    Examples
    --------
    >>> rotation_vectors(np.array([[0.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 0.0]])).round(6).tolist()
    [[-0.0, -0.0, -0.0], [0.0, 3.141593, 0.0]]
    """
    nearer = np.where(q[..., 3:] < 0.0, -q, q)
    size = np.linalg.norm(nearer[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(size, nearer[..., 3:])
    return nearer[..., :3] * np.where(size < NEAR, 2.0, angle / np.maximum(size, NEAR))
