"""Docks with a quiet header instead of the platform's title bar."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from framescope.ui.qt_support.tab_stops import tab_stops
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.headings import DockHeader

_CLOSE = 20


def add_dock(
    window: QMainWindow, name: str, title: str, area: Qt.DockWidgetArea, *, has_header: bool = True, tab: str = ""
) -> QDockWidget:
    """Add an empty dock to a window; `name` is what a saved layout remembers it by.

    Without a header the dock stays where it is, and can only be hidden. `tab` is what its tab says, if not the title.
    """
    dock = QDockWidget(tab or title, window)
    dock.toggleViewAction().setText(title)
    dock.setObjectName(name)
    if has_header:
        header = DockHeader(title, parent=dock)
        close = IconButton(
            "x", f"Hide {title.lower()} (the Window menu brings it back)", size=_CLOSE, icon_size=12, parent=header
        )
        close.clicked.connect(dock.close)
        header.add_widget(close)
        dock.setTitleBarWidget(header)
    else:
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
    dock.setWidget(_body(dock))
    window.addDockWidget(area, dock)
    return dock


def fill_dock(
    dock: QDockWidget, widget: QWidget, buttons: Iterable[QWidget] = (), *, beside_title: QWidget | None = None
) -> None:
    """Put what a dock shows into it, and `buttons` into its header, before the one that hides it."""
    empty = dock.widget()
    dock.setWidget(widget)
    empty.deleteLater()
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader) and beside_title is not None:
        header.add_beside_title(beside_title)
    _put_into_header(dock, buttons)


def place_in_dock(dock: QDockWidget, widget: QWidget, buttons: Iterable[QWidget] = ()) -> None:
    """Put a widget on the plain ground of an empty dock: by itself, and hidden, it would leave the dock no room."""
    layouts.column(widget, on=dock.widget(), margins=0)
    widget.show()  # now, so that it is known how much room it needs
    _put_into_header(dock, buttons)


def _put_into_header(dock: QDockWidget, buttons: Iterable[QWidget]) -> None:
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader):
        for button in buttons:
            header.insert_widget(button)


def let_go(docks: Iterable[QDockWidget]) -> None:
    """End the drag of a dock that a hand holds, as when it lets go.

    Meanwhile Qt has the dock in its layout twice: a window that is closed then ends the program, and one that is
    arranged anew keeps what it has deleted.
    """
    holder = QWidget.mouseGrabber()
    held = next((dock for dock in docks if dock is holder), None)
    if held is not None:
        at = QPointF(held.mapFromGlobal(QCursor.pos()))
        none, plain = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        left, kind = Qt.MouseButton.LeftButton, QEvent.Type.MouseButtonRelease
        QApplication.sendEvent(held, QMouseEvent(kind, at, held.mapToGlobal(at), left, none, plain))


def put_in_order(docks: Iterable[QDockWidget]) -> None:
    """Have Tab come to the header of each dock after what the dock shows, whenever that was made."""
    for dock in docks:
        header = dock.titleBarWidget()
        inside = list(tab_stops(dock.widget()))
        if isinstance(header, DockHeader) and inside:
            for before, after in pairwise([inside[-1], *tab_stops(header)]):
                QWidget.setTabOrder(before, after)


def _body(dock: QDockWidget) -> QWidget:
    """Return what stands in a dock until it is filled: the plain ground of panels."""
    body = QWidget(dock)
    layouts.lay_ground(body)
    return body


def set_dock_header(dock: QDockWidget, title: str, subtitle: str = "") -> None:
    """Say in a dock's header what it shows now."""
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader):
        header.set_title(title, subtitle)
