"""A rotation turn by turn in the whole window, by mouse and keys: what goes on with it, and what is seen of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from framescope.app.session.scene_lookup import example_path
from framescope.core.analysis.staged_rotation import EXAMPLE
from framescope.core.scene.schema.model import NO_ITEM
from framescope.ui.dialogs.welcome import Doors
from framescope.ui.scene_view.visuals.staged_rotation import StagedTurns
from tests.support.cases import for_each
from tests.support.hands import (
    CTRL,
    LEFT,
    PLAIN,
    SHIFT,
    Key,
    drag,
    focus,
    move,
    press,
    release,
    strike,
    type_in,
    x_of,
)
from tests.support.whole_window import click, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(qtbot):
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("aircraft"))
        wiring.window.resize(1280, 800)
        QApplication.processEvents()
        wiring.session.scrub(10.0)
        strike_in(wiring, Key.Key_A, CTRL | SHIFT)
        assert wiring.staged.is_on
        yield wiring


def choose(wiring, reading: str) -> None:
    buttons = {button.text(): button for button in wiring.staged_overlay.switch.findChildren(QAbstractButton)}
    click(buttons[reading])


def progress(wiring) -> float:
    return wiring.staged.step.progress


def bare_ground(wiring) -> QPoint:
    """Return a place of the scene with nothing there."""
    view = wiring.window.scene_view
    ratio = view.devicePixelRatioF()
    for y in range(view.height() // 2, view.height() - 90, 7):
        for x in range(150, view.width() - 20, 11):
            at = QPoint(x, y)
            if not view.childAt(at) and not view.active_passive.hits(x * ratio, (view.height() - y) * ratio):
                return at
    raise AssertionError("there is something everywhere")


def test_that_the_keys_go_on_working_after_a_click_on_a_reading(wiring) -> None:
    for reading in ("Passive", "Both", "Active"):
        choose(wiring, reading)
        strike(wiring.window, Key.Key_Home)
        camera = wiring.window.scene_view.camera.state
        for key, expected in ((Key.Key_Right, 1.0), (Key.Key_Right, 2.0), (Key.Key_Left, 1.0), (Key.Key_End, 3.0)):
            strike(wiring.window, key)
            assert progress(wiring) == expected
        assert wiring.window.scene_view.camera.state == camera
    strike(wiring.window, Key.Key_Space)
    assert wiring.staged.is_playing
    strike(wiring.window, Key.Key_Escape)
    assert not wiring.staged.is_on


def test_that_a_hand_on_the_camera_is_left_alone_and_a_click_on_the_ground_ends_nothing(wiring) -> None:
    view, selected = wiring.window.scene_view, wiring.session.selection
    view.camera.orbit(0.4, 0.1)
    there = view.camera.state
    strike(wiring.window, Key.Key_Right)
    assert view.camera.state == there
    click(view, bare_ground(wiring))
    assert wiring.staged.is_on
    assert wiring.session.selection == selected
    wiring.staged.leave()
    assert view.camera.state == there
    click(view, bare_ground(wiring))
    assert wiring.session.selection == NO_ITEM


@for_each("keeps", ["angles", "orientation"])
def test_that_another_sequence_shows_that_one_turn_by_turn(wiring, keeps) -> None:
    if not wiring.staged.is_on:
        strike_in(wiring, Key.Key_A, CTRL | SHIFT)
    turns = wiring.window.inspector.orientation.parts.turns
    turns.keep.set_choice(keeps)
    before = wiring.session.document.scene
    strike(wiring.window, Key.Key_Right)
    turns.combo.setFocus()
    turns.combo.setCurrentText("ZXY")
    parts = wiring.window.inspector.orientation.parts
    if keeps == "orientation":  # expressions end with it, which is asked first
        wait_for(parts.confirm.isVisible)
        click(next(b for b in parts.confirm.findChildren(QAbstractButton) if b.text() == "Convert"))
    wait_for(lambda: wiring.staged.step is not None and wiring.staged.step.sequence == "ZXY")
    assert progress(wiring) == 1.0
    assert wiring.session.is_previewing
    assert wiring.staged_overlay.bar.chips[1].texts[0].removeprefix("about ").startswith("x′")
    assert wiring.session.document.scene is not before
    assert wiring.session.document.scene.frames["aircraft"].orientation.sequence == "ZXY"
    wiring.staged.leave()
    expected = np.degrees(wiring.session.plan.angles("aircraft", 10.0)[0])
    if keeps == "angles":
        np.testing.assert_allclose(expected, [50, 28, 40])
        strike_in(wiring, Key.Key_Z, CTRL)
        assert wiring.session.document.scene == before
    else:
        T_now = wiring.session.snapshot.T_PF[wiring.session.snapshot.index["aircraft"]]
        strike_in(wiring, Key.Key_Z, CTRL)
        T_then = wiring.session.snapshot.T_PF[wiring.session.snapshot.index["aircraft"]]
        np.testing.assert_allclose(T_now, T_then, atol=1e-9)


def test_that_a_frame_read_as_another_sequence_is_shown_in_that_one(qtbot, tmp_path) -> None:
    path = tmp_path / "quat.yaml"
    path.write_text(
        "framescope: 1\nframes:\n  quat: {parent: world, orientation: {form: quaternion, value: [1, 2, 3, 4], "
        "order: xyzw}}\n"
    )
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        scene = wiring.session.document.scene
        strike_in(wiring, Key.Key_A, CTRL | SHIFT)
        assert wiring.staged.step.sequence == "XYZ"
        wiring.window.inspector.orientation.sequence.setCurrentText("ZXZ")
        wait_for(lambda: wiring.staged.step.sequence == "ZXZ")
        assert wiring.session.document.scene is scene


def test_that_the_camera_fits_all_that_the_turns_come_to_and_goes_back(wiring) -> None:
    view, session = wiring.window.scene_view, wiring.session
    for reading, at in itertools.product(("Active", "Passive", "Both"), (0.0, 0.7, 1.6, 2.0, 3.0)):
        choose(wiring, reading)
        wiring.staged.go_to(at)
        view.active_passive.prepare()
        row = session.snapshot.index["aircraft"]
        p_W, R_WF = session.snapshot.p_WF[row], session.snapshot.R_WF[row]
        length = session.plan.view_data.triad_length[row]
        ends_W = p_W + length * np.vstack([np.eye(3), EXAMPLE]) @ R_WF.T
        for renderer in (view.renderer, view.active_passive.second):
            if renderer is not None:
                look_whether_seen(renderer.projection(), p_W, ends_W, wiring.staged_overlay)
    wiring.staged.leave()
    camera = view.camera.state
    view.camera.reset()
    assert camera == view.camera.state


def look_whether_seen(projection, p_W, ends_W, overlay) -> None:
    """Look whether the tips of a frame and its vector are between captions and bar, and large enough to be read."""
    scale = projection.scale
    ends, origin = projection.project(ends_W)[:, :2], projection.project(p_W)[:2]
    assert (ends[:, 0] > 20 * scale).all()
    assert (ends[:, 0] < projection.width - 20 * scale).all()
    from_above = (projection.height - ends[:, 1]) / scale
    captions = [caption for caption in (overlay.active, overlay.passive) if caption.isVisible()]
    assert (from_above > max(caption.geometry().bottom() for caption in captions)).all()
    assert (from_above < overlay.bar.y()).all()
    assert np.hypot(*(ends - origin).T).max() > min(projection.width, projection.height) / 7


def test_that_letters_have_a_ground_on_which_they_are_read_and_a_picture_with_no_width_has_a_bar_of_none(
    wiring,
) -> None:
    wiring.staged.go_to(1.5)
    view = wiring.window.scene_view
    view.active_passive.prepare()
    stepped = next(visual for visual in view.renderer.visuals if isinstance(visual, StagedTurns))
    assert stepped.texts
    for axis in stepped.letter_sprites:
        for sprite, text in axis.values():
            image = np.asarray(stepped.context.sheet.images[sprite])
            # The middle of its sides is ground, and the letter is on it.
            assert image[image.shape[0] // 2, [1, -2], 3].min() > 150, text
    bar = wiring.staged_overlay.bar
    for available, width in ((-2, 0), (0, 0), (40, 40)):
        bar.show_step(wiring.staged.step, available)
        assert bar.minimumWidth() == bar.maximumWidth() == width


def test_that_the_plots_show_the_turns_one_after_another_and_take_the_rotation_along(wiring) -> None:
    plots = wiring.window.plots
    before = plots.plots[0].curves
    chart = plots.turn_chart
    assert chart.isVisible()
    assert not plots.plots[0].isVisible()
    curves = chart.angles.curves
    np.testing.assert_allclose(curves.at(0.5), [25, 0, 0])
    np.testing.assert_allclose(curves.at(1.5), [50, 14, 0])
    np.testing.assert_allclose(curves.at(3.0), [50, 28, 40])
    strike(wiring.window, Key.Key_Right)
    np.testing.assert_allclose(chart.angles.values_at_cursor(), [50, 0, 0])
    row = wiring.session.snapshot.index["aircraft"]
    v_P = wiring.session.snapshot.T_PF[row].T @ EXAMPLE
    np.testing.assert_allclose(chart.vector.values_at_cursor(), v_P, atol=1e-9)
    canvas = chart.angles.canvas
    area = canvas.area
    at = QPoint(round(area.left() + area.width() * 0.5), round(area.center().y()))
    QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, at)
    assert progress(wiring) == pytest.approx(1.5, abs=0.05)
    strike(wiring.window, Key.Key_Escape)
    wait_for(lambda: not chart.isVisible())
    assert plots.plots[0].isVisible()
    np.testing.assert_allclose(plots.plots[0].curves.ys, before.ys)


def test_that_the_first_links_give_way_to_the_captions(qtbot) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("demo"))
        wiring.preferences.offer_first_steps()
        links = wiring.window.findChild(Doors)
        assert links.isVisible()
        strike_in(wiring, Key.Key_A, CTRL | SHIFT)
        assert wiring.staged.is_on
        assert not links.isVisible()


def test_that_a_click_turns_about_fixed_axes_the_other_way_round_and_both_end_in_the_same_frame(wiring) -> None:
    strike(wiring.window, Key.Key_End)
    expected = wiring.session.snapshot.R_WF[wiring.session.plan.index["aircraft"]]
    strike(wiring.window, Key.Key_Home)
    buttons = {button.text(): button for button in wiring.staged_overlay.axes.findChildren(QAbstractButton)}
    click(buttons["Fixed axes"])
    bar = wiring.staged_overlay.bar
    assert [chip.accessibleName().partition(",")[0] for chip in bar.chips] == ["about x", "about y", "about z"]
    for progress_so_far in (1.0, 2.0, 3.0):
        strike(wiring.window, Key.Key_Right)
        assert progress(wiring) == progress_so_far
    assert wiring.staged_overlay.active.sentence.text().startswith("Active: aircraft and v turn about the axes of")
    now = wiring.session.snapshot.R_WF[wiring.session.plan.index["aircraft"]]
    np.testing.assert_array_equal(now, expected)
    strike(wiring.window, Key.Key_Escape)
    strike_in(wiring, Key.Key_A, CTRL | SHIFT)  # as it was left
    assert wiring.staged.step.turn_axes == "fixed"
    click(buttons["Moving axes"])
    assert wiring.staged.step.turn_axes == "moving"
    assert bar.chips[1].accessibleName().startswith("about y′")


def steps_turn_by_turn(wiring) -> bool:
    """Strike arrows where the keyboard is, and return whether they step and the camera stands still."""
    wiring.staged.go_to(0.0)
    camera = wiring.window.scene_view.camera.state
    strike(wiring.window, Key.Key_Right)
    strike(wiring.window, Key.Key_Right)
    strike(wiring.window, Key.Key_Left)
    return progress(wiring) == 1.0 and wiring.window.scene_view.camera.state == camera


def test_that_arrows_step_on_the_full_screen_and_after_it(wiring) -> None:
    window = wiring.window
    for _ in range(2):
        strike(window, Key.Key_F11)
        wait_for(lambda: window.is_presenting and window.isFullScreen())
        assert steps_turn_by_turn(wiring)
        strike(window, Key.Key_F11)
        wait_for(lambda: not window.is_presenting and not window.isFullScreen())
        assert steps_turn_by_turn(wiring)
    strike(window, Key.Key_Escape)
    assert not wiring.staged.is_on


def test_that_arrows_step_on_the_full_screen_whatever_was_clicked_there(wiring) -> None:
    window, timeline = wiring.window, wiring.window.timeline
    window.commands.keep_plots.setChecked(True)
    strike(window, Key.Key_F11)
    wait_for(lambda: window.is_presenting and window.isFullScreen())
    plot = next(
        canvas for canvas in window.plots.findChildren(QWidget) if canvas.focusPolicy() & Qt.FocusPolicy.ClickFocus
    )
    for widget in (timeline.track, timeline.field, timeline.loop, plot):
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        time = wiring.session.playback.t
        assert steps_turn_by_turn(wiring), widget
        assert wiring.session.playback.t == time
    type_in(timeline.field, "1.5", end=None)
    wiring.staged.go_to(0.0)
    strike(window, Key.Key_Left)
    assert progress(wiring) == 0.0, "what is half typed has the arrows"
    timeline.track.setFocus(Qt.FocusReason.MouseFocusReason)
    strike(window, Key.Key_F11)
    wait_for(lambda: not window.is_presenting and not window.isFullScreen())
    timeline.track.setFocus(Qt.FocusReason.MouseFocusReason)
    wiring.staged.go_to(0.0)
    strike(window, Key.Key_Right)
    assert progress(wiring) == 0.0, "beside other panels the timeline steps the clock as ever"
    window.scene_view.setFocus()
    assert steps_turn_by_turn(wiring)


def test_that_arrows_step_after_a_dialog_and_after_a_click_into_the_scene(wiring) -> None:
    window = wiring.window
    for open_it in (window.commands.shortcuts.trigger, wiring.preferences.show_log):
        open_it()
        wait_for(lambda: QApplication.activeWindow() is not window)
        strike(QApplication.activeWindow(), Key.Key_Escape)
        wait_for(window.isActiveWindow)
        assert steps_turn_by_turn(wiring)
    click(window.scene_view, bare_ground(wiring))
    assert window.scene_view.hasFocus()
    assert steps_turn_by_turn(wiring)


def test_that_what_has_a_use_for_arrows_keeps_them_and_the_rotation_goes_on(wiring) -> None:
    """An angle slider and its number change the angle; a plot and the timeline do what they always do."""
    window, rows = wiring.window, wiring.window.inspector.orientation.rows
    wiring.staged.go_to(1.5)
    for focused in (rows[1].slider, window.timeline.track, window.plots.plots[0]):
        focus(focused)
        strike(window, Key.Key_Right)
        QApplication.processEvents()
        assert wiring.staged.is_on
        assert progress(wiring) == 1.5
    assert wiring.session.document.history.undo_label is not None


def test_that_undo_takes_back_an_angle_that_was_set_turn_by_turn_and_stays(wiring) -> None:
    window, session = wiring.window, wiring.session
    before = session.document.scene
    wiring.staged.go_to(2.0)
    type_in(window.inspector.orientation.rows[1].field, "33")
    wait_for(lambda: wiring.staged.is_on and not wiring.staged.is_aside)
    assert session.document.scene != before
    assert progress(wiring) == 2.0
    assert np.degrees(wiring.staged.step.angles[1]) == pytest.approx(33.0)
    slider = window.inspector.orientation.rows[2].slider
    drag(slider, x_of(slider, 0.0), x_of(slider, 40.0))
    wait_for(lambda: not wiring.staged.is_aside)
    assert progress(wiring) == 2.0
    dragged = session.document.scene
    for focused in (window.scene_view, wiring.staged_overlay.bar):
        focused.setFocus()
        strike(window, Key.Key_Z, CTRL)
        wait_for(lambda: not wiring.staged.is_aside)
        assert wiring.staged.is_on
    assert session.document.scene == before
    strike(window, Key.Key_Z, CTRL | SHIFT)
    strike(window, Key.Key_Z, CTRL | SHIFT)
    wait_for(lambda: not wiring.staged.is_aside)
    assert session.document.scene == dragged
    assert wiring.staged.is_on


def test_that_undo_during_a_drag_turn_by_turn_gives_the_drag_up_alone(wiring) -> None:
    session, slider = wiring.session, wiring.window.inspector.orientation.rows[1].slider
    type_in(wiring.window.inspector.orientation.rows[0].field, "12")
    wait_for(lambda: not wiring.staged.is_aside)
    before = session.document.scene
    wiring.staged.go_to(2.0)
    press(slider, x_of(slider, 10.0))
    move(slider, x_of(slider, 50.0))
    assert wiring.staged.is_aside
    strike(wiring.window, Key.Key_Z, CTRL)
    release(slider, x_of(slider, 50.0))
    wait_for(lambda: not wiring.staged.is_aside)
    assert wiring.staged.is_on
    assert progress(wiring) == 2.0
    assert session.document.scene == before
    strike(wiring.window, Key.Key_Z, CTRL)
    wait_for(lambda: not wiring.staged.is_aside)
    assert session.document.scene != before
