"""Controller of the problems list: quick checks after each edit, deep checks a moment later."""

from __future__ import annotations

from collections.abc import Container, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from framescope.app.session.session import Session
from framescope.core.analysis.diagnostics import diagnose, fix_all_safe
from framescope.core.errors import KeyPath, Problem, counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.files.referenced_files import renamed_files
from framescope.core.scene.schema.model import ITEM_KINDS, ItemKey
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.window.main_window import MainWindow

DEEP_MS = 300
"""Delay between the last change and the deep checks of recordings and measurements, ms."""

SEVERE = ("red", "amber")
"""Severities of problems whose items are offenders, the most severe first."""


class ProblemsController(QObject):
    """Shows the problems of a session's scene in a window, and applies fixes."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._chosen = ""
        self._deeper: tuple[Problem, ...] = ()
        self.pending_diagnosis: Future[tuple[Problem, ...]] | None = None
        self._listed: frozenset[tuple[KeyPath, str]] = frozenset()
        """Places and kinds of the listed warnings and errors."""
        self._unreported: list[Problem] = []
        self._is_opening = True
        """Whether the deep checks of an opened file have not ended yet, and nothing was changed."""
        self._offender_rank = len(SEVERE)
        """Rank of the problem whose item was selected by default; smaller is more severe."""
        self._offenders: list[Problem] = []
        """Problems of items that the scene has, the most severe first."""
        self._is_forward: bool | None = None  # unknown until the first check, since the remembered layout may be wrong
        self.rest_timer = QTimer(self, interval=DEEP_MS, singleShot=True)
        self.rest_timer.timeout.connect(self.look_deeper)
        session.problems_changed.connect(self._on_problems)
        session.document_opened.connect(self._forget)
        session.selection_changed.connect(window.problems.set_selected_item)
        window.problems.set_selected_item(session.selection)
        window.place_changed.connect(self._select_offender)
        window.problems.picked.connect(self._show_place)
        window.problems.time_requested.connect(self._go_to)
        window.problems.field_requested.connect(self._edit_field)
        window.problems.mend_requested.connect(session.commit)
        window.problems.action_requested.connect(self._trigger)
        window.problems.file_requested.connect(self._find_file)
        window.problems.mend_all.clicked.connect(self._mend_all)

    def close(self) -> None:
        """Stop the checks because the window closes."""
        self.rest_timer.stop()
        self.pending_diagnosis = None

    def _forget(self) -> None:
        """Clear the problems of the previous document."""
        self._deeper = ()
        self._listed = frozenset()
        self._unreported, self._is_opening = [], True
        self._offenders, self._offender_rank = [], len(SEVERE)
        self._window.scene_view.set_problems(())

    @property
    def is_looking(self) -> bool:
        """Whether deep checks are running."""
        return self.pending_diagnosis is not None

    def look_deeper(self) -> None:
        """Run the deep checks of recordings and measurements in a worker thread, since they read long files."""
        if self._session.is_previewing or self.is_looking:
            self.rest_timer.start()
        else:
            plan = self._session.plan
            self.pending_diagnosis = thread_task(self, partial(diagnose, plan), partial(self._take, plan))

    def _take(self, plan: Plan, done: Future[tuple[Problem, ...]]) -> None:
        if done is not self.pending_diagnosis:  # the window is closed
            return
        self.pending_diagnosis = None
        if plan is self._session.plan:
            self._show(deeper=done.result())
        else:
            self.rest_timer.start()

    def _on_problems(self, _problems: Sequence[Problem]) -> None:
        self._show()
        self.rest_timer.start()

    def _show(self, *, deeper: tuple[Problem, ...] | None = None) -> None:
        """Show the problems of the quick checks, or of completed deep checks."""
        session, window = self._session, self._window
        problems = [*map(session.document.locate, self._merge_problems(deeper)), *session.other_problems()]
        of_file = [problem for problem in session.file_problems if problem not in problems]
        are_all = deeper is not None and not session.is_searching
        window.problems.set_problems((*of_file, *problems), are_all=are_all)
        if deeper is not None:  # without deep results, marks would blink at each edit
            session.leave_to_checks(problems)
            window.scene_view.set_problems(problems)
        # File problems belong to no item: they report parts of the original file that were not converted.
        window.outline.set_problems(problems)
        window.timeline.set_problems(problems)
        items = [problem for problem in problems if problem.severity in SEVERE and self._has_item(problem)]
        self._offenders = sorted(items, key=lambda problem: SEVERE.index(problem.severity))
        # Delayed, since the opened document selects an item of its own after its problems are listed.
        QTimer.singleShot(0, self, self._select_offender)
        problems += of_file
        self._bring_forward(problems, is_whole=deeper is not None)

    def _bring_forward(self, problems: Sequence[Problem], *, is_whole: bool) -> None:
        """Bring the list to the front when an opened file has problems; after edits only report new problems.

        A panel that the user works in is never taken away. A problem that only deep checks find does not count as new
        when they find it again.
        """
        serious = {(problem.key_path, problem.kind): problem for problem in problems if problem.severity != "note"}
        new = [problem for place, problem in serious.items() if place not in self._listed]
        self._window.show_problem_count(len(serious))
        if not self._is_opening or self._session.document.is_dirty:
            self._is_opening = False
            self._unreported += new
            if is_whole:
                self._report_new(serious)
        elif new:
            self._window.show_problems(True)
            self._is_forward = True
        elif not serious and (self._is_forward is None or (self._is_forward and is_whole)):
            self._window.show_problems(False)
            self._is_forward = False
        if self._is_opening and is_whole and not self._session.is_searching:
            self._is_opening = False
            if self._window.status.message == self._session.opened_text:
                self._session.report_opened(problems)
        self._listed = frozenset(serious) if is_whole else self._listed | frozenset(serious)

    def _report_new(self, serious: Container[tuple[KeyPath, str]]) -> None:
        """Report in the status line the problems that edits have caused, and offer to show the list."""
        new = [problem for problem in self._unreported if (problem.key_path, problem.kind) in serious]
        self._unreported = []
        if not new:
            return
        first = min(new, key=lambda problem: problem.severity == "amber")
        more = f", and {counted(len(new) - 1, 'other problem')}" if len(new) > 1 else ""
        name = f"{first.name}: " if first.name else ""
        status = self._window.status
        status.show_message(first.severity, f"{name}{first.title or first.message}{more}")
        if self._window.problems.visibleRegion().isEmpty():
            status.offer("Show problems", "show the list of problems", partial(self._window.show_dock, "problems"))

    def _merge_problems(self, deeper: tuple[Problem, ...] | None) -> tuple[Problem, ...]:
        """Return the problems of the plan, with those of earlier deep checks until new deep checks have run.

        Otherwise the list would lose them for a moment after each edit. They have no fix button meanwhile, since the
        edit may have fixed them.
        """
        at_once = diagnose(self._session.plan, deep=False)
        places = {(problem.key_path, problem.kind) for problem in at_once}
        if deeper is not None:
            self._deeper = tuple(problem for problem in deeper if (problem.key_path, problem.kind) not in places)
            return deeper
        still = (problem for problem in self._deeper if (problem.key_path, problem.kind) not in places)
        return *at_once, *(_without_fixes(problem) for problem in still if self._exists(problem))

    def _has_item(self, problem: Problem) -> bool:
        return problem.item is not None and problem.item[0] in ITEM_KINDS and self._session.exists(problem.item)

    def _select_offender(self) -> None:
        """Select the item of the most severe problem of an opened scene in the place *Check*.

        A selection that the user has made stays, and so does the scene's own in the other places.
        """
        session = self._session
        if self._window.place != "Check" or not session.is_selection_by_default or session.document.is_dirty:
            return
        offenders = (problem for problem in self._offenders if problem.item and session.exists(problem.item))
        first = next(offenders, None)
        if first is not None and first.item is not None and SEVERE.index(first.severity) < self._offender_rank:
            self._offender_rank = SEVERE.index(first.severity)
            session.select_by_default(first.item)

    def _exists(self, problem: Problem) -> bool:
        item = problem.item  # a robot's file is not a selectable item
        return item is None or item[0] not in ITEM_KINDS or self._session.exists(item)

    def _show_place(self, key: ItemKey) -> None:
        """Move the camera to the item of a problem if it is out of view."""
        self._chosen = frame_of(self._session.plan.scene, key)
        self._window.scene_view.camera.bring_into_view(self._chosen)

    def _edit_field(self, key_path: KeyPath) -> None:
        """Bring the field of a problem to the front, which is fixed there."""
        if key_path[:2] == self._session.selection:
            self._window.show_dock("inspector")
            self._window.inspector.focus_field(key_path)

    def _trigger(self, name: str) -> None:
        """Trigger the action of a feature that fixes a problem outside of the scene."""
        self._window.commands.of_features[name].trigger()

    def _find_file(self, key_path: KeyPath) -> None:
        """Ask for the location of a missing file, and rename it everywhere in the scene."""
        session = self._session
        try:
            name = str(value_at(session.document.scene, key_path))
        except (KeyError, AttributeError, TypeError, IndexError):
            return  # the scene changed meanwhile
        document, old = session.document, PurePosixPath(name.replace("\\", "/"))
        patterns = f"{old.name} and its kind (*{old.suffix});;All files (*)" if old.suffix else "All files (*)"
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, f"Where is {name}?", str(document.working_folder), patterns
        )
        if not chosen or document is not session.document:
            return
        path, folder = Path(chosen).resolve(), document.folder
        is_inside = folder is not None and path.is_relative_to(folder)
        new = path.relative_to(folder).as_posix() if folder is not None and is_inside else path.as_posix()
        if not is_inside:
            session.allow_outside([new])  # the user chose it
        session.commit(Edit(f"Found {path.name}", lambda scene: renamed_files(scene, {name: new})))

    def _go_to(self, t: float) -> None:
        self._session.pause()
        self._session.scrub(t)
        self._window.scene_view.camera.bring_into_view(self._chosen)  # the item may have moved

    def _mend_all(self) -> None:
        edit: Edit | None = fix_all_safe(self._window.problems.problems)
        if edit is not None:
            self._session.commit(edit)


def _without_fixes(problem: Problem) -> Problem:
    """Return a problem without its fixes, for a problem that deep checks have not confirmed again."""
    return replace(problem, fix=None, others=())
