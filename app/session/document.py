"""The open document: a scene with its history, its file, and whether it is saved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType

from framescope import assets
from framescope.app.importers.contents import Contents
from framescope.app.importers.registry import read_scene
from framescope.app.session.known_texts import KnownTexts
from framescope.app.session.scene_lookup import SUBJECTS
from framescope.core.errors import KeyPath, Problem, SceneError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import LoadedScene, parse_scene, scene_file_text
from framescope.core.scene.files.referenced_files import files_read, files_to_copy
from framescope.core.scene.files.saving import scene_text, write_atomically
from framescope.core.scene.files.validation_messages import locate
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.system.atomic_write import copy_atomically
from framescope.core.system.file_access import Access
from framescope.core.system.garbage_collection import pause_collector
from framescope.core.system.growing_series import GrowingSeries

MAX_POINTS = 500


@dataclass(frozen=True)
class HistoryPoint:
    """A scene, and the label of the edit that led to it."""

    scene: Scene
    label: str


@dataclass
class History:
    """The present scene with what came before and what was undone."""

    _past: list[HistoryPoint]
    _future: list[HistoryPoint] = field(default_factory=list)

    @classmethod
    def of(cls, scene: Scene) -> History:
        """Begin a history with one scene."""
        return cls([HistoryPoint(scene, "")])

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self._past[-1].scene

    @property
    def undo_label(self) -> str | None:
        """The label of the edit that undo takes back, None when there is none."""
        return self._past[-1].label if len(self._past) > 1 else None

    @property
    def redo_label(self) -> str | None:
        """The label of the edit that redo brings again, None when there is none."""
        return self._future[-1].label if self._future else None

    def commit(self, scene: Scene, label: str) -> None:
        """Add a finished gesture. A scene equal to the present one adds nothing."""
        if scene == self.scene:
            return
        self._past.append(HistoryPoint(scene, label))
        self._future.clear()
        del self._past[: -(MAX_POINTS + 1)]

    def undo(self) -> str | None:
        """Go one point back; return the label taken back."""
        if len(self._past) < 2:
            return None
        self._future.append(self._past.pop())
        return self._future[-1].label

    def redo(self) -> str | None:
        """Go one point forward again; return its label."""
        if not self._future:
            return None
        self._past.append(self._future.pop())
        return self._past[-1].label


log = logging.getLogger(__name__)

NEW = """\
framescope: 1
title: New scene
time: {end: 10 s}
frames:
  frame 1:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: [0, 0, 0], unit: deg}
view:
  triad_length: 0.5 m
"""
"""What a new scene holds."""


@dataclass(frozen=True)
class Written:
    """Scene in a file: the text there, the line of every key, and the comments that could not be kept."""

    scene: Scene
    path: Path
    text: str
    lines: Mapping[KeyPath, int]
    lost: tuple[str, ...]


class Document:
    """A scene being worked on.

    Parameters
    ----------
    scene
        As it is opened.
    path
        Where it is saved; None for a new scene.
    text
        What the file holds.
    lines
        The line of every key in it.
    folder
        Where the files are that a scene without a path names.
    allow_outside
        Whether files outside the folder are read, all of them.
    live
        Growing series by the names that the scene has for them.
    is_handed_back
        Whether whoever opened it takes the scene as it is left, so that closing the window loses nothing.
    is_for_show
        Whether it is the step of a lesson, made again whenever one comes there: what is changed of it is for trying.

    Notes
    -----
    An example that ships with the program is opened from its folder but never written there (`is_example`). What the
    person has consented to be read outside the folder is remembered here, and nowhere on disk.
    """

    def __init__(
        self,
        scene: Scene,
        path: Path | None = None,
        text: str | None = None,
        lines: Mapping[KeyPath, int] = MappingProxyType({}),
        *,
        folder: Path | None = None,
        allow_outside: bool = False,
        live: Mapping[str, GrowingSeries] = MappingProxyType({}),
        is_handed_back: bool = False,
        is_for_show: bool = False,
    ) -> None:
        self.path = path
        self.is_handed_back = is_handed_back
        self.is_for_show = is_for_show
        self._folder = folder
        self._allowed: frozenset[str] = frozenset()
        self._allow_outside = allow_outside
        self._live = dict(live)
        self.text = text
        """What the file holds, as it was last read or written."""
        self._lines = lines
        self.import_problems: tuple[Problem, ...] = ()
        self.made_of = ""
        """Name of the file of another kind that the scene was made of; empty where there is none."""
        self._source: Path | None = None
        self.history = History.of(scene)
        """Undo and redo."""
        self._saved: Scene = scene
        self._texts = KnownTexts()
        if text is not None:
            self._texts = self._texts.with_text(scene, text, lines)

    @classmethod
    def open(cls, path: Path, *, allow_outside: bool = False) -> Document:
        """Read a file that is or becomes a scene; raise `SceneError` when it is none."""
        loaded, problems = read_scene(path)
        if loaded.text:
            return cls(loaded.scene, loaded.path, loaded.text, loaded.lines, allow_outside=allow_outside)
        return cls._made(loaded, loaded.home, problems, allow_outside=allow_outside)

    @classmethod
    def of_contents(cls, contents: Contents, folder: Path) -> Document:
        """Begin a scene, not saved yet, of what was read from another file in a folder; it has items."""
        if contents.scene is None:
            raise ValueError("expected contents with a scene")
        return cls._made(contents.scene, folder, contents.problems)

    @classmethod
    def _made(
        cls, made: LoadedScene, folder: Path, problems: tuple[Problem, ...], *, allow_outside: bool = False
    ) -> Document:
        document = cls(made.scene, folder=folder, allow_outside=allow_outside)
        document.import_problems, document.made_of, document._source = problems, made.path.name, made.path
        return document

    @classmethod
    def new(cls) -> Document:
        """Begin a scene: one frame to turn."""
        scene, lines = parse_scene(NEW)
        return cls(scene, None, NEW, lines)

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self.history.scene

    @property
    def folder(self) -> Path | None:
        """Where the files are that the scene names."""
        folder = self._folder if self.path is None else self.path.resolve().parent
        return None if folder is None else folder.resolve()

    @property
    def working_folder(self) -> Path:
        """Where a person's files are looked for and written first: beside the scene, but not among the examples."""
        return self.own_folder or Path.home()

    @property
    def own_folder(self) -> Path | None:
        """The folder of a person's scene; None for a new one, and for an example."""
        return None if self.is_example else self.folder

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that the scene names, and the file that it was made of: neither is ever written."""
        source = () if self._source is None else (self._source,)
        return (*source, *files_read(self.scene, self.access))

    @property
    def files(self) -> tuple[Path, ...]:
        """The file of the scene and its inputs: no export replaces them."""
        return self.inputs if self.path is None else (self.path, *self.inputs)

    @property
    def access(self) -> Access:
        """Which files the names in the scene may stand for."""
        return Access(self.folder, self._allowed, self._allow_outside, self._live)

    def allow(self, names: Collection[str]) -> None:
        """Remember that the person has consented to files outside the folder, by their names in the scene."""
        self._allowed |= frozenset(names)

    @property
    def name(self) -> str:
        """The file name to show, or to suggest for a scene that has none yet."""
        if self.path is None:
            suggested = f"{Path(self.made_of).stem}.yaml" if self.made_of else "untitled.yaml"
            if suggested == self.made_of and self._source is not None:  # metadata.yaml of a bag that is a folder
                suggested = f"{self._source.resolve().parent.name}.yaml"
            return self.made_of if self.is_for_show else suggested
        return self.path.name

    @property
    def is_dirty(self) -> bool:
        """Whether the present scene differs from the saved one, and that would be lost."""
        return not self.is_for_show and self.scene is not self._saved and self.scene != self._saved

    @property
    def is_example(self) -> bool:
        """Whether the scene, or what it was made of, ships with the program, so that it is saved elsewhere."""
        place = self.path or self._folder
        shipped = assets.path("scenes").resolve(), assets.path("lessons").resolve()
        return place is not None and any(place.resolve().is_relative_to(folder) for folder in shipped)

    @property
    def subject(self) -> tuple[str, str] | None:
        """The item that an example speaks of; None for other scenes."""
        return SUBJECTS.get(self.path.stem) if self.path is not None and self.is_example else None

    @property
    def is_overtaken(self) -> bool:
        """Whether somebody else has written the file since it was read or saved here, or has removed it."""
        if self.path is None or self.text is None:
            return False
        try:
            return scene_file_text(self.path) != self.text
        except SceneError:
            return True

    def take_loaded(self, loaded: LoadedScene) -> None:
        """Take what the file holds now, as one step of the history."""
        self.history.commit(loaded.scene, f"Reloaded {self.name}")
        if loaded.text != self.text:
            self._texts = self._texts.overtaken()
        self.text, self._lines, self._saved = loaded.text, loaded.lines, self.scene
        self._texts = self._texts.with_text(self.scene, loaded.text, loaded.lines)

    def commit(self, edit: Edit) -> None:
        """Apply an edit as one step of the history."""
        self.history.commit(edit.apply(self.scene), edit.label)

    def locate(self, problem: Problem) -> Problem:
        """Return the problem with its line in the file as it was last read or written; without one if it is new."""
        is_new = problem.item is not None and problem.item[0] in ITEM_KINDS and problem.item not in self._lines
        return problem if self.path is None or is_new else locate(problem, self._lines)

    def writing(self, path: Path) -> Callable[[], Written]:
        """Return what writes the scene as it is now, atomically; in a new folder the files it names are copied along.

        It may be called in any thread. It raises `OSError` when the file or a copy cannot be written; the document
        knows of it by `take_written` alone.
        """
        return partial(_write, partial(_put, self.scene, path, self._texts), self.folder)

    def take_written(self, written: Written) -> None:
        """Take it that the scene, as it is now or was a while ago, is in a file."""
        if written.path.resolve().parent != self.folder:
            # Seen from another folder, a relative name is another file, to which nobody has consented.
            self._allowed = frozenset(name for name in self._allowed if Path(name).is_absolute())
        self.path, self.text, self._saved, self._lines = written.path, written.text, written.scene, written.lines
        self._texts = self._texts.with_text(written.scene, written.text, written.lines)


def _write(put: Callable[[], Written], folder: Path | None) -> Written:
    """Write what `put` returns, and the files beside it that were in `folder` before; return it, too."""
    written = put()
    if folder is not None:
        for source, target in files_to_copy(written.scene, folder, written.path.resolve().parent):
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_atomically(source, target)
    write_atomically(written.path, written.text)
    return written


@pause_collector()
def _put(scene: Scene, path: Path, texts: KnownTexts) -> Written:
    """Put a scene into the words of a file, with the comments of the texts that it had before.

    It is read again first: comments stand between things, and where one would make the file another scene, or none, it
    is left out.
    """
    if (known := texts.text_of(scene)) is not None:
        return Written(scene, path, known.text, known.lines, lost=())
    base = texts.nearest(scene)
    text = scene_text(scene, None if base is None else base.text)
    try:
        read, lines = parse_scene(text)
    except SceneError:
        read, lines = None, {}
    if read == scene:
        return Written(scene, path, text, lines, lost=texts.lost_comments(scene, text))
    log.error("the scene cannot be written with the comments of its file")
    text = scene_text(scene)
    return Written(scene, path, text, parse_scene(text)[1], lost=texts.lost_comments(scene, text))
