"""What does not fit in a table: a line each, which shows its first row when it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from framescope.core.recordings.columns.row_checks import Oddity
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS

_ICONS = {"red": ("octagon-x", "red"), "amber": ("triangle-alert", "amber"), "note": ("info", "quiet")}
_ALL_WELL = "Nothing odd: times run on, and every row fits."


class FindingsList(QListWidget):
    """Findings of the frame that is shown, the worst first.

    Signals
    -------
    row_asked(int)
        A finding was chosen: its first row in the table, from 1.
    """

    row_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._oddities: tuple[Oddity, ...] = ()
        self.setWordWrap(True)
        self.setAccessibleName("what does not fit")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(1)
        self.setViewportMargins(METRICS.padding - METRICS.inner, METRICS.inner, METRICS.inner, 0)
        self.itemActivated.connect(self._on_item)
        self.itemClicked.connect(self._on_item)

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What is shown, in its order."""
        return self._oddities

    def set_oddities(self, oddities: Sequence[Oddity]) -> None:
        """Show findings."""
        places = list(_ICONS)
        self._oddities = tuple(sorted(oddities, key=lambda oddity: places.index(oddity.severity)))
        self.clear()
        for oddity in self._oddities:
            name, color = _ICONS[oddity.severity]
            text = oddity.text[:1].upper() + oddity.text[1:]
            item = QListWidgetItem(icons.icon(name, color, METRICS.row_icon), text)
            item.setToolTip("Show the first of these rows" if oddity.rows else "")
            self.addItem(item)
        if not self._oddities:
            self.addItem(QListWidgetItem(icons.icon("check", "good", METRICS.row_icon), _ALL_WELL))

    def set_waiting(self, what: str) -> None:
        """Say that there are no findings yet, and why."""
        self._oddities = ()
        self.clear()
        self.addItem(QListWidgetItem(icons.icon("loader", "quiet", METRICS.row_icon), what))

    def _on_item(self, item: QListWidgetItem) -> None:
        at = self.row(item)
        if at < len(self._oddities) and self._oddities[at].rows:
            self.row_asked.emit(self._oddities[at].rows[0])
