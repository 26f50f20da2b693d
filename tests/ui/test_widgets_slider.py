"""The slider of an angle, driven by real mouse, wheel and key events."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QCursor
from PySide6.QtTest import QTest

from framescope.ui.theme.tokens import DARK
from framescope.ui.widgets.angle_slider import AngleSlider
from tests.support.hands import (
    CTRL,
    LEFT,
    PLAIN,
    RIGHT,
    SHIFT,
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
    wheel,
    x_of,
)

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def slider(desk):
    return desk.put(AngleSlider(0))


# --- Dragging


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


@pytest.mark.parametrize("width", [70, 101, 138, 300, 733])
@pytest.mark.parametrize("tick", [-90.0, 0.0, 90.0])
def test_that_one_pixel_of_a_drag_is_the_angle_of_a_tick(slider, width, tick) -> None:
    slider.resize(width, slider.height())
    slider.set_value_deg(30.0)
    found = []
    for step in (-2, -1, 0, 1, 2):
        slider.set_value_deg(30.0)
        drag(slider, slider.knob_x(), round(x_of(slider, tick)) + step)
        found.append(slider.value_deg)
    assert found.count(tick) in (1, 2)  # two where the tick is half-way between pixels
    assert sorted(found) == found


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


def test_that_the_mark_of_a_turn_is_whole(slider) -> None:
    slider.set_value_deg(-60 * 360.0)
    marked = picture(slider)
    slider.set_value_deg(0.0)
    plain = picture(slider)
    rows = [y for y in range(12) if any(marked.pixel(x, y) != plain.pixel(x, y) for x in range(marked.width()))]
    assert rows[0] > 0  # the digits begin below the upper edge


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


# --- Wheel and keys


@pytest.mark.parametrize(("modifiers", "step"), [(PLAIN, 1.0), (CTRL, 0.1)])
def test_that_a_burst_of_the_wheel_is_one_gesture(quick_wheel, desk, qtbot, modifiers, step) -> None:
    slider = desk.put(AngleSlider(2))
    focus(slider)
    heard = hear(slider)
    with qtbot.waitSignal(slider.committed):
        for notches in (1, 1, 1, -1, 1):
            wheel(slider, notches, modifiers)
    assert said(heard, "previewed") == pytest.approx([step, 2 * step, 3 * step, 2 * step, 3 * step])
    assert said(heard, "committed") == [slider.value_deg] == [round(3 * step, 12)]


def test_that_a_touch_pad_moves_by_fractions(slider) -> None:
    focus(slider)
    wheel(slider, 0.25)
    assert slider.value_deg == 0.25


def test_that_a_wheel_that_passes_turns_nothing(slider) -> None:
    heard = hear(slider)
    wheel(slider, 2)
    assert (slider.value_deg, heard) == (0.0, [])


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


# --- From outside


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


# --- What is seen


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
    qtbot.waitUntil(lambda: not slider.underMouse() and not slider.hasFocus())
    move(slider, 3)
    hovered = plain = picture(slider)

    def is_lit() -> bool:
        # The leaving of the real pointer may arrive between a move and the picture: another move brings it back.
        nonlocal hovered
        move(slider, slider.knob_x())
        hovered = picture(slider)
        return hovered != plain

    qtbot.waitUntil(is_lit)
    move(slider, 3)
    qtbot.waitUntil(lambda: picture(slider) == plain)
    focus(slider)
    assert picture(slider) not in (plain, hovered)
