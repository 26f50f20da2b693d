"""Docks that are chosen for a while, such as for a step of a lesson, and back to what stood before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from framescope.ui.window.dock_state import restore_layout, saved_layout


class ChosenDocks:
    """Shows some docks of a window alone; `held` keeps what the scene shows while they come and go."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        held: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._window, self._docks, self._held = window, docks, held
        self.before: QByteArray | None = None
        """How the docks stood before; None where none are chosen."""
        self._sizes: dict[str, QSize] = {}

    def show(self, names: Collection[str]) -> None:
        """Show these docks, and no others."""
        if self.before is None:
            self.before = saved_layout(self._window, self._docks)
        with self._held():
            changed = [(name, dock) for name, dock in self._docks.items() if dock.isHidden() == (name in names)]
            for name, dock in changed:
                if dock.isVisible():
                    self._sizes[name] = dock.size()
                dock.setVisible(name in names)
            self._size([name for name, _ in changed if name in names and name in self._sizes])

    def _size(self, names: list[str]) -> None:
        """Give docks the sizes that they had when they were last seen."""
        docks, sizes = [self._docks[name] for name in names], [self._sizes[name] for name in names]
        if docks:
            self._window.resizeDocks(docks, [size.width() for size in sizes], Qt.Orientation.Horizontal)
            self._window.resizeDocks(docks, [size.height() for size in sizes], Qt.Orientation.Vertical)

    def give_back(self) -> None:
        """Let all docks stand as before."""
        before, self.before = self.before, None
        if before is not None:
            with self._held():
                restore_layout(self._window, self._docks, before)
