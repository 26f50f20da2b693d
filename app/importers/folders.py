"""Folders that stand for a file in them: the one of a robot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError
from framescope.features.bags.core.bag_file import is_bag_folder

SUFFIXES = (".urdf", ".sdf", ".world")
"""Of the files that a folder may be opened for."""

HEAD_BYTES = 4096
"""How much of an XML file is looked at for a robot in MJCF."""

MAX_DEPTH = 5
"""Folders in each other that are looked at."""

MAX_LOOKED_AT = 20_000
"""Files."""

LISTED = 5


def file_in(path: Path) -> Path:
    """Return the file that is meant by a path: itself, or of a folder that is no bag the robot in it.

    Of several robots it is the one that is called as the folder.

    Raises
    ------
    FramescopeError
        When a folder holds no robot, or several.
    """
    if not path.is_dir() or is_bag_folder(path):
        return path
    found = sorted(_robots_in(path), key=lambda file: (len(file.parts), file))
    if not found:
        raise FramescopeError(
            f"the folder {path.name} holds no robot in URDF, SDF or MJCF, and no bag. Open a file in it."
        )
    name = path.resolve().name.removesuffix("_description")
    named = [file for file in found if file.stem in (path.resolve().name, name)]
    if len(found) == 1 or len(named) == 1:
        return (named or found)[0]
    listed = ", ".join(file.relative_to(path).as_posix() for file in found[:LISTED])
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    raise FramescopeError(f"the folder {path.name} holds several robots: {listed}{more}. Open one of these files.")


def _robots_in(folder: Path) -> Iterator[Path]:
    """Yield the files of robots in a folder; links to other folders, and hidden ones, are not followed."""
    left = MAX_LOOKED_AT
    for place, folders, files in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) >= MAX_DEPTH:
            folders.clear()
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(files)[:left]:
            if name.lower().endswith(SUFFIXES) or (name.lower().endswith(".xml") and _is_mjcf(Path(place) / name)):
                yield Path(place) / name
        left -= len(files)
        if left <= 0:
            return


_begins_as_mjcf = begins_with_element("mujoco")


def _is_mjcf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _begins_as_mjcf(file.read(HEAD_BYTES))
    except OSError:
        return False
