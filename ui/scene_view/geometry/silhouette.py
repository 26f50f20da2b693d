"""The contour of a mesh as it appears: the edges between faces that look at the camera and faces that look away.

For the outline of what is translucent, through which a hull would shine.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, pv_cells

Array = NDArray[np.float64]

FLAT = 1e-9
"""Of the cross product of two unit edges: a triangle without an area bounds nothing."""


SAME_PLACE = 6
"""Decimals, in parts of the extent, to which corners of faces are one and the same."""


class Contour:
    """The contour of a mesh as lines, in the mesh's coordinates; `show` where it is seen from."""

    def __init__(self, mesh: Mesh) -> None:
        extent = float(np.abs(mesh.points).max(initial=0.0)) or 1.0
        points, which = np.unique(np.round(mesh.points / extent, SAME_PLACE), axis=0, return_inverse=True)
        points *= extent
        faces = which.ravel()[mesh.triangles]
        a, b, c = (points[faces[:, k]] for k in range(3))
        n = np.cross(b - a, c - a)
        has_area = np.linalg.norm(n, axis=1) > FLAT * np.linalg.norm(b - a, axis=1) * np.linalg.norm(c - a, axis=1)
        faces, n = faces[has_area], n[has_area]
        self._normals = np.ascontiguousarray(n)
        self._levels = np.einsum("ij,ij->i", n, points[faces[:, 0]])
        ends, self._sides = _edges(faces)
        self._starts = np.ascontiguousarray(points[ends], dtype=np.float32)
        count = len(ends)
        self._heights = np.empty(len(faces))
        self._faces_us = np.zeros(len(faces) + 1, dtype=bool)  # the last one stands for what is beyond an open edge
        self._on_sides = np.empty((2, count), dtype=bool)
        self.polydata = pv.PolyData(
            np.zeros((2 * count, 3), dtype=np.float32), lines=pv_cells(np.arange(2 * count).reshape(-1, 2))
        )
        self._ends = actors.points_of(self.polydata).reshape(count, 2, 3)

    def show(self, camera: CameraState, R_WB: Array, p_WB: Array) -> None:
        """Draw the contour as a camera sees it, the mesh being at a pose in world."""
        if camera.is_parallel:
            np.dot(self._normals, -(R_WB.T @ camera.direction), out=self._heights)
        else:
            np.dot(self._normals, R_WB.T @ (np.asarray(camera.position) - p_WB), out=self._heights)
            np.subtract(self._heights, self._levels, out=self._heights)
        np.greater(self._heights, 0.0, out=self._faces_us[:-1])
        np.take(self._faces_us, self._sides, out=self._on_sides, mode="clip")
        is_hidden = np.equal(*self._on_sides, out=self._on_sides[0])
        np.copyto(self._ends, self._starts)
        np.copyto(self._ends, 0.0, where=is_hidden[:, None, None])
        actors.touch(self.polydata)


def _edges(faces: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges (n, 2) of triangles, by their vertices, and the two triangles at each (2, n).

    An open edge has the number behind the last triangle on its other side; of more than two the first ones count.
    """
    corners = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    owners = np.tile(np.arange(len(faces)), 3)
    order = np.lexsort((owners, corners[:, 1], corners[:, 0]))
    corners, owners = corners[order], owners[order]
    is_first = np.ones(len(corners), dtype=bool)
    is_first[1:] = (corners[1:] != corners[:-1]).any(axis=1)
    first = np.flatnonzero(is_first)
    second = np.minimum(first + 1, len(corners) - 1)
    has_second = ~is_first[second] & (second > first)
    return corners[first], np.stack([owners[first], np.where(has_second, owners[second], len(faces))])
