"""The reader of a mesh file, by the suffix of its name."""

from __future__ import annotations

import os
from pathlib import Path

from framescope.core.mesh_files import surface
from framescope.core.mesh_files.gltf import read_glb
from framescope.core.mesh_files.obj import read_obj
from framescope.core.mesh_files.ply import read_ply
from framescope.core.mesh_files.stl import read_stl
from framescope.core.mesh_files.surface import Fault, MeshFileError, Surface

READERS = {".stl": read_stl, ".obj": read_obj, ".ply": read_ply, ".glb": read_glb}


def read_surface(path: Path) -> Surface:
    """Return the surface in a mesh file, in its own numbers.

    Raises
    ------
    MeshFileError
        When the file cannot be read, is too large, is damaged, or holds no surface; the message names the place.
    """
    try:
        with path.open("rb") as file:
            surface.check_bytes(os.fstat(file.fileno()).st_size)
            return surface.checked(READERS[path.suffix.lower()](file))
    except OSError as error:
        raise MeshFileError(f"the file {path.name} cannot be read: {error.strerror or error}.") from None
    except Fault as fault:
        where = f"the file {path.name}"
        said = f"{where}, {fault.place}: {fault.what}" if fault.place else f"{where} {fault.what}"
        raise MeshFileError(said, fault.hint) from None
