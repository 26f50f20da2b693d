"""State of the docks as bytes that bring it back.

Qt's own state forgets the sizes of docks that share a place inside a column, and of those beside each other at the
bottom: they come back as small as they can be. So the sizes go along, and are set anew.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

VERSION = 3

_SIZES = b"\nsizes of docks "


def saved_layout(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> QByteArray:
    """Return how the docks of a window stand; before it is seen they have no sizes yet."""
    names = {dock: name for name, dock in docks.items()}
    sizes: dict[str, tuple[int, int]] = {}
    for name, dock in docks.items():
        if dock.isFloating() or dock.visibleRegion().isEmpty():
            continue
        behind = [other for other in window.tabifiedDockWidgets(dock) if not other.isHidden()]
        tabs = _tabs_height(window) if behind else 0
        sizes |= dict.fromkeys((name, *(names[other] for other in behind)), (dock.width(), dock.height() + tabs))
    state = window.saveState(VERSION)
    return QByteArray(bytes(state.data()) + _SIZES + json.dumps(sizes).encode()) if sizes else state


def _tabs_height(window: QMainWindow) -> int:
    """Return the height of the tabs below docks that share a place."""
    bars = (bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible())
    return max((bar.height() for bar in bars), default=0)


def restore_layout(window: QMainWindow, docks: Mapping[str, QDockWidget], layout: QByteArray) -> None:
    """Let the docks stand as they did."""
    state, _, text = bytes(layout.data()).partition(_SIZES)
    with _of_its_own_size(window):
        if window.restoreState(QByteArray(state), VERSION) and text:
            sizes = {docks[name]: size for name, size in json.loads(text).items() if name in docks}
            for i, orientation in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
                window.resizeDocks(list(sizes), [size[i] for size in sizes.values()], orientation)


@contextmanager
def _of_its_own_size(window: QMainWindow) -> Generator[None]:
    """Let a window that will come up maximised, or on the full screen, have its usual size meanwhile.

    A layout that does not fit into such a window yet is kept by Qt a second time, until the window is large. Whatever
    changes the layout before that, such as another one that is restored, deletes items of which Qt still has the other
    copy, and the program dies.
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
