"""Size of a robot, by the poses of its links with joints at zero, for drawing in proportion."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot import (
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
from framescope.features.robots.core.robot_placement import rotation_of

Bounds = Mapping[str, Array]
"""Corners (2, 3) of the boxes around meshes, in their own units, by their names in the robot."""


def box_of(robot: Robot, bounds: Bounds) -> Array:
    """Return the corners (2, 3) of the box around all links with joints at zero, and their shapes, m.

    >>> from framescope.features.robots.core.robot import Link
    >>> joint = Joint("j", "fixed", "a", "b", Placement((0.0, 0.3, 0.4)))
    >>> box_of(Robot("r", (Link("a"), Link("b")), (joint,)), {})[1]
    array([0. , 0.3, 0.4])
    """
    placed = {link.name: link.placement for link in robot.links}
    places = {root: _compose(np.eye(3), np.zeros(3), placed[root]) for root in robot.roots}
    for joint in parents_first(robot.joints, robot.roots):
        places[joint.child] = _compose(*_compose(*places[joint.parent], joint.placement), joint.below)
    corners = [p for _, p in places.values()]
    for link in robot.links:
        R, p = places[link.name]
        for geometry in (*link.visuals, *link.collisions):
            R_shape, center = _compose(R, p, geometry.placement)
            shape = geometry.shape
            if isinstance(shape, MeshShape) and shape.file in bounds:
                whole = np.array(list(itertools.product(*bounds[shape.file].T))) * shape.scale
                corners += list(center + whole @ R_shape.T)
            else:
                corners += [center - _half(geometry), center + _half(geometry)]
    points: Array = np.array(corners or [np.zeros(3)])
    return np.array([points.min(axis=0), points.max(axis=0)])


def parents_first(joints: Iterable[Joint], roots: Iterable[str]) -> Iterator[Joint]:
    """Yield the joints of trees, starting at the roots, each after the joint of its parent."""
    below = dict[str, list[Joint]]()
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    waiting = [joint for root in roots for joint in below.get(root, ())][::-1]
    while waiting:
        joint = waiting.pop()
        yield joint
        waiting += below.get(joint.child, [])[::-1]


def _compose(R: Array, p: Array, place: Placement) -> tuple[Array, Array]:
    """Return rotation and position in the root of a placement within a placed frame."""
    return R @ rotation_of(place).T, p + R @ np.array(place.xyz)


def _half(geometry: Geometry) -> float:
    """Return half the edge of a cube about as large as a shape; 0 for a mesh, whose size is unknown."""
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
