"""Docks with a plain header instead of the platform's title bar."""

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
    """Add an empty dock to a window; saved layouts refer to it by `name`.

    Without a header the dock cannot be moved, only hidden. `tab` is the text of its tab, if different from the title.
    """
    dock = QDockWidget(tab or title, window)
    dock.toggleViewAction().setText(title)
    dock.setObjectName(name)
    if has_header:
        header = DockHeader(title, parent=dock)
        header.large = IconButton("scan", "Large, beside the scene", size=_CLOSE, icon_size=12, parent=header)
        header.add_widget(header.large)
        close = IconButton(
            "x", f"Hide {title.lower()} (the Window menu shows it again)", size=_CLOSE, icon_size=12, parent=header
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
    """Set the content of a dock, and add `buttons` to its header before the close button."""
    empty = dock.widget()
    dock.setWidget(widget)
    empty.deleteLater()
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader) and beside_title is not None:
        header.add_beside_title(beside_title)
    _put_into_header(dock, buttons)


def place_in_dock(dock: QDockWidget, widget: QWidget, buttons: Iterable[QWidget] = ()) -> None:
    """Place a widget on the empty panel of a dock: without the panel, a hidden widget would collapse the dock."""
    layouts.column(widget, on=dock.widget(), margins=0)
    widget.show()  # now, so that the layout knows its size
    _put_into_header(dock, buttons)


def _put_into_header(dock: QDockWidget, buttons: Iterable[QWidget]) -> None:
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader):
        for button in buttons:
            header.insert_widget(button)


def end_dock_drag(docks: Iterable[QDockWidget]) -> None:
    """End the drag of a dock in progress, as if the user released it.

    During a drag Qt has the dock in its layout twice. Closing the window would then end the program, and rearranging it
    would keep deleted items.
    """
    holder = QWidget.mouseGrabber()
    dragged = next((dock for dock in docks if dock is holder), None)
    if dragged is not None:
        at = QPointF(dragged.mapFromGlobal(QCursor.pos()))
        none, plain = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        left, kind = Qt.MouseButton.LeftButton, QEvent.Type.MouseButtonRelease
        QApplication.sendEvent(dragged, QMouseEvent(kind, at, dragged.mapToGlobal(at), left, none, plain))


def order_tab_stops(docks: Iterable[QDockWidget]) -> None:
    """Put the header of each dock after its content in the tab order."""
    for dock in docks:
        header = dock.titleBarWidget()
        inside = list(tab_stops(dock.widget()))
        if isinstance(header, DockHeader) and inside:
            for before, after in pairwise([inside[-1], *tab_stops(header)]):
                QWidget.setTabOrder(before, after)


def _body(dock: QDockWidget) -> QWidget:
    """Return the initial content of a dock: an empty panel."""
    body = QWidget(dock)
    layouts.lay_ground(body)
    return body


def set_dock_header(dock: QDockWidget, title: str, subtitle: str = "") -> None:
    """Set title and subtitle of a dock's header."""
    header = dock.titleBarWidget()
    if isinstance(header, DockHeader):
        header.set_title(title, subtitle)
