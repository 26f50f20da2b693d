"""Robots in URDF: a scene with a frame for each link, a parameter for each joint, and the shapes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError, Problem
from framescope.core.robots.package_files import common_folder, find_file
from framescope.core.robots.robot import Fault, Robot
from framescope.core.robots.robot_scene import mesh_files, scene_of
from framescope.core.robots.urdf import read_urdf
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import Scene

_begins_as_urdf = begins_with_element("robot")


def is_robot(head: bytes, _size: int) -> bool:
    """Return whether a file begins as a robot in URDF."""
    return _begins_as_urdf(head)


def read(path: Path) -> Contents:
    """Return the scene of a robot, with files by names relative to the folder that all of them lie in.

    Raises
    ------
    FramescopeError
        When the file cannot be read or is no XML, or holds no links.
    """
    robot = _robot_in(path)
    found = _meshes_of(robot, path)
    home = common_folder([path.resolve(), *found.values()])
    scene, faults = scene_of(robot, _named_from(home, found), path.resolve().relative_to(home).as_posix())
    loaded = LoadedScene(scene, path, "", {}, folder=home)
    return Contents(loaded, problems=tuple(map(_problem, faults)))  # those of the file are told of any scene of it


def scene_made_of(path: Path, folder: Path, name: str) -> Scene:
    """Return the scene of a robot for one in a folder, which names the file in its own way; raise as `read`."""
    robot = _robot_in(path)
    return scene_of(robot, _named_from(folder, _meshes_of(robot, path)), name)[0]


def _robot_in(path: Path) -> Robot:
    try:
        robot = read_urdf(path.read_bytes(), path.stem)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    except FramescopeError as error:
        raise FramescopeError(f"{path.name}: {error}") from None
    if not robot.links:
        raise FramescopeError(f"{path.name} has no links: there is nothing to see.")
    return robot


def _meshes_of(robot: Robot, path: Path) -> dict[str, Path]:
    return {name: file for name in mesh_files(robot) if (file := find_file(path.resolve(), name)) is not None}


def _named_from(folder: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """Return the names that a scene in a folder has for files in it; those elsewhere have none."""
    return {name: file.relative_to(folder).as_posix() for name, file in files.items() if file.is_relative_to(folder)}


def _problem(fault: Fault) -> Problem:
    text, line = f"{fault.where}: {fault.message}", fault.line or None
    return Problem((), text, fault.hint, fault.severity, line, kind=fault.kind)
