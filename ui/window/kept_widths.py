"""Widths of docks that a narrow window squeezes, and that return with its width."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow
from shiboken6 import isValid

SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)


class KeptWidths(QObject):
    """Keeps the widths of docks at the sides that the user or a layout has chosen. Qt keeps only those it has given.

    Parameters
    ----------
    window
        Window with the docks; it calls `follow` whenever its size has changed.
    docks
        Docks by name.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._width = window.width()
        self._is_restoring = False
        self._chosen: dict[QDockWidget, int] = {}
        for dock in docks.values():
            dock.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QDockWidget) and isValid(self._window):
            # Docks are resized before their window hears of its own size.
            is_by_window = self._window.width() != self._width
            if not is_by_window and not self._is_restoring and not watched.isFloating():
                self._chosen[watched] = watched.width()
        return False

    def follow(self) -> None:
        """Give squeezed docks their widths back, as far as a wider window has room for them."""
        is_wider, self._width = self._window.width() > self._width, self._window.width()
        squeezed = {
            dock: width
            for dock, width in self._chosen.items()
            if is_wider and dock.isVisible() and not dock.isFloating() and dock.width() < width
            if self._window.dockWidgetArea(dock) in SIDES and not dock.visibleRegion().isEmpty()
        }
        if squeezed:
            self._is_restoring = True
            try:
                self._window.resizeDocks(list(squeezed), list(squeezed.values()), Qt.Orientation.Horizontal)
                layout = self._window.layout()
                if layout is not None:
                    layout.activate()
            finally:
                self._is_restoring = False
