"""A line of text that says when it is cut."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor

from framescope.ui.theme import current_theme
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.text_line import TextLine, is_cut
from tests.support.hands import Key, focus, picture, strike

pytestmark = pytest.mark.usefixtures("dark")

LONG = "a title that is much too long for a field as narrow as this one"


def inked(line, left: int) -> set[str]:
    """Return the colours of a field right of a place, within its frame."""
    image = picture(line)
    return {image.pixelColor(x, y).name() for x in range(left, line.width() - 4) for y in range(3, line.height() - 3)}


def test_that_a_text_that_is_cut_ends_with_a_quiet_ellipsis_until_it_is_typed_into(desk) -> None:
    line = desk.put(TextLine())
    line.setFixedWidth(120)
    line.setText("short")
    assert not is_cut(line)
    line.setText(LONG)
    line.setCursorPosition(0)
    assert is_cut(line)
    text = QColor(current_theme.color("text")).name()
    end = line.width() - 14
    at_rest = inked(line, end)
    assert text not in at_rest
    assert len(at_rest) > 1
    focus(line)
    line.home(False)
    assert text in inked(line, end)


def test_that_a_long_text_shows_its_beginning_again_when_it_is_left(desk) -> None:
    line = desk.put(TextLine(LONG))
    line.setFixedWidth(120)
    focus(line)
    strike(line, Key.Key_End)
    assert line.cursorPosition() == len(LONG)
    desk.other.setFocus()
    assert line.cursorPosition() == 0


def test_that_a_button_with_the_focus_has_one_ring_and_nothing_within(desk) -> None:
    button = desk.put(push_button("Convert", "wand-sparkles", kind="small"))
    button.setFixedWidth(120)
    focus(desk.other)
    strike(desk.other, Key.Key_Tab)  # a mark of the style's own comes with the key alone
    assert button.hasFocus()
    image = picture(button)
    ground = QColor(current_theme.color("raised")).name()
    middle = button.height() // 2
    assert image.pixelColor(QPoint(1, middle)).name() == QColor(current_theme.color("accent")).name()
    # Just inside the ring, where the style's own mark of the focus used to stand.
    assert {image.pixelColor(x, 4).name() for x in range(12, 108)} == {ground}
