"""Size of a robot, by where its links stand at zero, for what is drawn of it in proportion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.robots.robot import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Geometry,
    Joint,
    MeshShape,
    Robot,
    SphereShape,
)
from framescope.core.robots.robot_placement import rotation_of

SHARE = 0.12
"""Of a robot's size that the axes of its frames are long."""

USUAL_M, LEAST_M, MOST_M = 0.2, 0.001, 1000.0
"""How long they are where nothing has a size, and at least and at most, m."""


def axes_length(robot: Robot) -> float:
    """Return how long the axes of a robot's frames are drawn, m: a round part of its size.

    >>> from framescope.core.robots.robot import Link, Placement
    >>> axes_length(Robot("r", (Link("a"), Link("b")), (Joint("j", "fixed", "a", "b", Placement((0.0, 0.0, 0.4))),)))
    0.05
    """
    size = size_of(robot)
    return min(max(_round(SHARE * size), LEAST_M), MOST_M) if size > 0.0 else USUAL_M


def size_of(robot: Robot) -> float:
    """Return the diagonal of the box around the origins of all links, and around the shapes that have a size, m."""
    places = {root: (np.eye(3), np.zeros(3)) for root in robot.roots}
    for joint in parents_first(robot.joints, robot.roots):
        R, p = places[joint.parent]
        place = joint.placement
        places[joint.child] = R @ rotation_of(place).T, p + R @ np.array(place.xyz)
    corners = [p for _, p in places.values()]
    for link in robot.links:
        R, p = places[link.name]
        for geometry in (*link.visuals, *link.collisions):
            center, half = p + R @ np.array(geometry.placement.xyz), _half(geometry)
            corners += [center - half, center + half]
    points: Array = np.array(corners)
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))) if len(points) else 0.0


def parents_first(joints: Iterable[Joint], roots: Iterable[str]) -> Iterator[Joint]:
    """Yield the joints of trees from the roots on, each after the one that its parent is the child of."""
    below = dict[str, list[Joint]]()
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    waiting = [joint for root in roots for joint in below.get(root, ())][::-1]
    while waiting:
        joint = waiting.pop()
        yield joint
        waiting += below.get(joint.child, [])[::-1]


def _half(geometry: Geometry) -> float:
    """Return half of the smallest cube that a shape fits into however it is turned; of a mesh nothing is known."""
    match geometry.shape:
        case BoxShape(size):
            return math.hypot(*size) / 2.0 / math.sqrt(3.0)
        case CylinderShape(radius, length):
            return max(radius, length / 2.0)
        case SphereShape(radius):
            return radius
        case CapsuleShape(radius, length):
            return radius + length / 2.0
        case EllipsoidShape(radii):
            return max(radii)
        case MeshShape():
            return 0.0


def _round(length: float) -> float:
    """Return the one of 1, 2, 5, 10 and so on that is nearest a length, by ratio.

    >>> _round(0.3), _round(8.0)
    (0.2, 10.0)
    """
    decade = 10.0 ** math.floor(math.log10(length))
    rounds = (step * decade for step in (1.0, 2.0, 5.0, 10.0))
    return float(f"{min(rounds, key=lambda step: abs(math.log(step / length))):.3g}")
