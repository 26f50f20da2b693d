"""Scene files, YAML or JSON with the version key, and bundles of scenes with their files."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.app.importers.documents import has_version
from framescope.core.errors import SceneError
from framescope.core.scene.files.loading import LoadedScene, load_scene
from framescope.core.scene.files.scene_archive import unpack_beside


def is_scene(head: bytes, _size: int) -> bool:
    """Return whether a text has the version key at its top level, with a number."""
    return has_version(head, is_strict=True)


def is_bundle(head: bytes, _size: int) -> bool:
    """Return whether a file is a zip; NPZ tables are zips too and must be recognized before."""
    return head.startswith(b"PK\x03\x04")


def read_scene(path: Path) -> Contents:
    """Read a scene file."""
    return Contents(load_with_all_faults(path))


def load_with_all_faults(path: Path) -> LoadedScene:
    """Read a scene file; raise a `SceneError` with all faults, not only the one that stops the reading."""
    try:
        return load_scene(path)
    except SceneError as error:
        from framescope.core.evaluation.unreadable_scene import with_further_faults

        raise with_further_faults(path, error) from None


def read_bundle(path: Path) -> Contents:
    """Unpack a bundle beside itself, and read its scene."""
    return Contents(load_with_all_faults(unpack_beside(path)))
