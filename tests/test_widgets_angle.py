"""The row of one angle, driven by real mouse, wheel and key events."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QImage, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from framescope.ui import appearance
from framescope.ui.theme import DARK, METRICS
from framescope.ui.widgets import gesture
from framescope.ui.widgets.angle_row import AngleRow
from framescope.ui.widgets.angle_slider import AngleSlider
from framescope.ui.widgets.step_field import StepField

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
Key = Qt.Key
SIGNALS = ("previewed", "committed", "cancelled", "reset_requested", "message")


@pytest.fixture(autouse=True)
def dark(qapp):
    if appearance.current() is not DARK or not qapp.styleSheet():
        appearance.apply_theme(qapp, DARK)


@pytest.fixture
def desk(qtbot):
    """Give a window to put a widget in, with another field that can take the focus."""
    desk = QWidget()
    qtbot.addWidget(desk)
    column = QVBoxLayout(desk)
    desk.other = QLineEdit()
    column.addWidget(desk.other)
    desk.resize(420, 120)

    def put(widget):
        column.addWidget(widget)
        desk.show()
        with qtbot.waitExposed(desk):
            pass
        desk.activateWindow()
        qtbot.waitUntil(desk.isActiveWindow)
        desk.other.setFocus()
        return widget

    desk.put = put
    return desk


@pytest.fixture
def slider(desk):
    return desk.put(AngleSlider(0))


@pytest.fixture
def field(desk):
    return desk.put(StepField(step=1.0, decimals=2, unit="°"))


@pytest.fixture
def row(desk):
    return desk.put(AngleRow(1, "β"))


@pytest.fixture
def quick_wheel(monkeypatch):
    """Let the wheel rest for a moment only."""
    monkeypatch.setattr(gesture, "SETTLE_MS", 1)


def hear(widget) -> list[tuple]:
    """Keep what a widget says from now on: name of the signal and its values."""
    heard: list[tuple] = []
    for name in SIGNALS:
        if hasattr(widget, name):
            getattr(widget, name).connect(lambda *values, name=name: heard.append((name, *values)))
    return heard


def said(heard: list[tuple], *names: str) -> list:
    return [said[-1] if len(said) > 1 else said[0] for said in heard if said[0] in names]


def press(widget, x: float, modifiers=PLAIN) -> None:
    QTest.mousePress(widget, LEFT, modifiers, QPoint(round(x), widget.height() // 2))


def move(widget, x: float) -> None:
    QTest.mouseMove(widget, QPoint(round(x), widget.height() // 2))


def release(widget, x: float) -> None:
    QTest.mouseRelease(widget, LEFT, PLAIN, QPoint(round(x), widget.height() // 2))


def drag(widget, from_x: float, to_x: float, *, steps: int = 8) -> None:
    """Drag as a hand does, in steps."""
    press(widget, from_x)
    for i in range(1, steps + 1):
        move(widget, from_x + (to_x - from_x) * i / steps)
    release(widget, to_x)


def wheel(widget, notches: float, modifiers=PLAIN) -> None:
    at = QPointF(widget.width() / 2, widget.height() / 2)
    turned = QPoint(0, round(120 * notches))
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, widget.mapToGlobal(at), QPoint(), turned, Qt.MouseButton.NoButton, modifiers, phase, False)
    QApplication.sendEvent(widget, event)


def strike(widget, key: Key, modifiers=PLAIN) -> None:
    """Strike a key of the keyboard: it goes where the focus is."""
    QTest.keyClick(widget.window().windowHandle(), key, modifiers)


def focus(widget) -> None:
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    assert widget.hasFocus()


def type_in(field, text: str, end: Key | None = Key.Key_Return) -> None:
    focus(field)
    field.selectAll()
    for sign in text:
        if sign.isascii():
            QTest.keyClick(field, sign)
        else:  # no key of QTest's has it
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, Key.Key_unknown, PLAIN, sign))
    if end is not None:
        strike(field, end)


def degrees_per_pixel(slider) -> float:
    return 360.0 / (slider.width() - METRICS.halo)


def x_of(slider, value_deg: float) -> float:
    return METRICS.halo / 2 + (value_deg + 180.0) / degrees_per_pixel(slider)


def picture(widget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


# --- The slider: dragging


@pytest.mark.parametrize("target", [-180.0, -133.0, -45.5, 1.0, 90.0, 180.0])
def test_that_the_knob_is_dragged_to_a_value(slider, target) -> None:
    heard = hear(slider)
    drag(slider, slider.knob_x(), x_of(slider, target))
    assert slider.value_deg == pytest.approx(target, abs=degrees_per_pixel(slider))
    assert said(heard, "committed") == [slider.value_deg]


def test_that_a_drag_is_previewed_and_then_committed_once(slider) -> None:
    heard = hear(slider)
    drag(slider, slider.knob_x(), slider.knob_x() + 40)
    assert len(said(heard, "previewed")) > 3
    assert said(heard, "previewed") == sorted(said(heard, "previewed"))
    assert [name for name, *_ in heard].count("committed") == 1
    assert heard[-1] == ("committed", said(heard, "previewed")[-1])


def test_that_grabbing_the_knob_off_its_centre_does_not_move_it(slider) -> None:
    slider.set_value_deg(33.0)
    heard = hear(slider)
    press(slider, slider.knob_x() + 6)
    release(slider, slider.knob_x() + 6)
    assert slider.value_deg == 33.0
    assert heard == []


def test_that_a_press_on_the_track_brings_the_knob_there(slider) -> None:
    heard = hear(slider)
    press(slider, x_of(slider, 120.0))
    release(slider, x_of(slider, 120.0))
    assert slider.value_deg == pytest.approx(120.0, abs=degrees_per_pixel(slider))
    assert said(heard, "committed") == [slider.value_deg]


def test_that_shift_snaps_to_fifteen_degrees(slider) -> None:
    heard = hear(slider)
    press(slider, x_of(slider, 52.0), SHIFT)
    release(slider, x_of(slider, 52.0))
    assert said(heard, "committed") == [45.0]


def test_that_a_drag_rests_at_half_a_turn_and_goes_on_into_the_next(slider) -> None:
    end = x_of(slider, 180.0)
    heard = hear(slider)
    press(slider, slider.knob_x())
    for beyond in range(6):
        move(slider, end + beyond)
    assert slider.value_deg == 180.0
    assert slider.knob_x() == pytest.approx(end)
    move(slider, end + 26)
    release(slider, end + 26)
    assert slider.value_deg == pytest.approx(180.0 + 20 * degrees_per_pixel(slider), abs=degrees_per_pixel(slider))
    assert slider.knob_x() == pytest.approx(x_of(slider, -180.0) + 20, abs=1.0)
    assert said(heard, "committed") == [slider.value_deg]


def test_that_a_drag_goes_over_the_other_end_just_the_same(slider) -> None:
    start = x_of(slider, -180.0)
    press(slider, slider.knob_x())
    move(slider, start - 3)
    assert slider.value_deg == -180.0
    assert slider.knob_x() == pytest.approx(start)
    move(slider, start - 26)
    release(slider, start - 26)
    assert slider.value_deg == pytest.approx(-180.0 - 20 * degrees_per_pixel(slider), abs=degrees_per_pixel(slider))
    assert slider.knob_x() == pytest.approx(x_of(slider, 180.0) - 20, abs=1.0)


def test_that_a_drag_begun_in_another_turn_stays_in_it(slider) -> None:
    slider.set_value_deg(720.0 + 30.0)
    drag(slider, slider.knob_x(), slider.knob_x() + 10)
    assert slider.value_deg == pytest.approx(750.0 + 10 * degrees_per_pixel(slider), abs=degrees_per_pixel(slider))


@pytest.mark.parametrize(
    ("value", "is_marked"), [(0.0, False), (180.0, False), (-180.0, False), (200.0, True), (-200.0, True)]
)
def test_that_an_angle_beyond_half_a_turn_has_a_mark(slider, value, is_marked) -> None:
    slider.set_value_deg(value)
    marked = picture(slider)
    slider.set_value_deg(value - 360.0 if value > 180.0 else value + 360.0 if value < -180.0 else value)
    plain = picture(slider)
    assert (marked != plain) == is_marked
    # Knob and filling are the same: the mark above the knob is all that differs.
    below = slider.rect().adjusted(0, 12, 0, 0)
    assert (marked.copy(below) == plain.copy(below)) or value in {180.0, -180.0}


def test_that_the_marks_of_turns_differ(slider) -> None:
    pictures = []
    for turn in (-1, 1, 2):
        slider.set_value_deg(30.0 + 360.0 * turn)
        pictures.append(picture(slider))
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]


def test_that_escape_gives_a_drag_up(slider) -> None:
    slider.set_value_deg(10.0)
    heard = hear(slider)
    press(slider, slider.knob_x())
    move(slider, slider.knob_x() + 30)
    strike(slider, Key.Key_Escape)
    assert slider.value_deg == 10.0
    assert heard[-1] == ("cancelled",)
    move(slider, slider.knob_x() + 60)
    release(slider, slider.knob_x() + 60)
    assert slider.value_deg == 10.0
    assert said(heard, "committed") == []


def test_that_a_drag_back_to_where_it_began_commits_where_it_began(slider) -> None:
    heard = hear(slider)
    press(slider, slider.knob_x())
    start = slider.knob_x()
    move(slider, start + 20)
    move(slider, start)
    release(slider, start)
    assert slider.value_deg == 0.0
    # Whoever shows the previews waits for the end; a scene that is the same as before is no step of undo.
    assert said(heard, "committed") == [0.0]


def test_that_the_other_button_does_nothing(slider) -> None:
    heard = hear(slider)
    QTest.mouseClick(slider, RIGHT, PLAIN, QPoint(20, slider.height() // 2))
    assert heard == []
    assert slider.value_deg == 0.0


def test_that_a_double_click_asks_for_a_reset_and_commits_nothing(slider) -> None:
    slider.set_value_deg(50.0)
    heard = hear(slider)
    QTest.mouseDClick(slider, LEFT, PLAIN, QPoint(round(slider.knob_x()), slider.height() // 2))
    assert heard == [("reset_requested",)]
    assert not slider.is_busy
    slider.set_value_deg(0.0)
    assert slider.value_deg == 0.0


def test_that_hiding_the_slider_ends_the_drag(slider) -> None:
    heard = hear(slider)
    press(slider, slider.knob_x())
    move(slider, slider.knob_x() + 20)
    slider.hide()
    assert not slider.is_busy
    assert said(heard, "committed") == [slider.value_deg]


# --- The slider: wheel and keys


@pytest.mark.parametrize(("modifiers", "step"), [(PLAIN, 1.0), (CTRL, 0.1)])
def test_that_a_burst_of_the_wheel_is_one_gesture(quick_wheel, desk, qtbot, modifiers, step) -> None:
    slider = desk.put(AngleSlider(2))
    heard = hear(slider)
    with qtbot.waitSignal(slider.committed):
        for notches in (1, 1, 1, -1, 1):
            wheel(slider, notches, modifiers)
    assert said(heard, "previewed") == pytest.approx([step, 2 * step, 3 * step, 2 * step, 3 * step])
    assert said(heard, "committed") == [slider.value_deg] == [round(3 * step, 12)]


def test_that_a_touch_pad_moves_by_fractions(slider) -> None:
    wheel(slider, 0.25)
    assert slider.value_deg == 0.25


def test_that_the_wheel_is_left_to_the_scroll_area_where_nothing_can_be_turned(slider) -> None:
    slider.set_read_only(True)
    wheel(slider, 1)
    assert slider.value_deg == 0.0
    assert not slider.is_busy


def test_that_escape_takes_a_burst_of_the_wheel_back(slider) -> None:
    slider.set_value_deg(5.0)
    focus(slider)
    heard = hear(slider)
    wheel(slider, 3)
    strike(slider, Key.Key_Escape)
    assert slider.value_deg == 5.0
    assert heard == [("previewed", 8.0), ("cancelled",)]


@pytest.mark.parametrize(
    ("key", "modifiers", "change"),
    [
        (Key.Key_Right, PLAIN, 1.0),
        (Key.Key_Up, PLAIN, 1.0),
        (Key.Key_Left, PLAIN, -1.0),
        (Key.Key_Down, PLAIN, -1.0),
        (Key.Key_Right, CTRL, 0.1),
        (Key.Key_PageUp, PLAIN, 15.0),
        (Key.Key_PageDown, PLAIN, -15.0),
        (Key.Key_Home, PLAIN, -20.0),
    ],
)
def test_that_a_key_moves_the_angle_and_commits_once(slider, key, modifiers, change) -> None:
    slider.set_value_deg(20.0)
    focus(slider)
    heard = hear(slider)
    strike(slider, key, modifiers)
    assert slider.value_deg == pytest.approx(20.0 + change)
    assert heard == [("previewed", slider.value_deg), ("committed", slider.value_deg)]


def test_that_tenths_do_not_pile_up_to_odd_digits(slider) -> None:
    focus(slider)
    for _ in range(3):
        strike(slider, Key.Key_Right, CTRL)
    assert slider.value_deg == 0.3


def test_that_a_key_held_down_is_one_gesture(slider) -> None:
    focus(slider)
    heard = hear(slider)
    window = slider.window().windowHandle()
    QTest.keyPress(window, Key.Key_Right)
    QTest.keyPress(window, Key.Key_Right)
    QTest.keyPress(window, Key.Key_Right)
    assert said(heard, "committed") == []
    QTest.keyRelease(window, Key.Key_Right)
    assert heard == [("previewed", 1.0), ("previewed", 2.0), ("previewed", 3.0), ("committed", 3.0)]


def test_that_leaving_with_a_key_held_down_commits(desk, slider) -> None:
    focus(slider)
    heard = hear(slider)
    QTest.keyPress(slider.window().windowHandle(), Key.Key_Right)
    desk.other.setFocus()
    assert heard == [("previewed", 1.0), ("committed", 1.0)]


def test_that_home_at_zero_says_nothing(slider) -> None:
    focus(slider)
    heard = hear(slider)
    strike(slider, Key.Key_Home)
    assert heard == []


# --- The slider: from outside


def test_that_a_value_from_outside_is_shown_and_nothing_is_said(slider) -> None:
    heard = hear(slider)
    slider.set_value_deg(77.0)
    assert slider.value_deg == 77.0
    assert slider.knob_x() == pytest.approx(x_of(slider, 77.0))
    assert heard == []


def test_that_a_value_from_outside_waits_while_a_hand_is_at_it(slider) -> None:
    press(slider, slider.knob_x())
    move(slider, slider.knob_x() + 20)
    held = slider.value_deg
    slider.set_value_deg(-100.0)
    assert slider.is_busy
    assert slider.value_deg == held
    release(slider, slider.knob_x())
    slider.set_value_deg(-100.0)
    assert slider.value_deg == -100.0


def test_that_another_item_drops_the_gesture(slider) -> None:
    heard = hear(slider)
    press(slider, slider.knob_x())
    move(slider, slider.knob_x() + 20)
    slider.reset_deg(5.0)
    release(slider, slider.knob_x())
    assert slider.value_deg == 5.0
    assert said(heard, "committed", "cancelled") == []


def test_that_a_read_only_slider_refuses_every_gesture(slider) -> None:
    slider.set_value_deg(12.0)
    slider.set_read_only(True)
    heard = hear(slider)
    drag(slider, slider.knob_x(), slider.knob_x() + 40)
    QTest.mouseDClick(slider, LEFT, PLAIN, QPoint(round(slider.knob_x()), slider.height() // 2))
    wheel(slider, 1)
    slider.setFocus()
    for key in (Key.Key_Right, Key.Key_PageUp, Key.Key_Home):
        strike(slider, key)
    assert slider.value_deg == 12.0
    assert heard == []
    slider.set_read_only(False)
    drag(slider, slider.knob_x(), slider.knob_x() + 40)
    assert slider.value_deg > 12.0


# --- The slider: what is seen


def test_that_the_track_is_filled_from_zero_to_the_knob_in_the_colour_of_the_axis(slider) -> None:
    for axis, color in enumerate(DARK.axes):
        slider.set_axis(axis)
        slider.set_value_deg(90.0)
        image = picture(slider)
        middle = slider.height() // 2
        assert image.pixelColor(round(x_of(slider, 45.0)), middle) == QColor(color)
        assert image.pixelColor(round(x_of(slider, -45.0)), middle) == QColor(DARK.slider_track)


def test_that_staged_mode_shows_what_is_turned_so_far(slider) -> None:
    slider.set_value_deg(90.0)
    slider.set_turned_deg(45.0)
    image = picture(slider)
    middle = slider.height() // 2
    turned, rest = (image.pixelColor(round(x_of(slider, at)), middle) for at in (20.0, 65.0))
    assert turned == QColor(DARK.axis_x)
    assert rest not in (QColor(DARK.axis_x), QColor(DARK.slider_track))
    slider.set_turned_deg(None)
    assert picture(slider).pixelColor(round(x_of(slider, 65.0)), middle) == QColor(DARK.axis_x)


def test_that_the_knob_has_a_halo_under_the_pointer_and_a_ring_for_the_keyboard(slider, qtbot) -> None:
    # A window that becomes active gives the focus to its only widget, whenever that may be.
    slider.window().activateWindow()
    qtbot.waitUntil(slider.window().isActiveWindow)
    slider.clearFocus()
    # The real pointer rests somewhere too, and must not hover over the slider by chance.
    QCursor.setPos(slider.window().frameGeometry().bottomRight() + QPoint(50, 50))
    QApplication.processEvents()
    move(slider, 3)
    plain = picture(slider)
    move(slider, slider.knob_x())
    hovered = picture(slider)
    move(slider, 3)
    left = picture(slider)
    focus(slider)
    focused = picture(slider)
    assert left == plain
    assert hovered != plain
    assert focused not in (plain, hovered)


# --- The field


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


# --- The row


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
    assert row._error.isVisible()
    assert row._error.text() == said(heard, "message")[0]
    assert "Try pi/6" in row._error.text()
    assert said(heard, "committed") == []
    type_in(row.field, "30 rad", end=None)
    assert not row._error.isVisible()
    assert said(heard, "message")[-1] == ""


def test_that_a_drag_of_the_slider_mends_a_field_that_could_not_be_read(row) -> None:
    type_in(row.field, "abc")
    drag(row.slider, row.slider.knob_x(), row.slider.knob_x() + 20)
    assert not row.field.property("invalid")
    assert not row._error.isVisible()
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


def test_that_the_row_passes_a_reset_on(row) -> None:
    row.set_value_deg(25.0)
    heard = hear(row)
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
    assert not row._expression.isVisible()
    row.set_expression("0.8*sin(t) + 0.21")
    assert row._expression.isVisible()
    assert row._expression.text() == "0.8*sin(t) + 0.21"
    row.set_expression("")
    assert not row._expression.isVisible()


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
