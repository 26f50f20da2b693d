"""The first screen: most of it is the scene, and a frame's parts are seen in their order without scrolling."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from framescope.app.session.scene_lookup import find_scene
from framescope.ui.window.places import PLACES
from tests.support.whole_window import follow

SIZES = ((1280, 800), (1440, 900))
PARTS = ("name", "parent", "position x", "axis sequence", "Motion", "Look")
FIRST_SHARE, LEAST_SHARE = 0.46, 0.36


@pytest.fixture
def demo(shared_window, dark):
    return shared_window(find_scene("demo"))


@pytest.mark.parametrize("size", SIZES)
def test_that_the_scene_has_most_of_every_place_and_more_of_the_first(demo, size, qtbot) -> None:
    window = demo.window
    window.resize(*size)
    first = window.place
    for place in (first, *PLACES):
        window.set_place(place)
        qtbot.waitUntil(lambda: window.size().toTuple() == size, timeout=5000)
        follow(demo)
        share = window.scene_view.width() * window.scene_view.height() / (size[0] * size[1])
        assert share >= (FIRST_SHARE if place == first else LEAST_SHARE), place


def test_that_the_parts_of_a_frame_are_seen_in_their_order(demo, qtbot) -> None:
    window = demo.window
    window.resize(*SIZES[0])
    window.set_place("Build")
    demo.session.select(("frames", "inner ring"))
    follow(demo)
    area, heights = window.inspector, []
    qtbot.waitUntil(lambda: area.height() > SIZES[0][1] // 2, timeout=5000)  # the docks have their sizes
    for name in PARTS:
        part = next(w for w in area.findChildren(QWidget) if w.accessibleName() == name and w.isVisible())
        heights.append(part.mapTo(area, QPoint(0, part.height())).y())
        assert heights[-1] <= area.height(), f"{name} is seen without scrolling"
    assert heights == sorted(heights)


def test_that_the_panel_of_a_door_has_its_share_of_the_row(demo, qtbot) -> None:
    window = demo.window
    window.resize(*SIZES[1])
    window.set_place("Build")
    follow(demo)
    window.show_dock("detective")
    qtbot.waitUntil(lambda: window.docks["detective"].width() > 0.4 * window.docks["timeline"].width(), timeout=5000)
