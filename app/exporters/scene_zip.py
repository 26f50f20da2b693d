"""Scene archive as a format of export: a scene with all files that it names, in one zip.

Files in the scene's folder keep their names. Those from elsewhere, which whoever bundles has consented to, go into the
folder ``files``, and the scene in the bundle names them there. Nothing in a bundle tells where it was made.
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
"""Where files from outside the scene's folder go."""

SCENE_SUFFIXES = (".yaml", ".yml", ".json")
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the same scene gives the same bundle."""


def write(request: ExportRequest) -> None:
    """Write a zip with the scene and the files that it names."""
    source, scene = request.source, request.scene
    found: dict[str, Path] = {}
    for name in named_files(scene):
        try:
            found[name] = resolve_named(name, source.access, (), KNOWN_FILES)
        except ItemError as problem:
            raise ExportError(f"{request.path.name}: {problem}") from None
    named = scene_name(request)
    names = bundled_names(found, named)
    renamed = {old: new for old, new in names.items() if old != new}
    text = scene_text(renamed_files(scene, renamed), source.text)
    total = 1 + len(names)
    try:
        with atomically(request.path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
            bundle.writestr(_entry(named), text.encode())
            request.progress(1, total)
            written: set[str] = set()
            for done, (old, new) in enumerate(names.items(), start=2):
                request.stop_if_cancelled()
                if new not in written:
                    written.add(new)
                    with found[old].open("rb") as file, bundle.open(_entry(new), "w", force_zip64=True) as out:
                        shutil.copyfileobj(file, out, 1 << 20)
                request.progress(done, total)
    except OSError as error:
        raise request.failure(error) from None


def scene_name(request: ExportRequest) -> str:
    """Return what the scene is called in a bundle."""
    name = request.source.name
    return name if Path(name).suffix.lower() in SCENE_SUFFIXES else f"{name}.yaml"


def bundled_names(names: Iterable[str], scene_name: str) -> Mapping[str, str]:
    """Return the name in the bundle of each file that a scene names.

    >>> dict(bundled_names(["walk.csv", "./a//b.stl", "../walk.csv", "x/../a/b.stl", "WALK.csv"], "scene.yaml"))
    {'walk.csv': 'walk.csv', './a//b.stl': 'a/b.stl', '../walk.csv': 'files/walk.csv', 'x/../a/b.stl': 'files/b.stl', 'WALK.csv': 'files/WALK-2.csv'}
    """  # noqa: E501 (a line of output)
    # Some systems do not tell a from A: no two names may differ in that alone. Names in the folder come first.
    names = list(names)
    taken = {scene_name.casefold()}
    found: dict[str, str] = {}
    inside = {name: path.as_posix() for name in names if _is_inside(path := PurePosixPath(name))}
    for name, new in inside.items():
        if new in found.values() or new.casefold() not in taken:
            taken.add(new.casefold())
            found[name] = new
    for name in names:
        if name not in found:
            found[name] = _free_name(PurePosixPath(name), taken)
            taken.add(found[name].casefold())
    return {name: found[name] for name in names}


def _is_inside(path: PurePosixPath) -> bool:
    """Return whether a name can stand in a bundle as it is."""
    return not path.is_absolute() and ".." not in path.parts and path.parts[0][0] != "~" and ":" not in str(path)


def _free_name(path: PurePosixPath, taken: set[str]) -> str:
    """Return a name in the folder of files from elsewhere that is not taken."""
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
