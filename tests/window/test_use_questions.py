"""The question bar and the cards of answers in the whole window, by mouse and keyboard."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from framescope import assets
from framescope.app.session.scene_lookup import find_scene
from framescope.app.storage.settings import Settings
from framescope.core.scene.edits.answers import forms_given
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.view import PlottedSignal
from framescope.ui.dialogs.welcome import Doors
from framescope.ui.panels.question.answer_cards import AnswerCards
from framescope.ui.panels.relation.relation_panel import RelationPanel
from framescope.ui.scene_view.interaction.hover_text import item_text
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.notice import Notice
from tests.support.hands import CTRL, LEFT, PLAIN, Key, strike, wheel
from tests.support.questions import ask, hit, type_text
from tests.support.whole_window import (
    ALT,
    answering,
    click,
    click_item,
    from_menu,
    strike_in,
    wait_for,
    wait_until_saved,
)
from tests.support.whole_window import choose as choose_entry

pytestmark = pytest.mark.window

SCENE = """\
framescope: 1
time: {end: 4 s}
frames:
  base: {parent: world, position: {value: ["0.2*t", 0, 1], unit: m},
         orientation: {form: axis, axis: z, angle: "90*t", unit: deg}}
  arm: {parent: base, orientation: {form: axes, sequence: ZYX, angles: ["30*t", 10, 5], unit: deg}}
  <b>tip</b>: {parent: arm, position: {value: [0.3, 0, 0], unit: m}}
sensors:
  base: {form: absolute, frame_a: base, get_w: true}
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "asked.yaml"
    path.write_text(SCENE)
    return open_window(path)


def choose(box, text: str) -> None:
    """Choose an entry of a box by the keyboard."""
    box.setFocus(Qt.FocusReason.TabFocusReason)
    row = box.findText(text)
    assert row >= 0, [box.itemText(i) for i in range(box.count())]
    while box.currentIndex() != row:
        strike(box, Key.Key_Down if box.currentIndex() < row else Key.Key_Up)


def type_name(field, text: str) -> None:
    """Type a name into a box of names."""
    QTest.mouseClick(field.line, LEFT, PLAIN, QPoint(12, 10))
    strike(field.line, Key.Key_A, CTRL)
    for sign in text:
        QTest.keyClick(QApplication.activePopupWidget() or field.line, sign)
    QTest.keyClick(QApplication.activePopupWidget() or field.line, Key.Key_Return)
    QApplication.processEvents()


def scene(wiring):
    return wiring.session.document.scene


def given(wiring) -> set[str]:
    return set(forms_given(scene(wiring), wiring.window.question.question))


def down(wiring) -> set[str]:
    return {form for form, button in wiring.window.question.buttons.items() if button.isChecked()}


def test_that_a_question_is_asked_and_answered_in_four_forms(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    assert (bar.what.currentText(), bar.of.name, bar.relative_to.name, bar.resolved_in.name) == (
        "angular velocity", "arm", "base", "arm",
    )  # fmt: skip
    assert down(wiring) == set()
    for form in ("number", "curve", "arrow", "sentence"):
        click(bar.buttons[form])
        assert form in down(wiring)
    assert given(wiring) == down(wiring) == {"number", "curve", "arrow", "sentence"}
    cards = wiring.questions.cards.cards
    assert [card.isVisible() for card in cards] == [True, True]
    wiring.session.scrub(1.0)
    assert cards[0].row.texts() == ["5.23", "−0.91", "29.40"] or cards[0].row.values.size == 3
    assert "arm turns at 30°/s relative to base" in cards[1].sentence.text()
    for n in range(4, 0, -1):
        assert len(given(wiring)) == n
        strike_in(wiring, Key.Key_Z, CTRL)
        assert down(wiring) == given(wiring)
    assert given(wiring) == set()
    assert not wiring.questions.cards.isVisible()


def test_that_parts_of_a_question_are_changed_and_typed(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    choose(bar.what, "position")
    type_name(bar.relative_to, "wor")
    type_name(bar.resolved_in, "base")
    choose(bar.unit, "mm")
    choose(bar.component, "magnitude")
    click(bar.buttons["number"])
    (card,) = wiring.questions.cards.cards
    wiring.session.scrub(0.0)
    assert card.row.texts() == ["1000.0000"]
    (answer,) = scene(wiring).view.answers
    assert (answer.signal, answer.relative_to, answer.resolved_in, answer.unit) == ("position", "world", "base", "mm")
    assert answer.components == ("norm",)
    before = bar.question
    type_name(bar.of, "nobody")
    assert bar.question == before
    assert "There is no" in wiring.window.status.message
    strike(bar.of.line, Key.Key_Escape)
    type_name(bar.of, "tip")
    assert bar.question.of == "<b>tip</b>"
    assert bar.what.currentText() == "position"


def test_that_the_buttons_are_of_the_present_component(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    click(bar.buttons["number"])
    choose(bar.component, "magnitude")
    assert down(wiring) == set()
    click(bar.buttons["number"])
    assert [answer.components for answer in scene(wiring).view.answers] == [None, ("norm",)]
    assert down(wiring) == {"number"}
    click(bar.buttons["number"])
    assert [answer.components for answer in scene(wiring).view.answers] == [None]
    choose(bar.component, "x, y, z")
    assert down(wiring) == {"number"}


def test_that_the_axes_of_a_position_are_those_of_the_frame_it_is_relative_to(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    assert (bar.what.currentText(), bar.resolved_in.name) == ("angular velocity", "arm")
    type_name(bar.relative_to, "world")
    assert bar.resolved_in.name == "arm"  # as its gyroscope measures it
    choose(bar.what, "position")
    assert (bar.relative_to.name, bar.resolved_in.name) == ("world", "world")
    type_name(bar.relative_to, "tip")
    assert bar.resolved_in.name == "<b>tip</b>"
    type_name(bar.resolved_in, "base")
    type_name(bar.relative_to, "world")
    assert bar.resolved_in.name == "base"  # chosen by the user
    choose(bar.what, "velocity")
    assert bar.resolved_in.name == "base"


CAMERAS = """\
framescope: 1
frames:
  body_frd: {parent: world}
  camera: {parent: body_frd, position: {value: [0.3, 0, 0], unit: m}}
  camera_optical: {parent: camera}
"""

OPTICAL = "orientation: {form: axes, sequence: ZYX, angles: [90, 0, 90], unit: deg}}"


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_that_names_of_frames_are_whole_and_selecting_moves_nothing(open_window, tmp_path, dark, width) -> None:
    path = tmp_path / "cameras.yaml"
    path.write_text(CAMERAS)
    window = (wiring := open_window(path)).window
    window.resize(width, 800)
    wait_for(lambda: abs(window.width() - width) <= 1)
    heights = set()
    for name in ("camera_optical", "camera", "body_frd"):
        click_item(wiring, ("frames", name))
        heights.add(window.docks["question"].height())
        for field in (window.question.what, *window.question.frames.fields.values()):
            assert field.line.fontMetrics().horizontalAdvance(field.currentText()) <= field.line.width(), field.name
    assert len(heights) == 1


@pytest.mark.parametrize("width", [1180, 1280, 1440])
def test_that_the_height_of_the_bar_follows_from_scene_and_width_alone(open_window, dark, width) -> None:
    window = (wiring := open_window(find_scene("demo"))).window

    def heights_at(width: int) -> set[int]:
        window.resize(width, 800)
        wait_for(lambda: abs(window.width() - width) <= 1)
        QTest.qWait(50)  # the docks follow the bar once events are handled
        heights = {window.docks["question"].height()}
        for key in (("frames", "camera"), ("frames", "inner ring"), ("sensors", "gyro"), ("frames", "stand")):
            click_item(wiring, key)
            QApplication.processEvents()
            heights.add(window.docks["question"].height())
        return heights

    before = heights_at(width)
    assert len(before) == 1
    for other in (900, 1600):
        heights_at(other)
        assert heights_at(width) == before


def test_that_the_look_of_a_camera_is_typed_and_answered_in_words(open_window, tmp_path) -> None:
    path = tmp_path / "cameras.yaml"
    path.write_text(CAMERAS.replace("camera_optical: {parent: camera}", "camera_optical: {parent: camera, " + OPTICAL))
    wiring = open_window(path)
    bar, cards = wiring.window.question, wiring.questions.cards
    strike_in(wiring, Key.Key_K, CTRL)
    type_text("look of camera_optical in body_frd")
    hit(Key.Key_Return)
    wait_for(lambda: bool(cards.cards) and cards.isVisible())
    assert cards.cards[0].row.texts() == ["1.0000", "0.0000", "0.0000"]
    assert "along +x of body_frd: forward" in [label.text() for label in cards.cards[0].findChildren(QLabel)]
    assert (bar.what.currentText(), bar.of.name, bar.relative_to.name) == (
        "direction of z", "camera_optical", "body_frd",
    )  # fmt: skip
    ask(wiring, "direction of y of camera_optical in body_frd", Key.Key_Q, ALT)
    assert bar.question.signal == "direction of y"
    click(bar.buttons["sentence"])
    assert cards.cards[-1].sentence.text() == "y of camera_optical looks along +z of body_frd: down."


def test_that_another_item_is_asked_the_same(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    choose(bar.what, "velocity")
    type_name(bar.relative_to, "world")
    choose(bar.component, "magnitude")
    choose(bar.unit, "mm/s")
    type_name(bar.of, "tip")
    asked = bar.question
    assert (asked.of, asked.relative_to, asked.unit, asked.components) == ("<b>tip</b>", "world", "mm/s", ("norm",))


def test_that_a_card_is_dragged_and_the_scene_below_it_stays(wiring) -> None:
    click_item(wiring, ("frames", "arm"))
    click(wiring.window.question.buttons["sentence"])
    (card,) = wiring.questions.cards.cards
    assert card.sentence.height() >= card.sentence.heightForWidth(card.sentence.width())
    before = wiring.window.scene_view.camera.state
    at = QPoint(30, card.height() // 2)
    QTest.mousePress(card, LEFT, PLAIN, at)
    QTest.mouseMove(card, at + QPoint(2, 2))
    QTest.mouseRelease(card, LEFT, PLAIN, at + QPoint(2, 2))
    assert wiring.window.scene_view.camera.state == before


def test_that_a_sensor_and_a_frame_of_one_name_are_both_asked(wiring) -> None:
    bar = wiring.window.question
    type_name(bar.of, "base (sensor)")
    assert (bar.question.signal, bar.question.of) == ("sensor", "base")
    assert not bar.buttons["arrow"].isEnabled()
    click(bar.buttons["number"])
    assert scene(wiring).view.answers[0].signal == "sensor"
    click_item(wiring, ("frames", "base"))
    assert bar.question.signal != "sensor"


def test_that_a_card_leads_back_to_its_question_and_goes_by_keyboard(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    click(bar.buttons["number"])
    (card,) = wiring.questions.cards.cards
    asked = bar.question
    click_item(wiring, ("frames", "base"))
    assert bar.question != asked
    QTest.mouseClick(card, LEFT, PLAIN, QPoint(20, card.height() - 6))
    assert bar.question.of == "arm"
    assert down(wiring) == {"number"}
    card.form_requested.emit("curve")
    assert given(wiring) == {"number", "curve"}
    (card,) = wiring.questions.cards.cards
    card.setFocus()
    strike(card, Key.Key_Delete)
    assert given(wiring) == {"curve"}


def test_that_a_deleted_frame_takes_its_answers_and_questions_along(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "<b>tip</b>"))
    for form in ("number", "sentence"):
        click(bar.buttons[form])
    assert len(wiring.questions.cards.cards) == 2
    click_item(wiring, ("frames", "<b>tip</b>"))
    strike(wiring.window.outline.tree, Key.Key_Delete)
    assert scene(wiring).view.answers == ()
    assert wiring.questions.cards.cards == []
    assert bar.question.of != "<b>tip</b>"
    strike_in(wiring, Key.Key_Z, CTRL)
    assert len(wiring.questions.cards.cards) == 2


def test_that_hostile_names_are_shown_as_they_are(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "<b>tip</b>"))
    for form in ("number", "sentence"):
        click(bar.buttons[form])
    number, sentence = wiring.questions.cards.cards
    assert "<b>tip</b>" in number.accessibleName()
    assert sentence.sentence.textFormat() == Qt.TextFormat.PlainText
    assert "<b>tip</b>" in sentence.sentence.text()


def test_that_cards_are_hidden_while_turns_are_shown_one_by_one(wiring) -> None:
    click_item(wiring, ("frames", "arm"))
    click(wiring.window.question.buttons["number"])
    cards = wiring.questions.cards
    assert cards.isVisible()
    wiring.window.commands.staged.trigger()
    assert not cards.isVisible()
    wiring.window.commands.staged.trigger()
    assert cards.isVisible()


def test_that_the_doors_are_on_an_empty_scene_which_does_not_play(wiring) -> None:
    wiring.preferences.offer_first_steps()
    doors = wiring.window.scene_view.findChild(Doors)
    assert not doors.isVisible()
    assert wiring.session.playback.is_playing or wiring.session.toggle_play() is None
    wiring.files.new()
    wait_for(lambda: wiring.session.document.path is None)
    assert doors.isVisible()
    assert not wiring.session.playback.is_playing
    click(doors.buttons["compare"])
    assert wiring.window.has_dock("compare")


def test_that_doors_stay_on_the_demo_until_it_is_edited_or_they_are_dismissed(open_window) -> None:
    wiring = open_window(assets.path("scenes/demo.yaml"))
    wiring.preferences.offer_first_steps()
    doors = wiring.window.scene_view.findChild(Doors)
    assert doors.isVisible()
    assert {"compare", "open", "lessons", "new"} <= doors.buttons.keys()
    click(doors.dismiss)
    assert not doors.isVisible()
    assert not wiring.settings.is_first_start


def test_that_the_file_that_was_open_last_is_one_click_away(open_window, tmp_path) -> None:
    file = tmp_path / "R & D of a long name that has no room on a door.yaml"
    file.write_text("framescope: 1\nframes:\n  arm: {parent: world}\n", encoding="utf-8")
    Settings().recent = (tmp_path / "gone.yaml", file)
    wiring = open_window(assets.path("scenes/demo.yaml"))
    wiring.preferences.offer_first_steps()
    doors = wiring.window.scene_view.findChild(Doors)
    shown = [name for name, button in doors.buttons.items() if button.isVisible()]
    assert (shown[0], shown[-1]) == ("last file", "new")
    button = doors.buttons["last file"]
    assert button.text().startswith("Continue with R && D ")
    assert button.text().endswith(".yaml")
    assert button.toolTip() == f"Open {file}"
    click(button)
    wait_for(lambda: wiring.session.document.path == file)
    assert not doors.isVisible()


def test_that_a_file_of_the_command_line_is_offered_next_time_without_its_list_of_problems(
    open_window, tmp_path
) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text("framescope: 1\nframes:\n  arm: {parent: nowhere}\n", encoding="utf-8")
    wiring = open_window(file)
    wait_for(lambda: not wiring.window.docks["problems"].isHidden())
    wiring.preferences.close()
    assert Settings().recent == (file,)
    again = open_window(assets.path("scenes/demo.yaml"))
    QApplication.processEvents()
    assert again.window.docks["problems"].isHidden()


def test_that_a_panel_that_comes_alone_at_its_side_has_its_width(wiring) -> None:
    window = wiring.window
    window.resize(1280, 800)
    for name in ("shift", "readouts", "problems"):
        window.show_dock(name)
        QApplication.processEvents()
        wait_for(lambda name=name: window.docks[name].width() >= 240)
        window.hide_dock(name)
        QApplication.processEvents()


def test_that_a_card_opens_its_frames_in_the_relation(wiring) -> None:
    window = wiring.window
    click_item(wiring, ("frames", "arm"))
    click(window.question.buttons["number"])
    (card,) = wiring.questions.cards.cards
    click_item(wiring, ("frames", "base"))
    at = QPoint(5, 5)
    QApplication.sendEvent(card, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, card.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    choose_entry(menu, "Open in Relation")
    wait_for(lambda: window.has_dock("relation"))
    wait_for(lambda: any(panel.isVisible() for panel in window.findChildren(RelationPanel)))
    panel = window.findChild(RelationPanel)
    question = card.question()
    assert (panel.key.of, panel.key.relative_to) == ("arm", question.relative_to)
    assert panel.hold.isChecked()
    assert len(window.scene_view.findChildren(AnswerCards)) == 1


# --- By keyboard alone


def test_that_a_question_is_asked_and_answered_by_keyboard_alone(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    ask(wiring, "acc ang", Key.Key_Q, ALT, Key.Key_Tab)
    assert (bar.what.name, bar.question.signal) == ("angular acceleration", "angular acceleration")
    assert bar.of.line.hasFocus()
    assert given(wiring) == set()
    hit(Key.Key_Return)
    assert given(wiring) == down(wiring) == {"number"}
    hit(Key.Key_Return)
    assert len(scene(wiring).view.answers) == 1
    assert "already" in wiring.window.status.message
    hit(Key.Key_Tab)
    assert bar.relative_to.line.hasFocus()
    type_text("wor")
    hit(Key.Key_Return)  # takes the frame
    assert (bar.relative_to.name, given(wiring)) == ("world", set())
    hit(Key.Key_Return)
    assert given(wiring) == {"number"}
    while not bar.buttons["sentence"].hasFocus():
        hit(Key.Key_Tab)
    hit(Key.Key_Return)
    assert given(wiring) == {"number", "sentence"}
    hit(Key.Key_Return)
    assert given(wiring) == {"number"}


def test_that_an_item_and_a_quantity_are_typed_together(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    ask(wiring, "", Key.Key_Q, ALT, None)
    assert bar.what.offered[:2] == ["angular velocity", "angles"]
    type_text("base pos")
    assert bar.what.offered[0] == "base  ·  position  ·  relative to world"
    hit(Key.Key_Return)
    assert (bar.what.name, bar.of.name, given(wiring)) == ("position", "base", {"number"})
    ask(wiring, "arm velocity world", Key.Key_Q, ALT)
    asked = bar.question
    assert (asked.signal, asked.of, asked.relative_to) == ("velocity", "arm", "world")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("base distance", "position base world world norm m"),
        ("distance of arm from world", "position arm world world norm m"),
        ("distance", "position arm base base norm m"),
        ("base angular velocity in axes of world", "angular velocity base world world None deg/s"),
        ("angular velocity of arm relative to world resolved in world", "angular velocity arm world world None deg/s"),
        ("velocity of arm relative to world resolved in base in mm/s", "velocity arm world base None mm/s"),
        ("velocity of arm in mm/s", "velocity arm base base None mm/s"),
        ("position of arm relative to world resolved in arm in m: norm", "position arm world arm norm m"),
        ("position of arm relative to world magnitude", "position arm world world norm m"),
        ("Angular velocity arm relative to world, in axes of arm", "angular velocity arm world arm None deg/s"),
        ("angles of arm relative to world by ZYX in deg", "angles arm world None None deg"),
    ],
)
def test_that_sentences_in_the_words_of_the_program_are_read(wiring, text, asked) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    ask(wiring, text, Key.Key_Q, ALT)
    question = bar.question
    assert given(wiring) == {"number"}
    component = (question.components or (None,))[0]
    frames = f"{question.of} {question.relative_to} {question.resolved_in}"
    assert f"{question.signal} {frames} {component} {question.unit}" == asked


def test_that_a_long_question_is_seen_while_it_is_typed(wiring) -> None:
    wiring.window.resize(1440, 900)
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    before = bar.what.width()
    ask(wiring, "angular velocity of nobody relative to", Key.Key_Q, ALT, None)
    line, text = bar.what.line, bar.what.line.text()
    assert line.fontMetrics().horizontalAdvance(text) < line.width()
    assert all(field.width() >= 46 for field in bar.frames.fields.values())
    note = bar.what.popup.model().index(0, 0).data()
    assert note.startswith("Nothing is called “angular velocity of…”")
    popup = bar.what.popup
    assert popup.fontMetrics().horizontalAdvance(note) < popup.viewport().width() - 8
    hit(Key.Key_Escape)
    hit(Key.Key_Escape)
    assert bar.what.width() == before


def test_that_return_marks_its_button_and_asking_for_a_curve_aims_at_it(wiring) -> None:
    window = wiring.window
    bar = window.question

    def aimed() -> list[str]:
        return [form for form, button in bar.buttons.items() if button.property("aimed")]

    click_item(wiring, ("frames", "arm"))
    window.outline.tree.setFocus()
    assert aimed() == []
    window.hide_dock("question")
    strike_in(wiring, Key.Key_P, CTRL)
    assert window.has_dock("question")
    assert bar.what.line.hasFocus()
    assert bar.what.is_open
    assert aimed() == ["curve"]
    assert "Return adds the curve" in window.status.message
    hit(Key.Key_Escape)
    window.outline.tree.setFocus()
    assert aimed() == []
    click(bar.buttons["number"])  # the wish for a curve has gone with the keyboard
    assert given(wiring) == {"number"}


def test_that_the_menu_and_the_empty_state_of_a_plot_lead_to_the_bar(wiring) -> None:
    window, bar = wiring.window, wiring.window.question
    click_item(wiring, ("frames", "arm"))
    (button,) = (b for b in window.plots.plots[0].findChildren(QPushButton) if b.text() == "Ask")
    click(button)
    type_text("velo")
    hit(Key.Key_Return)
    (plot,) = scene(wiring).view.plots
    assert (plot.signal, plot.of) == ("velocity", "arm")
    wait_for(lambda: window.plots.plots[0].curves is not None)
    window.plots.plots[0].ask_menu()
    choose_entry(QApplication.activePopupWidget(), "Ask for another curve…")
    assert bar.what.line.hasFocus()
    type_text("base velocity")
    hit(Key.Key_Return)
    (plot,) = scene(wiring).view.plots
    assert [(other.signal, other.of) for other in plot.also] == [("velocity", "base")]


def click_row(bar, text: str) -> None:
    """Click a row of the open list of quantities."""
    popup, rows = bar.what.popup, bar.what.offered
    (row,) = (i for i, offered in enumerate(rows) if offered.startswith(text))
    at = popup.visualRect(popup.model().index(row, 0)).center()
    QTest.mouseClick(popup.viewport(), LEFT, PLAIN, at)
    QApplication.processEvents()


def test_that_a_clicked_row_adds_the_wanted_curve_and_elsewhere_waits_for_its_form(wiring) -> None:
    window, bar = wiring.window, wiring.window.question
    click_item(wiring, ("frames", "arm"))
    strike_in(wiring, Key.Key_P, CTRL)
    click_row(bar, "angular velocity")  # the present one, too
    click(window.plots.plots[0])
    strike_in(wiring, Key.Key_P, CTRL)
    click_row(bar, "position")
    assert [plot.signal for plot in scene(wiring).view.plots] == ["angular velocity", "position"]
    assert not bar.what.line.hasFocus()
    click(bar.what.line)
    click_row(bar, "angles")
    assert bar.what.currentText() == "angles"
    assert len(scene(wiring).view.plots) == 2
    assert down(wiring) == set()


def test_that_the_fixed_frame_of_a_sensor_is_asked_what_the_sensor_tells(wiring) -> None:
    bar = wiring.window.question
    click_item(wiring, ("frames", "arm"))
    from_menu(wiring, "Insert", "IMU")
    assert wiring.session.selection == ("frames", "imu")
    assert (bar.what.currentText(), bar.of.name, bar.resolved_in.name) == ("specific force", "imu", "imu")
    click_item(wiring, ("frames", "arm"))
    assert bar.what.currentText() == "angular velocity"
    bar.ask()
    type_text("imu")
    assert bar.what.offered[0].startswith("imu_data  ·  all that it measures")
    hit(Key.Key_Escape)


def test_that_the_menu_of_the_outline_shows_what_its_item_tells(wiring) -> None:
    tree = wiring.window.outline.tree
    click_item(wiring, ("sensors", "base"))
    at = tree.visualRect(tree.index_of(("sensors", "base"))).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, tree.viewport().mapToGlobal(at))
    QApplication.sendEvent(tree.viewport(), event)
    menu = QApplication.activePopupWidget()
    choose_entry(menu, "Show its sensor as")
    choose_entry(QApplication.activePopupWidget(), "curve")
    assert [(plot.signal, plot.of) for plot in scene(wiring).view.plots] == [("sensor", "base")]


def test_that_the_card_of_a_sensor_gives_its_numbers_in_its_own_axes(wiring) -> None:
    from_menu(wiring, "Insert", "IMU")
    plan, snapshot = wiring.session.plan, wiring.session.snapshot
    rows = dict(item_text(("sensors", "imu_data"), plan, snapshot).rows)
    (numbers,) = (rows[caption] for caption in rows if caption.startswith("specific force"))
    measured = snapshot.sensors["imu_data"]
    assert "specific force relative to world, in axes of imu" in rows
    shown = [float(word.replace("\N{MINUS SIGN}", "-")) for word in numbers.split()[:3]]
    assert shown == pytest.approx(measured[plan.instruments.sensors["imu_data"].sensor.slices["s"]], abs=0.01)


def test_that_a_search_for_ask_leads_to_the_bar(wiring) -> None:
    strike_in(wiring, Key.Key_K, CTRL)
    type_text("ask")
    hit(Key.Key_Return)
    assert wiring.window.question.what.line.hasFocus()


def test_that_an_empty_scene_has_nothing_to_ask(wiring) -> None:
    wiring.files.new()
    wait_for(lambda: wiring.session.document.path is None)
    (name,) = scene(wiring).frames
    click_item(wiring, ("frames", name))
    strike(wiring.window.outline.tree, Key.Key_Delete)
    strike_in(wiring, Key.Key_Q, ALT)
    assert "nothing to ask" in wiring.window.status.message
    assert not wiring.window.question.isEnabled()


def test_that_long_names_are_shortened_and_lists_show_them_whole(open_window, tmp_path) -> None:
    name = "camera_of_the_left_arm_of_the_second_robot"
    path = tmp_path / "long.yaml"
    path.write_text(f"framescope: 1\nframes:\n  {name}: {{parent: world}}\n  tip: {{parent: {name}}}\n")
    wiring = open_window(path)
    window, bar = wiring.window, wiring.window.question
    window.resize(1280, 800)
    click_item(wiring, ("frames", name))
    line = bar.of.line
    assert line.fontMetrics().horizontalAdvance(name) > line.width()
    assert inked_at_right(line) < 2  # an ellipsis ends before the edge
    click(line)
    popup = QApplication.activePopupWidget()
    assert popup.viewport().width() > popup.fontMetrics().horizontalAdvance(name)
    assert window.screen().availableGeometry().contains(popup.geometry())
    hit(Key.Key_Escape)


def inked_at_right(line) -> int:
    """Return the number of pixels with a letter in the last columns of a line."""
    image = line.grab().toImage()
    ground = image.pixelColor(image.width() - 1, 0)
    columns = range(image.width() - 2, image.width())
    return sum(image.pixelColor(x, y) != ground for x in columns for y in range(image.height()))


def test_that_the_search_of_the_window_answers_questions(open_window) -> None:
    wiring = open_window(find_scene("demo"))
    window, palette = wiring.window, wiring.preferences.command_palette
    before = len(wiring.questions.cards.cards)
    for i, (typed, first) in enumerate(
        (
            ("angular velocity of rotor relative to world in axes of inner ring", "Show angular velocity of rotor"),
            ("camera acceleration", "Show camera"),
        ),
        start=1,
    ):
        strike_in(wiring, Key.Key_K, CTRL)
        wait_for(palette.isVisible)
        QTest.keyClicks(palette.field, typed)
        wait_for(lambda first=first: any(title.startswith(first) for title in palette.titles()))
        while not palette.selected_title().startswith(first):
            QTest.keyClick(palette.field, Key.Key_Down)
        QTest.keyClick(palette.field, Key.Key_Return)
        assert len(wiring.questions.cards.cards) == before + i
    asked = wiring.session.document.scene.view.answers
    assert (asked[-2].of, asked[-2].resolved_in, asked[-2].form) == ("rotor", "inner ring", "number")
    assert asked[-1].signal == "acceleration"
    assert window.question.question.signal == "acceleration"
    window.commands.undo.trigger()
    assert len(wiring.questions.cards.cards) == before + 1


def test_that_the_search_of_the_window_names_no_question_that_no_words_name(open_window) -> None:
    wiring = open_window(find_scene("demo"))
    assert list(wiring.questions.find_questions("make a video")) == []
    assert list(wiring.questions.find_questions("velocity")) == []
    assert next(c.title for c in wiring.questions.find_questions("camera velocity")).startswith("Show camera")


def test_that_a_narrow_row_keeps_its_buttons_whole(wiring) -> None:
    window, bar = wiring.window, wiring.window.question
    window.resize(1000, 700)
    window.show_dock("readouts")
    click_item(wiring, ("frames", "arm"))
    wait_for(lambda: bar.width() < 760)
    QTest.qWait(50)
    for button in bar.buttons.values():
        assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()) + 8
    last = bar.buttons["sentence"]
    assert last.mapTo(bar, last.rect().bottomRight()).x() < bar.width()
    assert bar.what.width() >= 100
    assert bar.relative_to.toolTip() == "base\nrelative to"


ANSWERED = (
    SCENE
    + """\
view:
  answers:
    - {signal: quaternion, of: arm, relative_to: world, form: number}
    - {signal: quaternion, of: arm, relative_to: world, form: sentence}
    - {signal: angular velocity, of: arm, relative_to: world, resolved_in: arm, unit: deg/s, form: number}
    - {signal: velocity, of: base, relative_to: world, resolved_in: world, unit: m/s, form: number}
    - {signal: velocity, of: base, relative_to: world, resolved_in: base, unit: m/s, form: number}
    - {signal: position, of: arm, relative_to: world, resolved_in: world, unit: m, form: number}
"""
)


@pytest.fixture
def answered(open_window, tmp_path):
    path = tmp_path / "answered.yaml"
    path.write_text(ANSWERED)
    return open_window(path)


def test_that_a_note_is_no_subject_of_a_question(wiring) -> None:
    click_item(wiring, ("frames", "arm"))
    from_menu(wiring, "Insert", "Note")
    assert wiring.session.selection == ("notes", "note")
    question = PlottedSignal(signal="position", of="base", relative_to="world", resolved_in="world", unit="m")
    click_item(wiring, ("frames", "base"))
    bar = wiring.window.question
    bar.set_question(question)
    click_item(wiring, ("notes", "note"))
    assert (bar.question, bar.of.name, bar.what.currentText()) == (question, "base", "position")


def test_that_questions_are_saved_with_the_scene_and_answered_when_it_is_opened_again(open_window, tmp_path) -> None:
    path = tmp_path / "asked.yaml"
    path.write_text(SCENE)
    asked = open_window(path)
    click_item(asked, ("frames", "arm"))
    for form in ("number", "sentence", "curve", "arrow"):
        click(asked.window.question.buttons[form])
    strike_in(asked, Key.Key_S, CTRL)
    wait_until_saved(asked)
    again = open_window(path)
    assert [card.authored for card in again.questions.cards.cards] == list(scene(asked).view.answers)
    assert len(again.questions.cards.cards) == 2
    assert again.window.plots.plots
    assert scene(again).view == scene(asked).view
    assert scene(again).sensors == scene(asked).sensors
    click_item(again, ("frames", "arm"))
    assert down(again) == {"number", "sentence", "curve", "arrow"}
    for _ in range(4):
        strike_in(asked, Key.Key_Z, CTRL)
    assert asked.questions.cards.cards == []
    assert scene(asked).view.answers == ()


def test_that_six_numbers_of_a_card_have_their_names_and_keep_their_signs(wiring) -> None:
    """Residues, of which there are six, are more than a row of a card holds."""
    question = PlottedSignal(signal="residues", of="arm")
    wiring.questions.toggle(question, "number", is_wanted=True)
    (card,) = wiring.questions.cards.cards
    assert card.row.letters == ("xx", "yy", "zz", "xy", "xz", "yz")
    assert card.row.height() >= 3 * METRICS.readout_row
    wait_for(card.isVisible)
    room = card.row.width() / 2
    card.row.set_values([-1234.5678] * 6)
    assert all(fonts.width(fonts.number(), text) < room for text in card.row.texts())


def cards_of(wiring) -> AnswerCards:
    return wiring.window.scene_view.findChild(AnswerCards)


def test_that_all_cards_are_reached_in_a_small_window_and_leave_room_for_the_scene(answered) -> None:
    answered.window.resize(900, 600)
    cards, view = cards_of(answered), answered.window.scene_view
    wait_for(lambda: view.height() < 400 and cards.geometry().bottom() < view.height())
    last = cards.cards[-1]
    assert last.visibleRegion().isEmpty()
    for _ in range(2):  # an event scrolls by a page at most
        wheel(cards.scroll_area.viewport(), -20)
    wait_for(lambda: not last.visibleRegion().isEmpty())
    renderer = view.renderer
    at = renderer.projection().project(answered.session.snapshot.p_WF)[:, 0] / view.devicePixelRatioF()
    assert at.max() < cards.x()


def test_that_full_screen_enlarges_the_cards_and_says_how_to_leave_it(answered) -> None:
    window, cards = answered.window, cards_of(answered)
    notice = next(notice for notice in window.scene_view.findChildren(Notice) if "full screen" in notice.text())
    width, height = cards.cards[0].width(), cards.cards[0].height()
    strike_in(answered, Key.Key_F11)
    wait_for(window.isFullScreen)
    wait_for(lambda: cards.cards[0].width() > 1.3 * width)
    assert cards.cards[0].height() > 1.3 * height
    assert notice.isVisible()
    assert "Escape" in notice.text()
    assert notice.width() >= notice.sizeHint().width()
    wait_for(lambda: notice.y() > answered.window.scene_view.height() / 2)  # off the title
    field, label = window.timeline.field, window.timeline.end_label
    assert field.unit_font().pixelSize() > 1.5 * METRICS.caption
    assert label.contentsMargins().left() > METRICS.gap  # it does not touch the last label of the track
    wait_for(lambda: window.timeline.track.height() >= window.timeline.track.sizeHint().height() - 1)
    strike_in(answered, Key.Key_Escape)
    wait_for(lambda: not window.isFullScreen())
    assert not notice.isVisible()
    wait_for(lambda: cards.cards[0].width() == width)


def test_that_the_facts_at_the_right_are_never_cut(answered) -> None:
    status = answered.window.status
    for fps in (9.0, 10.0, 120.0, 9.0):
        status.set_facts(5, fps, "NVIDIA GeForce RTX 4090/PCIe/SSE2")
        QApplication.processEvents()
        assert status.facts.width() >= status.facts.sizeHint().width()
        assert status.facts.geometry().right() < status.width()


def test_that_the_question_about_unsaved_changes_shows_its_whole_title(answered, dark) -> None:
    answered.session.commit(set_values({("title",): "Another title"}, "Another title"))

    def look(box) -> None:
        assert box.windowTitle() == "Unsaved changes"
        wait_for(lambda: box.width() >= 380)  # room for title, icon and buttons of its frame
        strike(box, Key.Key_Escape)

    with answering(look):
        answered.files.new()


def test_that_cards_leave_room_for_the_choice_of_axes_of_the_handles(wiring) -> None:
    window, cards = wiring.window, wiring.questions.cards
    click_item(wiring, ("frames", "arm"))
    click(window.question.buttons["number"])
    wait_for(cards.isVisible)
    before, tools = cards.y(), window.scene_view.tools
    window.scene_view.set_handles(True)
    wait_for(tools.axes.isVisible)
    assert not cards.geometry().intersects(tools.geometry())
    window.scene_view.set_handles(False)
    assert cards.y() == before


@pytest.mark.parametrize("width", [900, 1024, 1280, 1600])
def test_that_the_words_between_the_frames_are_shown_in_a_window_of_any_width(answered, dark, width) -> None:
    window = answered.window
    window.resize(width, 700)
    bar = window.question
    wait_for(lambda: abs(window.width() - width) <= 1 and bar.width() < width)
    parts = [part for key in bar.frames.fields for part in (bar.frames.words[key], bar.frames.fields[key])]
    assert all(part.isVisible() for part in parts)
    places = [(part.x(), part.x() + part.width()) for part in parts]
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(places)), places
    every = [*parts, bar.component, bar.unit, *bar.buttons.values()]
    assert all(bar.rect().contains(QRect(part.mapTo(bar, QPoint()), part.size())) for part in every if part.isVisible())


def test_that_the_bar_is_as_high_as_its_rows(answered, dark) -> None:
    window = answered.window
    for width, n_rows in ((1600, 1), (900, 2), (1600, 1)):
        window.resize(width, 700)
        wait_for(lambda width=width: abs(window.width() - width) <= 1)
        least = n_rows * METRICS.button
        wait_for(lambda least=least: least <= window.docks["question"].height() < least + METRICS.button)


def test_that_the_quantity_is_shown_in_full_where_the_row_has_room(open_window) -> None:
    wiring = open_window(assets.path("scenes/faulty/gyro-frame.yaml"))
    box = wiring.window.question.what
    wiring.window.resize(1440, 900)
    wait_for(lambda: box.currentText() == "measured angular velocity")
    wait_for(lambda: box.line.width() > box.fontMetrics().horizontalAdvance(box.currentText()))


ASIDE = """\
framescope: 1
frames:
  left: {parent: world, position: {value: [-1.6, 0, 0.6], unit: m}}
  right: {parent: world, position: {value: [1.6, 0, 0.6], unit: m}}
bodies:
  one: {frame: left, shape: {form: sphere, radius: 20 cm}}
  two: {frame: right, shape: {form: sphere, radius: 20 cm}}
view:
  camera: {position: [0, -6, 0], focal_point: [0, 0, 0], unit: m}
  answers:
    - {signal: position, of: right, relative_to: world, resolved_in: world, unit: m, form: number}
"""


def test_that_cards_keep_off_what_they_speak_of_and_off_the_selected_body(open_window, tmp_path) -> None:
    path = tmp_path / "aside.yaml"
    path.write_text(ASIDE)
    wiring = open_window(path)
    view, cards = wiring.window.scene_view, wiring.questions.cards

    def covers(name: str) -> bool:
        return cards.geometry().intersects(QRect(*map(round, view.renderer.area_of(name))))

    def at_right() -> bool:
        return cards.x() > view.width() / 2

    # The body is drawn under the upper right corner of the view, where cards usually are.
    own = view.camera.state
    scale = view.renderer.projection().metres_per_pixel(np.zeros(3)) * view.renderer.projection().scale
    x, z = (0.5 * view.width() - 100) * scale, (0.5 * view.height() - cards.y() - 30) * scale
    move = np.array([1.6 - x, 0.0, 0.6 - z])
    view.camera.set_state(
        replace(own, position=tuple(np.add(own.position, move)), focal_point=tuple(np.add(own.focal_point, move)))
    )
    assert covers("right")
    wait_for(lambda: not at_right())
    assert not covers("right")
    assert cards.geometry().top() > METRICS.padding
    view.camera.reset()
    wait_for(at_right)


def test_that_a_new_curve_or_number_makes_nothing_in_the_scene_anew(wiring) -> None:
    bar, renderer = wiring.window.question, wiring.window.scene_view.renderer
    click_item(wiring, ("frames", "arm"))
    before = list(renderer.visuals)
    for form in ("curve", "number", "sentence"):
        click(bar.buttons[form])
        assert all(one is other for one, other in zip(renderer.visuals, before, strict=True)), form
    click(bar.buttons["arrow"])
    assert renderer.visuals[0] is not before[0], "an arrow is drawn"


def test_that_cards_change_their_side_when_a_panel_takes_a_part_of_the_scene(open_window, dark) -> None:
    window = (wiring := open_window(find_scene("demo"))).window
    window.resize(1440, 900)
    wait_for(lambda: abs(window.width() - 1440) <= 1)
    cards, view = wiring.questions.cards, window.scene_view
    wait_for(lambda: cards.x() > view.width() / 2)
    for dock in ("compare", "align"):
        window.show_dock(dock)
        wait_for(lambda: cards.x() < view.width() / 2)
        assert not cards.geometry().intersects(QRect(*map(round, view.renderer.area_of("camera"))))
        window.hide_dock(dock)
        wait_for(lambda: cards.x() > view.width() / 2)


def test_that_cards_end_above_the_picture_of_a_camera(answered) -> None:
    cards, view = answered.questions.cards, answered.window.scene_view
    answered.window.resize(1000, 700)
    click_item(answered, ("frames", "arm"))
    answered.window.commands.of_features["look_through"].trigger()
    look = [area for owner, areas in view.renderer.reserved_areas.items() if owner for area in areas]
    assert look, "the picture of the camera is shown"
    wait_for(lambda: not any(cards.geometry().intersects(QRect(*map(round, area))) for area in look))


def test_that_a_card_under_the_pointer_keeps_its_size_and_needs_no_scroll_bar(wiring) -> None:
    bar, cards = wiring.window.question, wiring.questions.cards
    click_item(wiring, ("frames", "arm"))
    for form in ("number", "sentence"):
        click(bar.buttons[form])
    for card in cards.cards:
        before = card.size()
        QTest.mouseMove(card, QPoint(20, 10))
        wait_for(card.remove_button.isVisible)
        QApplication.processEvents()
        assert card.size() == before
        assert not cards.scroll_area.verticalScrollBar().isVisible()


def test_that_a_click_into_a_frame_of_the_relation_opens_its_list(wiring) -> None:
    from_menu(wiring, "Window", "Relation")
    wait_for(lambda: wiring.window.docks["relation"].findChildren(RelationPanel))
    (panel,) = wiring.window.docks["relation"].findChildren(RelationPanel)
    field = panel.frames.relative_to
    QTest.mouseClick(field.line, LEFT, PLAIN, QPoint(12, 10))
    assert field.is_open
    strike(QApplication.activePopupWidget(), Key.Key_Escape)


class Paints(QObject):
    """Counts how often widgets are painted."""

    def __init__(self, widgets) -> None:
        super().__init__()
        self.count = 0
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_that_pictures_of_the_scene_do_not_paint_the_numbers_of_the_cards_again(open_window) -> None:
    wiring = open_window(find_scene("demo"))
    view, cards = wiring.window.scene_view, wiring.questions.cards
    wait_for(lambda: all(not card.visibleRegion().isEmpty() for card in cards.cards))
    labels = [label for card in cards.cards for label in card.findChildren(QLabel) if label.isVisible()]
    areas = [QRect(label.mapTo(view, QPoint()), label.size()) for label in labels]
    assert labels
    assert not any(view.seen_region().intersects(area) for area in areas)
    assert all(view.seen_region().contains(card.mapTo(view, QPoint(0, 0))) for card in cards.cards), "rounded corners"
    paints, counts = Paints(labels), []
    pictures: list[int] = []
    view.frameSwapped.connect(lambda: pictures.append(1))
    for _ in range(5):  # other events may paint them, such as the first of the window, but not each picture
        QApplication.processEvents()
        paints.count = 0
        pictures.clear()
        view.camera.orbit(10.0, 0.0)
        wait_for(lambda: bool(pictures))
        counts.append(paints.count)
    assert min(counts) == 0, counts
    cards.hide()
    assert view.seen_region().contains(areas[0])
