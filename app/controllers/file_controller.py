"""Controller of files: new, open, save, drop and close, with their questions to the user."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NoReturn, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox

from framescope import assets
from framescope.app.controllers.compile_ahead import compile_scene
from framescope.app.importers.foreign import NoSceneError
from framescope.app.importers.registry import dialog_filter, file_in, importer_of, takes_long
from framescope.app.importers.scenes import load_with_all_faults
from framescope.app.session.document import Document, Written
from framescope.app.session.examples import PLACES_OF_USES, example_named, examples
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError, Problem, SceneError, did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.system.caches import FileState, file_state
from framescope.core.system.features import Example, missing_provider
from framescope.core.system.file_access import Access
from framescope.core.system.reader_slips import slips_as_errors
from framescope.ui.dialogs.file_access_dialog import ConsentDialog
from framescope.ui.dialogs.question_buttons import give_buttons_room
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.qt_support.thread_tasks import run_and_wait, thread_task
from framescope.ui.window.main_window import MainWindow

R = TypeVar("R", Document, LoadedScene)
Read = Callable[[], R]

Speed = Literal["quick", "slow", "cancellable"]
"""Way to read a file: at once, in a worker thread, or behind a dialog that can cancel it."""

LARGE = 64 * 1024
"""Size above which a scene is read in a worker thread, bytes."""

FILTER = "Scenes (*.yaml *.yml *.json);;All files (*)"
TITLE = "Save the scene"

TEXT_FILES = (".txt", ".text", ".log", ".md", ".msg", "")
SHORT = 20_000
"""Endings of files whose text may be one pose, and the largest of them, bytes."""

AS_SCENE = "Save as a scene…"
"""Text of the button that saves the changes of an imported file in a scene of its own."""


class FileCommands(QObject):
    """Controller of files.

    Signals
    -------
    saved(object), opened(object)
        Path of a scene that the user saved or opened.
    import_requested(object, bool)
        Path of a file to import, and whether it becomes a new scene instead of being added to the open one.
    bag_requested(object), lesson_requested(object)
        Path of a file that one of `openers` opens.
    new_lesson_requested()
        The user starts to write a lesson from the present state of the window.
    """

    saved = Signal(object)
    opened = Signal(object)
    import_requested = Signal(object, bool)
    bag_requested = Signal(object)
    lesson_requested = Signal(object)
    new_lesson_requested = Signal()

    def __init__(self, session: Session, window: MainWindow, finish_gestures: Callable[[], None]) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self.finish_gestures = finish_gestures
        self.recent_folder: Callable[[], Path | None] = lambda: None
        self.openers: dict[str, Callable[[Path], None]] = {
            "bag": self.bag_requested.emit,
            "lesson": self.lesson_requested.emit,
        }
        """Functions that open a file in a dialog or a player, by the names in `Importer.opens`."""
        self.other_ways: list[Callable[[], SavingWay | None]] = []
        """Functions that return a way to save changes of the present scene elsewhere, or None."""
        self.before_question: list[Callable[[], object]] = []
        """Functions called before unsaved changes are asked about: they show what the question is about."""
        self.text_takers: list[Callable[[str], bool]] = []
        """Functions that take the text of a short text file, or return False, which leaves it to be imported."""
        self.opening: object = None
        self._left = ""
        """Place that an example was opened from, while the window is still in the example's; empty without one."""
        window.place_changed.connect(self._forget_left)
        self._saving: _Saving | None = None
        self._reread: FileState | None = None

    @property
    def is_saving(self) -> bool:
        """Whether a scene is being saved in a worker thread."""
        return self._saving is not None

    @property
    def folder(self) -> Path:
        """Start folder of file dialogs: the scene's own, else the last used one, else the home folder."""
        return self._session.document.own_folder or self.recent_folder() or Path.home()

    def close(self) -> None:
        """Discard the pending opening of a file."""
        self.opening = None

    def new(self) -> None:
        """Create a new scene, in the place from which examples have led. Ask about unsaved changes first."""
        if self.may_discard():
            self.opening = None
            self._session.new()
            if self._left and not self._window.is_presenting:
                self._window.set_place(self._left)

    def open(self, path: Path) -> None:
        """Open a scene or a bundle. Ask about unsaved changes first."""
        # After opening a bundle, the document's path is that of its scene.
        self._open_file(path, lambda: self.opened.emit(self._session.document.path or path))

    def open_example(self, name: str) -> None:
        """Open an example in its place, with its item selected. Ask about unsaved changes first.

        A lesson starts in its player, and a table opens the import dialog.
        """
        example = example_named(name)
        if example is None:
            unknown = Problem((), "there is no such example.", did_you_mean(name, [one.name for one in examples()]))
            self._session.refuse(name, SceneError(name, [unknown]))
            return
        path = assets.path(example.file)
        if example.kind == "lesson":
            self.lesson_requested.emit(path)
        elif example.kind == "table":
            if self.may_discard():
                self._go_to_place(example)
                self.import_requested.emit(path, True)
        else:
            self._open_file(path, partial(self._show_example, example))

    def _show_example(self, example: Example) -> None:
        """Show the place and the dock of an example that was opened. Play a film."""
        self._go_to_place(example)
        if example.dock:
            self._window.show_dock(example.dock)
        if example.use == "Film" and not self._session.playback.is_playing:
            self._session.toggle_play()

    def _go_to_place(self, example: Example) -> None:
        place = PLACES_OF_USES[example.use]
        if place != self._window.place and not self._window.is_presenting:
            left = self._left or self._window.place
            self._window.set_place(place)
            self._left = left

    def _forget_left(self, _place: str) -> None:
        self._left = ""

    def open_converted(self, name: str, document: Document, then: Callable[[], None]) -> None:
        """Open a scene that was converted from another file. Ask about unsaved changes first."""
        self._open(name, lambda: document, then, "slow")

    def open_recovered(self, name: str, restore: Callable[[], Document], then: Callable[[], None]) -> None:
        """Open unsaved work that `restore` loads. Ask about other unsaved changes first."""
        self._open(name, restore, then, "slow")

    def _open_file(self, path: Path, then: Callable[[], None]) -> None:
        speed: Speed = "cancellable" if takes_long(path) else _speed_of(path)
        self._open(path.name, partial(Document.open, path), then, speed)

    def _open(self, name: str, read: Callable[[], Document], then: Callable[[], None], speed: Speed) -> None:
        if not self.may_discard():
            return
        session, scene = self._session, self._session.document.scene

        def take(read: Callable[[], Document]) -> None:
            if session.document.scene is not scene and not self.may_discard():  # the user made changes meanwhile
                self._window.status.show_message("note", f"{name} is not opened")
            elif session.open(name, read):
                then()

        self._take_read(name, read, lambda document: document.access, take, speed)

    def _take_read(
        self,
        name: str,
        read: Read[R],
        access: Callable[[R], Access],
        take: Callable[[Read[R]], None],
        speed: Speed,
    ) -> None:
        """Read a scene at once, or in a worker thread if it is slow. A new request replaces a pending one.

        `access` returns the files that the scene may name. `take` receives a function that returns the result of
        reading or raises its error.
        """
        self.opening = None
        if speed == "quick":
            take(read)
            return
        if speed == "cancellable":
            self._read_in_dialog(name, read, access, take)
            return
        session, document = self._session, self._session.document
        self.opening = opening = object()

        def end(done: Future[tuple[R, Plan]]) -> None:
            if self.opening is opening and session.document is document:
                self.opening = None
                self.settle()
                take(lambda: done.result()[0])

        self._window.status.show_message("note", f"Reading {name}…")
        thread_task(self, partial(read_and_compile, read, access), end)

    def _read_in_dialog(
        self, name: str, read: Read[R], access: Callable[[R], Access], take: Callable[[Read[R]], None]
    ) -> None:
        """Read in a worker thread behind a dialog that can cancel it. Arguments are as in `_take_read`."""
        from framescope.ui.dialogs.read_thread import read_in_thread

        def outcome() -> Read[R]:
            try:
                with slips_as_errors(name):
                    loaded, _ = read_and_compile(read, access)
            except FramescopeError as error:
                return partial(_raise, error)
            return lambda: loaded

        read_in_thread(self._window, name, outcome, take, title=f"Open {name}")

    def ask_open(self) -> None:
        """Ask for a file. Open a scene or a bundle, and import any other file."""
        patterns = dialog_filter("Scenes, bundles and recordings")
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open a scene or a recording", str(self.folder), patterns)
        if chosen:
            self.take(Path(chosen))

    def take(self, path: Path) -> None:
        """Open a scene file, or import another file, which replaces an unchanged example."""
        self._take_one([str(path)])

    @property
    def _is_replaced(self) -> bool:
        """Whether an import replaces the open scene: an unchanged example is no work of the user's."""
        document = self._session.document
        return document.is_example and not document.is_dirty

    def drop(self, paths: list[str]) -> None:
        """Open the files dropped onto the window. Of several, take one, scenes and bundles first.

        Files that join the items of the open scene, such as calibrations, are all taken. Imports replace an unchanged
        example, as those of `take`.
        """
        files = list(map(Path, paths))
        if len(files) > 1 and all(map(_is_joined, files)) and not missing_provider("import"):
            if self._is_replaced:
                self._open_read(files[0], partial(self._join, files[1:]))
            else:
                self._join(files)
        else:
            self._take_one(paths)

    def _join(self, paths: Iterable[Path]) -> None:
        """Add the items of files to the open scene."""
        for path in paths:
            self.import_requested.emit(path, False)

    def _open_read(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        """Open a file whose items would join another scene, behind a dialog that can cancel the reading."""

        def end() -> None:
            self._session.select_first()
            self.opened.emit(path)
            then()

        self._open(path.name, partial(Document.open, path), end, "cancellable")

    def _take_one(self, paths: list[str]) -> None:
        try:
            with slips_as_errors(Path(paths[0]).name):
                path, *others = sorted((file_in(Path(name)) for name in paths), key=lambda path: not _is_scene(path))
        except FramescopeError as error:  # a folder without a definite file
            self._session.refuse(Path(paths[0]).name, error)
            return
        if opens := _opens(path):
            self.openers[opens](path)
        elif _is_scene(path):
            self.open(path)
        elif self._is_taken_as_text(path):
            self._window.status.show_message("note", f"The text of {path.name} is one pose")
        elif self._is_replaced and _is_joined(path):
            self._open_read(path)
        elif feature := missing_provider("import"):
            self._window.status.show_message("amber", _import_refusal(path, feature))
        else:
            self.import_requested.emit(path, self._is_replaced)
        if others:
            names = ", ".join(other.name for other in others[:3]) + (" and more" if len(others) > 3 else "")
            self._window.status.show_message("note", f"One file at a time: {path.name} was taken, {names} not")

    def _is_taken_as_text(self, path: Path) -> bool:
        """Return whether somebody takes the text of a short file; the file is read once."""
        text = _short_text(path) if self.text_takers else ""
        return bool(text) and any(take(text) for take in self.text_takers)

    def save(self) -> None:
        """Save in a worker thread. Ask for a file name if the scene is new or an example."""
        self.settle()
        if ways := self._other_ways():
            document = self._session.document
            text = f"Save the changes to {document.source_name}"
            way = self._ask_for_way(text, ways, SavingWay(AS_SCENE, self._save_scene))
        else:
            way = SavingWay(AS_SCENE, self._save_scene)
        if way is not None:
            way.save()

    def _save_scene(self) -> bool:
        """Begin to save the scene. Return whether the user gave a place for it."""
        path = self._place()
        self._begin_saving(path)
        return path is not None

    def save_as(self) -> None:
        """Ask for a file name and save in a worker thread."""
        self._begin_saving(self._another_place())

    def save_and_wait(self, beside: Path | None = None) -> bool:
        """Save and wait until the file is written. Return whether it was saved.

        A new scene gets a suggested name `beside` a file.
        """
        path = self._place(beside)
        if path is None or not self._session.save(path):
            return False
        self.saved.emit(path)
        return True

    def reload(self) -> None:
        """Read the scene's file again. Undo restores the state before."""
        self.settle()
        session, document = self._session, self._session.document
        path, text = document.path, document.text
        if path is None:
            self._window.status.show_message("note", "This scene has no file yet that it could be reloaded from")
            return

        def take(read: Callable[[], LoadedScene]) -> None:
            if document.path == path and document.text is text:  # otherwise the user has saved meanwhile
                session.reload(read)

        self._reread = file_state(path) if path.exists() else None
        read = partial(load_with_all_faults, path)
        self._take_read(path.name, read, lambda _loaded: document.access, take, _speed_of(path))

    def report_external_change(self) -> None:
        """Report that another program has changed the scene's file, and offer to reload it."""
        if self.is_saving:  # the change is our own
            return
        document, status = self._session.document, self._window.status
        if document.path is None or not document.path.exists():
            status.show_message("amber", f"{document.name} was removed by another program. Saving writes it anew")
            return
        if file_state(document.path) == self._reread:  # the failed reload has reported it already
            return
        status.show_message("amber", f"{document.name} was changed by another program")
        status.offer("Reload", f"reload {document.name}", self.reload)

    def _place(self, beside: Path | None = None) -> Path | None:
        """Return the path to save the scene to, or None if the user cancels."""
        self.settle()
        document = self._session.document
        if document.path is None or document.is_example:
            return self._another_place(beside)
        return None if document.is_overtaken and not self._may_overwrite() else document.path

    def _another_place(self, beside: Path | None = None) -> Path | None:
        """Ask the user for a path to save the scene to."""
        self.settle()
        suggested = self.folder / self._session.document.name
        if beside is not None:
            suggested = beside.with_suffix(".yaml")
        inputs = self._session.document.inputs
        return path_to_save(self._window, TITLE, suggested, FILTER, ".yaml", inputs=inputs)

    def may_discard(self) -> bool:
        """Ask about unsaved changes. Return whether the document may be replaced."""
        for show in self.before_question:
            show()
        self.settle()
        document = self._session.document
        if not document.is_dirty or document.is_handed_back:
            return True
        if ways := self._other_ways():
            text, as_scene = (
                f"Save the changes to {document.source_name}?",
                SavingWay(AS_SCENE, self.save_and_wait, True),
            )
            way = self._ask_for_way(text, ways, as_scene, can_discard=True)
            return way is not None and way.save() and (way.is_whole or self.may_discard())
        buttons = QMessageBox.StandardButton
        name = f"{document.source_name} as a scene" if document.path is None and document.made_of else document.name
        text, choices = f"Save the changes to {name}?", buttons.Save | buttons.Discard | buttons.Cancel
        answer = QMessageBox.question(self._window, "Unsaved changes", literal_text(text), choices, buttons.Save)
        if answer == buttons.Save:
            return self.save_and_wait()
        return answer == buttons.Discard

    def _other_ways(self) -> list[SavingWay]:
        """Return the ways to save the changes of a scene that was made from another file into that file."""
        document = self._session.document
        if document.path is not None or not document.made_of or not document.is_dirty:
            return []
        return [way for make in self.other_ways if (way := make()) is not None]

    def _ask_for_way(
        self, text: str, ways: list[SavingWay], as_scene: SavingWay, *, can_discard: bool = False
    ) -> SavingWay | None:
        """Ask how to save the changes of a scene that was made from another file. None means to cancel."""
        document, roles = self._session.document, QMessageBox.ButtonRole
        box = QMessageBox(QMessageBox.Icon.Question, TITLE, literal_text(text), parent=self._window)
        box.setInformativeText(literal_text(f"{document.name} would be a scene that refers to {document.source_name}."))
        buttons = dict[QAbstractButton, SavingWay]()
        for i, way in enumerate((*ways, as_scene)):
            button = box.addButton(way.text, roles.AcceptRole)
            buttons[button] = way
            if i == 0:
                box.setDefaultButton(button)
        if can_discard:
            buttons[box.addButton(QMessageBox.StandardButton.Discard)] = SavingWay("", lambda: True, is_whole=True)
        box.addButton(QMessageBox.StandardButton.Cancel)
        give_buttons_room(box)
        box.exec()
        return buttons.get(box.clickedButton())

    def ask_consent(self, names: tuple[str, ...]) -> None:
        """Ask for access to files outside the document's folder. The answer holds while the document is open."""
        document = self._session.document

        def take(is_allowed: bool) -> None:
            if is_allowed and self._session.document is document:
                self._session.allow_outside(names)

        dialog = ConsentDialog(document.name, names, self._window)
        dialog.answered.connect(take)
        dialog.open()

    def _may_overwrite(self) -> bool:
        """Ask whether to overwrite the changes of another program. Return the answer."""
        name, path = self._session.document.name, self._session.document.path
        if path is None or not path.is_file():  # saving creates the file, or reports why it cannot
            return True
        buttons = QMessageBox.StandardButton
        text = (
            f"Another program has changed {name} since it was opened here. Save over that?\n\n"
            "Reload from the disk (F5) takes what is in the file instead, and undo brings yours back."
        )
        return (
            QMessageBox.question(self._window, TITLE, literal_text(text), buttons.Yes | buttons.No, buttons.No)
            == buttons.Yes
        )

    def _begin_saving(self, path: Path | None) -> None:
        if path is None:
            return

        def take(done: Future[Written]) -> None:
            if self._saving is not None and self._saving.done is done:  # otherwise `settle` has waited for it
                self._saving = None
                if self._session.take_written(path, done.result):
                    self.saved.emit(path)

        self._saving = _Saving(thread_task(self, self._session.writing(path), take), take)

    def settle(self) -> None:
        """Wait for a save in progress, and finish open gestures."""
        if (saving := self._saving) is not None:
            run_and_wait(partial(wait, [saving.done]))
            saving.take(saving.done)
        self.finish_gestures()


@dataclass(frozen=True)
class SavingWay:
    """Way to save changes: text of its button, and a function that returns whether it saved them.

    `is_whole` if it saves all changes of the scene.
    """

    text: str
    save: Callable[[], bool]
    is_whole: bool = False


@dataclass(frozen=True)
class _Saving:
    """Save in progress, and the function that takes its result."""

    done: Future[Written]
    take: Callable[[Future[Written]], None]


def _is_scene(path: Path) -> bool | None:
    """Return whether opening a file replaces the open scene. None means that the file cannot be identified."""
    try:
        return importer_of(path).is_scene
    except NoSceneError:
        return True  # opening it raises the error again
    except FramescopeError:
        return None  # importing it raises the error again


def _is_joined(path: Path) -> bool:
    """Return whether the items of a file join those of the open scene, see `Importer.add`."""
    try:
        return path.is_file() and importer_of(path).add is not None
    except FramescopeError:
        return False  # importing it raises the error again


def _speed_of(path: Path) -> Speed:
    """Return the way to read a scene file, by its size."""
    try:
        return "slow" if path.stat().st_size > LARGE else "quick"
    except OSError:
        return "quick"  # reading it raises the error again


def _raise(error: FramescopeError) -> NoReturn:
    raise error


def read_and_compile(read: Callable[[], R], access: Callable[[R], Access]) -> tuple[R, Plan]:
    """Read a scene and compile it."""
    loaded = read()
    return loaded, compile_scene(loaded.scene, access(loaded))


def _short_text(path: Path) -> str:
    """Return the text of a file of a few lines; empty for other files."""
    try:
        if path.suffix.lower() not in TEXT_FILES or path.stat().st_size > SHORT:
            return ""
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""


def _opens(path: Path) -> str:
    """Return the name of the dialog or player that opens a file, see `Importer.opens`. Empty for none."""
    try:
        return importer_of(path).opens
    except FramescopeError:
        return ""  # opening or importing it raises the error again


def _import_refusal(path: Path, feature: str) -> str:
    """Return the reason for not importing a file: its own error, or a missing feature that imports files."""
    try:
        return f"{path.name} is one of the {importer_of(path).title}. Those are imported by {feature}."
    except FramescopeError as error:
        return str(error)
