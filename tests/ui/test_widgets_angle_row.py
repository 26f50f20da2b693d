"""The row of one angle: its halves show each other, and it speaks with one voice."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.ui.widgets.angle_row import AngleRow
from framescope.ui.widgets.text_line import text_room
from tests.support.hands import (
    CTRL,
    LEFT,
    PLAIN,
    Key,
    degrees_per_pixel,
    drag,
    focus,
    hear,
    move,
    picture,
    press,
    release,
    said,
    strike,
    type_in,
    wheel,
    x_of,
)

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def row(desk):
    return desk.put(AngleRow(1, "β"))


def test_that_both_halves_of_the_row_show_what_the_slider_does(row) -> None:
    heard = hear(row)
    drag(row.slider, row.slider.knob_x(), x_of(row.slider, 60.0))
    assert row.value_deg == row.slider.value_deg == row.field.value
    assert row.value_deg == pytest.approx(60.0, abs=degrees_per_pixel(row.slider))
    assert row.field.text() == f"{row.value_deg:.2f}"
    assert said(heard, "committed") == [row.value_deg]
    assert said(heard, "previewed")[-1] == row.value_deg


@pytest.mark.parametrize(
    ("text", "value"), [("30deg", 30.0), ("pi/6", 30.0), ("1/4 turn", 90.0), ("−45,5°", -45.5), ("400", 400.0)]
)
def test_that_an_angle_is_typed_with_its_unit(row, text, value) -> None:
    heard = hear(row)
    type_in(row.field, text)
    assert row.value_deg == row.slider.value_deg == value
    assert said(heard, "previewed", "committed") == [value, value]


def test_that_an_angle_beyond_half_a_turn_keeps_its_value_in_the_field(row) -> None:
    type_in(row.field, "400")
    assert row.field.text() == "400.00"
    assert row.slider.knob_x() == pytest.approx(x_of(row.slider, 40.0))


def test_that_the_row_shows_what_is_wrong_and_takes_it_back(row) -> None:
    heard = hear(row)
    type_in(row.field, "30 rod")
    assert row.field.property("invalid")
    assert row.error_message.isVisible()
    assert row.error_message.text() == said(heard, "message")[0]
    assert "Try pi/6" in row.error_message.text()
    assert said(heard, "committed") == []
    type_in(row.field, "30 rad", end=None)
    assert not row.error_message.isVisible()
    assert said(heard, "message")[-1] == ""


def test_that_a_drag_of_the_slider_mends_a_field_that_could_not_be_read(row) -> None:
    type_in(row.field, "abc")
    drag(row.slider, row.slider.knob_x(), row.slider.knob_x() + 20)
    assert not row.field.property("invalid")
    assert not row.error_message.isVisible()
    assert row.field.value == row.value_deg


def test_that_escape_in_either_half_brings_both_back(row) -> None:
    row.set_value_deg(25.0)
    heard = hear(row)
    press(row.slider, row.slider.knob_x())
    move(row.slider, row.slider.knob_x() + 30)
    assert row.field.value != 25.0
    strike(row, Key.Key_Escape)
    release(row.slider, row.slider.knob_x())
    assert row.value_deg == row.slider.value_deg == row.field.value == 25.0
    press(row.field, 20)
    move(row.field, 24)
    move(row.field, 60)
    assert row.slider.value_deg != 25.0
    strike(row, Key.Key_Escape)
    release(row.field, 60)
    assert row.value_deg == row.slider.value_deg == row.field.value == 25.0
    assert [name for name, *_ in heard if name != "previewed"] == ["cancelled", "cancelled"]


def test_that_a_double_click_on_its_slider_asks_for_a_reset(row) -> None:
    row.set_value_deg(25.0)
    heard = hear(row.slider)
    QTest.mouseDClick(row.slider, LEFT, PLAIN, QPoint(round(row.slider.knob_x()), row.slider.height() // 2))
    assert heard == [("reset_requested",)]
    row.set_value_deg(0.0)
    assert (row.value_deg, row.field.text()) == (0.0, "0.00")


def test_that_values_from_outside_wait_for_both_halves(row) -> None:
    heard = hear(row)
    row.set_value_deg(10.0)
    assert (row.slider.value_deg, row.field.value) == (10.0, 10.0)
    press(row.slider, row.slider.knob_x())
    row.set_value_deg(20.0)
    assert (row.slider.value_deg, row.field.value) == (10.0, 10.0)
    release(row.slider, row.slider.knob_x())
    type_in(row.field, "5", end=None)
    row.set_value_deg(20.0)
    assert (row.slider.value_deg, row.field.text()) == (10.0, "5")
    row.reset_deg(-3.0)
    assert (row.slider.value_deg, row.field.text()) == (-3.0, "−3.00")
    assert said(heard, "previewed", "committed", "cancelled") == []


def test_that_the_full_precision_of_a_value_from_outside_is_copied(row) -> None:
    row.set_value_deg(100.0 / 3.0)
    focus(row.field)
    strike(row, Key.Key_C, CTRL)
    assert float(QGuiApplication.clipboard().text()) == 100.0 / 3.0


def test_that_a_read_only_row_refuses_both_halves(row) -> None:
    row.set_value_deg(10.0)
    row.set_read_only(True)
    heard = hear(row)
    drag(row.slider, row.slider.knob_x(), row.slider.knob_x() + 30)
    drag(row.field, 20, 60)
    wheel(row.slider, 1)
    wheel(row.field, 1)
    assert row.value_deg == row.slider.value_deg == row.field.value == 10.0
    assert heard == []
    row.set_value_deg(11.0)
    assert row.field.value == 11.0


def test_that_the_row_says_what_drives_it(row) -> None:
    assert not row.expression.isVisible()
    row.set_expression("0.8*sin(t) + 0.21")
    assert row.expression.isVisible()
    assert row.expression.text() == "0.8*sin(t) + 0.21"
    row.set_expression("")
    assert not row.expression.isVisible()


def test_that_the_row_names_its_parts_for_a_screen_reader(row) -> None:
    assert row.accessibleName() == "angle β about y"
    row.set_axis(2, "γ")
    assert row.slider.accessibleName() == "angle γ about z, slider"
    assert row.field.accessibleName() == "angle γ about z, degrees"
    row.set_axis(0, "α", "roll of the camera")
    assert row.accessibleName() == "roll of the camera"


def test_that_a_lit_row_has_a_ground_of_its_own(row) -> None:
    before = picture(row).pixelColor(1, 1)
    row.set_lit(True)
    assert picture(row).pixelColor(1, 1) != before
    row.set_lit(False)
    assert picture(row).pixelColor(1, 1) == before


@pytest.mark.parametrize(
    ("value_deg", "text"),
    [(-21650.88, "−21651"), (28167.33, "28167.3"), (-9760.83, "−9760.8"), (-99.5, "−99.50"), (-1234567.1, "−1.2e6")],
)
def test_that_a_large_angle_keeps_its_sign_and_leading_digits_visible(row, value_deg, text) -> None:
    row.set_value_deg(value_deg)
    assert row.field.text() == text
    assert row.field.fontMetrics().horizontalAdvance(text) <= text_room(row.field).width()
    focus(row.field)
    QTest.keyClick(row.field, Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == repr(value_deg)


def test_that_a_wider_field_shows_all_digits_again(row) -> None:
    row.set_value_deg(-21650.88)
    row.field.setFixedWidth(160)
    QGuiApplication.processEvents()
    assert row.field.text() == "−21650.88"


@pytest.mark.parametrize(
    ("text", "formula", "unit"),
    [
        ("600 rpm", "3600*t", "deg"),
        ("-2 rev/s", "-720*t", "deg"),
        ("90°/s", "90*t", "deg"),
        ("0.5 rad/s", "0.5*t", "rad"),
    ],
)
def test_that_a_rate_is_typed_into_an_angle_as_a_formula(row, text, formula, unit) -> None:
    formulas: list[tuple[str, str]] = []
    row.expression_committed.connect(lambda *committed: formulas.append(committed))
    type_in(row.field, text)
    assert formulas == [(formula, unit)]
    assert row.field.draft is None
