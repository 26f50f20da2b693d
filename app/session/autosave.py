"""Autosave: writes unsaved work shortly after each step, so that a crash loses about a second of it.

A thread writes, because a busy disk may take long to confirm.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.session.document import Document
from framescope.app.session.recovery import Slot, Unsaved, recovery_folder

DELAY_MS = 1000
log = logging.getLogger(__name__)


class Autosave(QObject):
    """Keeps a copy of a document's unsaved changes, and removes it when there are none.

    Parameters
    ----------
    document_getter
        Returns the open document.
    below
        Folder in which this window's folder is created; None for the platform's own place.
    delay_ms
        Delay from a change to writing. Further changes do not extend it.

    Signals
    -------
    failed(str)
        The copy cannot be written; a sentence with the reason, sent once until writing works again.
    """

    failed = Signal(str)
    _ended = Signal(object)

    def __init__(
        self,
        document_getter: Callable[[], Document],
        below: Path | None = None,
        *,
        delay_ms: int = DELAY_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document_getter
        self._below = recovery_folder() if below is None else below
        self.pool = ThreadPoolExecutor(1, "autosave")  # one at a time, in the order of the steps
        self._slot: Slot | None = None
        self._has_copy = self._has_failed = self._is_closed = False
        self.timer = QTimer(self, interval=delay_ms, singleShot=True)
        self.timer.timeout.connect(self._write_in_thread)
        self._ended.connect(self._report, Qt.ConnectionType.QueuedConnection)

    def on_document_changed(self) -> None:
        """Schedule writing after a step, undo, saving, or a change of document."""
        if self._is_closed:
            return
        if not self._document().is_dirty:
            self.timer.stop()
            if self._has_copy:
                self._has_copy = False
                self.pool.submit(self._clear)
        elif not self.timer.isActive():
            self.timer.start()

    def write(self) -> None:
        """Write the present scene now and wait for it; an error is reported once."""
        self.timer.stop()
        self._report(self._submit().result())

    def leave(self) -> Path | None:
        """Write unsaved work and keep it for the next start, when the program ends without asking the user.

        Return the folder of the work; None when nothing is unsaved or writing failed.
        """
        if self._is_closed:
            return None
        self._is_closed = True
        self.timer.stop()
        is_unsaved = self._document().is_dirty
        written = self._submit() if is_unsaved else None
        self.pool.shutdown()
        slot, self._slot = self._slot, None
        if slot is None:
            return None
        if is_unsaved:
            slot.leave()
        else:
            slot.close()
        return slot.folder if written is not None and written.result() is None else None

    def close(self) -> None:
        """Remove the copy: the window closes, and the user has decided about the changes."""
        self._is_closed = True
        self.timer.stop()
        self.pool.shutdown(cancel_futures=True)
        if self._slot is not None:
            self._slot.close()
            self._slot = None

    def _write_in_thread(self) -> None:
        def announce(done: Future[OSError | None]) -> None:
            if not done.cancelled():
                with contextlib.suppress(RuntimeError):  # the window is already destroyed
                    self._ended.emit(done.result())

        self._submit().add_done_callback(announce)

    def _submit(self) -> Future[OSError | None]:
        self._has_copy = True
        return self.pool.submit(self._write, Unsaved.of(self._document()))

    def _write(self, work: Unsaved) -> OSError | None:
        """Write unsaved work in the thread; return the error, if any."""
        try:
            if self._slot is None:
                self._slot = Slot(self._below)
            self._slot.write(work)
        except OSError as error:
            log.warning("unsaved work is not kept: %s", error)
            return error
        return None

    def _clear(self) -> None:
        """Remove the copy of work that is saved now; runs in the thread."""
        try:
            if self._slot is not None:
                self._slot.clear()
        except OSError as error:
            log.warning("the copy of saved work is not removed: %s", error)

    def _report(self, error: OSError | None) -> None:
        if error is not None and not self._has_failed:
            reason = error.strerror or str(error)
            self.failed.emit(f"Unsaved work cannot be kept for a crash: {reason}. Save often")
        self._has_failed = error is not None
