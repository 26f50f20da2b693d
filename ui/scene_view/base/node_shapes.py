"""Shapes of an animated model: triangles or lines in one colour, as in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, rgba


@dataclass(frozen=True, eq=False)
class NodeShape:
    """Triangles or lines, in coordinates of their node.

    Attributes
    ----------
    points : (m, 3)
        Vertices, m.
    cells : (k, 3) or (k, 2)
        Triangles, or the two ends of each line.
    color
        Red, green, blue and opacity, 0 to 1, in sRGB; white if the vertices have `colors`.
    normals : (m, 3), optional
        Normals of lit triangles. Without normals, the shape shows its plain colour.
    colors : (m, 4), optional
        Colour of each vertex, bytes.
    """

    points: Array
    cells: NDArray[np.int64]
    color: tuple[float, float, float, float]
    normals: Array | None = None
    colors: NDArray[np.uint8] | None = None

    @property
    def is_lines(self) -> bool:
        """Whether the cells are lines."""
        return self.cells.shape[1] == 2


def shape_in_color(mesh: Mesh, color: str) -> NodeShape:
    """Return the shape of a mesh in one colour, ``#rrggbb``."""
    return shape_of(mesh, rgba(color))


def shape_of(mesh: Mesh, color: tuple[int, ...]) -> NodeShape:
    """Return the shape of a mesh in one colour, four bytes."""
    r, g, b, a = (channel / 255 for channel in color)
    return NodeShape(mesh.points, mesh.triangles, (r, g, b, a), mesh.normals)


def shape_of_actor(actor: vtkActor) -> NodeShape | None:
    """Return the shape drawn by an actor of one colour; None if it draws nothing."""
    mapper = actor.GetMapper()
    if not isinstance(mapper, vtkPolyDataMapper):
        return None
    data = pv.PolyData(mapper.GetInput())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    prop = actor.GetProperty()
    is_lines = data.GetNumberOfPolys() == 0
    cells = _cells(data, 2) if is_lines else _cells(data, 3)
    if not len(cells):
        return None
    normals = data.point_data.active_normals if prop.GetLighting() and not is_lines else None
    r, g, b = prop.GetColor()
    return NodeShape(
        np.array(data.points, dtype=float),
        cells,
        (r, g, b, prop.GetOpacity()),
        None if normals is None else np.array(normals, dtype=float),
    )


def shape_of_vertex_colors(data: pv.PolyData) -> NodeShape:
    """Return the shape of a mesh with a colour at each vertex."""
    return NodeShape(
        np.array(data.points, dtype=float),
        _cells(data, 3),
        (1.0, 1.0, 1.0, 1.0),
        np.array(data.point_data.active_normals, dtype=float),
        np.array(data.point_data["colors"], dtype=np.uint8),
    )


def _cells(data: pv.PolyData, corners: int) -> NDArray[np.int64]:
    """Return the lines (`corners` 2) or triangles (`corners` 3) of a mesh."""
    rows = data.lines if corners == 2 else data.faces  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return np.array(rows, dtype=np.int64).reshape(-1, corners + 1)[:, 1:]
