"""Controller of the problems list: diagnosed at once after each step, and deeper a moment later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from framescope.app.session.session import Session
from framescope.core.analysis.diagnostics import Diagnosis, diagnose, mend_all_safe
from framescope.core.errors import KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.files.referenced_files import renamed_files
from framescope.core.scene.schema.model import ITEM_KINDS, ItemKey
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.window.main_window import MainWindow

DEEP_MS = 300
"""How long nothing has changed when recordings and measurements are looked into."""


class ProblemsController(QObject):
    """Shows the problems of a session's scene in a window, and mends them."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._chosen = ""
        self._deeper: tuple[Diagnosis, ...] = ()
        self._looking: Future[tuple[Diagnosis, ...]] | None = None
        self._listed: frozenset[tuple[KeyPath, str]] = frozenset()
        """Places and kinds of what is serious and was listed."""
        self._is_forward: bool | None = None  # not known yet: a remembered layout may be wrong
        self._rest = QTimer(self, interval=DEEP_MS, singleShot=True)
        self._rest.timeout.connect(self.look_deeper)
        session.problems_changed.connect(self._on_problems)
        session.document_opened.connect(self._forget)
        window.problems.picked.connect(self._show_place)
        window.problems.time_requested.connect(self._go_to)
        window.problems.mend_requested.connect(session.commit)
        window.problems.file_requested.connect(self._find_file)
        window.problems.mend_all.clicked.connect(self._mend_all)

    def close(self) -> None:
        """Let go: the window closes."""
        self._rest.stop()
        self._looking = None

    def _forget(self) -> None:
        """Leave what was wrong with another document."""
        self._deeper = ()
        self._listed = frozenset()
        self._window.scene_view.set_problems(())

    @property
    def is_looking(self) -> bool:
        """Whether it is being looked deeper just now."""
        return self._looking is not None

    def look_deeper(self) -> None:
        """Look into recordings and measurements, too, beside the window: a long recording is read for it once more."""
        if self._session.is_previewing or self.is_looking:
            self._rest.start()
        else:
            plan = self._session.plan
            self._looking = thread_task(self, partial(diagnose, plan), partial(self._take, plan))

    def _take(self, plan: Plan, done: Future[tuple[Diagnosis, ...]]) -> None:
        if done is not self._looking:  # the window is closed
            return
        self._looking = None
        if plan is self._session.plan:
            self._show(deeper=done.result())
        else:
            self._rest.start()

    def _on_problems(self, _problems: Sequence[Problem]) -> None:
        self._show()
        self._rest.start()

    def _show(self, *, deeper: tuple[Diagnosis, ...] | None = None) -> None:
        """Show what is found at once, or what was found by looking deeper."""
        session, window = self._session, self._window
        locate = session.document.locate
        files = [Diagnosis(problem, "file", "") for problem in session.file_problems]
        found_problems = [
            *(replace(each, problem=locate(each.problem)) for each in self._found(deeper)),
            *(Diagnosis(problem, "run", "") for problem in session.other_problems()),
        ]
        window.problems.set_problems((*files, *found_problems), are_all=deeper is not None)
        if deeper is not None:  # a mark that went for a moment with each step would blink
            window.scene_view.set_problems(found_problems)
        # What could not be taken over of the file that the scene was made of is no fault of an item.
        problems = [error_text.problem for error_text in found_problems]
        window.outline.set_problems(problems)
        window.timeline.set_problems(problems)
        problems += session.file_problems
        self._bring_forward(problems, is_whole=deeper is not None)

    def _bring_forward(self, problems: Iterable[Problem], *, is_whole: bool) -> None:
        """Bring the list to the front when it has something new, and not whenever it changes: a hand is elsewhere.

        What is not found again before it was looked deeper is not new when it comes back.
        """
        serious = frozenset((problem.key_path, problem.kind) for problem in problems if problem.severity != "note")
        if serious - self._listed:
            self._window.show_problems(True)
            self._is_forward = True
        elif not serious and (self._is_forward is None or (self._is_forward and is_whole)):
            self._window.show_problems(False)
            self._is_forward = False
        self._listed = serious if is_whole else self._listed | serious

    def _found(self, deeper: tuple[Diagnosis, ...] | None) -> tuple[Diagnosis, ...]:
        """Return the problems of the plan; until it is looked deeper again, with what that has found before.

        Else the list would be empty for a moment after each step. What may be mended by now has no button meanwhile.
        """
        at_once = diagnose(self._session.plan, deep=False)
        known = {(problem.problem.key_path, problem.kind) for problem in at_once}
        if deeper is not None:
            self._deeper = tuple(problem for problem in deeper if (problem.problem.key_path, problem.kind) not in known)
            return deeper
        still = (problem for problem in self._deeper if (problem.problem.key_path, problem.kind) not in known)
        return *at_once, *(_waiting(problem) for problem in still if self._exists(problem))

    def _exists(self, problem: Diagnosis) -> bool:
        item = problem.problem.item  # a robot's file is no item that can be chosen
        return item is None or item[0] not in ITEM_KINDS or self._session.exists(item)

    def _show_place(self, key: ItemKey) -> None:
        """Bring the item of a problem into the picture, if it is out of it."""
        self._chosen = frame_of(self._session.plan.scene, key)
        self._window.scene_view.camera.bring_into_view(self._chosen)

    def _find_file(self, key_path: KeyPath) -> None:
        """Ask where a file is that the scene names, and name it so wherever the scene does."""
        session = self._session
        try:
            name = str(value_at(session.document.scene, key_path))
        except (KeyError, AttributeError, TypeError, IndexError):
            return  # changed meanwhile
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
            session.allow_outside([new])  # it was chosen by hand
        session.commit(Edit(f"Found {path.name}", lambda scene: renamed_files(scene, {name: new})))

    def _go_to(self, t: float) -> None:
        self._session.pause()
        self._session.scrub(t)
        self._window.scene_view.camera.bring_into_view(self._chosen)  # it may be elsewhere now

    def _mend_all(self) -> None:
        edit: Edit | None = mend_all_safe(self._window.problems.diagnoses)
        if edit is not None:
            self._session.commit(edit)


def _waiting(problem: Diagnosis) -> Diagnosis:
    """Return a problem that is to be looked for again."""
    return replace(problem, mend=None, mend_text="", is_safe=False, others=())
