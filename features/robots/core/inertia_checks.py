"""Checks of masses and moments of inertia: impossible for a rigid body, or placeholders for unknown values.

Simulators require an inertia of every link, so files contain made-up ones for the frame of a sensor, a finger or a
foot. They hardly change how the robot moves, and are notes. For a link with a significant mass the same numbers are
faults.

References
----------
Featherstone, "Rigid Body Dynamics Algorithms" (2008), section 2.13: an inertia is one of a body if and only if its
principal moments are positive and none is more than the sum of the other two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Geometry,
    Inertial,
    Link,
    MeshShape,
    SphereShape,
    robot_problem,
)

SLACK = 1e-4
"""Relative deviation from a possible inertia that is attributed to few decimals, by the largest moment."""

FAR = 100.0
"""Ratio of an inertia to the largest possible for its shape above which it is reported; a wrong unit makes it 1000."""

DENSEST = 22_600.0
"""Density of osmium, the densest metal, kg/m³. A ball of it has the smallest possible moments for its mass."""

MUCH_TOO_SMALL = 1e-3
"""Fraction of the moments of such a ball below which an inertia is a fault instead of a note."""

LIGHT = 1e-3
"""Fraction of the robot's mass up to which a link is light: its inertia hardly affects the others."""

MOST_MADE_UP = 0.01
"""Largest moment, kg m², of a made-up inertia that is only a note: about the value that tutorials recommend."""


def inertia_faults(link: Link, robot_mass: float) -> Iterator[Problem]:
    """Yield the faults of mass and inertia of a link; `robot_mass` is the mass of all links, kg."""
    inertial, where = link.inertial, f"link {link.name}"
    if inertial is None:
        return
    all_faults = (
        *_mass_faults(inertial, where),
        *_moment_faults(inertial, where),
        *_size_faults(link, inertial, where),
    )
    yield from as_notes(
        all_faults[:1] if _placeholder_reason(inertial, robot_mass) else all_faults, inertial, robot_mass
    )


def as_notes(
    faults: Iterator[Problem] | tuple[Problem, ...], inertial: Inertial, robot_mass: float
) -> Iterator[Problem]:
    """Yield faults of an inertia, as notes if it is only a placeholder."""
    why = _placeholder_reason(inertial, robot_mass)
    for fault in faults:
        is_note = bool(why) and fault.kind in STAND_IN_HINTS
        yield replace(fault, severity="note", hint=f"{why} {STAND_IN_HINTS[fault.kind]}") if is_note else fault


STAND_IN_HINTS: Mapping[str, str] = {
    "inertia negative": "A simulator may refuse it.",
    "inertia impossible": "A simulator may refuse it.",
    "inertia large": "It makes the link slow to turn in a simulator.",
    "inertia small": "A simulator may become unstable.",
}
"""Consequences of the faults that may be notes."""


def _placeholder_reason(inertial: Inertial, robot_mass: float) -> str:
    """Return a sentence on why an inertia is only a placeholder; empty if it is not."""
    if 0.0 < inertial.mass <= LIGHT * robot_mass:
        return f"The link has {inertial.mass:g} kg of the robot's {robot_mass:.4g} kg, which looks like a stand-in."
    written = [abs(value) for value in np.ravel(inertia_matrix(inertial)) if value]
    if written and max(written) <= MOST_MADE_UP and all(_is_power_of_ten(value) for value in written):
        return "All its moments are powers of ten, which looks like a stand-in."
    return ""


def _is_power_of_ten(value: float) -> bool:
    exponent = math.log10(value)
    return abs(exponent - round(exponent)) < 1e-9


def inertia_matrix(inertial: Inertial) -> Array:
    """Return the moments of inertia (3, 3) about the centre of mass, resolved in the axes of its placement, kg m²."""
    i = inertial
    return np.array([[i.xx, i.xy, i.xz], [i.xy, i.yy, i.yz], [i.xz, i.yz, i.zz]])


def _mass_faults(inertial: Inertial, where: str) -> Iterator[Problem]:
    if inertial.mass < 0.0:
        yield robot_problem(inertial.line, "mass", where, f"its mass is {inertial.mass:g} kg.", "A mass is above zero.")
    if inertial.mass == 0.0 and inertia_matrix(inertial).any():
        yield robot_problem(inertial.line, "mass", where, "it has an inertia and no mass.", "Write its mass.")


def _moment_faults(inertial: Inertial, where: str) -> Iterator[Problem]:
    """Yield faults of the principal moments, by themselves and for the mass."""
    matrix, line = inertia_matrix(inertial), inertial.line
    if not matrix.any():
        return
    moments = np.linalg.eigvalsh(matrix)
    largest = float(np.abs(moments).max())
    a, b, c = (float(moment) if abs(moment) > 1e-9 * largest else 0.0 for moment in moments)
    listed = f"its principal moments of inertia are {a:.4g}, {b:.4g} and {c:.4g} kg m²"
    smallest = least_moment(inertial.mass)
    if largest < smallest:
        ratio = largest / smallest
        message = (
            f"its largest moment of inertia is {largest:.2g} kg m², too small for a mass of {inertial.mass:g} kg:"
            f" even a ball of osmium, the densest metal, has {smallest:.2g}."
        )
        hint = "Are they in another unit, or is the mass too large?"
        yield robot_problem(line, "inertia small", where, message, hint, "amber" if ratio < MUCH_TOO_SMALL else "note")
    elif a < -SLACK * largest:
        message = f"{listed}. No principal moment of a rigid body is negative."
        yield robot_problem(
            line, "inertia negative", where, message, "Products of inertia are too large, or signs are wrong."
        )
    elif a + b < c - SLACK * largest:
        bound = "In a rigid body none is more than the sum of the other two"
        message = f"{listed}. {bound}, and {c:.4g} is more than {a + b:.4g}."
        yield robot_problem(line, "inertia impossible", where, message, "Check ixx, iyy, izz, ixy, ixz and iyz.")


def least_moment(mass: float) -> float:
    """Return the smallest possible largest moment of inertia, kg m², of a mass, kg: that of a dense ball.

    >>> f"{least_moment(1.0):.3g}"
    '0.000193'
    """
    radius = (3.0 * max(mass, 0.0) / (4.0 * math.pi * DENSEST)) ** (1.0 / 3.0)
    return 0.4 * max(mass, 0.0) * radius**2


def _size_faults(link: Link, inertial: Inertial, where: str) -> Iterator[Problem]:
    """Compare the spread of the mass by its inertia with the size of the shapes."""
    shapes = [geometry for geometry in (*link.collisions, *link.visuals) if not isinstance(geometry.shape, MeshShape)]
    meshes = len(shapes) < len(link.collisions) + len(link.visuals)
    if meshes or not shapes:
        return
    farthest = max(farthest_of(geometry, np.array(inertial.placement.xyz)) for geometry in shapes)
    yield from size_faults(inertial, farthest, where)


def size_faults(inertial: Inertial, farthest: float, where: str) -> Iterator[Problem]:
    """Yield a fault if the inertia is far too large for any mass within `farthest`, m, of the centre of mass."""
    trace = inertial.xx + inertial.yy + inertial.zz
    if not (inertial.mass > 0.0 and trace > 0.0):
        return
    largest = 2.0 * inertial.mass * farthest**2  # of the trace: all mass at that distance
    ratio = trace / largest if largest > 0.0 else math.inf
    if ratio > FAR:
        message = (
            f"its moments of inertia are {ratio:.1g} times too large for its shape: the sum of ixx, iyy and izz is"
            f" {trace:.3g} kg m², and {inertial.mass:g} kg within {farthest:.2g} m have at most {largest:.2g}."
        )
        yield robot_problem(
            inertial.line, "inertia large", where, message, "Are they in kg mm², or is the shape in mm?"
        )


def farthest_of(geometry: Geometry, center: Array) -> float:
    """Return an upper bound of the distance of a shape's points from a point of the link, m."""
    shape = geometry.shape
    match shape:
        case BoxShape():
            half = math.hypot(*shape.size) / 2.0
        case CylinderShape():
            half = math.hypot(shape.radius, shape.length / 2.0)
        case SphereShape():
            half = shape.radius
        case CapsuleShape():
            half = shape.radius + shape.length / 2.0
        case EllipsoidShape():
            half = max(shape.radii)
        case MeshShape():
            return math.inf
    return float(np.linalg.norm(np.array(geometry.placement.xyz) - center)) + half
