"""Looking at all rows of a table without holding up the window: in a thread, the latest choices first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from framescope.core.recordings.columns.choices import Choices, TableSource
from framescope.core.recordings.columns.row_checks import Checked, check
from framescope.core.recordings.tables.mixed import MixedTable

AT_ONCE = 20_000
"""Rows of a table that is looked at at once: that takes a few milliseconds."""


class Checks(QObject):
    """Checks frames of a table; what is asked for last is all that is answered.

    Parameters
    ----------
    table
        The table.

    Signals
    -------
    checked(Source, Checked)
        One frame has been looked at.
    finished()
        All frames have been that were asked for last.
    """

    checked = Signal(object, object)
    finished = Signal()
    _answered = Signal(object, object, object)

    def __init__(self, table: MixedTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._stop = threading.Event()
        self._answered.connect(self._on_answered, Qt.ConnectionType.QueuedConnection)

    @property
    def is_quick(self) -> bool:
        """Whether the table is so small that it is looked at at once."""
        return self._table.n_rows <= AT_ONCE

    def want(self, choices: Choices, sources: Sequence[TableSource]) -> None:
        """Look at frames of the table, read so; a small table is done when this returns."""
        self.cancel()
        if self.is_quick:
            for source in sources:
                self.checked.emit(source, check(self._table, choices, source))
            self.finished.emit()
            return
        self._stop = threading.Event()
        QThreadPool.globalInstance().start(_Looking(self._table, choices, sources, self._stop, self._answered.emit))

    def cancel(self) -> None:
        """Give up what is looked at; nothing more is heard of it."""
        self._stop.set()

    def _on_answered(self, stop: threading.Event, source: TableSource | None, checked: Checked | None) -> None:
        if stop is not self._stop or stop.is_set():
            return
        if source is None:
            self.finished.emit()
        else:
            self.checked.emit(source, checked)


class _Looking(QRunnable):
    """Frames looked at one after another."""

    def __init__(
        self,
        table: MixedTable,
        choices: Choices,
        sources: Sequence[TableSource],
        stop: threading.Event,
        answer: Callable[[threading.Event, TableSource | None, Checked | None], object],
    ) -> None:
        super().__init__()
        self._table, self._choices, self._sources = table, choices, tuple(sources)
        self._stop, self._answer = stop, answer

    def run(self) -> None:
        for source in self._sources:
            if self._stop.is_set():
                return
            if not self._say(source, check(self._table, self._choices, source)):
                return
        self._say(None, None)

    def _say(self, source: TableSource | None, checked: Checked | None) -> bool:
        try:
            self._answer(self._stop, source, checked)
        except RuntimeError:  # the window was closed meanwhile
            return False
        return True
