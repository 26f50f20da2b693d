"""Reading of a file in a thread, with a dialog that can cancel it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QWidget

from framescope.core.errors import FramescopeError
from framescope.core.system.cooperative_yield import report_progress_to
from framescope.core.system.reader_slips import slips_as_errors
from framescope.ui.qt_support.thread_tasks import IS_CLOSED, thread_task
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.progress_bar import ProgressBar

T = TypeVar("T")

_WIDTH = 440


def read_in_thread(
    window: QWidget, name: str, read: Callable[[], T], take: Callable[[T], None], *, title: str = "Import a recording"
) -> None:
    """Read a file in a thread behind a dialog that can be cancelled, and call `take` with the result.

    `take` is called once the dialog is closed and the window has handled its other events: the dialog that follows may
    take a tenth of a second to open. It is not called after a cancel, nor for a window that is closed by then.

    Parameters
    ----------
    window
        Parent of the dialog.
    name
        Name of the file in the dialog.
    read
        Reads the file, in the thread.
    take
        Called with the result, in the thread of the window.
    title
        Title of the dialog.
    """
    dialog = ReadProgressDialog(name, read, window, title)

    def take_if_open(result: T) -> None:
        if not window.property(IS_CLOSED):
            take(result)

    def take_soon(result: T) -> None:
        QTimer.singleShot(0, window, lambda: take_if_open(result))

    dialog.done_reading.connect(take_soon)
    dialog.finished.connect(dialog.deleteLater)
    dialog.start()


class ReadProgressDialog(QDialog):
    """Reads a file in a thread and shows the progress. Errors of the file appear in the same dialog.

    Parameters
    ----------
    name, read
        Name of the file, and the function that reads it in a thread.
    title
        Title of the dialog.

    Signals
    -------
    done_reading(object)
        Result of reading, as the dialog closes. Not emitted after a cancel.
    """

    done_reading = Signal(object)

    def __init__(
        self, name: str, read: Callable[[], object], parent: QWidget | None = None, title: str = "Import a recording"
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle(title)
        self._name, self._read = name, read
        self._is_wanted = True
        self.label = layouts.plain_label(f"Reading {name}…", "title")
        self.bar = ProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(f"reading {name}")
        self.message = InlineMessage()
        self.cancel = push_button("Cancel")
        self.cancel.clicked.connect(self.reject)
        row = layouts.row(layouts.STRETCH, self.cancel)
        layouts.column(self.label, self.bar, self.message, row, on=self, margins=METRICS.padding, spacing=METRICS.gap)
        self.setMinimumWidth(_WIDTH)

    def start(self) -> None:
        """Start to read, and show the dialog."""
        thread_task(self, self._read_until_cancelled, self._on_end, reported=self._show_share)
        self.open()

    def _read_until_cancelled(self, report: Callable[[float], None]) -> object:
        """Read in the thread. A cancel ends it at its next report of progress."""

        def hear(share: float | None) -> None:
            if not self._is_wanted:
                raise CancelledError
            if share is not None:
                report(share)

        with report_progress_to(hear), slips_as_errors(self._name):
            return self._read()

    def _show_share(self, share: float) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(round(100 * share))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._forget()
        super().closeEvent(event)

    def reject(self) -> None:
        """Close the dialog and ignore the result of a read in progress."""
        self._forget()
        super().reject()

    def _forget(self) -> None:
        self._is_wanted = False

    def _on_end(self, read: Future[object]) -> None:
        if not self._is_wanted:
            return
        try:
            result = read.result()
        except FramescopeError as error:
            self._show_failure(str(error))
        else:
            self.accept()
            self.done_reading.emit(result)

    def _show_failure(self, text: str) -> None:
        self.label.setText(f"{self._name} is not read")
        self.bar.hide()
        self.message.set_message(text)
        self.cancel.setText("Close")
        self.cancel.setAccessibleName("Close")
        self.message.ensurePolished()
        self.adjustSize()
