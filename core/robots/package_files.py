"""Files that a robot names, ``package://`` among them: found beside it, in its own package or in those beside that.

Nothing else is looked at: a name that leads out of its package stands for no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

MAX_ABOVE = 6
"""Folders above a robot that may be its package."""

_PACKAGE = re.compile(r"(?:package|model)://([^/]+)/(.*)", re.DOTALL)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/(.*)", re.DOTALL)


@dataclass(frozen=True)
class PackageFiles:
    """Where the files of a robot are.

    Attributes
    ----------
    robot
        The file of the robot, with links followed.
    packages
        Folders of packages by their names, where a person has said so.
    """

    robot: Path
    packages: Mapping[str, Path] = field(default_factory=dict[str, Path])

    def find(self, name: str) -> Path | None:
        """Return the file that a name in the robot stands for; None where there is none that may be read."""
        package, rest = package_of(name)
        if package is None:
            return None if "://" in rest else _within(self.robot.parent, rest, self._home)
        for folder in self._folders(package):
            if (found := _within(folder, rest, folder)) is not None:
                return found
        return None

    @property
    def _home(self) -> Path:
        """The folder that names relative to the robot stay in: its package, as far as that can be told."""
        for folder in self._above:
            if any((folder / each).is_file() for each in ("package.xml", "model.config")):
                return folder
        return self._above[min(1, len(self._above) - 1)]

    @property
    def _above(self) -> list[Path]:
        return [self.robot.parent, *self.robot.parent.parents][:MAX_ABOVE]

    def _folders(self, package: str) -> list[Path]:
        """Return the folders that a package may be: what a person says, what lies above, and what lies beside that."""
        if package in self.packages:
            return [self.packages[package]]
        above = [folder for folder in self._above if folder.name == package]
        beside = [folder / package for folder in self._above[:-1] if (folder / package).is_dir()]
        return [*above, *beside]


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
