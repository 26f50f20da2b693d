"""Compilation of edits in a worker thread: files and long computations are ready before the edit is committed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject

from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.ui.qt_support.thread_tasks import run_and_wait, thread_task


@dataclass(frozen=True)
class _PendingEdit:
    """Edit that is being compiled, and its document."""

    edit: Edit
    document: Document
    done: Future[Plan]
    then: Callable[[], None]


class CompileAhead(QObject):
    """Commits edits of a session after a worker thread has compiled the edited scene."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.pending: _PendingEdit | None = None

    def commit(self, edit: Edit, doing: str, then: Callable[[], None] = lambda: None) -> None:
        """Compile an edit in a worker thread, then commit it as one undo step and select its first item.

        The status line shows `doing` meanwhile. An earlier edit is committed first. `then` is called after the commit.
        """
        self.finish()
        document = self._session.document
        try:
            scene = edit.apply(document.scene)
        except (FramescopeError, ValueError, LookupError):
            self._session.commit(edit)  # it reports the reason
            return
        self._session.status.emit("note", f"{doing}…")
        make = partial(compile_scene, scene, document.access)
        self.pending = _PendingEdit(edit, document, thread_task(self, make, self._take), then)

    def finish(self) -> None:
        """Wait for the pending edit and commit it. Call this before the document is saved or closed."""
        if (pending := self.pending) is not None:
            run_and_wait(partial(wait, [pending.done]))
            self._take(pending.done)

    def _take(self, done: Future[Plan]) -> None:
        pending = self.pending
        if pending is None or pending.done is not done:  # `finish` has committed it already
            return
        self.pending = None
        if pending.document is self._session.document:
            self._session.commit_items(pending.edit)
            pending.then()


def compile_scene(scene: Scene, access: Access) -> Plan:
    """Compile a scene in any thread. The caches that it fills serve the session as long as the returned plan exists."""
    return compile_plan(scene, access=access, run=lambda _job: None)
