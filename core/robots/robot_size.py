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
    Placement,
    Robot,
    SphereShape,
)
from framescope.core.robots.robot_placement import rotation_of


def size_of(robot: Robot) -> float:
    """Return the diagonal of the box around the origins of all links, and around the shapes that have a size, m.

    >>> from framescope.core.robots.robot import Link, Placement
    >>> size_of(Robot("r", (Link("a"), Link("b")), (Joint("j", "fixed", "a", "b", Placement((0.0, 0.3, 0.4))),)))
    0.5
    """
    placed = {link.name: link.placement for link in robot.links}
    places = {root: _moved(np.eye(3), np.zeros(3), placed[root]) for root in robot.roots}
    for joint in parents_first(robot.joints, robot.roots):
        places[joint.child] = _moved(*_moved(*places[joint.parent], joint.placement), joint.below)
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


def _moved(R: Array, p: Array, place: Placement) -> tuple[Array, Array]:
    """Return rotation and position in the root of what is placed in something there."""
    return R @ rotation_of(place).T, p + R @ np.array(place.xyz)


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
