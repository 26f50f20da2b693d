"""Surfaces from files: STL, OBJ, PLY, GLB and COLLADA, as triangles with normals, kept by path and state of the file.

The files are read by `framescope.core.mesh_files`; VTK's filters are imported when a scene has the first one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

from framescope.core.mesh_files.formats import kept_surface
from framescope.core.mesh_files.surface import MeshFileError, Surface
from framescope.core.system.caches import FileCache
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh

KEPT, KEPT_TRIANGLES = 8, 2_000_000
"""Meshes that are kept, and more of them with so many triangles in all: a robot has a hundred."""

FEATURE_ANGLE = 40.0
"""Where a file has no normals, edges sharper than this stay hard, degrees."""

COLORS = "colors of faces"

COARSE_ABOVE, COARSE_CELLS = 20_000, 40
"""Vertices from which on an outline goes around a coarse copy, and how many cells it has along each side."""


def load_mesh(path: Path) -> Mesh:
    """Return the surface in a file, in its own numbers; the same file is read once.

    Raises
    ------
    MeshFileError
        When it cannot be read, is too large, or holds no surface.
    """
    found = _loaded(path)
    if isinstance(found, Mesh):
        return found
    raise MeshFileError(*found)


def coarse(mesh: Mesh) -> Mesh:
    """Return a mesh of few triangles around the same places, for outlines; a small one as it is."""
    if len(mesh.points) <= COARSE_ABOVE:
        return mesh
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    cell = np.where(high > low, (high - low) / COARSE_CELLS, 1.0)
    cells = np.minimum((mesh.points - low) / cell, COARSE_CELLS - 1).astype(np.int64)
    _, first, which = np.unique(
        (cells * (COARSE_CELLS**2, COARSE_CELLS, 1)).sum(axis=1), return_index=True, return_inverse=True
    )
    count = np.bincount(which)[:, np.newaxis]
    points = np.stack([np.bincount(which, mesh.points[:, k]) for k in range(3)], axis=-1) / count
    triangles = which[mesh.triangles]
    is_whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return Mesh(points, mesh.normals[first], np.unique(triangles[is_whole], axis=0))


def _load(path: Path) -> Mesh | tuple[str, str]:
    """Return a mesh, or message and hint of what is wrong: that too is looked at once."""
    try:
        return _to_mesh(kept_surface(path), path)
    except MeshFileError as error:
        return error.message, error.hint


def _weight(found: Mesh | tuple[str, str]) -> float:
    return float(len(found.triangles)) if isinstance(found, Mesh) else 0.0


_loaded = FileCache(_load, KEPT, _weight, KEPT_TRIANGLES)


def _to_mesh(surface: Surface, path: Path) -> Mesh:
    """Return triangles with normals; VTK is given arrays that have been checked."""
    if surface.normals is not None and (surface.sizes == 3).all():
        return Mesh(surface.points, surface.normals, surface.corners.reshape(-1, 3), surface.colors)
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
    from vtkmodules.vtkFiltersCore import vtkPolyDataNormals, vtkTriangleFilter

    polydata, places, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    places.SetData(numpy_to_vtk(surface.points, deep=True))
    ends = np.concatenate([[0], np.cumsum(surface.sizes)])
    cells.SetData(numpy_to_vtkIdTypeArray(ends, deep=True), numpy_to_vtkIdTypeArray(surface.corners, deep=True))
    polydata.SetPoints(places)
    polydata.SetPolys(cells)
    if surface.colors is not None:
        colors = numpy_to_vtk(surface.colors, deep=True)
        colors.SetName(COLORS)
        polydata.GetCellData().AddArray(colors)
    if surface.normals is not None:
        polydata.GetPointData().SetNormals(numpy_to_vtk(surface.normals, deep=True))
    if (surface.sizes > 3).any():
        triangles = vtkTriangleFilter()
        triangles.SetInputData(polydata)
        triangles.Update()
        polydata = triangles.GetOutput()
        if polydata.GetNumberOfCells() == 0:
            raise MeshFileError(f"the file {path.name} holds no surface.", "All its faces are without area.")
    if surface.normals is None:
        normals = vtkPolyDataNormals()
        normals.SetInputData(polydata)
        normals.SetFeatureAngle(FEATURE_ANGLE)
        normals.SplittingOn()
        normals.ConsistencyOff()
        normals.Update()
        polydata = normals.GetOutput()
    points = np.array(vtk_to_numpy(polydata.GetPoints().GetData()), dtype=float)
    directions = np.array(vtk_to_numpy(polydata.GetPointData().GetNormals()), dtype=float)
    corners = vtk_to_numpy(polydata.GetPolys().GetConnectivityArray()).reshape(-1, 3).astype(np.int64)
    kept = polydata.GetCellData().GetArray(COLORS)
    return Mesh(points, np.nan_to_num(directions), corners, None if kept is None else np.array(vtk_to_numpy(kept)))
