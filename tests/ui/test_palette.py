"""The command palette: what is found, in which order, and what keys and mouse do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow
from shiboken6 import delete

from framescope.core.scene.files.loading import parse_scene
from framescope.ui.formatting.fuzzy_match import match, rank
from framescope.ui.help.manual_index import manual_commands, manual_finds, manual_pages
from framescope.ui.palette.command import (
    Command,
    commands_of_actions,
    example_commands,
    item_commands,
)
from framescope.ui.palette.command_palette import CommandPalette
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.palette.search_box import SearchBox
from framescope.ui.widgets.search_field import MAX_LENGTH
from tests.support.hands import CTRL, PLAIN, Key, picture, strike

TITLES = (
    "Look along x of inner ring",
    "Look along the axis of ω",
    "Align frame to another",
    "What is the singularity measure?",
    "Save As…",
    "Select Ångström frame",
    "Reset the layout",
    "Unlock all frames",
)


def found(query: str) -> list[str]:
    return [value for value, _ in rank(query, [(title, title, "") for title in TITLES], 20)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("look al", "Look along x of inner ring"),
        ("sa", "Save As…"),
        ("angstrom", "Select Ångström frame"),
        ("ÅNG", "Select Ångström frame"),
        ("frame al", "Align frame to another"),
        ("rl", "Reset the layout"),
        ("lata", "Look along the axis of ω"),
        ("lock", "Unlock all frames"),
        ("sing meas", "What is the singularity measure?"),
        ("rstlay", "Reset the layout"),
    ],
)
def test_that_what_is_meant_comes_first(query, first):
    assert found(query)[0] == first


def test_that_beginnings_come_before_initials_and_those_before_letters_inside():
    titles = ["Unsafe action", "Show all", "Save", "Start"]
    order = [title for title, _ in rank("sa", [(title, title, "") for title in titles], 9)]

    assert order == ["Save", "Show all", "Unsafe action"]


def test_that_a_whole_word_comes_before_the_beginning_of_a_longer_one():
    titles = ["Body or base frame: Body frame FLU", "Body or base frame: Base ENU", "Select stand"]
    assert rank("stand", [(title, title, "") for title in titles], 9)[0][0] == "Select stand"


def test_that_hidden_words_count_less_than_the_title():
    entries = [(1, "Two pendulums", "example open"), (2, "Open…", "")]

    assert [value for value, _ in rank("open", entries, 9)] == [2, 1]


def test_that_matched_letters_are_known_and_nonsense_finds_nothing():
    assert match("look", "Look along x").places == (0, 1, 2, 3)
    assert match("qqq", "Look along x") is None
    assert found("   ") == list(TITLES)


@pytest.fixture
def window(qtbot, dark):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.box = SearchBox()
    window.field = QLineEdit()
    window.done = []
    window.setCentralWidget(window.field)
    window.palette_ = CommandPalette(window)
    file, view = window.menuBar().addMenu("&File"), window.menuBar().addMenu("&View")
    for menu, text, keys in ((file, "&Open…", "Ctrl+O"), (file, "Save", "Ctrl+S"), (view, "Fit the scene", "Ctrl+0")):
        action = QAction(text, window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _=False, text=text: window.done.append(text))
        menu.addAction(action)
    inner = view.addMenu("Look from")
    inner.addAction("Top").triggered.connect(lambda: window.done.append("Top"))
    grey = QAction("Never", window)
    grey.setEnabled(False)
    view.addAction(grey)
    window.box.setParent(window.menuBar())
    window.menuBar().setFixedHeight(40)
    window.box.setGeometry(250, 6, 320, 28)
    window.palette_.add_provider(lambda: commands_of_actions(window.menuBar().actions()))
    window.box.requested.connect(lambda text: window.palette_.open_at(window.box.place(window), text))
    key = QAction("Search everything", window)
    key.setShortcut(QKeySequence("Ctrl+K"))
    key.triggered.connect(lambda: window.box.requested.emit(""))
    window.addAction(key)
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.field.setFocus()
    return window


def type_text(window, text: str) -> None:
    for sign in text:
        QTest.keyClick(window.windowHandle(), sign)


def test_that_actions_become_commands_with_their_menus_and_keys(window):
    commands = commands_of_actions(window.menuBar().actions())

    assert [(command.title, command.kind, command.shortcut) for command in commands] == [
        ("Open…", "file", "Ctrl O"),
        ("Save", "file", "Ctrl S"),
        ("Fit the scene", "view", "Ctrl 0"),
        ("Look from: Top", "view", ""),
    ]


def test_that_ctrl_k_typing_and_return_do_a_command_and_give_the_focus_back(window):
    strike(window, Key.Key_K, CTRL)
    assert window.palette_.isVisible()
    type_text(window, "fit")
    assert window.palette_.titles() == ["Fit the scene"]
    strike(window, Key.Key_Return)

    assert window.done == ["Fit the scene"]
    assert not window.palette_.isVisible()
    assert window.field.hasFocus()


def test_that_it_closes_when_what_had_the_focus_is_gone(window):
    editor = QLineEdit(window)
    editor.show()
    editor.setFocus()
    strike(window, Key.Key_K, CTRL)
    delete(editor)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, PLAIN, QPoint(5, window.height() - 5))

    assert not window.palette_.isVisible()


def test_that_arrows_go_round_and_escape_does_nothing_but_close(window):
    strike(window, Key.Key_K, CTRL)
    palette = window.palette_
    assert palette.selected_title() == palette.titles()[0]
    strike(window, Key.Key_Up)
    assert palette.selected_title() == palette.titles()[-1]
    strike(window, Key.Key_Down)
    strike(window, Key.Key_Down)
    assert palette.selected_title() == palette.titles()[1]
    strike(window, Key.Key_PageDown)
    assert palette.selected_title() == palette.titles()[-1]
    strike(window, Key.Key_Escape)

    assert not palette.isVisible()
    assert window.done == []
    assert window.field.hasFocus()


def test_that_nothing_found_says_what_to_do_and_return_does_nothing(window):
    strike(window, Key.Key_K, CTRL)
    type_text(window, "zzqx")
    palette = window.palette_

    assert palette.titles() == []
    assert palette.nothing.isVisible()
    assert "zzqx" in palette.nothing.text()
    strike(window, Key.Key_Return)
    assert palette.isVisible()
    assert window.done == []


def test_that_a_click_does_a_row_and_a_click_outside_closes(window):
    strike(window, Key.Key_K, CTRL)
    rows = window.palette_.list
    place = rows.visualRect(rows.model().index(1, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, PLAIN, place)
    assert window.done == ["Save"]

    strike(window, Key.Key_K, CTRL)
    QTest.mouseClick(window.field, Qt.MouseButton.LeftButton, PLAIN, QPoint(20, window.field.height() - 10))
    assert not window.palette_.isVisible()


def test_that_recent_commands_come_first_then_the_common_ones(window):
    palette = window.palette_
    palette.set_common(["Look from: Top", "Save"])
    palette.set_recent(["Gone", "Fit the scene"])
    ran: list[str] = []
    palette.ran.connect(ran.append)
    strike(window, Key.Key_K, CTRL)
    assert palette.titles() == ["Fit the scene", "Look from: Top", "Save"]
    type_text(window, "sav")
    strike(window, Key.Key_Return)

    strike(window, Key.Key_K, CTRL)
    assert palette.titles() == ["Save", "Fit the scene", "Look from: Top"]
    assert palette.recent == ("Save", "Gone", "Fit the scene")
    assert ran == ["Save"]


def test_that_what_was_run_last_is_found_before_what_matches_as_well(window):
    palette = window.palette_
    titles = ("Select propeller", "Equipment: Propeller", "Propeller guide", "Propeller")
    palette.add_provider(lambda: [Command(title, "insert") for title in titles])
    palette.set_recent(["Equipment: Propeller", "Propeller guide"])
    strike(window, Key.Key_K, CTRL)
    type_text(window, "propeller")
    assert palette.titles()[:4] == ["Propeller", "Equipment: Propeller", "Propeller guide", "Select propeller"]


def test_that_the_box_opens_by_click_and_by_typing_on_it(window):
    QTest.mouseClick(window.box, Qt.MouseButton.LeftButton)
    assert window.palette_.isVisible()
    box, field = window.box.place(window), window.palette_.field
    assert abs(field.mapTo(window, QPoint(0, 0)).y() - box.top()) <= 2
    strike(window, Key.Key_Escape)

    window.box.setFocus()
    QTest.keyClick(window.windowHandle(), "s")
    assert window.palette_.field.text() == "s"
    type_text(window, "av")
    assert window.palette_.titles() == ["Save"]


def test_that_matched_letters_are_painted_otherwise(window):
    palette = window.palette_
    palette.open_at(window.box.place(window))
    palette.show_results()
    rows = palette.list
    before = picture(rows.viewport()).copy(rows.visualRect(rows.model().index(0, 0)))
    type_text(window, "open")
    after = picture(rows.viewport()).copy(rows.visualRect(rows.model().index(0, 0)))

    assert palette.titles() == ["Open…"]
    assert before != after


def test_that_items_examples_and_the_manual_are_found():
    bodies = "bodies: {rod: {frame: arm, shape: {form: sphere, radius: 1 m}}}"
    scene, _ = parse_scene(f"framescope: 1\nframes: {{arm: {{parent: world}}}}\n{bodies}\n")
    done: list[object] = []
    card = ExampleCard("drift", "A laboratory of drift", "Four boxes are integrated.", "Learn")
    commands: list[Command] = [
        *item_commands(scene, done.append),
        *example_commands([card], done.append),
        *manual_commands(manual_pages(), done.append),
    ]

    def first(query: str) -> Command:
        return rank(query, [(one, one.title, f"{one.words} {one.kind}") for one in commands], 1)[0][0]

    for query in ("frame arm", "body rod", "boxes integrated", "quaternions"):
        first(query).run()

    assert done == [
        ("frames", "arm"),
        ("bodies", "rod"),
        "drift",
        "quaternions.md#quaternions",
    ]


def test_that_a_page_that_was_pasted_by_mistake_is_not_searched_for(window):
    QApplication.clipboard().setText(4000 * "frame ")
    strike(window, Key.Key_K, CTRL)
    strike(window, Key.Key_V, CTRL)
    assert window.palette_.field.text() == (4000 * "frame ")[:MAX_LENGTH]
    assert window.palette_.titles() == []


def test_that_longer_texts_are_found_below_all_else(window):
    done: list[str] = []
    window.palette_.add_finder(lambda query: manual_finds(manual_pages(), done.append, query))
    strike(window, Key.Key_K, CTRL)
    type_text(window, "cover of the rotations")
    assert window.palette_.titles()[0].startswith("Conventions: Quaternions: … ")
    strike(window, Key.Key_Return)
    assert done == ["conventions.md#quaternions"]
    strike(window, Key.Key_K, CTRL)
    type_text(window, "save")
    titles = window.palette_.titles()
    assert titles[0] == "Save"
    assert len(titles) > 1


def test_that_a_sentence_finds_what_its_words_do(window):
    strike(window, Key.Key_K, CTRL)
    type_text(window, "how do I fit the scene")
    assert window.palette_.titles() == ["Fit the scene"]


def test_that_letters_inside_of_hidden_words_are_found_last() -> None:
    entries = [("pendulums", "Two pendulums", "simulated bodies"), ("sensor", "Absolute sensor", "an imu on a body")]
    assert [value for value, _ in rank("imu", entries, 20)] == ["sensor", "pendulums"]
