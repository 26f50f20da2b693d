"""Files that a robot names, ``package://`` among them: found beside it, in its own package or in those beside that.

Nothing else is looked at: a name that leads out of its package stands for no file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

MAX_ABOVE = 6
"""Folders above a robot that may be its package."""

_PACKAGE = re.compile(r"(?:package|model):///?([^/]+)/(.*)", re.DOTALL)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/(.*)", re.DOTALL)


def find_file(robot: Path, name: str) -> Path | None:
    """Return the file that a name in a robot stands for; None where there is none that may be read.

    Parameters
    ----------
    robot
        The file of the robot, with links followed.
    name
        As it stands there: ``package://...``, or relative to the robot.
    """
    package, rest = package_of(name)
    above = [robot.parent, *robot.parent.parents][:MAX_ABOVE]
    if package is None:
        return None if "://" in rest else _within(robot.parent, rest, _package_above(above))
    named = [folder for folder in above if folder.name == package]
    beside = [folder / package for folder in above[:-1] if (folder / package).is_dir()]
    found = (_within(folder, rest, folder) for folder in (*named, *beside))
    return next((file for file in found if file is not None), None)


def _package_above(above: list[Path]) -> Path:
    """Return the folder that names relative to a robot stay in: its package, or else the folder above it."""
    marks = ("package.xml", "model.config")
    marked = (folder for folder in above if any((folder / mark).is_file() for mark in marks))
    return next(marked, above[min(1, len(above) - 1)])


def package_of(name: str) -> tuple[str | None, str]:
    """Return the package that a name begins with, None where it has none, and the rest of it.

    Examples
    --------
    >>> package_of("package://arm_description/meshes/base.stl"), package_of("$(find arm)/base.stl")
    (('arm_description', 'meshes/base.stl'), ('arm', 'base.stl'))
    >>> package_of("meshes/base.stl")
    (None, 'meshes/base.stl')
    """
    found = _PACKAGE.fullmatch(name) or _FIND.fullmatch(name)
    return (None, name) if found is None else (found[1], found[2])


def _within(folder: Path, name: str, home: Path) -> Path | None:
    """Return a file by its name from a folder, where it is one and lies in another one, links followed."""
    for text in dict.fromkeys((name, unquote(name))):
        if not text.isprintable() or "\\" in text or PurePosixPath(text).is_absolute():
            continue
        try:
            path = (folder / text).resolve()
            if path.is_relative_to(home.resolve()) and path.is_file():
                return path
        except (OSError, ValueError, RuntimeError):
            continue
    return None


def common_folder(files: list[Path]) -> Path:
    """Return the folder that all files lie in."""
    return Path(os.path.commonpath([file.parent for file in files]))
