"""Lookup of a scene by the user's argument: a path, or the name of an example that ships with the program."""

from __future__ import annotations

from pathlib import Path

from framescope import assets
from framescope.app.session.examples import example_named, examples
from framescope.core.errors import FramescopeError, Problem, SceneError, did_you_mean, near_miss

DEMO = "demo"


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
    if (example := example_named(named)) is not None:
        return assets.path(example.file)
    if path.is_dir():
        try:
            return file_in(path)
        except FramescopeError as error:
            raise SceneError(named, [Problem((), str(error))]) from None
    folder = path.parent if path.parent.is_dir() else Path()
    endings = [suffix for importer in IMPORTERS if importer.is_scene for suffix in importer.suffixes]
    files = [item.name for ending in endings for item in folder.glob(f"[!.]*{ending}")]
    names = [example.name for example in examples()]
    if path.parent.is_dir():
        hint = did_you_mean(path.name, [*files, *names])
    else:  # a name such as bags/drive.bag may be meant for an example
        hint = did_you_mean(named, names) if near_miss(named, names) else "Check the folder."
    raise SceneError(named, [Problem((), "there is no such scene file or example.", hint)])
