"""Surfaces from files: STL, OBJ, PLY and GLB, read by VTK, bounded, and kept by path and state of the file.

VTK's readers are imported when a scene has the first such file.
"""

from __future__ import annotations

import json
import struct
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.errors import FramescopeError
from framescope.ui.view.meshes import Mesh

if TYPE_CHECKING:
    from vtkmodules.vtkCommonDataModel import vtkPolyData

MAX_BYTES = 200_000_000
MAX_TRIANGLES = 5_000_000
KEPT = 8
"""Meshes that are kept."""

FEATURE_ANGLE = 40.0
"""Where a file has no normals, edges sharper than this stay hard, degrees."""

COARSE_ABOVE, COARSE_CELLS = 20_000, 40
"""Vertices from which on an outline goes around a coarse copy, and how many cells it has along each side."""


class MeshFileError(FramescopeError):
    """A mesh file cannot be drawn; `message` says why, and `hint` how to mend it."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


def load_mesh(path: Path) -> Mesh:
    """Return the surface in a file, in its own numbers; the same file is read once.

    Raises
    ------
    MeshFileError
        When it cannot be read, is too large, or holds no surface.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise MeshFileError(f"the file {path.name} cannot be read: {error.strerror}.") from None
    found = _loaded(path, state.st_mtime_ns, state.st_size)
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


@lru_cache(maxsize=KEPT)
def _loaded(path: Path, _mtime_ns: int, n_bytes: int) -> Mesh | tuple[str, str]:
    """Return a mesh, or message and hint of what is wrong: that too is looked at once."""
    if n_bytes > MAX_BYTES:
        return f"the file {path.name} is larger than {MAX_BYTES // 1_000_000} MB.", "Reduce the mesh."
    try:
        mesh = _to_mesh(_read(path), path)
    except MeshFileError as error:
        return error.message, error.hint
    except OSError as error:
        return f"the file {path.name} cannot be read: {error.strerror}.", ""
    return mesh


def _read(path: Path) -> vtkPolyData:
    """Read a file by its suffix; what VTK complains of becomes an error instead of text on the terminal."""
    from vtkmodules.vtkIOGeometry import vtkGLTFReader, vtkOBJReader, vtkSTLReader
    from vtkmodules.vtkIOPLY import vtkPLYReader

    suffix = path.suffix.lower()
    if suffix == ".glb":
        _check_glb(path)
    readers: dict[str, Any] = {".stl": vtkSTLReader, ".obj": vtkOBJReader, ".ply": vtkPLYReader, ".glb": vtkGLTFReader}
    reader = readers[suffix]()
    complaints: list[str] = []

    def hear(_reader: object, _event: str) -> None:
        complaints.append("")

    talkers = (reader, reader.GetExecutive())
    for talker in talkers:
        for event in ("ErrorEvent", "WarningEvent"):
            talker.AddObserver(event, hear)
    reader.SetFileName(str(path))
    reader.Update()
    output = _joined(reader.GetOutput()) if suffix == ".glb" else reader.GetOutput()
    for talker in talkers:
        talker.RemoveAllObservers()
    if complaints and output.GetNumberOfCells() == 0:
        kind = suffix[1:].upper()
        raise MeshFileError(f"the file {path.name} cannot be read as {kind}.", "Export it again, or in another format.")
    return output


def _joined(blocks: Any) -> vtkPolyData:
    """Return all surfaces of a composite data set as one."""
    from vtkmodules.vtkCommonDataModel import vtkPolyData
    from vtkmodules.vtkFiltersCore import vtkAppendPolyData

    join = vtkAppendPolyData()
    join.AddInputData(vtkPolyData())
    walk = blocks.NewIterator()
    walk.InitTraversal()
    while not walk.IsDoneWithTraversal():
        block = walk.GetCurrentDataObject()
        if isinstance(block, vtkPolyData):
            join.AddInputData(block)
        walk.GoToNextItem()
    join.Update()
    return join.GetOutput()


def _check_glb(path: Path) -> None:
    """Refuse what is no GLB, and what would have other files read."""
    broken = MeshFileError(f"the file {path.name} cannot be read as GLB.", "Export it again, or in another format.")
    with path.open("rb") as file:
        head = file.read(20)
        if len(head) < 20:
            raise broken
        magic, version, _, n_json, kind = struct.unpack("<4sIIII", head)
        if magic != b"glTF" or version != 2 or kind != 0x4E4F534A or n_json > MAX_BYTES:
            raise broken
        try:
            data = json.loads(file.read(n_json))
        except (ValueError, RecursionError):
            raise broken from None
    if not isinstance(data, dict):
        raise broken
    for key in ("buffers", "images"):
        for item in data.get(key) or ():
            uri = item.get("uri", "") if isinstance(item, dict) else ""
            if uri and not str(uri).startswith("data:"):
                raise MeshFileError(f"the file {path.name} takes {key} from other files.", "Export it as one GLB file.")


def _to_mesh(polydata: vtkPolyData, path: Path) -> Mesh:
    """Return triangles with normals, within the bounds of what is drawn."""
    from vtkmodules.vtkFiltersCore import vtkPolyDataNormals, vtkTriangleFilter

    triangles = vtkTriangleFilter()
    triangles.SetInputData(polydata)
    triangles.PassVertsOff()
    triangles.PassLinesOff()
    triangles.Update()
    n = triangles.GetOutput().GetNumberOfCells()
    if n == 0:
        raise MeshFileError(f"the file {path.name} holds no surface.", "Expected triangles or other faces.")
    if n > MAX_TRIANGLES:
        raise MeshFileError(f"the file {path.name} has {n} triangles, more than {MAX_TRIANGLES}.", "Reduce the mesh.")
    found = triangles.GetOutput()
    if found.GetPointData().GetNormals() is None:
        normals = vtkPolyDataNormals()
        normals.SetInputData(found)
        normals.SetFeatureAngle(FEATURE_ANGLE)
        normals.SplittingOn()
        normals.ConsistencyOff()
        normals.Update()
        found = normals.GetOutput()
    points = np.array(vtk_to_numpy(found.GetPoints().GetData()), dtype=float)
    cells = vtk_to_numpy(found.GetPolys().GetConnectivityArray()).reshape(-1, 3).astype(np.int64)
    directions = np.array(vtk_to_numpy(found.GetPointData().GetNormals()), dtype=float)
    used = np.unique(cells)
    if not np.isfinite(points[used]).all():
        raise MeshFileError(f"the file {path.name} has vertices that are not finite.", "Export it again.")
    # Vertices that no face uses would count among its extents.
    place = np.zeros(len(points), dtype=np.int64)
    place[used] = np.arange(len(used))
    return Mesh(points[used], np.nan_to_num(directions[used]), place[cells])
