"""Editing of lessons: changes the text of the current lesson, and captures moments of the window."""

from __future__ import annotations

import errno
import filecmp
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol, cast

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox

from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.core.errors import FramescopeError, Problem, SceneError
from framescope.core.evaluation.signal_parser import SignalTextError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import load_scene, scene_file_text
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.scene.schema.quantities import UNITS, single_spellings
from framescope.core.scene.schema.signal_kinds import all_signals
from framescope.core.scene.schema.view import Camera
from framescope.core.system.atomic_write import copy_atomically
from framescope.features.lessons.app.lesson_capture import CaptureError, camera_block, captured_scene
from framescope.features.lessons.app.lesson_lookup import (
    PANELS,
    ReadLesson,
    example_scenes,
    is_shipped,
    read_lesson_text,
    scenes_beside,
)
from framescope.features.lessons.app.new_lesson import FILTER, moment_source
from framescope.features.lessons.core import SUFFIX, editing
from framescope.features.lessons.core.judging import component_names
from framescope.features.lessons.core.lesson import LessonError, step_lines
from framescope.features.lessons.core.lights import lights_of
from framescope.features.lessons.core.schema import Choose, LessonMoment, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, OVERLAYS, Staging, without_answer
from framescope.features.lessons.core.step_text import StepScene, StepText, read_step, settle, step_scene, write_step
from framescope.features.lessons.core.subject import frames_out_of_picture, subject_frames
from framescope.features.lessons.core.templates import question_template, signal_texts
from framescope.features.lessons.ui.lesson_editor import LessonEditor
from framescope.features.lessons.ui.step_form import StepContext
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.window.main_window import MainWindow

NOT_IN_FILE = "Captured, but other changes of the scene are not in its file: save it, too."
UNTITLED = "Untitled step"
ANOTHER = "A new step", "Describe the scene, and ask a question."
MAX_POINTS = 200
"""Largest number of undo steps."""
YES = QMessageBox.StandardButton.Yes
PREVIEW_MS = 150
"""Delay between an unfinished edit of a field and its preview, ms."""
KEEP_MS = 1000
"""Delay after a change before the text is written to its recovery file, ms."""
RECOVERY_SUFFIX = ".unsaved"
"""Suffix of the recovery file, appended to the name of the lesson file."""


class Player(Protocol):
    """Interface of the player of lessons that the author uses."""

    @property
    def read(self) -> ReadLesson | None:
        """The lesson that is played."""
        ...

    @property
    def i(self) -> int:
        """Number of the current step, from 0."""
        ...

    @property
    def staging(self) -> Staging | None:
        """Staging of the current step."""
        ...

    def take_read(self, read: ReadLesson, i: int | None = None) -> None:
        """Replace the lesson by an edited version, at a step."""
        ...


class LessonAuthor(QObject):
    """Author of the lesson that the player plays. Edits are played at once, as soon as the text is valid."""

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
        self._keep.timeout.connect(self._write_recovery)
        editor.edited.connect(self._apply)
        editor.captured.connect(self.capture)
        editor.asked.connect(self.ask)
        editor.names = self._names
        editor.moved.connect(self.move)
        editor.removed.connect(self.remove)
        editor.saved.connect(self.save)
        editor.undone.connect(self.undo)
        editor.switched.connect(lambda: self._show_form(is_other=True))
        editor.fitted.connect(self.fit_camera)
        form = editor.form
        form.view_taken.connect(self.take_camera)
        form.edits.previewed.connect(self._preview)
        form.edits.committed.connect(self._commit)
        form.edits.cancelled.connect(self._cancel)
        self._previewed: Edit | None = None
        self._faults: list[Problem] = []
        self._sentence = ""
        self._shown_step = -1
        self._signals: tuple[Staging, list[str]] | None = None
        self._rest = QTimer(self, interval=PREVIEW_MS, singleShot=True)
        self._rest.timeout.connect(self._show_preview)

    @property
    def is_on(self) -> bool:
        """Whether a text is edited."""
        return self._is_on

    @property
    def is_dirty(self) -> bool:
        """Whether the text differs from the file."""
        return self._text != self._saved or self.editor.is_waiting

    def begin(self) -> bool:
        """Load the text of the current lesson, or of a copy if it is shipped. Return whether it can be edited."""
        read = self._player.read
        if read is None:
            return False
        if is_shipped(read.path):
            copy = self._copy_lesson(read.path)
            if copy is None:
                return False
            read = read_lesson_text(scene_file_text(copy), copy, simulates=False)
            self._player.take_read(read)
        if not self.is_dirty:  # otherwise continue with the unsaved text
            self._text = self._saved = scene_file_text(read.path)
            self._past.clear()
            self._offer_recovery(read.path)
        self._is_on = True
        self._i, self._shown_step = self._player.i, -1
        self._faults, self._sentence = [], ""
        self._show()
        return True

    def end(self) -> None:
        """End editing. Unsaved text stays."""
        self.editor.flush()
        self._is_on = False

    def take_waiting(self) -> None:
        """Apply text that was typed a moment ago, unless an edit is being applied."""
        if not self._is_changing:
            self.editor.flush()

    def show_step(self, i: int) -> None:
        """Show the text of the current step."""
        self._i = i
        if not self._is_changing:
            self._show()

    def may_leave(self) -> bool:
        """Ask whether to save unsaved text. Return False if the user cancels."""
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
            self._drop_recovery()
            return True
        return False

    def save(self) -> bool:
        """Write the lesson, even with faults, so that nothing is lost. Return whether it was written."""
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
        self._drop_recovery()
        self.editor.set_saved(True)
        self._window.status.show_message("good", f"Saved {read.path.name}")
        return True

    # Recovery file of unsaved text

    def _write_recovery(self) -> None:
        """Write the unsaved text to a recovery file beside the lesson, for the next start after a crash."""
        read = self._player.read
        if read is None or not self.is_dirty:
            self._drop_recovery()
            return
        recovery = _recovery_path(read.path)
        try:
            if recovery.is_symlink() or (recovery.exists() and not recovery.is_file()):
                # The sender of the lesson may have planted a link. Its target is not overwritten.
                raise FileExistsError(errno.EEXIST, f"{recovery.name} is a link or no file", str(recovery))
            write_atomically(recovery, self._text)
        except OSError as error:
            self._window.status.show_message("amber", f"No copy of the text is kept: {error.strerror or error}")

    def _drop_recovery(self) -> None:
        self._keep.stop()
        if self._player.read is not None:
            with suppress(OSError):  # for example a folder of that name
                _recovery_path(self._player.read.path).unlink(missing_ok=True)

    def _offer_recovery(self, path: Path) -> None:
        """Offer to restore the unsaved text of a recovery file."""
        recovery = _recovery_path(path)
        if recovery.is_symlink() or not recovery.is_file():
            return
        try:
            text = scene_file_text(recovery)
        except SceneError as error:
            self._window.status.show_message("amber", f"{recovery.name} is not used: {error.problems[0]}")
            return
        when = datetime.fromtimestamp(recovery.stat().st_mtime).astimezone()
        words = f"There are changes to {path.name} from {when:%Y-%m-%d %H:%M} that were not saved. Restore them?"
        if text != self._text and QMessageBox.question(self._window, "Unsaved lesson", literal_text(words)) == YES:
            self._change(text, 0)
        else:
            self._drop_recovery()

    # Steps

    def capture(self) -> None:
        """Insert a step after this one that shows the state of the window."""
        finish_typing()
        session, window, read = self._session, self._window, self._player.read
        if read is None or self._player.staging is None:
            return
        try:
            name, base = self._base_scene(read)
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
        elif names := self._frames_out_of_picture():
            text = f"Captured, but the camera does not show {', '.join(names)}. Fit camera moves it there."
            window.status.show_message("amber", text)

    def _frames_out_of_picture(self) -> list[str]:
        staging = self._player.staging
        return [] if staging is None else frames_out_of_picture(staging, self._session.plan)

    def ask(self, kind: str) -> None:
        """Add a question of a kind to the step, in place of the one that it has. One undo takes it back."""
        staging = self._player.staging
        if staging is None:
            return
        self.editor.flush()
        self._set_moment(question=self._template(kind))

    def _template(self, kind: str) -> Item:
        """Return a new question of a kind, about the selected frame of the step."""
        staging, plan = self._player.staging, self._session.plan
        scene, t = (plan.scene, plan.start) if staging is None else (without_answer(staging.scene), staging.time)
        question = question_template(kind, scene, self._session.selected_frame(), t, plan.end)
        return cast("Item", LessonMoment.model_validate({"question": question}).question)

    def _set_moment(self, **values: object) -> None:
        """Set fields of the moment in the text of the step, as one undo step."""
        step = read_step(editing.source_of(self._text, self._i))
        if step.problem:
            self._window.status.show_message("amber", f"The step cannot be changed: {step.problem}")
            return
        fields = step.fields.model_copy(update={"moment": step.fields.moment.model_copy(update=values)})
        self._change(editing.replace_step(self._text, self._i, write_step(step, fields)), self._i)

    # Camera

    def fit_camera(self) -> None:
        """Move the camera of the step until what the step speaks of fills the picture."""
        self.editor.flush()
        staging = self._player.staging
        if staging is None or not self._is_shown():
            return
        names = subject_frames(staging)
        camera = self._window.scene_view.camera
        if not (names and camera.fit_frames(names, even_if_seen=True)):
            camera.fit()
        self._take_camera()
        subject = f"what the step speaks of: {', '.join(names)}" if names else "the whole scene"
        self._window.status.show_message("good", f"Fitted the camera to {subject}")

    def take_camera(self) -> None:
        """Give the step the present camera of the scene."""
        self.editor.flush()
        if self._is_shown():
            self._take_camera()

    def _take_camera(self) -> None:
        self._set_moment(camera=Camera.model_validate(camera_block(self._window.scene_view.camera.state)))

    def _is_shown(self) -> bool:
        """Return whether the window shows the step; otherwise show a message."""
        is_shown = self._session.document.is_for_show
        if not is_shown:
            self._window.status.show_message("amber", "Another scene is shown. Restore the step first.")
        return is_shown

    # Form

    def _step_context(self, step: StepText) -> StepContext:
        staging = self._player.staging
        scene = Scene() if staging is None else without_answer(staging.scene)
        return StepContext(
            self._session.plan,
            self.editor.form.edits,
            self._session.snapshot,
            eye=lambda: self._window.scene_view.camera.state,
            step_scene=step_scene(scene, step.fields),
            suggest=self._suggestions,
            template=self._template,
        )

    def _suggestions(self, field: Field) -> Iterable[str]:
        """Return texts that complete a field of the form."""
        sources: dict[str, Callable[[], Iterable[str]]] = {
            "scene": self._scene_names,
            "light": lambda: (light for light in lights_of(self._session.plan) if not light.endswith(ANSWER)),
            "panel": lambda: PANELS,
            "signal": self._signal_texts,
            "component": self._component_names,
            "unit": lambda: dict.fromkeys(unit for units in UNITS.values() for unit in single_spellings(units)),
        }
        return sources[field.key]() if field.key in sources else ()

    def _scene_names(self) -> Iterator[str]:
        yield from example_scenes()
        if (read := self._player.read) is not None:
            yield from sorted(path.name for path in read.path.parent.glob("*.yaml"))

    def _signal_texts(self) -> list[str]:
        staging = self._player.staging
        if staging is None:
            return []
        if self._signals is None or self._signals[0] is not staging:
            self._signals = staging, signal_texts(without_answer(staging.scene))
        return self._signals[1]

    def _component_names(self) -> Iterator[str]:
        question = None if self._player.staging is None else self._player.staging.question
        if isinstance(question, Sketch):
            with suppress(SignalTextError):
                yield from filter(None, component_names(question, self._session.plan))

    def _show_form(self, *, is_other: bool = False) -> None:
        """Show the fields of the step, with the faults of the text at their fields."""
        is_form = self.editor.is_form
        self.editor.set_problem("" if is_form else self._sentence)
        if not (self._is_on and is_form):
            return
        step = read_step(editing.source_of(self._text, self._i))
        self.editor.form.show_step(
            self._step_context(step), step, self._faults, "" if self._faults else self._sentence, is_other=is_other
        )

    def _edited(self, edit: Edit) -> str:
        """Return the text of the step with an edit of its fields."""
        step = read_step(editing.source_of(self._text, self._i))
        before = self._step_context(step).step_scene
        after = edit.apply(before)
        assert isinstance(after, StepScene)  # noqa: S101 - as it was made
        return write_step(step, settle(step.fields, after.step))

    def _commit(self, edit: Edit) -> None:
        """Write an edit of a field to the text, as one undo step."""
        self._rest.stop()
        self._previewed = None
        source = self._edited(edit)
        if source != editing.source_of(self._text, self._i):
            self._apply(source, is_shown=True)

    def _preview(self, edit: Edit, _pauses: bool) -> None:
        self._previewed = edit
        self._rest.start()

    def _show_preview(self) -> None:
        """Play the step as an unfinished edit would make it."""
        read, edit = self._player.read, self._previewed
        if read is None or edit is None:
            return
        with suppress(LessonError, FramescopeError, KeyError):  # unfinished texts may be wrong
            text = editing.replace_step(self._text, self._i, _add_heading(self._edited(edit)))
            if len(step_lines(text)) == len(step_lines(self._text)):
                self._play(read_lesson_text(text, read.path, simulates=False), self._i)

    def _cancel(self) -> None:
        """Play the step as it is written."""
        self._rest.stop()
        read = self._player.read
        if self._previewed is None or read is None:
            return
        self._previewed = None
        with suppress(LessonError):
            self._play(read_lesson_text(self._text, read.path, simulates=False), self._i)

    def _play(self, read: ReadLesson, i: int) -> None:
        self._is_changing = True
        try:
            self._player.take_read(read, i)
        finally:
            self._is_changing = False

    def _names(self) -> Iterator[str]:
        """Yield the words that the text of a step may need: names of the scene, keys, and signals."""
        staging = self._player.staging
        yield from LessonMoment.model_fields
        for model in (Choose, NumberQuestion, Turn, PointQuestion, Sketch):
            yield from model.model_fields
        yield from (*OVERLAYS, *all_signals())
        if staging is not None:
            scene = staging.scene
            yield from (name for kind in ITEM_KINDS for name in getattr(scene, kind) if not name.startswith(ANSWER))
            yield from (*scene.parameters, *(plot.called for plot in scene.view.plots))
            yield from (light for light in lights_of(self._session.plan) if not light.endswith(ANSWER))
        yield from example_scenes()

    def move(self, by: int) -> None:
        """Swap the step with the step before (-1) or after it (1)."""
        self.editor.flush()
        if 0 <= self._i + by < len(step_lines(self._text)):
            self._change(editing.move_step(self._text, self._i, by), self._i + by)

    def remove(self) -> None:
        """Remove the step."""
        self.editor.flush()
        n = len(step_lines(self._text))
        if n > 1:
            self._change(editing.remove_step(self._text, self._i), min(self._i, n - 2))

    def undo(self) -> None:
        """Undo the last change."""
        self.editor.flush()
        if self._past:
            text, i = self._past.pop()
            self._change(text, i, is_undone=True)

    def _base_scene(self, read: ReadLesson) -> tuple[str, Scene]:
        """Return the name of the shown scene in the lesson, and the scene of its file."""
        document, staging = self._session.document, self._player.staging
        if document.is_for_show and staging is not None:
            return staging.scene_name, load_scene(read.path_of(staging.scene_name)).scene
        return captured_scene(document, read.path.parent)

    def _apply(self, source: str, *, is_shown: bool = False) -> None:
        """Apply the edited text of the step. A second heading in it begins a new step."""
        n = len(step_lines(self._text))
        text = editing.replace_step(self._text, self._i, _add_heading(source))
        is_split = len(step_lines(text)) > n
        self._change(text, self._i + is_split, is_shown=is_split or is_shown)

    def _change(self, text: str, i: int, *, is_shown: bool = True, is_undone: bool = False) -> None:
        """Set the text of the lesson. Play a valid text at step `i`; show the first fault of an invalid one."""
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
            new_lesson = read_lesson_text(text, read.path, simulates=False)
        except LessonError as error:
            self._faults = [problem for problem in error.problems if _step_of(problem, text) == i]
            self._sentence = _sentence(error, text, i)
        else:
            advice = [problem for problem in new_lesson.advice(i) if problem.severity == "amber"]
            self._faults = []
            self._sentence = f"{advice[0].message} {advice[0].hint}" if advice else ""
            self._play(new_lesson, i)
        if is_shown:
            self._show()
        else:
            self._show_form()

    def _show(self) -> None:
        begins = step_lines(self._text)
        self._i = min(self._i, len(begins) - 1)
        self.editor.show_source(editing.source_of(self._text, self._i), self._i, len(begins))
        self.editor.set_saved(not self.is_dirty)
        self.editor.undo.setEnabled(bool(self._past))
        is_other = self._i != self._shown_step
        self._shown_step = self._i
        self._show_form(is_other=is_other)

    def _copy_lesson(self, path: Path) -> Path | None:
        """Ask for a path and copy a shipped lesson there, with the scenes beside it."""
        suggested = self._session.document.working_folder / path.name.partition("-")[2]
        title, inputs = "Copy of the lesson to edit", self._session.document.files
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


def finish_typing() -> None:
    """Commit the text in the field that has the focus, such as an angle typed as an expression without Return."""
    field = QApplication.focusWidget()
    if isinstance(field, QLineEdit):
        field.clearFocus()


def _recovery_path(path: Path) -> Path:
    return path.with_name(path.name + RECOVERY_SUFFIX)


def _add_heading(source: str) -> str:
    """Return the text of a step, with a default heading if the user has not typed one yet."""
    return source if step_lines(source)[:1] == [0] else f"## {UNTITLED}\n\n{source}"


def _step_of(problem: Problem, text: str) -> int | None:
    """Return the step of a problem, from 0; None for problems of the whole lesson."""
    return None if problem.line is None else max(bisect_left(step_lines(text), problem.line) - 1, 0)


def _sentence(error: LessonError, text: str, i: int) -> str:
    """Return the first fault with its line. Faults outside of step `i` name their step."""
    first, begins = error.problems[0], step_lines(text)
    where = ""
    k = _step_of(first, text)
    if first.line is not None and k is not None:
        where = f"Line {first.line - begins[k]}: " if k == i else f"Step {k + 1}, line {first.line - begins[k]}: "
    keys = ".".join(map(str, first.key_path[1:]))  # less the title of the step
    what = f"{keys}: {first.message}" if keys else first.message
    return f"{where}{what} {first.hint}".strip()
