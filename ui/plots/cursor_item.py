"""Cursor of a plot: a line at a time with a dot on every curve."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from framescope.ui.theme import current_theme

_DOT_RADIUS = 2.8


class CursorItem(QGraphicsItem):
    """Cursor painted in pixels above the curves.

    It moves instead of being rebuilt, and is as narrow as its dots, so that a tick repaints only a few pixels.
    """

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._height = 0.0
        self._dots: Sequence[tuple[float, str]] = ()
        self.setZValue(1000)

    def show_at(self, x: float, height: float, dots: Sequence[tuple[float, str]]) -> None:
        """Move to x, with dots (y in pixels, colour role)."""
        if height != self._height:
            self.prepareGeometryChange()
            self._height = height
        self._dots = dots
        self.setPos(x, 0.0)
        self.update()

    def boundingRect(self) -> QRectF:
        reach = _DOT_RADIUS + 2
        return QRectF(-reach, 0, 2 * reach, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:  # noqa: ARG002
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(current_theme.qcolor("text", 0.75), 1))
        painter.drawLine(QPointF(0, 0), QPointF(0, self._height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A rim in the background colour separates dots from the line and each other.
        painter.setPen(QPen(current_theme.qcolor("plot_ground"), 1.0))
        for y, role in self._dots:
            painter.setBrush(current_theme.qcolor(role))
            painter.drawEllipse(QPointF(0, y), _DOT_RADIUS, _DOT_RADIUS)
