"""A dock that stands large for a while, beside the scene or alone, and the layout to return to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from framescope.ui.widgets import layouts
from framescope.ui.widgets.headings import DockHeader
from framescope.ui.window.dock_state import restore_layout, save_layout

SHARE, LARGEST_SHARE, WIDE = 0.5, 0.6, 600
"""Part of the room between the edges that the dock takes beside the scene; more on a small screen, up to a width that
has place for two columns, logical pixels."""

TEXTS = {"": "Large, beside the scene", "beside": "Large, alone", "alone": "Back to its place"}
"""Next state of a dock, by its state."""


class LargeDock(QObject):
    """Shows one dock of a window large. The scene view holds its picture while docks change.

    Parameters
    ----------
    window
        Window with the docks.
    docks
        Docks by name.
    scene
        Central widget of the window.
    hold_picture
        Context that holds the scene's picture while docks change, and draws it once at the end.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        scene: QWidget,
        hold_picture: Callable[[], AbstractContextManager[object]],
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._scene, self._hold_picture = window, docks, scene, hold_picture
        self.name = ""
        """Name of the dock that is large; empty for none."""
        self.is_alone = False
        self.before: QByteArray | None = None
        """Layout before; None while no dock is large."""
        self._beside: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """Whether the dock is large ``"beside"`` the scene or ``"alone"``; empty for none."""
        return "" if not self.name else "alone" if self.is_alone else "beside"

    def show(self, name: str, beside: Collection[str], *, is_alone: bool) -> None:
        """Show a dock large, with open docks of these names and, unless it is alone, with the scene."""
        if self.name != name:
            self.restore()
            self.before = save_layout(self._window, self._docks)
            self.name = name
            self._beside = tuple(other for other in beside if other != name and not self._docks[other].isHidden())
            self._move()
        self.is_alone = is_alone
        with self._hold_picture():
            self._scene.setVisible(not is_alone)
            self.fit()
        self._show_state(name)

    def restore(self) -> None:
        """Return to the layout from before."""
        before, name = self.before, self.name
        if before is None:
            return
        self.before, self.name, self.is_alone = None, "", False
        self._docks[name].removeEventFilter(self)
        with self._hold_picture():
            self._scene.show()
            restore_layout(self._window, self._docks, before)
        self._show_state(name)

    def fit(self) -> None:
        """Give the dock its width, as after a change of the window's size."""
        if not self.name:
            return
        layouts.settle(self._window)
        sides = [self._docks[other] for other in self._beside if other != "timeline"]
        narrow = [dock.minimumSizeHint().width() for dock in sides]
        room = self._window.width() - sum(narrow)
        width = room if self.is_alone else round(max(SHARE * room, min(LARGEST_SHARE * room, WIDE)))
        docks = [self._docks[self.name], *sides]
        self._window.resizeDocks(docks, [width, *narrow], Qt.Orientation.Horizontal)
        layouts.settle(self._window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A large dock that is closed goes back to its place first, so that the other docks return.
        if event.type() == QEvent.Type.Close and watched is self._docks.get(self.name):
            self.restore()
        return False

    def _move(self) -> None:
        """Move the dock to the right side, which has the whole height, and hide the others."""
        dock = self._docks[self.name]
        with self._hold_picture():
            for name, other in self._docks.items():
                if name != self.name and name not in self._beside:
                    other.hide()
            dock.setFloating(False)
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
            dock.show()
            for name in self._beside:
                if self._window.dockWidgetArea(self._docks[name]) == Qt.DockWidgetArea.RightDockWidgetArea:
                    self._window.splitDockWidget(dock, self._docks[name], Qt.Orientation.Horizontal)
            dock.raise_()
        dock.installEventFilter(self)

    def _show_state(self, name: str) -> None:
        header = self._docks[name].titleBarWidget()
        if isinstance(header, DockHeader) and header.large is not None:
            state = self.state if name == self.name else ""
            header.large.set_icon("corner-down-right" if state == "alone" else "scan", TEXTS[state])
