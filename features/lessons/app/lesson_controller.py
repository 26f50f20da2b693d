"""Controller of lessons: shows the steps in the window, and restores the previous document at the end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from framescope.app.controllers.exports.export_controller import ExportController
from framescope.app.controllers.file_controller import FileCommands
from framescope.app.session.document import Document
from framescope.app.session.playback import Playback
from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.app.storage.settings import Settings
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import NO_ITEM, ItemKey, Scene
from framescope.core.system.reader_slips import slips_as_errors
from framescope.features.lessons.app.lesson_lookup import (
    ReadLesson,
    find_lesson,
    lesson_titles,
    next_lesson,
    read_lesson,
)
from framescope.features.lessons.app.lesson_place import LessonPlace
from framescope.features.lessons.app.lesson_steps import LessonSteps
from framescope.features.lessons.core import SUFFIX
from framescope.features.lessons.core.lesson import LessonError
from framescope.features.lessons.core.schema import PointQuestion
from framescope.features.lessons.core.staging import ANSWER, Staging
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.exports.options import ExportOptions
from framescope.ui.palette.command import Command
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.window.lecture_keys import Asked
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.lessons.app.lesson_answers import LessonAnswers
    from framescope.features.lessons.app.lesson_author import LessonAuthor
    from framescope.features.lessons.ui.lesson_panel import LessonPanel
    from framescope.features.lessons.ui.question_form import QuestionForm
    from framescope.features.lessons.ui.speaker_view import SpeakerView

EXPORTS = "Page for any browser (*.html);;Handout to print (*.pdf);;Film with captions (*.mp4 *.webm *.gif)"
LESSON = "lesson"
"""Name of the dock."""


class LessonController(QObject):
    """Player of lessons in a window."""

    def __init__(
        self,
        session: Session,
        window: MainWindow,
        files: FileCommands,
        staged: StagedMode,
        exports: ExportController,
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._exports, self._steps = exports, LessonSteps(settings.store)
        self._session, self._window, self._files, self._staged = session, window, files, staged
        self.panel: LessonPanel | None = None
        self._read: ReadLesson | None = None
        self._i = 0
        self._plan: Plan = session.plan
        self._before: Document | None = None
        self._seen: tuple[Playback, ItemKey] | None = None
        """Clock and selection of the user's document when the lesson began; None without a lesson."""
        self._place = window.place
        self._answers: LessonAnswers | None = None
        self.speaker_view: SpeakerView | None = None
        self._author: LessonAuthor | None = None
        self._is_stepping = self._edits_next = False
        self._continued: LessonPlace | None = None
        self._keys = _Keys(self)
        self._played_later: Staging | None = None
        session.document_opened.connect(self._on_document_opened)
        session.plan_changed.connect(self._take_simulated)
        window.presenting_changed.connect(self._on_presenting)

    # Start and end

    @property
    def is_on(self) -> bool:
        """Whether a lesson is played."""
        return self._read is not None

    @property
    def is_being_written(self) -> bool:
        """Whether the text of the lesson is being edited or has unsaved changes."""
        return self._author is not None and self.is_on and (self._author.is_on or self._author.is_dirty)

    @property
    def read(self) -> ReadLesson | None:
        """The lesson that is played."""
        return self._read

    @property
    def plan(self) -> Plan:
        """Plan of the current step's scene, before any edits of the user."""
        return self._plan

    @property
    def i(self) -> int:
        """Number of the current step, from 0."""
        return self._i

    @property
    def document_before(self) -> Document | None:
        """The user's document, which returns after the lesson; None without a lesson."""
        return self._before

    @property
    def place(self) -> dict[str, Any]:
        """State for another process, see `LessonPlace`."""
        path = "" if self._read is None else str(self._read.path.absolute())
        return {"path": path, "step": self._i, "place": self._place, "is_edited": self.is_being_written}

    def go_on(self, place: LessonPlace) -> None:
        """Continue at the step where another process has left a lesson, without questions about the document."""
        self._continued, self._edits_next = place, place.is_edited
        self.open(Path(place.path))

    def take_read(self, read: ReadLesson, i: int | None = None) -> None:
        """Replace the lesson by an edited version, at a step. The window is updated only where the step has changed."""
        before, self._read = self.staging, read
        self._i = min(self._i if i is None else i, len(read.stagings) - 1)
        if before is not None and replace(before, step=read.stagings[self._i].step) == read.stagings[self._i]:
            self._show(read.stagings[self._i])
        else:
            self.go(self._i)

    @property
    def staging(self) -> Staging | None:
        """Staging of the current step."""
        return None if self._read is None else self._read.stagings[self._i]

    def open(self, path: Path) -> None:
        """Read a lesson in a worker thread, ask about unsaved changes of the current one, and start it."""
        before = self._session.playback
        self._session.pause()  # a scene that plays would leave little time to the thread
        self._window.status.show_message("note", f"Reading {path.name}…")

        def read() -> ReadLesson:
            with slips_as_errors(path.name):
                return read_lesson(path, simulates=False)

        thread_task(self, read, partial(self._start, before))

    def may_leave(self) -> bool:
        """Ask about unsaved changes of the lesson. Return False if the user cancels."""
        return not self.is_being_written or (self._author is not None and self._author.may_leave())

    def leave(self) -> None:
        """End the lesson and restore the previous document."""
        if self._read is None or not self.may_leave():
            return
        before, seen, title = self._before, self._seen, self._read.lesson.title
        self._end()
        if before is not None:
            self._session.show(before)
            self._show_seen(seen)
        self._window.show_as_before()
        self._window.set_place(self._place)
        self._window.hide_dock(LESSON)
        self._window.status.show_message("note", f"{title}: left")

    def uncover(self) -> None:
        """End the lesson where it covers unsaved changes, which somebody is about to be asked about."""
        if self._before is not None and self._before.is_dirty and not self.is_being_written:
            self.leave()

    def _start(self, playback: Playback, done: Future[ReadLesson]) -> None:
        continued, self._continued = self._continued, None
        try:
            read = done.result()
        except LessonError as error:
            self._window.status.show_message("red", f"The lesson is not opened: {error.problems[0]}")
            return
        except FramescopeError as error:
            self._window.status.show_message("red", f"The lesson is not opened: {error}")
            return
        if not self.may_leave():
            return
        self._edit(False)
        if not self.is_on:
            self._remember(self._session.document, playback)
            self._place = self._window.place if continued is None else continued.place
        self._read, self._i = read, 0
        self._window.keys.lesson = self._keys
        self.show_panel()
        last_step = self._steps.step_of(read.path)
        self.go(0 if continued is None else min(continued.step, len(read.stagings) - 1))
        self._window.status.show_message("good", f"{read.lesson.title}: Page Down goes on, and B blanks the screen")
        if continued is None and 0 < last_step < len(read.stagings):
            where = f"Go on at step {last_step + 1}"
            self._window.status.offer(where, f"{where}, where it was left", partial(self.go, last_step))
        if self._edits_next:
            self._edits_next = False
            self._edit(True)

    def _end(self) -> None:
        self._read = self._before = None
        self._window.end_lecture()
        self._window.keys.lesson = None
        self._window.scene_view.set_handles(False)
        if self.panel is not None and self._answers is not None:
            self._answers.end()
            self.panel.notes.setChecked(False)
            self.panel.show_nothing()

    def _on_document_opened(self) -> None:
        """End the lesson when the user opens another document, unless the lesson is being edited."""
        if self.is_on and not self._is_stepping and not self.is_being_written:
            self._end()
            self._window.show_as_before()

    # Steps

    def step(self, by: int) -> None:
        """Move forward or back by some steps. The next lesson, or the end, follows the last step."""
        if self._read is None:
            return
        if self._i + by >= len(self._read.stagings):
            after = next_lesson(self._read.path)
            self._steps.remember(self._read.path, 0)
            if after is None:
                self.leave()
            else:
                self.open(after[1])
        elif self._i + by >= 0:
            self.go(self._i + by)

    def step_by_key(self, by: int) -> None:
        """Move by a step, but not past the last one: presenters easily press a key once too often."""
        if by == 1 and self._shows_answer():
            return
        if self._read is not None and self._i + by < len(self._read.stagings):
            self.step(by)
        elif self._read is not None:
            self._window.status.show_message("note", "This is the last step: the button below it goes on")

    def step_by_button(self, by: int) -> None:
        """Move by a step, and past the last one to the next lesson."""
        if by != 1 or not self._shows_answer():
            self.step(by)

    def _shows_answer(self) -> bool:
        """Show the right answer at a pause for the class. Return False where there is none, or it is shown already."""
        staging, answers = self.staging, self._answers
        if staging is None or answers is None or not staging.step.moment.pause or answers.is_answered:
            return False
        answers.show_right()
        return True

    def go(self, i: int) -> None:
        """Show a step. Its state does not depend on the steps that were shown before."""
        if self._author is not None and self._author.is_on:
            self._author.take_waiting()
        if self._read is None or not self._may_show_step():
            return
        self._i, self._played_later = i, None
        self._steps.remember(self._read.path, i)
        if self._author is not None and self._author.is_on:
            self._author.show_step(i)
        staging, session, window = self._read.stagings[i], self._session, self._window
        session.pause()
        self._staged.leave()
        window.spotlight.clear()
        document = Document(staging.scene, folder=self._read.folder_of(staging.scene_name), is_for_show=True)
        document.made_of = f"{self._read.lesson.title}, step {i + 1}"
        self._is_stepping = True
        try:
            session.show(document)
        finally:
            self._is_stepping = False
        self._plan = session.plan
        if staging.layout not in (None, window.place) and not window.is_presenting:
            window.set_place(staging.layout)
        self._show_docks(staging)
        session.select(("frames", staging.select) if staging.select else NO_ITEM)
        window.scene_view.set_handles(bool(staging.answer))
        if not staging.answer:  # otherwise the status line explains the handles
            window.status.show_message("note", f"Step {i + 1} of {len(self._read.stagings)}")
        self._set_time(staging)
        self._show(staging)
        if staging.step.moment.light:
            window.spotlight.light(staging.step.moment.light)

    def _take_simulated(self, plan: Plan, is_preview: bool) -> None:
        """Take over the plan of the step once its simulation has finished, for the answers to its question."""
        if self.is_on and self._plan.pending and not plan.pending and not is_preview and self._is_step(plan.scene):
            self._plan = plan
            if self._answers is not None:
                self._answers.take_plan(plan)
            if self._played_later is not None and self._played_later is self.staging:
                self._play_step(self._played_later)

    def _is_step(self, scene: Scene) -> bool:
        """Return whether a scene is that of the step, whatever the user's answer."""
        first, second = (
            other.model_copy(update={"frames": {name: frame for name, frame in other.frames.items() if name != ANSWER}})
            for other in (scene, self._plan.scene)
        )
        return first == second

    def _show_docks(self, staging: Staging) -> None:
        """Show only the docks that a step needs: others might reveal the answer. The user can open them."""
        plots = ("plots",) if staging.scene.view.plots else ()
        self._window.show_chosen(LESSON, "timeline", *plots)
        self._window.show_dock(LESSON)
        moment = staging.step.moment
        if moment.panel and moment.stage != "scene":
            self._window.show_large(moment.panel, is_alone=moment.stage == "panel")

    def _on_presenting(self, scale: float) -> None:
        """Show the docks of the step in full screen, too, with larger text."""
        if self.panel is not None:
            self.panel.set_scale(scale)
        QTimer.singleShot(0, self, self._show_docks_again)  # after the docks have changed

    def _show_docks_again(self) -> None:
        if self.staging is not None:
            self._show_docks(self.staging)

    def _may_show_step(self) -> bool:
        """Ask about unsaved changes of a scene that the user opened meanwhile. Return False if the user cancels."""
        document = self._session.document
        if document.is_for_show or document is self._before:
            return True
        if not self._files.may_discard():
            return False
        if self._before is None or not self._before.is_dirty:
            self._remember(document, self._session.playback)
        return True

    def _remember(self, document: Document, playback: Playback) -> None:
        """Keep the document of the user with its clock and selection."""
        self._before, self._seen = document, (playback, self._session.selection)

    def _show_seen(self, seen: tuple[Playback, ItemKey] | None) -> None:
        """Show the document of the user at its time, with its selection, playing if it did."""
        session = self._session
        if seen is None:
            session.select_subject()
            return
        playback, selected = seen
        if session.exists(selected):
            session.select(selected)
        session.pause()
        session.set_speed(playback.speed)
        session.scrub(playback.t)
        if playback.is_playing:
            session.toggle_play()

    def _set_time(self, staging: Staging) -> None:
        """Set the time of a step, start its playback, and show its rotation turn by turn."""
        session = self._session
        session.set_looping(False)
        session.set_part(session.plan.start, session.plan.end)
        session.scrub(staging.time)
        session.end_scrub()
        if staging.question is None:
            self._play_step(staging)
        if staging.staged is not None:
            session.select(("frames", staging.staged.frame))
            self._staged.set_turn_axes(staging.staged.axes)
            self._staged.set_on(True)
            self._staged.go_to(staging.staged.turns)

    def _play_step(self, staging: Staging) -> None:
        """Start the playback of a step, as soon as its simulation is ready."""
        self._played_later = staging if self._session.plan.pending else None
        if staging.play is not None and self._played_later is None:
            self._play(staging.time, staging.play.to.si("time", ("play", "to")), staging.play.speed)

    def _play(self, begin: float, end: float, speed: float) -> None:
        session = self._session
        if end <= begin:
            session.scrub(end)
            session.end_scrub()
            return
        session.set_part(begin, end)
        session.set_speed(speed)
        session.scrub(begin)
        session.end_scrub()
        session.toggle_play()

    def _show(self, staging: Staging) -> None:
        read, panel = self._read, self.panel
        if read is None or panel is None or self._answers is None:
            return
        intro = f"{read.lesson.text}\n\n" if self._i == 0 and read.lesson.text else ""
        markdown = f"{intro}## {staging.step.title}\n\n{staging.step.text}"
        panel.show_step(markdown, self._i, len(read.stagings), staging.question)
        after = next_lesson(read.path)
        panel.set_next_lesson("" if after is None else after[0])
        panel.set_pause(staging.step.moment.pause)
        panel.set_answered(is_answered=staging.question is None, is_last=self._i == len(read.stagings) - 1)
        self._update_speaker()
        self._answers.begin(staging, self._plan, is_last=self._i == len(read.stagings) - 1)

    # Panel and keys

    def show_panel(self) -> None:
        """Create the panel when its dock is first shown."""
        if self.panel is not None:
            return
        from framescope.features.lessons.app.lesson_answers import LessonAnswers
        from framescope.features.lessons.app.tip_drag import TipDrag
        from framescope.features.lessons.ui.lesson_panel import LessonPanel

        self.panel = panel = LessonPanel(self._window.ground(LESSON))
        self._answers = LessonAnswers(self._session, panel, self._play)
        TipDrag(self._window.scene_view, self._session, self._has_arrow)
        self._window.fill_dock(LESSON, panel, panel.header_widgets())
        panel.set_scale(self._window.text_scale)
        panel.stepped.connect(self.step_by_button)
        panel.restored.connect(lambda: self.go(self._i))
        panel.leave.clicked.connect(self.leave)
        panel.edit.toggled.connect(self._edit)
        panel.notes.toggled.connect(self._show_notes)
        panel.export.clicked.connect(self.export)
        panel.lesson_chosen.connect(self.open_by_name)
        panel.offer_lessons(lambda: [(title, path.name.removesuffix(SUFFIX)) for title, path in lesson_titles()])
        if not self.is_on:
            panel.show_nothing()

    def export(self) -> None:
        """Ask for a file and write the lesson as a page, a handout or a film, by the suffix of the file."""
        read = self._read
        if read is None:
            return
        from framescope.features.lessons.app.lesson_tasks import LessonJob, lesson_written

        suggested = self._files.folder / f"{read.path.name.removesuffix(SUFFIX)}.html"
        path = path_to_save(self._window, "Export the lesson", suggested, EXPORTS, ".html", inputs=read.inputs)
        if path is not None:
            folders = tuple(read.folder_of(staging.scene_name) for staging in read.stagings)
            job = LessonJob(read.lesson, read.stagings, folders, path, ExportOptions())
            self._exports.write_job(job, lesson_written)

    def _show_notes(self, is_on: bool) -> None:
        """Show or hide the window with the speaker's notes."""
        panel = self.panel
        if panel is None or not (is_on or self.speaker_view is not None):
            return
        if self.speaker_view is None:
            from framescope.features.lessons.ui.speaker_view import SpeakerView

            self.speaker_view = SpeakerView(self._window)
            self.speaker_view.stepped.connect(self.step_by_button)
            self.speaker_view.closed.connect(lambda: panel.notes.setChecked(False))
            self._window.keys.watch(self.speaker_view)
        if not is_on:
            self.speaker_view.close()
        elif self.staging is not None:
            self.speaker_view.begin()
            self._update_speaker()
            self.speaker_view.bring_up(self._window)

    def _update_speaker(self) -> None:
        """Show the notes of the step and the title of the next one."""
        read, staging = self._read, self.staging
        if self.speaker_view is None or read is None or staging is None:
            return
        titles = [other.step.title for other in read.stagings]
        following = titles[self._i + 1] if self._i + 1 < len(titles) else ""
        notes = staging.step.moment.notes
        if staging.question is not None:
            from framescope.features.lessons.app.export.answers import right_answer

            answer = right_answer(staging.question, self._plan)
            notes = "\n\n".join((notes, f"**Right answer:** {answer.text}".rstrip(), answer.reply)).strip()
        self.speaker_view.show_step(read.lesson.title, titles[self._i], notes, self._i, len(titles), following)

    def open_by_name(self, name: str) -> None:
        """Open a lesson by its name or path; report an error if there is none."""
        try:
            self.open(find_lesson(name))
        except LessonError as error:
            self._window.status.show_message("red", str(error.problems[0]))

    def _edit(self, is_on: bool) -> None:
        """Start or end the editing of the step's text."""
        panel = self.panel
        if panel is None or (not is_on and self._author is None):
            return
        if self._author is None:
            from framescope.features.lessons.app.lesson_author import LessonAuthor

            self._author = LessonAuthor(self._session, self._window, self._staged, self, panel.editor)
        if is_on:
            panel.set_editing(self._author.begin())
        else:
            self._author.end()
            panel.set_editing(False)

    def write_new(self) -> None:
        """Create a lesson from the state of the window, and open it for editing."""
        from framescope.features.lessons.app.new_lesson import new_lesson

        session, window = self._session, self._window
        if session.document.is_for_show:
            words = "This lesson is written in with the pencil above it; leave it for a new one."
            window.status.show_message("note", words)
            return
        if not self.may_leave():
            return
        path = new_lesson(session, window, self._staged)
        if path is not None:
            self._edits_next = True
            self.open(path)

    def commands(self) -> Iterator[Command]:
        """Yield the commands of the lesson that is played, for the palette."""
        words = "lesson slide page presenter question answer keys"
        yield Command("Next step of the lesson", "help", "Page Down", partial(self.step_by_key, 1), words)
        yield Command("Previous step of the lesson", "help", "Page Up", partial(self.step_by_key, -1), words)
        form = None if self.panel is None else self.panel.form
        for i, option in enumerate(() if form is None else form.options):
            title = f"Answer {i + 1}: {option.accessibleName()}"
            yield Command(title, "help", str(i + 1), partial(self.choose, i), f"{words} choose")

    def _has_arrow(self) -> bool:
        """Return whether the step asks for a direction, so that its arrow can be dragged by the tip."""
        return self.staging is not None and isinstance(self.staging.question, PointQuestion)

    def choose(self, i: int) -> None:
        """Choose answer `i`, from 0, of the question that the panel shows."""
        if self.panel is not None and self.panel.form is not None and self.panel.isVisible():
            self.panel.form.choose(i)


class _Keys:
    """Keys of a lesson that is played."""

    def __init__(self, player: LessonController) -> None:
        self._player = player

    @property
    def n_options(self) -> int:
        panel = self._player.panel
        return 0 if panel is None or panel.form is None or not panel.isVisible() else len(panel.form.options)

    @property
    def asked(self) -> Asked:
        form = self._form
        if form is None:
            return Asked.NOTHING
        return Asked.OTHER if form.field is None else Asked.NUMBER

    @property
    def is_new(self) -> bool:
        form = self._form
        return form is not None and not form.is_reached

    @property
    def _form(self) -> QuestionForm | None:
        panel = self._player.panel
        return None if panel is None or not panel.isVisible() else panel.form

    def is_answer(self, widget: QWidget) -> bool:
        panel = self._player.panel
        return panel is not None and panel.form is not None and panel.form.isAncestorOf(widget)

    def type_in(self, text: str) -> None:
        if self._form is not None:
            self._form.type_in(text)

    def focus_answer(self) -> None:
        if self._form is not None:
            self._form.focus_answer()

    def check(self) -> None:
        if self._player.panel is not None:
            self._player.panel.check.click()

    def step(self, by: int) -> None:
        self._player.step_by_key(by)

    def choose(self, i: int) -> None:
        self._player.choose(i)
