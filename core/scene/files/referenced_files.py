"""The files that a scene names."""

from __future__ import annotations

import errno
import filecmp
from pathlib import Path

from framescope.core.errors import ItemError
from framescope.core.scene.schema.bodies import MeshFile
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Motion, Recorded
from framescope.core.system.file_access import Access, resolve_named

TEXT_FILES = (".txt", ".csv", ".tsv", ".tum", ".kitti")
"""Endings of trajectories."""

TABLE_FILES = (*TEXT_FILES, ".npz", ".parquet")
"""Endings of tables."""

MESH_FILES = (".stl", ".obj", ".ply", ".glb")
"""Endings of surfaces."""

KNOWN_FILES = tuple(dict.fromkeys(TEXT_FILES + TABLE_FILES + MESH_FILES))


def named_files(scene: Scene) -> tuple[str, ...]:
    """Return the names of all files the scene refers to, each once, in the order of the scene."""
    names: list[str] = []
    for frame in scene.frames.values():
        names += _of_motion(frame.motion)
    names += (body.shape.file for body in scene.bodies.values() if isinstance(body.shape, MeshFile))
    for claim in scene.measured.values():
        names += [claim.file] if isinstance(claim, MeasuredVector) else _of_motion(claim.motion)
    return tuple(dict.fromkeys(names))


def _of_motion(motion: Motion | None) -> list[str]:
    if not isinstance(motion, Recorded):
        return []
    return [motion.file] if motion.times is None else [motion.file, motion.times]


def files_to_copy(scene: Scene, old_folder: Path, new_folder: Path) -> list[tuple[Path, Path]]:
    """Return the copies (from, to) that saving the scene in another folder needs, so that it still finds its files.

    A file that is missing, lies outside the old folder, or is already in the new one is left alone.

    Raises
    ------
    FileExistsError
        When the new folder holds another file of that name, which the scene would take for its own.
    """
    old, new = old_folder.resolve(), new_folder.resolve()
    if old == new:
        return []
    copies: list[tuple[Path, Path]] = []
    for name in named_files(scene):
        try:
            source = resolve_named(name, Access(old), (), KNOWN_FILES)
        except ItemError:  # told where the file is used
            continue
        target = (new / name).resolve()
        if not target.is_relative_to(new):
            continue
        if not target.exists():
            copies.append((source, target))
        elif not filecmp.cmp(source, target, shallow=False):
            raise FileExistsError(errno.EEXIST, f"another file called {name} is there", str(target))
    return copies
