"""The field with spin arrows, driven by real mouse, wheel and key events."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.ui.widgets.spin_field import StepField
from tests.support.hands import CTRL, LEFT, PLAIN, Key, focus, hear, move, press, release, said, strike, type_in, wheel

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def field(desk):
    return desk.put(StepField(step=1.0, decimals=2, unit="°"))


def test_that_typing_is_previewed_and_committed_once(field) -> None:
    heard = hear(field)
    type_in(field, "12,5")
    assert field.value == 12.5
    assert field.text() == "12.50"
    assert heard == [("previewed", 12.5), ("committed", 12.5)]
    strike(field, Key.Key_Return)
    assert len(heard) == 2


def test_that_leaving_the_field_commits(desk, field) -> None:
    heard = hear(field)
    type_in(field, "7", end=None)
    assert heard == []
    desk.other.setFocus()
    assert heard == [("previewed", 7.0), ("committed", 7.0)]


def test_that_escape_restores_what_was_there_before_typing(field) -> None:
    field.set_value(3.0)
    heard = hear(field)
    type_in(field, "99", end=Key.Key_Escape)
    assert (field.value, field.text()) == (3.0, "3.00")
    assert heard == [("cancelled",)]
    assert not field.is_busy


def test_that_what_cannot_be_read_stays_marked_until_it_is_mended(desk, field) -> None:
    field.set_value(3.0)
    heard = hear(field)
    type_in(field, "1/0")
    assert field.text() == "1/0"
    assert field.property("invalid")
    assert "Division by zero." in field.accessibleDescription()
    assert said(heard, "committed", "previewed") == []
    assert len(said(heard, "message")) == 1
    desk.other.setFocus()
    assert field.text() == "1/0"
    type_in(field, "1/2", end=None)
    assert not field.property("invalid")
    strike(field, Key.Key_Return)
    assert said(heard, "committed") == [0.5]
    assert said(heard, "message")[-1] == ""


def test_that_escape_takes_the_mark_away(field) -> None:
    field.set_value(3.0)
    type_in(field, "abc")
    assert field.property("invalid")
    strike(field, Key.Key_Escape)
    assert not field.property("invalid")
    assert field.text() == "3.00"


def test_that_a_drag_on_the_number_scrubs_it_by_a_step_a_pixel(field) -> None:
    field.set_value(10.0)
    heard = hear(field)
    press(field, 30)
    move(field, 34)  # where the scrub begins
    for x in (40, 50, 59):
        move(field, x)
    release(field, 59)
    assert field.value == 35.0
    assert said(heard, "previewed") == [16.0, 26.0, 35.0]
    assert said(heard, "committed") == [35.0]
    assert not field.hasFocus()


def test_that_escape_gives_a_scrub_up_wherever_the_focus_was(desk, field) -> None:
    field.set_value(10.0)
    heard = hear(field)
    assert desk.other.hasFocus()
    press(field, 30)
    move(field, 34)
    move(field, 60)
    strike(field, Key.Key_5)
    strike(field, Key.Key_Up)
    assert field.value == 36.0
    strike(field, Key.Key_Escape)
    assert field.value == 10.0
    assert heard[-1] == ("cancelled",)
    move(field, 80)
    release(field, 80)
    assert field.value == 10.0
    assert said(heard, "committed") == []
    assert not field.is_busy


def test_that_one_scrub_can_follow_another(field) -> None:
    heard = hear(field)
    for _ in range(2):
        press(field, 30)
        move(field, 34)
        move(field, 44)
        release(field, 44)
    assert said(heard, "committed") == [10.0, 20.0]


def test_that_a_double_click_selects_the_whole_number(field) -> None:
    field.set_value(10.0)
    QTest.mouseClick(field, LEFT, PLAIN, QPoint(30, field.height() // 2))
    QTest.mouseDClick(field, LEFT, PLAIN, QPoint(30, field.height() // 2))
    assert field.selectedText() == "10.00"


def test_that_quick_clicks_on_an_arrow_are_steps_each_of_them(field) -> None:
    at = QPoint(field.width() - 8, field.height() // 4)
    QTest.mouseClick(field, LEFT, PLAIN, at)
    QTest.mouseDClick(field, LEFT, PLAIN, at)  # what Qt makes of the second press
    assert field.value == pytest.approx(2.0)


def test_that_a_click_goes_into_the_text(field) -> None:
    field.set_value(10.0)
    heard = hear(field)
    press(field, 30)
    move(field, 32)
    release(field, 32)
    assert field.hasFocus()
    assert field.selectedText() == "10.00"
    assert heard == []


@pytest.mark.parametrize(("share", "change"), [(0.25, 1.0), (0.75, -1.0)])
@pytest.mark.parametrize(("modifiers", "fineness"), [(PLAIN, 1.0), (CTRL, 0.1)])
def test_that_a_click_on_an_arrow_is_one_step_and_one_gesture(field, share, change, modifiers, fineness) -> None:
    heard = hear(field)
    at = QPoint(field.width() - 8, round(share * field.height()))
    QTest.mouseClick(field, LEFT, modifiers, at)
    assert field.value == pytest.approx(change * fineness)
    assert heard == [("previewed", field.value), ("committed", field.value)]


@pytest.mark.parametrize(
    ("key", "modifiers", "change"),
    [
        (Key.Key_Up, PLAIN, 1.0),
        (Key.Key_Down, PLAIN, -1.0),
        (Key.Key_Up, CTRL, 0.1),
        (Key.Key_PageUp, PLAIN, 15.0),
        (Key.Key_PageDown, PLAIN, -15.0),
    ],
)
def test_that_a_key_steps_the_field_and_commits_once(field, key, modifiers, change) -> None:
    field.set_value(20.0)
    focus(field)
    heard = hear(field)
    strike(field, key, modifiers)
    assert field.value == pytest.approx(20.0 + change)
    assert heard == [("previewed", field.value), ("committed", field.value)]


def test_that_left_right_and_home_move_within_the_text(field) -> None:
    field.set_value(20.0)
    focus(field)
    heard = hear(field)
    for key in (Key.Key_Home, Key.Key_Right, Key.Key_Left, Key.Key_End):
        strike(field, key)
    assert field.value == 20.0
    assert heard == []


def test_that_a_step_begins_at_what_was_typed(field) -> None:
    heard = hear(field)
    type_in(field, "50", end=Key.Key_Up)
    assert field.value == 51.0
    assert said(heard, "committed") == [50.0, 51.0]


def test_that_a_step_is_refused_while_the_text_cannot_be_read(field) -> None:
    type_in(field, "abc")
    heard = hear(field)
    strike(field, Key.Key_Up)
    wheel(field, 1)
    assert field.text() == "abc"
    assert said(heard, "previewed", "committed") == []


def test_that_a_burst_of_the_wheel_on_the_field_is_one_gesture(quick_wheel, desk, qtbot) -> None:
    field = desk.put(StepField(step=0.5))
    wheel(field, 1)  # it only passes
    assert field.value is None
    focus(field)
    heard = hear(field)
    with qtbot.waitSignal(field.committed):
        for _ in range(3):
            wheel(field, 1)
        wheel(field, -1, CTRL)
    assert said(heard, "previewed") == [0.5, 1.0, 1.5, 1.45]
    assert said(heard, "committed") == [1.45]


def test_that_a_read_only_field_refuses_every_gesture_but_copying(field) -> None:
    field.set_value(1.23456)
    field.setReadOnly(True)
    heard = hear(field)
    press(field, 30)
    move(field, 60)
    release(field, 60)
    QTest.mouseClick(field, LEFT, PLAIN, QPoint(field.width() - 8, 4))
    wheel(field, 1)
    focus(field)
    QTest.keyClicks(field, "5")
    strike(field, Key.Key_Return)
    assert (field.value, field.text()) == (1.23456, "1.23")
    assert heard == []
    field.selectAll()
    strike(field, Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "1.23456"
