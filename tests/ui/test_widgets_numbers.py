"""Fields with numbers, the matrix to type into, and the switch of a few words."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.ui.formatting import number_text
from framescope.ui.theme.tokens import DARK
from framescope.ui.widgets.angle_field import AngleField
from framescope.ui.widgets.angle_row import AngleRow
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.matrix_editor import MatrixEditor
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.segmented_control import Segmented
from framescope.ui.widgets.text_line import text_room
from tests.support.hands import CTRL, LEFT, PLAIN, Key, hear, picture, strike

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture(autouse=True)
def clipboard():
    QGuiApplication.clipboard().setText("before")


@pytest.fixture
def put(desk):
    return desk.put


def type_in(field, text: str, end: Key | None = Key.Key_Return) -> None:
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.selectAll()
    QTest.keyClicks(field, text)
    if end is not None:
        strike(field, end)


def leave(field) -> None:
    field.window().other.setFocus()


def copied() -> str:
    return QGuiApplication.clipboard().text()


# --- Showing


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(0.5, 4, "0.5000"), (-1.0 / 3.0, 4, "−0.3333"), (-1e-9, 4, "0.0000"), (math.nan, 4, ""), (None, 4, "")],
)
def test_that_a_number_is_shown_with_its_digits(put, value, decimals, text) -> None:
    field = put(NumberField(decimals=decimals))
    heard = hear(field)
    field.set_value(value)
    assert field.text() == text
    assert field.placeholderText() == ("–" if value is not None and math.isnan(value) else "")
    assert heard == []


def test_that_other_digits_show_the_same_number(put) -> None:
    field = put(NumberField())
    field.set_value(math.pi)
    field.set_decimals(1)
    assert field.text() == "3.1"
    field.set_decimals(6)
    assert field.text() == "3.141593"
    assert field.value == math.pi


def test_that_the_unit_is_painted_beside_the_text_and_not_part_of_it(put) -> None:
    field = put(NumberField(decimals=2, unit="s"))
    field.set_value(1.5)
    with_unit = picture(field)
    field.selectAll()
    assert field.text() == field.selectedText() == "1.50"
    field.deselect()
    assert picture(field) == with_unit
    field.set_unit("")
    assert picture(field) != with_unit
    assert field.textMargins().right() == 0


def test_that_the_unit_gives_way_to_typed_text(put) -> None:
    field = put(NumberField(decimals=2, unit="rad"))
    field.set_value(1.0)
    right = field.rect().adjusted(field.width() - field.textMargins().right(), 4, -4, -4)
    assert len(shades(picture(field).copy(right))) > 1
    type_in(field, "2", end=None)
    assert len(shades(picture(field).copy(right))) == 1


def shades(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_that_a_prefix_has_the_colour_of_its_axis(put) -> None:
    field = put(NumberField(prefix="x", axis=0))
    field.set_value(1.0)
    assert QColor(DARK.axis_x_text).name() in shades(picture(field).copy(0, 0, 20, field.height()))
    assert field.text() == "1.0000"


def test_that_points_stand_below_each_other(put) -> None:
    field = put(NumberField())
    ends = []
    for value in (1.0, -123.4567):
        field.set_value(value)
        image = picture(field)
        inside = range(field.width() // 2, field.width() - 3)
        ends.append(max(x for x in inside if len(shades(image.copy(x, 4, 1, field.height() - 8))) > 1))
    assert abs(ends[0] - ends[1]) <= 1


# --- Copying


@pytest.mark.parametrize("value", [1.0 / 3.0, -math.pi, 1e-17, 2.5e300, -0.0])
def test_that_the_number_is_copied_at_full_precision(put, value) -> None:
    field = put(NumberField(decimals=2, unit="m"))
    field.set_value(value)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.selectAll()
    strike(field, Key.Key_C, CTRL)
    assert copied() == number_text.full(value)
    assert float(copied()) == value
    field.deselect()
    QGuiApplication.clipboard().setText("before")
    strike(field, Key.Key_C, CTRL)
    assert copied() == number_text.full(value)


def test_that_a_part_of_the_text_is_copied_as_it_stands(put) -> None:
    field = put(NumberField())
    field.set_value(1.0 / 3.0)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.setSelection(0, 3)
    strike(field, Key.Key_C, CTRL)
    assert copied() == "0.3"


def test_that_half_typed_text_is_copied_as_it_stands(put) -> None:
    field = put(NumberField())
    field.set_value(1.0 / 3.0)
    type_in(field, "sqrt(2)", end=None)
    field.selectAll()
    strike(field, Key.Key_C, CTRL)
    assert copied() == "sqrt(2)"


def test_that_a_copied_number_is_pasted_with_all_its_digits(put) -> None:
    field = put(NumberField(decimals=2))
    QGuiApplication.clipboard().setText(number_text.full(1.0 / 3.0))
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.selectAll()
    strike(field, Key.Key_V, CTRL)
    strike(field, Key.Key_Return)
    assert field.value == 1.0 / 3.0
    assert field.text() == "0.33"


# --- Typing


def test_that_typed_text_is_worked_out_and_committed_once(put) -> None:
    field = put(NumberField())
    field.set_value(1.0)
    heard = hear(field)
    type_in(field, "sqrt(2)/2")
    assert field.value == math.sqrt(2) / 2
    assert field.text() == field.selectedText() == "0.7071"
    assert heard == [("previewed", field.value), ("committed", field.value)]


def test_that_a_click_selects_the_number_and_another_one_sets_the_cursor(put) -> None:
    field = put(NumberField())
    field.set_value(12.5)
    middle = field.rect().center()
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert field.selectedText() == field.text()
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert not field.hasSelectedText()


def test_that_a_double_click_selects_the_whole_number(put) -> None:
    field = put(NumberField())
    field.set_value(12.5)
    where = QPoint(field.width() - 14, field.height() // 2)
    QTest.mouseClick(field, LEFT, PLAIN, where)
    QTest.mouseDClick(field, LEFT, PLAIN, where)
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, "3*4")
    QTest.mouseDClick(field, LEFT, PLAIN, where)
    assert field.selectedText() in ("3", "4"), "in typed text it selects a word"


def test_that_tab_commits_and_goes_on(put) -> None:
    field = put(NumberField())
    heard = hear(field)
    type_in(field, "2", end=Key.Key_Tab)
    assert not field.hasFocus()
    assert heard == [("previewed", 2.0), ("committed", 2.0)]


def test_that_entering_and_leaving_says_nothing(put) -> None:
    field = put(NumberField())
    field.set_value(1.0 / 3.0)
    heard = hear(field)
    field.setFocus()
    strike(field, Key.Key_Return)
    leave(field)
    assert field.value == 1.0 / 3.0
    assert heard == []


def test_that_a_sign_typed_and_taken_back_does_not_round_the_number(put) -> None:
    field = put(NumberField(decimals=2))
    field.set_value(1.0 / 3.0)
    heard = hear(field)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    strike(field, Key.Key_End)
    strike(field, Key.Key_5)
    strike(field, Key.Key_Backspace)
    assert field.text() == "0.33"
    leave(field)
    assert field.value == 1.0 / 3.0
    assert not field.is_busy
    assert heard == []


def test_that_a_text_that_cannot_be_read_is_marked_in_place(put) -> None:
    field = put(NumberField())
    field.set_value(1.0)
    plain = picture(field)
    heard = hear(field)
    type_in(field, "one", end=None)
    assert not field.property("invalid")  # not while it is being typed
    strike(field, Key.Key_Return)
    assert field.property("invalid")
    assert field.value == 1.0
    assert [name for name, *_ in heard] == ["message"]
    assert heard[0][1].startswith("one is not known here.")
    leave(field)
    assert field.text() == "one"
    assert field.is_busy
    assert QColor(DARK.red_ground).name() in shades(picture(field)) - shades(plain)
    field.set_value(5.0)
    assert field.text() == "one"


def test_that_an_empty_field_is_an_error_and_not_a_zero(put) -> None:
    field = put(NumberField())
    field.set_value(1.0)
    heard = hear(field)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.selectAll()
    strike(field, Key.Key_Delete)
    strike(field, Key.Key_Return)
    assert field.property("invalid")
    assert heard[0][1].startswith("Nothing typed.")


def test_that_escape_restores_and_is_said_only_when_there_was_something_to_restore(put) -> None:
    field = put(NumberField())
    field.set_value(1.0)
    heard = hear(field)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    type_in(field, "7", end=Key.Key_Escape)
    assert (field.value, field.text()) == (1.0, "1.0000")
    assert heard == [("cancelled",)]


def test_that_another_item_drops_half_typed_text_and_its_mark(put) -> None:
    field = put(NumberField())
    type_in(field, "abc")
    heard = hear(field)
    field.reset(4.0)
    assert field.text() == "4.0000"
    assert not field.property("invalid")
    leave(field)
    assert heard == [("message", "")]


def test_that_an_owner_marks_a_number_and_takes_the_mark_back(put) -> None:
    field = put(NumberField())
    field.set_value(1.0)
    field.mark("The row is not of length 1.")
    assert field.property("invalid")
    assert field.accessibleDescription() == "The row is not of length 1."
    field.mark("")
    assert not field.property("invalid")


def test_that_another_way_of_reading_can_be_given(put) -> None:
    field = put(NumberField())
    field.set_parse(number_text.parse_angle_deg)
    type_in(field, "pi/6")
    assert field.value == 30.0


def test_that_a_read_only_field_is_shown_and_copied_but_not_changed(put) -> None:
    field = put(NumberField(decimals=2))
    field.set_value(1.0 / 3.0)
    field.setReadOnly(True)
    heard = hear(field)
    type_in(field, "5")
    leave(field)
    assert (field.value, field.text()) == (1.0 / 3.0, "0.33")
    assert heard == []
    field.set_value(2.0 / 3.0)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    strike(field, Key.Key_C, CTRL)
    assert copied() == number_text.full(2.0 / 3.0)


def test_that_an_animation_leaves_the_field_ready_to_be_typed_over(put) -> None:
    field = put(NumberField())
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.set_value(1.0)
    field.set_value(2.0)
    assert field.selectedText() == "2.0000"
    QTest.keyClicks(field, "3")
    field.set_value(4.0)
    assert field.text() == "3"


# --- The matrix


def test_that_one_typed_entry_commits_the_whole_matrix(put) -> None:
    editor = put(MatrixEditor())
    heard = hear(editor)
    type_in(editor.cell(0, 2), "0.25")
    expected = np.eye(3)
    expected[0, 2] = 0.25
    assert [name for name, *_ in heard] == ["committed"]
    np.testing.assert_array_equal(heard[0][1], expected)
    np.testing.assert_array_equal(editor.matrix, expected)


def test_that_the_matrix_keeps_the_digits_that_its_cells_do_not_show(put) -> None:
    matrix = np.arange(9.0).reshape(3, 3) / 7.0
    editor = put(MatrixEditor())
    editor.set_matrix(matrix)
    type_in(editor.cell(1, 1), "1")
    matrix[1, 1] = 1.0
    np.testing.assert_array_equal(editor.matrix, matrix)
    assert editor.cell(2, 2).text() == "1.1429"


def test_that_the_matrix_that_is_handed_out_is_a_copy(put) -> None:
    editor = put(MatrixEditor())
    editor.matrix[0, 0] = 5.0
    assert editor.matrix[0, 0] == 1.0


def test_that_a_cell_that_is_typed_into_keeps_its_text(put) -> None:
    editor = put(MatrixEditor())
    heard = hear(editor)
    type_in(editor.cell(0, 0), "0.5", end=None)
    editor.set_matrix(np.zeros((3, 3)))
    assert editor.cell(0, 0).text() == "0.5"
    assert editor.cell(1, 1).text() == "0.0000"
    strike(editor, Key.Key_Escape)
    assert heard == [("cancelled",)]


def test_that_a_matrix_passes_on_what_is_wrong_and_can_be_marked(put) -> None:
    editor = put(MatrixEditor())
    heard = hear(editor)
    type_in(editor.cell(2, 0), "x")
    assert heard[0][0] == "message"
    assert heard[0][1].startswith("x is not known here.")
    editor.reset(np.eye(3))
    editor.mark(1, 2, "Not orthogonal.")
    assert editor.cell(1, 2).property("invalid")
    assert not editor.cell(2, 0).property("invalid")


def test_that_a_read_only_matrix_refuses_typing(put) -> None:
    editor = put(MatrixEditor())
    editor.set_read_only(True)
    heard = hear(editor)
    type_in(editor.cell(0, 0), "5")
    np.testing.assert_array_equal(editor.matrix, np.eye(3))
    assert heard == []


# --- The switch


def test_that_exactly_one_word_is_chosen_by_hand(put) -> None:
    switch = put(Segmented(("whole", "staged"), "mode"))
    heard = hear(switch)
    for word in ("staged", "staged", "whole"):
        QTest.mouseClick(switch.buttons[word], LEFT, PLAIN, QPoint(5, 5))
        assert [button.isChecked() for button in switch.buttons.values()].count(True) == 1
        assert switch.choice == word
    assert heard == [("chosen", "staged"), ("chosen", "whole")]


def test_that_a_word_chosen_from_outside_says_nothing(put) -> None:
    switch = put(Segmented(("whole", "staged"), "mode"))
    heard = hear(switch)
    switch.set_choice("staged")
    QApplication.processEvents()
    assert switch.choice == "staged"
    assert switch.buttons["staged"].isChecked()
    assert heard == []


# --- Large text, as in a presentation

LARGE = (12, 20, 25, 30)
"""Sizes of numbers, px: the usual one, and those of lectures."""


def shown_number(field) -> float:
    """Return the number that the text of a field is read as."""
    return number_text.parse_number(field.text().replace(number_text.MINUS, "-"))


@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("value", [-30.0, -179.99, 0.0, -1234.5, 1e-7])
@pytest.mark.parametrize("width", [40, 60, 84, 120])
def test_that_no_number_is_cut_to_another_one(put, size, value, width) -> None:
    field = put(AngleField())
    field.window().setStyleSheet(f"QLineEdit {{ font-size: {size}px; }}")
    field.setFixedWidth(width)
    field.set_value(value)
    QApplication.processEvents()
    fits = field.fontMetrics().horizontalAdvance(field.text()) <= text_room(field).width()
    if fits:
        assert shown_number(field) == pytest.approx(value, rel=0.5, abs=0.005)
    else:  # even the sign and one digit have no room: an ellipsis, the same for another number of as many digits
        before = picture(field)
        field.set_value(3.0 * value)
        assert picture(field) == before


@pytest.mark.parametrize("size", LARGE)
def test_that_a_field_of_fixed_width_grows_with_its_text(put, size) -> None:
    row = put(AngleRow(1, "β"))
    row.window().setStyleSheet(f"QLabel, QLineEdit, AxisMark {{ font-size: {size}px; }}")
    row.window().resize(600, 200)
    for i, value in enumerate((-30.0, -179.99)):
        row.set_about(("about z", "pitch about y′"), i)
        row.set_value_deg(value)
        QApplication.processEvents()
        assert row.field.text() == number_text.fixed(value, 2)
        assert row.field.fontMetrics().horizontalAdvance(row.field.text()) <= text_room(row.field).width()
        assert row.field.height() >= row.field.fontMetrics().height()
        label = row.findChild(ElidedLabel)
        assert label.width() >= label.fontMetrics().horizontalAdvance("pitch about y′")
