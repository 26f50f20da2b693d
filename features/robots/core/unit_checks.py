"""Checks of the unit of lengths: a length a thousand times the others was probably meant in millimetres."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from framescope.core.errors import Problem
from framescope.features.robots.core.robot import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Geometry,
    MeshShape,
    Placement,
    Robot,
    SphereShape,
    robot_problem,
)

MILLIMETRES = "millimetres"
"""Kind of the fault of a length that looks like millimetres."""

FAR = 10.0
"""Length up to which no fault is reported, m."""

TIMES_AS_LARGE = 100.0
"""Multiple of the median of all lengths above which a length is reported."""

HUGE = 100.0
"""Length that is reported even if all others are as large, m."""

WORLD = "world"
"""Parent of joints that place a robot in a site, whose distances may be large."""


@dataclass(frozen=True)
class _Length:
    """A length of a robot, m: its line, its owner, its description, and the attribute in metres."""

    value: float
    line: int
    where: str
    description: str
    in_metres: str


def unit_faults(robot: Robot) -> Iterator[Problem]:
    """Yield faults for lengths that look like millimetres."""
    lengths = [length for length in _lengths(robot) if length.value > 0.0]
    for k, length in enumerate(lengths):
        others = [other.value for i, other in enumerate(lengths) if i != k] if length.value > FAR else []
        usual = statistics.median(others) if others else math.inf
        if is_far(length.value, usual):
            message = f"{length.description} is {length.value:.4g} m, which looks like millimetres."
            compared = f" The median of all lengths of the robot is {usual:.3g} m." if math.isfinite(usual) else ""
            hint = f"Lengths are in m: write {length.in_metres} if millimetres are meant."
            yield robot_problem(length.line, MILLIMETRES, length.where, message + compared, hint)


def is_far(length: float, usual: float) -> bool:
    """Return whether a length looks like millimetres beside the usual one, both in m; infinity if none is known.

    >>> is_far(223.6, 0.2), is_far(20.0, 0.1), is_far(20.0, 5.0), is_far(2.0, 0.001)
    (True, True, False, False)
    """
    return length > FAR and (length > TIMES_AS_LARGE * usual or length > HUGE)


def mesh_in_millimetres(geometry: Geometry, span: float, robot: Robot, where: str) -> Iterator[Problem]:
    """Yield a fault for a mesh whose span, m, looks like millimetres."""
    shape = geometry.shape
    usual = statistics.median([length.value for length in _lengths(robot) if length.value > 0.0] or [math.inf])
    if isinstance(shape, MeshShape) and is_far(span, usual):
        message = f"the mesh {shape.file} spans {span:.4g} m, which looks like millimetres."
        scale = " ".join(f"{part / 1000.0:.6g}" for part in shape.scale)
        hint = f'Lengths are in m: write scale="{scale}" if its numbers are in millimetres.'
        yield robot_problem(geometry.line, MILLIMETRES, where, message, hint)


def _lengths(robot: Robot) -> Iterator[_Length]:
    for joint in robot.joints:
        where = f"joint {joint.name}"
        if joint.parent != WORLD:
            yield _of_place(joint.placement, where, "the distance of its origin from its parent link")
        limits = joint.limits
        if joint.type == "prismatic" and limits is not None:
            bounds = [bound for bound in (limits.lower, limits.upper) if bound is not None and math.isfinite(bound)]
            far = max(map(abs, bounds), default=0.0)
            yield _Length(far, limits.line, where, "its largest limit", f"{far / 1000.0:.6g}")
    for link in robot.links:
        where = f"link {link.name}"
        for geometry in (*link.visuals, *link.collisions):
            yield _of_place(geometry.placement, where, "the distance of a shape from it")
            yield from _of_shape(geometry, where)
        if link.inertial is not None:
            yield _of_place(link.inertial.placement, where, "the distance of its centre of mass from it")


def _of_place(place: Placement, where: str, description: str) -> _Length:
    return _Length(math.hypot(*place.xyz), place.line, where, description, f'xyz="{_in_metres(*place.xyz)}"')


def _of_shape(geometry: Geometry, where: str) -> Iterator[_Length]:
    line = geometry.line
    match geometry.shape:
        case BoxShape(size):
            yield _Length(max(size), line, where, "an edge of its box", f'size="{_in_metres(*size)}"')
        case CylinderShape(radius, length) | CapsuleShape(radius, length):
            written = f'radius="{_in_metres(radius)}" length="{_in_metres(length)}"'
            yield _Length(max(radius, length), line, where, "its cylinder", written)
        case SphereShape(radius):
            yield _Length(radius, line, where, "the radius of its sphere", f'radius="{_in_metres(radius)}"')
        case EllipsoidShape(radii):
            yield _Length(max(radii), line, where, "the radius of its ellipsoid", _in_metres(*radii))
        case MeshShape():
            return


def _in_metres(*millimetres: float) -> str:
    return " ".join(f"{value / 1000.0:.6g}" for value in millimetres)
