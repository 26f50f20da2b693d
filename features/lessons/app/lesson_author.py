"""Author of lessons: edits the text of the lesson that is played, and captures moments of the window."""

from __future__ import annotations

import errno
import filecmp
from bisect import bisect_left
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox

from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.core.errors import SceneError
from framescope.core.scene.files.loading import load_scene, scene_file_text
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import copy_atomically
from framescope.features.lessons.app.lesson_capture import CaptureError, shown_scene
from framescope.features.lessons.app.lesson_lookup import ReadLesson, is_shipped, read_lesson_text, scenes_beside
from framescope.features.lessons.app.new_lesson import FILTER, moment_source
from framescope.features.lessons.core import SUFFIX, editing
from framescope.features.lessons.core.lesson import LessonError, step_lines
from framescope.features.lessons.core.staging import Staging
from framescope.features.lessons.ui.lesson_editor import LessonEditor
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow

NOT_IN_FILE = "Captured, but other changes of the scene are not in its file: save it, too."
UNTITLED = "Untitled step"
ANOTHER = "A new step", "What is to be seen, and what is asked."
MAX_POINTS = 200
"""Of undo."""
YES = QMessageBox.StandardButton.Yes
KEEP_MS = 1000
"""How long after a change the text is kept in a file of its own."""
KEPT = ".unsaved"
"""What the name of that file ends in."""


class Player(Protocol):
    """What plays the lesson that is written: the controller of lessons."""

    @property
    def read(self) -> ReadLesson | None:
        """The lesson that is played."""
        ...

    @property
    def i(self) -> int:
        """The number of the step that is shown, from 0."""
        ...

    @property
    def staging(self) -> Staging | None:
        """The step that is shown."""
        ...

    def take_read(self, read: ReadLesson, i: int | None = None) -> None:
        """Go on with another state of the lesson, at a step."""
        ...


class LessonAuthor(QObject):
    """Lets a person write the lesson that the player plays; what is typed is seen at once, as soon as it is sound."""

    def __init__(
        self, session: Session, window: MainWindow, staged: StagedMode, player: Player, editor: LessonEditor
    ) -> None:
        super().__init__(editor)
        self._session, self._window, self._staged = session, window, staged
        self._player, self.editor = player, editor
        self._text = self._saved = ""
        self._i = 0
        self._past: list[tuple[str, int]] = []
        self._is_on = self._is_changing = False
        self._keep = QTimer(self, interval=KEEP_MS, singleShot=True)
        self._keep.timeout.connect(self._write_kept)
        editor.edited.connect(self._take)
        editor.captured.connect(self.capture)
        editor.move_step.connect(self.move)
        editor.remove_step.connect(self.remove)
        editor.saved.connect(self.save)
        editor.undone.connect(self.undo)

    @property
    def is_on(self) -> bool:
        """Whether a text is edited."""
        return self._is_on

    @property
    def is_dirty(self) -> bool:
        """Whether the text differs from what the file holds."""
        return self._text != self._saved or self.editor.is_waiting

    def begin(self) -> bool:
        """Take the text of the lesson that is played, a copy of a shipped one; return whether it can be edited."""
        read = self._player.read
        if read is None:
            return False
        if is_shipped(read.path):
            copy = self._copied(read.path)
            if copy is None:
                return False
            read = read_lesson_text(scene_file_text(copy), copy)
            self._player.take_read(read)
        if not self.is_dirty:  # else it was put away, and is taken out again
            self._text = self._saved = scene_file_text(read.path)
            self._past.clear()
            self._offer_kept(read.path)
        self._is_on = True
        self._i = self._player.i
        self._show()
        return True

    def end(self) -> None:
        """Put the text away, as it is."""
        self.editor.flush()
        self._is_on = False

    def take_waiting(self) -> None:
        """Take what was typed a moment ago."""
        self.editor.flush()

    def show_step(self, i: int) -> None:
        """Show the text of the step that is played now."""
        self._i = i
        if not self._is_changing:
            self._show()

    def may_leave(self) -> bool:
        """Ask what to do with a text that is not saved; return whether to go on."""
        self.editor.flush()
        if not self.is_dirty or self._player.read is None:
            return True
        buttons = QMessageBox.StandardButton
        name = self._player.read.path.name
        choices = buttons.Save | buttons.Discard | buttons.Cancel
        answer = QMessageBox.question(
            self._window, "Unsaved lesson", literal_text(f"Save the changes to {name}?"), choices, buttons.Save
        )
        if answer == buttons.Save:
            return self.save()
        if answer == buttons.Discard:
            self._text = self._saved
            self._drop_kept()
            return True
        return False

    def save(self) -> bool:
        """Write the lesson, one with mistakes too, so that nothing is lost; return whether it was written."""
        read = self._player.read
        if read is None:
            return False
        self.editor.flush()
        try:
            write_atomically(read.path, self._text)
        except OSError as error:
            self._window.status.show_message("red", f"{read.path.name} is not written: {error.strerror or error}")
            return False
        self._saved = self._text
        self._drop_kept()
        self.editor.set_saved(True)
        self._window.status.show_message("good", f"Saved {read.path.name}")
        return True

    # What is not saved yet

    def _write_kept(self) -> None:
        """Write the text beside its file, where it waits for the next start if this one ends badly."""
        read = self._player.read
        if read is None or not self.is_dirty:
            self._drop_kept()
            return
        kept = _kept(read.path)
        try:
            if kept.is_symlink() or (kept.exists() and not kept.is_file()):
                # Whoever sent the lesson may have put a link there: what it leads to is not written over.
                raise FileExistsError(errno.EEXIST, f"{kept.name} is a link or no file", str(kept))
            write_atomically(kept, self._text)
        except OSError as error:
            self._window.status.show_message("amber", f"No copy of the text is kept: {error.strerror or error}")

    def _drop_kept(self) -> None:
        self._keep.stop()
        if self._player.read is not None:
            with suppress(OSError):  # a folder, say, that is none of ours
                _kept(self._player.read.path).unlink(missing_ok=True)

    def _offer_kept(self, path: Path) -> None:
        """Offer a text that was kept and never saved."""
        kept = _kept(path)
        if kept.is_symlink() or not kept.is_file():
            return
        try:
            text = scene_file_text(kept)
        except SceneError as error:
            self._window.status.show_message("amber", f"{kept.name} is left alone: {error.problems[0]}")
            return
        when = datetime.fromtimestamp(kept.stat().st_mtime).astimezone()
        words = f"There are changes to {path.name} from {when:%Y-%m-%d %H:%M} that were not saved. Take them?"
        if text != self._text and QMessageBox.question(self._window, "Unsaved lesson", literal_text(words)) == YES:
            self._change(text, 0)
        else:
            self._drop_kept()

    # Steps

    def capture(self) -> None:
        """Add a step after this one, of what the window shows."""
        session, window, read = self._session, self._window, self._player.read
        if read is None or self._player.staging is None:
            return
        try:
            name, base = self._shown_scene(read)
        except CaptureError as error:
            window.status.show_message("amber", f"Not captured: {error}")
            return
        except SceneError as error:
            window.status.show_message("red", f"Not captured: {error.problems[0]}")
            return
        source = moment_source(session, window, self._staged, ANOTHER, name, base)
        self.editor.flush()
        self._change(editing.insert_step(self._text, self._i, source), self._i + 1)
        if session.document.is_dirty:
            window.status.show_message("amber", NOT_IN_FILE)

    def move(self, by: int) -> None:
        """Let the step change places with the one before or after it."""
        self.editor.flush()
        if 0 <= self._i + by < len(step_lines(self._text)):
            self._change(editing.move_step(self._text, self._i, by), self._i + by)

    def remove(self) -> None:
        """Take the step out."""
        self.editor.flush()
        n = len(step_lines(self._text))
        if n > 1:
            self._change(editing.remove_step(self._text, self._i), min(self._i, n - 2))

    def undo(self) -> None:
        """Take the last change back."""
        self.editor.flush()
        if self._past:
            text, i = self._past.pop()
            self._change(text, i, is_undone=True)

    def _shown_scene(self, read: ReadLesson) -> tuple[str, Scene]:
        """Return how the lesson names the scene that is shown, and that scene as its file has it."""
        document, staging = self._session.document, self._player.staging
        if document.is_for_show and staging is not None:
            return staging.scene_name, load_scene(read.path_of(staging.scene_name)).scene
        return shown_scene(document, read.path.parent)

    def _take(self, source: str) -> None:
        """Take the text of the step that is edited; a second heading in it begins a step of its own."""
        n = len(step_lines(self._text))
        text = editing.replace_step(self._text, self._i, _headed(source))
        is_split = len(step_lines(text)) > n
        self._change(text, self._i + is_split, is_shown=is_split)

    def _change(self, text: str, i: int, *, is_shown: bool = True, is_undone: bool = False) -> None:
        """Take another text, and play it from a step on where it is sound; else say what is wrong with it."""
        read = self._player.read
        if read is None:
            return
        if not is_undone and text != self._text:
            self._past.append((self._text, self._i))
            del self._past[:-MAX_POINTS]
        self._text, self._i = text, i
        self.editor.set_saved(not self.is_dirty)
        self.editor.undo.setEnabled(bool(self._past))
        self._keep.start()
        try:
            found = read_lesson_text(text, read.path)
        except LessonError as error:
            self.editor.set_problem(_sentence(error, text, i))
        else:
            self.editor.set_problem("")
            self._is_changing = True
            try:
                self._player.take_read(found, i)
            finally:
                self._is_changing = False
        if is_shown:
            self._show()

    def _show(self) -> None:
        begins = step_lines(self._text)
        self._i = min(self._i, len(begins) - 1)
        self.editor.show_source(editing.source_of(self._text, self._i), self._i, len(begins))
        self.editor.set_saved(not self.is_dirty)
        self.editor.undo.setEnabled(bool(self._past))

    def _copied(self, path: Path) -> Path | None:
        """Ask where a copy of a shipped lesson is to be, and make it, with the scenes beside it."""
        suggested = self._session.document.working_folder / path.name.partition("-")[2]
        title, inputs = "A copy of the lesson to write in", self._session.document.files
        chosen = path_to_save(self._window, title, suggested, FILTER, SUFFIX, inputs=[path, *inputs], is_only=True)
        if chosen is None:
            return None
        try:
            copies = [(scene, chosen.parent / scene.name) for scene in scenes_beside(path)]
            for scene, copy in copies:
                if copy.exists() and not filecmp.cmp(scene, copy, shallow=False):
                    raise FileExistsError(errno.EEXIST, f"another file called {copy.name} is there", str(copy))
            for scene, copy in copies:
                copy_atomically(scene, copy)
            write_atomically(chosen, scene_file_text(path))
        except OSError as error:
            self._window.status.show_message("red", f"{chosen.name} is not written: {error.strerror or error}")
            return None
        return chosen


def _kept(path: Path) -> Path:
    return path.with_name(path.name + KEPT)


def _headed(source: str) -> str:
    """Return the text of a step with a heading, which may be half typed."""
    return source if step_lines(source)[:1] == [0] else f"## {UNTITLED}\n\n{source}"


def _sentence(error: LessonError, text: str, i: int) -> str:
    """Return the first thing that is wrong, and where: by its line in the step that is edited, or by the step."""
    first, begins = error.problems[0], step_lines(text)
    where = ""
    if first.line is not None:
        k = max(bisect_left(begins, first.line) - 1, 0)
        where = f"Line {first.line - begins[k]}: " if k == i else f"Step {k + 1}, line {first.line - begins[k]}: "
    keys = ".".join(map(str, first.key_path[1:]))  # less the title of the step
    what = f"{keys}: {first.message}" if keys else first.message
    return f"{where}{what} {first.hint}".strip()
