"""The way of the Tab key through the whole window: everything has a name, is seen, and comes in its order."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QTabBar, QVBoxLayout, QWidget

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.ui.qt_support.tab_stops import tab_stops
from tests.support.cases import for_each
from tests.support.hands import Key, show, strike
from tests.support.wrappers import outlived_items


@pytest.fixture
def demo(qtbot, dark):
    wiring = startup.make_window(find_scene("demo"))
    window = wiring.window
    show(window, qtbot)
    window.setUpdatesEnabled(False)  # the way of the keys needs no pictures
    yield window
    window.close()
    window.deleteLater()


def way_of(window, key: Key) -> list:
    """Return what has the keyboard one after another, from the outline round to it again."""
    start = window.outline.tree
    start.setFocus(Qt.FocusReason.TabFocusReason)
    found = []
    while not found or found[-1] is not start:
        strike(window, key)
        found.append(QApplication.focusWidget())
        assert len(found) < 200, "it never comes round"
    return found


def test_that_tab_comes_round_by_named_widgets_that_are_seen_and_by_headers_after_what_their_docks_show(demo) -> None:
    way = way_of(demo, Key.Key_Tab)
    assert len(way) > 50
    nameless = [widget for widget in way if not widget.accessibleName() and not isinstance(widget, QTabBar)]
    assert nameless == []
    assert not any(demo.problems.isAncestorOf(widget) or widget is demo.problems for widget in way)
    plots = demo.plots.plots
    order = [plots[0], plots[0].header.menu_button, plots[1], plots[1].header.menu_button, demo.plots.add_button]
    first = way.index(plots[0])
    assert way[first : first + 5] == order
    back = way_of(demo, Key.Key_Backtab)
    assert back[-2::-1] == way[:-1]
    names = [widget.accessibleName() for widget in way]
    assert names[:2] == ["Insert an item", "Find, and choose what is listed"]
    assert names[2] == "Large, beside the scene"
    assert names[3].startswith("Hide outline")
    inside = [i for i, widget in enumerate(way) if demo.inspector.isAncestorOf(widget)]
    close = next(i for i, name in enumerate(names) if name.startswith("Hide inspector"))
    assert max(inside) < close <= max(inside) + 3


def places_in(window, way: list) -> list[tuple[int, int]]:
    """Return where the stops within the page of the inspector stand, by rows: top and left."""
    body = window.inspector.page.widget()
    inner = [(widget, widget.mapTo(body, QPoint(0, 0))) for widget in way if body.isAncestorOf(widget)]
    return [((place.y() + widget.height() // 2) // 8, place.x()) for widget, place in inner]


@for_each(
    ("key", "folds"),
    [
        (("frames", "inner ring"), ("Motion", "Look", "Rotation as written")),
        (("bodies", "disc"), ()),
        (("", ""), ("View", "Simulation")),
    ],
)
def test_that_tab_goes_down_the_inspector_whenever_its_parts_were_made(demo, key, folds) -> None:
    demo.inspector.set_item(key)
    for fold in folds:
        demo.inspector.page.folds[fold].set_open(True)
    QApplication.processEvents()
    way = way_of(demo, Key.Key_Tab)
    inside = [demo.inspector.isAncestorOf(widget) for widget in way]
    first, n_inside = inside.index(True), sum(inside)
    assert n_inside > 12
    assert all(inside[first : first + n_inside])
    rows = [row for row, _ in places_in(demo, way)]
    assert rows == sorted(rows)


def test_that_stops_are_found_in_the_order_of_layouts_and_leave_nothing_behind(qtbot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    column, row, inner = QVBoxLayout(whole), QHBoxLayout(), QWidget()
    last, first, second, deep, gone = (QPushButton(name, whole) for name in ("last", "first", "second", "deep", "gone"))
    column.addLayout(row)
    for part in (first, QLabel("no stop"), second):
        row.addWidget(part)
    row.addStretch(1)
    QVBoxLayout(inner).addWidget(deep)
    for part in (inner, last, gone):
        column.addWidget(part)
    n_wrappers = len(shiboken6.getAllValidWrappers())

    assert [stop.text() for stop in tab_stops(whole)] == ["first", "second", "deep", "last", "gone"]

    assert len(shiboken6.getAllValidWrappers()) == n_wrappers
    shiboken6.delete(gone)
    assert outlived_items() == []
