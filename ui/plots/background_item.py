"""Background of a plot: background colour, a tinted time span, the grid and the zero line."""

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS


class GroundItem(QGraphicsItem):
    """Background painted in pixels. pyqtgraph's own grid belongs to the axes, which are above the curves."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._area = QRectF()
        self._lines: tuple[QLineF, ...] = ()
        self._zero: QLineF | None = None
        self._band: tuple[QRectF, str] | None = None
        self._is_focused = False
        self.setZValue(-1000)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def set_grid(self, area: QRectF, xs: Sequence[float], ys: Sequence[float], zero_y: float | None) -> None:
        """Set the pixel positions of grid lines. The zero line is stronger."""
        if area != self._area:
            self.prepareGeometryChange()
            self._area = QRectF(area)
        upright = (QLineF(QPointF(x, area.top()), QPointF(x, area.bottom())) for x in map(_crisp, xs))
        level = (QLineF(QPointF(area.left(), y), QPointF(area.right(), y)) for y in map(_crisp, ys))
        self._lines = (*upright, *level)
        self._zero = None
        if zero_y is not None and area.top() <= zero_y <= area.bottom():
            y = _crisp(zero_y)
            self._zero = QLineF(QPointF(area.left(), y), QPointF(area.right(), y))
        self.update()

    def set_band(self, band: tuple[float, float, str] | None) -> None:
        """Tint the background between two pixels in the colour of a role."""
        self._band = None
        if band is not None:
            first, last, role = band
            self._band = QRectF(first, self._area.top(), last - first, self._area.height()), role
        self.update()

    def set_focused(self, is_focused: bool) -> None:
        """Show or hide a frame in the accent colour."""
        self._is_focused = is_focused
        self.update()

    def boundingRect(self) -> QRectF:
        return self._area

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:  # noqa: ARG002
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(self._area, current_theme.qcolor("plot_ground"))
        painter.setPen(QPen(current_theme.qcolor("plot_grid"), 1))
        painter.drawLines(list(self._lines))
        if self._band is not None:
            area, role = self._band
            painter.fillRect(area, current_theme.qcolor(role, 0.15))
        if self._zero is not None:
            painter.setPen(QPen(current_theme.qcolor("border"), 1))
            painter.drawLine(self._zero)
        if self._is_focused:
            painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
            painter.drawRect(self._area.adjusted(1, 1, -1, -1))


def _crisp(position: float) -> float:
    """Move a line of one pixel onto a pixel centre."""
    return round(position - 0.5) + 0.5
