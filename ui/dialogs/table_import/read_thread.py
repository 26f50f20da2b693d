"""Reading a table without holding up the window: in a thread, with a way out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from framescope.core.errors import FramescopeError
from framescope.core.recordings.tables.mixed import MixedTable, read_mixed
from framescope.core.recordings.tables.numeric import KINDS
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.progress_bar import ProgressBar

_WIDTH = 440


def looks_like_recording(path: Path) -> bool:
    """Return whether a file that is dropped or chosen has the extension of a table."""
    return path.suffix.lower() in KINDS


class _Answer(QObject):
    """Carrier of what the thread has to say."""

    read = Signal(object)
    failed = Signal(str)


class _Read(QRunnable):
    def __init__(self, path: Path, answer: _Answer) -> None:
        super().__init__()
        self._path, self._answer = path, answer

    def run(self) -> None:
        try:
            table = read_mixed(self._path)
        except FramescopeError as error:
            self._say(self._answer.failed.emit, str(error))
        except MemoryError:
            self._say(self._answer.failed.emit, f"{self._path.name} does not fit into the memory. Keep every n-th row.")
        else:
            self._say(self._answer.read.emit, table)

    def _say(self, emit: Callable[..., object], what: object) -> None:
        try:
            emit(what)
        except RuntimeError:  # the window was closed meanwhile
            return


class ReadingDialog(QDialog):
    """Reads a table while it says so; what is wrong with the file stands in the same place.

    Parameters
    ----------
    path
        The file.

    Signals
    -------
    done_reading(MixedTable)
        The table is read, and the dialog closes. Nothing comes after a cancel.
    """

    done_reading = Signal(object)

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle("Import a recording")
        self._path = path
        self._answer = _Answer()
        self._answer.read.connect(self._on_read, Qt.ConnectionType.QueuedConnection)
        self._answer.failed.connect(self._on_failed, Qt.ConnectionType.QueuedConnection)
        self.label = QLabel(f"Reading {path.name}…")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setProperty("role", "title")
        self.bar = ProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(f"reading {path.name}")
        self.message = InlineMessage()
        self.cancel = push_button("Cancel")
        self.cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(METRICS.padding, METRICS.padding, METRICS.padding, METRICS.padding)
        column.setSpacing(METRICS.gap)
        for widget in (self.label, self.bar, self.message):
            column.addWidget(widget)
        column.addLayout(row)
        self.setMinimumWidth(_WIDTH)

    def start(self) -> None:
        """Begin to read and show the dialog."""
        QThreadPool.globalInstance().start(_Read(self._path, self._answer))
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

    def _on_read(self, table: MixedTable) -> None:
        if self._answer.signalsBlocked():
            return
        self.accept()
        self.done_reading.emit(table)

    def _on_failed(self, text: str) -> None:
        self.label.setText(f"{self._path.name} is not read")
        self.bar.hide()
        self.message.set_message(text)
        self.cancel.setText("Close")
        self.cancel.setAccessibleName("Close")
        self.message.ensurePolished()
        self.adjustSize()
