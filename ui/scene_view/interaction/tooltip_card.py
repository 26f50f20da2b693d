"""Tooltip card beside the pointer: the item under it, or the amount of a drag."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

OFFSET = 18
"""Distance from the pointer to the card, logical pixels."""


class PointerCard(QFrame):
    """A title with a secondary text beside it, and captions with numbers below; transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title, self._kind = _label("title"), _label("quiet")
        self._lines = layouts.column(spacing=1)
        self._rows: list[tuple[QLabel, QLabel]] = []
        top = layouts.row(self._title, self._kind, layouts.STRETCH, spacing=METRICS.gap)
        self._parent = parent
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 7)
        column.setSpacing(METRICS.inner)
        column.addLayout(top)
        column.addLayout(self._lines)
        self.hide()

    @property
    def text(self) -> str:
        """The whole text, line by line."""
        rows = [label.text() for pair in self._rows for label in pair if not label.isHidden()]
        return "\n".join([f"{self._title.text()} {self._kind.text()}".strip(), *rows])

    def show_message(self, title: str, kind: str, rows: Sequence[tuple[str, str]] = ()) -> None:
        """Replace the text."""
        self._title.setText(title)
        self._kind.setText(kind)
        while len(self._rows) < len(rows):
            pair = _label("caption"), _label("number")
            self._rows.append(pair)
            for label in pair:
                self._lines.addWidget(label)
        for i, (caption, number) in enumerate(self._rows):
            is_used = i < len(rows)
            caption.setVisible(is_used and bool(rows[i][0]))
            number.setVisible(is_used and bool(rows[i][1]))
            if is_used:
                caption.setText(rows[i][0])
                number.setText(rows[i][1])
        self._column.activate()
        self.adjustSize()

    def show_below(self, widget: QWidget) -> None:
        """Show the card at the right edge of its parent, below another widget."""
        self.move(self._parent.width() - METRICS.padding - self.width(), widget.geometry().bottom() + METRICS.gap)
        self.show()

    def show_at(self, at: QPoint) -> None:
        """Show the card beside a point of its parent, where there is room."""
        parent = self._parent
        x, y = at.x() + OFFSET, at.y() + OFFSET
        if x + self.width() > parent.width():
            x = at.x() - OFFSET - self.width()
        if y + self.height() > parent.height():
            y = at.y() - OFFSET - self.height()
        self.move(max(0, x), max(0, y))
        self.show()
        self.raise_()


def _label(role: str) -> QLabel:
    return layouts.plain_label("", role)
