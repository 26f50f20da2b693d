"""Progress bar that is painted with the rest of the window, not in the middle of what is being done."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """A `QProgressBar` whose `setValue` does not paint at once.

    Qt's does, and with the bar everything else that waits to be painted: a scene in 3D, in the midst of an edit.
    """

    def setValue(self, value: int) -> None:
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)  # which asks for a paint
