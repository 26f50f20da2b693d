"""Open document: a scene with its history, its file, and whether it is saved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType

from framescope import assets
from framescope.app.importers.contents import Contents
from framescope.app.importers.registry import read_scene
from framescope.app.session.examples import example_at
from framescope.app.session.known_texts import KnownTexts
from framescope.core.errors import KeyPath, Problem, SceneError
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.edits.new_items import FIRST_FRAME
from framescope.core.scene.files.loading import LoadedScene, parse_scene, scene_file_text
from framescope.core.scene.files.referenced_files import files_read, files_to_copy
from framescope.core.scene.files.saving import scene_text, write_atomically
from framescope.core.scene.files.validation_messages import locate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import ITEM_KINDS, ItemKey, Scene
from framescope.core.system.atomic_write import copy_atomically
from framescope.core.system.bag_names import METADATA
from framescope.core.system.file_access import Access
from framescope.core.system.garbage_collection import pause_collector
from framescope.core.system.growing_series import GrowingSeries

MAX_POINTS = 500


Selected = tuple[ItemKey, ...]
"""Selected items, the one that panels show first."""


@dataclass(frozen=True)
class HistoryPoint:
    """A scene, the label of the edit that produced it, and the items that were selected before and after the edit."""

    scene: Scene
    label: str
    before: Selected = ()
    after: Selected = ()


@dataclass
class History:
    """The present scene, the earlier ones, and the undone ones."""

    _past: list[HistoryPoint]
    _future: list[HistoryPoint] = field(default_factory=list)

    @classmethod
    def of(cls, scene: Scene) -> History:
        """Return a history with one scene."""
        return cls([HistoryPoint(scene, "")])

    @classmethod
    def of_points(cls, past: Iterable[HistoryPoint], future: Iterable[HistoryPoint]) -> History:
        """Return a history with these points, see `past` and `future`."""
        return cls(list(past), list(future))

    @property
    def past(self) -> tuple[HistoryPoint, ...]:
        """Points from the oldest to the present one."""
        return tuple(self._past)

    @property
    def future(self) -> tuple[HistoryPoint, ...]:
        """Undone points, the next one to redo last."""
        return tuple(self._future)

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self._past[-1].scene

    @property
    def undo_label(self) -> str | None:
        """Label of the edit that undo reverts, None without one."""
        return self._past[-1].label if len(self._past) > 1 else None

    @property
    def redo_label(self) -> str | None:
        """Label of the edit that redo repeats, None without one."""
        return self._future[-1].label if self._future else None

    def commit(self, scene: Scene, label: str, before: Selected = (), after: Selected = ()) -> None:
        """Add a finished edit with the items selected before and after it. An unchanged scene adds nothing."""
        if scene == self.scene:
            return
        self._past.append(HistoryPoint(scene, label, before, after))
        self._future.clear()
        del self._past[: -(MAX_POINTS + 1)]

    def undo(self) -> HistoryPoint | None:
        """Go back one point; return the point that is left."""
        if len(self._past) < 2:
            return None
        self._future.append(self._past.pop())
        return self._future[-1]

    def redo(self) -> HistoryPoint | None:
        """Go forward one point; return it."""
        if not self._future:
            return None
        self._past.append(self._future.pop())
        return self._past[-1]


log = logging.getLogger(__name__)

NEW = """\
framescope: 1
time: {{end: 10 s}}
frames:
  {frame}:
    parent: world
    orientation: {{form: axes, sequence: {sequence}, angles: [0, 0, 0], unit: deg}}
view:
  triad_length: 0.5 m
"""
"""Contents of a new scene, to format with the name of its frame and the axis sequence of the frame.

It has no title: pictures and films show only one that the user has typed.
"""


@dataclass(frozen=True)
class Written:
    """Scene in a file: its text, the line of every key, and the comments that were lost."""

    scene: Scene
    path: Path
    text: str
    lines: Mapping[KeyPath, int]
    lost: tuple[str, ...]


@dataclass(frozen=True)
class DocumentState:
    """State of a document with its history, from which another process can make the same document.

    Attributes
    ----------
    path, folder, source, made_of
        The scene's file, the folder of the files that it names, and the file of another kind that it was made from,
        with its name.
    past, future
        Points of the history, see `History`.
    saved
        The scene as last read or saved.
    texts
        Texts of the scene's file.
    """

    path: Path | None
    folder: Path | None
    source: Path | None
    made_of: str
    past: tuple[HistoryPoint, ...]
    future: tuple[HistoryPoint, ...]
    saved: Scene
    texts: KnownTexts


class Document:
    """A scene that the user works on.

    Parameters
    ----------
    scene
        The scene as it is opened.
    path
        The scene's file; None for a new scene.
    text
        Text of the file.
    lines
        Line of every key in the text.
    folder
        Folder of the files that a scene without a path names.
    allow_outside
        Whether all files outside the folder may be read.
    live
        Growing series by their names in the scene.
    is_handed_back
        Whether the caller takes the scene when the window closes, so that closing loses nothing.
    is_for_show
        Whether it is a step of a lesson, which is built anew on each visit, so that changes need no saving.

    Notes
    -----
    An example that ships with the program is opened from its folder but never written there (`is_example`). The user's
    consent to read files outside the folder is remembered here, and nowhere on disk.
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
        """Text of the file, as last read or written."""
        self._lines = lines
        self._import_problems: tuple[Problem, ...] = ()
        self.made_of = ""
        """Name of the file of another kind that the scene was made from; empty for none."""
        self._source: Path | None = None
        self.history = History.of(scene)
        """Undo and redo."""
        self._saved: Scene = scene
        self._texts = KnownTexts()
        if text is not None:
            self._texts = self._texts.with_text(scene, text, lines)

    @classmethod
    def open(cls, path: Path, *, allow_outside: bool = False) -> Document:
        """Read a scene file or a file that can become a scene; raise `SceneError` when it is neither."""
        loaded, problems = read_scene(path)
        if loaded.text:
            return cls(loaded.scene, loaded.path, loaded.text, loaded.lines, allow_outside=allow_outside)
        return cls._from_other_file(loaded, loaded.home, problems, allow_outside=allow_outside)

    @classmethod
    def of_contents(cls, contents: Contents, folder: Path) -> Document:
        """Return an unsaved document with the scene that was read from another kind of file in a folder."""
        if contents.scene is None:
            raise ValueError("expected contents with a scene")
        return cls._from_other_file(contents.scene, folder, contents.problems)

    @classmethod
    def _from_other_file(
        cls, loaded: LoadedScene, folder: Path, problems: tuple[Problem, ...], *, allow_outside: bool = False
    ) -> Document:
        document = cls(loaded.scene, folder=folder, allow_outside=allow_outside)
        document._import_problems, document.made_of, document._source = problems, loaded.path.name, loaded.path
        return document

    @classmethod
    def new(cls, sequence: str = USUAL_SEQUENCE) -> Document:
        """Return a new document with one frame, rotated by an axis sequence."""
        text = NEW.format(frame=FIRST_FRAME, sequence=sequence)
        scene, lines = parse_scene(text)
        return cls(scene, None, text, lines)

    @classmethod
    def from_state(cls, state: DocumentState, *, allow_outside: bool = False) -> Document:
        """Return the document of another process. Problems of an imported source are found by reading it again."""
        last = state.texts.texts[-1] if state.texts.texts else None
        document = cls(
            state.saved,
            state.path,
            None if last is None else last.text,
            MappingProxyType({}) if last is None else last.lines,
            folder=state.folder,
            allow_outside=allow_outside,
        )
        document.made_of, document._source, document._texts = state.made_of, state.source, state.texts
        document.history = History.of_points(state.past, state.future)
        if state.source is not None:
            with suppress(SceneError):
                document._import_problems = read_scene(state.source)[1]
        return document

    @property
    def import_problems(self) -> tuple[Problem, ...]:
        """Problems of the file that the scene was made from, until it is saved; those of items until they change."""
        if self.path is not None:
            return ()
        return tuple(problem for problem in self._import_problems if self._is_as_imported(problem))

    def _is_as_imported(self, problem: Problem) -> bool:
        if problem.item is None or self.scene is self._saved:
            return True
        return _item_in(self.scene, problem.item) == _item_in(self._saved, problem.item)

    @property
    def state(self) -> DocumentState:
        """Present state of the document with its history."""
        return DocumentState(
            path=self.path,
            folder=self._folder,
            source=self._source,
            made_of=self.made_of,
            past=self.history.past,
            future=self.history.future,
            saved=self._saved,
            texts=self._texts,
        )

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self.history.scene

    @property
    def folder(self) -> Path | None:
        """Folder of the files that the scene names."""
        folder = self._folder if self.path is None else self.path.resolve().parent
        return None if folder is None else folder.resolve()

    @property
    def working_folder(self) -> Path:
        """Folder that file dialogs start in: the scene's own, but never the examples' folder."""
        return self.own_folder or Path.home()

    @property
    def own_folder(self) -> Path | None:
        """Folder of a user's scene; None for a new scene and for an example."""
        return None if self.is_example else self.folder

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files that the scene names, and the file that it was made from; none of them is ever written."""
        source = () if self._source is None else (self._source,)
        return (*source, *files_read(self.scene, self.access))

    @property
    def files(self) -> tuple[Path, ...]:
        """The scene's file and its inputs, which no export may replace."""
        return self.inputs if self.path is None else (self.path, *self.inputs)

    @property
    def access(self) -> Access:
        """Access to the files that the scene names."""
        return Access(self.folder, self._allowed, self._allow_outside, self._live)

    def allow(self, names: Collection[str]) -> None:
        """Remember the user's consent to files outside the folder, by their names in the scene."""
        self._allowed |= frozenset(names)

    @property
    def name(self) -> str:
        """File name to show, or to suggest for an unsaved scene."""
        if self.path is None:
            suggested = f"{Path(self.made_of).stem}.yaml" if self.made_of else "untitled.yaml"
            if suggested == self.made_of and self._source is not None:  # metadata.yaml of a bag that is a folder
                suggested = f"{self._source.resolve().parent.name}.yaml"
            return self.made_of if self.is_for_show else suggested
        return self.path.name

    @property
    def shown_name(self) -> str:
        """Name for the title of the window: that of the scene, or of the file from which an unsaved scene was made."""
        if self.path is not None or not self.made_of:
            return self.name
        return f"{self.source_name}, changed" if self.is_dirty else self.source_name

    @property
    def source(self) -> Path | None:
        """File of another kind that the unsaved scene was made from."""
        return self._source if self.path is None else None

    @property
    def source_name(self) -> str:
        """Name of the file of another kind, or of the folder of a bag, that the scene was made from; empty for none."""
        is_folder = self.path is None and self.made_of == METADATA
        return Path(self.name).stem if is_folder else self.made_of

    @property
    def is_dirty(self) -> bool:
        """Whether the present scene differs from the saved one, so that closing would lose changes."""
        return not self.is_for_show and self.scene is not self._saved and self.scene != self._saved

    @property
    def is_example(self) -> bool:
        """Whether the scene, or the file it was made from, ships with the program, so that it is saved elsewhere."""
        place = self.path or self._folder
        shipped = assets.path("scenes").resolve(), assets.path("lessons").resolve()
        return place is not None and any(place.resolve().is_relative_to(folder) for folder in shipped)

    @property
    def subject(self) -> tuple[str, str] | None:
        """Item that an example is about; None for other scenes."""
        path = self.path or self._source
        example = example_at(path) if path is not None and self.is_example else None
        return None if example is None else example.selected

    @property
    def is_overtaken(self) -> bool:
        """Whether another program has written or removed the file since it was read or saved here."""
        if self.path is None or self.text is None:
            return False
        try:
            return scene_file_text(self.path) != self.text
        except SceneError:
            return True

    def take_frames_written(self, names: Collection[str]) -> None:
        """Record that the poses of some frames are written in the file from which this unsaved scene was made."""
        if self.path is not None or not self.made_of:
            return
        frames = {
            name: self.scene.frames.get(name, frame) if name in names else frame
            for name, frame in self._saved.frames.items()
        }
        saved = self._saved.model_copy(update={"frames": FrozenDict(frames)})
        self._saved = self.scene if saved == self.scene else saved

    def replace_scene(self, loaded: LoadedScene) -> None:
        """Replace the scene with the reloaded one, as one step of the history."""
        self.history.commit(loaded.scene, f"Reloaded {self.name}")
        if loaded.text != self.text:
            self._texts = self._texts.start_era()
        self.text, self._lines, self._saved = loaded.text, loaded.lines, self.scene
        self._texts = self._texts.with_text(self.scene, loaded.text, loaded.lines)

    def commit(self, edit: Edit, selected: Selected = ()) -> None:
        """Apply an edit as one step of the history, with the items that are selected before it.

        After an edit of items, its items are selected.
        """
        after = edit.keys if isinstance(edit, ItemEdit) and edit.keys else selected
        self.history.commit(edit.apply(self.scene), edit.label, selected, after)

    def locate(self, problem: Problem) -> Problem:
        """Return the problem with its line in the last read or written file; without a line for a new item."""
        is_new = problem.item is not None and problem.item[0] in ITEM_KINDS and problem.item not in self._lines
        return problem if self.path is None or is_new else locate(problem, self._lines)

    def writing(self, path: Path) -> Callable[[], Written]:
        """Return a function that writes the scene as it is now, atomically; files it names are copied to a new folder.

        The function may run in any thread. It raises `OSError` when the file or a copy cannot be written. The document
        changes only in `take_written`.
        """
        return partial(_write, partial(_compose, self.scene, path, self._texts), self.folder)

    def take_written(self, written: Written) -> None:
        """Record that the scene, as it is now or was earlier, is saved in a file."""
        if written.path.resolve().parent != self.folder:
            # In another folder a relative name is a different file, without the user's consent.
            self._allowed = frozenset(name for name in self._allowed if Path(name).is_absolute())
        self.path, self.text, self._saved, self._lines = written.path, written.text, written.scene, written.lines
        self._texts = self._texts.with_text(written.scene, written.text, written.lines)


def _item_in(scene: Scene, item: tuple[str, str]) -> object:
    """Return an item of a scene; None without it."""
    try:
        return value_at(scene, item)
    except KeyError:
        return None


def _write(compose: Callable[[], Written], folder: Path | None) -> Written:
    """Write the text that `compose` returns, and copy its files from `folder` to the new place; return the result."""
    written = compose()
    if folder is not None:
        for source, target in files_to_copy(written.scene, folder, written.path.resolve().parent):
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_atomically(source, target)
    write_atomically(written.path, written.text)
    return written


@pause_collector()
def _compose(scene: Scene, path: Path, texts: KnownTexts) -> Written:
    """Compose the text of a scene's file, with the comments of its earlier texts.

    The text is parsed again as a check. When comments would change the scene or make it invalid, all are left out.
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
