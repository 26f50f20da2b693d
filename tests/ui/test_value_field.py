"""Fields for authored numbers: a number that has no room is shortened at its end, and is never another number."""

from __future__ import annotations

import math

import pytest
from PySide6.QtTest import QTest

from framescope.ui.panels.inspector.editors.value_field import SignalField, ValueField
from framescope.ui.theme import current_theme
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.spin_field import StepField
from framescope.ui.widgets.text_line import is_cut
from tests.support.hands import CTRL, LEFT, Key, drag, focus, hear, picture, said, strike, type_in, wheel

pytestmark = pytest.mark.usefixtures("dark")

VALUES = (0.0312, -0.12345678, 1000.25, -12345.0312, 1.25e-7, 123456789.0, -1e12)


def has_ink(field, left: int, right: int, color: str) -> bool:
    image, ink = picture(field), current_theme.qcolor(color).name()
    return any(image.pixelColor(x, y).name() == ink for x in range(left, right) for y in range(3, field.height() - 3))


@pytest.mark.parametrize("width", [36, 48, 60, 76, 120])
@pytest.mark.parametrize("value", VALUES)
def test_that_a_number_without_room_is_rounded_or_shows_its_beginning(desk, width, value) -> None:
    field = desk.put(ValueField(prefix="x", axis=0))
    field.setMinimumWidth(0)
    field.setFixedWidth(width)
    field.reset(value)
    if not is_cut(field):
        shown = float(field.text().replace("−", "-"))
        assert shown == pytest.approx(value, rel=0.05)
    else:
        assert field.cursorPosition() == 0
        assert not has_ink(field, width - 10, width - 4, "text"), "an ellipsis stands at its end"
    focus(field)
    assert float(field.text().replace("−", "-")) == pytest.approx(value, rel=1e-9)


def test_that_an_expression_without_room_shows_its_beginning_before_and_after_a_visit(desk) -> None:
    field = desk.put(SignalField(prefix="x", axis=0))
    field.setFixedWidth(76)
    field.show_signal("0.25 + 0.3*sin(2*pi*t)", is_other=True)
    assert is_cut(field)
    assert field.cursorPosition() == 0
    focus(field)
    field.end(False)
    field.clearFocus()
    assert field.cursorPosition() == 0


MISSING = math.nan
FIELDS = {
    "number": NumberField,
    "stepped": lambda: StepField(step=0.1),
    "authored": lambda: ValueField(prefix="x", axis=0),
    "signal": lambda: SignalField(prefix="γ"),
}
HANDS = {
    "click": lambda field: QTest.mouseClick(field, LEFT),
    "drag": lambda field: drag(field, 20, 40),
    "wheel": lambda field: (focus(field), wheel(field, 1)),
    "arrow": lambda field: (focus(field), strike(field, Key.Key_Up)),
    "page": lambda field: (focus(field), strike(field, Key.Key_PageDown)),
    "copy": lambda field: (focus(field), strike(field, Key.Key_C, CTRL)),
}


@pytest.mark.parametrize("act", HANDS)
@pytest.mark.parametrize("kind", FIELDS)
def test_that_a_missing_number_is_an_empty_field_that_every_gesture_works_on(desk, kind, act) -> None:
    field = desk.put(FIELDS[kind]())
    if isinstance(field, SignalField):
        field.show_signal(MISSING, is_other=True)
    else:
        field.set_value(MISSING)
    assert (field.text(), field.value) == ("", None)
    heard = hear(field)
    HANDS[act](field)
    assert all(math.isfinite(value) for value in said(heard, "previewed", "committed"))
    if said(heard, "previewed") and not said(heard, "committed"):  # the wheel may turn on
        field.cancel()
        assert (field.text(), field.value) == ("", None), "Escape restores the missing number"
    type_in(field, "2.5")
    assert said(heard, "committed")[-1] == 2.5
    field.reset(MISSING)
    assert (field.text(), field.value) == ("", None)
