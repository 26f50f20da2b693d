"""The convention detective at work: comparisons run in a thread, the newest request first."""

from __future__ import annotations

import contextlib
import logging
import threading

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.session import Session
from framescope.core.detective.sides import Comparison, Side, SideError, compare
from framescope.core.evaluate import Plan
from framescope.core.named_files import Access
from framescope.ui.detective.panel import DetectivePanel

REST_MS = 250
"""How long nothing has changed when a comparison starts."""

_LOG = logging.getLogger(__name__)


class Detecting(QObject):
    """Fills a detective's panel from a session.

    Signals
    -------
    candidates_shown(object)
        What the scene is to draw of the findings: a tuple of `Candidate`; empty, nothing.
    """

    candidates_shown = Signal(object)
    _ended = Signal(int, object)

    def __init__(self, session: Session, panel: DetectivePanel, parent: QObject | None = None) -> None:
        super().__init__(parent or panel)
        self._session, self._panel = session, panel
        self._wanted: tuple[Side, Side] | None = None
        self._number = 0
        self._thread: threading.Thread | None = None
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._start)
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        panel.asked.connect(self._on_asked)
        panel.stop_asked.connect(self.stop)
        panel.committed.connect(session.commit)
        panel.said.connect(session.said)
        panel.candidates_shown.connect(self.candidates_shown)
        session.plan_changed.connect(self._on_plan)
        session.document_opened.connect(self._forget)
        panel.set_plan(session.plan)

    def close(self) -> None:
        """Wait for what is under way: the window closes."""
        self._rest.stop()
        self._number += 1
        self._wanted = None
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def stop(self) -> None:
        """Let what is under way go unheard."""
        self._rest.stop()
        self._wanted = None
        self._number += 1
        self._panel.set_busy(False)

    def _on_asked(self, a: Side, b: Side) -> None:
        self._wanted = (a, b)
        self._number += 1  # what runs is of numbers that are no more
        self._rest.start()

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        self._panel.set_plan(plan)
        if not is_preview:
            self._panel.ask_again()

    def _forget(self) -> None:
        self.stop()
        self._panel.forget_scene()

    def _start(self) -> None:
        if self._wanted is None or self._thread is not None:
            return  # it starts when the thread that runs has ended
        a, b = self._wanted
        self._wanted = None
        self._panel.set_busy(True)
        job = (self._number, a, b, self._session.plan, self._session.document.access)
        self._thread = threading.Thread(target=self._work, args=job, name="detective", daemon=True)
        self._thread.start()

    def _work(self, number: int, a: Side, b: Side, plan: Plan, access: Access) -> None:
        """Compare; in the thread."""
        found: Comparison | SideError
        try:
            found = compare(a, b, plan, access)
        except SideError as error:
            found = error
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            _LOG.exception("the detective failed")
            found = SideError("", f"{type(error).__name__}: {error}. This is a fault of Framescope; the log has more.")
        with contextlib.suppress(RuntimeError):  # the window is gone
            self._ended.emit(number, found)

    def _on_ended(self, number: int, found: Comparison | SideError) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if number == self._number:
            self._panel.set_busy(False)
            if isinstance(found, SideError):
                self._panel.show_failure(found)
            else:
                self._panel.show_comparison(found)
        elif self._wanted is not None and not self._rest.isActive():
            self._start()
