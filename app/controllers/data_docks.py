"""Docks that show data which only some scenes have: they are put away where a scene has none, and come back with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt

from framescope.app.session.session import Session
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import load_entry
from framescope.ui.window.dock_table import DOCKS
from framescope.ui.window.main_window import MainWindow

NEEDS: dict[str, Callable[[Scene], bool]] = {name: load_entry(dock.needs) for name, dock in DOCKS.items() if dock.needs}
"""Docks by name, and whether a scene has the data that they show."""


def put_away(window: MainWindow, scene: Scene) -> set[str]:
    """Hide the docks that a scene has nothing for; return those that were open."""
    lacking = {name for name, has_data in NEEDS.items() if window.has_dock(name) and not has_data(scene)}
    for name in lacking:
        window.hide_dock(name)
    return lacking


class DataDocks(QObject):
    """Puts docks away and brings them back with each document and each layout, as long as the window is open."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: set[str] = set()
        session.document_opened.connect(self.update)
        # Once more when all have dealt with it: the end of a lesson brings docks back.
        session.document_opened.connect(self.update, Qt.ConnectionType.QueuedConnection)
        window.preset_changed.connect(self.update)
        self.update()  # a layout that was remembered is shown once more when the window is furnished

    def update(self) -> None:
        """Show what the scene has data for, of the docks that were open once, and nothing else."""
        scene = self._session.document.scene
        self._waiting |= put_away(self._window, scene)
        if self._window.has_chosen_docks:
            return
        for name in [name for name in self._waiting if NEEDS[name](scene)]:
            self._waiting.remove(name)
            self._window.bring_back_dock(name)
