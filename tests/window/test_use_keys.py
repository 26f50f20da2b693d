"""The keys that a person tries first, wherever the keyboard is: Space plays, by real events in the whole window."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.ui.help.manual_viewer import ManualViewer
from tests.support.cases import for_each
from tests.support.hands import CTRL, Key, focus, roll, show, strike, type_in
from tests.support.questions import hit
from tests.support.scenes import GOOD
from tests.support.whole_window import ALT, click, click_item, leave, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def good(shared_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return shared_window(path)


def toggles_play(wiring, widget, modifiers=None) -> bool:
    """Return whether Space, struck while a widget has the keyboard, plays, and struck again pauses there."""
    session, keys = wiring.session, () if modifiers is None else (modifiers,)
    session.pause()
    session.scrub(1.0)
    session.end_scrub()
    found = []
    for _ in range(2):
        strike(widget, Key.Key_Space, *keys)
        found.append((session.playback.is_playing, session.playback.t >= 1.0))
    return found == [(True, True), (False, True)]


def test_that_space_pauses_a_window_that_has_just_started_and_stays_where_it_is(qtbot) -> None:
    opening, opened = startup.make_opening(find_scene("demo")), []
    opening.show(opened.append)
    show(opening.window, qtbot)
    qtbot.waitUntil(lambda: bool(opened))
    (wiring,) = opened
    try:
        assert wiring.window.scene_view.hasFocus()
        assert toggles_play(wiring, wiring.window)
    finally:
        leave(wiring)


def test_that_space_plays_wherever_it_is_of_no_other_use(good) -> None:
    window = good.window
    window.show_dock("problems")
    widgets = {
        "outline": window.outline.tree,
        "track": window.timeline.track,
        "slider": window.inspector.orientation.rows[0].slider,
        "plot": window.plots.plots[0],
        "problems": window.problems,
        "scene": window.scene_view,
    }
    failed = []
    for name, widget in widgets.items():
        widget.setFocus()
        if not toggles_play(good, widget):
            failed.append(name)
    assert failed == []


def test_that_space_plays_from_a_panel_that_is_a_window_of_its_own(good) -> None:
    dock = good.window.outline.parentWidget()
    dock.setFloating(True)
    dock.activateWindow()
    wait_for(dock.isActiveWindow)
    failed = []
    for name, widget in (("outline", good.window.outline.tree), ("nothing", None)):
        dock.focusWidget().clearFocus() if widget is None else widget.setFocus()
        if not toggles_play(good, dock):
            failed.append(name)
    assert failed == []


def test_that_the_keys_in_the_tips_of_the_step_buttons_step_from_the_scene_and_from_the_timeline(good) -> None:
    session, timeline = good.session, good.window.timeline
    session.pause()
    session.scrub(1.0)
    session.end_scrub()
    keys = {",": Key.Key_Comma, ".": Key.Key_Period}
    steps = ((timeline.step_forward_button, 1), (timeline.step_back_button, -1))
    for focused in (good.window.scene_view, timeline.track):
        for button, sign in steps:
            key = keys[button.toolTip().partition("(")[2].rstrip(")")]
            before = session.playback.t
            focus(focused)
            strike(focused, key)
            assert sign * (session.playback.t - before) > 0.0, (focused, key)


def test_that_space_after_a_typed_number_plays_and_within_one_is_typed(good) -> None:
    session, field = good.session, good.window.inspector.orientation.rows[0].field
    type_in(field, "12")
    assert toggles_play(good, field)
    assert field.text() == "12.00"
    type_in(field, "0.5 rad")
    assert session.document.scene.frames["ring"].orientation.angles[0] == pytest.approx(28.64788976)
    assert not session.playback.is_playing


def test_that_space_presses_the_button_that_tab_has_come_to(good) -> None:
    session = good.session
    session.scrub(1.0)
    session.end_scrub()
    focus(good.window.timeline.start_button)
    strike_in(good, Key.Key_Space)
    assert session.playback.t == 0.0
    assert not session.playback.is_playing


def test_that_the_scene_has_the_keyboard_when_what_had_it_is_hidden(good) -> None:
    window = good.window
    click_item(good, ("frames", "ring"))
    focus(window.outline.tree)
    window.toggle_dock("outline")
    assert window.scene_view.hasFocus()
    assert toggles_play(good, window)


def test_that_space_plays_after_the_button_that_asked_for_a_curve_has_gone(open_window, tmp_path) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text("framescope: 1\nframes:\n  arm: {parent: world}\n")
    wiring = open_window(path)
    window = wiring.window
    button = next(b for b in window.plots.findChildren(QPushButton) if b.isVisible())
    focus(button)
    click(button)
    assert window.question.what.line.hasFocus()
    QTest.qWait(100)  # until the list has opened
    hit(Key.Key_Return)
    wait_for(lambda: not button.isVisible())
    assert len(wiring.session.plan.scene.view.plots) == 1
    assert toggles_play(wiring, QApplication.focusWidget())


@for_each("modifiers", [None, CTRL])
def test_that_space_plays_from_the_manual(good, modifiers) -> None:
    good.preferences.show_manual("lessons.md")
    manual = next(w for w in QApplication.allWidgets() if isinstance(w, ManualViewer))
    manual.window().activateWindow()
    wait_for(manual.window().isActiveWindow)
    failed = []
    for name, widget in (("page", manual.browser), ("contents", manual.contents)):
        widget.setFocus()
        if not toggles_play(good, manual, modifiers):
            failed.append(name)
    assert failed == []
    if modifiers is None:
        click(manual.search)
        type_in(manual.search, "gimbal lock", None)
        assert manual.search.text() == "gimbal lock"
        assert not good.session.playback.is_playing
    manual.close()


# --- Tab from value to value


SHORT = """\
framescope: 1
frames:
  body:
    parent: world
    position: {value: [1, 2, 3], unit: m}
    orientation: {form: axes, sequence: XYZ, angles: [10, 20, "30*sin(t)"], unit: deg}
"""


@pytest.fixture
def short(open_window, tmp_path):
    path = tmp_path / "short.yaml"
    path.write_text(SHORT)
    return open_window(path)


@for_each("preset", [Key.Key_1, Key.Key_2])
def test_that_three_angles_are_filled_by_typing_and_tab_alone(short, preset) -> None:
    before = short.session.document.scene
    strike_in(short, preset, ALT)
    panel = short.window.inspector.orientation
    focus(panel.rows[0].field)
    for sign in ("0", "Tab", "0", "Tab", "90", "Tab"):
        if sign == "Tab":
            strike(short.window, Key.Key_Tab)
        else:
            QTest.keyClicks(QApplication.focusWidget(), sign)
    assert [row.value_deg for row in panel.rows] == pytest.approx([0.0, 0.0, 90.0])
    assert short.session.document.scene.frames["body"].orientation.angles == (0.0, 0.0, "30*sin(t) + 90")
    strike(short.window, Key.Key_Backtab)
    assert panel.rows[2].field.hasFocus()
    while short.session.document.scene is not before:
        short.session.undo()


# --- A wheel that passes


def test_that_a_wheel_over_a_slider_or_field_scrolls_and_changes_one_only_that_has_the_keyboard(
    short, quick_wheel
) -> None:
    session, window = short.session, short.window
    window.resize(1000, 600)
    window.scene_view.setFocus()
    before, row = session.document.scene, window.inspector.orientation.rows[1]
    bar = window.inspector.page.verticalScrollBar()
    wait_for(lambda: bar.maximum() > 0)
    places = (
        row.slider,
        row.field,
        window.inspector.orientation.sequence,
        window.inspector.orientation.parts.turns.rates[0],
    )
    for widget in places:
        bar.setValue(0)
        roll(widget, -1)
        assert bar.value() > 0, widget
        assert session.plan.scene is before, widget
    speed = window.timeline.findChild(QComboBox)
    roll(speed, -1)
    assert session.playback.speed == 1.0
    roll(window.timeline.field, -1)
    assert session.playback.t == 0.0
    for half in (row.slider, row.field):
        bar.setValue(0)
        half.setFocus()
        roll(half, 1)
        wait_for(lambda: not row.is_busy)
        assert bar.value() == 0
    assert session.document.scene.frames["body"].orientation.angles[1] == 22.0
