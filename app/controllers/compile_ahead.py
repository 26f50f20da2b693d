"""Compilation ahead of an edit: what it adds is read and computed beside the window, then the edit is kept."""

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
class _UnderWay:
    """Edit that is being compiled, and its document."""

    edit: Edit
    document: Document
    done: Future[Plan]
    then: Callable[[], None]


class CompileAhead(QObject):
    """Keeps edits of a session once what they add is made."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._under_way: _UnderWay | None = None

    def commit(self, edit: Edit, doing: str, then: Callable[[], None] = lambda: None) -> None:
        """Say what is being done; when it is made keep the edit as one step of undo, and select its first item.

        Of two edits, the first is kept first. `then` is called when the edit is kept.
        """
        self.finish()
        document = self._session.document
        try:
            scene = edit.apply(document.scene)
        except (FramescopeError, ValueError, LookupError):
            self._session.commit(edit)  # which says why not
            return
        self._session.status.emit("note", f"{doing}…")
        make = partial(compiled_ahead, scene, document.access)
        self._under_way = _UnderWay(edit, document, thread_task(self, make, self._take), then)

    def finish(self) -> None:
        """Wait for what is being made, and keep it: before the document is saved or left."""
        if (made := self._under_way) is not None:
            run_and_wait(partial(wait, [made.done]))
            self._take(made.done)

    def _take(self, done: Future[Plan]) -> None:
        made = self._under_way
        if made is None or made.done is not done:  # it was waited for
            return
        self._under_way = None
        if made.document is self._session.document:
            self._session.commit_items(made.edit)
            made.then()


def compiled_ahead(scene: Scene, access: Access) -> Plan:
    """Compile a scene in any thread: what takes long of that is there for the session as long as this plan is."""
    return compile_plan(scene, access=access, run=lambda _job: None)
