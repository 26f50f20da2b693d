"""Python's garbage collector, in the window's thread alone.

Python looks for garbage in whichever thread has just made many objects. What it finds may be widgets, timers and items
of plots that were part of a cycle, and Qt does not survive that these go in another thread than their own.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

PERIOD_MS = 250


class Collecting(QObject):
    """Looks for garbage when Python would, but between the events of a window, and as long as the window is there."""

    def __init__(self, window: QObject) -> None:
        super().__init__(window)
        self._was_on = gc.isenabled()
        if self._was_on:
            gc.disable()
            window.destroyed.connect(_enable)
        self._timer = QTimer(self, interval=PERIOD_MS)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()

    def close(self) -> None:
        """Leave it to Python again: the window is closed, and its program goes on."""
        self._timer.stop()
        if self._was_on:
            gc.enable()


def collect_what_is_due() -> None:
    """Look through the generations of objects that have grown beyond their thresholds."""
    due = [i for i, (n, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if n > limit > 0]
    if due:
        gc.collect(due[-1])


def _enable() -> None:
    gc.enable()
