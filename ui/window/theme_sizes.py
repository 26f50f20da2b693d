"""Sizes of docks during a change of theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow
from shiboken6 import isValid

from framescope.ui.theme import current_theme
from framescope.ui.widgets import layouts
from framescope.ui.window.dock_state import Size, dock_sizes, resize_docks


class ThemeSizes(QObject):
    """Keeps the sizes of docks while another theme is applied.

    Widgets need more room while a change of theme leaves them without a stylesheet, and Qt would widen docks for good.

    Parameters
    ----------
    window
        Window with the docks.
    docks
        Docks by name.
    hold_picture
        Context that holds the scene's picture while docks change, and draws it once at the end.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        hold_picture: Callable[[], AbstractContextManager[object]],
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._hold_picture = window, docks, hold_picture
        self._sizes: dict[str, Size] = {}
        current_theme.signals.about_to_change.connect(self._note)
        current_theme.signals.theme_changed.connect(self._restore)

    def _note(self) -> None:
        if isValid(self._window) and self._window.isVisible():
            layouts.settle_all()
            self._sizes = dock_sizes(self._window, self._docks)

    def _restore(self) -> None:
        sizes, self._sizes = self._sizes, {}
        if sizes and isValid(self._window):
            with self._hold_picture():
                layouts.settle_all()
                resize_docks(self._window, self._docks, sizes)
                layouts.settle(self._window)
