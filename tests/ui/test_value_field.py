"""Fields for authored numbers: a number that has no room is shortened at its end, and is never another number."""

from __future__ import annotations

import pytest

from framescope.ui.panels.inspector.editors.value_field import SignalField, ValueField
from framescope.ui.theme import current_theme
from framescope.ui.widgets.text_line import is_cut
from tests.support.hands import focus, picture

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
