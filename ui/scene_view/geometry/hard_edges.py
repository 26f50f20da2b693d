"""Hard edges of a mesh."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, pv_cells

HARD = np.cos(np.radians(50.0))
"""Cosine of the angle between two faces above which their common edge is hard."""


def hard_edges(mesh: Mesh) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distinct points (m, 3) of a mesh, and the index pairs (k, 2) of its hard edges.

    An edge of a single face is hard, too. Coplanar faces have no hard edge between them.
    """
    if not len(mesh.triangles):
        return np.zeros((0, 3)), np.zeros((0, 2), dtype=np.int64)
    size = float(np.abs(mesh.points).max(initial=0.0)) or 1.0
    points, inverse = np.unique(np.round(mesh.points / size, 6), axis=0, return_inverse=True)
    corners = inverse.ravel()[mesh.triangles]
    a, b, c = (points[corners[:, i]] for i in range(3))
    n = np.cross(b - a, c - a)
    length = np.linalg.norm(n, axis=1)
    corners, n = corners[length > 1e-12], n[length > 1e-12] / length[length > 1e-12, None]
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(corners)), 3)
    order = np.lexsort(pairs.T[::-1])
    pairs, face = pairs[order], face[order]
    starts = np.flatnonzero(np.concatenate([[True], (np.diff(pairs, axis=0) != 0).any(axis=1)]))
    counts = np.diff(np.append(starts, len(pairs)))
    first, second = face[starts], face[np.minimum(starts + 1, len(face) - 1)]
    is_hard = (counts != 2) | ((n[first] * n[second]).sum(axis=1) < HARD)
    return points * size, pairs[starts][is_hard]


def edge_lines(mesh: Mesh) -> pv.PolyData:
    """Return the hard edges of a mesh as lines."""
    points, pairs = hard_edges(mesh)
    return pv.PolyData(points.astype(np.float32), lines=pv_cells(pairs))
