"""Placement of docks, and how a layout puts them there."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from framescope.ui.theme.tokens import METRICS
from framescope.ui.window.layout_presets import LayoutPreset

OUTLINE, BELOW_OUTLINE = 264, 472
"""Heights that share the left side."""

FOR_RELATION = 16
"""What the relation takes from the outline, so that it shows five quantities whole."""

Area, Orientation = Qt.DockWidgetArea, Qt.Orientation


@dataclass(frozen=True)
class Place:
    """Place of a dock.

    Attributes
    ----------
    title
        What its header says.
    area
        The side of the window.
    behind
        The dock whose place it shares, as a tab; empty when it has its own.
    has_header
        Whether it has a header, by which it can be moved.
    tab
        What its tab says, where that is shorter than the title.
    width, height
        At least how large it is, logical pixels.
    """

    title: str
    area: Qt.DockWidgetArea
    behind: str = ""
    has_header: bool = True
    tab: str = ""
    width: int = 0
    height: int = 0


PLACES: Mapping[str, Place] = {
    "outline": Place("Outline", Area.LeftDockWidgetArea),
    "inspector": Place("Inspector", Area.LeftDockWidgetArea),
    "relation": Place("Relation", Area.LeftDockWidgetArea, behind="inspector"),
    "readouts": Place("Read-outs", Area.RightDockWidgetArea),
    "problems": Place("Problems", Area.RightDockWidgetArea, behind="readouts"),
    "shift": Place("Shift", Area.RightDockWidgetArea, behind="readouts"),
    "gimbal": Place("Gimbal laboratory", Area.RightDockWidgetArea, behind="readouts", tab="Gimbal", width=340),
    "quaternion": Place("Quaternion", Area.RightDockWidgetArea, behind="readouts", width=340),
    "joints": Place("Joints", Area.RightDockWidgetArea, behind="readouts", width=300),
    "manual": Place("Manual beside the scene", Area.RightDockWidgetArea, behind="readouts", tab="Manual", width=340),
    "lesson": Place("Lesson", Area.RightDockWidgetArea, behind="readouts", width=340),
    "timeline": Place("Timeline", Area.BottomDockWidgetArea, has_header=False),
    "detective": Place("Convention detective", Area.BottomDockWidgetArea),
    "plots": Place("Plots", Area.BottomDockWidgetArea, has_header=False),
    "drift": Place("Drift laboratory", Area.BottomDockWidgetArea, behind="plots", tab="Drift", height=264),
    "recording": Place("Recording", Area.BottomDockWidgetArea, behind="plots", height=200),
}


def arrange(window: QMainWindow, docks: Mapping[str, QDockWidget], preset: LayoutPreset) -> None:
    """Put every dock where a layout has it, in its size."""
    for name, dock in docks.items():
        if dock.isFloating():  # Qt would hide and show one that is not
            dock.setFloating(False)
        window.removeDockWidget(dock)
        window.addDockWidget(PLACES[name].area, dock)
    window.splitDockWidget(docks["outline"], docks["inspector"], Orientation.Vertical)
    window.splitDockWidget(docks["timeline"], docks["detective"], Orientation.Vertical)
    window.splitDockWidget(docks["detective"], docks["plots"], Orientation.Horizontal)
    for name, place in PLACES.items():
        if place.behind:
            window.tabifyDockWidget(docks[place.behind], docks[name])
    window.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
    window.setCorner(Qt.Corner.BottomRightCorner, Area.BottomDockWidgetArea)
    for name, dock in docks.items():
        dock.setVisible(preset.shows(name))
    _resize(window, docks, preset)


def make_room(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Put the detective behind the plots where there is no room for it beside what stands there."""
    detective = docks["detective"]
    others = [docks[name] for name in ("plots", "drift", "recording") if not docks[name].isHidden()]
    if detective.isHidden() or detective.isFloating() or not others:
        return
    needed = detective.minimumSizeHint().width() + max(dock.minimumSizeHint().width() for dock in others)
    if needed > docks["timeline"].width():
        window.tabifyDockWidget(docks["plots"], detective)


@contextmanager
def kept_as_it_is(window: QMainWindow, dock: QDockWidget) -> Generator[None]:
    """Have a dock open, with the size that it has now, or closed, whatever layout is taken meanwhile."""
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
    """Say for a screen reader what the tabs are that Qt makes where docks share a place."""
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        bar.setAccessibleName("panels in this place")


def _resize(window: QMainWindow, docks: Mapping[str, QDockWidget], preset: LayoutPreset) -> None:
    """Give the docks that are seen the sizes of a layout."""

    def resize(sizes: Mapping[str, int], orientation: Qt.Orientation) -> None:
        seen = {name: size for name, size in sizes.items() if preset.shows(name)}
        window.resizeDocks([docks[name] for name in seen], list(seen.values()), orientation)

    resize(dict.fromkeys(("outline", "inspector", "relation"), preset.left), Orientation.Horizontal)
    resize(dict.fromkeys(("readouts", "problems"), preset.right), Orientation.Horizontal)
    if preset.shows("outline"):
        more = FOR_RELATION if preset.shows("relation") else 0
        below = dict.fromkeys(("inspector", "relation"), BELOW_OUTLINE + more)
        resize({"outline": OUTLINE - more} | below, Orientation.Vertical)
    bottom = preset.bottom - METRICS.timeline
    resize({"timeline": METRICS.timeline} | dict.fromkeys(("detective", "plots"), bottom), Orientation.Vertical)
    resize({"detective": 470, "plots": 530}, Orientation.Horizontal)
