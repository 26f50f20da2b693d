"""Combo box that ignores the mouse wheel."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """A combo box that leaves the wheel to its parent: scrolling past a choice must not change it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
