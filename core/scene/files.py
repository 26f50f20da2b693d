"""The files that a scene names."""

from __future__ import annotations

from pathlib import Path

from framescope.core.scene.model import Scene


def named_files(scene: Scene) -> tuple[str, ...]:
    """Return the names of all files the scene refers to, each once, in the order of the scene."""
    return tuple(dict.fromkeys(frame.motion.file for frame in scene.frames.values() if frame.motion is not None))


def files_to_copy(scene: Scene, old_folder: Path, new_folder: Path) -> list[tuple[Path, Path]]:
    """Return the copies (from, to) that saving the scene in another folder needs, so that it still finds its files.

    A file that is missing, lies outside the old folder, or is already in the new one is left alone.
    """
    old, new = old_folder.resolve(), new_folder.resolve()
    if old == new:
        return []
    copies: list[tuple[Path, Path]] = []
    for name in named_files(scene):
        source, target = (old / name).resolve(), (new / name).resolve()
        is_inside = source.is_relative_to(old) and target.is_relative_to(new)
        if is_inside and source.is_file() and not target.exists():
            copies.append((source, target))
    return copies
