"""Files that a robot names, ``package://`` among them: found beside it, in its own package or in those beside that.

Nothing else is looked at: a name that leads out of its package stands for no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

MAX_ABOVE = 6
"""Folders above a robot that may be its package."""

_PACKAGE = re.compile(r"(?:package|model):///?([^/]+)/(.*)", re.DOTALL)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/(.*)", re.DOTALL)


Packages = Mapping[str, Path]
"""Folders of packages by their names."""

NO_PACKAGES: Packages = {}


def find_file(robot: Path, name: str, packages: Packages = NO_PACKAGES) -> Path | None:
    """Return the file that a name in a robot stands for; None where there is none that may be read.

    Parameters
    ----------
    robot
        The file of the robot, with links followed.
    name
        As it stands there: ``package://...``, or relative to the robot.
    packages
        Folders of packages that do not lie beside it.
    """
    package, rest = package_of(name)
    above = [robot.parent, *robot.parent.parents][:MAX_ABOVE]
    if package is None:
        return None if "://" in rest else _within(robot.parent, rest, _package_above(above))
    places = folders_of_package(robot, package, packages)
    found = (_within(folder, rest, folder) for folder in places)
    return next((file for file in found if file is not None), None)


def folders_of_package(robot: Path, package: str, packages: Packages = NO_PACKAGES) -> tuple[Path, ...]:
    """Return the folders that may be a package: that which is known, those above the robot, those beside these."""
    above = [robot.parent, *robot.parent.parents][:MAX_ABOVE]
    named = (folder for folder in above if folder.name == package)
    beside = (folder / package for folder in above[:-1] if (folder / package).is_dir())
    return (*((packages[package],) if package in packages else ()), *named, *beside)


def missing_packages(robot: Path, names: Iterable[str], packages: Packages = NO_PACKAGES) -> dict[str, list[str]]:
    """Return the packages that are nowhere where they are looked for, with what is named in them."""
    found = dict[str, list[str]]()
    for name in names:
        package, rest = package_of(name)
        if package is not None and find_file(robot, name, packages) is None:
            found.setdefault(package, []).append(rest)
    return {package: rests for package, rests in found.items() if not folders_of_package(robot, package, packages)}


def package_in(folder: Path, package: str) -> Path:
    """Return the folder of a package that somebody means by a folder: that, or the one of its name in it."""
    places = (folder / package, folder / "share" / package, folder / "src" / package)
    return next((place for place in places if place.is_dir()), folder)


def ros_folders(package: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders of a package among those that ROS looks into, by the variables of the environment.

    They are only asked for what the person consents to.
    """
    for variable, below in (("AMENT_PREFIX_PATH", "share"), ("ROS_PACKAGE_PATH", "")):
        for part in environment.get(variable, "").split(os.pathsep):
            folder = Path(part) / below / package
            if part and folder.is_dir():
                yield folder


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
