"""Files named by a model in MJCF, in the formats of its compiler."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from framescope.core.mesh_files.formats import READERS, kept_surface
from framescope.core.mesh_files.surface import MeshFileError
from framescope.features.robots.core.mjcf.source import is_binary_stl
from framescope.features.robots.core.package_files import find_file

AS_THEY_ARE = (".obj", ".msh")


def file_beside(model: Path, name: str) -> bytes | None:
    """Return a file by its name relative to a model, with meshes converted to a format that MuJoCo reads.

    None if there is no accessible file, or it is not a valid mesh.
    """
    path = find_file(model.resolve(), name)
    if path is None:
        return None
    try:
        suffix = path.suffix.lower()
        data = path.read_bytes()
        if suffix not in READERS or suffix in AS_THEY_ARE or (suffix == ".stl" and is_binary_stl(data)):
            return data
        return _as_obj(path)
    except (OSError, MeshFileError):
        return None


def _as_obj(path: Path) -> bytes:
    surface = kept_surface(path)
    points = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in surface.points.astype(float).tolist())
    faces = np.split(surface.corners + 1, np.cumsum(surface.sizes)[:-1])
    return (points + "".join(f"f {' '.join(map(str, face.tolist()))}\n" for face in faces)).encode()
