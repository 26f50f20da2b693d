"""Reading a file without holding up the window: in a thread, with a way out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QWidget

from framescope.core.errors import FramescopeError
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.progress_bar import ProgressBar

_WIDTH = 440


class _Answer(QObject):
    """Carrier of what the thread has to say."""

    read = Signal(object)
    failed = Signal(str)


class _Read(QRunnable):
    def __init__(self, name: str, read: Callable[[], object], answer: _Answer) -> None:
        super().__init__()
        self._name, self._read, self._answer = name, read, answer

    def run(self) -> None:
        try:
            found = self._read()
        except FramescopeError as error:
            self._say(self._answer.failed.emit, str(error))
        except MemoryError:
            self._say(self._answer.failed.emit, f"{self._name} does not fit into the memory. Keep every n-th row.")
        else:
            self._say(self._answer.read.emit, found)

    def _say(self, emit: Callable[..., object], what: object) -> None:
        try:
            emit(what)
        except RuntimeError:  # the window was closed meanwhile
            return


class ReadingDialog(QDialog):
    """Reads a file while it says so; what is wrong with the file stands in the same place.

    Parameters
    ----------
    name, read
        Of the file, and what reads it, in a thread.

    Signals
    -------
    done_reading(object)
        What was read, as the dialog closes. Nothing comes after a cancel.
    """

    done_reading = Signal(object)

    def __init__(self, name: str, read: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle("Import a recording")
        self._name, self._read = name, read
        self._answer = _Answer()
        self._answer.read.connect(self._on_read, Qt.ConnectionType.QueuedConnection)
        self._answer.failed.connect(self._on_failed, Qt.ConnectionType.QueuedConnection)
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
        """Begin to read and show the dialog."""
        QThreadPool.globalInstance().start(_Read(self._name, self._read, self._answer))
        self.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._forget()
        super().closeEvent(event)

    def reject(self) -> None:
        """Close, and let what is still read go unheard."""
        self._forget()
        super().reject()

    def _forget(self) -> None:
        self._answer.blockSignals(True)

    def _on_read(self, found: object) -> None:
        if self._answer.signalsBlocked():
            return
        self.accept()
        self.done_reading.emit(found)

    def _on_failed(self, text: str) -> None:
        self.label.setText(f"{self._name} is not read")
        self.bar.hide()
        self.message.set_message(text)
        self.cancel.setText("Close")
        self.cancel.setAccessibleName("Close")
        self.message.ensurePolished()
        self.adjustSize()
