"""Check of all rows of a table in a thread, the latest choices first."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, Signal

from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core.choices import Choices, TableSource
from framescope.features.table_import.core.row_checks import Checked, check
from framescope.ui.qt_support.thread_tasks import thread_task

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

    def __init__(self, table: MixedTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._looking: tuple[Choices, tuple[TableSource, ...]] | None = None

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
        self._looking = (choices, tuple(sources))
        self._look(self._looking, 0)

    def cancel(self) -> None:
        """Give up what is looked at; nothing more is heard of it."""
        self._looking = None

    def _look(self, looking: tuple[Choices, tuple[TableSource, ...]], i: int) -> None:
        """Look at one frame after another, each in a thread."""
        if looking is not self._looking:
            return
        choices, sources = looking
        if i == len(sources):
            self.finished.emit()
            return

        def answer(done: Future[Checked]) -> None:
            if looking is self._looking:
                self.checked.emit(sources[i], done.result())
                self._look(looking, i + 1)

        thread_task(self, partial(check, self._table, choices, sources[i]), answer)
