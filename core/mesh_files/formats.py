"""Mesh readers by file suffix."""

from __future__ import annotations

import os
from pathlib import Path

from framescope.core.mesh_files import surface
from framescope.core.mesh_files.dae import read_dae
from framescope.core.mesh_files.gltf import read_glb
from framescope.core.mesh_files.obj import read_obj
from framescope.core.mesh_files.ply import read_ply
from framescope.core.mesh_files.stl import read_stl
from framescope.core.mesh_files.surface import MeshFileError, Surface, UnreadableMesh
from framescope.core.system.caches import FileCache

KEPT, KEPT_CORNERS = 8, 1_500_000
"""Number of surfaces that are always cached, and total of face corners up to which more are cached: about 40 MB."""

READERS = {".stl": read_stl, ".obj": read_obj, ".ply": read_ply, ".glb": read_glb, ".dae": read_dae}


def read_surface(path: Path) -> Surface:
    """Return the surface in a mesh file, in the file's own unit.

    Raises
    ------
    MeshFileError
        When the file cannot be read, is too large, is damaged, or holds no surface; the message names the place.
    """
    try:
        with path.open("rb") as file:
            surface.check_bytes(os.fstat(file.fileno()).st_size)
            return surface.check_surface(READERS[path.suffix.lower()](file))
    except OSError as error:
        raise MeshFileError(f"the file {path.name} cannot be read: {error.strerror or error}.") from None
    except UnreadableMesh as problem:
        where = f"the file {path.name}"
        message = f"{where}, {problem.place}: {problem.what}" if problem.place else f"{where} {problem.what}"
        raise MeshFileError(message, problem.hint) from None


kept_surface = FileCache(read_surface, KEPT, lambda surface: float(len(surface.corners)), KEPT_CORNERS)
"""Cached `read_surface`, so that checks and display read a file once."""
