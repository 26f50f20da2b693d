"""Marks of the axes: triangle, square and circle for the cone, cube and sphere at their tips."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.text_growth import FONT_EVENTS, growth

_SIZE = 9.0
_LETTER_X = 14.0


def paint_axis_mark(painter: QPainter, axis: int, centre: QPointF, color: QColor, size: float = _SIZE) -> None:
    """Paint the mark of axis 0, 1 or 2; the three differ in shape as well as in colour."""
    half = size / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    if axis == 0:
        corners = (QPointF(0, -half), QPointF(half * 1.08, half * 0.9), QPointF(-half * 1.08, half * 0.9))
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
    elif axis == 1:
        side = size * 0.9
        painter.drawRoundedRect(QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side), 1, 1)
    else:
        painter.drawEllipse(centre, half, half)


class AxisMark(QWidget):
    """The mark of an axis, followed by the letter of an angle about it.

    Parameters
    ----------
    axis : int
        0, 1 or 2.
    letter : str
        For example α; empty for the mark alone.
    """

    def __init__(self, axis: int, letter: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self._letter = letter
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_axis(self, axis: int, letter: str = "") -> None:
        """Display another axis, for example for another sequence."""
        self._axis, self._letter = axis, letter
        self.updateGeometry()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        scale = growth(self, METRICS.base)
        return QSize(round(24 * scale) if self._letter else round(scale * _SIZE) + 1, round(scale * METRICS.field))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        letter = AXIS_LETTERS[self._axis]
        scale = growth(self, METRICS.base)
        painter.scale(scale, scale)
        middle = self.height() / scale / 2
        mark, text = (f"axis_{letter}", f"axis_{letter}_text") if self.isEnabled() else ("disabled", "disabled")
        paint_axis_mark(painter, self._axis, QPointF(_SIZE / 2 + 0.5, middle), current_theme.qcolor(mark))
        painters.write_in(painter, fonts.text(METRICS.base, 500), text)
        area = QRectF(_LETTER_X, 0, self.width() / scale - _LETTER_X, self.height() / scale)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._letter)
