"""Controller of files: new, open, save, drop and close, with the questions that belong to them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NoReturn, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox

from framescope.app.controllers.compile_ahead import compiled_ahead
from framescope.app.importers.foreign import NoSceneError
from framescope.app.importers.registry import dialog_filter, file_in, importer_of, takes_long
from framescope.app.importers.scenes import load_with_all_faults
from framescope.app.session.document import Document, Written
from framescope.app.session.scene_lookup import example_path, prepared_files
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.system.caches import FileState, file_state
from framescope.core.system.features import missing_provider
from framescope.core.system.file_access import Access
from framescope.core.system.reader_slips import slips_as_errors
from framescope.ui.dialogs.file_access_dialog import ConsentDialog
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.qt_support.thread_tasks import run_and_wait, thread_task
from framescope.ui.window.main_window import MainWindow

R = TypeVar("R", Document, LoadedScene)
Read = Callable[[], R]

Speed = Literal["quick", "slow", "cancellable"]
"""How a file is read: at once, beside the window, or while a dialog says so, which can be left."""

LARGE = 64 * 1024
"""Bytes from which a scene takes a while to read: the window goes on meanwhile."""

FILTER = "Scenes (*.yaml *.yml *.json);;All files (*)"
TITLE = "Save the scene"


class FileCommands(QObject):
    """Controller of files.

    Signals
    -------
    saved(object), opened(object)
        The path of a scene that was written or read by hand.
    import_requested(object)
        The path of a file that is to be added to the scene that is open.
    bag_requested(object), lesson_requested(object)
        The path of a file that one of `openers` opens.
    new_lesson_requested()
        A lesson is to be written, beginning with what the window shows.
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
        self._opening: object = None
        self._saving: _Saving | None = None
        self._reread: FileState | None = None

    @property
    def is_saving(self) -> bool:
        """Whether a scene is being written, while the window goes on."""
        return self._saving is not None

    @property
    def folder(self) -> Path:
        """Where files are looked for and saved first: beside the scene, else where one was opened or saved last."""
        return self._session.document.own_folder or self.recent_folder() or Path.home()

    def close(self) -> None:
        """Open nothing any more."""
        self._opening = None

    def new(self) -> None:
        """Begin a new scene, after unsaved changes were dealt with."""
        if self.may_discard():
            self._opening = None
            self._session.new()

    def open(self, path: Path) -> None:
        """Open a scene, or the one in a bundle, after unsaved changes were dealt with."""
        # Of a bundle, the scene in it is the one that was opened.
        self._open_file(path, lambda: self.opened.emit(self._session.document.path or path))

    def open_example(self, name: str) -> None:
        """Open an example scene, or a prepared file of another kind, after unsaved changes were dealt with."""
        if name in prepared_files():
            self._take_one([str(prepared_files()[name])], into_new=False)
            return
        self._open_file(example_path(name), lambda: None)

    def open_made(self, name: str, document: Document, then: Callable[[], None]) -> None:
        """Open a scene that was made of another file, after unsaved changes were dealt with."""
        self._open(name, lambda: document, then, "slow")

    def open_recovered(self, name: str, restore: Callable[[], Document], then: Callable[[], None]) -> None:
        """Open the unsaved work that `restore` brings back, after other unsaved changes were dealt with."""
        self._open(name, restore, then, "slow")

    def _open_file(self, path: Path, then: Callable[[], None]) -> None:
        speed: Speed = "cancellable" if takes_long(path) else _speed_of(path)
        self._open(path.name, partial(Document.open, path), then, speed)

    def _open(self, name: str, read: Callable[[], Document], then: Callable[[], None], speed: Speed) -> None:
        if not self.may_discard():
            return
        session, scene = self._session, self._session.document.scene

        def take(read: Callable[[], Document]) -> None:
            if session.document.scene is not scene and not self.may_discard():  # what was done meanwhile
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
        """Have a scene read now, or a slow one beside the window; of several requests, the newest holds.

        `access` tells which files the scene may name. `take` is given what returns what was read, or raises what
        reading raised.
        """
        self._opening = None
        if speed == "quick":
            take(read)
            return
        if speed == "cancellable":
            self._read_in_dialog(name, read, access, take)
            return
        session, document = self._session, self._session.document
        self._opening = opening = object()

        def end(done: Future[tuple[R, Plan]]) -> None:
            if self._opening is opening and session.document is document:
                self._opening = None
                self.settle()
                take(lambda: done.result()[0])

        self._window.status.show_message("note", f"Reading {name}…")
        thread_task(self, partial(_read_and_compile, read, access), end)

    def _read_in_dialog(
        self, name: str, read: Read[R], access: Callable[[R], Access], take: Callable[[Read[R]], None]
    ) -> None:
        """Read in a thread, while a dialog says so and can be left; the rest as of `_take_read`."""
        from framescope.ui.dialogs.read_thread import read_in_thread

        def outcome() -> Read[R]:
            try:
                with slips_as_errors(name):
                    found, _ = _read_and_compile(read, access)
            except FramescopeError as error:
                return partial(_raise, error)
            return lambda: found

        read_in_thread(self._window, name, outcome, take, title=f"Open {name}")

    def ask_open(self) -> None:
        """Ask for a file: a scene or a bundle is opened, anything else imported."""
        patterns = dialog_filter("Scenes, bundles and recordings")
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open a scene or a recording", str(self.folder), patterns)
        if chosen:
            self.take(Path(chosen))

    def take(self, path: Path) -> None:
        """Open a file that is a scene; import another one, into a new scene in place of an example left as it is."""
        document = self._session.document
        self._take_one([str(path)], into_new=document.is_example and not document.is_dirty)

    def drop(self, paths: list[str]) -> None:
        """Open what was dropped onto the window: a scene or a bundle before a recording; of several files, one."""
        self._take_one(paths, into_new=False)

    def _take_one(self, paths: list[str], *, into_new: bool) -> None:
        try:
            with slips_as_errors(Path(paths[0]).name):
                path, *others = sorted((file_in(Path(name)) for name in paths), key=lambda path: not _is_scene(path))
        except FramescopeError as error:  # of a folder, in which it is not known what is meant
            self._session.refuse(Path(paths[0]).name, error)
            return
        if opens := _opens(path):
            self.openers[opens](path)
        elif _is_scene(path):
            self.open(path)
        elif feature := missing_provider("import"):
            self._window.status.show_message("amber", _why_not_imported(path, feature))
        else:
            self.import_requested.emit(path, into_new)
        if others:
            names = ", ".join(other.name for other in others[:3]) + (" and more" if len(others) > 3 else "")
            self._window.status.show_message("note", f"One file at a time: {path.name} was taken, {names} not")

    def save(self) -> None:
        """Save, while the window goes on; a new scene and an example are saved under a name of one's own."""
        self._begin_saving(self._place())

    def save_as(self) -> None:
        """Ask for a name and save, while the window goes on."""
        self._begin_saving(self._another_place())

    def save_and_wait(self, beside: Path | None = None) -> bool:
        """Save, a new scene `beside` a file, before what is done next; return whether it was saved."""
        path = self._place(beside)
        if path is None or not self._session.save(path):
            return False
        self.saved.emit(path)
        return True

    def reload(self) -> None:
        """Take what the file holds now; undo brings back what was here."""
        self.settle()
        session, document = self._session, self._session.document
        path, text = document.path, document.text
        if path is None:
            self._window.status.show_message("note", "This scene has no file yet that it could be reloaded from")
            return

        def take(read: Callable[[], LoadedScene]) -> None:
            if document.path == path and document.text is text:  # else it was saved meanwhile
                session.reload(read)

        self._reread = file_state(path) if path.exists() else None
        read = partial(load_with_all_faults, path)
        self._take_read(path.name, read, lambda _loaded: document.access, take, _speed_of(path))

    def report_overtaken(self) -> None:
        """Say that somebody else has written the scene's file, and offer to take it."""
        if self.is_saving:  # by that, and not by another program
            return
        document, status = self._session.document, self._window.status
        if document.path is None or not document.path.exists():
            status.show_message("amber", f"{document.name} was removed by another program. Saving writes it anew")
            return
        if file_state(document.path) == self._reread:  # it is no scene any more, which has been said
            return
        status.show_message("amber", f"{document.name} was changed by another program")
        status.offer("Reload", f"reload {document.name}", self.reload)

    def _place(self, beside: Path | None = None) -> Path | None:
        """Return where the scene is to be saved, if it is."""
        self.settle()
        document = self._session.document
        if document.path is None or document.is_example:
            return self._another_place(beside)
        return None if document.is_overtaken and not self._may_overwrite() else document.path

    def _another_place(self, beside: Path | None = None) -> Path | None:
        """Ask where the scene is to be saved."""
        self.settle()
        suggested = self.folder / self._session.document.name
        if beside is not None:
            suggested = beside.with_suffix(".yaml")
        inputs = self._session.document.inputs
        return path_to_save(self._window, TITLE, suggested, FILTER, ".yaml", inputs=inputs)

    def may_discard(self) -> bool:
        """Ask once what to do with unsaved changes; return whether to go on."""
        self.settle()
        document = self._session.document
        if not document.is_dirty or document.is_handed_back:
            return True
        buttons = QMessageBox.StandardButton
        text, choices = f"Save the changes to {document.name}?", buttons.Save | buttons.Discard | buttons.Cancel
        answer = QMessageBox.question(self._window, "Unsaved changes", literal_text(text), choices, buttons.Save)
        if answer == buttons.Save:
            return self.save_and_wait()
        return answer == buttons.Discard

    def ask_consent(self, names: tuple[str, ...]) -> None:
        """Ask about files outside the document's folder; the answer is for this document, as long as it is open."""
        document = self._session.document

        def take(is_allowed: bool) -> None:
            if is_allowed and self._session.document is document:
                self._session.allow_outside(names)

        dialog = ConsentDialog(document.name, names, self._window)
        dialog.answered.connect(take)
        dialog.open()

    def _may_overwrite(self) -> bool:
        """Ask whether to save over what another program has written; return whether to."""
        name, path = self._session.document.name, self._session.document.path
        if path is None or not path.is_file():  # saving makes it, or says why it cannot
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
            if self._saving is not None and self._saving.done is done:  # else it was waited for
                self._saving = None
                if self._session.take_written(path, done.result):
                    self.saved.emit(path)

        self._saving = _Saving(thread_task(self, self._session.writing(path), take), take)

    def settle(self) -> None:
        """Wait for what is being saved, and end what a hand still holds."""
        if (saving := self._saving) is not None:
            run_and_wait(partial(wait, [saving.done]))
            saving.take(saving.done)
        self.finish_gestures()


@dataclass(frozen=True)
class _Saving:
    """Save in progress, and what is called once it has ended."""

    done: Future[Written]
    take: Callable[[Future[Written]], None]


def _is_scene(path: Path) -> bool | None:
    """Return whether to open a file is to leave the scene that is open; None where nothing is known of it."""
    try:
        return importer_of(path).is_scene
    except NoSceneError:
        return True  # opening it says so
    except FramescopeError:
        return None  # importing it says why


def _speed_of(path: Path) -> Speed:
    """Return how a scene file is read."""
    try:
        return "slow" if path.stat().st_size > LARGE else "quick"
    except OSError:
        return "quick"  # reading it says why


def _raise(error: FramescopeError) -> NoReturn:
    raise error


def _read_and_compile(read: Callable[[], R], access: Callable[[R], Access]) -> tuple[R, Plan]:
    """Read a scene, and compile it."""
    found = read()
    return found, compiled_ahead(found.scene, access(found))


def _opens(path: Path) -> str:
    """Return the name of the dialog or player that opens a file, see `Importer.opens`; empty for none."""
    try:
        return importer_of(path).opens
    except FramescopeError:
        return ""  # opening or importing it raises the error again


def _why_not_imported(path: Path, feature: str) -> str:
    """Return why a file is not imported: its own error, or the missing feature that imports files."""
    try:
        return f"{path.name} is one of the {importer_of(path).title}. Those are imported by {feature}."
    except FramescopeError as error:
        return str(error)
