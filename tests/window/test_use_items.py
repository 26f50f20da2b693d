"""Items in the whole window by real events: carried to another parent, taken in numbers, and copied between scenes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from framescope.core.scene.files.loading import parse_scene
from tests.support.hands import CTRL, LEFT, PLAIN, Key, strike
from tests.support.insert_menu import insert_path
from tests.support.scenes import GOOD
from tests.support.whole_window import (
    ALT,
    carry,
    choose,
    click_item,
    from_menu,
    in_window,
    strike_in,
    wait_for,
    windows,
)

pytestmark = pytest.mark.usefixtures("dark")

TREE = """\
framescope: 1
title: Tree
frames:
  table:
    parent: world
    position: {value: [0.2, 0.1, 0.3], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: [25, -15, 10], unit: deg}
  turning: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["40*t", 10, "5*t"], unit: deg}}
  cup:
    parent: table
    position: {value: [0.3, 0, 0.4], unit: m}
    orientation: {form: quaternion, value: [0.1, 0.2, -0.3, 0.9273618495], order: xyzw}
  runs:
    parent: table
    position: {value: ["0.1*t", 0, 0], unit: m}
    orientation: {form: axes, sequence: XYZ, angles: ["30*t", 0, 20], unit: deg}
bodies:
  lid: {frame: cup, position: {value: [0, 0, 10], unit: cm}, shape: {form: sphere, radius: 3 cm}}
  base: {frame: table, shape: {form: box, size: [40, 40, 2], unit: cm}}
"""


@pytest.fixture
def open_text(qtbot, tmp_path):
    with windows(qtbot) as open_it:

        def open_text(text: str, name: str = "scene"):
            path = tmp_path / f"{name}.yaml"
            path.write_text(text)
            wiring = open_it(path)
            assert wiring.session.document.path == path, wiring.window.status.message
            return wiring

        yield open_text


def place_of(wiring, key) -> QPoint:
    """Return where the row of an item is in the window."""
    outline = wiring.window.outline
    rect = outline.tree.visualRect(outline.tree.index_of(key))
    return in_window(wiring.window, outline.tree.viewport(), QPoint(rect.left() + 40, rect.center().y()))


def world_pose(wiring, name: str):
    snapshot = wiring.session.snapshot
    i = snapshot.index[name]
    return snapshot.R_WF[i].copy(), snapshot.p_WF[i].copy()


def local_pose(wiring, name: str):
    snapshot = wiring.session.snapshot
    i, j = snapshot.index[name], snapshot.index[wiring.session.plan.scene.frames[name].parent]
    return snapshot.R_WF[j].T @ snapshot.R_WF[i], snapshot.R_WF[j].T @ (snapshot.p_WF[i] - snapshot.p_WF[j])


def assert_same(pose, other) -> None:
    for mine, its in zip(pose, other, strict=True):
        np.testing.assert_allclose(mine, its, atol=1e-12)


def test_that_an_item_carried_to_a_frame_keeps_its_world_pose_and_with_alt_its_local_one(open_text) -> None:
    wiring = open_text(TREE)
    session, window = wiring.session, wiring.window
    before = session.document.scene
    session.scrub(3.0)
    session.end_scrub()
    world, local = world_pose(wiring, "cup"), local_pose(wiring, "cup")
    body = world_pose(wiring, "cup")[0] @ [0, 0, 0.1] + world_pose(wiring, "cup")[1]

    carry(window, place_of(wiring, ("frames", "cup")), place_of(wiring, ("frames", "turning")))
    assert session.document.scene.frames["cup"].parent == "turning"
    assert_same(world_pose(wiring, "cup"), world)
    assert session.selection == ("frames", "cup")
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before

    carry(window, place_of(wiring, ("frames", "cup")), place_of(wiring, ("frames", "turning")), ALT)
    assert session.document.scene.frames["cup"].parent == "turning"
    assert session.document.scene.frames["cup"] == before.frames["cup"].model_copy(update={"parent": "turning"})
    assert_same(local_pose(wiring, "cup"), local)
    assert np.abs(world_pose(wiring, "cup")[1] - world[1]).max() > 0.1
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before

    carry(window, place_of(wiring, ("bodies", "lid")), place_of(wiring, ("frames", "turning")))
    kept = session.document.scene.bodies["lid"]
    R, p = world_pose(wiring, "turning")
    scale = {"m": 1.0, "cm": 0.01, "mm": 0.001}[kept.position.unit]
    np.testing.assert_allclose(R @ (scale * np.array(kept.position.value, dtype=float)) + p, body, atol=1e-12)


def test_that_what_time_drives_keeps_its_world_pose_at_all_times(open_text) -> None:
    wiring = open_text(TREE)
    session = wiring.session
    poses = {}
    for t in (0.0, 1.3, 7.0):
        session.scrub(t)
        poses[t] = world_pose(wiring, "runs")
    carry(wiring.window, place_of(wiring, ("frames", "runs")), place_of(wiring, ("frames", "world")))
    assert session.document.scene.frames["runs"].parent == "world" or "runs" in session.document.scene.frames
    for t, pose in poses.items():
        session.scrub(t)
        assert_same(world_pose(wiring, "runs"), pose)


def test_that_a_carry_that_would_make_a_circle_or_falls_elsewhere_changes_nothing(open_text) -> None:
    wiring = open_text(TREE)
    window, before = wiring.window, wiring.session.document.scene
    carry(window, place_of(wiring, ("frames", "table")), place_of(wiring, ("frames", "cup")))
    assert wiring.session.document.scene is before
    assert "below it" in window.status.message
    view = window.scene_view
    carry(window, place_of(wiring, ("frames", "cup")), in_window(window, view, view.rect().center()))
    assert wiring.session.document.scene is before
    assert window.outline.hint.isHidden()


def test_that_several_items_are_hidden_coloured_duplicated_and_deleted_as_one_step_each(open_text) -> None:
    wiring = open_text(TREE)
    session, window = wiring.session, wiring.window
    before, both = session.document.scene, (("bodies", "lid"), ("bodies", "base"))

    def take_back() -> None:
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene is before

    def take_both() -> None:
        click_item(wiring, both[0])
        click_item(wiring, both[1], CTRL)
        assert set(window.outline.tree.selected_keys()) == set(both)

    take_both()
    strike(window.outline.tree, Key.Key_H, CTRL)
    assert set(session.document.scene.view.hidden.bodies) == {"lid", "base"}
    take_back()
    take_both()
    row = window.outline.tree.visualRect(window.outline.tree.index_of(both[1]))
    viewport = window.outline.tree.viewport()
    event_at = viewport.mapToGlobal(row.center())
    QApplication.sendEvent(viewport, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, row.center(), event_at))
    menu = QApplication.activePopupWidget()
    colour = next(action for action in menu.actions() if action.text() == "Colour").menu()
    colour.popup(event_at)
    choose(colour, "Orange")
    menu.close()
    assert {body.color for body in session.document.scene.bodies.values()} == {"#E69F00"}
    take_back()
    take_both()
    strike(window.outline.tree, Key.Key_D, CTRL)
    assert len(session.document.scene.bodies) == 4
    take_back()
    take_both()
    strike(window.outline.tree, Key.Key_Delete)
    assert len(session.document.scene.bodies) == 0
    take_back()


def test_that_items_go_as_scene_text_through_the_clipboard_into_another_scene(open_text) -> None:
    first = open_text(TREE, "first")
    click_item(first, ("frames", "cup"))
    click_item(first, ("bodies", "lid"), CTRL)
    strike(first.window.outline.tree, Key.Key_C, CTRL)
    text = QGuiApplication.clipboard().text()
    copied, _ = parse_scene(text)
    assert copied.frames["cup"].orientation == first.session.document.scene.frames["cup"].orientation

    second = open_text(GOOD, "second")
    before = second.session.document.scene
    click_item(second, ("frames", "ring"))
    strike(second.window.outline.tree, Key.Key_V, CTRL)
    after = second.session.document.scene
    pasted, source = after.frames["cup"], first.session.document.scene.frames["cup"]
    assert pasted.parent == "ring"
    assert pasted.model_copy(update={"parent": "table"}) == source
    assert after.bodies["lid"] == first.session.document.scene.bodies["lid"]
    assert_same(local_pose(second, "cup"), local_pose(first, "cup"))
    strike(second.window.outline.tree, Key.Key_V, CTRL)  # again: other names
    assert len(second.session.document.scene.bodies) == len(before.bodies) + 2
    for _ in range(2):
        strike_in(second, Key.Key_Z, CTRL)
    assert second.session.document.scene is before

    QGuiApplication.clipboard().setText("Nothing of a scene: [")
    strike(second.window.outline.tree, Key.Key_V, CTRL)
    assert second.session.document.scene is before
    assert second.window.status.message


def test_that_what_is_pasted_onto_its_original_and_again_is_beside_it(open_text) -> None:
    wiring = open_text(TREE)
    tree, session = wiring.window.outline.tree, wiring.session
    click_item(wiring, ("frames", "cup"))
    strike(tree, Key.Key_C, CTRL)
    for pasted in ("cup_2", "cup_3"):
        strike(tree, Key.Key_V, CTRL)  # onto what is selected, which is then what was pasted
        frames = session.document.scene.frames
        assert frames[pasted].parent == frames["cup"].parent
        assert session.selection == ("frames", pasted)
        assert session.problems == ()
    strike(tree, Key.Key_X, CTRL)  # with what is below, and back onto another frame of the same name
    click_item(wiring, ("frames", "cup"))
    strike(tree, Key.Key_V, CTRL)
    assert session.document.scene.frames["cup_3"].parent == "cup"
    for _ in range(4):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert "cup_2" not in session.document.scene.frames


def test_that_the_next_frame_of_a_new_scene_is_counted_on(open_text) -> None:
    wiring = open_text(TREE)
    strike_in(wiring, Key.Key_N, CTRL)
    wait_for(lambda: set(wiring.session.document.scene.frames) == {"frame 1"})
    for expected in ("frame 2", "frame 3"):
        from_menu(wiring, "Insert", "Frame")
        assert list(wiring.session.document.scene.frames)[-1] == expected


def test_that_every_kind_of_item_is_added_from_the_menu_and_one_undo_takes_it(open_text) -> None:
    wiring = open_text(TREE + "points:\n  A: {body: base, kind: XYZ, offset: {value: [0, 0, 1], unit: cm}}\n")
    session, outline = wiring.session, wiring.window.outline
    before = session.document.scene
    for name in outline.actions_of_items.insert:
        click_item(wiring, ("points", "A") if name in ("spring", "damper", "force", "velocity") else ("bodies", "base"))
        from_menu(wiring, "Insert", *insert_path(name))
        assert session.document.scene != before, name
        assert session.selection[1] in getattr(session.document.scene, session.selection[0])
        strike_in(wiring, Key.Key_Z, CTRL)
        assert session.document.scene is before, name


SLOW = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  crawler: {parent: world, position: {value: ["0.002*t", 0, 0], unit: m}}
"""


def test_that_the_arrow_of_a_new_sensor_on_a_slow_frame_can_be_seen(open_text) -> None:
    wiring = open_text(SLOW)
    click_item(wiring, ("frames", "crawler"))
    from_menu(wiring, "Insert", "Absolute sensor")
    session, view = wiring.session, wiring.window.scene_view
    (arrows,) = [sensor.arrows for sensor in session.document.scene.sensors.values()]
    foot = session.snapshot.p_WF[session.snapshot.index["crawler"]]
    tip = foot + np.array([arrows.v.value * 0.002, 0.0, 0.0])
    ends = view.renderer.projection().project(np.array([foot, tip]))
    assert np.linalg.norm(ends[1, :2] - ends[0, :2]) > 40.0  # pixels


@pytest.mark.parametrize("insert", ["menu", "search"])
def test_that_the_name_of_an_inserted_item_is_open_to_typing(open_text, insert) -> None:
    wiring = open_text(TREE)
    window, session = wiring.window, wiring.session
    before = session.document.scene

    def add_frame() -> None:
        if insert == "menu":
            from_menu(wiring, "Insert", "Frame")
        else:
            strike_in(wiring, Key.Key_K, CTRL)
            QTest.keyClicks(QApplication.focusWidget(), "insert frame")
            strike(window, Key.Key_Return)

    add_frame()
    QTest.keyClicks(QApplication.focusWidget(), "mast top")
    strike(window, Key.Key_Return)
    assert session.selection == ("frames", "mast top")
    assert "mast top" in session.document.scene.frames
    assert window.outline.isAncestorOf(QApplication.focusWidget())
    add_frame()
    given = session.selection[1]
    strike(window, Key.Key_Escape)
    assert session.selection == ("frames", given)
    assert not window.outline.tree.is_naming
    for _ in range(3):  # the second frame, the first name, the first frame
        strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene == before


def test_that_an_inserted_item_brings_the_inspector_forward(open_text) -> None:
    wiring = open_text(TREE)
    window = wiring.window
    from_menu(wiring, "Window", "Relation")
    inspector, relation = window.docks["inspector"], window.docks["relation"]
    window.tabifyDockWidget(inspector, relation)
    relation.raise_()
    wait_for(lambda: inspector.visibleRegion().isEmpty())
    from_menu(wiring, "Insert", "Frame")
    wait_for(lambda: not inspector.visibleRegion().isEmpty())
    assert window.outline.isAncestorOf(QApplication.focusWidget())  # the name is still open to typing
    strike(window, Key.Key_Escape)


def test_that_copies_pasted_onto_their_originals_are_siblings(open_text) -> None:
    wiring = open_text(TREE)
    for key in (("frames", "cup"), ("bodies", "lid")):
        click_item(wiring, ("frames", "cup"))
        strike(wiring.window.outline.tree, Key.Key_C, CTRL)
        click_item(wiring, key)
        strike(wiring.window.outline.tree, Key.Key_V, CTRL)
        frames = wiring.session.document.scene.frames
        kind, name = wiring.session.selection
        assert kind == "frames"
        assert name != "cup"
        assert frames[name].parent == frames["cup"].parent


@pytest.mark.parametrize("typed", ["", "mug"])
@pytest.mark.parametrize("key", [Key.Key_Tab, Key.Key_Backtab])
def test_that_tab_takes_a_name_in_the_outline_and_opens_no_other(open_text, typed, key) -> None:
    wiring = open_text(TREE)
    session, tree = wiring.session, wiring.window.outline.tree
    click_item(wiring, ("frames", "cup"))
    strike(tree, Key.Key_F2)
    wait_for(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    QTest.keyClicks(QApplication.focusWidget(), typed)
    QTest.keyClick(QApplication.focusWidget(), key)
    QApplication.processEvents()
    assert session.selection == ("frames", typed or "cup")
    assert QApplication.focusWidget() is tree
    assert not any(line.isVisible() for line in tree.findChildren(QLineEdit))


def test_that_the_name_keeps_the_keyboard_after_return(open_text) -> None:
    wiring = open_text(TREE)
    session, inspector = wiring.session, wiring.window.inspector
    click_item(wiring, ("frames", "cup"))
    line = inspector.frame_page.name.line
    QTest.mouseClick(line, LEFT, PLAIN, QPoint(20, 10))
    strike(line, Key.Key_A, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "mug")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    assert session.selection == ("frames", "mug")
    assert line.hasFocus()
    QTest.keyClicks(QApplication.focusWidget(), "tab")  # a letter that would find the table in the outline
    assert session.selection == ("frames", "mug")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    assert session.selection == ("frames", "mugtab")
