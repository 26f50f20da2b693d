"""The 3D view's camera by real mouse, wheel and key events."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core import frames
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.interaction.camera_control import ZOOM_PER_STEP
from framescope.ui.scene_view.interaction.mouse_modes import TURN_PER_PIXEL
from framescope.ui.scene_view.scene_view import KEY_TURN, SceneView
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import least_opacity
from tests.support.scenes import GOOD, scene_of
from tests.support.wrappers import outlived_surfaces

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot, qapp):
    current_theme.apply_theme(qapp, DARK)
    view = SceneView()
    view.resize(640, 400)
    scene = scene_of(GOOD)
    plan = compile_plan(scene)
    view.set_plan(plan)
    view.show_snapshot(evaluate(plan, 1.0), trails(plan, 1.0))
    with qtbot.waitSignal(view.first_frame):
        view.show()
    yield view
    view.close()
    view.deleteLater()


def drag(view, start: QPoint, by: QPoint, button=LEFT, modifiers=NONE) -> None:
    QTest.mousePress(view, button, modifiers, start)
    for share in (0.5, 1.0):
        QTest.mouseMove(view, start + by * share)
    QTest.mouseRelease(view, button, modifiers, start + by)


def azimuth(camera) -> float:
    offset = np.subtract(camera.position, camera.focal_point)
    return math.atan2(offset[1], offset[0])


def elevation(camera) -> float:
    offset = np.subtract(camera.position, camera.focal_point)
    return math.asin(offset[2] / np.linalg.norm(offset))


def test_that_edges_are_smooth_without_a_graphics_card_once_nothing_moves(view, qtbot) -> None:
    layers, is_software = view.renderer.layers, view.drawing.name.startswith("software")
    qtbot.waitUntil(lambda: layers.has_smooth_edges == is_software)
    view.drawing.hurry()
    assert not layers.has_smooth_edges
    qtbot.waitUntil(lambda: layers.has_smooth_edges == is_software)


def test_that_dragging_turns_the_camera_about_its_focal_point(view) -> None:
    before = view.camera.state
    drag(view, QPoint(320, 330), QPoint(60, -20))
    after = view.camera.state
    assert after.focal_point == before.focal_point
    assert after.distance == pytest.approx(before.distance)
    assert azimuth(after) - azimuth(before) == pytest.approx(-60 * TURN_PER_PIXEL)
    assert elevation(after) - elevation(before) == pytest.approx(-20 * TURN_PER_PIXEL)


def test_that_a_shift_drag_carries_the_focal_point_with_the_pointer(view) -> None:
    projection = view.renderer.projection()
    focal = np.array(view.camera.state.focal_point)
    drag(view, QPoint(320, 330), QPoint(40, 10), modifiers=Qt.KeyboardModifier.ShiftModifier)
    # The camera moved with its focal point: seen from the old place, that one went the other way.
    moved = projection.project(np.array(view.camera.state.focal_point)) - projection.project(focal)
    assert moved[:2] == pytest.approx([-40.0, 10.0], abs=0.5)


def test_that_the_wheel_zooms_to_the_pointer(view, qtbot) -> None:
    at = QPointF(200, 120)
    x, y = at.x(), view.height() - at.y()
    camera = view.camera.state
    ray = view.renderer.projection().ray(x, y)
    point = np.array(camera.position) + ray * camera.distance / float(ray @ camera.direction)
    before = view.camera.state.distance
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    assert view.camera.state.distance == pytest.approx(before / ZOOM_PER_STEP)
    assert view.renderer.projection().project(point)[:2] == pytest.approx([x, y], abs=0.1)


def test_that_keys_turn_zoom_and_go_home(view) -> None:
    home = view.camera.state
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert azimuth(view.camera.state) - azimuth(home) == pytest.approx(KEY_TURN)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.camera.state.distance == pytest.approx(home.distance / ZOOM_PER_STEP)
    QTest.keyClick(view, Qt.Key.Key_R)
    assert view.camera.state == home


def test_that_home_and_end_jump_in_time_and_leave_the_camera(view) -> None:
    QTest.keyClick(view, Qt.Key.Key_Right)
    camera, jumps = view.camera.state, []
    view.jumped.connect(jumps.append)
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert jumps == [True, False]
    assert view.camera.state == camera


def test_that_fitting_brings_everything_into_the_picture(view) -> None:
    view.camera.set_state(view.camera.state.__class__(position=(50.0, 0.0, 0.0)))
    QTest.mouseDClick(view, LEFT, pos=QPoint(10, 390))
    for name in ("world", "stand", "ring", "top"):
        at = view.position_of(name)
        assert 0 <= at.x() <= view.width()
        assert 0 <= at.y() <= view.height()


def test_that_a_click_picks_a_frame_and_the_ground_picks_nothing(view, qtbot) -> None:
    with qtbot.waitSignal(view.picked) as caught:
        QTest.mouseClick(view, LEFT, pos=view.position_of("world").toPoint())
    assert caught.args == [("frames", "world")]
    with qtbot.waitSignal(view.picked) as caught:
        QTest.mouseClick(view, LEFT, pos=QPoint(630, 200))
    assert caught.args == [("", "")]


def test_that_the_renderer_is_named(view) -> None:
    assert view.drawing.name
    assert view.drawing.frames_per_second >= 1.0


def test_that_the_picture_shows_the_axes_in_their_colours(view) -> None:
    image = view.grabFramebuffer().convertToFormat(view.grabFramebuffer().Format.Format_RGB888)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = pixels[:, : 3 * image.width()].reshape(-1, 3).astype(int)
    for color in DARK.axes:
        target = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(pixels - target).max(axis=1) < 45).sum() > 30


@pytest.mark.parametrize("is_moving", [False, True])
def test_that_the_picture_is_opaque_everywhere(view, is_moving) -> None:
    if is_moving:
        drag(view, QPoint(320, 330), QPoint(60, -20))
    assert least_opacity(view.grabFramebuffer()) == 255


@pytest.mark.parametrize("is_parallel", [False, True])
def test_that_sizes_of_pixels_are_the_same_for_points_given_in_a_frame(is_parallel) -> None:
    camera = CameraState((2.0, -3.0, 1.5), (0.1, 0.2, 0.3), is_parallel=is_parallel)
    projection = Projection(camera, 640, 480, 1.0)
    R_WF = frames.axes_rotations("ZYX", [0.3, -0.8, 1.2], 0).T
    points, p_WF = np.random.default_rng(3).normal(size=(20, 3)), np.array([0.5, -0.2, 0.1])
    found = projection.sizes_in_frame(points, R_WF, p_WF, np.empty(20))
    np.testing.assert_allclose(found, projection.sizes_of_pixels(points @ R_WF.T + p_WF), rtol=1e-12)


def test_that_a_sensor_that_is_new_in_the_scene_waits_for_its_first_snapshot(view) -> None:
    sensor = "{form: absolute, frame_a: ring, get_w: true, arrows: {w: 0.1 m per rad/s}}"
    scene = scene_of(GOOD + f"sensors:\n  gyro: {sensor}\n")
    plan = compile_plan(scene)
    view.set_plan(plan)  # the last snapshot is of the scene without it
    view.show_snapshot(evaluate(plan, 1.0), trails(plan, 1.0))
    assert view.renderer.pose_of("ring") is not None


def test_that_python_lets_go_of_what_was_drawn_on_when_the_window_around_the_view_goes(qtbot, dark) -> None:
    window = QWidget()
    view = SceneView(window)
    view.resize(200, 200)
    with qtbot.waitSignal(view.first_frame):
        window.show()
    view.close()
    shiboken6.delete(window)
    assert not shiboken6.isValid(view)  # what is left of it in Python holds nothing that Qt has taken away
    assert outlived_surfaces() == []
