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
        assert sizes(window) == before
