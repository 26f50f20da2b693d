"""Row checks of a table in a thread, for the latest choices."""

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
"""Number of rows up to which a check runs synchronously, in a few milliseconds."""


class Checks(QObject):
    """Checks of a table's frames; a new request cancels the one before.

    Parameters
    ----------
    table
        Table to check.

    Signals
    -------
    checked(TableSource, Checked)
        A frame was checked.
    finished()
        All frames of the latest request were checked.
    """

    checked = Signal(object, object)
    finished = Signal()

    def __init__(self, table: MixedTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._looking: tuple[Choices, tuple[TableSource, ...]] | None = None

    @property
    def is_quick(self) -> bool:
        """Whether the table is small enough for a synchronous check."""
        return self._table.n_rows <= AT_ONCE

    def want(self, choices: Choices, sources: Sequence[TableSource]) -> None:
        """Check frames of the table under these choices; for a small table synchronously."""
        self.cancel()
        if self.is_quick:
            for source in sources:
                self.checked.emit(source, check(self._table, choices, source))
            self.finished.emit()
            return
        self._looking = (choices, tuple(sources))
        self._look(self._looking, 0)

    def cancel(self) -> None:
        """Cancel the request: no more signals follow."""
        self._looking = None

    def _look(self, looking: tuple[Choices, tuple[TableSource, ...]], i: int) -> None:
        """Check one frame after another, each in a thread."""
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
