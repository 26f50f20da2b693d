"""Navigation presets: their table, and the camera of the 3D view under real events of mouse and touchpad."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.scene_view.interaction.camera_control import ZOOM_PER_STEP
from framescope.ui.scene_view.interaction.navigation import (
    CTRL,
    LEFT,
    MIDDLE,
    NO_BUTTON,
    PLAIN,
    PRESETS,
    RIGHT,
    SHIFT,
    USUAL,
)
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import point_in, wheel
from tests.support.scenes import GOOD, scene_of

DRAGS = [(key, gesture) for key, preset in PRESETS.items() for gesture in preset.gestures]
IDS = [f"{key}: {gesture.text}" for key, gesture in DRAGS]
STARTS = QPoint(60, 60)

WANTED = {
    "framescope": {(LEFT, PLAIN): "orbit", (LEFT, SHIFT): "pan", (MIDDLE, PLAIN): "pan", (RIGHT, PLAIN): "pan"},
    "blender": {(MIDDLE, PLAIN): "orbit", (MIDDLE, SHIFT): "pan", (MIDDLE, CTRL): "zoom", (NO_BUTTON, SHIFT): "pan"},
    "onshape": {(RIGHT, PLAIN): "orbit", (MIDDLE, PLAIN): "pan", (NO_BUTTON, PLAIN): "zoom"},
    "rviz": {(LEFT, PLAIN): "orbit", (LEFT, SHIFT): "pan", (MIDDLE, PLAIN): "pan", (RIGHT, PLAIN): "zoom"},
    "ros-touchpad": {(LEFT, PLAIN): "orbit", (LEFT, SHIFT): "pan", (LEFT, CTRL): "zoom", (NO_BUTTON, PLAIN): "pan"},
}


# --- The table


def test_that_each_preset_moves_as_the_program_it_is_named_after() -> None:
    assert set(WANTED) == set(PRESETS)
    for name, moves in WANTED.items():
        assert {drag: PRESETS[name].move_of(*drag) for drag in moves} == moves


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_that_a_preset_is_complete_and_says_nothing_twice(preset) -> None:
    drags = Counter((gesture.button, gesture.key) for gesture in preset.gestures)
    assert set(drags.values()) == {1}
    assert len({gesture.text for gesture in preset.gestures}) == len(preset.gestures)
    mouse = {gesture.move for gesture in preset.gestures if gesture.button != NO_BUTTON}
    assert {"orbit", "pan"} <= mouse
    assert preset.move_of(NO_BUTTON, PLAIN) is not None
    assert preset.move_of(LEFT, PLAIN) == "orbit"


def test_that_a_key_without_meaning_changes_nothing() -> None:
    alt = Qt.KeyboardModifier.AltModifier
    assert USUAL.move_of(LEFT, CTRL) == USUAL.move_of(LEFT, alt) == "orbit"
    assert USUAL.move_of(LEFT, SHIFT | CTRL) == "pan"
    assert PRESETS["blender"].move_of(RIGHT, PLAIN) is None


# --- The view


@pytest.fixture(scope="module")
def shown(qapp):
    current_theme.apply_theme(qapp, DARK)
    view = SceneView()
    view.resize(640, 400)
    plan = compile_plan(scene_of(GOOD))
    view.set_plan(plan)
    view.show_snapshot(evaluate(plan, 1.0), {})
    view.show()
    assert QTest.qWaitForWindowExposed(view)
    yield view
    view.close()
    view.deleteLater()


@pytest.fixture
def view(shown):
    shown.set_navigation(USUAL)
    shown.camera.reset()
    QApplication.processEvents()
    return shown


@pytest.fixture
def menus(view):
    heard: list[object] = []
    view.menu_requested.connect(lambda key, _at: heard.append(key))
    return heard


TOUCHPAD = QPointingDevice(
    "touchpad",
    77,
    QInputDevice.DeviceType.TouchPad,
    QPointingDevice.PointerType.Finger,
    QInputDevice.Capability.Position | QInputDevice.Capability.Scroll | QInputDevice.Capability.PixelScroll,
    2,
    0,
)


def scroll(view, pixels: QPoint, keys=PLAIN, device=TOUCHPAD, phase=Qt.ScrollPhase.NoScrollPhase, angle=None) -> None:
    at = QPointF(320, 200)
    angle = 5 * pixels if angle is None else angle
    more = (NO_BUTTON, keys, phase, False, Qt.MouseEventSource.MouseEventNotSynthesized, device)
    QApplication.sendEvent(view, QWheelEvent(at, view.mapToGlobal(at), pixels, angle, *more))


def pinch(view, value: float, kind=Qt.NativeGestureType.ZoomNativeGesture) -> bool:
    at = QPointF(320, 200)
    event = QNativeGestureEvent(kind, TOUCHPAD, 2, at, at, view.mapToGlobal(at), value, QPointF())
    return QApplication.sendEvent(view, event)


def drag(view, button, keys, by: QPoint, start: QPoint = STARTS) -> None:
    QTest.mousePress(view, button, keys, start)
    for share in (0.5, 1.0):
        QTest.mouseMove(view, start + by * share)
    QTest.mouseRelease(view, button, keys, start + by)


def moves_between(before, after) -> set[str]:
    """Return which of the three moves led from one camera to another."""
    moves = set()
    if not np.allclose(before.direction, after.direction, atol=1e-9):
        moves.add("orbit")
    if not math.isclose(before.distance, after.distance, rel_tol=1e-9):
        moves.add("zoom")
    elif not np.allclose(before.focal_point, after.focal_point, atol=1e-9):
        moves.add("pan")
    return moves


@pytest.mark.parametrize(("preset", "gesture"), DRAGS, ids=IDS)
def test_that_every_gesture_of_every_preset_moves_the_camera_as_the_table_says(view, menus, preset, gesture) -> None:
    view.set_navigation(PRESETS[preset])
    before = view.camera.state
    if gesture.button == NO_BUTTON:
        scroll(view, QPoint(18, 24), gesture.key)
    else:
        drag(view, gesture.button, gesture.key, QPoint(40, 30))
    assert moves_between(before, view.camera.state) == {gesture.move}
    assert menus == []  # it was a drag, no click


@pytest.mark.parametrize("preset", PRESETS)
def test_that_wheel_pinch_selection_and_menu_work_in_every_preset(view, menus, preset) -> None:
    view.set_navigation(PRESETS[preset])
    picked = []
    view.picked.connect(picked.append)
    before = view.camera.state
    wheel(view, 1)
    assert view.camera.state.distance == pytest.approx(before.distance / ZOOM_PER_STEP)
    pinch(view, 0.25)
    assert view.camera.state.distance == pytest.approx(before.distance / ZOOM_PER_STEP / 1.25)
    assert moves_between(before, view.camera.state) == {"zoom"}
    view.camera.reset()
    QApplication.processEvents()
    name, at = next(
        (name, point_in(view, at).toPoint())
        for name in view.renderer.tick.plan.scene.frames
        if (at := view.renderer.position_of(name)) is not None
    )
    before = view.camera.state
    QTest.mouseClick(view, LEFT, PLAIN, at)
    QTest.mouseClick(view, RIGHT, PLAIN, at)
    assert len(picked) == len(menus) == 1
    assert picked[0] == menus[0]
    assert name in picked[0] or picked[0][0] in ("bodies", "sensors", "frames")
    assert view.camera.state == before


@pytest.mark.parametrize("preset", PRESETS)
def test_that_handles_are_dragged_in_every_preset(view, preset) -> None:
    view.set_navigation(PRESETS[preset])
    name = next(iter(view.renderer.tick.plan.scene.frames))
    view.set_selection(name)
    view.set_handles(True)
    view.camera.fit_selection()
    QApplication.processEvents()
    handle = next(
        QPoint(x, y)
        for y in range(4, view.height(), 4)
        for x in range(4, view.width(), 4)
        if view.manipulation.hover(x, view.height() - y) is not None
        and not view.manipulation.why_not(view.manipulation.hover(x, view.height() - y))
    )
    before = view.camera.state
    QTest.mousePress(view, LEFT, PLAIN, handle)
    assert view.manipulation.is_held
    QTest.mouseRelease(view, LEFT, PLAIN, handle)
    assert view.camera.state == before
    view.set_handles(False)
    view.set_selection(None)


def test_that_a_drag_up_of_a_zooming_button_comes_closer(view) -> None:
    view.set_navigation(PRESETS["rviz"])
    before = view.camera.state.distance
    drag(view, RIGHT, PLAIN, QPoint(0, -48), QPoint(60, 200))
    assert view.camera.state.distance == pytest.approx(before / ZOOM_PER_STEP**2)


def test_that_two_fingers_push_the_picture_as_a_drag_does(view) -> None:
    before = view.camera.state
    drag(view, LEFT, PLAIN, QPoint(30, 20))
    dragged = view.camera.state
    view.camera.set_state(before)
    scroll(view, QPoint(30, 20))
    assert np.allclose(view.camera.state.position, dragged.position)
    view.camera.set_state(before)
    drag(view, MIDDLE, PLAIN, QPoint(30, 20))
    dragged = view.camera.state
    view.camera.set_state(before)
    scroll(view, QPoint(30, 20), SHIFT)
    assert np.allclose(view.camera.state.position, dragged.position)


def test_that_a_wheel_that_reports_pixels_still_zooms(view) -> None:
    mouse = QPointingDevice.primaryPointingDevice()
    before = view.camera.state
    scroll(view, QPoint(0, 120), device=mouse, angle=QPoint(0, 120))
    assert view.camera.state.distance == pytest.approx(before.distance / ZOOM_PER_STEP)
    view.camera.set_state(before)
    scroll(view, QPoint(0, 120), device=mouse, phase=Qt.ScrollPhase.ScrollUpdate)  # two fingers on Wayland
    assert moves_between(before, view.camera.state) == {"orbit"}


def test_that_fingers_that_report_no_pixels_or_rest_do_no_harm(view) -> None:
    before = view.camera.state
    scroll(view, QPoint(), angle=QPoint(0, 120))
    assert moves_between(before, view.camera.state) == {"orbit"}
    view.camera.set_state(before)
    scroll(view, QPoint(), angle=QPoint())
    scroll(view, QPoint(), CTRL, angle=QPoint())
    assert moves_between(before, view.camera.state) == set()
    pinch(view, -1.5)  # closer than together
    assert 1.0 < view.camera.state.distance / before.distance < 5.0
    view.camera.set_state(before)
    pinch(view, 0.3, Qt.NativeGestureType.RotateNativeGesture)
    assert view.camera.state == before


def test_that_a_right_button_that_moved_opens_no_menu(view, menus) -> None:
    view.set_navigation(PRESETS["blender"])  # nothing is moved by it
    before = view.camera.state
    drag(view, RIGHT, PLAIN, QPoint(40, 30))
    assert menus == []
    assert view.camera.state == before
    QTest.mouseClick(view, RIGHT, PLAIN, STARTS)
    assert len(menus) == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Period, Qt.Key.Key_Comma])
def test_that_the_point_of_the_number_pad_fits_the_selection(view, key) -> None:
    name = next(iter(view.renderer.tick.plan.scene.frames))
    view.set_selection(name)
    before = view.camera.state
    QTest.keyClick(view, key)  # of the letters: no key of the view
    assert view.camera.state == before
    QTest.keyClick(view, key, Qt.KeyboardModifier.KeypadModifier)
    fitted = view.camera.state
    assert fitted != before
    view.camera.fit()
    view.camera.fit_selection()
    assert view.camera.state.position == pytest.approx(fitted.position)
