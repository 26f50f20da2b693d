"""Docks for data that only some scenes have: hidden where a scene lacks the data, and shown again with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt

from framescope.app.session.session import Session
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import load_entry
from framescope.ui.window.dock_table import DOCKS
from framescope.ui.window.main_window import MainWindow

NEEDS: dict[str, Callable[[Scene], bool]] = {name: load_entry(dock.needs) for name, dock in DOCKS.items() if dock.needs}
"""Test by dock name: whether a scene has the data that the dock shows."""


def hide_lacking_docks(window: MainWindow, scene: Scene) -> set[str]:
    """Hide the docks whose data a scene lacks. Return the names of the docks that were open."""
    lacking = {name for name, has_data in NEEDS.items() if window.has_dock(name) and not has_data(scene)}
    for name in lacking:
        window.hide_dock(name)
    return lacking


class DataDocks(QObject):
    """Hides and shows data docks whenever a document is opened or the layout changes."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: set[str] = set()
        session.document_opened.connect(self.update)
        # Update again after all other slots: the end of a lesson reopens docks.
        session.document_opened.connect(self.update, Qt.ConnectionType.QueuedConnection)
        window.place_changed.connect(self.update)
        window.layout_reset.connect(self.update)
        self.update()  # furnishing the window restores the remembered layout once more

    def update(self) -> None:
        """Hide docks whose data the scene lacks, and reopen hidden ones whose data it has."""
        scene = self._session.document.scene
        self._waiting |= hide_lacking_docks(self._window, scene)
        if self._window.has_chosen_docks:
            return
        for name in [name for name in self._waiting if NEEDS[name](scene)]:
            self._waiting.remove(name)
            self._window.bring_back_dock(name)
