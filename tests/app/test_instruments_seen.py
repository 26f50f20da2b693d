"""Instruments work only while they are seen: a dock behind another one is as good as closed."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.features.shift.ui.shift_arrows import ShiftArrows
from framescope.features.shift.ui.shift_panel import ShiftPanel
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK


@pytest.fixture
def window(qapp, qtbot):
    current_theme.apply_theme(qapp, DARK)
    wiring = startup.make_window(find_scene("demo"))
    wiring.window.show()
    qtbot.waitExposed(wiring.window)
    yield wiring.window
    wiring.window.close()
    wiring.window.deleteLater()


def test_that_a_shift_is_drawn_only_while_its_dock_is_in_front_and_docks_keep_their_places(window, qtbot) -> None:
    renderer = window.scene_view.renderer

    def is_drawn() -> bool:
        arrows = renderer.visual(ShiftArrows)  # there is none where the scene has nothing for it
        return arrows is not None and arrows.shift is not None

    assert not window.findChildren(ShiftPanel)
    window.show_dock("shift")
    qtbot.waitUntil(is_drawn)
    (panel,) = window.findChildren(ShiftPanel)
    window.show_dock("readouts")
    qtbot.waitUntil(lambda: not is_drawn())
    assert not panel.isVisible()
    window.show_dock("shift")
    qtbot.waitUntil(is_drawn)
    window.set_place("Learn")
    QTest.qWait(20)
    assert not is_drawn()
    window.set_place("Build")
    qtbot.waitUntil(is_drawn)
    window.show_dock("readouts")  # and a dock keeps its place while another stands before it
    window.set_place("Check")
    QTest.qWait(50)
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    before = docks["relation"].size()
    window.show_dock("inspector")
    QTest.qWait(50)
    assert docks["inspector"].size() == before
    assert docks["relation"].maximumHeight() > 1000
    window.show_dock("relation")
    QTest.qWait(50)
    assert docks["relation"].size() == before
