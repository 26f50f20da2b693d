"""Digest of the program's own modules, by which pictures drawn by earlier ones are known."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from framescope import core


@cache
def drawing_code() -> str:
    """Return a digest of the sizes and times of all modules of the program: a change or an update has another one."""
    return digest_of(Path(core.__file__).parents[1])


def digest_of(root: Path) -> str:
    """Return the digest of the modules in the folders ``core``, ``ui``, ``app`` and ``features`` of a folder."""
    digest = hashlib.sha256()
    for folder in ("core", "ui", "app", "features"):
        for path in sorted((root / folder).rglob("*.py")):
            status = path.stat()
            digest.update(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
