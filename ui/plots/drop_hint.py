"""Drop hint of a plot while a signal is dragged over it: a dashed frame, and the effect of dropping."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS


class DropHint(QWidget):
    """Hint above the plots that ignores the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        """Text of the hint."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self, area: QRect, text: str) -> None:
        """Frame an area of the parent and show the effect of dropping there."""
        self.text = text
        self.setGeometry(area)
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        pen = QPen(current_theme.qcolor("accent"), 1.5)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(current_theme.qcolor("accent", 0.12))
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(frame, METRICS.field_radius, METRICS.field_radius)
        font = fonts.text(METRICS.secondary)
        width, height = fonts.width(font, self.text) + 2 * METRICS.gap, METRICS.field
        if not self.text or width > self.width():
            return
        label = QRectF((self.width() - width) / 2, self.height() - height - METRICS.gap, width, height)
        painters.fill_with(painter, "panel", 0.9)
        painter.drawRoundedRect(label, METRICS.field_radius, METRICS.field_radius)
        painters.write_in(painter, font, "text")
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self.text)
