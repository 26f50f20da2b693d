"""Sizes of the meshes of a robot, compared with the inertias of their links."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.formats import READERS, kept_surface
from framescope.core.mesh_files.surface import MeshFileError
from framescope.core.system.caches import FileCache
from framescope.features.robots.core.inertia_checks import as_notes, farthest_of, size_faults
from framescope.features.robots.core.package_files import NO_PACKAGES, Packages, find_file
from framescope.features.robots.core.robot import Geometry, Link, MeshShape, Robot
from framescope.features.robots.core.robot_placement import rotation_of
from framescope.features.robots.core.unit_checks import mesh_in_millimetres

CACHED_BOUNDS = 1000
"""Number of meshes whose bounds stay in memory."""


def mesh_faults(robot: Robot, path: Path, packages: Packages = NO_PACKAGES) -> Iterator[Problem]:
    """Yield faults for links whose inertia is too large for their meshes, and for meshes that look like millimetres.

    `path` is the robot's file. Each mesh is read once until its file changes. A link with an unreadable mesh is
    skipped.
    """
    for link in robot.links:
        for geometry in (*link.visuals, *link.collisions):
            span = _span(geometry, path, packages)
            if span is not None:
                yield from mesh_in_millimetres(geometry, span, robot, f"link {link.name}")
        farthest = _farthest(link, path, packages)
        if link.inertial is not None and farthest is not None:
            yield from as_notes(size_faults(link.inertial, farthest, f"link {link.name}"), link.inertial, robot.mass)


def _farthest(link: Link, path: Path, packages: Packages) -> float | None:
    """Return the distance of a link's farthest point from its centre of mass, m; None for a link without meshes."""
    shapes = (*link.visuals, *link.collisions)
    inertial = link.inertial
    if (
        inertial is None
        or not inertial.mass > 0.0
        or not any(isinstance(geometry.shape, MeshShape) for geometry in shapes)
    ):
        return None
    center, distances = np.array(inertial.placement.xyz), list[float]()
    for geometry in shapes:
        far = (
            farthest_of(geometry, center)
            if not isinstance(geometry.shape, MeshShape)
            else _of_mesh(geometry, center, path, packages)
        )
        if far is None:
            return None
        distances.append(far)
    return max(distances)


def _span(geometry: Geometry, path: Path, packages: Packages) -> float | None:
    """Return the longest edge of the box around a mesh, m; None for other shapes and unreadable meshes."""
    bounds = _bounds_of_mesh(geometry, path, packages)
    if bounds is None or not isinstance(geometry.shape, MeshShape):
        return None
    span = float(np.abs((bounds[1] - bounds[0]) * geometry.shape.scale).max())
    return span if math.isfinite(span) else None


def _bounds_of_mesh(geometry: Geometry, path: Path, packages: Packages) -> Array | None:
    shape = geometry.shape
    file = find_file(path.resolve(), shape.file, packages) if isinstance(shape, MeshShape) else None
    return None if file is None or file.suffix.lower() not in READERS else bounds_of(file)


def _of_mesh(geometry: Geometry, center: Array, path: Path, packages: Packages) -> float | None:
    bounds, shape = _bounds_of_mesh(geometry, path, packages), geometry.shape
    if bounds is None or not isinstance(shape, MeshShape):
        return None
    corners = np.array(list(itertools.product(*bounds.T))) * shape.scale
    points = corners @ rotation_of(geometry.placement) + np.array(geometry.placement.xyz)
    far = float(np.linalg.norm(points - center, axis=1).max())
    return far if math.isfinite(far) else None


def _bounds(path: Path) -> Array | None:
    try:
        points = kept_surface(path).points
    except MeshFileError:
        return None
    return np.array([points.min(axis=0), points.max(axis=0)])


bounds_of = FileCache(_bounds, CACHED_BOUNDS)
"""Corners (2, 3) of the box around a mesh, in its own units; None if it is unreadable."""
