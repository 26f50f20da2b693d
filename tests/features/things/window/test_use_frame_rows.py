"""A frame as one row of typing, by real keys in the whole window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.core.scene.schema.model import NO_ITEM
from framescope.features.things.ui.frame_row_bar import FrameRowBar
from tests.support.hands import CTRL, SHIFT, Key, strike
from tests.support.whole_window import click, click_item, from_menu, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  base_link: {parent: world}
  base_footprint: {parent: world}
  inner ring: {parent: base_link}
"""


@pytest.fixture
def desk(shared_window, tmp_path):
    path = tmp_path / "robot.yaml"
    path.write_text(SCENE, "utf-8")
    wiring = shared_window(path)
    wiring.session.select(NO_ITEM)
    yield wiring
    wiring.session.document.is_handed_back = True


def bar_of(wiring) -> FrameRowBar:
    strike_in(wiring, Key.Key_I, CTRL | SHIFT)
    wait_for(lambda: wiring.window.findChild(FrameRowBar) is not None)
    bar = wiring.window.findChild(FrameRowBar)
    wait_for(lambda: bar.isVisible() and bar.field.hasFocus())
    return bar


def type_row(bar: FrameRowBar, text: str) -> None:
    QTest.keyClicks(bar.field, text)


def shown(bar: FrameRowBar) -> dict[str, str]:
    return {key: value.text() for key, value in zip(bar.keys, bar.values, strict=True) if value.text() != "–"}


def roles(bar: FrameRowBar) -> dict[str, str]:
    return {key: value.property("role") for key, value in zip(bar.keys, bar.values, strict=True)}


def frames(wiring) -> list[str]:
    return list(wiring.session.document.scene.frames)


def test_that_a_row_is_typed_completed_shown_and_inserted_in_one_step(desk) -> None:
    session, before = desk.session, desk.session.document.scene
    bar = bar_of(desk)
    type_row(bar, "camera base")
    assert bar.offered == ("base_link", "base_footprint")
    assert "base_link" in bar.line.text()
    assert roles(bar)["parent"] != "error", "it is being completed"
    strike(bar.field, Key.Key_Down)
    strike(bar.field, Key.Key_Up)
    strike(bar.field, Key.Key_Tab)
    assert bar.field.text() == "camera base_link "
    type_row(bar, "0.1 0 0.25 0 -10 0 ")
    assert "Degrees: an angle exceeds a full turn of radians." in bar.line.text()
    type_row(bar, "deg optical")
    assert shown(bar) == {
        "name": "camera",
        "parent": "base_link",
        "x": "0.1",
        "y": "0",
        "z": "0.25",
        "roll": "0",
        "pitch": "-10",
        "yaw": "0",
        "unit": "deg",
        "axes": "optical",
    }
    assert "camera" in session.plan.index, "it is in the scene while it is typed"
    assert session.document.scene is before
    strike(bar.field, Key.Key_Return)
    assert not bar.isVisible()
    assert session.selection == ("frames", "camera")
    frame = session.document.scene.frames["camera"]
    assert frame.parent == "base_link"
    assert [float(x) for x in frame.orientation.angles] == pytest.approx([-90.0, 0.0, -80.0])
    assert session.document.history.undo_label == "Inserted camera"
    strike_in(desk, Key.Key_Z, CTRL)
    assert session.document.scene == before


def test_that_escape_and_a_click_elsewhere_leave_the_scene(desk) -> None:
    session, before = desk.session, desk.session.document.scene
    for leave in (lambda bar: strike(bar.field, Key.Key_Escape), lambda _: click(desk.window.outline.tree.viewport())):
        bar = bar_of(desk)
        type_row(bar, "camera base_link 1 2 3")
        assert "camera" in session.plan.index
        leave(bar)
        wait_for(lambda bar=bar: not bar.isVisible())
        assert "camera" not in session.plan.index
        assert session.document.scene == before
        assert not session.is_previewing
        desk.session.select(NO_ITEM)


def test_that_mistakes_are_told_at_their_field_and_nothing_is_inserted(desk) -> None:
    bar = bar_of(desk)
    type_row(bar, "camera base_lonk 1 2 3")
    assert roles(bar)["parent"] == "error"
    assert "Did you mean" in bar.line.text()
    assert bar.line.property("role") == "error"
    strike(bar.field, Key.Key_Return)
    assert bar.isVisible()
    assert "camera" not in frames(desk)
    bar.field.selectAll()
    type_row(bar, "camera base_link 1 2")
    assert (roles(bar)["z"], bar.line.property("role")) == ("code", "quiet"), "it is not complete yet"
    strike(bar.field, Key.Key_Return)
    assert (roles(bar)["z"], bar.line.property("role")) == ("error", "error")
    assert bar.line.text() == "z is missing: x y z."
    type_row(bar, " 3")
    assert roles(bar)["z"] == "number"
    assert "camera" in desk.session.plan.index
    type_row(bar, " 0 0 1")
    assert bar.line.text() == "Type deg or rad: the angles may be either."
    assert "camera" not in desk.session.plan.index
    strike(bar.field, Key.Key_Escape)


def test_that_lines_of_other_programs_are_pasted(desk) -> None:
    for text, name, parent in (
        ("ros2 run tf2_ros static_transform_publisher 1 2 3 0 0 0 base_link lidar", "lidar", "base_link"),
        ('<origin xyz="0 0 1.5" rpy="0 0 1.57"/>', "frame", "world"),
        ("0.1 0.2 0.3 0 0 0.6 0.8", "frame", "world"),
    ):
        bar = bar_of(desk)
        QGuiApplication.clipboard().setText(text)
        strike(bar.field, Key.Key_V, CTRL)
        assert shown(bar)["name"] == name, bar.line.text()
        strike(bar.field, Key.Key_Return)
        assert desk.session.document.scene.frames[name].parent == parent
        strike_in(desk, Key.Key_Z, CTRL)
        desk.session.select(NO_ITEM)


def test_that_the_selected_frame_is_the_parent_where_the_row_names_none(desk) -> None:
    click_item(desk, ("frames", "inner ring"))
    from_menu(desk, "Insert", "Frame as a row…")
    bar = desk.window.findChild(FrameRowBar)
    wait_for(lambda: bar is not None and bar.isVisible())
    type_row(bar, "camera 100 0 0 mm")
    assert shown(bar)["parent"] == "inner ring"
    assert [title.text() for title in bar.titles][2] == "x mm"
    strike(bar.field, Key.Key_Return)
    frame = desk.session.document.scene.frames["camera"]
    assert (frame.parent, frame.position.unit) == ("inner ring", "mm")
    strike_in(desk, Key.Key_Z, CTRL)


def test_that_the_bar_has_names_for_screen_readers_and_a_page_of_the_manual(desk) -> None:
    bar = bar_of(desk)
    for widget in (bar, bar.field, bar.line, *bar.values):
        assert widget.accessibleName()
    assert bar.property("helpTopic") == "window.md#a-frame-as-one-row"
    strike(bar.field, Key.Key_Tab)
    assert bar.field.hasFocus(), "Tab completes, and does not leave"
    assert bar.field.focusPolicy() & Qt.FocusPolicy.TabFocus
    strike(bar.field, Key.Key_Escape)
