"""Docks with a quiet header instead of the platform's title bar."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.section import DockHeader

_CLOSE = 20


def add_dock(
    window: QMainWindow,
    name: str,
    title: str,
    widget: QWidget,
    area: Qt.DockWidgetArea,
    *,
    has_header: bool = True,
    buttons: Iterable[QWidget] = (),
) -> QDockWidget:
    """Put a widget into a dock of a window; `name` is what a saved layout remembers it by.

    Without a header the dock stays where it is, and can only be hidden. `buttons` stand in the header.
    """
    dock = QDockWidget(title, window)
    dock.setObjectName(name)
    dock.setWidget(widget)
    if has_header:
        header = DockHeader(title, parent=dock)
        close = IconButton("x", f"Hide {title.lower()} (the Window menu brings it back)", size=_CLOSE, icon_size=12)
        close.clicked.connect(dock.close)
        for button in (*buttons, close):
            header.add_widget(button)
        dock.setTitleBarWidget(header)
    else:
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
    window.addDockWidget(area, dock)
    return dock


def set_dock_header(dock: QDockWidget, title: str, subtitle: str = "") -> None:
    """Say in a dock's header what it shows now."""
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader):
        header.set_title(title, subtitle)
