"""Combo box that a passing wheel does not turn."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """A combo box that leaves the wheel to what it stands in: scrolling past a choice is not to change it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
