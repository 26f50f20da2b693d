"""Edits whose making takes long: what they add is read and computed beside the window, and then they are kept."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject

from framescope.app.document import Document
from framescope.app.session import Session
from framescope.app.working import aside, waited
from framescope.core.errors import FramescopeError
from framescope.core.evaluate import Plan, compile_plan
from framescope.core.scene.edits import Edit


@dataclass(frozen=True)
class _Made:
    """What is being made: the edit, in which document, and what is to be done once it is kept."""

    edit: Edit
    document: Document
    then: Callable[[], None]
    done: Future[Plan]


class Making(QObject):
    """Keeps edits of a session once what they add is made."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._made: _Made | None = None

    def commit(self, edit: Edit, doing: str, then: Callable[[], None] = lambda: None) -> None:
        """Say what is being done; keep the edit as one step of undo when it is made, and call `then`.

        Of two edits, the first is kept first.
        """
        self.finish()
        document = self._session.document
        try:
            scene = edit.apply(document.scene)
        except (FramescopeError, ValueError, LookupError):
            self._session.commit(edit)  # which says why not
            return
        self._session.said.emit("note", f"{doing}…")
        # What takes long is there for the session as long as this plan is.
        make = partial(compile_plan, scene, access=document.access, run=lambda _job: None)
        self._made = _Made(edit, document, then, aside(self, make, self._take))

    def finish(self) -> None:
        """Wait for what is being made, and keep it: before the document is saved or left."""
        if (made := self._made) is not None:
            waited(partial(wait, [made.done]))
            self._take(made.done)

    def _take(self, done: Future[Plan]) -> None:
        made = self._made
        if made is None or made.done is not done:  # it was waited for
            return
        self._made = None
        if made.document is self._session.document:
            self._session.commit(made.edit)
            made.then()
