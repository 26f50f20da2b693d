"""Tubes along a curve: arcs and helices."""

from __future__ import annotations

import math

import numpy as np

from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, Points


def tube(path: Points, across: Points, beside: Points, radius: float, sides: int) -> Mesh:
    """Return a tube about points (n, 3), without caps.

    Its cross-sections are circles in the plane of the unit vectors `across` and `beside` (n, 3). The vector across ×
    beside may point along the path or against it: the faces look outward in both cases.
    """
    psi = np.linspace(0.0, math.tau, sides + 1)
    normals = across[:, None] * np.cos(psi)[:, None] + beside[:, None] * np.sin(psi)[:, None]
    points = path[:, None] + radius * normals
    steps = sides + 1
    corner = (np.arange(len(path) - 1)[:, None] * steps + np.arange(sides)).ravel()
    a, b, c, d = corner, corner + 1, corner + steps, corner + steps + 1
    forward = float(np.einsum("i,i->", np.cross(across[0], beside[0]), path[1] - path[0]))
    triangles = np.concatenate([np.stack([a, b, d], -1), np.stack([a, d, c], -1)])
    if forward < 0:
        triangles = triangles[:, ::-1]
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)
