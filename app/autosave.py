"""Unsaved work is written down a moment after each step, so that a crash costs a second of it at most."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from framescope.app.document import Document
from framescope.app.recovery import Slot, recovery_folder

DELAY_MS = 1000
log = logging.getLogger(__name__)


class Autosave(QObject):
    """Keeps a copy of a document's unsaved changes, and removes it when there are none any more.

    Parameters
    ----------
    document_getter
        Returns the open document.
    below
        Where the folder of this window is made; the platform's own place when left out.
    delay_ms
        How long after a change it is written. Further changes do not put it off.

    Signals
    -------
    failed(str)
        It cannot be written, with the reason, as a sentence. Said once until it works again.
    """

    failed = Signal(str)

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
        self._slot: Slot | None = None
        self._has_failed = False
        self._timer = QTimer(self, interval=delay_ms, singleShot=True)
        self._timer.timeout.connect(self.write)

    def on_document_changed(self) -> None:
        """Take note of a step, of undo, of saving, or of another document."""
        if not self._document().is_dirty:
            self._timer.stop()
            self._clear()
        elif not self._timer.isActive():
            self._timer.start()

    def write(self) -> None:
        """Write the present scene now; what goes wrong is said once."""
        self._timer.stop()
        try:
            if self._slot is None:
                self._slot = Slot(self._below)
            self._slot.write(self._document())
        except OSError as error:
            log.warning("unsaved work is not kept: %s", error)
            if not self._has_failed:
                self._has_failed = True
                reason = error.strerror or str(error)
                self.failed.emit(f"Unsaved work cannot be kept for a crash: {reason}. Save often")
        else:
            self._has_failed = False

    def close(self) -> None:
        """Remove the copy: the window closes, and the person has been asked about the changes."""
        self._timer.stop()
        if self._slot is not None:
            self._slot.close()
            self._slot = None

    def _clear(self) -> None:
        if self._slot is None:
            return
        try:
            self._slot.clear()
        except OSError as error:
            log.warning("the copy of saved work is not removed: %s", error)
