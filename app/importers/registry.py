"""Registry of importers: the kinds of files that can be opened or imported, and the search for a file's kind.

A kind of the base is a line in `IMPORTERS` and a module. A feature adds a kind in its record.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from framescope.app import platforms
from framescope.app.importers import scenes
from framescope.app.importers.documents import document_of, has_version, kind_of_document
from framescope.app.importers.foreign import ForeignFileError, ForeignKind, NoSceneError, foreign_kind
from framescope.app.importers.importer import Importer, import_later
from framescope.core.errors import FramescopeError, Problem, SceneError, as_scene_error
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import MESH_FILES, TEXT_FILES
from framescope.core.scene.files.scene_archive import SCENE_SUFFIXES, SUFFIX
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import entries, missing_provider, missing_reader
from framescope.core.system.optional_packages import PARQUET
from framescope.core.system.reader_slips import slips_as_errors

HEAD_BYTES = 65_536
"""Number of bytes at the start of a file that are read to recognize it; documents are read whole."""


TABLE = "framescope.app.importers.tables"
MESH = "framescope.app.importers.meshes"

POSES = Importer(
    "poses",
    (),
    import_later("framescope.app.importers.poses:is_pose"),
    import_later("framescope.app.importers.poses:read"),
)
SCENES = Importer("scenes", SCENE_SUFFIXES, scenes.is_scene, scenes.read_scene, is_scene=True)
TABLES = Importer(
    "tables and trajectories",
    TEXT_FILES,
    import_later(f"{TABLE}:is_text"),
    import_later(f"{TABLE}:read"),
    is_table=True,
)

IMPORTERS: tuple[Importer, ...] = (
    SCENES,
    *entries(lambda feature: feature.importers),
    Importer(
        "NPZ tables",
        (".npz",),
        import_later(f"{TABLE}:is_npz"),
        import_later(f"{TABLE}:read"),
        is_table=True,
    ),
    Importer("bundles", (SUFFIX,), scenes.is_bundle, scenes.read_bundle, is_scene=True),
    Importer(
        "Parquet tables",
        (".parquet",),
        import_later(f"{TABLE}:is_parquet"),
        import_later(f"{TABLE}:read"),
        is_table=True,
        extra=PARQUET,
    ),
    POSES,
    Importer("meshes", MESH_FILES, import_later(f"{MESH}:is_mesh"), import_later(f"{MESH}:read")),
    TABLES,
)
"""Kinds of files, in the order in which they are tried.

Features' kinds precede the other kinds of the base, because a text that a feature recognizes may also be a table.
"""


def is_folder_file(path: Path) -> bool:
    """Return whether a folder counts as a file of some kind, such as a bag in several parts."""
    return path.is_dir() and any(importer.claims(path) for importer in IMPORTERS)


def file_in(path: Path) -> Path:
    """Return the file that the user means by a path: the path itself, or a file in a folder.

    Raises
    ------
    FramescopeError
        When a folder contains no such file, or several.
    """
    if not path.is_dir() or is_folder_file(path):
        return path
    reasons: list[FramescopeError] = []
    for importer in IMPORTERS:
        if importer.file_in is not None:
            try:
                return importer.file_in(path)
            except FramescopeError as reason:
                reasons.append(reason)
    if reasons:
        raise reasons[0]
    raise FramescopeError(f"the folder {path.name} is no file that can be opened. Open a file in it.")


def importer_of(path: Path) -> Importer:
    """Return the importer of a file by its content, else by its suffix; raise a `FramescopeError` without one."""
    with slips_as_errors(path.name):
        return _importer_of(path)


def _importer_of(path: Path) -> Importer:
    for importer in IMPORTERS:
        if importer.claims(path):
            return importer
    if feature := missing_reader(path.name):
        raise FramescopeError(f"{path.name} is read by {feature}.")
    begin = _begin_of(path)
    is_named_scene = path.suffix.lower() in SCENE_SUFFIXES
    if begin.is_read and not begin.data and not is_named_scene:
        raise FramescopeError(f"{path.name} is empty.")
    kind = _by_contents(begin, is_named_scene=is_named_scene)
    if isinstance(kind, ForeignKind):
        raise ForeignFileError(path.name, kind)
    if kind is not None:
        return kind
    if is_named_scene and begin.is_read:
        raise NoSceneError(path.name, kind_of_document(begin.data, frozenset(Scene.model_fields)))
    for importer in IMPORTERS:
        if path.suffix.lower() in importer.suffixes:
            return importer
    kinds = (
        f"{known.title} ({', '.join(suffix[1:] for suffix in known.suffixes)})" if known.suffixes else known.title
        for known in IMPORTERS
    )
    raise FramescopeError(f"{path.name} is nothing that can be opened: {', '.join(kinds)}.")


def checker_of(path: Path) -> Callable[[Path, bool], int] | None:
    """Return the function that prints the faults of a file, see `Importer.check`; None to check it as a scene."""
    with_check = [importer for importer in IMPORTERS if importer.check is not None]
    claiming = next((importer for importer in with_check if importer.claims(path)), None)
    if claiming is not None:
        return claiming.check
    begin = _begin_of(path)
    is_readable = bool(begin.data)  # the content decides, not the suffix: an empty file is no bag
    matches = (importer for importer in with_check if is_readable and importer.recognizes(begin.data, begin.size))
    return next((importer.check for importer in matches), None)


def opens_apart(path: Path) -> bool:
    """Return whether the window opens a file in steps: with a dialog, as a player, or with long progress."""
    try:
        path = file_in(path)
        importer = importer_of(path)
        return bool(importer.opens) or _is_slow(importer, path)
    except FramescopeError:
        return False  # reading it raises the error again


def takes_long(path: Path) -> bool:
    """Return whether reading a file may take long even if it is small."""
    try:
        path = file_in(path)
        return _is_slow(importer_of(path), path)
    except FramescopeError:
        return False  # reading it raises the error again


def _is_slow(importer: Importer, path: Path) -> bool:
    begin = _begin_of(path)
    with slips_as_errors(path.name):
        return importer.takes_long(begin.data, begin.size)


def _by_contents(begin: _Begin, *, is_named_scene: bool) -> Importer | ForeignKind | None:
    """Recognize a file by its content; None where that is impossible or nothing could be read."""
    if not begin.data:
        return None
    if has_version(begin.data, is_strict=not is_named_scene):
        return SCENES
    head = begin.data[:HEAD_BYTES]
    if POSES.recognizes(head, begin.size):  # before the kinds that are only named, such as logs
        return POSES
    if (kind := foreign_kind(head, is_weak=False)) is not None:
        return kind
    document = document_of(begin.data) if is_named_scene else None
    is_yaml = document is not None and document.language == "YAML" and bool(document.keys)
    weak = foreign_kind(head, is_weak=True)
    is_calibration = weak is not None and weak.name == "calibration"
    for importer in IMPORTERS:
        if importer is TABLES and (is_yaml or is_calibration):  # "a: 1" has a number in each row like a table
            continue
        if importer is not SCENES and importer.recognizes(begin.data, begin.size):
            return importer
    if document is not None and document.language == "JSON" and begin.size > len(begin.data):
        return TABLES  # too large for a scene: the table reader reports errors
    return weak


def read_scene(path: Path) -> tuple[LoadedScene, tuple[Problem, ...]]:
    """Read the scene in a file or folder, or make one from it; return it with the problems of the conversion.

    Raises
    ------
    SceneError
        When the file has no scene, such as a recording.
    """
    try:
        path = file_in(path)
        importer = importer_of(path)
        contents = importer.read(path)
    except FramescopeError as error:
        raise as_scene_error(str(path), error) from None
    if contents.scene is None:
        command = platforms.quoted_words(["framescope", "import", str(path)])
        hint = f"{command} says what is in it and makes a scene of it; the window imports it, too."
        if feature := missing_provider("import"):
            hint = f"Recordings and meshes are imported by {feature}."
        raise SceneError(str(path), [Problem((), f"it is no scene, but one of the {importer.title}.", hint)])
    return contents.scene, contents.problems


@dataclass(frozen=True)
class _Begin:
    """First bytes of a file, or all of it if needed to recognize it; `is_read` is whether it could be read."""

    data: bytes = b""
    size: int = 0
    is_read: bool = False


def _begin_of(path: Path) -> _Begin:
    """Read the first bytes of a file; nothing of an unreadable one, for which the reader will raise the error.

    Documents in JSON, YAML or XML are read whole: the deciding key may come late, and comments may come first.
    """
    try:
        if not path.is_file():  # opening a named pipe would wait for its writer
            return _Begin()
        with path.open("rb") as file:
            head, size = file.read(HEAD_BYTES), os.fstat(file.fileno()).st_size
            is_document = head.lstrip().startswith((b"{", b"[", b"<")) or path.suffix.lower() in SCENE_SUFFIXES
            if is_document and len(head) < size <= MAX_FILE_BYTES:
                head += file.read(MAX_FILE_BYTES)
            return _Begin(head, size, is_read=True)
    except (OSError, ValueError):
        return _Begin()


def dialog_filter(what: str, *, with_scenes: bool = True) -> str:
    """Return the filters of a file dialog: all files that can be opened, or added to a scene, each kind, and any file.

    >>> dialog_filter("All").split(";;")[1:3]
    ['Scenes (*.yaml *.yml *.json)', 'Bags (*.bag *.mcap *.db3)']
    """
    offered = (importer for importer in IMPORTERS if with_scenes or not importer.is_scene)
    kinds = [(f"{importer.title[:1].upper()}{importer.title[1:]}", importer.suffixes) for importer in offered]
    kinds.insert(0, (what, tuple(suffix for _, suffixes in kinds for suffix in suffixes)))
    filters = (f"{title} ({' '.join(f'*{suffix}' for suffix in suffixes)})" for title, suffixes in kinds)
    return ";;".join([*filters, "All files (*)"])
