"""Scene files, YAML or JSON that says the version of its format, and bundles of them with the files they name."""

from __future__ import annotations

import re
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.scene_archive import unpack_beside

_VERSION = re.compile(rb"""^[\s{]*["']?framescope["']?[ \t]*:""", re.MULTILINE)


def is_scene(head: bytes, _size: int) -> bool:
    """Return whether the key of the version stands at the begin of a line, or of a JSON object."""
    return _VERSION.search(head) is not None


def is_bundle(head: bytes, _size: int) -> bool:
    """Return whether a file is a zip; NPZ tables, which are zips too, are to be recognized before."""
    return head.startswith(b"PK\x03\x04")


def read_scene(path: Path) -> Contents:
    """Read a scene file."""
    return Contents(load_scene(path))


def read_bundle(path: Path) -> Contents:
    """Unpack a bundle beside itself, and read the scene in it."""
    return Contents(load_scene(unpack_beside(path)))
