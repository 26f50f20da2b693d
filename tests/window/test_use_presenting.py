"""What a speaker does while talking, by real events in full screen: a ring, a light, no cards, a blank screen."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import find_scene
from framescope.ui.scene_view.interaction.hover import REST_MS
from framescope.ui.scene_view.visuals.lit_line import LIT, LitLine, lines_of
from framescope.ui.window.pointer_ring import RADIUS
from framescope.ui.window.spotlight import HOLD_S
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import click, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(open_window):
    wiring = open_window(find_scene("demo"))
    wiring.session.pause()
    wiring.session.scrub(2.0)
    wiring.session.end_scrub()
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: wiring.window.is_presenting and wiring.window.isFullScreen())
    return wiring


def line_ends(wiring) -> dict[str, np.ndarray]:
    """Return foot and tip of all axes and arrows in the view, logical pixels from the upper left."""
    view = wiring.window.scene_view
    visual, projection = view.renderer.visual(LitLine), view.renderer.projection()
    ratio, found = view.devicePixelRatioF(), {}
    for line in lines_of(view.renderer.tick, visual.context):
        at = projection.project(np.array([line.begin_W, line.end_W]))[:, :2] / ratio
        found[line.name] = np.stack([at[:, 0], view.height() - at[:, 1]], axis=-1)
    return found


def point_at(widget, at: QPoint) -> None:
    QCursor.setPos(widget.mapToGlobal(at))
    wait_for(lambda: widget.mapFromGlobal(QCursor.pos()) == at)


def seen_line(wiring) -> tuple[str, QPoint]:
    """Return an axis or an arrow at whose tip no other is, and a place near this tip."""
    view, ends = wiring.window.scene_view, line_ends(wiring)
    for name, (foot, tip) in ends.items():
        at = QPoint(*np.round(0.1 * foot + 0.9 * tip).astype(int).tolist())
        if view.rect().contains(at) and not view.childAt(at) and view.line_at(at) == name:
            return name, at
    raise AssertionError("no axis is free")


def test_that_every_axis_and_arrow_in_sight_can_be_lit(wiring) -> None:
    view, ends = wiring.window.scene_view, line_ends(wiring)
    assert len(ends) > 6
    missed = []
    for name, (foot, tip) in ends.items():
        at = QPoint(*np.round(0.05 * foot + 0.95 * tip).astype(int).tolist())
        if view.rect().contains(at) and np.hypot(*(tip - foot)) > 20.0 and view.line_at(at) != name:
            missed.append(name)
    assert len(missed) <= 0.2 * len(ends), missed  # two may end at one place of the picture


@pytest.mark.parametrize(
    ("scene", "t", "name"),
    [
        ("three-springs", 0.6, "F of A"),
        ("three-springs", 0.6, "z of small-angle plate"),  # whose axes are off
        ("gimbal-lock", 1.0, "outer axle of arrow"),
        ("gimbal-lock", 1.0, "inner axle of arrow"),
    ],
)
def test_that_forces_axles_and_axes_that_are_off_can_be_lit(open_window, scene, t, name) -> None:
    wiring = open_window(find_scene(scene))
    session, view = wiring.session, wiring.window.scene_view
    session.pause()
    wait_for(lambda: not session.plan.pending)
    session.scrub(t)
    session.end_scrub()
    dark = view.grab().toImage()
    wiring.window.spotlight.light(name)
    view.repaint()
    assert all(actor.GetVisibility() for actor in view.renderer.visual(LitLine).overlay_actors)
    assert view.grab().toImage() != dark
    wiring.window.spotlight.light("F of nothing")
    view.repaint()
    assert not any(actor.GetVisibility() for actor in view.renderer.visual(LitLine).overlay_actors)


def test_that_a_short_press_lights_until_escape_and_a_held_one_until_it_ends(wiring) -> None:
    window, view = wiring.window, wiring.window.scene_view
    name, at = seen_line(wiring)
    point_at(view, at)
    strike(window, Key.Key_L)
    assert view.lit == name
    assert view.renderer.visual(LitLine).context.options[LIT] == name
    strike(window, Key.Key_Escape)
    assert view.lit == ""
    assert window.is_presenting
    handle = window.windowHandle()
    QTest.keyPress(handle, Key.Key_L)
    assert view.lit == name
    time.sleep(1.2 * HOLD_S)
    QTest.keyRelease(handle, Key.Key_L)
    assert view.lit == ""
    strike(window, Key.Key_L)
    strike(window, Key.Key_L)
    assert view.lit == ""


def test_that_a_number_of_a_panel_is_lit_and_goes_with_its_panel(wiring) -> None:
    window = wiring.window
    window.show_dock("readouts")
    matrix = window.readouts.in_parent.matrix
    wait_for(matrix.isVisible)
    QApplication.processEvents()
    centre = QPoint(matrix.width() // 2, matrix.height() // 2)
    point_at(matrix, centre)
    strike(window, Key.Key_L)
    assert window.spotlight.is_on
    (light,) = [child for child in matrix.children() if getattr(child, "accessibleName", str)() == "lit"]
    assert light.geometry().contains(centre)
    assert light.width() < 0.5 * matrix.width()
    window.hide_dock("readouts")
    strike(window, Key.Key_Escape)
    assert not window.spotlight.is_on
    assert window.is_presenting


def test_that_a_ring_follows_the_pointer_and_lets_clicks_through(wiring) -> None:
    window, view, ring = wiring.window, wiring.window.scene_view, wiring.window.pointer_ring
    for at in (QPoint(300, 300), QPoint(500, 420)):
        point_at(view, at)
        if not ring.is_on:
            strike(window, Key.Key_P)
        wait_for(lambda at=at: ring.isVisible() and ring.pos() == view.mapTo(window, at) - QPoint(RADIUS, RADIUS))
    button = window.timeline.play_button
    point_at(button, button.rect().center())
    wait_for(lambda: ring.geometry().contains(button.mapTo(window, button.rect().center())))
    assert QApplication.widgetAt(QCursor.pos()) is button
    click(button)
    assert wiring.session.playback.is_playing
    strike(window, Key.Key_P)
    assert not ring.isVisible()
    strike(window, Key.Key_P)
    strike(window, Key.Key_F11)
    wait_for(lambda: not window.is_presenting)
    assert not ring.is_on


def test_that_no_card_appears_while_presenting_and_one_does_after_it(wiring) -> None:
    view = wiring.window.scene_view
    for is_presenting in (True, False):
        origin = view.position_of(wiring.session.selected_frame())
        QTest.mouseMove(view, origin.toPoint() + QPoint(3, 0))
        QTest.mouseMove(view, origin.toPoint())
        QTest.qWait(3 * REST_MS)
        assert view.hovering.key is not None
        assert view.hovering.card.isVisible() is not is_presenting
        if is_presenting:
            strike(wiring.window, Key.Key_F11)
            wait_for(lambda: not wiring.window.is_presenting and not wiring.window.isFullScreen())
            QTest.qWait(REST_MS)


def test_that_the_tools_are_found_by_search(wiring) -> None:
    window, palette = wiring.window, wiring.preferences.command_palette
    ways = {"blank": lambda: window.blank_screen.is_on, "ring around": lambda: window.pointer_ring.is_on}
    for query, is_on in ways.items():
        strike_in(wiring, Key.Key_K, CTRL)
        palette.field.setText(query)
        strike(palette.field, Key.Key_Return)
        assert is_on(), query
        window.blank_screen.restore()
