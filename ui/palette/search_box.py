"""Search box in the menu bar that opens the command palette."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

WIDTH = 320
_VCENTER = int(Qt.AlignmentFlag.AlignVCenter)


class SearchBox(QAbstractButton):
    """Button that looks like a search field and shows its keys.

    Parameters
    ----------
    keys
        Keys that open the palette, as text.

    Signals
    -------
    requested(str)
        Request to open the palette, with the text typed on the box, if any.
    """

    requested = Signal(str)

    def __init__(self, keys: str = "Ctrl K", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setText("Search everything")
        self.setAccessibleName("search everything")
        self.setAccessibleDescription("opens the command palette")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.clicked.connect(lambda: self.requested.emit(""))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, METRICS.button)

    def minimumSizeHint(self) -> QSize:
        return QSize(METRICS.button, METRICS.button)

    def place(self, window: QWidget) -> QRect:
        """Return the rectangle of the box in a window, where the palette opens."""
        return QRect(self.mapTo(window, self.rect().topLeft()), self.size())

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed = event.text()
        if typed.strip() and typed.isprintable() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.requested.emit(typed)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.requested.emit("")
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        border = "accent" if self.hasFocus() else "quiet" if self.underMouse() else "field_border"
        pen = painter.pen()
        pen.setColor(current_theme.qcolor(border))
        pen.setWidthF(2.0 if self.hasFocus() else 1.0)
        painter.setPen(pen)
        painter.setBrush(current_theme.qcolor("field"))
        inset = 1.0 if self.hasFocus() else 0.5
        box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(box, METRICS.button_radius, METRICS.button_radius)
        middle = (self.height() - METRICS.icon) // 2
        painter.drawPixmap(METRICS.gap, middle, icons.pixmap("search"))
        left = METRICS.gap + METRICS.icon + METRICS.gap
        right = self._paint_keys(painter, left)
        painters.write_in(painter, fonts.text(), "quiet")
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, 0, right - left, self.height()), _VCENTER, text)

    def _paint_keys(self, painter: QPainter, left: int) -> int:
        """Paint the keys at the right if they fit. Return their left edge."""
        painter.setFont(fonts.text(METRICS.caption))
        width = painter.fontMetrics().horizontalAdvance(self._keys) + 12
        right = self.width() - 5
        if right - width < left + 40:
            return right
        pen = painter.pen()
        pen.setWidthF(1.0)
        pen.setColor(current_theme.qcolor("border"))
        painter.setPen(pen)
        painter.setBrush(current_theme.qcolor("panel"))
        chip = QRectF(right - width + 0.5, (self.height() - 18) / 2 + 0.5, width - 1, 17)
        painter.drawRoundedRect(chip, METRICS.field_radius, METRICS.field_radius)
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), self._keys)
        return round(right - width - METRICS.gap)
