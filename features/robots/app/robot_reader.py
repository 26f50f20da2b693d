"""Reader of robots in URDF, SDF and MJCF: a scene with frames for links, parameters for joints, and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.formats import READERS
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import Scene
from framescope.core.system.xml_elements import MAX_BYTES
from framescope.features.robots.app.mjcf_reader import compile_apart
from framescope.features.robots.core.mesh_sizes import bounds_of
from framescope.features.robots.core.mjcf.files import file_beside
from framescope.features.robots.core.mjcf.reader import read_mjcf
from framescope.features.robots.core.package_files import NO_PACKAGES, Packages, common_folder, find_file, package_of
from framescope.features.robots.core.robot import Robot
from framescope.features.robots.core.robot_problems import group_faults
from framescope.features.robots.core.robot_scene import mesh_files, scene_of
from framescope.features.robots.core.sdf.reader import ROOTS, read_sdf
from framescope.features.robots.core.urdf import read_urdf

MOST_READ = 40_000_000
"""Limit of bytes of meshes that are read to place the camera."""

_begins_as_urdf = begins_with_element("robot")
_begins_as_sdf = begins_with_element(*ROOTS)
_begins_as_mjcf = begins_with_element("mujoco")


def is_robot(head: bytes, _size: int) -> bool:
    """Return whether a file begins as a robot in URDF, as a model or a world in SDF, or as a model in MJCF."""
    return _begins_as_urdf(head) or _begins_as_sdf(head) or _begins_as_mjcf(head)


def is_compiled(head: bytes, _size: int) -> bool:
    """Return whether a file begins as a model in MJCF, which another process compiles."""
    return _begins_as_mjcf(head)


def read(path: Path) -> Contents:
    """Return the scene of a robot, with file names relative to the common folder of all its files.

    Raises
    ------
    FramescopeError
        When the file cannot be read, is not XML, or has no links.
    """
    data, robot = _robot_in(path)
    meshes = meshes_of(robot, path)
    home = common_folder([path.resolve(), *meshes.values()])
    is_followed = _begins_as_urdf(data)
    name = path.resolve().relative_to(home).as_posix() if is_followed else ""
    scene, lacks = scene_of(robot, named_from(home, meshes), name, bounds_of_files(meshes), _source(data, path))
    loaded = LoadedScene(scene, path, "", {}, folder=home)
    faults = () if is_followed else (*robot.faults, *lacks)  # the checks of a scene report faults of a named file
    return Contents(loaded, problems=tuple(map(_problem, group_faults(faults))))


def scene_made_of(path: Path, folder: Path, name: str, packages: Packages = NO_PACKAGES) -> Scene:
    """Return the scene of a robot for another scene in a folder, with its `name` for the file; raise as `read`.

    Meshes outside that folder come from `packages`, and have absolute paths.
    """
    data, robot = _robot_in(path)
    meshes = meshes_of(robot, path, packages)
    named = {mesh: file.as_posix() for mesh, file in meshes.items() if package_of(mesh)[0] in packages}
    return scene_of(robot, named | named_from(folder.resolve(), meshes), name, source=_source(data, path))[0]


def _source(data: bytes, path: Path) -> str:
    """Return the name of the file that poses of fixed joints name as their origin; empty for MJCF, which has none."""
    return "" if _begins_as_mjcf(data) else path.name


def _robot_in(path: Path) -> tuple[bytes, Robot]:
    """Return a file and the robot in it."""
    try:
        data = path.read_bytes()
        if _begins_as_sdf(data):
            robot = read_sdf(data, path.stem, partial(_find_included, path.resolve()))
        elif _begins_as_mjcf(data):
            robot = read_mjcf(data, path.stem, partial(file_beside, path), compile_apart)
        else:
            robot = read_urdf(data, path.stem)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    except FramescopeError as error:
        raise FramescopeError(f"{path.name}: {error}") from None
    if not robot.links:
        raise FramescopeError(f"{path.name} has no links: there is nothing to see.")
    return data, robot


def _find_included(path: Path, uri: str) -> bytes | None:
    """Return the file of a model included by its URI; None unless it is in a folder beside the robot's file."""
    for name in ("model.sdf", f"{uri.rstrip('/').rpartition('/')[2]}.sdf"):
        file = find_file(path, f"{uri.rstrip('/')}/{name}")
        if file is not None and file.stat().st_size <= MAX_BYTES:
            return file.read_bytes()
    return None


def bounds_of_files(files: Mapping[str, Path]) -> dict[str, Array]:
    """Return the boxes around meshes by name; empty if reading them all would take too long."""
    if sum(file.stat().st_size for file in set(files.values())) > MOST_READ:
        return {}
    boxes = {name: bounds_of(file) for name, file in files.items() if file.suffix.lower() in READERS}
    return {name: box for name, box in boxes.items() if box is not None}


def meshes_of(robot: Robot, path: Path, packages: Packages = NO_PACKAGES) -> dict[str, Path]:
    """Return the accessible files of a robot's meshes by their names in it."""
    files = ((name, find_file(path.resolve(), name, packages)) for name in mesh_files(robot))
    return {name: file for name, file in files if file is not None}


def named_from(folder: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """Return the names of files in a folder relative to it; files elsewhere are left out."""
    return {name: file.relative_to(folder).as_posix() for name, file in files.items() if file.is_relative_to(folder)}


def _problem(fault: Problem) -> Problem:
    """Return a fault as a problem of the file as a whole, with its part in the message."""
    return replace(fault, key_path=(), message=f"{fault.where}: {fault.message}")
