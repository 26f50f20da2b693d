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


def lacking_docks(scene: Scene) -> set[str]:
    """Return the names of the docks whose data a scene lacks."""
    return {name for name, has_data in NEEDS.items() if not has_data(scene)}


def hide_lacking_docks(window: MainWindow, scene: Scene) -> set[str]:
    """Hide the docks whose data a scene lacks. Return the names of the docks that were open."""
    return _hide(window, lacking_docks(scene))


def _hide(window: MainWindow, names: set[str]) -> set[str]:
    hidden = {name for name in names if window.has_dock(name)}
    for name in hidden:
        window.hide_dock(name)
    return hidden


class DataDocks(QObject):
    """Hides and shows data docks whenever a document is opened, an edit adds or removes data, or the layout changes."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: set[str] = set()
        self._lacking: set[str] = set()
        session.document_opened.connect(self.update)
        # Update again after all other slots: the end of a lesson reopens docks.
        session.document_opened.connect(self.update, Qt.ConnectionType.QueuedConnection)
        session.document_changed.connect(self._follow_edit)
        window.place_changed.connect(self.update)
        window.layout_reset.connect(self.update)
        self.update()  # furnishing the window restores the remembered layout once more

    def update(self) -> None:
        """Hide docks whose data the scene lacks, and reopen hidden ones whose data it has."""
        self._lacking = lacking_docks(self._session.document.scene)
        self._waiting |= _hide(self._window, self._lacking)
        self._bring_back()

    def _follow_edit(self) -> None:
        """Hide docks whose data an edit has removed, and reopen those whose data it has added.

        A dock that the user has opened in a scene without its data stays.
        """
        lacking = lacking_docks(self._session.document.scene)
        if lacking != self._lacking:
            gone, self._lacking = lacking - self._lacking, lacking
            self._waiting |= _hide(self._window, gone)
            self._bring_back()

    def _bring_back(self) -> None:
        if self._window.has_chosen_docks:
            return
        for name in sorted(self._waiting - self._lacking):
            self._waiting.remove(name)
            self._window.bring_back_dock(name)
