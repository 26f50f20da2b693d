"""Surfaces in STL, OBJ, PLY, GLB and COLLADA, and points in PLY: each becomes a body in world."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.app.importers.foreign import begins_with_element
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.bodies import Body, MeshFile, PointsFile
from framescope.core.scene.schema.model import WORLD, Scene

_begins_as_collada = begins_with_element("COLLADA")
_STL_HEADER, _STL_FACET = 84, 50
_OBJ_WORDS = frozenset(b"v vn vt vp f l p o g s mtllib usemtl".split())


def is_mesh(head: bytes, size: int) -> bool:
    """Return whether a file starts like a mesh file; binary STL must have the size of its number of triangles."""
    if head.startswith((b"glTF", b"ply\n", b"ply\r")) or _begins_as_collada(head):
        return True
    lines = head.replace(b"\\\n", b" ").splitlines()[:-1]  # a backslash continues a line
    words = {line.split(None, 1)[0] for line in lines if line.strip() and not line.startswith(b"#")}
    if b"v" in words and words <= _OBJ_WORDS:
        return True
    n = int.from_bytes(head[80:84], "little")
    is_text = head.lstrip()[:5].lower() == b"solid" and b"facet" in head.lower()
    return is_text or (n > 0 and size == _STL_HEADER + _STL_FACET * n)


def read(path: Path) -> Contents:
    """Return a body with the surface, or with the points of a PLY file without faces.

    GLB and COLLADA define units. For others the problems list asks for the unit.
    """
    if _has_points_only(path):
        body = Body(frame=WORLD, shape=PointsFile(file=path.name), color="own")
    else:
        unit = "m" if path.suffix.lower() in (".glb", ".dae") else None
        body = Body(frame=WORLD, shape=MeshFile(file=path.name, unit=unit))
    return Contents(LoadedScene(Scene.model_validate({"bodies": {path.stem: body}}), path, "", {}))


def _has_points_only(path: Path) -> bool:
    """Return whether a file is PLY without faces; False for one that cannot be read, whose body has the problem."""
    from framescope.core.mesh_files.ply import has_faces
    from framescope.core.mesh_files.surface import UnreadableMesh

    if path.suffix.lower() != ".ply":
        return False
    try:
        with path.open("rb") as file:
            return not has_faces(file)
    except (OSError, UnreadableMesh):
        return False
