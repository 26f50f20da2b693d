"""The 3D view touched: picked, hovered, turned, moved, followed and measured by real mouse and key events."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scipy.spatial.transform import Rotation

from framescope.app import startup
from framescope.app.session.document import Document
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry.drag_geometry import ARROW, Handle, radius_m
from framescope.ui.scene_view.geometry.frame_drag import axes_in_world
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.cases import for_each
from tests.support.hands import CTRL, LEFT, PLAIN, SHIFT, Key, let_go, point_in, pull

SCENE = """\
framescope: 1
title: Touch
frames:
  table:
    parent: world
    position: {value: [0.2, 0.1, 0.3], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: [25, -15, 10], unit: deg}
  cube:
    parent: table
    position: {value: [0.3, 0, 0.4], unit: m}
    orientation: {form: quaternion, value: [0.1, 0.2, -0.3, 0.9273618495], order: xyzw}
  wheel:
    parent: world
    position: {value: ["-0.8 + 0.1*t", 0.3, 0.5], unit: m}
    orientation: {form: axis, axis: z, angle: "40*t", unit: deg}
  rolling:
    parent: wheel
    position: {value: [0, 0, 0.4], unit: m}
    orientation: {form: integrated, w: [0, 0, 1], unit: rad/s, equation: dcm, method: rk4, step: 50 ms}
  mass:
    parent: world
    position: {value: [1.1, 0.2, 0.2], unit: m}
    motion: {form: simulated, model: finite}
  mark: {parent: world, position: {value: [-0.5, 0, 1.0], unit: m}}
bodies:
  block: {frame: table, position: {value: [-0.5, -0.4, 0], unit: m}, shape: {form: box, size: [0.2, 0.2, 0.2], unit: m}}
  ball: {frame: mass, shape: {form: sphere, radius: 8 cm}, mass: 1 kg, inertia: uniform}
points:
  hook: {body: ball, kind: XYZ, offset: {value: [0.25, 0, 0.15], unit: m}}
  eye: {body: ball, kind: XYZ, offset: {value: [0.25, 0, 0.55], unit: m}}
elements:
  spring: {form: spring, point: hook, to: eye, stiffness: 10 N/m}
sensors:
  speed: {form: absolute, frame_a: wheel, get_v: true, arrows: {v: 4 m per m/s}}
measured:
  measurement: {form: pose, of: mark, relative_to: world, position: {value: [-0.5, 0, 1.0], unit: m}}
view:
  hidden: {frames: [mark]}
  camera: {position: [1.6, -3.6, 2.2], focal_point: [0.2, 0.1, 0.5], unit: m, view_angle: 35 deg}
"""


@pytest.fixture
def touch(qtbot, qapp, tmp_path):
    current_theme.apply_theme(qapp, DARK)
    path = tmp_path / "touch.yaml"
    path.write_text(SCENE)
    wiring = startup.make_window(path)
    wiring.window.show()
    with qtbot.waitExposed(wiring.window):
        pass
    wiring.window.activateWindow()
    qtbot.waitUntil(wiring.window.isActiveWindow)
    qtbot.waitUntil(lambda: not wiring.session.plan.pending)
    assert [problem for problem in wiring.session.plan.problems if problem.severity == "red"] == []
    wiring.window.scene_view.setFocus()
    yield wiring
    wiring.session.document = Document(wiring.session.document.scene)
    wiring.window.close()
    wiring.window.deleteLater()


def at(view, p_W) -> QPoint:
    """Return where a point of the world appears in the widget."""
    return point_in(view, view.renderer.projection().project(np.asarray(p_W, dtype=float))[:2]).toPoint()


def click(view, where: QPoint, modifiers=PLAIN) -> None:
    QTest.mouseClick(view, LEFT, modifiers, where)


def pose(wiring, name: str):
    snapshot = wiring.session.snapshot
    row = snapshot.index[name]
    return snapshot.R_WF[row].copy(), snapshot.p_WF[row].copy()


def show_handles(wiring, name: str, axes_of: str = "own"):
    view = wiring.window.scene_view
    wiring.session.select(("frames", name))
    if not view.manipulation.is_on:
        QTest.keyClick(view, Key.Key_G)
    while view.manipulation.axes_of != axes_of:
        QTest.keyClick(view, Key.Key_A)
    assert view.renderer.handle_shapes() is not None
    return view


def axes(wiring, name: str, axes_of: str) -> np.ndarray:
    plan = wiring.session.plan
    parent = plan.names[plan.tree.parents[plan.index[name]]]
    return {"own": pose(wiring, name)[0], "parent": pose(wiring, parent)[0], "world": np.eye(3)}[axes_of]


def arc(view, center, e, angle: float, steps: int = 5) -> list[QPointF]:
    """Return the way of the pointer along a ring, from where nothing else is, by an angle."""
    projection, shapes = view.renderer.projection(), view.renderer.handle_shapes()
    r = radius_m(projection, center)
    side = np.cross(e, np.eye(3)[int(np.argmin(np.abs(e)))])
    side /= np.linalg.norm(side)
    eye = projection.towards_camera(center)
    best, way = -1.0, []
    for begin in np.linspace(0.0, math.tau, 36, endpoint=False):
        phi = begin + np.linspace(0.0, angle, steps)[:, None]
        around = np.cos(phi) * side + np.sin(phi) * np.cross(e, side)
        ring = projection.project(center + r * around)[:, :2]
        handle = view.renderer.handle_at(*ring[0])
        clear = (
            min(np.hypot(*(shapes.rings[k] - ring[0]).T).min() for k in range(3) if handle and k != handle.axis)
            if handle
            else -1.0
        )
        if handle is not None and handle.kind == "turn" and around[0] @ eye > 0.0 and clear > best:
            axis = int(np.argmax(np.abs(shapes_axes(view).T @ e)))
            if handle.axis == axis:
                best, way = clear, [point_in(view, p) for p in ring]
    assert way, "the ring is nowhere free"
    return way


def shapes_axes(view) -> np.ndarray:
    tick = view.renderer.tick
    return axes_in_world(tick.plan, tick.snapshot, view.pointer.selected, view.manipulation.axes_of)


# Picking


def test_that_each_kind_of_item_is_picked_and_shared_and_a_second_click_takes_what_lies_behind(touch) -> None:
    view, session = touch.window.scene_view, touch.session
    R, p = pose(touch, "table")
    R_m, p_m = pose(touch, "mass")
    hook, eye = p_m + R_m @ [0.25, 0, 0.15], p_m + R_m @ [0.25, 0, 0.55]
    arrow = session.snapshot.arrows["speed"]["v"]
    places = {
        ("frames", "table"): p,
        ("frames", "cube"): pose(touch, "cube")[1] + 0.8 * 0.2 * pose(touch, "cube")[0][:, 2],
        ("bodies", "block"): p + R @ [-0.5, -0.4, 0.1],
        ("points", "hook"): hook,
        ("elements", "spring"): (hook + eye) / 2,
        ("sensors", "speed"): arrow.p_W + 0.8 * 4.0 * arrow.vector_W,
        ("measured", "measurement"): [-0.5, 0, 1.0],
    }
    for key, place in places.items():
        click(view, at(view, place))
        assert session.selection == key
        assert touch.window.outline.tree.currentIndex() == touch.window.outline.tree.index_of(key)
    click(view, QPoint(20, view.height() // 2))
    assert session.selection == ("", "")
    where = at(view, p_m)
    click(view, where)
    assert session.selection == ("frames", "mass")
    click(view, where)
    assert session.selection == ("bodies", "ball")


def test_that_a_parallel_picture_is_drawn_and_picked_where_the_projection_says(touch) -> None:
    view = touch.window.scene_view
    size = view.camera.state.distance
    QTest.keyClick(view, Key.Key_5)
    assert view.camera.state.is_parallel
    assert view.camera.state.distance == size
    view.grab()
    for name in ("table", "cube", "mass"):
        click(view, at(view, pose(touch, name)[1]))
        assert touch.session.selection == ("frames", name)
    click(view, at(view, pose(touch, "table")[1] + pose(touch, "table")[0] @ [-0.5, -0.4, 0.1]))
    assert touch.session.selection == ("bodies", "block")
    view.camera.set_state(CameraState((0.2, -0.5, 0.3), (0.2, 0.1, 0.3), is_parallel=True))  # within the scene
    view.camera.set_parallel(True)
    image = view.grabFramebuffer()
    x, y = (v * view.devicePixelRatioF() for v in at(view, pose(touch, "table")[1]).toTuple())
    ball = image.pixelColor(round(x), round(y))
    assert max(ball.red(), ball.green(), ball.blue()) > 90


def test_that_hovering_says_what_it_is_with_its_numbers_until_pointer_or_item_goes(touch, qtbot) -> None:
    view = touch.window.scene_view
    QTest.mouseMove(view, at(view, pose(touch, "table")[1]) + QPoint(2, 1))
    qtbot.waitUntil(view.hovering.card.isVisible)
    text = view.hovering.card.text
    assert text.startswith("table ZYX")
    assert "position from world, in axes of world" in text
    assert "0.2000  0.1000  0.3000 m" in text
    assert "turned from world by" in text
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor
    QTest.mouseMove(view, QPoint(20, view.height() // 2))
    qtbot.waitUntil(lambda: not view.hovering.card.isVisible())
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    window = touch.window
    for where in ("tool of the scene", "another panel", "nowhere"):
        hover_table(touch, qtbot)
        if where == "nowhere":
            QApplication.sendEvent(window.windowHandle(), QEvent(QEvent.Type.Leave))
        else:
            other = view.tools.fit if where == "tool of the scene" else window.outline.tree
            glide(window, other.mapTo(window, other.rect().center()))
        qtbot.waitUntil(lambda: not view.hovering.card.isVisible())
        assert view.hovering.key is None, where
    glide(window, view.mapTo(window, at(view, pose(touch, "wheel")[1]) + QPoint(2, 1)))
    qtbot.waitUntil(view.hovering.card.isVisible)
    assert "wheel" in view.hovering.card.text
    touch.session.scrub(9.0)  # the pointer stays where it is
    qtbot.waitUntil(lambda: not view.hovering.card.isVisible() or "wheel" not in view.hovering.card.text)


def hover_table(touch, qtbot) -> None:
    view = touch.window.scene_view
    place = at(view, pose(touch, "table")[1]) + QPoint(2, 1)
    glide(touch.window, view.mapTo(touch.window, place))
    qtbot.waitUntil(view.hovering.card.isVisible)
    assert view.hovering.card.text.startswith("table")


def glide(window, to: QPoint) -> None:
    """Move the pointer of the window itself: widgets are entered and left by it."""
    QTest.mouseMove(window.windowHandle(), to - QPoint(1, 1))
    QTest.mouseMove(window.windowHandle(), to)


# Turning


@for_each("axes_of", ["own", "parent", "world"])
@for_each("axis", [0, 1, 2])
def test_that_a_ring_turns_the_frame_about_its_axis_by_what_the_pointer_sweeps(touch, axes_of, axis) -> None:
    for name in ("table", "cube"):
        view = show_handles(touch, name, axes_of)
        (R, p), e = pose(touch, name), axes(touch, name, axes_of)[:, axis]
        way = arc(view, p, e, math.radians(30.0))
        pull(view, way)
        R_after, p_after = pose(touch, name)
        exact = Rotation.from_rotvec(math.radians(30.0) * e).as_matrix() @ R
        off = Rotation.from_matrix(exact.T @ R_after).magnitude()
        assert math.degrees(off) < 0.1
        about = Rotation.from_matrix(R_after @ R.T).as_rotvec()
        assert about / np.linalg.norm(about) == pytest.approx(e, abs=1e-5)
        assert p_after == pytest.approx(p)
        assert touch.session.document.history.undo_label.startswith(f"Turned {name} by ")
        touch.session.undo()
        assert pose(touch, name)[0] == pytest.approx(R, abs=1e-12)


@for_each(("modifiers", "step"), [(SHIFT, 5.0), (CTRL, 15.0)])
def test_that_held_keys_snap_and_numbers_stand_beside_the_pointer(touch, modifiers, step) -> None:
    view = show_handles(touch, "cube", "world")
    R, p = pose(touch, "cube")
    pull(view, arc(view, p, np.eye(3)[2], math.radians(33.0)), modifiers, lets_go=False)
    expected = step * round(33.0 / step)
    assert view.hovering.card.isVisible()
    assert view.hovering.card.text == f"+{expected:.2f}° about z of world"
    let_go(view, QPointF(0, 0))
    about = Rotation.from_matrix(pose(touch, "cube")[0] @ R.T).as_rotvec()
    assert np.degrees(about) == pytest.approx([0.0, 0.0, expected], abs=1e-4)
    touch.session.undo()


def test_that_escape_gives_the_turn_up_and_a_second_one_leaves_the_handles_and_time_waits_meanwhile(touch) -> None:
    view = show_handles(touch, "table")
    R, p = pose(touch, "table")
    before = touch.session.document.scene
    pull(view, arc(view, p, R[:, 2], math.radians(40.0)), lets_go=False)
    assert touch.session.is_previewing
    assert pose(touch, "table")[0] != pytest.approx(R)
    QTest.keyClick(view, Key.Key_Escape)
    assert not touch.session.is_previewing
    assert touch.session.document.scene is before
    assert pose(touch, "table")[0] == pytest.approx(R)
    let_go(view, QPointF(100, 100))
    assert touch.session.document.history.undo_label is None
    QTest.keyClick(view, Key.Key_Escape)
    assert view.renderer.handle_shapes() is None
    touch.session.toggle_play()
    touch.session.tick_timer.stop()  # no tick in between: the ring must not move away
    view = show_handles(touch, "wheel")
    p = pose(touch, "wheel")[1]
    pull(view, arc(view, p, np.array([0.0, 0.0, 1.0]), math.radians(20.0)), lets_go=False)
    assert not touch.session.playback.is_playing
    let_go(view, QPointF(0, 0))
    assert touch.session.playback.is_playing
    assert touch.session.document.scene.frames["wheel"].orientation.angle.startswith("40*t + ")
    touch.session.pause()


@for_each(("name", "why"), [("rolling", "integrated from its angular velocity"), ("wheel", "about z only")])
def test_that_what_cannot_be_turned_says_why_at_the_pointer_and_in_the_status_line(touch, name, why, qtbot) -> None:
    view = show_handles(touch, name)
    (R, p), before = pose(touch, name), touch.session.document.scene
    way = arc(view, p, R[:, 0], math.radians(20.0))
    QTest.mouseMove(view, way[0].toPoint())
    qtbot.waitUntil(view.hovering.card.isVisible)
    assert why in view.hovering.card.text
    assert view.cursor().shape() == Qt.CursorShape.ForbiddenCursor
    camera = view.camera.state
    pull(view, way)
    assert why in touch.window.status.message
    assert touch.session.document.scene is before
    assert view.camera.state == camera


def test_that_a_hand_that_turns_is_charted_and_one_that_moves_leaves_the_plots(touch) -> None:
    plots = touch.window.plots
    view = show_handles(touch, "cube", "parent")
    (R, p), e = pose(touch, "cube"), axes(touch, "cube", "parent")
    begin = p + ARROW[1] * radius_m(view.renderer.projection(), p) * e[:, 1]
    pull(view, [QPointF(at(view, begin + 0.02 * k * e[:, 1])) for k in range(6)])
    assert not np.allclose(pose(touch, "cube")[1], p)
    assert not plots.is_covered
    assert not plots.drag_button.isVisible()
    view = show_handles(touch, "cube", "own")
    R, p = pose(touch, "cube")
    pull(view, arc(view, p, R[:, 2], math.radians(40.0)))
    assert plots.is_drag_shown


# Moving


@for_each("axis", [0, 1, 2])
def test_that_an_arrow_moves_the_frame_along_its_axis(touch, axis) -> None:
    view = show_handles(touch, "cube", "parent")
    (R, p), e = pose(touch, "cube"), axes(touch, "cube", "parent")[:, axis]
    tip = view.renderer.handle_shapes().arrows[axis, 1]
    assert view.renderer.handle_at(*tip) == Handle("shift", axis)
    projection = view.renderer.projection()
    begin = p + ARROW[1] * radius_m(projection, p) * e
    way = [point_in(view, projection.project(begin + far * e)[:2]) for far in (0.0, 0.05, 0.1, 0.2)]
    pull(view, way)
    R_after, p_after = pose(touch, "cube")
    moved = p_after - p
    assert moved @ e == pytest.approx(0.2, abs=1e-5)
    assert np.linalg.norm(moved - (moved @ e) * e) < 1e-5
    assert R_after == pytest.approx(R)
    assert "along " in touch.session.document.history.undo_label
    touch.session.undo()
    way[-1] = point_in(view, projection.project(begin + 0.087 * e)[:2])
    pull(view, way, SHIFT)
    assert (pose(touch, "cube")[1] - p) @ e == pytest.approx(0.09, abs=1e-6)
    touch.session.undo()


def test_that_keys_turn_and_move_as_one_step_of_undo(touch, qtbot) -> None:
    view = show_handles(touch, "table", "world")
    R, p = pose(touch, "table")
    QTest.keyClick(view, Key.Key_Z)
    for _ in range(3):
        QTest.keyClick(view, Key.Key_Right)
    QTest.keyClick(view, Key.Key_Right, SHIFT)
    QTest.keyClick(view, Key.Key_Return)
    about = Rotation.from_matrix(pose(touch, "table")[0] @ R.T).as_rotvec()
    assert np.degrees(about) == pytest.approx([0.0, 0.0, 8.0], abs=1e-4)
    QTest.keyClick(view, Key.Key_Z)
    QTest.keyClick(view, Key.Key_Down, CTRL)
    qtbot.waitUntil(lambda: not view.manipulation.is_held)
    assert pose(touch, "table")[1] - p == pytest.approx([0.0, 0.0, -0.1], abs=1e-9)
    touch.session.undo()
    touch.session.undo()
    assert touch.session.document.history.undo_label is None


# Camera


def test_that_presets_look_along_an_axis_and_the_camera_follows_beside_the_origin_or_fixed_to_the_frame(touch) -> None:
    view = touch.window.scene_view
    QTest.keyClick(view, Key.Key_1, Qt.KeyboardModifier.KeypadModifier)
    assert view.camera.state.direction == pytest.approx([0, 1, 0])
    QTest.keyClick(touch.window, Key.Key_6, CTRL)
    assert view.camera.state.direction == pytest.approx([0, 0, -1])
    touch.session.select(("frames", "cube"))
    touch.window.commands.view.along[1].trigger()
    assert view.camera.state.direction == pytest.approx(pose(touch, "cube")[0][:, 1])
    assert view.camera.state.focal_point == pytest.approx(pose(touch, "cube")[1])
    touch.window.commands.view.fit_selection.trigger()
    assert view.camera.state.distance < 1.5
    session = touch.session
    session.select(("frames", "wheel"))
    before, p = view.camera.state, pose(touch, "wheel")[1]
    touch.window.commands.view.follow["origin"].trigger()
    session.scrub(3.0)
    R_after, p_after = pose(touch, "wheel")
    assert view.camera.state.position == pytest.approx(np.add(before.position, p_after - p))
    touch.window.commands.view.follow["frame"].trigger()
    here = R_after.T @ (view.camera.state.position - p_after)
    session.scrub(5.0)
    R_later, p_later = pose(touch, "wheel")
    assert R_later.T @ (view.camera.state.position - p_later) == pytest.approx(here)
    view.tools.follow.click()
    there = view.camera.state
    session.scrub(1.0)
    assert view.camera.state == there


# Measuring


def test_that_the_measure_tool_measures_and_escape_leaves(touch) -> None:
    view = touch.window.scene_view
    touch.session.select(("frames", "table"))
    view.tools.measure.click()
    click(view, at(view, pose(touch, "cube")[1]))
    assert touch.session.selection == ("frames", "table")
    card = view.measuring.card
    assert card.isVisible()
    assert card.text.startswith("cube relative to table")
    assert "0.5000 m" in card.text  # 0.3 and 0.4
    assert "in axes of table" in card.text
    assert view.tools.measure.isChecked()
    QTest.keyClick(view, Key.Key_Escape)
    assert not card.isVisible()
    assert not view.tools.measure.isChecked()
    view.tools.measure.click()
    click(view, at(view, pose(touch, "mass")[1]))
    assert view.measuring.frames == ("table", "mass")
