"""Shapes of springs, dampers, sources and ground, along d between two stations; sizes in arrow radii."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from framescope.ui.scene_view.geometry.instanced_mesh import MeshTemplate, join, place, stretch
from framescope.ui.scene_view.geometry.lathe_meshes import box, lathe
from framescope.ui.scene_view.geometry.tubes import tube

START, HOUSING, END = range(3)

COIL_RADIUS, WIRE, TURNS = 3.6, 0.62, 7
LEAD = 0.09
"""Fraction of a spring at each end that leads into the coils."""
HOUSING_RADIUS, ROD = 2.1, 0.8
PLATE_RADIUS, PLATE = 6.0, 0.9
RAIL_APART, RAIL = 2.1, 0.5
COLLAR_RADIUS, COLLAR = 4.6, 0.7
THIN = 0.3

FREE_LENGTH = 24.0
"""Length of an element between a point and ground while the point is at rest."""


@cache
def coil_template() -> MeshTemplate:
    """Return a helix from START to END, its coils around the straight line between them."""
    steps = 18 * TURNS
    s = np.linspace(0.0, 1.0, steps + 1)
    share = np.clip((s - LEAD) / (1.0 - 2.0 * LEAD), 0.0, 1.0)
    phi = math.tau * TURNS * share
    # From the centre line to the coils within half a turn, smoothly.
    rise = np.clip(np.minimum(s, 1.0 - s) / (1.6 * LEAD), 0.0, 1.0)
    rise = rise * rise * (3.0 - 2.0 * rise)
    radial = np.stack([np.cos(phi), np.sin(phi), np.zeros_like(phi)], axis=-1)
    path = COIL_RADIUS * rise[:, None] * radial
    path[:, 2] = s
    tangent = np.gradient(path * (1.0, 1.0, FREE_LENGTH), axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    across = radial - tangent * np.einsum("ij,ij->i", radial, tangent)[:, None]
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    mesh = tube(np.zeros_like(path), across, np.cross(tangent, across), WIRE, sides=7)
    # Only the centre line of the wire is stretched; the wire keeps its thickness.
    template = place(mesh, START)
    along = np.repeat(path, len(mesh.points) // len(path), axis=0)
    template.weights[:, START], template.weights[:, END] = 1.0 - along[:, 2], along[:, 2]
    template.weights[:, 3:5] += along[:, :2]
    return MeshTemplate(template.weights, template.normals, _outward(template))


def _outward(template: MeshTemplate) -> np.ndarray:
    """Return the triangles, oriented along their normals at the free length."""
    stations = np.zeros((3, 3))
    stations[END, 2] = FREE_LENGTH
    points = template.weights @ np.vstack([stations, np.eye(3)])
    triangles = template.triangles
    a, b, c = (points[triangles[:, k]] for k in range(3))
    outward = template.normals[triangles].mean(axis=1)
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), outward) < 0
    return np.where(is_inward[:, None], triangles[:, ::-1], triangles)


@cache
def damper_template() -> MeshTemplate:
    """Return a cylinder from START to HOUSING and a rod from START to END."""
    return join(
        [
            stretch(lathe([(HOUSING_RADIUS, 0.0), (HOUSING_RADIUS, 1.0)], 20), START, HOUSING),
            place(lathe([(0.0, 0.0), (HOUSING_RADIUS, 0.0)], 20), START),
            place(lathe([(HOUSING_RADIUS, 0.0), (0.0, 0.0)], 20), HOUSING),
            stretch(lathe([(ROD, 0.0), (ROD, 1.0)], 12), START, END),
        ]
    )


@cache
def rails_template() -> MeshTemplate:
    """Return the double line of a velocity source from START to END, with a joint at its end."""
    rail = lathe([(RAIL, 0.0), (RAIL, 1.0)], 10)
    rails = [stretch(rail.transform(p=(side * RAIL_APART, 0.0, 0.0)), START, END) for side in (-1, 1)]
    joint = lathe([(0, -0.9), (RAIL_APART + RAIL, -0.9), (RAIL_APART + RAIL, 0.9), (0, 0.9)], 16)
    return join([*rails, place(joint, END)])


@cache
def rod_template() -> MeshTemplate:
    """Return a thin rod from START to END."""
    return stretch(lathe([(THIN, 0.0), (THIN, 1.0)], 8), START, END)


@cache
def collar_template() -> MeshTemplate:
    """Return a ring about d at END, the mark of a pushing source."""
    phi = np.linspace(0.0, math.tau, 33)
    zeros = np.zeros_like(phi)
    radial = np.stack([np.cos(phi), np.sin(phi), zeros], axis=-1)
    return place(tube(COLLAR_RADIUS * radial, radial, np.stack([zeros, zeros, zeros + 1], -1), COLLAR, sides=10), END)


@cache
def ground_template() -> MeshTemplate:
    """Return a hatched plate at START; d points away from the ground."""
    plate = lathe([(0, -PLATE), (PLATE_RADIUS, -PLATE), (PLATE_RADIUS, 0.0), (0, 0.0)], 28)
    c, s = math.cos(math.radians(40.0)), math.sin(math.radians(40.0))
    lean = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    strokes = [box((0.55, 0.55, 4.0)).transform(lean, (x, 0.0, -PLATE - 1.5)) for x in np.linspace(-4.3, 3.9, 4)]
    return join([place(part, START) for part in (plate, *strokes)])
