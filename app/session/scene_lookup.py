"""Lookup of a scene by the user's argument: a path, or the name of an example that ships with the program."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from framescope import assets
from framescope.core.errors import FramescopeError, Problem, SceneError, did_you_mean

DEMO = "demo"

SUBJECTS: Mapping[str, tuple[str, str]] = {
    "aircraft": ("frames", "aircraft"),
    "demo": ("frames", "inner ring"),
    "drift": ("frames", "euler"),
    "field": ("frames", "r00 c00"),
    "gimbal-lock": ("frames", "arrow"),
    "keyframes": ("frames", "smooth"),
    "pendulum": ("elements", "hold large"),
    "recorded-camera": ("frames", "quick"),
    "robot-arm": ("frames", "joint 5"),
    "sensor": ("frames", "tip"),
    "spatial-velocity": ("frames", "rim"),
    "tennis-racket": ("frames", "middle"),
    "three-springs": ("points", "A"),
}
"""Main item of each example and its lesson, selected when the example is opened."""


@cache
def prepared_files() -> Mapping[str, Path]:
    """Return the example files in subfolders of the scenes by their names in the manual, such as ``bags/drive.bag``."""
    folder = assets.path("scenes")
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.glob("*/*"))}


def example_names() -> list[str]:
    """Return the names of the example scenes."""
    return sorted(path.stem for path in assets.path("scenes").glob("*.yaml"))


def example_path(name: str) -> Path:
    """Return the file of an example scene; raise `FileNotFoundError` for an unknown name."""
    return assets.path(f"scenes/{name}.yaml")


def unpack_scene(path: Path) -> Path:
    """Return the path of a scene file; a bundle is unpacked into a folder that exists until the program ends.

    Raises
    ------
    SceneError
        When the bundle cannot be unpacked.
    """
    from framescope.app.storage.temporary_folders import folder_until_exit
    from framescope.core.scene.files.scene_archive import is_bundle, unpack_into

    if not is_bundle(path):
        return path
    return unpack_into(path, folder_until_exit())


def find_scene(named: str) -> Path:
    """Return the path of a file that becomes a scene, of a folder's main file, or of an example by name.

    Raises
    ------
    SceneError
        When there is neither; the message suggests the nearest existing name.
    """
    from framescope.app.importers.registry import IMPORTERS, file_in, is_folder_file

    path = Path(named)
    if path.is_file() or is_folder_file(path):
        return path
    if named in example_names():
        return example_path(named)
    if path.is_dir():
        try:
            return file_in(path)
        except FramescopeError as error:
            raise SceneError(named, [Problem((), str(error))]) from None
    folder = path.parent if path.parent.is_dir() else Path()
    endings = [suffix for importer in IMPORTERS if importer.is_scene for suffix in importer.suffixes]
    known = [item.name for ending in endings for item in folder.glob(f"[!.]*{ending}")] + example_names()
    hint = did_you_mean(path.name, known) if path.parent.is_dir() else "Check the folder."
    raise SceneError(named, [Problem((), "there is no such scene file or example.", hint)])
