"""Work that waits for the next picture of the scene, so that a gesture is seen before anything else follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from PySide6.QtOpenGLWidgets import QOpenGLWidget

MOST_LATE_MS = 50
"""How long work waits at most, while one movement of a gesture follows the other or no picture is drawn."""


class AfterPicture(QObject):
    """Does a piece of work, when it is asked for, once the next picture is on the screen and no event waits.

    Asked several times before that, it does it once: so it does it at most once for each picture.
    """

    def __init__(self, view: QOpenGLWidget, work: Callable[[], None]) -> None:
        super().__init__(view)
        self._work = work
        self.is_waiting = False
        """Whether the work is still to be done."""
        # A timer without an interval waits until the events of the window are dealt with.
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._latest = QTimer(self, interval=MOST_LATE_MS, singleShot=True)
        for timer in (self._soon, self._latest):
            timer.timeout.connect(self.finish)
        view.frameSwapped.connect(self._on_picture)

    def ask(self) -> None:
        """Do the work after the next picture."""
        if not self.is_waiting:
            self.is_waiting = True
            self._latest.start()

    def drop(self) -> None:
        """Do not do it: it is out of date, or done otherwise."""
        self.is_waiting = False
        self._soon.stop()
        self._latest.stop()

    def finish(self) -> None:
        """Do it now, if it is still to be done."""
        if self.is_waiting:
            self.drop()
            self._work()

    def _on_picture(self) -> None:
        if self.is_waiting:
            self._soon.start()
