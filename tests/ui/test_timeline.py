"""The timeline: play, step, scrub, speed and loop, by mouse and keyboard."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QVBoxLayout, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.timeline.markers import Marker
from framescope.ui.timeline.timeline import Timeline
from framescope.ui.timeline.track import MARKER_Y, STRETCH_Y, TRACK_Y

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
Key = Qt.Key
SIGNALS = ("play_toggled", "scrubbed", "scrub_finished", "step", "jumped", "speed_changed")
TRACK_Y, MARKER_Y = round(TRACK_Y), round(MARKER_Y)


@pytest.fixture
def timeline(qapp, qtbot):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    timeline = Timeline()
    timeline.home = window = QWidget()  # kept by it: nobody else does
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(timeline)
    timeline.set_range(0.0, 12.0)
    window.resize(900, 60)
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    timeline.track.setFocus(Qt.FocusReason.TabFocusReason)
    return timeline


def hear(timeline) -> list[tuple]:
    """Keep what the timeline says from now on: name of the signal and its values."""
    heard: list[tuple] = []
    for name in SIGNALS:
        getattr(timeline, name).connect(lambda *values, name=name: heard.append((name, *values)))
    timeline.loop.clicked.connect(lambda is_on: heard.append(("loop", is_on)))
    return heard


def times(heard: list[tuple]) -> list[float]:
    return [values[0] for name, *values in heard if name == "scrubbed"]


def press(track, x: float, y: int = TRACK_Y) -> None:
    QTest.mousePress(track, LEFT, PLAIN, QPoint(round(x), y))


def move(track, x: float) -> None:
    QTest.mouseMove(track, QPoint(round(x), TRACK_Y))


def release(track, x: float) -> None:
    QTest.mouseRelease(track, LEFT, PLAIN, QPoint(round(x), TRACK_Y))


def strike(widget, key: Key, modifiers=PLAIN) -> None:
    """Strike a key of the keyboard: it goes where the focus is."""
    QTest.keyClick(widget.window().windowHandle(), key, modifiers)


def type_time(timeline, text: str, end: Key = Key.Key_Return) -> None:
    timeline.field.setFocus(Qt.FocusReason.TabFocusReason)
    timeline.field.selectAll()
    QTest.keyClicks(timeline.field, text)
    strike(timeline, end)


def click(button) -> None:
    QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())


def seconds_per_pixel(track) -> float:
    return 1.0 / (track.x_of(1.0) - track.x_of(0.0))


def picture(widget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


# --- Scrubbing


@pytest.mark.parametrize("target", [0.0, 3.3, 7.5, 12.0])
def test_that_the_knob_is_dragged_to_a_time(timeline, target) -> None:
    track = timeline.track
    timeline.set_time(5.0)
    heard = hear(timeline)
    press(track, track.x_of(5.0))
    for share in (0.25, 0.5, 0.75, 1.0):
        move(track, track.x_of(5.0) + share * (track.x_of(target) - track.x_of(5.0)))
    release(track, track.x_of(target))
    assert times(heard)[-1] == pytest.approx(target, abs=seconds_per_pixel(track))
    assert timeline.field.value == times(heard)[-1]
    assert heard[-1] == ("scrub_finished",)
    assert [name for name, *_ in heard].count("scrub_finished") == 1


def test_that_grabbing_the_knob_off_its_centre_does_not_move_it(timeline) -> None:
    track = timeline.track
    timeline.set_time(5.0)
    heard = hear(timeline)
    press(track, track.x_of(5.0) + 5)
    release(track, track.x_of(5.0) + 5)
    assert heard == [("scrub_finished",)]


def test_that_a_press_on_the_track_brings_the_knob_there_at_once(timeline) -> None:
    track = timeline.track
    heard = hear(timeline)
    press(track, track.x_of(9.0))
    assert times(heard) == [pytest.approx(9.0, abs=seconds_per_pixel(track))]
    assert track.is_scrubbing
    release(track, track.x_of(9.0))
    assert not track.is_scrubbing


def test_that_a_drag_beyond_the_ends_stays_at_them(timeline) -> None:
    track = timeline.track
    heard = hear(timeline)
    press(track, track.x_of(6.0))
    move(track, track.width() + 200)
    move(track, -200)
    release(track, -200)
    assert times(heard)[-2:] == [12.0, 0.0]


def test_that_the_hand_wins_while_the_knob_is_held(timeline) -> None:
    track = timeline.track
    press(track, track.x_of(6.0))
    held = timeline.field.value
    timeline.set_time(1.0)
    assert timeline.field.value == held
    heard = hear(timeline)
    move(track, track.x_of(6.0) + 3)
    assert times(heard) == [pytest.approx(6.0, abs=4 * seconds_per_pixel(track))]
    release(track, track.x_of(6.0))
    timeline.set_time(1.0)
    assert timeline.field.value == 1.0


def test_that_hiding_the_timeline_lets_go(timeline) -> None:
    track = timeline.track
    heard = hear(timeline)
    press(track, track.x_of(6.0))
    timeline.hide()
    assert heard[-1] == ("scrub_finished",)
    assert not track.is_scrubbing


def test_that_the_other_button_does_not_scrub(timeline) -> None:
    heard = hear(timeline)
    QTest.mouseClick(timeline.track, Qt.MouseButton.RightButton, PLAIN, QPoint(50, TRACK_Y))
    assert heard == []


def test_that_a_click_on_a_marker_jumps_to_its_very_time(timeline) -> None:
    track = timeline.track
    timeline.set_markers((Marker(4.123456, "problem", "gap"), Marker(4.3, "keyframe")))
    heard = hear(timeline)
    press(track, track.x_of(4.123456) - 2, MARKER_Y)
    release(track, track.x_of(4.123456) - 2)
    assert times(heard) == [4.123456]


def test_that_a_marker_says_what_it_is(timeline, qtbot) -> None:
    track = timeline.track
    timeline.set_markers((Marker(4.0, "warning", "a gap of 0.3 s"),))
    at = QPoint(round(track.x_of(4.0)), MARKER_Y)
    QApplication.sendEvent(track, QHelpEvent(QEvent.Type.ToolTip, at, track.mapToGlobal(at)))
    assert QToolTip.text() == "a gap of 0.3 s"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_that_markers_have_their_colours(timeline) -> None:
    track = timeline.track
    for kind, color in (("warning", DARK.amber), ("problem", DARK.red)):
        timeline.set_markers((Marker(8.0, kind),))
        assert picture(track).pixelColor(round(track.x_of(8.0)), MARKER_Y + 1) == QColor(color)


def test_that_what_has_passed_is_filled(timeline) -> None:
    track = timeline.track
    timeline.set_time(6.0)
    image = picture(track)
    assert image.pixelColor(round(track.x_of(3.0)), TRACK_Y) == QColor(DARK.accent)
    assert image.pixelColor(round(track.x_of(9.0)), TRACK_Y) == QColor(DARK.slider_track)


def test_that_moving_the_knob_repaints_all_that_changes(timeline) -> None:
    """Only a strip is repainted at every tick: nothing may be left behind beside it."""
    track = timeline.track
    for t in (0.0, 0.05, 7.0, 6.9, 12.0, 3.0):
        timeline.set_time(t)
        QApplication.processEvents()
    seen = timeline.window().screen().grabWindow(timeline.window().winId()).toImage()
    corner = track.mapTo(timeline.window(), QPoint(0, 0))
    seen = seen.copy(corner.x(), corner.y(), track.width(), track.height())
    track.update()
    QApplication.processEvents()
    fresh = timeline.window().screen().grabWindow(timeline.window().winId()).toImage()
    fresh = fresh.copy(corner.x(), corner.y(), track.width(), track.height())
    assert seen == fresh


# --- Keys


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (Key.Key_Space, ("play_toggled", True)),
        (Key.Key_Left, ("step", -1)),
        (Key.Key_Right, ("step", 1)),
        (Key.Key_Home, ("jumped", False)),
        (Key.Key_End, ("jumped", True)),
    ],
)
def test_that_a_key_does_what_its_button_says(timeline, key, said) -> None:
    heard = hear(timeline)
    strike(timeline, key)
    assert heard == [said]


def test_that_other_keys_are_left_to_the_window(timeline) -> None:
    heard = hear(timeline)
    strike(timeline, Key.Key_A)
    assert heard == []


def test_that_space_asks_for_a_pause_while_it_plays(timeline) -> None:
    timeline.set_playing(True)
    heard = hear(timeline)
    strike(timeline, Key.Key_Space)
    assert heard == [("play_toggled", False)]


def test_that_the_keys_of_the_text_stay_in_the_field(timeline) -> None:
    timeline.set_time(5.0)
    timeline.field.setFocus(Qt.FocusReason.TabFocusReason)
    heard = hear(timeline)
    for key in (Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End):
        strike(timeline, key)
    assert heard == []


@pytest.mark.parametrize(
    ("button", "said"),
    [
        ("start_button", ("jumped", False)),
        ("step_back_button", ("step", -1)),
        ("play_button", ("play_toggled", True)),
        ("step_forward_button", ("step", 1)),
        ("end_button", ("jumped", True)),
        ("loop", ("loop", True)),
    ],
)
def test_that_a_button_says_what_it_is_for(timeline, button, said) -> None:
    heard = hear(timeline)
    click(getattr(timeline, button))
    assert heard == [said]


def test_that_the_play_button_shows_what_is_and_not_what_was_asked_for(timeline) -> None:
    plays = picture(timeline.play_button)
    click(timeline.play_button)
    assert timeline.play_button.toolTip() == "Play (Space)"
    timeline.set_playing(True)
    assert timeline.play_button.toolTip() == "Pause (Space)"
    QTest.mouseMove(timeline.track, QPoint(40, 2))
    assert picture(timeline.play_button) != plays


# --- The typed time


@pytest.mark.parametrize(("text", "t"), [("7,25", 7.25), ("1/4", 0.25), ("99", 12.0), ("-5", 0.0)])
def test_that_a_typed_time_is_gone_to_and_kept_within_the_range(timeline, text, t) -> None:
    timeline.set_time(5.0)
    heard = hear(timeline)
    type_time(timeline, text)
    assert heard == [("scrubbed", t), ("scrub_finished",)]
    assert timeline.field.value == t
    assert timeline.field.text() == number_text.seconds(t)


@pytest.mark.parametrize(("text", "is_told"), [("7", False), ("12", False), ("99", True), ("-5", True)])
def test_that_a_time_outside_of_the_scene_is_told(timeline, text, is_told) -> None:
    told = []
    timeline.status.connect(lambda *values: told.append(values))
    type_time(timeline, text)
    assert [kind for kind, _ in told] == ["amber"] * is_told
    assert all("from 0.00 to 12.00 s" in words for _, words in told)


def test_that_a_typed_time_stops_the_clock(timeline) -> None:
    timeline.set_playing(True)
    heard = hear(timeline)
    type_time(timeline, "2")
    assert heard == [("play_toggled", False), ("scrubbed", 2.0), ("scrub_finished",)]


def test_that_a_click_into_the_time_selects_it_so_that_typing_replaces_it(timeline) -> None:
    timeline.set_time(5.25)
    heard = hear(timeline)
    QTest.mouseClick(timeline.field, LEFT, PLAIN, timeline.field.rect().center())
    QTest.keyClicks(timeline.field, "2")
    strike(timeline, Key.Key_Return)
    assert times(heard) == [2.0]


def test_that_a_time_that_cannot_be_read_is_marked_and_goes_nowhere(timeline) -> None:
    timeline.set_time(5.0)
    heard, said = hear(timeline), []
    timeline.status.connect(lambda *values: said.append(values))
    type_time(timeline, "noon")
    assert said == [("amber", "This is no time. Try 1.5, 250 ms or 1:30.")]
    assert timeline.field.property("invalid")
    assert heard == []
    timeline.set_time(6.0)
    assert timeline.field.text() == "noon"
    strike(timeline, Key.Key_Escape)
    timeline.set_time(6.0)
    timeline.set_time(6.5)
    assert timeline.field.text() == "6.50"


def test_that_half_typed_text_is_not_disturbed_by_the_clock_but_by_a_scrub(timeline) -> None:
    timeline.field.setFocus(Qt.FocusReason.TabFocusReason)
    timeline.field.selectAll()
    QTest.keyClicks(timeline.field, "3")
    timeline.set_time(5.0)
    assert timeline.field.text() == "3"
    heard = hear(timeline)
    track = timeline.track
    press(track, track.x_of(9.0))
    release(track, track.x_of(9.0))
    assert times(heard)[-1] == pytest.approx(9.0, abs=seconds_per_pixel(track))
    assert timeline.field.value == times(heard)[-1]


# --- Speed and loop


def test_that_another_speed_is_chosen_by_key(timeline) -> None:
    timeline.speed_choice.setFocus(Qt.FocusReason.TabFocusReason)
    heard = hear(timeline)
    strike(timeline, Key.Key_Down)
    strike(timeline, Key.Key_Up)
    strike(timeline, Key.Key_Up)
    assert heard == [("speed_changed", 2.0), ("speed_changed", 1.0), ("speed_changed", 0.5)]
    assert timeline.speed_choice.currentText() == "½×"


def test_that_a_speed_that_is_not_in_the_list_takes_its_place_in_it(timeline) -> None:
    for factor in (3.0, 4.0, 0.001, 100.0, 3.0):
        timeline.set_speed(factor)
        assert timeline.speed_choice.currentData() == factor
    known = [timeline.speed_choice.itemData(i) for i in range(timeline.speed_choice.count())]
    assert known == sorted({*number_text.SPEEDS, 3.0, 4.0, 0.001, 100.0})


def test_that_loop_is_switched_on_and_off(timeline) -> None:
    heard = hear(timeline)
    click(timeline.loop)
    click(timeline.loop)
    assert heard == [("loop", True), ("loop", False)]


# --- From outside


def test_that_setting_says_nothing(timeline) -> None:
    heard = hear(timeline)
    timeline.set_range(-1.0, 30.0)
    timeline.set_time(4.0)
    timeline.set_playing(True)
    timeline.set_speed(0.1)
    timeline.set_speed(7.0)
    timeline.loop.setChecked(True)
    timeline.set_markers((Marker(1.0, "keyframe"),))
    timeline.set_playing(False)
    assert heard == []
    assert timeline.loop.isChecked()
    assert timeline.field.text() == "4.00"
    assert timeline.end_label.text() == "30.00 s"


@pytest.mark.parametrize("span", [(0.0, 0.0), (5.0, 5.0), (-3.0, -1.0), (0.0, 1e-3), (0.0, 1e5)])
def test_that_any_range_is_drawn_and_scrubbed_within(timeline, span) -> None:
    track = timeline.track
    timeline.set_range(*span)
    timeline.set_time(span[0])
    heard = hear(timeline)
    press(track, track.width() * 0.7)
    release(track, track.width() * 0.7)
    assert not picture(track).isNull()
    assert all(span[0] <= t <= span[1] for t in times(heard))


def test_that_a_time_outside_the_range_is_shown_at_its_end(timeline) -> None:
    timeline.set_time(40.0)
    assert timeline.track.x_of(40.0) == timeline.track.x_of(12.0)
    assert not picture(timeline.track).isNull()


def test_that_the_times_at_both_ends_are_whole_on_the_full_screen(timeline) -> None:
    timeline.home.resize(900, 90)
    timeline.set_number_size(30)
    timeline.set_range(6000.0, 8000.0)
    QApplication.processEvents()
    track = timeline.track
    image = track.grab(track.rect()).toImage()
    ground = QColor(image.pixel(0, image.height() - 1))
    for x in (0, image.width() - 1):
        assert all(QColor(image.pixel(x, y)) == ground for y in range(28, image.height())), x


def test_that_a_stretch_is_lit_behind_the_track_and_named(timeline) -> None:
    track = timeline.track
    dark = picture(track)
    timeline.set_stretch((3.0, 6.0))
    lit = picture(track)
    y = round(STRETCH_Y) + 2
    changed = [x for x in range(track.width()) if lit.pixel(x, y) != dark.pixel(x, y)]
    assert min(changed) == pytest.approx(track.x_of(3.0), abs=2)
    assert max(changed) == pytest.approx(track.x_of(6.0), abs=2)
    assert track.accessibleName() == "time, lit from 3.00 to 6.00 s"
    timeline.set_stretch(None)
    assert track.accessibleName() == "time"
    assert picture(track) == dark


@pytest.mark.parametrize("stretch", [(-5.0, -1.0), (20.0, 30.0)])
def test_that_a_stretch_outside_of_the_range_is_not_drawn(timeline, stretch) -> None:
    dark = picture(timeline.track)
    timeline.set_stretch(stretch)
    assert picture(timeline.track) == dark


@pytest.mark.parametrize("stretch", [(4.0, 4.0), (-5.0, 50.0)])
def test_that_a_short_and_a_long_stretch_are_seen(timeline, stretch) -> None:
    dark = picture(timeline.track)
    timeline.set_stretch(stretch)
    assert picture(timeline.track) != dark


def test_that_a_chosen_marker_is_named_before_the_stretch(timeline) -> None:
    timeline.set_markers((Marker(5.0, "warning", "late"),))
    timeline.set_stretch((3.0, 6.0))
    QTest.keyClick(timeline.track, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert timeline.track.accessibleName() == "time, late"
