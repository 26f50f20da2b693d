"""List of problems of a table, each of which shows its first row when it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from framescope.core.recordings.columns.row_checks import TableProblem
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS

_ICONS = {"red": ("octagon-x", "red"), "amber": ("triangle-alert", "amber"), "note": ("info", "quiet")}
_ALL_WELL = "Nothing odd: times run on, and every row fits."


class RowProblemsList(QListWidget):
    """Findings of the frame that is shown, the worst first.

    Signals
    -------
    row_asked(int)
        A finding was chosen: its first row in the table, from 1.
    """

    row_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[TableProblem, ...] = ()
        self.setWordWrap(True)
        self.setAccessibleName("what does not fit")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(1)
        self.setViewportMargins(METRICS.padding - METRICS.inner, METRICS.inner, METRICS.inner, 0)
        self.itemActivated.connect(self._on_item)
        self.itemClicked.connect(self._on_item)

    @property
    def problems(self) -> tuple[TableProblem, ...]:
        """What is shown, in its order."""
        return self._problems

    def set_problems(self, problems: Sequence[TableProblem]) -> None:
        """Show findings."""
        places = list(_ICONS)
        self._problems = tuple(sorted(problems, key=lambda problem: places.index(problem.severity)))
        self.clear()
        for problem in self._problems:
            name, color = _ICONS[problem.severity]
            text = problem.text[:1].upper() + problem.text[1:]
            item = QListWidgetItem(icons.icon(name, color, METRICS.row_icon), text)
            item.setToolTip("Show the first of these rows" if problem.rows else "")
            self.addItem(item)
        if not self._problems:
            self.addItem(QListWidgetItem(icons.icon("check", "good", METRICS.row_icon), _ALL_WELL))

    def set_waiting(self, what: str) -> None:
        """Say that there are no findings yet, and why."""
        self._problems = ()
        self.clear()
        self.addItem(QListWidgetItem(icons.icon("loader", "quiet", METRICS.row_icon), what))

    def _on_item(self, item: QListWidgetItem) -> None:
        at = self.row(item)
        if at < len(self._problems) and self._problems[at].rows:
            self.row_requested.emit(self._problems[at].rows[0])
