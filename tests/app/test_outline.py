"""The outline by real mouse and key events: what is done with items is one edit each, and undo takes it back."""

from __future__ import annotations

import gc
import json

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QStandardItem,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolTip

from framescope.app.session.document import History
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.base import set_frame
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.system.features import installed_features
from framescope.ui.panels.outline import HIDDEN_ROLE, KEY_ROLE, SEVERITY_ROLE, Outline
from framescope.ui.panels.outline.actions import EDIT_GROUPS, EDITS, MOVES
from framescope.ui.panels.outline.delegate import eye_area, is_cut, left_of
from framescope.ui.panels.outline.rows import Filter, filter_rows, matching_rows, rows_of
from framescope.ui.panels.outline.tree import MIME, keys_in
from framescope.ui.theme.tokens import METRICS
from tests.support.grown_scenes import PLATE
from tests.support.hands import CTRL, LEFT, PLAIN, SHIFT, Key, picture, strike
from tests.support.scenes import GOOD, scene_of

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def put(desk, dark):
    """Put an outline of a scene on the desk; what it commits is kept in a history, and shown."""

    def put_it(text: str) -> Outline:
        desk.resize(320, 560)
        outline = desk.put(Outline())
        outline.history, outline.heard = History.of(scene_of(text)), []

        def show() -> None:
            plan = compile_plan(outline.history.scene, run=lambda _job: None)
            outline.set_plan(plan)
            outline.show_snapshot(evaluate(plan, 0.5))

        def commit(edit) -> None:
            outline.history.commit(edit.apply(outline.history.scene), edit.label)
            show()

        outline.show_history = show
        outline.edits.items_committed.connect(commit)
        outline.picked.connect(outline.set_current)  # as the session does
        outline.edits.items_committed.connect(lambda edit: outline.heard.append(("committed", edit)))
        for name in ("picked", "selection_changed", "status"):
            getattr(outline, name).connect(lambda *values, name=name: outline.heard.append((name, *values)))
        show()
        outline.tree.setFocus()
        return outline

    return put_it


@pytest.fixture
def outline(put) -> Outline:
    return put(GOOD)


def click(outline, key, modifiers=PLAIN) -> None:
    tree = outline.tree
    QTest.mouseClick(tree.viewport(), LEFT, modifiers, tree.visualRect(tree.index_of(key)).center())


def heard(outline, name: str) -> list:
    return [said[-1] for said in outline.heard if said[0] == name]


def undo(outline) -> Scene:
    outline.history.undo()
    outline.show_history()
    return outline.history.scene


def shown(outline) -> list[tuple[str, str]]:
    model, found = outline.tree.rows_model, []

    def walk(parent) -> None:
        for i in range(model.rowCount(parent)):
            index = model.index(i, 0, parent)
            found.append(tuple(index.data(KEY_ROLE)))
            walk(index)

    walk(outline.tree.rootIndex())
    return found


RING, STAND, TOP, BOX = ("frames", "ring"), ("frames", "stand"), ("frames", "top"), ("bodies", "box")

# --- Selecting


def test_that_several_items_are_selected_and_one_of_them_leads(outline) -> None:
    click(outline, STAND)
    click(outline, TOP, CTRL)
    assert outline.tree.selected_keys() == (STAND, TOP)
    assert (heard(outline, "picked")[-1], heard(outline, "selection_changed")[-1]) == (TOP, (STAND, TOP))
    click(outline, TOP, CTRL)
    assert (heard(outline, "picked")[-1], outline.tree.selected_keys()) == (STAND, (STAND,))
    click(outline, STAND)
    click(outline, TOP, SHIFT)
    assert {STAND, RING, TOP} <= set(outline.tree.selected_keys())
    outline.set_current(BOX)
    assert outline.tree.selected_keys() == (BOX,)
    strike(outline.tree, Key.Key_Up)
    assert heard(outline, "picked")[-1] == TOP


# --- The eye


def test_that_the_eye_hides_and_shows_without_selecting(outline) -> None:
    before = outline.history.scene
    row = outline.tree.visualRect(outline.tree.index_of(BOX))
    QTest.mouseClick(outline.tree.viewport(), LEFT, PLAIN, eye_area(row).center())
    assert outline.history.scene.view.hidden.bodies == ("box",)
    assert outline.tree.index_of(BOX).data(HIDDEN_ROLE)
    assert outline.tree.selected_keys() == ()
    assert undo(outline) is before
    assert not outline.tree.index_of(BOX).data(HIDDEN_ROLE)
    row = outline.tree.visualRect(outline.tree.index_of(RING))
    QTest.mouseClick(outline.tree.viewport(), LEFT, ALT, eye_area(row).center())
    assert outline.history.scene.view.hidden.frames == ("ring", "top")


def test_that_a_hidden_row_is_dimmed(outline) -> None:
    row = outline.tree.visualRect(outline.tree.index_of(BOX))
    before = picture(outline.tree.viewport()).copy(row)
    outline.tree.set_hidden([BOX], True)
    assert picture(outline.tree.viewport()).copy(row) != before


def test_that_keys_hide_all_that_is_selected(outline) -> None:
    click(outline, RING)
    click(outline, BOX, CTRL)
    strike(outline.tree, Key.Key_H, CTRL)
    hidden = outline.history.scene.view.hidden
    assert (hidden.frames, hidden.bodies) == (("ring",), ("box",))
    strike(outline.tree, Key.Key_H, CTRL)
    assert outline.history.scene.view.hidden.frames == ()


# --- Edits by keys


def test_that_f2_renames_in_place_and_bad_names_stay_open(outline) -> None:
    before = outline.history.scene
    click(outline, RING)
    strike(outline.tree, Key.Key_F2)
    editor = outline.tree.findChild(QLineEdit)
    assert editor.text() == "ring"
    QTest.keyClicks(editor, "stand")
    QTest.keyClick(editor, Key.Key_Return)
    assert editor.isVisible()
    assert editor.property("invalid") is True
    assert "already" in heard(outline, "status")[-1]
    editor.selectAll()
    QTest.keyClicks(editor, "gimbal")
    QTest.keyClick(editor, Key.Key_Return)
    QApplication.processEvents()
    assert outline.history.scene.frames["top"].parent == "gimbal"
    assert outline.tree.selected_keys() == (("frames", "gimbal"),)
    assert outline.tree.hasFocus()  # the keys go on from there
    assert undo(outline) is before


@pytest.mark.parametrize("name", ["", "stand"])
def test_that_f2_leaves_a_name_that_is_being_typed_alone(outline, name) -> None:
    click(outline, RING)
    strike(outline.tree, Key.Key_F2)
    editor = outline.tree.findChild(QLineEdit)
    QTest.keyClick(editor, Key.Key_Delete)
    QTest.keyClicks(editor, name)
    QTest.keyClick(editor, Key.Key_Return)
    strike(editor, Key.Key_F2)  # what Qt prints of an edit that fails, fails the test
    assert outline.tree.findChildren(QLineEdit) == [editor]
    assert editor.text() == name
    assert editor.isVisible()
    assert editor.hasFocus()
    QTest.keyClick(editor, Key.Key_Escape)


def test_that_the_world_says_that_it_keeps_its_name(outline) -> None:
    click(outline, ("frames", "world"))
    strike(outline.tree, Key.Key_F2)
    assert outline.tree.findChild(QLineEdit) is None
    assert "keeps its name" in heard(outline, "status")[-1]


def test_that_a_double_click_renames_and_escape_does_not(outline) -> None:
    where = outline.tree.visualRect(outline.tree.index_of(RING)).center() - QPoint(60, 0)
    QTest.mouseClick(outline.tree.viewport(), LEFT, PLAIN, where)
    QTest.mouseDClick(outline.tree.viewport(), LEFT, PLAIN, where)
    editor = outline.tree.findChild(QLineEdit)
    QTest.keyClicks(editor, "other")
    QTest.keyClick(editor, Key.Key_Escape)
    assert "ring" in outline.history.scene.frames


def test_that_delete_takes_what_hangs_on_it_and_selects_the_owner(outline) -> None:
    before = outline.history.scene
    click(outline, RING)
    strike(outline.tree, Key.Key_Delete)
    assert list(outline.history.scene.frames) == ["stand"]
    assert outline.history.undo_label == "Deleted ring with 2 items, 2 plots, rings and 1 trail"
    assert heard(outline, "picked")[-1] == STAND
    assert undo(outline) is before
    click(outline, ("frames", WORLD))
    strike(outline.tree, Key.Key_Delete)
    assert "world cannot be deleted" in heard(outline, "status")[-1]
    assert outline.history.scene is before


def test_that_children_stay_when_only_the_frame_is_deleted(outline) -> None:
    click(outline, STAND)
    strike(outline.tree, Key.Key_Delete, SHIFT)
    assert "ring" in outline.history.scene.frames
    assert "stand" not in outline.history.scene.frames


def test_that_items_are_duplicated_copied_cut_and_pasted(outline) -> None:
    before = outline.history.scene
    click(outline, RING)
    strike(outline.tree, Key.Key_D, CTRL)
    assert list(outline.history.scene.frames) == ["stand", "ring", "top", "ring_2", "top_2"]
    assert outline.tree.selected_keys() == (("frames", "ring_2"),)
    undo(outline)
    click(outline, TOP)
    strike(outline.tree, Key.Key_C, CTRL)
    assert list(parse_scene(QGuiApplication.clipboard().text())[0].frames) == ["top"]
    click(outline, STAND)
    strike(outline.tree, Key.Key_V, CTRL)
    assert outline.history.scene.frames["top_2"].parent == "stand"
    assert undo(outline) is before
    click(outline, TOP)
    strike(outline.tree, Key.Key_X, CTRL)
    assert "top" not in outline.history.scene.frames
    QGuiApplication.clipboard().setText("no scene")
    strike(outline.tree, Key.Key_V, CTRL)
    assert "clipboard" in heard(outline, "status")[-1]


def test_that_the_header_adds_items_of_every_kind(put) -> None:
    outline = put(PLATE)
    add, _ = outline.header_buttons()
    top = [action for action in add.menu().actions() if not action.isSeparator()]
    entries = [inner for entry in top for inner in (entry.menu().actions() if entry.menu() else [entry])]
    actions = list(outline.actions_of_items.insert.values())
    assert set(actions) <= set(entries)
    of_features = [action.text() for action in entries if action not in actions]
    insertions = [insertion for feature in installed_features() for insertion in feature.insertions]
    assert sorted(of_features) == sorted(insertion.text for insertion in insertions)
    for action in actions:
        click(outline, ("points", "A"))
        n = len(heard(outline, "committed"))
        action.trigger()
        assert len(heard(outline, "committed")) == n + 1, action.text()
        assert heard(outline, "picked")[-1] in shown(outline)
        undo(outline)


# --- Moving


def drag(outline, keys, over, modifiers=PLAIN, *, lets_go=True) -> None:
    data = QMimeData()
    data.setData(MIME, json.dumps(keys).encode())
    at = QPointF(outline.tree.visualRect(outline.tree.index_of(over)).center())
    move = Qt.DropAction.MoveAction
    for event in (QDragEnterEvent, QDragMoveEvent):
        QApplication.sendEvent(outline.tree.viewport(), event(at.toPoint(), move, data, LEFT, modifiers))
    if lets_go:
        QApplication.sendEvent(outline.tree.viewport(), QDropEvent(at, move, data, LEFT, modifiers))


def test_that_a_drag_says_what_it_would_do_and_moves(outline) -> None:
    before = outline.history.scene
    drag(outline, [TOP], STAND, lets_go=False)
    assert outline.hint.text() == "drop: child of stand, world pose kept (Alt: local pose)"
    assert outline.hint.isVisible()
    drag(outline, [TOP], STAND, ALT, lets_go=False)
    assert outline.hint.text() == "drop: child of stand, local pose kept"
    drag(outline, [RING], TOP, lets_go=False)
    assert outline.hint.text() == '"ring" cannot have the parent top, which is below it'
    drag(outline, [RING], TOP)
    assert outline.history.scene is before
    assert not outline.hint.isVisible()
    drag(outline, [TOP], STAND, ALT)
    assert outline.history.scene.frames["top"].parent == "stand"
    assert undo(outline) is before
    drag(outline, [BOX], STAND)
    assert outline.history.scene.bodies["box"].frame == "stand"


def test_that_the_drop_line_is_drawn_below_the_last_child(outline) -> None:
    before = picture(outline.tree.viewport())
    drag(outline, [BOX], STAND, lets_go=False)
    outline.hint.hide()
    after = picture(outline.tree.viewport())
    y = outline.tree.visualRect(outline.tree.index_of(BOX)).bottom()
    changed = [y for y in range(min(before.height(), after.height())) if before.pixel(250, y) != after.pixel(250, y)]
    assert any(abs(each - y) <= 1 for each in changed)
    QApplication.sendEvent(outline.tree.viewport(), QDragLeaveEvent())


def test_that_what_is_dragged_is_text_too_and_others_drags_are_left_alone(outline) -> None:
    data = outline.tree.rows_model.mimeData([outline.tree.index_of(RING)])
    assert (data.text(), keys_in(data)) == ("ring", (RING,))
    for raw in (b"", b"{", b"[1]", b'[["a"]]', b"[" * 5000, b'{"a": 1}', b"x" * 2_000_000):
        strange = QMimeData()
        strange.setData(MIME, raw)
        assert keys_in(strange) == ()


def test_that_keys_move_items_as_a_drag_does(outline) -> None:
    before = outline.history.scene
    click(outline, TOP)
    strike(outline.tree, Key.Key_M, CTRL)
    assert outline.tree.is_moving
    assert outline.hint.text() == "Up and Down choose the new parent, Escape leaves"
    for _ in range(2):
        strike(outline.tree, Key.Key_Up)
    assert outline.hint.text().startswith("Enter: child of stand")
    assert outline.tree.selected_keys() == (TOP,)
    strike(outline.tree, Key.Key_Return)
    assert outline.history.scene.frames["top"].parent != "ring"
    undo(outline)
    click(outline, TOP)
    strike(outline.tree, Key.Key_M, CTRL)
    strike(outline.tree, Key.Key_Escape)
    assert not outline.tree.is_moving
    assert outline.history.scene is before
    strike(outline.tree, Key.Key_Left, ALT | SHIFT)
    assert outline.history.scene.frames["top"].parent == "stand"
    strike(outline.tree, Key.Key_Right, ALT | SHIFT)
    assert outline.history.scene.frames["top"].parent == "ring"
    assert outline.history.scene == before


# --- Searching and filtering


def test_that_words_filter_with_ancestors_and_escape_clears(outline) -> None:
    every = shown(outline)
    strike(outline.tree, Key.Key_F, CTRL)
    field = outline.search.field
    assert field.hasFocus()
    QTest.keyClicks(field, "integ")
    assert shown(outline) == [("frames", WORLD), STAND, RING, TOP]
    QTest.keyClick(field, Key.Key_Return)
    assert outline.tree.hasFocus()
    field.setFocus()
    QTest.keyClick(field, Key.Key_Escape)
    assert not outline.search.isVisible()
    assert outline.tree.hasFocus()
    assert shown(outline) == every


def test_that_kinds_and_problems_are_filtered(outline) -> None:
    _, button = outline.header_buttons()
    button.kinds["bodies"].trigger()
    assert BOX not in shown(outline)
    assert button.isChecked()
    outline.set_problems([Problem(RING, "wrong"), Problem(STAND, "odd", severity="note")])
    assert outline.tree.index_of(RING).data(SEVERITY_ROLE) == "red"
    button.only_problems.trigger()
    assert shown(outline) == [("frames", WORLD), STAND, RING]
    button.everything.trigger()
    assert BOX in shown(outline)
    assert not button.isChecked()


def test_that_an_empty_outline_says_why_it_is_and_how_to_see_more(outline) -> None:
    strike(outline.tree, Key.Key_F, CTRL)
    before = picture(outline.tree.viewport())
    QTest.keyClicks(outline.search.field, "zzz")
    assert shown(outline) == []
    said = outline.tree.accessibleDescription()
    assert said == 'No listed item is called "zzz".\nEsc closes the search.'
    blank = outline.tree.viewport()
    outline.tree.set_empty_text("")
    assert picture(blank) != before
    without = picture(blank)
    outline.tree.set_empty_text(said)
    assert picture(blank) != without
    QTest.keyClick(outline.search.field, Key.Key_Escape)
    assert outline.tree.accessibleDescription() == ""
    _, button = outline.header_buttons()
    button.only_problems.trigger()
    assert outline.tree.accessibleDescription() == "No item has a problem.\nThe filter above lists everything again."


def test_that_a_row_that_is_cut_says_the_whole_of_it(put) -> None:
    name = "a frame with a name that is quite long"
    outline = put(f"framescope: 1\nframes:\n  {name}: {{parent: world}}\n  short: {{parent: world}}\n")
    outline.window().resize(200, 400)
    QApplication.processEvents()

    def told(key) -> str:
        place = outline.tree.visualRect(outline.tree.index_of(key)).center()
        event = QHelpEvent(QEvent.Type.ToolTip, place, outline.tree.viewport().mapToGlobal(place))
        QApplication.sendEvent(outline.tree.viewport(), event)
        return QToolTip.text()

    assert told(("frames", name)) == f"<p>{name}, fixed</p>"
    QToolTip.hideText()
    short = outline.tree.index_of(("frames", "short"))
    assert not is_cut(outline.tree.visualRect(short), short)


def test_that_rows_of_any_depth_are_listed_and_filtered() -> None:
    frames = {f"f{i}": {"parent": f"f{i - 1}" if i else WORLD} for i in range(3000)}
    rows = rows_of(Scene.model_validate({"framescope": 1, "frames": frames}))
    assert len(rows) == 3001
    assert len(filter_rows(rows, Filter("f2999"), ())) == 3001
    assert len(filter_rows(rows, Filter("f9 "), ())) == len(filter_rows(rows, Filter("f9"), ()))
    assert [row.key[1] for row in matching_rows(rows, Filter("f2999"), ())] == ["f2999"]


# --- The menu


def test_that_the_menu_edit_has_all_actions_in_groups() -> None:
    grouped = [*MOVES, "find", *(name for group in EDIT_GROUPS for name in group)]  # find follows the search
    assert sorted(grouped) == sorted(name for name, *_ in EDITS)


def test_that_the_menu_of_a_frame_without_a_body_has_no_colours(outline) -> None:
    click(outline, TOP)
    assert not any(body.frame == TOP[1] for body in outline.history.scene.bodies.values())
    at = outline.tree.visualRect(outline.tree.index_of(TOP)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, outline.tree.viewport().mapToGlobal(at))
    QApplication.sendEvent(outline.tree.viewport(), event)
    menu = next(menu for menu in outline.findChildren(QMenu) if menu.isVisible())
    assert "Colour" not in {action.text() for action in menu.actions()}
    menu.close()


@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard])
def test_that_the_menu_has_colours_and_everything_else(outline, reason) -> None:
    click(outline, BOX)
    at = outline.tree.visualRect(outline.tree.index_of(BOX)).center()
    event = QContextMenuEvent(reason, at, outline.tree.viewport().mapToGlobal(at))
    QApplication.sendEvent(outline.tree.viewport(), event)
    menu = next(menu for menu in outline.findChildren(QMenu) if menu.isVisible())
    colors = next(action.menu() for action in menu.actions() if action.text() == "Colour")
    next(action for action in colors.actions() if action.data() == "x").trigger()
    assert outline.history.scene.bodies["box"].color == "x"
    texts = {action.text() for action in menu.actions()}
    assert {"Insert", "Rename", "Duplicate", "Hide", "Delete", "Move to…"} <= texts
    menu.close()


# --- Showing plans


def test_that_the_tree_stays_while_numbers_change_and_closed_rows_stay_closed(outline) -> None:
    outline.tree.collapse(outline.tree.index_of(STAND))
    item = outline.tree.index_of(RING).internalId()
    scene = outline.history.scene
    ring = scene.frames["ring"]
    turned = ring.orientation.model_copy(update={"angles": (1.0, 2.0, 3.0)})
    outline.set_plan(compile_plan(set_frame(scene, "ring", orientation=turned)))
    assert outline.tree.index_of(RING).internalId() == item
    assert outline.tree.index_of(RING).data(Qt.ItemDataRole.AccessibleTextRole) == "ring, XYZ"
    outline.set_plan(compile_plan(set_frame(scene, "top", parent="stand")))
    assert outline.tree.index_of(TOP).parent() == outline.tree.index_of(STAND)
    assert not outline.tree.isExpanded(outline.tree.index_of(STAND))


def test_that_nothing_of_a_tree_stays_when_it_is_built_again(outline) -> None:
    before = n_items()
    scene = outline.history.scene
    for parent in ("stand", "world", "stand", "world"):
        outline.set_plan(compile_plan(set_frame(scene, "top", parent=parent)))
    assert n_items() == before


def n_items() -> int:
    """Return how many rows of trees there are: one that Python knows of is there, whatever Qt has thrown away."""
    gc.collect()
    return sum(isinstance(wrapper, QStandardItem) for wrapper in shiboken6.getAllValidWrappers())


def test_that_another_scene_begins_at_the_top_and_an_edit_stays_where_it_is(put) -> None:
    many = "".join(f"  f{i}: {{parent: world}}\n" for i in range(60))
    outline = put("framescope: 1\nframes:\n" + many)
    bar = outline.tree.verticalScrollBar()
    bar.setValue(bar.maximum())
    outline.history.commit(set_frame(outline.history.scene, "f1", parent="f0"), "Moved f1")
    outline.show_history()
    assert bar.value() > bar.maximum() - 3
    others = "".join(f"  g{i}: {{parent: world}}\n" for i in range(50))
    outline.history = History.of(scene_of("framescope: 1\nframes:\n" + others))
    outline.show_history()
    assert bar.value() == 0


def test_that_a_tree_that_gets_room_shows_as_much_as_it_can_above_the_chosen_row(put, desk, qtbot) -> None:
    outline = put("framescope: 1\nframes:\n" + "".join(f"  f{i}: {{parent: world}}\n" for i in range(30)))
    tree, bar = outline.tree, outline.tree.verticalScrollBar()
    outline.setFixedHeight(120)
    qtbot.waitUntil(lambda: tree.height() <= 120)
    outline.set_current(("frames", "f6"))
    assert bar.value() > 0
    outline.setFixedHeight(360)
    qtbot.waitUntil(lambda: tree.height() > 300)
    assert bar.maximum() > 0
    assert bar.value() == 0
    bar.setValue(5)  # by hand
    outline.setFixedHeight(380)
    qtbot.waitUntil(lambda: tree.height() > 320)
    assert bar.value() == 5


@pytest.mark.parametrize("n_levels", [3, 12, 40, 200])
def test_that_however_deep_a_tree_is_names_have_room(put, n_levels) -> None:
    frames = "".join(
        f"  link number {i}: {{parent: {f'link number {i - 1}' if i else 'world'}}}\n" for i in range(n_levels)
    )
    outline = put(f"framescope: 1\nframes:\n{frames}")
    tree = outline.tree
    tree.select_keys([("frames", f"link number {n_levels - 1}")], ("frames", f"link number {n_levels - 1}"))
    row = tree.visualRect(tree.currentIndex())
    begin = left_of(row) + METRICS.row_icon
    assert begin <= 0.45 * tree.viewport().width()
    assert eye_area(row).left() - begin > 110
    assert (tree.indentation() == METRICS.outline_indent) == (n_levels == 3)
    outline.window().resize(900, 560)
    QApplication.processEvents()
    assert (tree.indentation() == METRICS.outline_indent) == (n_levels < 20)


def test_that_a_name_which_is_cut_keeps_its_end(put) -> None:
    outline = put("framescope: 1\nframes: {a quite long name of a robot and its last link 17: {parent: world}}\n")
    outline.window().resize(260, 560)
    shown = picture(outline.tree.viewport())
    outline.history.commit(
        scene_of("framescope: 1\nframes: {a quite long name of a robot and its last link 18: {parent: world}}\n"), "x"
    )
    outline.show_history()
    assert picture(outline.tree.viewport()) != shown
