"""Robots in URDF: a scene with a frame for each link, a parameter for each joint, and the shapes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from framescope.app.importers.contents import Contents
from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError, Problem
from framescope.core.robots.package_files import PackageFiles, common_folder
from framescope.core.robots.robot import Fault, Robot
from framescope.core.robots.robot_scene import mesh_files, scene_of
from framescope.core.robots.urdf import read_urdf
from framescope.core.scene.files.loading import LoadedScene

_begins_as_urdf = begins_with_element("robot")


def is_robot(head: bytes, _size: int) -> bool:
    """Return whether a file begins as a robot in URDF."""
    return _begins_as_urdf(head)


def read(path: Path) -> Contents:
    """Return the scene of a robot."""
    return read_chosen(path)


def read_chosen(path: Path, packages: Mapping[str, Path] = MappingProxyType({})) -> Contents:
    """Return the scene of a robot, with the folders of its packages where a person has said them.

    Raises
    ------
    FramescopeError
        When the file cannot be read or is no XML, or holds no links.
    """
    try:
        robot = read_urdf(path.read_bytes(), path.stem)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    except FramescopeError as error:
        raise FramescopeError(f"{path.name}: {error}") from None
    if not robot.links:
        raise FramescopeError(f"{path.name} has no links: there is nothing to see.")
    return robot_contents(path, robot, packages)


def robot_contents(path: Path, robot: Robot, packages: Mapping[str, Path]) -> Contents:
    """Return the scene of a robot that was read from a file."""
    files = PackageFiles(path.resolve(), packages)
    found = {name: file for name in mesh_files(robot) if (file := files.find(name)) is not None}
    home = common_folder([path.resolve(), *found.values()])
    names = {name: file.relative_to(home).as_posix() for name, file in found.items()}
    scene, faults = scene_of(robot, names, path.resolve().relative_to(home).as_posix())
    loaded = LoadedScene(scene, path, "", {}, folder=home)
    return Contents(loaded, problems=tuple(map(_problem, faults)))  # those of the file are told of any scene of it


def _problem(fault: Fault) -> Problem:
    return Problem(
        (), f"{fault.where}: {fault.message}", fault.hint, fault.severity, line=fault.line or None, kind=fault.kind
    )
