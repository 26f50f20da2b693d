"""Deferral of work until the scene has drawn its next picture, so that gestures stay smooth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from PySide6.QtOpenGLWidgets import QOpenGLWidget

MOST_LATE_MS = 50
"""Longest wait for the next picture before the work runs anyway, ms."""


class AfterPicture(QObject):
    """Runs a function after the next picture of the scene is on the screen and no event is pending.

    Several requests before that picture run the function once.
    """

    def __init__(self, view: QOpenGLWidget, work: Callable[[], None]) -> None:
        super().__init__(view)
        self._work = work
        self.is_waiting = False
        """Whether a request is pending."""
        # A timer with interval 0 fires after all pending events of the window.
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._latest = QTimer(self, interval=MOST_LATE_MS, singleShot=True)
        for timer in (self._soon, self._latest):
            timer.timeout.connect(self.finish)
        view.frameSwapped.connect(self._on_picture)

    def ask(self) -> None:
        """Request a run of the function after the next picture."""
        if not self.is_waiting:
            self.is_waiting = True
            self._latest.start()

    def drop(self) -> None:
        """Discard the pending request."""
        self.is_waiting = False
        self._soon.stop()
        self._latest.stop()

    def finish(self) -> None:
        """Run the function now if a request is pending."""
        if self.is_waiting:
            self.drop()
            self._work()

    def _on_picture(self) -> None:
        if self.is_waiting:
            self._soon.start()
