"""A lesson by the keyboard alone: answers are reached, chosen and checked, and the keys are listed and found."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.lessons.app.lesson_lookup import lesson_paths
from framescope.features.lessons.core.schema import Choose, NumberQuestion, Sketch, Turn
from framescope.ui.help.shortcut_sheet import GESTURES
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import click, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(open_window):
    return open_window(example_path("keyframes"))


def at_question(wiring, form):
    """Open the first shipped lesson with a question of a form, at that question, and return the player."""
    player = lesson_player(wiring)
    for path in lesson_paths():
        player.open(path)
        wait_for(lambda path=path: player.is_on and player.read.path == path)
        steps = [i for i, staging in enumerate(player.read.stagings) if isinstance(staging.question, form)]
        if steps:
            player.go(steps[0])
            wait_for(player.panel.isVisible)
            return player
    raise AssertionError(f"no lesson asks {form}")


def press(key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)


def tabs_to(widget, start) -> int:
    """Return how often Tab is pressed from one widget to another."""
    start.setFocus()
    for n in range(1, 40):
        press(Key.Key_Tab)
        if QApplication.focusWidget() is widget:
            return n
    raise AssertionError("Tab does not reach it")


def test_that_tab_goes_from_the_text_to_the_answers_and_then_to_the_buttons(wiring) -> None:
    player = at_question(wiring, Choose)
    panel, options = player.panel, player.panel.form.options
    assert tabs_to(options[0], panel.text) == 1
    press(Key.Key_Space)
    assert [option.isChecked() for option in options] == [True] + [False] * (len(options) - 1)
    press(Key.Key_Down)
    assert options[1].isChecked()
    assert not wiring.session.playback.is_playing
    shown = [button for button in (panel.hint, panel.show_right, panel.check) if button.isVisible()]
    for button in shown:
        press(Key.Key_Tab)
        assert QApplication.focusWidget() is button


@pytest.mark.parametrize("form", [NumberQuestion, Sketch, Turn])
def test_that_tab_reaches_every_other_answer_from_the_text(wiring, form) -> None:
    player = at_question(wiring, form)
    controls = [control for control in player.panel.form.controls if control.isVisible()]
    assert controls
    assert tabs_to(controls[0], player.panel.text) == 1


def test_that_return_chooses_an_answer_and_then_checks_it(wiring) -> None:
    player = at_question(wiring, Choose)
    panel, options = player.panel, player.panel.form.options
    right = next(i for i, option in enumerate(player.staging.question.options) if option.right)
    options[right].setFocus()
    press(Key.Key_Return)
    assert options[right].isChecked()
    assert not panel.reply.isVisible()
    press(Key.Key_Enter)
    assert panel.reply.isVisible()
    assert panel.next.text() == "Next"


def test_that_a_digit_chooses_an_answer_even_from_the_scene(wiring) -> None:
    player = at_question(wiring, Choose)
    options = player.panel.form.options
    wiring.window.scene_view.setFocus()
    strike(wiring.window.scene_view, Key.Key_2)
    assert options[1].isChecked()
    assert QApplication.focusWidget() is options[1]
    strike(options[1], Key.Key_1)
    assert options[0].isChecked()
    strike(options[0], Key.Key_9)
    assert options[0].isChecked()


def test_that_digits_are_typed_into_the_field_of_a_number(wiring) -> None:
    player = at_question(wiring, NumberQuestion)
    field = player.panel.form.field
    field.setFocus()
    QTest.keyClicks(field, "123")
    assert field.text() == "123"


@pytest.mark.parametrize("typed", ["-5,5", "5.76", ".5", "12"])
def test_that_a_number_typed_anywhere_goes_into_the_field_of_the_answer(wiring, typed) -> None:
    player, window = at_question(wiring, NumberQuestion), wiring.window
    form = player.panel.form
    was_parallel = window.commands.view.parallel.isChecked()
    for start in (window.scene_view, player.panel.show_right, window.timeline.track):
        start.setFocus()
        for letter in typed:
            QTest.keyClicks(QApplication.focusWidget(), letter)
        assert form.field.text() == typed
        assert QApplication.focusWidget() is form.field
        assert window.commands.view.parallel.isChecked() == was_parallel
    assert not window.blank_screen.is_on
    press(Key.Key_Return)
    assert player.panel.reply.isVisible()


def test_that_another_field_keeps_what_is_typed_into_it(wiring) -> None:
    player, window = at_question(wiring, NumberQuestion), wiring.window
    field = window.timeline.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2")
    assert (field.text(), player.panel.form.field.text()) == ("2", "")


@pytest.mark.parametrize("form", [Choose, NumberQuestion, Turn])
def test_that_one_tab_goes_from_the_scene_to_the_answer_and_return_checks_everywhere(wiring, form) -> None:
    player, window = at_question(wiring, form), wiring.window
    panel = player.panel
    window.scene_view.setFocus()
    press(Key.Key_Tab)
    assert panel.form.isAncestorOf(QApplication.focusWidget())
    click(panel.show_right)
    for start in (window.scene_view, panel.text, panel.check):
        panel.clear_replies()
        start.setFocus()
        press(Key.Key_Return)
        assert panel.reply.isVisible(), start
    panel.hint.setVisible(True)
    panel.clear_replies()
    panel.hint.setFocus()
    press(Key.Key_Return)
    assert not panel.reply.isVisible()


def test_that_return_on_a_slider_of_the_answer_checks_it(wiring) -> None:
    panel = at_question(wiring, Turn).panel
    row = panel.form.sliders.rows[0]
    for part in (row.slider, row.field):
        panel.clear_replies()
        part.setFocus()
        press(Key.Key_Return)
        assert panel.reply.isVisible(), part
    row.field.selectAll()
    QTest.keyClicks(row.field, "12")
    press(Key.Key_Return)
    assert row.field.value == pytest.approx(12.0)
    assert not panel.reply.isVisible()  # the number is taken first
    press(Key.Key_Return)
    assert panel.reply.isVisible()


def test_that_screen_readers_get_answers_without_markup(wiring) -> None:
    player = at_question(wiring, Choose)
    options = player.panel.form.options
    for i, option in enumerate(options):
        seen = QAccessible.queryAccessibleInterface(option)
        name = seen.text(QAccessible.Text.Name)
        assert name
        assert not set(name) & set("$*`\ufffc")
        description = seen.text(QAccessible.Text.Description)
        assert description.startswith(f"answer {i + 1} of {len(options)} to: ")


def test_that_the_keys_are_in_the_sheet_and_in_the_search(wiring) -> None:
    keys = {shortcut.keys for shortcut in GESTURES if shortcut.group == "Lessons"}
    assert {"1 to 8", "Page Down  Page Up", "Return"} <= keys
    player, palette = at_question(wiring, Choose), wiring.preferences.command_palette
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.setText("answer 2")
    assert palette.titles()[0].startswith("Answer 2: ")
    strike(palette.field, Key.Key_Return)
    assert player.panel.form.options[1].isChecked()
    before = player.i
    for query, step in (("previous step", before - 1), ("next step", before)):
        strike_in(wiring, Key.Key_K, CTRL)
        palette.field.setText(query)
        strike(palette.field, Key.Key_Return)
        assert player.i == step
    player.leave()
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.setText("answer 2")
    assert not [title for title in palette.titles() if title.startswith("Answer ")]


def test_that_a_negative_number_that_is_shown_has_a_minus_and_is_judged_right(wiring) -> None:
    player = lesson_player(wiring)
    player.open_by_name("what-a-gyroscope-integrates")
    wait_for(lambda: player.is_on)
    i = next(i for i, staging in enumerate(player.read.stagings) if getattr(staging.question, "value", 0) == -48.2)
    player.go(i)
    click(player.panel.show_right)
    assert player.panel.form.field.text() == "−48.2"
    click(player.panel.check)
    assert player.panel.next.text() == "Next"


def test_that_the_status_line_explains_handles_only_while_there_are_some(wiring) -> None:
    player = at_question(wiring, Turn)
    assert "ring" in wiring.window.status.message
    player.go(0)
    assert wiring.window.status.message == f"Step 1 of {len(player.read.stagings)}"
