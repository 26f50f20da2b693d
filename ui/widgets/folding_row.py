"""Two columns of a panel: one below the other, or side by side where the panel is wide, as when it is large."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from framescope.ui.theme.tokens import METRICS


class FoldingRow(QWidget):
    """Two parts, side by side where each has at least `least` logical pixels times the scale of its texts."""

    def __init__(self, first: QWidget, second: QWidget, least: int, spacing: int = METRICS.gap) -> None:
        super().__init__()
        self._least = least
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self._parts = first, second
        for part in self._parts:
            self._row.addWidget(part, 1)

    @property
    def is_row(self) -> bool:
        """Whether the parts are side by side."""
        return self._row.direction() == QBoxLayout.Direction.LeftToRight

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_row"):
            self._fold()

    def minimumSizeHint(self) -> QSize:
        hints = [part.minimumSizeHint() for part in self._parts]
        return QSize(max(hint.width() for hint in hints), super().minimumSizeHint().height())

    def _fold(self) -> None:
        scale = max(self.font().pixelSize() / METRICS.base, 1.0)
        needed = max(2 * scale * self._least, sum(part.minimumSizeHint().width() for part in self._parts))
        is_wide = self.width() >= needed + self._row.spacing()
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if direction != self._row.direction():
            self._row.setDirection(direction)
