"""Checks of the numbers of a robot: angles that look like degrees, limits, units, mirrored meshes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from framescope.core.errors import Problem
from framescope.core.readings.angle_units import angle_remark, in_degrees
from framescope.features.robots.core.inertia_checks import inertia_faults
from framescope.features.robots.core.robot import (
    Geometry,
    Joint,
    Link,
    MeshShape,
    Placement,
    robot_problem,
)

WHOLE_DEGREES = 1e-9
"""Deviation from whole degrees up to which angles look like degrees, deg."""

LEAST_DEGREES = 7.0
"""Angle up to which a number counts as radians, which is about one turn."""

LEAST_LIMIT = 4.0 * math.pi
"""Limit up to which a number counts as radians: two turns, as many files write an even 10 for a free joint."""


def joint_faults(joint: Joint) -> Iterator[Problem]:
    """Yield the faults in the numbers of a joint."""
    where = f"joint {joint.name}"
    yield from _placement_faults(joint.placement, where)
    yield from _limit_faults(joint, where)


def link_faults(link: Link, robot_mass: float) -> Iterator[Problem]:
    """Yield the faults in the numbers of a link; `robot_mass` is the mass of all links, kg."""
    where = f"link {link.name}"
    for geometry in (*link.visuals, *link.collisions):
        yield from _placement_faults(geometry.placement, where)
        if isinstance(geometry.shape, MeshShape):
            yield from _scale_faults(geometry, geometry.shape, where)
            yield from _package_faults(geometry, geometry.shape, where)
    if link.inertial is not None:
        yield from _placement_faults(link.inertial.placement, where)
        yield from inertia_faults(link, robot_mass)


def looks_like_degrees(angles: tuple[float, ...], least: float = LEAST_DEGREES) -> bool:
    """Return whether angles in rad are more likely degrees: beyond `least`, and multiples of 5.

    >>> looks_like_degrees((0, 90, 0)), looks_like_degrees((0, 1.5708, 0)), looks_like_degrees((0, 0, 12.56637))
    (True, False, False)
    """
    return max(map(abs, angles)) > least and all(
        abs(angle - 5.0 * round(angle / 5.0)) <= WHOLE_DEGREES for angle in angles
    )


def _placement_faults(placement: Placement, where: str) -> Iterator[Problem]:
    radians = " ".join(f"{math.radians(angle):.6g}" for angle in placement.rpy)
    hint = f'Write rpy="{radians}" if degrees are meant.'
    if looks_like_degrees(placement.rpy):
        rpy = " ".join(f"{angle:g}" for angle in placement.rpy)
        message = f"rpy {rpy} looks like degrees, and is in radians. In degrees it is {in_degrees(placement.rpy)}."
        yield robot_problem(placement.line, "degrees", where, message, hint)
    elif (remark := angle_remark(placement.rpy)) is not None:
        yield robot_problem(placement.line, "large angle", where, remark.message, hint, remark.severity)


def _limit_faults(joint: Joint, where: str) -> Iterator[Problem]:
    limits = joint.limits
    if limits is None:
        if joint.type in ("revolute", "prismatic"):
            message = f"a {joint.type} joint has limits, and this has no <limit>."
            hint = (
                'Add them, or make it "continuous". It is not limited here.'
                if joint.type == "revolute"
                else "Add them."
            )
            yield robot_problem(joint.line, "no limits", where, message, hint)
        return
    if joint.type not in ("revolute", "prismatic"):
        return
    if limits.lower is None and limits.upper is None:
        message = "<limit> has neither lower nor upper: it is 0 to 0 for ROS."
        yield robot_problem(limits.line, "no limits", where, message, "Write both. It is not limited here.")
        return
    lower, upper = limits.lower or 0.0, limits.upper or 0.0
    if lower > upper:
        message = f"its lower limit {lower:g} is above its upper limit {upper:g}."
        yield robot_problem(limits.line, "limits swapped", where, message, "They are taken the other way round.")
    elif lower == upper:
        message = f"its limits are both {lower:g}: it cannot move."
        yield robot_problem(limits.line, "limits equal", where, message, 'Make it "fixed" if that is meant.', "note")
    bounds = tuple(bound for bound in (lower, upper) if math.isfinite(bound))
    if joint.type == "revolute" and bounds and looks_like_degrees(bounds, LEAST_LIMIT):
        message = f"limits from {lower:g} to {upper:g} look like degrees, and are in radians."
        hint = f"Write {math.radians(lower):.6g} and {math.radians(upper):.6g} if degrees are meant."
        yield robot_problem(limits.line, "degrees", where, message, hint)


def _scale_faults(geometry: Geometry, mesh: MeshShape, where: str) -> Iterator[Problem]:
    x, y, z = mesh.scale
    if 0.0 in mesh.scale:
        message = f"the scale of {mesh.file} is {x:g} {y:g} {z:g}: nothing is left of it."
        yield robot_problem(geometry.line, "no size", where, message, "It is taken as 1 1 1.", "red")
    elif x * y * z < 0.0:
        message = f"the scale {x:g} {y:g} {z:g} mirrors {mesh.file}."
        hint = "Its inside is outside for programs that cull faces, and some ignore the sign. Mirror the mesh itself."
        yield robot_problem(geometry.line, "mirrored", where, message, hint, "note")  # it is drawn as written


def _package_faults(geometry: Geometry, mesh: MeshShape, where: str) -> Iterator[Problem]:
    scheme, _, path = mesh.file.partition(":///")
    if scheme == "package" and path:
        message = f"{mesh.file} names no package: three slashes are one too many."
        hint = f"Write package://{path}, which is taken here; ROS finds nothing."
        yield robot_problem(geometry.line, "no package", where, message, hint)
