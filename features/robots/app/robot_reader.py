"""Robots in URDF, SDF and MJCF: a scene with a frame for each link, a parameter for each joint, and the shapes."""

from __future__ import annotations

from collections.abc import Mapping
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
from framescope.features.robots.core.robot import Fault, Robot
from framescope.features.robots.core.robot_problems import told_together
from framescope.features.robots.core.robot_scene import mesh_files, scene_of
from framescope.features.robots.core.sdf.reader import ROOTS, read_sdf
from framescope.features.robots.core.urdf import read_urdf

MOST_READ = 40_000_000
"""Bytes of meshes that are read to place the camera."""

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
    """Return the scene of a robot, with files by names relative to the folder that all of them lie in.

    Raises
    ------
    FramescopeError
        When the file cannot be read or is no XML, or holds no links.
    """
    data, robot = _robot_in(path)
    found = meshes_of(robot, path)
    home = common_folder([path.resolve(), *found.values()])
    is_followed = _begins_as_urdf(data)
    name = path.resolve().relative_to(home).as_posix() if is_followed else ""
    scene, lacks = scene_of(robot, named_from(home, found), name, bounds_of_files(found))
    loaded = LoadedScene(scene, path, "", {}, folder=home)
    faults = () if is_followed else (*robot.faults, *lacks)  # those of a file that it names are told of any scene
    return Contents(loaded, problems=tuple(map(_problem, told_together(faults))))


def scene_made_of(path: Path, folder: Path, name: str, packages: Packages = NO_PACKAGES) -> Scene:
    """Return the scene of a robot for one in a folder, which names the file in its own way; raise as `read`.

    Meshes outside of that folder are those of `packages`, and are named by their whole paths.
    """
    _, robot = _robot_in(path)
    found = meshes_of(robot, path, packages)
    named = {mesh: file.as_posix() for mesh, file in found.items() if package_of(mesh)[0] in packages}
    return scene_of(robot, named | named_from(folder.resolve(), found), name)[0]


def _robot_in(path: Path) -> tuple[bytes, Robot]:
    """Return a file and the robot in it."""
    try:
        data = path.read_bytes()
        if _begins_as_sdf(data):
            robot = read_sdf(data, path.stem, partial(_included, path.resolve()))
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


def _included(path: Path, uri: str) -> bytes | None:
    """Return the file of a model that is included by its address, where that is in a folder beside the file's."""
    for name in ("model.sdf", f"{uri.rstrip('/').rpartition('/')[2]}.sdf"):
        found = find_file(path, f"{uri.rstrip('/')}/{name}")
        if found is not None and found.stat().st_size <= MAX_BYTES:
            return found.read_bytes()
    return None


def bounds_of_files(files: Mapping[str, Path]) -> dict[str, Array]:
    """Return the boxes around meshes by their names; none where reading them all would take long."""
    if sum(file.stat().st_size for file in set(files.values())) > MOST_READ:
        return {}
    found = {name: bounds_of(file) for name, file in files.items() if file.suffix.lower() in READERS}
    return {name: box for name, box in found.items() if box is not None}


def meshes_of(robot: Robot, path: Path, packages: Packages = NO_PACKAGES) -> dict[str, Path]:
    """Return the files of a robot's meshes that are there, by the names that it has for them."""
    found = ((name, find_file(path.resolve(), name, packages)) for name in mesh_files(robot))
    return {name: file for name, file in found if file is not None}


def named_from(folder: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """Return the names that a scene in a folder has for files in it; those elsewhere have none."""
    return {name: file.relative_to(folder).as_posix() for name, file in files.items() if file.is_relative_to(folder)}


def _problem(fault: Fault) -> Problem:
    text, line = f"{fault.where}: {fault.message}", fault.line or None
    return Problem((), text, fault.hint, fault.severity, line, kind=fault.kind)
