"""Saved state of the docks as bytes.

Qt's own state loses the sizes of docks that share a place in a column, and of neighbours at the bottom: they come back
at their minimum size. So the bytes also contain the sizes, and restoring applies them.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

VERSION = 3

Size = tuple[int, int]
"""Width and height, logical pixels."""

_SIZES = b"\nsizes of docks "


def save_layout(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> QByteArray:
    """Return the layout of the docks. It has no sizes before the window is shown."""
    sizes = dock_sizes(window, docks)
    state = window.saveState(VERSION)
    return QByteArray(bytes(state.data()) + _SIZES + json.dumps(sizes).encode()) if sizes else state


def dock_sizes(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> dict[str, Size]:
    """Return width and height of the docks in the window, by name: empty before the window is shown.

    Docks behind another dock have its size, and the height of all of them includes their tab bar.
    """
    names = {dock: name for name, dock in docks.items()}
    sizes: dict[str, Size] = {}
    for name, dock in docks.items():
        if dock.isFloating() or dock.visibleRegion().isEmpty():
            continue
        behind = [other for other in window.tabifiedDockWidgets(dock) if not other.isHidden()]
        tabs = _tabs_height(window) if behind else 0
        sizes |= dict.fromkeys((name, *(names[other] for other in behind)), (dock.width(), dock.height() + tabs))
    return sizes


def resize_docks(window: QMainWindow, docks: Mapping[str, QDockWidget], sizes: Mapping[str, Sequence[int]]) -> None:
    """Give docks the sizes from `dock_sizes`, as far as the window has the room."""
    sizes = {name: size for name, size in sizes.items() if name in docks}
    for i, orientation in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
        window.resizeDocks([docks[name] for name in sizes], [size[i] for size in sizes.values()], orientation)


def _tabs_height(window: QMainWindow) -> int:
    """Return the height of the tab bar below docks that share a place."""
    return max((bar.height() for bar in tab_bars(window) if bar.isVisible()), default=0)


def restore_layout(window: QMainWindow, docks: Mapping[str, QDockWidget], layout: QByteArray) -> None:
    """Restore a saved layout."""
    state, _, text = bytes(layout.data()).partition(_SIZES)
    with _keep_normal_size(window):
        bars = [bar for bar in tab_bars(window) if bar.isVisible()]
        if window.restoreState(QByteArray(state), VERSION) and text:
            resize_docks(window, docks, json.loads(text))
        for bar in bars:  # Qt makes new ones for the restored layout, and forgets these
            bar.hide()


def tab_bars(window: QMainWindow) -> list[QTabBar]:
    """Return the tab bars that Qt has created for docks in the same place, the oldest first."""
    return window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)


@contextmanager
def _keep_normal_size(window: QMainWindow) -> Generator[None]:
    """Keep a window that will open maximized or full-screen at its normal size meanwhile.

    Qt stores a second copy of a layout that does not fit into such a window yet. Any other change of the layout, such
    as restoring another one, then deletes items that this copy still refers to, and the program crashes.
    """
    states, large = window.windowState(), Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
    if window.isVisible() or not states & large:
        yield
        return
    usual = window.normalGeometry()
    window.setWindowState(states & ~large)
    try:
        yield
    finally:
        window.setGeometry(usual)
        window.setWindowState(states)
