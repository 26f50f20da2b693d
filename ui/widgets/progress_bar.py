"""Progress bar that is painted with the rest of the window, not in the middle of an operation."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """A `QProgressBar` whose `setValue` does not paint immediately.

    Qt's version does, and with the bar it paints everything else that is pending: a 3D scene, in the middle of an edit.
    """

    def setValue(self, value: int) -> None:
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)  # this schedules a paint
