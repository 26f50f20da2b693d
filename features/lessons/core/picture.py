"""Directions as the camera of a step shows them, and the initial direction of an arrow that a user points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.view import Camera
from framescope.features.detective.core.interpretations import Interpretation

NEAREST = math.radians(40.0)
"""Smallest angle in the picture between the initial direction of an arrow and the right one, rad."""

WANTED = math.radians(45.0)
"""Angle in the picture that a chosen initial direction has at least, where there is one, rad."""

SEEN = 0.6
"""Length in the picture of a chosen initial direction, as a fraction of its length in space."""

END_ON = 0.3
"""Length in the picture below which a direction is seen end-on, as a fraction of its length in space."""

CLEAR = math.radians(25.0)
"""Angle in space between a chosen initial direction and a wrong one that has an explanation, rad."""


def projection_of(camera: Camera | None) -> Array:
    """Return the matrix (2, 3) from directions in world to the picture, x to the right and y upward.

    Without a camera the picture is seen from the front, from the right and from above, as in a new window.
    """
    position, focal_point, up = (
        ((1.0, -2.0, 1.2), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        if camera is None
        else (camera.position, camera.focal_point, camera.up)
    )
    towards = np.subtract(focal_point, position)
    right = np.cross(towards, up)
    if not float(np.linalg.norm(right)) > 0.0:
        right = np.array([1.0, 0.0, 0.0])
    upward = np.cross(right, towards)
    return np.stack([right / np.linalg.norm(right), upward / max(float(np.linalg.norm(upward)), 1e-300)])


def angle_in_picture(camera: Camera | None, a_W: Array, b_W: Array, *, is_line: bool = False) -> float:
    """Return the angle in the picture between two directions (3,) in world, rad; between their lines on request.

    >>> front = Camera(position=(0.0, -1.0, 0.0), focal_point=(0.0, 0.0, 0.0))
    >>> round(math.degrees(angle_in_picture(front, np.array([1.0, 5.0, 0.0]), np.array([1.0, 0.0, 1.0]))))
    45
    """
    P = projection_of(camera)
    (x, y), (u, v) = (P @ a_W).tolist(), (P @ b_W).tolist()
    angle = abs(math.atan2(x * v - y * u, x * u + y * v))
    return min(angle, math.pi - angle) if is_line else angle


def length_in_picture(camera: Camera | None, v_W: Array) -> float:
    """Return the length in the picture of a direction (3,) in world, as a fraction of its length in space."""
    return float(np.linalg.norm(projection_of(camera) @ v_W) / np.linalg.norm(v_W))


def choose_start(
    camera: Camera | None,
    R_WF: Array,
    usual: tuple[float, float, float],
    right: Array,
    wrong: Sequence[Array],
    *,
    is_line: bool,
) -> tuple[float, float, float]:
    """Return angles (ZYX, deg) of an arrow's initial direction, the same for every user.

    It is far from the right direction in the picture and in space, is not seen end-on, and is far from wrong directions
    that have an explanation. Where no direction has it all, the farthest in the picture is chosen.

    Parameters
    ----------
    camera
        Camera of the step.
    R_WF : (3, 3)
        Orientation of the arrow's parent in world.
    usual
        Angles that are taken if they do.
    right, wrong : (3,)
        Directions with components in the parent.
    is_line
        Whether the opposite of the right direction is right as well.
    """

    def distance(angles: tuple[float, float, float]) -> float:
        return angle_in_picture(camera, R_WF @ _direction(angles), R_WF @ right, is_line=is_line)

    def suits(angles: tuple[float, float, float]) -> bool:
        v = _direction(angles)
        return (
            distance(angles) >= WANTED
            and _apart(v, right, is_line=is_line) >= WANTED
            and length_in_picture(camera, R_WF @ v) >= SEEN
            and all(_apart(v, other, is_line=is_line) >= CLEAR for other in wrong)
        )

    candidates = [usual, *_candidates()]
    return next(filter(suits, candidates), max(candidates, key=distance))


def _candidates() -> Iterator[tuple[float, float, float]]:
    for pitch in (-30.0, 30.0, -10.0, 10.0, -50.0, 50.0):
        for yaw in (40.0, -40.0, 130.0, -130.0, 70.0, -70.0, 160.0, -160.0, 10.0, -10.0, 100.0, -100.0):
            yield yaw, pitch, 0.0


def _direction(angles: tuple[float, float, float]) -> Array:
    """Return the x axis (3,) of an orientation by ZYX angles, deg, in its parent."""
    return Interpretation("angles", "ZYX", "deg").matrices(np.array([angles]))[0][:, 0]


def _apart(a: Array, b: Array, *, is_line: bool) -> float:
    angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    return min(angle, math.pi - angle) if is_line else angle
