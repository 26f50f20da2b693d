"""Smooth lines and patches in the overlay: strips and fans whose rims fade out over one pixel.

The overlay is drawn without multisampling, so plain triangles would have jagged edges. Here every shape has a rim of
one pixel that fades to transparent. Points are device pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, set_colors

Array = NDArray[np.float64]
Color = Sequence[int] | NDArray[np.uint8]

RIM = 1.0


class Strokes:
    """Lines with fixed numbers of points as one actor; a line is invisible until it is set."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._starts = np.concatenate([[0], np.cumsum([4 * n for n in counts])])
        cells = [_strip(n) + start for n, start in zip(counts, self._starts, strict=False)]
        self._mesh = _Mesh(int(self._starts[-1]), np.concatenate(cells))
        self.actor = self._mesh.actor

    def set(self, k: int, points: Array, width: float, color: Color) -> None:
        """Draw line `k` through points (n, 2), `width` pixels wide, in one RGBA colour or in one for each point."""
        part = slice(int(self._starts[k]), int(self._starts[k + 1]))
        along = np.gradient(points, axis=0)
        along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
        side = np.stack([-along[:, 1], along[:, 0]], axis=-1)
        offsets = np.array([-width / 2 - RIM / 2, -width / 2 + RIM / 2, width / 2 - RIM / 2, width / 2 + RIM / 2])
        corners = points[:, None] + offsets[:, None] * side[:, None]
        self._mesh.points[part, :2] = corners.reshape(-1, 2)
        colors = np.empty((len(points), 4, 4), dtype=np.uint8)
        colors[:] = np.reshape(np.asarray(color, dtype=np.uint8), (-1, 1, 4))
        colors[:, (0, 3), 3] = 0
        self._mesh.colors[part] = colors.reshape(-1, 4)

    def hide(self, k: int) -> None:
        """Hide line `k`."""
        self._mesh.points[self._starts[k] : self._starts[k + 1]] = -1e4

    def touch(self) -> None:
        """Notify VTK of the changes."""
        self._mesh.touch()


class Patches:
    """Filled shapes with a fixed number of corners each, star-shaped about their centres, as one actor."""

    def __init__(self, count: int, n_corners: int) -> None:
        self._size = 2 * n_corners + 1
        cells = np.concatenate([_fan(n_corners) + k * self._size for k in range(count)])
        self._mesh = _Mesh(count * self._size, cells)
        self.actor = self._mesh.actor

    def set(self, k: int, corners: Array, color: Color, center: Array | None = None) -> None:
        """Fill shape `k` with corners (n, 2), in their order around its centre."""
        part = slice(k * self._size, (k + 1) * self._size)
        middle = corners.mean(axis=0) if center is None else center
        out = corners - middle
        out /= np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-9)[:, None]
        self._mesh.points[part, :2] = np.vstack([middle, corners - out * RIM / 2, corners + out * RIM / 2])
        self._mesh.colors[part] = color
        self._mesh.colors[k * self._size + 1 + len(corners) : (k + 1) * self._size, 3] = 0

    def hide(self, k: int) -> None:
        """Hide shape `k`."""
        self._mesh.points[k * self._size : (k + 1) * self._size] = -1e4

    def touch(self) -> None:
        """Notify VTK of the changes."""
        self._mesh.touch()


class _Mesh:
    """Triangles in the overlay with a colour at each corner, written in place."""

    def __init__(self, n_points: int, triangles: NDArray[np.int64]) -> None:
        self._polydata = pv.PolyData(np.full((n_points, 3), -1e4, dtype=np.float32), faces=pv_cells(triangles))
        set_colors(self._polydata, np.zeros((n_points, 4), dtype=np.uint8))
        self.points = actors.points_of(self._polydata)
        self.colors = vtk_to_numpy(self._polydata.GetPointData().GetScalars())
        self.points[:, 2] = 0.0
        self.actor = actors.overlay_surface(self._polydata)

    def touch(self) -> None:
        self._polydata.GetPointData().GetScalars().Modified()
        self.points[:, 2] = 0.0
        actors.touch(self._polydata)


def _strip(n: int) -> NDArray[np.int64]:
    """Return the triangles of a line of n points, four vertices across."""
    corner = (4 * np.arange(n - 1)[:, None] + np.arange(3)).ravel()
    a, b, c, d = corner, corner + 1, corner + 5, corner + 4
    return np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])


def _fan(n: int) -> NDArray[np.int64]:
    """Return the triangles of a shape of n corners: centre, inner corners and rim."""
    k = np.arange(n)
    near, next_near = 1 + k, 1 + (k + 1) % n
    far, next_far = near + n, next_near + n
    fan = np.stack([np.zeros(n, dtype=np.int64), near, next_near], -1)
    return np.concatenate([fan, np.stack([near, far, next_far], -1), np.stack([near, next_far, next_near], -1)])
