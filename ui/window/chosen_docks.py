"""Docks that are shown alone for a while, such as for a step of a lesson, and the layout to return to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from framescope.ui.window.dock_state import restore_layout, save_layout


class ChosenDocks:
    """Shows some docks of a window alone. The scene view holds its picture while docks change."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        hold_picture: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._window, self._docks, self._hold_picture = window, docks, hold_picture
        self.before: QByteArray | None = None
        """Layout before the first selection; None while no docks are selected."""
        self._sizes: dict[str, QSize] = {}

    def show(self, names: Collection[str]) -> None:
        """Show these docks and hide all others."""
        if self.before is None:
            self.before = save_layout(self._window, self._docks)
        with self._hold_picture():
            changed = [(name, dock) for name, dock in self._docks.items() if dock.isHidden() == (name in names)]
            for name, dock in changed:
                if dock.isVisible():
                    self._sizes[name] = dock.size()
                dock.setVisible(name in names)
            self._size([name for name, _ in changed if name in names and name in self._sizes])

    def _size(self, names: list[str]) -> None:
        """Restore the last visible sizes of docks."""
        docks, sizes = [self._docks[name] for name in names], [self._sizes[name] for name in names]
        if docks:
            self._window.resizeDocks(docks, [size.width() for size in sizes], Qt.Orientation.Horizontal)
            self._window.resizeDocks(docks, [size.height() for size in sizes], Qt.Orientation.Vertical)

    def restore(self) -> None:
        """Restore the layout from before the selection."""
        before, self.before = self.before, None
        if before is not None:
            with self._hold_picture():
                restore_layout(self._window, self._docks, before)
