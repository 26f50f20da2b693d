"""Scene archive as an export format: a scene with all files that it names, in one zip.

Files in the scene's folder keep their names. Files from other folders, which need the user's consent, go to the folder
``files``, and the bundled scene names them there. A bundle does not reveal where it was made.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files, renamed_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.system.atomic_write import atomically
from framescope.core.system.file_access import resolve_named

FOLDER = "files"
"""Folder in the bundle for files from outside the scene's folder."""

SCENE_SUFFIXES = (".yaml", ".yml", ".json")
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Time stamp of every file, so that the same scene gives the same bundle."""


def write(request: ExportRequest) -> None:
    """Write a zip with the scene and the files that it names."""
    source, scene = request.source, request.scene
    files: dict[str, Path] = {}
    for name in named_files(scene):
        try:
            files[name] = resolve_named(name, source.access, (), KNOWN_FILES)
        except ItemError as problem:
            raise ExportError(f"{request.path.name}: {problem}") from None
    name_of_scene = scene_name(request)
    names = bundled_names(files, name_of_scene)
    renamed = {old: new for old, new in names.items() if old != new}
    text = scene_text(renamed_files(scene, renamed), source.text)
    total = 1 + len(names)
    try:
        with atomically(request.path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.writestr(_entry(name_of_scene), text.encode())
            request.progress(1, total)
            written: set[str] = set()
            for done, (old, new) in enumerate(names.items(), start=2):
                request.stop_if_cancelled()
                if new not in written:
                    written.add(new)
                    with files[old].open("rb") as file, bundle.open(_entry(new), "w", force_zip64=True) as out:
                        shutil.copyfileobj(file, out, 1 << 20)
                request.progress(done, total)
    except OSError as error:
        raise request.failure(error) from None


def scene_name(request: ExportRequest) -> str:
    """Return the scene's file name in a bundle."""
    name = request.source.name
    return name if Path(name).suffix.lower() in SCENE_SUFFIXES else f"{name}.yaml"


def bundled_names(names: Iterable[str], scene_name: str) -> Mapping[str, str]:
    """Return the name in the bundle of each file that a scene names.

    >>> dict(bundled_names(["walk.csv", "./a//b.stl", "../walk.csv", "x/../a/b.stl", "WALK.csv"], "scene.yaml"))
    {'walk.csv': 'walk.csv', './a//b.stl': 'a/b.stl', '../walk.csv': 'files/walk.csv', 'x/../a/b.stl': 'files/b.stl', 'WALK.csv': 'files/WALK-2.csv'}
    """  # noqa: E501 (a line of output)
    # Some file systems ignore case, so names must differ in more than case. Names inside the folder come first.
    names = list(names)
    taken = {scene_name.casefold()}
    new_names: dict[str, str] = {}
    inside = {name: path.as_posix() for name in names if _is_inside(path := PurePosixPath(name))}
    for name, new in inside.items():
        if new in new_names.values() or new.casefold() not in taken:
            taken.add(new.casefold())
            new_names[name] = new
    for name in names:
        if name not in new_names:
            new_names[name] = _free_name(PurePosixPath(name), taken)
            taken.add(new_names[name].casefold())
    return {name: new_names[name] for name in names}


def _is_inside(path: PurePosixPath) -> bool:
    """Return whether a bundle can keep a file's name unchanged."""
    return not path.is_absolute() and ".." not in path.parts and path.parts[0][0] != "~" and ":" not in str(path)


def _free_name(path: PurePosixPath, taken: set[str]) -> str:
    """Return an unused name in the folder for files from elsewhere."""
    stem = path.stem.replace(":", "-").replace("\\", "-")
    new, n = f"{FOLDER}/{stem}{path.suffix}", 2
    while new.casefold() in taken:
        new, n = f"{FOLDER}/{stem}-{n}{path.suffix}", n + 1
    return new


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
