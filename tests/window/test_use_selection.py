"""Selection and keyboard focus through insertions, deletions, undo and redo, in the whole window by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication

from framescope.core.scene.schema.model import NO_ITEM
from framescope.ui.widgets.text_line import TextLine
from tests.support.hands import CTRL, SHIFT, Key, focus, roll, strike, type_in
from tests.support.whole_window import click_item, from_menu, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  body_flu: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["20*t", 0, 0], unit: deg}}
  arm: {parent: world, orientation: {form: axes, sequence: ZYX, angles: [10, 0, 0], unit: deg}}
  hand: {parent: arm}
bodies:
  hull: {frame: body_flu, shape: {form: box, size: [40, 20, 5], unit: cm}}
sensors:
  gyro: {form: absolute, frame_a: body_flu, get_w: true}
"""


@pytest.fixture
def wiring(qtbot, tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        yield open_it(path)


def undo(wiring) -> None:
    strike_in(wiring, Key.Key_Z, CTRL)


def redo(wiring) -> None:
    strike_in(wiring, Key.Key_Z, CTRL | SHIFT)


def selected(wiring):
    """Return the selected item of the session, and all selected rows."""
    return wiring.session.selection, set(wiring.window.outline.tree.selected_keys())


def both(*keys):
    """Return a selection whose first item is shown."""
    return keys[0], set(keys)


def test_that_undo_of_an_insertion_selects_what_was_selected_and_redo_what_was_inserted(wiring) -> None:
    click_item(wiring, ("bodies", "hull"))
    from_menu(wiring, "Insert", "IMU")
    assert selected(wiring) == both(("frames", "imu"))
    click_item(wiring, ("frames", "arm"))
    undo(wiring)
    assert selected(wiring) == both(("bodies", "hull"))
    redo(wiring)
    assert selected(wiring) == both(("frames", "imu"))
    assert wiring.window.inspector.page is wiring.window.inspector.frame_page


def test_that_undo_of_a_deletion_selects_what_it_brings_back(wiring) -> None:
    session, tree = wiring.session, wiring.window.outline.tree
    click_item(wiring, ("frames", "hand"))
    click_item(wiring, ("sensors", "gyro"), CTRL)
    before = selected(wiring)
    assert before[1] == {("frames", "hand"), ("sensors", "gyro")}
    strike_in(wiring, Key.Key_Delete)
    assert "hand" not in session.document.scene.frames
    undo(wiring)
    assert selected(wiring) == before
    assert wiring.window.scene_view.selected_frames == ("body_flu", "hand")
    redo(wiring)
    assert "hand" not in session.document.scene.frames
    assert session.selection != NO_ITEM
    undo(wiring)
    assert tree.hasFocus()
    strike_in(wiring, Key.Key_Delete)
    assert "hand" not in session.document.scene.frames


def test_that_an_edit_without_a_selection_leaves_the_selection(wiring) -> None:
    session = wiring.session
    click_item(wiring, ("frames", "arm"))
    session.select(NO_ITEM)
    type_in(wiring.window.inspector.scene_page.findChildren(TextLine)[0], "T")
    assert session.document.scene.title == "T"
    click_item(wiring, ("frames", "hand"))
    undo(wiring)
    assert session.document.scene.title == ""
    assert session.selection == ("frames", "hand")


def test_that_the_focus_stays_in_its_field_through_undo_and_goes_to_the_outline_if_that_is_gone(wiring) -> None:
    window, session = wiring.window, wiring.session
    session.pause()
    click_item(wiring, ("frames", "arm"))
    field = window.inspector.orientation.rows[0].field
    type_in(field, "25")
    focus(field)
    undo(wiring)
    assert session.document.scene.frames["arm"].orientation.angles[0] == 10.0
    assert field.hasFocus()
    from_menu(wiring, "Insert", "IMU")
    assert window.outline.tree.is_naming, "the name of a new item is open to typing"
    undo(wiring)
    assert selected(wiring) == both(("frames", "arm"))
    assert window.outline.isAncestorOf(QApplication.focusWidget())
    focus(field)
    session.select(("bodies", "hull"))  # the page of the field is gone
    assert window.outline.tree.hasFocus()


def test_that_no_button_takes_the_keyboard_after_an_insertion_and_its_undo(wiring) -> None:
    window, session = wiring.window, wiring.session
    session.pause()
    click_item(wiring, ("frames", "body_flu"))
    motion = window.inspector.frame_page.motion.findChildren(QAbstractButton)[0]
    focus(motion)
    for _ in range(2):
        from_menu(wiring, "Insert", "Camera")
        from_menu(wiring, "Insert", "Note")
        undo(wiring)
        undo(wiring)
        strike_in(wiring, Key.Key_K, CTRL)  # the palette takes the keyboard and gives it back
        strike(QApplication.focusWidget(), Key.Key_Escape)
        wait_for(window.isActiveWindow)
        assert not window.timeline.isAncestorOf(QApplication.focusWidget() or window)
    assert session.selection == ("frames", "body_flu")


def test_that_space_plays_and_delete_deletes_after_undo(wiring) -> None:
    session = wiring.session
    session.pause()
    click_item(wiring, ("frames", "arm"))
    from_menu(wiring, "Insert", "Body frame FRD")
    undo(wiring)
    strike_in(wiring, Key.Key_Space)
    assert session.playback.is_playing
    session.pause()
    strike_in(wiring, Key.Key_Delete)
    assert "arm" not in session.document.scene.frames


def test_that_delete_works_in_the_scene_and_reports_that_nothing_is_selected(wiring) -> None:
    session, window = wiring.session, wiring.window
    before = session.document.scene
    for widget in (window.outline.tree, window.scene_view):
        session.select(NO_ITEM)
        window.status.show_message("note", "")
        focus(widget)
        strike_in(wiring, Key.Key_Delete)
        assert session.document.scene is before
        assert window.status.message == "Nothing to delete is selected"
    session.select(("frames", "hand"))
    focus(window.scene_view)
    strike_in(wiring, Key.Key_Delete)
    assert "hand" not in session.document.scene.frames
    assert window.scene_view.hasFocus()


def test_that_the_inspector_begins_at_the_top_unless_items_of_one_kind_are_compared(wiring) -> None:
    window = wiring.window
    window.resize(window.width(), 620)
    inspector = window.inspector
    click_item(wiring, ("frames", "arm"))
    for title in ("Look", "Rotation as written"):
        inspector.frame_page.folds[title].set_open(True)
    bar = inspector.frame_page.verticalScrollBar()

    def scroll_down() -> None:
        wait_for(lambda: bar.maximum() > 40)
        roll(inspector.frame_page.viewport(), -3)
        assert bar.value() > 20

    scroll_down()
    place = bar.value()
    click_item(wiring, ("frames", "body_flu"))
    assert bar.value() == place, "items of one kind are compared"
    from_menu(wiring, "Insert", "IMU")
    assert bar.value() == 0
    scroll_down()
    undo(wiring)
    assert bar.value() == 0
    scroll_down()
    click_item(wiring, ("sensors", "gyro"))
    assert inspector.page.verticalScrollBar().value() == 0
    click_item(wiring, ("frames", "hand"))
    assert bar.value() == 0
    scroll_down()
    place = bar.value()
    inspector.frame_page.position.setFocus(Qt.FocusReason.OtherFocusReason)
    strike_in(wiring, Key.Key_H, CTRL)
    assert bar.value() == place, "an edit of the shown item does not scroll"
