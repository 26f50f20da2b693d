"""Combo box that ignores the mouse wheel and shortens its text with an ellipsis."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCursor, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from framescope.ui.widgets.text_growth import FONT_EVENTS, growth, usual_font


class ChoiceBox(QComboBox):
    """A combo box that leaves the wheel to its parent: scrolling past a choice must not change it."""

    _usual_width = 0

    def set_usual_width(self, width: int) -> None:
        """Set a fixed width for the usual size of the text, logical pixels, which grows with the size of its font."""
        self._usual_width = width
        self._grow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS:
            self._grow()

    def _grow(self) -> None:
        if self._usual_width:
            self.setFixedWidth(round(self._usual_width * growth(self, usual_font(self))))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showPopup(self) -> None:
        # As wide as its texts: the box itself may be narrower.
        view = self.view()
        bar = view.verticalScrollBar().sizeHint().width() if self.count() > self.maxVisibleItems() else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + bar + 2 * view.frameWidth())
        super().showPopup()

    def hidePopup(self) -> None:
        super().hidePopup()
        # The pointer may have left while the list was open; Qt would go on drawing the box as if it were under it.
        is_under = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_under)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        area = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, area.width() - 2)
        if self.isEditable() or text == self.currentText():
            super().paintEvent(event)
            return
        option.currentText = text  # type: ignore[attr-defined]
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
