"""Folders of robots: the file that is opened for a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError

SUFFIXES = (".urdf", ".sdf", ".world")
"""Endings of the files of robots for which a folder may be opened."""

HEAD_BYTES = 4096
"""Bytes of an XML file that are searched for a robot in MJCF."""

MAX_DEPTH = 5
"""Depth of nested folders that are searched."""

MAX_FILES = 20_000
"""Files that are searched."""

LISTED = 5
"""Robots that a message lists."""


def robot_in_folder(path: Path) -> Path:
    """Return the file of the robot in a folder; of several robots the one with the name of the folder.

    Raises
    ------
    FramescopeError
        When the folder holds no robot, or several.
    """
    files = sorted(_robots_in(path), key=lambda file: (len(file.parts), file))
    if not files:
        raise FramescopeError(
            f"the folder {path.name} holds no robot in URDF, SDF or MJCF, and no bag. Open a file in it."
        )
    name = path.resolve().name.removesuffix("_description")
    named = [file for file in files if file.stem in (path.resolve().name, name)]
    if len(files) == 1 or len(named) == 1:
        return (named or files)[0]
    listed = ", ".join(file.relative_to(path).as_posix() for file in files[:LISTED])
    more = f" and {len(files) - LISTED} more" if len(files) > LISTED else ""
    raise FramescopeError(f"the folder {path.name} holds several robots: {listed}{more}. Open one of these files.")


def _robots_in(folder: Path) -> Iterator[Path]:
    """Yield the files of robots in a folder; skip hidden folders and links to other folders."""
    remaining = MAX_FILES
    for place, folders, files in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) >= MAX_DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files)[:remaining]:
            if name.lower().endswith(SUFFIXES) or (name.lower().endswith(".xml") and _is_mjcf(Path(place) / name)):
                yield Path(place) / name
        remaining -= len(files)
        if remaining <= 0:
            return


_begins_as_mjcf = begins_with_element("mujoco")


def _is_mjcf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _begins_as_mjcf(file.read(HEAD_BYTES))
    except OSError:
        return False
