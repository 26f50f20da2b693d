"""Combo box that ignores the mouse wheel."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor, QWheelEvent
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """A combo box that leaves the wheel to its parent: scrolling past a choice must not change it."""

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
