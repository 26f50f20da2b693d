"""Surfaces in STL, OBJ, PLY and GLB: each becomes a body in the world."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.bodies import Body, MeshFile
from framescope.core.scene.schema.model import WORLD, Scene

_STL_HEADER, _STL_FACET = 84, 50
_OBJ_WORDS = frozenset(b"v vn vt vp f l p o g s mtllib usemtl".split())


def is_mesh(head: bytes, size: int) -> bool:
    """Return whether a file begins as one of the formats; binary STL has a size that fits its count of triangles."""
    if head.startswith((b"glTF", b"ply\n", b"ply\r")):
        return True
    lines = head.replace(b"\\\n", b" ").splitlines()[:-1]  # a line may go on in the next one
    words = {line.split(None, 1)[0] for line in lines if line.strip() and not line.startswith(b"#")}
    if b"v" in words and words <= _OBJ_WORDS:
        return True
    n = int.from_bytes(head[80:84], "little")
    is_text = head.lstrip()[:5].lower() == b"solid" and b"facet" in head.lower()
    return is_text or (n > 0 and size == _STL_HEADER + _STL_FACET * n)


def read(path: Path) -> Contents:
    """Return a body of the surface; only GLB says what its numbers mean, the problems list asks for the others."""
    unit = "m" if path.suffix.lower() == ".glb" else None
    body = Body(frame=WORLD, shape=MeshFile(file=path.name, unit=unit))
    return Contents(LoadedScene(Scene.model_validate({"bodies": {path.stem: body}}), path, "", {}))
