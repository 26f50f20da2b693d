"""Placement of docks by a layout."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.dock_state import tab_bars
from framescope.ui.window.dock_table import BOTTOM_ROW, DOCKS, STACK
from framescope.ui.window.places import Place

OUTLINE, BELOW_OUTLINE = 226, 510
"""Heights of the outline and of the docks below it, logical pixels."""

FOR_RELATION = 16
"""Height that the relation takes from the outline to show five quantities completely, logical pixels."""

Area, Orientation = Qt.DockWidgetArea, Qt.Orientation


AREAS = {"left": Area.LeftDockWidgetArea, "right": Area.RightDockWidgetArea, "bottom": Area.BottomDockWidgetArea}
"""Areas of Qt by the sides of the window."""


def arrange(window: QMainWindow, docks: Mapping[str, QDockWidget], place: Place) -> None:
    """Arrange and resize all docks by a layout."""
    bars = [bar for bar in tab_bars(window) if bar.isVisible()]
    for name, dock in docks.items():
        if dock.isFloating():  # Qt would hide and show a docked one
            dock.setFloating(False)
        window.removeDockWidget(dock)
        window.addDockWidget(AREAS[place.sides.get(name, DOCKS[name].side)], dock)
    window.splitDockWidget(docks["outline"], docks["inspector"], Orientation.Vertical)
    for name, side in place.sides.items():
        if side == "left":
            window.splitDockWidget(docks["outline"], docks[name], Orientation.Vertical)
    for upper, lower in pairwise(STACK):
        window.splitDockWidget(docks[upper], docks[lower], Orientation.Vertical)
    window.splitDockWidget(docks[STACK[-1]], docks[BOTTOM_ROW[0]], Orientation.Vertical)
    for left, right in pairwise(BOTTOM_ROW):
        window.splitDockWidget(docks[left], docks[right], Orientation.Horizontal)
    for name, dock in DOCKS.items():
        if dock.behind and name not in place.sides:
            window.tabifyDockWidget(docks[dock.behind], docks[name])
    window.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
    window.setCorner(Qt.Corner.BottomRightCorner, Area.BottomDockWidgetArea)
    for name, dock in docks.items():
        dock.setVisible(place.shows(name))
    _resize(window, docks, place)
    _hide_forgotten(window, docks, bars)


def _hide_forgotten(window: QMainWindow, docks: Mapping[str, QDockWidget], bars: Sequence[QTabBar]) -> None:
    """Hide tab bars that Qt has forgotten: those with a closed dock, and those that have a newer bar in their place."""
    closed = {dock.windowTitle() for dock in docks.values() if dock.isHidden()}
    newer = {bar.geometry().getRect() for bar in tab_bars(window) if bar not in bars and bar.isVisible()}
    for bar in bars:
        titles = {bar.tabText(i) for i in range(bar.count())}
        if titles & closed or bar.geometry().getRect() in newer:
            bar.hide()


def make_room(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Stack docks beside the plots behind the plots where the row is too narrow for them."""
    in_place = [docks[name] for name, dock in DOCKS.items() if "plots" in (name, dock.behind)]
    others = [dock for dock in in_place if not dock.isHidden()]
    for beside in (docks[name] for name in BOTTOM_ROW if name != "plots"):
        if beside.isHidden() or beside.isFloating() or not others:
            continue
        needed = beside.minimumSizeHint().width() + max(dock.minimumSizeHint().width() for dock in others)
        if needed > docks["timeline"].width():
            window.tabifyDockWidget(docks["plots"], beside)


@contextmanager
def keep_dock(window: QMainWindow, dock: QDockWidget) -> Generator[None]:
    """Keep whether a dock is open, and its size, while another layout is applied."""
    is_open = not dock.isHidden()
    is_floating, is_in_front, place = dock.isFloating(), not dock.visibleRegion().isEmpty(), dock.geometry()
    yield
    if not is_open:
        dock.hide()
        return
    if is_floating:
        dock.setFloating(True)
        dock.setGeometry(place)
    dock.show()
    if is_in_front:
        dock.raise_()
    if not dock.isFloating():
        window.resizeDocks([dock], [place.width()], Orientation.Horizontal)


def name_tabs(window: QMainWindow) -> None:
    """Set an accessible name for the tab bars that Qt creates for docks in the same place."""
    for bar in tab_bars(window):
        bar.setAccessibleName("panels in this place")


def _resize(window: QMainWindow, docks: Mapping[str, QDockWidget], place: Place) -> None:
    """Give the visible docks the sizes of a layout."""

    def resize(sizes: Mapping[str, int], orientation: Qt.Orientation) -> None:
        seen = {name: size for name, size in sizes.items() if place.shows(name)}
        window.resizeDocks([docks[name] for name in seen], list(seen.values()), orientation)

    for side, width in (("left", place.left), ("right", place.right)):
        there = (name for name, dock in DOCKS.items() if place.sides.get(name, dock.side) == side)
        resize(dict.fromkeys(there, width), Orientation.Horizontal)
    upper = next((name for name in ("outline", *place.sides) if place.shows(name)), None)
    if upper is not None:
        more = FOR_RELATION if place.shows("relation") else 0
        below = dict.fromkeys(("inspector", "relation"), BELOW_OUTLINE + more)
        resize({upper: OUTLINE - more} | below, Orientation.Vertical)
    bottom = place.bottom - METRICS.timeline
    resize(
        {"question": METRICS.question, "timeline": METRICS.timeline} | dict.fromkeys(BOTTOM_ROW, bottom),
        Orientation.Vertical,
    )
    resize({name: DOCKS[name].share for name in BOTTOM_ROW}, Orientation.Horizontal)
