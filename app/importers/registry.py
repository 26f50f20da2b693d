"""The kinds of files that can be opened or imported. A new one is a line here and a module."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from framescope.app import platforms
from framescope.app.importers import scenes
from framescope.app.importers.contents import Contents, Stream
from framescope.app.importers.documents import document_of, has_version, kind_of_document
from framescope.app.importers.folders import file_in
from framescope.app.importers.foreign import ForeignFileError, ForeignKind, NoSceneError, foreign_kind
from framescope.core.errors import FramescopeError, Problem, SceneError, as_scene_error
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import MESH_FILES, TEXT_FILES
from framescope.core.scene.files.scene_archive import SCENE_SUFFIXES, SUFFIX
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.optional_packages import PARQUET, XACRO, Extra
from framescope.core.system.reader_slips import slips_as_errors
from framescope.features.bags.core.bag_file import is_bag_folder

HEAD_BYTES = 65_536
"""How much of a file is looked at, unless it may be a document."""


@dataclass(frozen=True)
class Importer:
    """A kind of file.

    Attributes
    ----------
    title
        What such files are called, in the plural.
    suffixes
        What their names usually end in, the usual one first; it decides where no begin of a file is recognized.
    recognizes
        Whether a file that begins with some bytes, and has so many in all, is one.
    reader
        Gives the `Contents` of a file. It imports what `extra` brings when it is called.
    is_scene
        Whether to open one is to leave the scene that is open, rather than to add to it.
    is_table
        Whether it is one table, which `read_once` reads.
    is_program
        Whether it would have to be run, which a person is asked about.
    is_bag
        Whether a new scene is made of it, of what a person chooses.
    takes_long
        Whether reading a file that begins with some bytes, and has so many in all, may take long however small it is:
        another process works on it.
    extra
        The package that it needs besides those that are always there.
    """

    title: str
    suffixes: tuple[str, ...]
    recognizes: Callable[[bytes, int], bool]
    reader: Callable[[Path], Contents]
    is_scene: bool = False
    is_bag: bool = False
    is_table: bool = False
    is_program: bool = False
    takes_long: Callable[[bytes, int], bool] = lambda _head, _size: False
    extra: Extra | None = None

    def read(self, path: Path) -> Contents:
        """Return what is in a file; raise a `FramescopeError` where it cannot be read, or a package is missing."""
        if self.extra is not None and not self.extra.is_installed:
            raise FramescopeError(f"{path.name}: {self.extra.reason}.")
        with slips_as_errors(path.name):
            contents = self.reader(path)
            return replace(contents, recordings=tuple(_guarded(stream) for stream in contents.recordings))


def _guarded(stream: Stream) -> Stream:
    """Return a recording that raises a `FramescopeError` whatever its reader raises."""

    def read() -> MixedTable:
        with slips_as_errors(stream.name):
            return stream.read()

    return replace(stream, read=read)


BAG = "framescope.features.bags.app.bag_reader"
XACRO_FILE = "framescope.features.robots.app.xacro_reader"
ROBOT = "framescope.features.robots.app.robot_reader"
RESULT = "framescope.features.modelica.app.modelica_reader"
TABLE = "framescope.app.importers.tables"
MESH = "framescope.app.importers.meshes"


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module, which is imported when it is called: most are in no session."""

    def call(*arguments: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*arguments)

    return call


SCENES = Importer("scenes", SCENE_SUFFIXES, scenes.is_scene, scenes.read_scene, is_scene=True)
TABLES = Importer(
    "tables and trajectories",
    TEXT_FILES,
    _of(TABLE, "is_text"),
    _of(TABLE, "read"),
    is_table=True,
)

IMPORTERS: tuple[Importer, ...] = (
    SCENES,
    Importer(
        "bags",
        (".bag", ".mcap", ".db3"),
        _of(BAG, "is_bag"),
        _of(BAG, "read"),
        is_scene=True,
        is_bag=True,
    ),
    Importer(
        *(
            "robots in xacro",
            (".xacro",),
            _of(XACRO_FILE, "is_xacro"),
            _of(XACRO_FILE, "read"),
        ),
        is_scene=True,
        is_program=True,
        extra=XACRO,
    ),
    Importer(
        *(
            "robots",
            (".urdf", ".sdf"),
            _of(ROBOT, "is_robot"),
            _of(ROBOT, "read"),
        ),
        is_scene=True,
        takes_long=_of(ROBOT, "is_compiled"),
    ),
    Importer(
        "Modelica results",
        (".mat",),
        _of(RESULT, "is_modelica"),
        _of(RESULT, "read"),
        is_scene=True,
    ),
    Importer(
        "NPZ tables",
        (".npz",),
        _of(TABLE, "is_npz"),
        _of(TABLE, "read"),
        is_table=True,
    ),
    Importer("bundles", (SUFFIX,), scenes.is_bundle, scenes.read_bundle, is_scene=True),
    Importer(
        "Parquet tables",
        (".parquet",),
        _of(TABLE, "is_parquet"),
        _of(TABLE, "read"),
        is_table=True,
        extra=PARQUET,
    ),
    Importer(
        "meshes",
        MESH_FILES,
        _of(MESH, "is_mesh"),
        _of(MESH, "read"),
    ),
    TABLES,
)
"""In the order in which they are asked whether a file is theirs."""


def importer_of(path: Path) -> Importer:
    """Return the importer of a file, by what is in it, else by its name; raise a `FramescopeError` where none is."""
    with slips_as_errors(path.name):
        return _importer_of(path)


def _importer_of(path: Path) -> Importer:
    if is_bag_folder(path):
        return next(importer for importer in IMPORTERS if importer.is_bag)
    begin = _begin_of(path)
    is_named_scene = path.suffix.lower() in SCENE_SUFFIXES
    found = _by_contents(begin, is_named_scene=is_named_scene)
    if isinstance(found, ForeignKind):
        raise ForeignFileError(path.name, found)
    if found is not None:
        return found
    if is_named_scene and begin.is_read:
        raise NoSceneError(path.name, kind_of_document(begin.data, frozenset(Scene.model_fields)))
    for importer in IMPORTERS:
        if path.suffix.lower() in importer.suffixes:
            return importer
    kinds = (f"{each.title} ({', '.join(suffix[1:] for suffix in each.suffixes)})" for each in IMPORTERS)
    raise FramescopeError(f"{path.name} is nothing that can be opened: {', '.join(kinds)}.")


def takes_long(path: Path) -> bool:
    """Return whether reading a file may take long however small it is."""
    try:
        path = file_in(path)
        importer = importer_of(path)
        begin = _begin_of(path)
        with slips_as_errors(path.name):
            return importer.takes_long(begin.data, begin.size)
    except FramescopeError:
        return False  # reading it says why


def _by_contents(begin: _Begin, *, is_named_scene: bool) -> Importer | ForeignKind | None:
    """Return what a file is by what it holds; None where that does not tell, or nothing could be read."""
    if not begin.data:
        return None
    if has_version(begin.data, is_strict=not is_named_scene):
        return SCENES
    head = begin.data[:HEAD_BYTES]
    if (kind := foreign_kind(head, is_weak=False)) is not None:
        return kind
    document = document_of(begin.data) if is_named_scene else None
    is_yaml = document is not None and document.language == "YAML" and bool(document.keys)
    for importer in IMPORTERS:
        if importer is TABLES and is_yaml:  # though "a: 1" has a number in each row
            continue
        if importer is not SCENES and importer.recognizes(begin.data, begin.size):
            return importer
    if document is not None and document.language == "JSON" and begin.size > len(begin.data):
        return TABLES  # too large for a scene: the reader says what it makes of it
    return foreign_kind(head, is_weak=True)


def read_scene(path: Path) -> tuple[LoadedScene, tuple[Problem, ...]]:
    """Return the scene that a file, or the one in a folder, is or can become, and what could not be taken over.

    Raises
    ------
    SceneError
        When it is none, such as a recording.
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
        raise SceneError(str(path), [Problem((), f"it is no scene, but one of the {importer.title}.", hint)])
    return contents.scene, contents.problems


@dataclass(frozen=True)
class _Begin:
    """How a file begins, all of it where that is needed to recognize it; `is_read` is whether it could be read."""

    data: bytes = b""
    size: int = 0
    is_read: bool = False


def _begin_of(path: Path) -> _Begin:
    """Return how a file begins; nothing of one that cannot be read: its reader says why.

    A document in JSON, YAML or XML is recognized by all of it: its keys have no order, and comments may stand before.
    """
    try:
        if not path.is_file():  # opening a pipe would wait for its writer
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
    """Return the filters of a dialog for files: all that can be opened, or added to a scene, each kind, and any file.

    >>> dialog_filter("All").split(";;")[1:3]
    ['Scenes (*.yaml *.yml *.json)', 'Bags (*.bag *.mcap *.db3)']
    """
    wanted = (each for each in IMPORTERS if with_scenes or not each.is_scene)
    kinds = [(f"{each.title[:1].upper()}{each.title[1:]}", each.suffixes) for each in wanted]
    kinds.insert(0, (what, tuple(suffix for _, suffixes in kinds for suffix in suffixes)))
    filters = (f"{title} ({' '.join(f'*{suffix}' for suffix in suffixes)})" for title, suffixes in kinds)
    return ";;".join([*filters, "All files (*)"])
