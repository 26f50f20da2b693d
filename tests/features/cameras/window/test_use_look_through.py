"""The picture that a camera sees, by mouse and keyboard in the whole window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.edits.items import remove_items
from framescope.features.cameras.app.look_through import LookThrough
from framescope.features.cameras.ui.picture_place import TITLE
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.scene_view.visuals.frame_names import Labels
from framescope.ui.scene_view.visuals.view_cube import ViewCube
from tests.support.hands import CTRL, LEFT, PLAIN, Key, least_opacity, let_go, mouse, pull, strike, wheel
from tests.support.whole_window import click, click_item, strike_in, wait_for, windows

SCENE = """\
framescope: 1
title: A car and a ball
time: {start: 0 s, end: 10 s}
frames:
  car:
    parent: world
    position: {value: [0, "0.3*t", 1], unit: m}
  cam0:
    parent: car
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}
  ball: {parent: world, position: {value: [4, 0, 1], unit: m}}
bodies:
  hull: {frame: car, shape: {form: box, size: [1, 0.5, 0.5], unit: m}}
  view: {frame: cam0, shape: {form: frustum, depth: 1 m, width: 1.5 m, height: 1 m}}
  marker: {frame: ball, color: "#ff00ff", shape: {form: sphere, radius: 200 mm}}
view: {triads: false, labels: false, links: false}
"""


@pytest.fixture
def desk(qtbot, tmp_path, dark):
    path = tmp_path / "car.yaml"
    path.write_text(SCENE, "utf-8")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        wiring.window.resize(1280, 800)
        wiring.session.select(("frames", "cam0"))
        yield wiring


def controller(wiring) -> LookThrough:
    return wiring.window.findChild(LookThrough)


def look(wiring):
    action(wiring).trigger()
    picture = controller(wiring).picture
    assert picture is not None
    drawn(wiring)
    return picture


def action(wiring):
    return wiring.window.commands.of_features["look_through"]


def drawn(wiring) -> None:
    wiring.window.scene_view.repaint()
    QApplication.processEvents()


def position(name: str, value: tuple[float | str, ...]) -> Edit:
    return set_values({("frames", name, "position", "value"): value}, f"Moved {name}")


def marker_in(wiring, picture) -> tuple[float, float]:
    """Return where the marker's colour is in the picture: the centre, in widths and heights from the upper left."""
    drawn(wiring)
    view = wiring.window.scene_view
    image = view.grabFramebuffer()
    ratio = image.width() / view.width()
    area, box = picture.frame.picture, image.convertToFormat(image.Format.Format_RGB888)
    pixels = np.frombuffer(box.constBits(), np.uint8).reshape(box.height(), -1)[:, : 3 * box.width()]
    pixels = pixels.reshape(box.height(), box.width(), 3).astype(int)
    left, top = round(area.left() * ratio), round(area.top() * ratio)
    width, height = round(area.width() * ratio), round(area.height() * ratio)
    inside = pixels[top : top + height, left : left + width]
    red, green, blue = np.moveaxis(inside, -1, 0)
    rows, columns = np.nonzero((red > 100) & (blue > 100) & (green < 80))
    assert len(rows), "no marker in the picture"
    return float(columns.mean() + 0.5) / width, float(rows.mean() + 0.5) / height


def test_that_the_picture_shows_the_marker_where_the_camera_sees_it_and_follows_time(desk) -> None:
    camera = desk.window.scene_view.camera.state
    picture = look(desk)
    assert action(desk).isChecked()
    assert picture.frame.title.text() == "cam0 sees"
    area, view = picture.frame.geometry(), desk.window.scene_view.rect()
    assert area.width() == pytest.approx(0.3 * view.width(), abs=2)
    assert (area.height() - TITLE) * 1.5 == pytest.approx(area.width(), abs=2)
    x, y = marker_in(desk, picture)
    assert (x, y) == pytest.approx((0.5, 0.5), abs=0.02)
    desk.session.scrub(4.0)  # the car is 1.2 m to the left of the ball, 4 m before it
    x, y = marker_in(desk, picture)
    assert (x, y) == pytest.approx((0.5 + 1.2 / 4.0 / 1.5, 0.5), abs=0.02)
    assert desk.window.scene_view.camera.state == camera


def test_that_the_view_stays_opaque_under_it(desk) -> None:
    look(desk)
    assert least_opacity(desk.window.scene_view.grabFramebuffer()) == 255


def test_that_the_camera_and_its_car_are_not_in_their_own_picture(desk) -> None:
    """The hull of the car is around the camera."""
    picture = look(desk)
    own = {body.name for body in picture.renderer.tick.plan.view_data.bodies}
    assert own == {"marker"}
    assert picture.renderer.visual(Bodies) is not None
    assert picture.renderer.visual(ViewCube) is None
    scene = desk.window.scene_view.renderer.tick.plan.view_data
    assert {body.name for body in scene.bodies} == {"hull", "view", "marker"}


def test_that_it_follows_a_drag_before_its_end(desk) -> None:
    picture = look(desk)
    view = desk.window.scene_view
    view.edits.preview(position("ball", (4.0, 0.6, 1.0)))
    wait_for(lambda: desk.session.is_previewing)
    x, _ = marker_in(desk, picture)
    assert x == pytest.approx(0.5 - 0.6 / 4.0 / 1.5, abs=0.02)
    view.edits.cancel()


def test_that_the_mouse_over_it_turns_and_zooms_nothing(desk) -> None:
    picture = look(desk)
    before = desk.window.scene_view.camera.state
    frame = picture.frame
    centre = QPointF(frame.rect().center())
    pull(frame, [centre, centre + QPointF(40, 10), centre + QPointF(80, 30)])
    wheel(frame, 3)
    click(frame)
    assert desk.window.scene_view.camera.state == before
    assert desk.session.selection == ("frames", "cam0")


def test_that_the_inner_corner_resizes_it_up_to_the_full_view(desk) -> None:
    picture = look(desk)
    frame, view = picture.frame, desk.window.scene_view
    right, width = frame.geometry().right(), frame.width()
    drag_corner(frame, QPoint(-120, 0))
    assert frame.width() == pytest.approx(width + 120, abs=3)
    assert frame.geometry().right() == right
    assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)
    drag_corner(frame, QPoint(-2000, 0))
    assert frame.place.is_full
    assert frame.height() == pytest.approx(view.height(), abs=2) or frame.width() == view.width()
    assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)
    drag_corner(frame, QPoint(200, 0))
    assert not frame.place.is_full


def drag_corner(frame, by: QPoint) -> None:
    """Drag the upper left corner of the frame; the frame changes under the hand."""
    start = frame.mapTo(frame.parentWidget(), QPoint(2, 2))
    mouse(frame, QEvent.Type.MouseButtonPress, QPointF(2, 2), PLAIN)
    for share in (0.3, 0.6, 1.0):
        at = start + QPoint(round(share * by.x()), round(share * by.y()))
        mouse(frame, QEvent.Type.MouseMove, QPointF(frame.mapFromParent(at)), PLAIN)
    let_go(frame, QPointF(frame.mapFromParent(start + by)))


def test_that_a_double_click_and_its_button_switch_full_size_and_back(desk) -> None:
    picture = look(desk)
    frame = picture.frame
    small = frame.geometry()
    QTest.mouseDClick(frame, LEFT, PLAIN, frame.rect().center())
    assert frame.place.is_full
    click(frame.full)
    assert frame.geometry() == small


def test_that_names_of_the_scene_stay_off_it(desk) -> None:
    desk.session.commit(set_values({("view", "labels"): True}, "Show names"))
    view = desk.window.scene_view
    frame = look(desk).frame
    ratio, box = view.devicePixelRatioF(), frame.geometry()
    for _ in range(3):  # the ball is nearer than the point about which the camera turns, so it moves further
        x, y = view.renderer.position_of("ball")
        view.camera.pan((box.left() + 12) * ratio - x, (view.height() - box.top() - 30) * ratio - y)
        drawn(desk)
    assert box.contains(view.position_of("ball").toPoint())
    left, bottom, right, top = view.renderer.visual(Labels).box_of("ball")
    plate = QRectF(left / ratio, view.height() - top / ratio, (right - left) / ratio, (top - bottom) / ratio)
    assert not plate.intersects(QRectF(box).adjusted(2, 2, -2, -2))


def test_that_its_title_moves_it_to_the_other_corner(desk) -> None:
    frame = look(desk).frame
    way = [QPointF(60, 14), QPointF(-100, 14), QPointF(-frame.x() + 40, 14)]
    pull(frame, way)
    assert frame.place.corner == "left"
    assert frame.x() < 40


def test_that_keys_resize_move_and_close_it(desk) -> None:
    frame = look(desk).frame
    frame.setFocus()
    width, x = frame.width(), frame.x()
    strike(frame, Key.Key_Plus)
    assert frame.width() > width
    strike(frame, Key.Key_Minus)
    assert frame.width() == pytest.approx(width, abs=2)
    strike(frame, Key.Key_Left)
    assert frame.x() < x
    strike(frame, Key.Key_Return)
    assert frame.place.is_full
    strike(frame, Key.Key_Escape)
    assert controller(desk).picture is None
    assert desk.window.scene_view.hasFocus()
    assert look(desk).frame.place.is_full  # as it was left


def test_that_escape_in_the_scene_its_button_and_the_action_close_it(desk) -> None:
    for close in (
        lambda picture: (desk.window.scene_view.setFocus(), strike_in(desk, Key.Key_Escape)),
        lambda picture: click(picture.frame.close_button),
        lambda picture: action(desk).trigger(),
    ):
        close(look(desk))
        assert controller(desk).picture is None
        assert not action(desk).isChecked()
        drawn(desk)
        assert desk.window.scene_view.GetRenderWindow().GetRenderers().GetNumberOfItems() == 3
        assert desk.window.scene_view.GetRenderWindow().GetNumberOfLayers() == 3


def test_that_another_frame_is_looked_through_next(desk) -> None:
    look(desk)
    desk.session.select(("frames", "ball"))
    assert not action(desk).isChecked()
    assert controller(desk).picture.frame.title.text() == "cam0 sees"
    assert look(desk).frame.title.text() == "ball sees"
    assert action(desk).isChecked()
    desk.session.select(("", ""))
    action(desk).trigger()
    assert controller(desk).picture is None


def test_that_without_a_frame_it_takes_the_first_camera(desk) -> None:
    desk.session.select(("", ""))
    look(desk)
    assert controller(desk).frame == "cam0"
    action(desk).trigger()
    assert controller(desk).picture is None


def test_that_without_a_frame_and_a_camera_it_says_what_to_do(desk) -> None:
    desk.session.commit(remove_items(desk.session.document.scene, [("bodies", "view")]))
    desk.session.select(("", ""))
    action(desk).trigger()
    assert controller(desk).picture is None
    assert not action(desk).isChecked()
    assert "Select a frame" in desk.window.status.message


def test_that_it_closes_with_its_frame_and_with_the_scene(desk, tmp_path) -> None:
    look(desk)
    click_item(desk, ("frames", "cam0"))
    strike_in(desk, Key.Key_Delete)
    assert "cam0" not in desk.session.plan.index
    assert controller(desk).picture is None
    desk.session.undo()
    desk.session.select(("frames", "cam0"))
    look(desk)
    other = tmp_path / "other.yaml"
    other.write_text(SCENE.replace("A car", "Another car"), "utf-8")
    desk.files.open(Path(other))
    wait_for(lambda: desk.session.document.name == "other.yaml")
    assert controller(desk).picture is None
    drawn(desk)


def test_that_a_frame_without_a_pose_says_so_and_comes_back(desk) -> None:
    picture = look(desk)
    desk.session.commit(position("car", ("1/0", 0.0, 0.0)))
    drawn(desk)
    assert picture.frame.R_WE is None
    desk.session.undo()
    drawn(desk)
    assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)


def test_that_it_makes_room_for_a_rotation_turn_by_turn(desk) -> None:
    look(desk)
    desk.window.commands.staged.trigger()
    assert controller(desk).picture is None
    drawn(desk)
    desk.window.commands.staged.trigger()
    assert controller(desk).picture is not None
    assert action(desk).isChecked()
    drawn(desk)


def test_that_it_stays_in_a_presentation_and_in_both_themes(desk) -> None:
    picture = look(desk)
    title = picture.frame.title.height()
    desk.window.commands.present.trigger()
    wait_for(desk.window.isFullScreen)
    assert desk.window.scene_view.rect().contains(picture.frame.geometry())
    assert picture.frame.title.height() > title  # readable from the last row
    assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)
    desk.window.scene_view.setFocus()
    strike_in(desk, Key.Key_Escape)
    assert desk.window.isFullScreen()  # Escape closes the picture first
    assert controller(desk).picture is None
    picture = look(desk)
    desk.window.commands.present.trigger()
    wait_for(lambda: not desk.window.isFullScreen())
    desk.window.commands.theme.trigger()
    assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)
    desk.window.commands.theme.trigger()


def test_that_a_search_finds_it(desk) -> None:
    palette = desk.preferences.command_palette
    strike_in(desk, Key.Key_K, CTRL)
    for words in ("look through", "camera view", "camera picture", "point of view"):
        palette.field.setText(words)
        assert "Look through" in palette.titles()[:5], words
    palette.field.clear()
    for letter in "look through":
        QTest.keyClick(palette.field, letter)
    strike(desk.window, Key.Key_Return)
    assert controller(desk).frame == "cam0"


IMAGES = """\
framescope: 1
frames:
  map: {parent: world}
  ball: {parent: map, position: {value: [3, 0, 0], unit: m}}
bodies:
  first: {frame: map, shape: {form: frustum, depth: 1 m, width: 1.5 m, height: 1 m},
    position: {value: [3, 0, -4], unit: m}}
  second: {frame: map, shape: {form: frustum, depth: 1 m, width: 1.5 m, height: 1 m},
    position: {value: [4.2, 0, -4], unit: m}}
  marker: {frame: map, color: "#ff00ff", position: {value: [3, 0, 0], unit: m}, shape: {form: sphere, radius: 200 mm}}
view: {triads: false, labels: false, links: false}
"""


def test_that_each_image_of_a_reconstruction_is_looked_through(qtbot, tmp_path, dark) -> None:
    path = tmp_path / "images.yaml"
    path.write_text(IMAGES, "utf-8")
    with windows(qtbot) as open_it:
        desk = open_it(path)
        desk.window.resize(1280, 800)
        click_item(desk, ("bodies", "second"))
        picture = look(desk)
        assert picture.frame.title.text() == "second sees"
        assert "second on map" in desk.window.status.message
        assert marker_in(desk, picture) == pytest.approx((0.5 - 1.2 / 4.0 / 1.5, 0.5), abs=0.02)
        click_item(desk, ("frames", "map"))
        assert not action(desk).isChecked()
        picture = look(desk)
        assert picture.frame.title.text() == "first sees"
        assert marker_in(desk, picture) == pytest.approx((0.5, 0.5), abs=0.02)
        action(desk).trigger()
        assert controller(desk).picture is None
