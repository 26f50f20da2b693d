"""A person who opens each card of the gallery: it comes up in its place, with what it is about selected."""

from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope import assets
from framescope.app.session.examples import PLACES_OF_USES, examples
from framescope.app.session.scene_lookup import find_scene
from framescope.core.scene.schema.model import NO_ITEM
from framescope.core.system.features import Example, ExampleKind
from framescope.features.bags.ui.recording_panel import RecordingPanel
from framescope.features.evidence.ui.evidence_panel import EvidencePanel
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.robots.ui.joints_panel import JointsPanel
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.dialogs.example_gallery import CARD_ROLE, Gallery
from framescope.ui.palette.command_palette import CommandPalette
from tests.support.hands import CTRL, PLAIN, Key, strike
from tests.support.whole_window import strike_in, wait_for
from tests.window.test_use_faults import is_at_rest, told

pytestmark = pytest.mark.usefixtures("dark")

SCENES = ("scene", "faulty", "bag", "robot")
"""Kinds of examples that open as scenes."""


@pytest.fixture
def wiring(open_window):
    return open_window(find_scene("demo"))


def gallery_of(wiring) -> Gallery:
    """Open the gallery by its keys."""
    strike_in(wiring, Key.Key_E, CTRL)
    wait_for(lambda: any(one.isActiveWindow() for one in wiring.window.findChildren(Gallery)))
    return next(one for one in wiring.window.findChildren(Gallery) if one.isActiveWindow())


def click_card(gallery: Gallery, name: str) -> None:
    grid = gallery.grid
    (index,) = (index for row in grid.card_rows() for index in row if index.data(CARD_ROLE).name == name)
    grid.scrollTo(index)
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, PLAIN, grid.visualRect(index).center())


def open_card(wiring, example: Example) -> None:
    wiring.session.document.is_handed_back = True
    click_card(gallery_of(wiring), example.name)


def is_open(wiring, example: Example) -> bool:
    document, file = wiring.session.document, assets.path(example.file)
    return document.path == file or document.made_of == file.name


@pytest.mark.parametrize("kind", SCENES)
def test_that_each_card_opens_in_its_place_with_what_it_shows(wiring, kind) -> None:
    session, window = wiring.session, wiring.window
    for example in (example for example in examples() if example.kind == kind):
        session.pause()
        open_card(wiring, example)
        wait_for(lambda example=example: is_open(wiring, example) and is_at_rest(wiring))
        wait_for(lambda: session.simulator.activity.state != "running")
        assert window.place == PLACES_OF_USES[example.use], example
        assert session.selection == example.selected, example
        assert session.playback.is_playing == (example.use == "Film"), example
        assert session.file_problems == (), example
        if kind in ("faulty", "bag"):
            wait_for(lambda: bool(told(wiring)) and is_at_rest(wiring))
            first = window.problems.problems[0]
            assert first.severity in ("red", "amber"), example
            assert first.item == example.selected, example
            assert window.problems.list_view.currentIndex().row() == 0, example
            assert example.dock == "evidence" or window.problems.isVisible()
        else:
            assert told(wiring) == [], example
        shown = {"recording": RecordingPanel, "joints": JointsPanel, "evidence": EvidencePanel}.get(example.dock)
        if shown is not None:
            wait_for(lambda shown=shown: any(panel.isVisible() for panel in window.findChildren(shown)))


def test_that_each_lesson_opens_in_learn(wiring) -> None:
    player = lesson_player(wiring)
    for example in (example for example in examples() if example.kind == "lesson"):
        open_card(wiring, example)
        wait_for(lambda example=example: player.read is not None and player.read.path == assets.path(example.file))
        assert wiring.window.place == "Learn"
        assert wiring.window.has_dock("lesson")
        assert player.i == 0
        assert told(wiring) == []
    player.leave()
    assert wiring.window.place == "Build"


def test_that_a_table_opens_the_import(wiring) -> None:
    wiring.window.set_place("Check")
    (example,) = (example for example in examples() if example.kind == "table")
    open_card(wiring, example)
    wait_for(lambda: any(dialog.isVisible() for dialog in wiring.window.findChildren(ImportDialog)))
    (dialog,) = wiring.window.findChildren(ImportDialog)
    assert wiring.window.place == "Build"
    strike(dialog, Key.Key_Escape)
    assert wiring.session.document.path == find_scene("demo")


def test_that_the_tests_above_open_every_kind_of_example() -> None:
    assert {*SCENES, "lesson", "table"} == {*get_args(ExampleKind)} == {example.kind for example in examples()}


def test_that_an_example_is_found_by_typing_and_opened_by_return(wiring) -> None:
    gallery = gallery_of(wiring)
    for letter in "wxyz":
        strike(gallery, Key(ord(letter.upper())))
    strike(gallery, Key.Key_Return)
    wait_for(lambda: wiring.session.document.name == "swapped-order.yaml")
    assert wiring.window.place == "Check"


def test_that_the_search_of_the_window_lists_the_same_examples(wiring) -> None:
    window = wiring.window
    palette = window.findChild(CommandPalette)
    strike_in(wiring, Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "node ended")
    assert palette.selected_title() == "Bag: A drive that breaks off"
    strike(window, Key.Key_Return)
    wait_for(lambda: wiring.session.document.made_of == "falls-silent.bag" and is_at_rest(wiring))
    assert window.place == "Check"
    assert wiring.session.selection == ("frames", "base_link")
    strike_in(wiring, Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "lesson gimbal")
    assert palette.titles().count("Lesson: Gimbal lock") == 1
    assert palette.selected_title() == "Lesson: Gimbal lock"


def test_that_the_problem_of_the_selected_item_is_selected_in_the_list(wiring) -> None:
    """Selecting goes both ways, and a row that the user has chosen stays."""
    window, session = wiring.window, wiring.session
    open_card(wiring, next(example for example in examples() if example.name == "faulty/misspelt-parent"))
    wait_for(lambda: len(told(wiring)) == 3 and is_at_rest(wiring))
    rows = window.problems.list_view
    session.select(("frames", "antenna_link"))
    assert rows.currentIndex().row() == 2
    session.select(NO_ITEM)
    assert rows.currentIndex().row() == 2


def test_that_a_presentation_stays_on(wiring) -> None:
    window = wiring.window
    window.commands.present.trigger()
    wait_for(lambda: window.is_presenting)
    wiring.files.open_example("gimbal-lock")
    assert window.is_presenting
    assert wiring.session.document.name == "gimbal-lock.yaml"
    window.commands.present.trigger()


def test_that_a_new_scene_after_examples_is_built_where_they_were_opened_from(wiring) -> None:
    window, session = wiring.window, wiring.session
    window.set_place("Build")
    for name in ("gimbal-lock", "faulty/misspelt-parent"):
        wiring.files.open_example(name)
        wait_for(lambda: window.place != "Build" and is_at_rest(wiring))
    assert window.place == "Check"
    wiring.files.new()
    assert (window.place, session.document.name) == ("Build", "untitled.yaml")
    wiring.files.open_example("gimbal-lock")
    wait_for(lambda: window.place == "Learn" and is_at_rest(wiring))
    window.set_place("Check")
    window.set_place("Learn")
    wiring.files.new()
    assert window.place == "Learn", "which the user has chosen"


def test_that_an_example_that_is_none_is_refused_with_the_nearest(wiring) -> None:
    wiring.files.open_example("gimbel-lock")
    assert "gimbel-lock is not opened" in wiring.window.status.message
    wait_for(lambda: wiring.reports.report is not None)
    assert "gimbal-lock" in str(wiring.reports.report.list.problems[0])
