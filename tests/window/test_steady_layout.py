"""Sizes of the docks: nothing but the user's hand, the scene and the size of the window changes them."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import find_scene
from framescope.ui.window.dock_table import INSTRUMENTS
from tests.support.whole_window import wait_for

pytestmark = pytest.mark.window

SETTLED_MS = 150


def sizes(window) -> dict[str, tuple[int, int, int, int]]:
    """Return the places of all docks that are visible, once the layout has come to rest."""
    wait_for(lambda: all(name in window.instruments for name in INSTRUMENTS if window.is_instrument_seen(name)))
    QTest.qWait(SETTLED_MS)
    return {
        name: dock.geometry().getRect()
        for name, dock in window.docks.items()
        if dock.isVisible() and not dock.visibleRegion().isEmpty()
    }


def assert_sizes(window, expected: dict[str, tuple[int, int, int, int]]) -> None:
    """Check that the docks come to rest at these places, on a busy machine after more than one look."""
    for _ in range(20):
        if sizes(window) == expected:
            break
    assert sizes(window) == expected


@pytest.fixture
def wiring(open_window, dark):
    wiring = open_window(find_scene("demo"))
    wiring.window.resize(1280, 800)
    wait_for(lambda: abs(wiring.window.width() - 1280) <= 1)
    return wiring


@pytest.mark.parametrize("dock", ["", "relation", "readouts", "joints", "lesson", "drift"])
def test_that_a_theme_there_and_back_leaves_the_size_of_every_dock(wiring, dock) -> None:
    window = wiring.window
    if dock:
        window.show_dock(dock)
    before = sizes(window)
    for _ in range(2):
        window.commands.theme.trigger()
        QApplication.processEvents()
        assert_sizes(window, before)


PLACES = ("Build", "Learn", "Check")


@pytest.mark.parametrize("dock", ["drift", "detective", "film"])
@pytest.mark.parametrize("place", PLACES)
def test_that_a_dock_that_is_closed_after_a_change_of_place_gives_its_room_back(wiring, dock, place) -> None:
    window = wiring.window
    window.set_place(place)
    before = sizes(window)
    window.show_dock(dock)
    opened = sizes(window)
    for other in (other for other in PLACES if other != place):
        window.set_place(other)
        sizes(window)
    window.set_place(place)
    is_kept = dock != "film"  # which a change of place hides in a scene without a film
    for _ in range(2):  # also in a click on the place that is shown
        assert_sizes(window, opened if is_kept else before)
        window.header.places.chosen.emit(place)
    window.hide_dock(dock)
    assert_sizes(window, before)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_that_two_docks_in_front_of_the_plots_give_their_room_back_in_any_order(wiring, order) -> None:
    window = wiring.window
    before = sizes(window)
    docks = ("recording", "drift")
    for dock in docks:
        window.show_dock(dock)
        sizes(window)
    for i in order:
        window.hide_dock(docks[i])
        sizes(window)
    assert_sizes(window, before)
