"""The chart of a hand in the window: it comes with a drag beside the plots, stays to be kept and shared, and goes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from framescope.app import startup
from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import find_scene
from framescope.core.scene.edits.plots import add_plot
from tests.support.hands import CTRL, LEFT, PLAIN, Key, drag, focus, move, press, release, roll, show, strike, type_in
from tests.support.whole_window import answering, click, name_file, wait_for


@pytest.fixture
def demo(qtbot, dark):
    """Open the window on the demo, with the first slider dragged and let go."""
    wiring = startup.make_window(find_scene("demo"))
    window = wiring.window
    show(window, qtbot)
    swing(wiring)
    yield wiring
    wiring.session.document = Document(wiring.session.document.scene)  # nothing unsaved to ask about
    window.close()
    window.deleteLater()


def swing(wiring) -> None:
    slider, plots = wiring.window.inspector.orientation.rows[0].slider, wiring.window.plots
    drag(slider, slider.width() / 2, slider.width() / 2 + 24, steps=3)
    assert not plots.is_covered
    assert plots.drag_button.isVisible()
    QTest.mouseClick(plots.drag_button, LEFT, PLAIN)
    assert plots.is_drag_shown


def play_by_key(wiring) -> None:
    strike(wiring.window, Key.Key_Space, CTRL)


def play_by_the_scene(wiring) -> None:
    focus(wiring.window.scene_view)
    strike(wiring.window, Key.Key_Space)


def scrub(wiring) -> None:
    drag(wiring.window.timeline.track, 60, 120)


def select_another(wiring) -> None:
    strike_in_outline(wiring, Key.Key_Down)


def undo(wiring) -> None:
    strike(wiring.window, Key.Key_Z, CTRL)


def escape(wiring) -> None:
    strike(wiring.window, Key.Key_Escape)


def escape_in_the_scene(wiring) -> None:
    focus(wiring.window.scene_view)
    strike(wiring.window, Key.Key_Escape)


def strike_in_outline(wiring, key) -> None:
    tree = wiring.window.outline.tree
    tree.setFocus(Qt.FocusReason.TabFocusReason)
    strike(wiring.window, key)


ACTS = (play_by_key, play_by_the_scene, scrub, select_another, undo, escape, escape_in_the_scene)


def test_that_the_chart_gives_way_when_a_person_turns_to_something_else(demo) -> None:
    window = demo.window
    for act in ACTS:
        swing(demo)
        act(demo)
        assert not window.plots.is_drag_shown, act.__name__
        assert window.plots.plots[0].isVisible(), act.__name__
        demo.session.pause()
        demo.session.select(("frames", "inner ring"))


def test_that_the_chart_stays_when_the_clock_goes_on_by_itself(demo) -> None:
    play_by_key(demo)
    swing(demo)
    assert demo.session.playback.is_playing
    QTest.mouseClick(demo.window.plots.strip.keep, LEFT, PLAIN)
    assert demo.session.document.scene.frames["inner ring"].motion is not None


def test_that_a_drag_that_is_given_up_leaves_no_chart(demo) -> None:
    escape(demo)
    slider = demo.window.inspector.orientation.rows[0].slider
    press(slider, slider.width() / 2)
    for by in (10, 20, 30):
        move(slider, slider.width() / 2 + by)
    assert not demo.window.plots.strip.isVisible()
    strike(demo.window, Key.Key_Escape)
    assert not demo.window.plots.drag_button.isVisible()
    assert demo.window.plots.plots[0].isVisible()


def test_that_a_plot_that_is_new_beside_the_chart_has_its_curves_and_cursor_at_once(demo) -> None:
    session, plots = demo.session, demo.window.plots
    session.pause()
    before = list(plots.plots)
    session.commit(add_plot(session.plan.scene.view.plots[0]))
    assert plots.is_drag_shown
    (new,) = set(plots.plots) - set(before)
    wait_for(lambda: new.curves is not None)
    assert new.values_at_cursor() is not None
    assert all(plot.visibleRegion().isEmpty() is False for plot in (before[0], plots.strip))


def test_that_a_drag_that_is_kept_is_shared_as_a_page(demo, tmp_path) -> None:
    plots, page = demo.window.plots, tmp_path / "mine.html"
    click(plots.strip.keep)
    assert not plots.strip.keep.isVisible()
    assert [rings.sequence for rings in demo.session.plan.view_data.rings] == ["XYZ"], "its rings stay"
    with answering(name_file(page)):
        click(plots.strip.share)
    wait_for(lambda: not demo.exports.is_running, for_s=60.0)
    text = page.read_text("utf-8")
    assert '"chosen":"inner ring"' in text, "the frame that is selected in the window"
    assert "<script" in text
    assert "Exported mine.html" in demo.window.status.message


def test_that_typed_stepped_and_dragged_values_leave_the_plots_where_they_follow(demo, quick_wheel) -> None:
    escape(demo)
    demo.session.pause()
    plots, row = demo.window.plots, demo.window.inspector.orientation.rows[0]
    plot = plots.plots[1]

    def type_it() -> None:
        type_in(row.field, "12")

    def type_a_quaternion() -> None:
        type_in(demo.window.inspector.orientation.parts.quaternion.editor.fields[3], "0.9")

    def step() -> None:
        focus(row.field)
        strike(demo.window, Key.Key_Up)

    def turn_the_wheel() -> None:
        focus(row.slider)
        roll(row.slider, 2)

    for act in (type_it, type_a_quaternion, step, turn_the_wheel):
        before = plot.curves
        act()
        assert not plots.is_covered, act.__name__
        assert not plots.drag_button.isVisible(), act.__name__
        wait_for(lambda: not demo.session.is_previewing)
        if act is not type_a_quaternion:
            assert plot.curves is not before, act.__name__
    press(row.slider, row.slider.knob_x())
    seen = []
    for by in (10, 20, 30):
        before = plot.curves
        move(row.slider, row.slider.width() / 2 + by)
        wait_for(lambda before=before: plot.curves is not before)  # they follow the picture
        seen.append(plot.curves)
        assert plots.plots[0].isVisible()
    assert len({id(curves) for curves in seen}) == 3
    release(row.slider, row.slider.width() / 2 + 30)
    assert plots.drag_button.isVisible()
    strike(demo.window, Key.Key_Z, CTRL)
    assert not plots.drag_button.isVisible()
