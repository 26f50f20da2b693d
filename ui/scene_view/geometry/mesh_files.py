"""Surfaces from files: STL, OBJ, PLY, GLB and COLLADA as triangles with normals, cached by path and file state.

`framescope.core.mesh_files` reads the files; VTK's filters are imported with the first mesh of a scene.
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
"""Number of cached meshes, or more of them up to this total of triangles: a robot has a hundred meshes."""

FEATURE_ANGLE = 40.0
"""Angle above which edges stay hard if a file has no normals, degrees."""

COLORS = "colors of faces"

COARSE_ABOVE, COARSE_CELLS = 20_000, 40
"""Number of vertices above which an outline uses a coarse copy, and number of its cells along each side."""


def load_mesh(path: Path) -> Mesh:
    """Return the surface in a file, in the file's own unit; an unchanged file is read once.

    Raises
    ------
    MeshFileError
        If the file cannot be read, is too large, or holds no surface.
    """
    mesh_or_fault = _loaded(path)
    if isinstance(mesh_or_fault, Mesh):
        return mesh_or_fault
    raise MeshFileError(*mesh_or_fault)


def coarse(mesh: Mesh) -> Mesh:
    """Return a mesh of few triangles around the same positions, for outlines; a small mesh is returned as it is."""
    if len(mesh.points) <= COARSE_ABOVE:
        return mesh
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    cell = np.where(high > low, (high - low) / COARSE_CELLS, 1.0)
    cells = np.minimum((mesh.points - low) / cell, COARSE_CELLS - 1).astype(np.int64)
    _, first, inverse = np.unique(
        (cells * (COARSE_CELLS**2, COARSE_CELLS, 1)).sum(axis=1), return_index=True, return_inverse=True
    )
    count = np.bincount(inverse)[:, np.newaxis]
    points = np.stack([np.bincount(inverse, mesh.points[:, k]) for k in range(3)], axis=-1) / count
    triangles = inverse[mesh.triangles]
    is_whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return Mesh(points, mesh.normals[first], np.unique(triangles[is_whole], axis=0))


def _load(path: Path) -> Mesh | tuple[str, str]:
    """Return a mesh, or message and hint of the fault, which is cached, too."""
    try:
        return _to_mesh(kept_surface(path), path)
    except MeshFileError as error:
        return error.message, error.hint


def _weight(mesh_or_fault: Mesh | tuple[str, str]) -> float:
    return float(len(mesh_or_fault.triangles)) if isinstance(mesh_or_fault, Mesh) else 0.0


_loaded = FileCache(_load, KEPT, _weight, KEPT_TRIANGLES)


def _to_mesh(surface: Surface, path: Path) -> Mesh:
    """Return triangles with normals; VTK receives only validated arrays."""
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
    face_colors = polydata.GetCellData().GetArray(COLORS)
    return Mesh(
        points, np.nan_to_num(directions), corners, None if face_colors is None else np.array(vtk_to_numpy(face_colors))
    )
