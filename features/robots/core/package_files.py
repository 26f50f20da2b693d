"""Files that a robot names, ``package://`` among them: in its folder, its own package, or packages beside that.

No other files are accessible: a name that leads out of its package resolves to no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

MAX_ABOVE = 6
"""Limit of folders above a robot that may be its package."""

_PACKAGE = re.compile(r"(?:package|model):///?([^/]+)/(.*)", re.DOTALL)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/(.*)", re.DOTALL)


Packages = Mapping[str, Path]
"""Folders of packages by name."""

NO_PACKAGES: Packages = {}


def find_file(robot: Path, name: str, packages: Packages = NO_PACKAGES) -> Path | None:
    """Return the file that a name in a robot refers to; None if there is no accessible file.

    Parameters
    ----------
    robot
        File of the robot, with links resolved.
    name
        Name as written: ``package://...``, or relative to the robot.
    packages
        Folders of packages that are not beside the robot.
    """
    package, path = package_of(name)
    above = [robot.parent, *robot.parent.parents][:MAX_ABOVE]
    if package is None:
        return None if "://" in path else _within(robot.parent, path, _package_above(above))
    places = folders_of_package(robot, package, packages)
    files = (_within(folder, path, folder) for folder in places)
    return next((file for file in files if file is not None), None)


def folders_of_package(robot: Path, package: str, packages: Packages = NO_PACKAGES) -> tuple[Path, ...]:
    """Return the folders that may be a package: the given one, folders above the robot, and folders beside those."""
    above = [robot.parent, *robot.parent.parents][:MAX_ABOVE]
    named = (folder for folder in above if folder.name == package)
    beside = (folder / package for folder in above[:-1] if (folder / package).is_dir())
    return (*((packages[package],) if package in packages else ()), *named, *beside)


def missing_packages(robot: Path, names: Iterable[str], packages: Packages = NO_PACKAGES) -> dict[str, list[str]]:
    """Return the packages without a folder, with the files that are named in them."""
    missing = dict[str, list[str]]()
    for name in names:
        package, path = package_of(name)
        if package is not None and find_file(robot, name, packages) is None:
            missing.setdefault(package, []).append(path)
    return {package: rests for package, rests in missing.items() if not folders_of_package(robot, package, packages)}


def package_in(folder: Path, package: str) -> Path:
    """Return the folder of a package that the user meant by a folder: that folder, or one of its name in it."""
    places = (folder / package, folder / "share" / package, folder / "src" / package)
    return next((place for place in places if place.is_dir()), folder)


def ros_folders(package: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders of a package on the search path of ROS, by its environment variables.

    Use them only with the user's consent.
    """
    for variable, below in (("AMENT_PREFIX_PATH", "share"), ("ROS_PACKAGE_PATH", "")):
        for part in environment.get(variable, "").split(os.pathsep):
            folder = Path(part) / below / package
            if part and folder.is_dir():
                yield folder


def _package_above(above: list[Path]) -> Path:
    """Return the outermost folder for names relative to a robot: its package, else the folder above it."""
    marks = ("package.xml", "model.config")
    marked = (folder for folder in above if any((folder / mark).is_file() for mark in marks))
    return next(marked, above[min(1, len(above) - 1)])


def package_of(name: str) -> tuple[str | None, str]:
    """Return the package at the beginning of a name, None without one, and the rest of the name.

    Examples
    --------
    >>> package_of("package://arm_description/meshes/base.stl"), package_of("$(find arm)/base.stl")
    (('arm_description', 'meshes/base.stl'), ('arm', 'base.stl'))
    >>> package_of("meshes/base.stl")
    (None, 'meshes/base.stl')
    """
    match = _PACKAGE.fullmatch(name) or _FIND.fullmatch(name)
    return (None, name) if match is None else (match[1], match[2])


def _within(folder: Path, name: str, home: Path) -> Path | None:
    """Return a file by its name relative to a folder; None unless it lies in `home` with links resolved."""
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
    """Return the common folder of all files."""
    return Path(os.path.commonpath([file.parent for file in files]))
