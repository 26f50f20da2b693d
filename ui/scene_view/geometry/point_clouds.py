"""Points of clouds as polydata of VTK: one cell that holds all points, in the colours of the file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkMapper

from framescope.core.mesh_files.surface import Colors

PULL = 8.0
"""Units by which VTK pulls points forward in depth."""


def points_polydata(points: NDArray[Any], colors: Colors | None = None) -> vtkPolyData:
    """Return points (n, 3), m, with colours (n, 3), 0 to 255, as polydata.

    >>> points_polydata(np.eye(3)).GetNumberOfVerts()
    1
    """
    polydata, places, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    places.SetData(numpy_to_vtk(np.ascontiguousarray(points, dtype=np.float32), deep=True))
    ids = np.arange(len(points), dtype=np.int64)
    cells.SetData(
        numpy_to_vtkIdTypeArray(np.array([0, len(points)]), deep=True), numpy_to_vtkIdTypeArray(ids, deep=True)
    )
    polydata.SetPoints(places)
    polydata.SetVerts(cells)
    if colors is not None:
        array = numpy_to_vtk(np.ascontiguousarray(colors), deep=True)
        array.SetName("colors")
        polydata.GetPointData().SetScalars(array)
    return polydata


def keep_depth(mapper: vtkMapper) -> None:
    """Draw points at their depth: VTK would pull them forward, over lines that are metres in front of them."""
    mapper.SetRelativeCoincidentTopologyPointOffsetParameter(PULL)


def is_cloud(polydata: vtkPolyData) -> bool:
    """Return whether polydata holds points alone."""
    return polydata.GetNumberOfVerts() > 0 and polydata.GetNumberOfPolys() == 0


def thin_points(polydata: vtkPolyData, count: int) -> vtkPolyData:
    """Return evenly chosen points of a cloud, at most `count`.

    >>> thin_points(points_polydata(np.zeros((100, 3))), 10).GetNumberOfPoints()
    10
    """
    points: NDArray[Any] = vtk_to_numpy(polydata.GetPoints().GetData())
    n = len(points)
    rows = np.linspace(0, n - 1, count).round().astype(np.intp) if n > count else np.arange(n)
    scalars = polydata.GetPointData().GetScalars()
    return points_polydata(points[rows], None if scalars is None else vtk_to_numpy(scalars)[rows])
