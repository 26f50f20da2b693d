"""Read-outs, the gauge, messages and what an empty panel says."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme
from framescope.ui.theme.stylesheet import larger_texts
from framescope.ui.theme.tokens import DARK, LIGHT, LOCK, METRICS, NEAR, channels
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.gauge import Gauge, GaugeBar
from framescope.ui.widgets.headings import DockHeader, SectionHeader, separator
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.matrix_view import MatrixView
from framescope.ui.widgets.value_row import ValueRow
from tests.support.hands import CTRL, LEFT, PLAIN, picture

THIRDS = np.arange(9.0).reshape(3, 3) / -3.0


pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture(autouse=True)
def clipboard():
    QGuiApplication.clipboard().setText("before")


@pytest.fixture
def put(desk):
    return desk.put


def copied() -> str:
    return QGuiApplication.clipboard().text()


def shades(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}


def is_seen(color: str, image: QImage) -> bool:
    """Tell whether a colour is there, or nearly: thin letters are antialiased throughout."""
    wanted = channels(color)
    return min(max(abs(a - b) for a, b in zip(channels(shade), wanted, strict=True)) for shade in shades(image)) < 0.2


def click(widget) -> None:
    QTest.mouseClick(widget, LEFT, PLAIN, QPoint(widget.width() // 2, widget.height() // 2))


# --- The matrix


def test_that_a_matrix_is_shown_row_by_row(put) -> None:
    view = put(MatrixView())
    view.set_matrix(THIRDS)
    assert view.texts()[:4] == ["0.0000", "−0.3333", "−0.6667", "−1.0000"]
    view.set_decimals(1)
    assert view.texts()[1] == "−0.3"


def test_that_a_matrix_without_values_shows_dashes(put) -> None:
    view = put(MatrixView(3, 3))
    assert view.texts() == [number_text.MISSING] * 9
    assert not view.grab().isNull()


@pytest.mark.parametrize("shape", [(3,), (3, 4), (2, 2), (9,)])
def test_that_a_matrix_of_another_shape_is_refused(put, shape) -> None:
    view = put(MatrixView(3, 3))
    with pytest.raises(ValueError, match="this view shows"):
        view.set_matrix(np.zeros(shape))


def test_that_a_matrix_need_not_be_square(put) -> None:
    view = put(MatrixView(2, 4, decimals=1))
    view.set_matrix(np.arange(8.0).reshape(2, 4))
    assert view.full_text() == "0.0\t1.0\t2.0\t3.0\n4.0\t5.0\t6.0\t7.0"
    assert not view.grab().isNull()


def test_that_a_matrix_is_copied_tab_separated_at_full_precision(put) -> None:
    view = put(MatrixView())
    view.set_matrix(THIRDS)
    click(view)
    assert view.hasFocus()
    QTest.keyClick(view.window().windowHandle(), Qt.Key.Key_C, CTRL)
    rows = [line.split("\t") for line in copied().split("\n")]
    np.testing.assert_array_equal(np.array(rows, dtype=float), THIRDS)
    assert "-0.3333333333333333\t" in copied()


def test_that_the_context_menu_copies_too(put) -> None:
    view = put(MatrixView())
    view.set_matrix(THIRDS)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view, QContextMenuEvent(reason, QPoint(5, 5), view.mapToGlobal(QPoint(5, 5))))
    menu = view.findChild(QMenu)
    (action,) = menu.actions()
    action.trigger()
    menu.close()
    assert copied() == view.full_text()


def test_that_later_changes_of_the_array_are_not_shown(put) -> None:
    view = put(MatrixView())
    matrix = np.eye(3)
    view.set_matrix(matrix)
    matrix[0, 0] = 7.0
    assert view.values[0, 0] == 1.0


def test_that_columns_line_up_at_the_right(put) -> None:
    view = put(MatrixView(2, 1))
    view.set_matrix(np.array([[1.0], [-123.4567]]))
    image, half = picture(view), view.height() // 2
    ends = []
    for top in (2, half):
        inside = range(20, view.width() - 8)
        ends.append(max(x for x in inside if len(shades(image.copy(x, top, 1, half - 3))) > 1))
    assert abs(ends[0] - ends[1]) <= 1


# --- The row of values


def test_that_a_row_shows_its_values_with_their_digits(put) -> None:
    row = put(ValueRow(label="ω"))
    row.set_values((1.14451, -1e-9, math.nan))
    assert row.texts() == ["1.1445", "0.0000", number_text.MISSING]
    assert row.accessibleName() == "ω"


def test_that_a_row_is_copied_tab_separated_at_full_precision(put) -> None:
    row = put(ValueRow())
    row.set_values((1.0 / 3.0, -0.0, 1e-17))
    click(row)
    QTest.keyClick(row.window().windowHandle(), Qt.Key.Key_C, CTRL)
    assert copied() == "0.3333333333333333\t0.0\t1e-17"


def test_that_the_letters_have_the_colours_of_the_axes_and_others_are_quiet(put) -> None:
    row = put(ValueRow())
    assert all(is_seen(color, picture(row)) for color in DARK.axis_texts)
    other = put(ValueRow(("", "a")))
    assert not any(is_seen(color, picture(other)) for color in DARK.axis_texts)


def spans(row: ValueRow, roles: dict[str, str], top: int = 0, bottom: int | None = None) -> dict[str, tuple[int, int]]:
    """Return the first and the last column of pixels that are nearly of a colour, by the name of its role."""
    image = picture(row)
    found: dict[str, tuple[int, int]] = {}
    for name, role in roles.items():
        ink = current_theme.qcolor(role)
        columns = [
            x
            for x in range(image.width())
            for y in range(top, image.height() if bottom is None else bottom)
            if max(abs(a - b) for a, b in zip(image.pixelColor(x, y).getRgb(), ink.getRgb(), strict=True)) < 60
        ]
        found[name] = min(columns), max(columns)
    return found


def test_that_a_letter_is_nearer_to_its_number_than_to_the_one_before(put) -> None:
    row = put(ValueRow(decimals=2))
    row.setFixedWidth(222)
    row.set_values([-11.24, -8.32, 394.2])
    image = picture(row)
    letter = spans(row, {"y": "axis_y_text"})["y"]
    ink = [
        x for x in range(image.width()) if any(image.pixelColor(x, y).lightness() > 120 for y in range(image.height()))
    ]
    before = max(x for x in ink if x < letter[0] - 1)
    behind = min(x for x in ink if x > letter[1] + 1)
    assert 0 < behind - letter[1] < letter[0] - before


def test_that_numbers_in_columns_go_on_in_a_row_below(put) -> None:
    row = put(ValueRow(("x", "y", "z", "w"), columns=2))
    assert row.sizeHint().height() == 2 * ValueRow().sizeHint().height()
    row.resize(222, row.sizeHint().height())
    row.set_values([-0.1, -0.2, -0.3, -0.4])
    middle = row.height() // 2
    upper = spans(row, {"x": "axis_x_text", "y": "axis_y_text"}, bottom=middle)
    lower = spans(row, {"z": "axis_z_text"}, top=middle)
    assert abs(upper["x"][0] - lower["z"][0]) <= 3
    assert upper["y"][0] > upper["x"][1] + 50


@pytest.mark.parametrize("scale", [1, 2])
def test_that_a_number_without_room_loses_decimals_and_never_its_sign(put, scale) -> None:
    long, short = put(ValueRow(("x",), decimals=4)), put(ValueRow(("x",), decimals=3))
    for row in (long, short):
        row.setStyleSheet(f"* {{ font-size: {scale * METRICS.base}px; }}")
        row.setFixedSize(78 * scale, 20 * scale)
        row.set_values([-1234.5678])

    assert long.texts() != short.texts()
    assert picture(long) == picture(short)
    long.setFixedSize(100 * scale, 20 * scale)
    short.setFixedSize(100 * scale, 20 * scale)
    assert picture(long) != picture(short)


def test_that_numbers_grow_with_the_font_of_their_panel(put) -> None:
    panel = put(QWidget())
    rows = [widget(parent=panel) for widget in (ValueRow, MatrixView)]
    before = [row.sizeHint() for row in rows]
    panel.setStyleSheet(larger_texts(DARK, 2.0))
    for row in rows:
        row.ensurePolished()
    assert [row.sizeHint() for row in rows] == [2 * hint for hint in before]
    panel.setStyleSheet("")
    assert [row.sizeHint() for row in rows] == before


def test_that_a_row_takes_another_formatter(put) -> None:
    row = put(ValueRow(("",), formatter=number_text.scientific, decimals=1))
    row.set_values([2.22e-16])
    assert row.texts() == ["2.2e−16"]


def test_that_a_change_of_value_changes_the_picture(put) -> None:
    row = put(ValueRow())
    row.set_values((1.0, 2.0, 3.0))
    before = picture(row)
    row.set_values((1.0, 2.0, 3.00001))
    assert picture(row) == before
    row.set_values((1.0, 2.0, 3.1))
    assert picture(row) != before


def test_that_a_click_beside_the_left_button_leaves_the_focus(put) -> None:
    row = put(ValueRow())
    QTest.mouseClick(row, Qt.MouseButton.RightButton, PLAIN, QPoint(5, 5))
    assert not row.hasFocus()


def test_that_the_focus_is_seen(put) -> None:
    row = put(ValueRow())
    before = picture(row)
    click(row)
    assert picture(row) != before


# --- The gauge


@pytest.mark.parametrize(
    ("value", "role"),
    [
        (0.1, "good"),
        (NEAR - 1e-9, "good"),
        (NEAR, "amber"),
        (LOCK - 1e-9, "amber"),
        (LOCK, "red"),
        (1.0, "red"),
        (1.5, "red"),
    ],
)
@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_that_the_bar_has_the_colour_of_its_value(qapp, put, theme, value, role) -> None:
    bar = put(GaugeBar())
    current_theme.apply_theme(qapp, theme)
    bar.set_value(value)
    filled = picture(bar).pixelColor(6, bar.height() // 2)
    current_theme.apply_theme(qapp, DARK)
    assert filled == QColor(getattr(theme, role))


def test_that_the_bar_is_as_long_as_its_value(put) -> None:
    bar = put(GaugeBar())
    bar.set_value(0.5)
    image, middle = picture(bar), bar.height() // 2
    assert image.pixelColor(bar.width() // 2 - 3, middle) == QColor(DARK.good)
    assert image.pixelColor(bar.width() // 2 + 3, middle) == QColor(DARK.slider_track)


@pytest.mark.parametrize("value", [0.0, -0.5, math.nan])
def test_that_the_bar_is_empty_where_there_is_nothing_to_show(put, value) -> None:
    bar = put(GaugeBar())
    bar.set_value(value)
    assert picture(bar).pixelColor(6, bar.height() // 2) == QColor(DARK.slider_track)


def test_that_the_marks_stand_where_the_colour_turns(put) -> None:
    bar = put(GaugeBar())
    image = picture(bar)
    for place, color in ((NEAR, DARK.amber), (LOCK, DARK.red)):
        near = {image.pixelColor(round(place * bar.width() - 0.5) + d, 2).name().upper() for d in (-1, 0, 1)}
        assert color in near


def test_that_the_gauge_always_has_its_number(put) -> None:
    gauge = put(Gauge())
    gauge.set_measure("|sin β|", 0.96, 12.5)
    assert gauge.number_label.text() == "0.9600"
    assert gauge.condition_row.texts() == ["12.5000"]
    assert gauge.bar.value == 0.96
    assert gauge.bar.accessibleName() == "|sin β| 0.9600"
    gauge.set_measure("|cos β|", 1.0, math.inf)
    assert gauge.condition_row.texts() == ["∞"]
    gauge.set_measure("|cos β|", math.nan, math.nan)
    assert gauge.number_label.text() == number_text.MISSING


# --- Messages and empty panels


def test_that_a_message_is_seen_only_while_there_is_one(put) -> None:
    message = put(InlineMessage())
    assert not message.isVisible()
    message.set_message("Not a number. Try <b>0.5</b>.")
    assert message.isVisible()
    assert message.text() == "Not a number. Try <b>0.5</b>."
    assert DARK.red in shades(picture(message))
    message.set_message("")
    assert not message.isVisible()


def test_that_a_warning_is_amber(put) -> None:
    message = put(InlineMessage("warning"))
    message.set_message("The sequence is close to its singularity.")
    assert DARK.amber in shades(picture(message))


def test_that_an_empty_panel_says_what_is_missing_and_offers_the_next_step(put) -> None:
    asked = []
    empty = put(EmptyState("chart-line", "No curve yet", "Drag a signal here.", "Add signal"))
    empty.action_requested.connect(lambda: asked.append(True))
    shown = [label.text() for label in empty.findChildren(QLabel)]
    assert "No curve yet" in shown
    assert "Drag a signal here." in shown
    button = empty.findChild(QPushButton)
    assert button.text().strip() == "Add signal"
    click(button)
    assert asked == [True]
    assert not empty.icon_label.pixmap().isNull()


def test_that_an_empty_panel_needs_no_button(put) -> None:
    empty = put(EmptyState("ruler", "No read-outs", "Select a frame."))
    assert empty.findChild(QPushButton) is None


def test_that_the_icon_of_an_empty_panel_follows_the_theme(qapp, put) -> None:
    empty = put(EmptyState("ruler", "No read-outs", "Select a frame."))
    dark = empty.icon_label.pixmap().toImage()
    current_theme.apply_theme(qapp, LIGHT)
    light = empty.icon_label.pixmap().toImage()
    current_theme.apply_theme(qapp, DARK)
    assert light != dark


# --- Headings and lines of text


def test_that_a_line_that_is_too_long_is_cut_and_told_whole_in_the_tool_tip(put) -> None:
    label = put(ElidedLabel("0.85*sin(0.5*t) + 0.21 " * 10, role="code"))
    label.grab()
    assert label.toolTip() == label.text()
    assert label.window().width() == 420
    label.setText("short")
    label.grab()
    assert label.toolTip() == ""


def test_that_headings_change_what_they_say(put) -> None:
    section = put(SectionHeader("T", "3x3"))
    section.set_title("ω")
    section.set_note("rad/s")
    assert [label.text() for label in section.findChildren(QLabel)] == ["ω", "rad/s"]
    dock = put(DockHeader("Inspector"))
    dock.set_title("Inspector", "inner ring")
    assert [label.text() for label in dock.findChildren(QLabel)] == ["Inspector", "inner ring"]
    assert dock.sizeHint().height() == dock.height() == 32


def test_that_a_separator_is_one_pixel_of_its_colour(put) -> None:
    line = put(separator())
    assert line.height() == 1
    assert shades(picture(line)) == {DARK.separator}
