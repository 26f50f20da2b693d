"""Combo box that ignores the mouse wheel and shortens its text with an ellipsis."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ChoiceBox(QComboBox):
    """A combo box that leaves the wheel to its parent: scrolling past a choice must not change it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

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
