"""Things in the whole window by real events: from the menu, from the outline, by searching, undone and saved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import find_scene
from framescope.core.scene.files.loading import load_scene
from framescope.features.things.feature import FEATURE
from framescope.ui.palette.command import commands_of_actions
from tests.support.hands import CTRL, SHIFT, Key, strike
from tests.support.whole_window import (
    choose,
    click,
    click_item,
    follow,
    from_menu,
    strike_in,
    wait_for,
    wait_until_saved,
    window_menu,
    windows,
)

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  body_frd:
    parent: world
    position: {value: [0, 0, 0.5], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["20*t", 0, 180], unit: deg}
bodies:
  hull: {frame: body_frd, shape: {form: box, size: [40, 20, 5], unit: cm}}
"""

FINDS = {
    "FRD": "Body or base frame: Body frame FRD",
    "FLU": "Body or base frame: Body frame FLU",
    "NED": "Body or base frame: Base NED",
    "enu": "Body or base frame: Base ENU",
    "latitude": "Body or base frame: ECEF tangent",
    "optical": "Equipment: Camera",
    "field of view": "Equipment: Camera",
    "add camera": "Equipment: Camera",
    "GPS": "Equipment: GNSS antenna",
    "lidar": "Equipment: Lidar",
    "yaw rate": "Equipment: IMU",
    "gyroscope": "Equipment: IMU",
    "tyre": "Equipment: Wheel",
    "rotor": "Equipment: Propeller",
    "tcp": "Equipment: Gripper",
}
"""What is typed, and what is then among the first three."""


@pytest.fixture
def wiring(qtbot, tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        yield open_it(path)


@pytest.fixture
def demo_window(qtbot):
    with windows(qtbot) as open_it:
        yield open_it(find_scene("demo"))


def search(wiring, query: str):
    """Type into the palette, and return it."""
    palette = wiring.preferences.command_palette
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.clear()
    QTest.keyClicks(palette.field, query)
    return palette


def test_that_a_camera_from_the_menu_is_selected_renamed_undone_and_saved(wiring) -> None:
    session, tree = wiring.session, wiring.window.outline.tree
    before = session.document.scene
    click_item(wiring, ("bodies", "hull"))
    from_menu(wiring, "Insert", "Camera")
    assert session.selection == ("frames", "camera")
    assert tree.selected_keys() == (("frames", "camera"),)
    scene = session.document.scene
    assert scene.frames["camera"].parent == "body_frd"
    assert scene.frames["camera_optical"].orientation.angles == (90.0, 0.0, 90.0)
    assert session.problems == ()
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before
    strike_in(wiring, Key.Key_Z, CTRL | SHIFT)
    assert session.document.scene == scene
    click_item(wiring, ("frames", "camera"))
    strike(tree, Key.Key_F2)
    QTest.keyClicks(QApplication.focusWidget(), "front camera")
    strike(wiring.window, Key.Key_Return)
    assert session.document.scene.frames["camera_optical"].parent == "front camera"
    strike_in(wiring, Key.Key_S, CTRL)
    wait_until_saved(wiring)
    assert load_scene(session.document.path).scene == session.document.scene


def test_that_a_body_frame_replaces_the_frame_of_a_new_scene_in_one_step(wiring) -> None:
    session = wiring.session
    strike_in(wiring, Key.Key_N, CTRL)
    before = session.document.scene
    assert list(before.frames) == ["frame 1"]
    assert session.selection == ("frames", "frame 1")
    from_menu(wiring, "Insert", "Body frame FLU")
    scene = session.document.scene
    assert {name: frame.parent for name, frame in scene.frames.items()} == {"body_flu": "world"}
    assert session.selection == ("frames", "body_flu")
    from_menu(wiring, "Insert", "Camera")
    from_menu(wiring, "Insert", "Body frame FRD")
    frames = session.document.scene.frames
    assert (frames["camera"].parent, frames["body_frd"].parent) == ("body_flu", "world")
    for _ in range(3):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_an_imu_is_inserted_by_searching_for_the_yaw_rate(wiring) -> None:
    session = wiring.session
    click_item(wiring, ("frames", "body_frd"))
    before = session.document.scene
    search(wiring, "yaw rate")
    strike(wiring.window, Key.Key_Return)
    assert session.selection == ("frames", "imu")
    assert session.document.scene.sensors["imu_data"].frame_a == "imu"
    wait_for(lambda: "imu" in session.snapshot.index)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_a_level_frame_is_added_with_the_button_of_the_outline(wiring) -> None:
    session, outline = wiring.session, wiring.window.outline
    before = session.document.scene
    click_item(wiring, ("frames", "world"))
    button, _ = outline.header_buttons()

    def choose_in_menu() -> None:
        choose(QApplication.activePopupWidget(), "Base NED")

    QTimer.singleShot(100, choose_in_menu)  # the menu of a button waits for a choice
    click(button)
    assert session.selection == ("frames", "ned")
    assert session.document.scene.frames["ned"].orientation.angles == (90.0, 0.0, 180.0)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_what_is_inserted_comes_into_the_picture_with_its_mount(wiring) -> None:
    session, view = wiring.session, wiring.window.scene_view
    session.pause()
    click_item(wiring, ("frames", "body_frd"))
    for name in ("Camera", "IMU", "Propeller", "GNSS antenna", "Lidar", "Wheel"):
        from_menu(wiring, "Insert", name)
        frame = session.selection[1]
        assert session.document.scene.frames[frame].parent == "body_frd"
        follow(wiring)
        width, height = view.renderer.layers.size
        for shown in (frame, "body_frd"):
            x, y, depth = view.renderer.projection().project(view.renderer.pose_of(shown)[1])
            assert 0 < x < width, (name, shown)
            assert 0 < y < height, (name, shown)
            assert depth > 0
    state = view.camera.state
    click_item(wiring, ("frames", "imu"))
    from_menu(wiring, "Insert", "Note")
    assert view.camera.state == state, "what is in the picture already moves no camera"


def test_that_the_camera_stays_where_it_shows_what_is_inserted(demo_window) -> None:
    session, window = demo_window.session, demo_window.window
    camera = window.scene_view.camera
    session.pause()
    before = camera.state
    for frame in ("inner ring", "camera", "stand", "world"):
        for path in (("Shape", "Box"), ("Frame",), ("Camera",), ("Absolute sensor",), ("Note",)):
            session.select(("frames", frame))
            from_menu(demo_window, "Insert", *path)
            follow(demo_window)
            assert camera.state == before, (frame, path)
            session.undo()
    session.select(("frames", "stand"))
    from_menu(demo_window, "Insert", "Frame")
    camera.set_state(replace(before, position=(30.0, 0.0, 1.0), focal_point=(40.0, 0.0, 1.0)))  # it looks away
    session.select(("frames", "world"))
    from_menu(demo_window, "Insert", "Frame")
    follow(demo_window)
    assert camera.is_in_view(session.selected_frame())
    assert camera.state.distance == pytest.approx(10.0)


def test_that_words_of_the_field_find_each_thing(wiring) -> None:
    for query, title in FINDS.items():
        assert title in search(wiring, query).titles()[:3], query
    strike(wiring.window, Key.Key_Escape)
    titles = {command.title for command in commands_of_actions(wiring.window.header.menu_bar.actions())}
    assert {insertion.title for insertion in FEATURE.insertions} <= titles


def test_that_frames_and_equipment_come_first_in_the_menu(wiring) -> None:
    menu = window_menu(wiring, "Insert")
    texts = [action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()]
    assert texts[:2] == ["Frame", "Body frame FLU"]
    assert texts.index("Camera") < texts.index("Shape")
    menu.close()
