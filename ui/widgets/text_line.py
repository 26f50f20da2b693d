"""Text field that marks text beyond its end."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

from framescope.ui.theme import current_theme

_ELLIPSIS = "…"
EDGE = 2
"""Margin that Qt leaves beside the text of a line, px."""


class TextLine(QLineEdit):
    """A line edit that scrolls to its beginning when it loses focus, and ends with an ellipsis if it is cut.

    Signals
    -------
    given_up()
        Escape in a changed or invalid text: the owner restores the previous text.
    """

    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.property("invalid")):
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setCursorPosition(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_cut(self)


def is_cut(line: QLineEdit) -> bool:
    """Return whether a text is longer than its field."""
    return line.fontMetrics().horizontalAdvance(line.text()) > text_room(line).width()


def paint_cut(line: QLineEdit) -> None:
    """Paint an ellipsis at the end of a text that is longer than its field, unless it is being edited."""
    if line.hasFocus() or not is_cut(line):
        return
    metrics, room = line.fontMetrics(), text_room(line)
    # Whole letters only, so that no partial letter precedes the ellipsis.
    elided = metrics.elidedText(line.text(), Qt.TextElideMode.ElideRight, room.width()).removesuffix(_ELLIPSIS)
    cut = room.adjusted(metrics.horizontalAdvance(elided), 0, EDGE, 0)
    ground = "red_ground" if line.property("invalid") else "panel" if line.isReadOnly() else "field"
    painter = QPainter(line)
    painter.setFont(line.font())
    painter.fillRect(cut, current_theme.qcolor(ground))
    painter.setPen(current_theme.qcolor("quiet"))
    painter.drawText(cut, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), _ELLIPSIS)


def text_room(line: QLineEdit) -> QRect:
    """Return the area of the text of a line, beside its margins."""
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    inner = line.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, line)
    margins = line.textMargins()
    return inner.adjusted(EDGE + margins.left(), 0, -EDGE - margins.right(), 0)
