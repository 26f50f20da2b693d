"""The real window, driven by real mouse and key events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from framescope.app.session.scene_lookup import example_path, find_scene
from framescope.core.scene.files.loading import load_scene
from framescope.ui.panels.outline import SEVERITY_ROLE
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.cases import for_each
from tests.support.scenes import GOOD, PROBLEMS, UNREADABLE
from tests.support.whole_window import wait_until_saved

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def demo(shared_window):
    return shared_window(find_scene("demo"))


@pytest.fixture
def good(shared_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return shared_window(path)


def drag(widget, start: QPointF, by_x: float) -> None:
    """Drag with the left button, in steps as a hand does."""
    QTest.mousePress(widget, LEFT, pos=start.toPoint())
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.mouseMove(widget, (start + QPointF(share * by_x, 0)).toPoint())
    QTest.mouseRelease(widget, LEFT, pos=(start + QPointF(by_x, 0)).toPoint())


def knob(slider) -> QPointF:
    return QPointF(slider.knob_x(), slider.height() / 2)


def test_that_everything_fits_at_1280_by_800(demo) -> None:
    window = demo.window
    assert (window.width(), window.height()) == (1280, 800)
    panels = (window.outline, window.inspector, window.question, window.timeline, window.plots, window.scene_view)
    for widget in panels:
        assert widget.isVisible()
        corner = widget.mapTo(window, QPoint(widget.width(), widget.height()))
        assert corner.x() <= window.width()
        assert corner.y() <= window.height()
    assert window.scene_view.width() >= 700
    assert len(window.plots.plots) == 2


def test_that_dragging_a_slider_pauses_adds_a_constant_and_is_one_step_of_undo(demo, qtbot) -> None:
    session, row = demo.session, demo.window.inspector.orientation.rows[0]
    session.scrub(2.0)
    session.end_scrub()
    session.toggle_play()
    before = session.document.scene
    QTest.mousePress(row.slider, LEFT, pos=knob(row.slider).toPoint())
    QTest.mouseMove(row.slider, (knob(row.slider) + QPointF(12, 0)).toPoint())
    assert not session.playback.is_playing
    assert session.document.scene is before
    preview = session.plan.scene.frames["inner ring"].orientation.angles[0]
    assert preview.startswith("0.85*sin(0.5*t) + ")
    QTest.mouseRelease(row.slider, LEFT, pos=knob(row.slider).toPoint())
    assert session.playback.is_playing
    kept = session.document.scene.frames["inner ring"].orientation.angles
    assert kept[0].startswith("0.85*sin(0.5*t) + ")
    assert kept[1:] == before.frames["inner ring"].orientation.angles[1:]
    session.pause()
    QTest.keyClick(demo.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document.scene is before
    assert not session.document.is_dirty
    QTest.keyClick(demo.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert session.document.scene.frames["inner ring"].orientation.angles == kept


def test_that_a_double_click_takes_the_constant_off_again(demo) -> None:
    session, row = demo.session, demo.window.inspector.orientation.rows[1]
    before = session.document.scene
    drag(row.slider, knob(row.slider), 15)
    assert session.document.scene != before
    QTest.mouseDClick(row.slider, LEFT, pos=knob(row.slider).toPoint())
    assert session.document.scene == before


def test_that_the_slider_shows_the_angle_that_was_dragged_and_the_scene_turns_by_it(good) -> None:
    session, row = good.session, good.window.inspector.orientation.rows[0]
    R_before = session.snapshot.T_PF[session.snapshot.index["ring"]].copy()
    drag(row.slider, knob(row.slider), 20)
    angle = session.document.scene.frames["ring"].orientation.angles[0]
    assert angle == pytest.approx(row.value_deg, abs=1e-5)
    assert angle > 20.0
    T = session.snapshot.T_PF[session.snapshot.index["ring"]]
    turned = np.arccos((np.trace(R_before.T @ T) - 1.0) / 2.0)
    assert np.degrees(turned) == pytest.approx(angle - 10.0, abs=1e-4)


def test_that_escape_gives_a_drag_up(good) -> None:
    session, row = good.session, good.window.inspector.orientation.rows[2]
    before = session.document.scene
    QTest.mousePress(row.slider, LEFT, pos=knob(row.slider).toPoint())
    QTest.mouseMove(row.slider, (knob(row.slider) + QPointF(25, 0)).toPoint())
    assert session.plan.scene != before
    QTest.keyClick(row.slider, Qt.Key.Key_Escape)
    assert session.plan.scene == before
    assert session.document.history.undo_label is None
    assert row.value_deg == pytest.approx(-20.0)


def test_that_a_typed_angle_is_taken_and_a_bad_one_is_marked_in_place(good) -> None:
    session, row = good.session, good.window.inspector.orientation.rows[0]
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "pi/6")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert session.document.scene.frames["ring"].orientation.angles[0] == pytest.approx(30.0)
    row.field.selectAll()
    QTest.keyClicks(row.field, "pi/0")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert row.field.property("invalid")
    assert session.document.scene.frames["ring"].orientation.angles[0] == pytest.approx(30.0)


def test_that_another_sequence_turns_about_other_axes(good) -> None:
    session, combo = good.session, good.window.inspector.orientation.sequence
    combo.setFocus()
    while combo.currentText() != "ZXZ":
        QTest.keyClick(combo, Qt.Key.Key_Down)
        assert session.document.scene.frames["ring"].orientation.sequence == combo.currentText()
    assert session.document.scene.frames["ring"].orientation.angles == (10.0, "5*t", -20.0)


def test_that_the_timeline_plays_pauses_scrubs_and_loops(good, qtbot) -> None:
    session, timeline = good.session, good.window.timeline
    session.scrub(9.9)
    session.end_scrub()
    QTest.keyClick(good.window, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert session.playback.is_playing
    qtbot.waitUntil(lambda: session.playback.t < 5.0, timeout=5000)
    timeline.setFocus()
    QTest.keyClick(timeline, Qt.Key.Key_Space)
    assert not session.playback.is_playing
    QTest.keyClick(timeline, Qt.Key.Key_Home)
    assert session.playback.t == 0.0
    QTest.keyClick(timeline, Qt.Key.Key_End)
    assert session.playback.t == 10.0
    assert float(session.snapshot.t) == 10.0


def test_that_the_outline_selects_and_the_inspector_follows(demo) -> None:
    window, session = demo.window, demo.session
    session.select(("frames", "camera"))
    orientation = window.inspector.orientation
    assert orientation.isVisible()
    assert orientation.rows[0].slider.focusPolicy() == Qt.FocusPolicy.NoFocus
    tree = window.outline.tree
    index = tree.indexAt(tree.visualRect(window.outline.tree.index_of(("bodies", "disc"))).center())
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())
    assert session.selection == ("bodies", "disc")
    assert session.selected_frame() == "rotor"


@pytest.mark.parametrize("fault", PROBLEMS)
def test_that_a_scene_with_a_problem_opens_with_the_rest_drawn_and_the_problem_listed(
    open_window, tmp_path, fault
) -> None:
    text, where, _, _ = PROBLEMS[fault]
    (tmp_path / "walk.txt").write_text("")
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    wiring = open_window(path)
    assert not wiring.window.problems.visibleRegion().isEmpty()  # a dock behind another is "visible" too
    listed = wiring.window.problems.problems
    assert any(problem.where == where and problem.severity != "note" for problem in listed)
    assert wiring.session.snapshot.is_posed[wiring.session.snapshot.index["stand"]]
    assert wiring.session.document.path == path


@for_each("fault", UNREADABLE)
def test_that_an_unreadable_file_leaves_the_open_scene_and_says_why(good, tmp_path, fault) -> None:
    text, message, _ = UNREADABLE[fault]
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    before = good.session.document.scene
    good.open(path)
    assert good.session.document.scene is before
    assert any(message in str(problem) for problem in good.reports.report.list.problems)
    assert "broken.yaml is not opened" in good.window.status.message


def test_that_a_saved_scene_reads_back_and_the_mark_of_changes_goes(good, tmp_path) -> None:
    row = good.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 20)
    assert good.window.isWindowModified()
    QTest.keyClick(good.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    wait_until_saved(good)
    assert not good.window.isWindowModified()
    assert load_scene(tmp_path / "good.yaml").scene == good.session.document.scene


def test_that_shortcuts_reach_the_window_from_a_field(open_window, qtbot) -> None:
    window, asked = open_window(find_scene("demo")).window, []
    for action in (window.commands.examples, window.commands.search):
        action.triggered.disconnect()
        action.triggered.connect(lambda: asked.append(True))
    field = window.timeline.field
    QTest.mouseClick(field, LEFT, pos=field.rect().center())
    qtbot.waitUntil(field.hasFocus)
    for key in (Qt.Key.Key_E, Qt.Key.Key_K):
        QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    assert len(asked) == 2
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() != "7", "what is being typed is undone in the field"


def test_that_both_usual_keys_redo(good) -> None:
    row = good.window.inspector.orientation.rows[0]
    before = good.session.document.scene
    drag(row.slider, knob(row.slider), 20)
    after = good.session.document.scene
    for modifiers, key in (
        (Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Y),
        (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_Z),
    ):
        QTest.keyClick(good.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert good.session.document.scene == before
        QTest.keyClick(good.window, key, modifiers)
        assert good.session.document.scene == after


def test_that_an_example_is_never_written_over(demo, tmp_path, monkeypatch) -> None:
    text = example_path("demo").read_text()
    target = tmp_path / "mine.yaml"
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName",
        lambda *args, **kwargs: (str(target), ""),
    )
    row = demo.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 20)
    assert demo.files.save_and_wait()
    assert example_path("demo").read_text() == text
    assert load_scene(target).scene == demo.session.document.scene
    assert {problem.severity for problem in demo.session.problems} <= {"note"}


def test_that_a_failed_save_says_so_and_loses_nothing(good, tmp_path) -> None:
    row = good.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 20)
    assert not good.session.save(tmp_path / "no such folder" / "x.yaml")
    assert "is not saved" in good.window.status.message
    assert good.session.document.is_dirty


def test_that_the_theme_can_be_switched_while_it_runs(demo) -> None:
    demo.window.commands.theme.trigger()
    assert current_theme.current() is LIGHT
    demo.window.commands.theme.trigger()
    assert current_theme.current() is DARK


def test_that_plots_follow_an_edit_and_their_cursor_the_clock(demo, qtbot) -> None:
    session, plot = demo.session, demo.window.plots.plots[0]
    before = plot.curves.ys.copy()
    row = demo.window.inspector.orientation.rows[1]
    drag(row.slider, knob(row.slider), 30)
    qtbot.waitUntil(lambda: plot.curves.ys.shape == before.shape)
    assert not session.is_previewing
    assert plot.curves.ys.shape == before.shape
    assert not np.array_equal(plot.curves.ys, before)
    session.scrub(7.0)
    w = plot.curves.at(7.0)
    snapshot = session.snapshot
    expected = np.degrees(snapshot.w_PF_F[snapshot.index["inner ring"]])
    np.testing.assert_allclose(w, expected, atol=0.05)


def test_that_a_click_in_the_scene_selects_a_frame(demo) -> None:
    QApplication.processEvents()
    demo.session.select(("", ""))
    view = demo.window.scene_view
    QTest.mouseClick(view, LEFT, pos=view.position_of("camera").toPoint())
    assert demo.session.selection == ("frames", "camera")


def wheel(widget, steps: int) -> None:
    """Turn the wheel over a widget; the gesture settles by itself a moment later."""
    at = QPointF(widget.rect().center())
    event = QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def test_that_selecting_another_frame_ends_a_gesture_as_it_stands(demo) -> None:
    session, row = demo.session, demo.window.inspector.orientation.rows[0]
    session.toggle_play()
    row.slider.setFocus()
    wheel(row.slider, 3)
    assert session.is_previewing
    session.select(("frames", "camera"))
    assert not session.is_previewing
    assert session.playback.is_playing
    assert session.document.history.undo_label.startswith("Moved inner ring")
    assert session.plan.scene == session.document.scene


def test_that_opening_another_file_ends_a_gesture_first_and_asks(demo, tmp_path, monkeypatch) -> None:
    asked = []
    answer = QMessageBox.StandardButton.Discard
    monkeypatch.setattr(
        "framescope.app.controllers.file_controller.QMessageBox.question", lambda *args: asked.append(args) or answer
    )
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    demo.window.inspector.orientation.rows[0].slider.setFocus()
    wheel(demo.window.inspector.orientation.rows[0].slider, 2)
    demo.open(path)
    assert len(asked) == 1
    assert demo.session.document.path == path
    assert not demo.session.is_previewing


def test_that_closing_right_after_a_wheel_step_asks_about_it(demo, monkeypatch) -> None:
    asked = []
    answer = QMessageBox.StandardButton.Cancel
    monkeypatch.setattr(
        "framescope.app.controllers.file_controller.QMessageBox.question", lambda *args: asked.append(args) or answer
    )
    demo.window.inspector.orientation.rows[0].slider.setFocus()
    wheel(demo.window.inspector.orientation.rows[0].slider, 2)
    demo.window.close()
    assert len(asked) == 1
    assert demo.window.isVisible()


def test_that_undo_during_a_gesture_takes_only_the_gesture_back(demo) -> None:
    session, row = demo.session, demo.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 10)
    kept = session.document.scene
    row.slider.setFocus()
    wheel(row.slider, 2)
    demo.window.commands.undo.trigger()
    assert session.document.scene is kept
    assert session.plan.scene == kept
    assert session.document.history.undo_label is not None


def test_that_a_hand_that_pauses_during_a_gesture_is_not_overruled(demo) -> None:
    session, row = demo.session, demo.window.inspector.orientation.rows[0]
    session.toggle_play()
    row.slider.setFocus()
    wheel(row.slider, 2)
    session.toggle_play()
    session.toggle_play()
    row.finish()
    assert not session.playback.is_playing


def test_that_an_angle_without_a_value_cannot_be_turned(open_window, tmp_path) -> None:
    path = tmp_path / "log.yaml"
    path.write_text(GOOD.replace('angles: [10, "5*t", -20]', 'angles: ["log(t - 5)", 0, 0]'))
    wiring = open_window(path)
    row = wiring.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 30)
    assert wiring.session.document.history.undo_label is None
    (problem,) = wiring.session.plan.problems
    assert problem.where == "frames.ring.orientation"
    assert "no value at t = 0 s" in problem.message
    wiring.session.scrub(8.0)
    drag(row.slider, knob(row.slider), 10)
    assert "log(t - 5) + " in wiring.session.document.scene.frames["ring"].orientation.angles[0]


def test_that_the_status_tells_of_problems_right_from_the_start(open_window, tmp_path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(PROBLEMS["unknown parent"][0])
    assert open_window(path).window.status.message == "Opened bad.yaml: 1 problem, see the list"


def test_that_faults_of_a_file_that_was_not_opened_do_not_mark_the_open_scene(good, tmp_path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(GOOD.replace("sequence:", "sequnce:"))
    good.open(path)
    assert good.window.outline.tree.index_of(("frames", "ring")).data(SEVERITY_ROLE) is None
    row = good.window.inspector.orientation.rows[0]
    drag(row.slider, knob(row.slider), 20)
    assert good.window.problems.problems == ()


def test_that_a_closed_instrument_gives_its_room_back(demo, qtbot) -> None:
    window = demo.window
    docks = window.docks
    height, width = docks["plots"].height(), docks["readouts"].width()
    for name in ("drift", "gimbal"):
        window.toggle_dock(name)
        qtbot.waitUntil(lambda name=name: not docks[name].visibleRegion().isEmpty())
        qtbot.waitUntil(lambda name=name: docks[name].width() >= docks[name].minimumSizeHint().width())
        QTest.qWait(50)
        docks[name].close()
        qtbot.waitUntil(lambda: abs(docks["plots"].height() - height) < 2)
        qtbot.waitUntil(lambda: abs(docks["readouts"].width() - width) < 2)
