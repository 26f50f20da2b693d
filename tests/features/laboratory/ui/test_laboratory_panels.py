"""The laboratories' panels by mouse and keyboard, without a session: what they ask for, and what they show."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.features.laboratory.core.convergence_order import study_order
from framescope.features.laboratory.core.drift import DriftSettings, run_drift
from framescope.features.laboratory.core.rate_presets import LaboratoryError, OfFrame, RatePreset, Steady, make_rate
from framescope.features.laboratory.ui import DriftPanel, GimbalPanel
from framescope.features.laboratory.ui.axis_scales import AxisScale, even_axis, log_axis
from framescope.features.laboratory.ui.gimbal_words import verdict_past
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT
from framescope.ui.widgets.angle_unit import DEG
from tests.support.hands import CTRL, LEFT, PLAIN, Key, drag, focus, picture, strike, type_in
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  arm: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["40*t", "30*t", 10], unit: deg}}
  keyed: {parent: world, motion: {form: keyframes, keys: [
    {time: 0 s}, {time: 4 s, orientation: {form: axis, axis: x, angle: 50, unit: deg}}]}}
"""


@pytest.fixture(scope="module")
def plan():
    return compile_plan(scene_of(SCENE))


def shown_in_window(panel, qtbot, width: int, height: int, header=()):
    window = QWidget()
    qtbot.addWidget(window)
    column, row = QVBoxLayout(window), QHBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    for button in header:
        row.addWidget(button)
    column.addLayout(row)
    column.addWidget(panel, 1)
    window.resize(width, height)
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def drift(qtbot, dark, plan):
    """Give the panel with an owner that runs on the spot what it wants."""
    panel = DriftPanel()
    window = shown_in_window(panel, qtbot, 980, 290, panel.header_widgets())
    panel.wishes, panel.committed, panel.speech, panel.saves = [], [], [], []
    rates, studies = {}, {}

    def line_of(request) -> object:
        return request.choice, replace(request.settings, step=1.0)

    def serve(request) -> None:
        panel.wishes.append(request)
        try:
            rate = rates.setdefault(request.choice, make_rate(request.choice, plan))
            panel.show_run(request, run_drift(rate, request.settings), studies.get(line_of(request)))
        except LaboratoryError as error:
            panel.show_refusal(request, error.message, error.hint)

    def study() -> None:
        rate = make_rate(panel.rows[0].run.choice, plan)
        studies[line_of(panel.request)] = found = study_order(rate, panel.request.settings)
        panel.show_study(panel.request, found)

    panel.study = study
    panel.requested.connect(serve)
    panel.edits.items_committed.connect(panel.committed.append)
    panel.status.connect(lambda kind, text: panel.speech.append((kind, text)))
    panel.save_requested.connect(panel.saves.append)
    panel.set_plan(plan)
    panel.set_frame("arm")
    serve(panel.request)
    yield panel
    window.close()
    if current_theme.current() is not DARK:
        current_theme.apply_theme(QApplication.instance(), DARK)


@pytest.fixture
def gimbal(qtbot, dark, plan):
    panel = GimbalPanel()
    window = shown_in_window(panel, qtbot, 380, 940)
    panel.previews, panel.ends = [], []
    panel.edits.previewed.connect(lambda edit, pauses: panel.previews.append((edit, pauses)))
    panel.edits.cancelled.connect(lambda: panel.ends.append(True))
    panel.set_plan(plan)
    panel.set_frame("arm")
    panel.show_snapshot(evaluate(plan, 1.0))
    yield panel
    window.close()


def pick(combo, text: str) -> None:
    """Choose from a list by keyboard, as a hand does: Home, then down to it."""
    focus(combo)
    QTest.keyClick(combo, Key.Key_Home)
    for _ in range(combo.findText(text)):
        QTest.keyClick(combo, Key.Key_Down)
    assert combo.currentText() == text


def click(widget, x: int | None = None) -> None:
    at = widget.rect().center() if x is None else QPoint(x, widget.height() // 2)
    QTest.mouseClick(widget, LEFT, PLAIN, at)


def cells(table, row: int) -> list[str]:
    return [table.item(row, column).text() for column in range(table.columnCount())]


# --- Drift


def test_that_every_choice_is_run_at_once(drift) -> None:
    pick(drift.choices.equation, "matrix")
    assert drift.wishes[-1].settings == DriftSettings("matrix", "rk4", 0.02, 0)
    pick(drift.choices.method, "explicit Euler")
    type_in(drift.choices.step, "50")
    pick(drift.choices.renormalise, "each step")
    assert drift.wishes[-1].settings == DriftSettings("matrix", "euler", 0.05, 1)
    pick(drift.choices.renormalise, "every few steps")
    type_in(drift.choices.every, "25")
    assert drift.wishes[-1].settings.every == 25
    pick(drift.choices.rate, "of the selected frame")
    assert drift.wishes[-1].choice == OfFrame("arm")
    assert drift.request == drift.wishes[-1]


def test_that_a_drag_on_the_step_runs_all_the_way_and_keeps_the_curves_honest(drift) -> None:
    slider, before = drift.choices.slider, len(drift.wishes)
    drag(slider, slider.knob_x(), slider.width() - 12)
    steps = [request.settings.step for request in drift.wishes[before:]]
    assert len(steps) > 3
    assert steps == sorted(steps)
    assert steps[-1] > 0.5
    assert drift.rows[0].run.settings.step == steps[-1] == drift.choices.settings.step
    assert drift.choices.step.value == pytest.approx(1e3 * steps[-1])


def test_that_a_constant_rate_is_typed_in_the_unit_that_is_shown(drift) -> None:
    pick(drift.choices.rate, "constant")
    type_in(drift.choices.components[2], "90,5")
    assert drift.wishes[-1].choice.w[2] == pytest.approx(math.radians(90.5))
    drift.set_angle_unit("rad")
    assert drift.choices.components[2].value == pytest.approx(math.radians(90.5))
    type_in(drift.choices.components[0], "-0.25")
    assert drift.wishes[-1].choice == Steady((-0.25, math.radians(10.0), math.radians(90.5)))


def test_that_angles_have_two_methods_and_nothing_to_renormalise(drift) -> None:
    pick(drift.choices.method, "Magnus 6")
    pick(drift.choices.renormalise, "each step")
    pick(drift.choices.equation, "angles ZYX")
    assert [drift.choices.method.itemText(i) for i in range(drift.choices.method.count())] == ["explicit Euler", "RK4"]
    assert drift.wishes[-1].settings == DriftSettings("ZYX", "rk4", 0.02, 0)
    assert not drift.choices.renormalise.isEnabled()
    assert "no residue" in drift.residue.note


def test_that_runs_are_overlaid_hidden_and_taken_away(drift) -> None:
    click(drift.keep_button)
    pick(drift.choices.method, "explicit Euler")
    click(drift.keep_button)
    pick(drift.choices.method, "Magnus 4")
    assert [row.run.settings.method for row in drift.rows] == ["magnus-4", "rk4", "euler"]
    assert len({row.color for row in drift.rows}) == 3
    assert len(drift.error.canvas.lines) == 3
    focus(drift.table)
    drift.table.setCurrentCell(1, 0)
    strike(drift.table, Key.Key_Space)
    assert [row.is_shown for row in drift.rows] == [True, False, True]
    assert len(drift.error.canvas.lines) == 2
    strike(drift.table, Key.Key_Delete)
    assert [row.run.settings.method for row in drift.rows] == ["magnus-4", "euler"]
    drift.table.setCurrentCell(0, 0)
    strike(drift.table, Key.Key_Delete)
    assert len(drift.rows) == 2  # the present run stays
    click(drift.table.cellWidget(1, 9))
    assert len(drift.rows) == 1


def test_that_the_plots_show_error_residue_and_order(drift) -> None:
    assert drift.orders.value.text() == "…"
    drift.study()
    run, study = drift.rows[0].run, drift.rows[0].study
    (line,) = drift.error.canvas.lines
    np.testing.assert_allclose(line.y[5:], np.degrees(run.error[5:]))
    assert drift.error.canvas.axes[1].is_log
    assert drift.orders.value.text() == f"order {study.fit.order:.2f}" == "order 3.98"
    assert "3.98" in drift.orders.accessibleDescription()
    drift.set_angle_unit("rad")
    np.testing.assert_allclose(drift.error.canvas.lines[0].y[5:], run.error[5:])
    assert drift.error.unit.text() == "rad"
    assert drift.table.horizontalHeaderItem(6).text() == "error rad"


def test_that_no_order_is_said_with_its_reason(drift) -> None:
    pick(drift.choices.rate, "constant")
    pick(drift.choices.method, "exponential")
    drift.study()
    assert drift.orders.value.text() == "no straight part"
    assert "rounding" in drift.orders.accessibleDescription()
    assert cells(drift.table, 0)[8] == "–"


def test_that_the_cursor_is_at_the_time_and_a_hand_in_the_plot_takes_it_along(drift, plan, qtbot) -> None:
    drift.show_snapshot(evaluate(plan, 2.0))
    run = drift.rows[0].run
    error = math.degrees(float(np.interp(2.0, run.t, run.error)))
    assert float(drift.error.value.text().replace("−", "-")) == pytest.approx(error, rel=0.01)
    heard = []
    drift.scrubbed.connect(heard.append)
    drift.scrub_finished.connect(lambda: heard.append("end"))
    canvas = drift.error.canvas
    at = QPoint(round(canvas.pixel_of(3.0)), round(canvas.area.center().y()))
    QTest.mousePress(canvas.viewport(), LEFT, PLAIN, at)
    QTest.mouseRelease(canvas.viewport(), LEFT, PLAIN, at)
    assert heard[0] == pytest.approx(3.0, abs=0.05)
    assert heard[-1] == "end"


def test_that_a_click_on_a_step_in_the_plot_takes_it(drift) -> None:
    drift.study()
    canvas = drift.orders.canvas
    at = QPoint(round(canvas.pixel_of(0.1)), round(canvas.area.center().y()))
    QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, at)
    assert drift.choices.settings.step == pytest.approx(0.1, rel=0.1)
    assert drift.wishes[-1].settings.step == drift.choices.settings.step


def test_that_the_table_is_copied_and_saved_at_full_precision(drift) -> None:
    drift.study()
    click(drift.keep_button)
    pick(drift.choices.rate, "constant")
    focus(drift.table)
    strike(drift.table, Key.Key_C, CTRL)
    copied = QApplication.clipboard().text()
    drift.save_button.click()
    rows = list(csv.DictReader(drift.saves[-1].splitlines()))
    assert [row["rate"] for row in rows] == ["constant", "tumbling"]
    assert float(rows[1]["error at the end [rad]"]) == drift.rows[1].run.end_error
    assert float(rows[1]["order"]) == drift.rows[1].study.fit.order
    assert copied.replace("\t", ",") == drift.saves[-1]


def test_that_a_run_is_put_into_the_scene_or_the_reason_stands_below_the_choices(drift, plan) -> None:
    pick(drift.choices.rate, "of the selected frame")
    click(drift.put_button)
    (edit,) = drift.committed
    assert edit.keys[0][1] in edit.apply(plan.scene).frames
    pick(drift.choices.equation, "angles ZYX")
    click(drift.put_button)
    assert len(drift.committed) == 1
    assert "angles ZYX" in drift.refusal.text()
    assert drift.refusal.isVisible()
    pick(drift.choices.equation, "matrix")
    assert not drift.refusal.text()


def test_that_what_cannot_be_run_is_not_put_into_the_scene_and_the_reason_stays(drift) -> None:
    why = "500000 steps are more than 100000."
    drift.show_refusal(drift.request, why, "Use a longer step.")
    click(drift.put_button)
    assert drift.committed == []
    assert drift.refusal.text().startswith(why)
    type_in(drift.choices.step, "10")
    click(drift.put_button)
    assert len(drift.committed) == 1


def test_that_a_refusal_and_an_empty_selection_are_said(drift) -> None:
    type_in(drift.choices.step, "0,00001")
    assert "steps are more than" in drift.refusal.text()
    assert not drift.rows
    assert "line at the left" in drift.error.note
    assert not drift.keep_button.isEnabled()
    assert float(drift.choices.step.text().replace("−", "-")) == 1e-5
    type_in(drift.choices.step, "20")
    assert drift.rows
    assert not drift.refusal.text()
    pick(drift.choices.rate, "of the selected frame")
    drift.set_frame("")
    assert "Select a frame" in drift.error.note
    assert drift.choices.frame_name.text() == "none is selected"


def test_that_kept_runs_stay_kept_when_the_present_one_is_refused(drift) -> None:
    click(drift.keep_button)
    assert [cells(drift.table, i)[0] for i in range(2)] == ["now", "1"]
    assert drift.table.cellWidget(0, 9) is None
    type_in(drift.choices.step, "0.00001")
    assert [cells(drift.table, i)[0] for i in range(drift.table.rowCount())] == ["1"]
    click(drift.table.cellWidget(0, 9))
    assert drift.rows == ()


def test_that_an_old_answer_is_not_shown(drift, plan) -> None:
    old = drift.request
    run = drift.rows[0].run
    pick(drift.choices.method, "Magnus 6")
    drift.show_run(old, run)
    assert drift.rows[0].run.settings.method == "magnus-6"


def test_that_tab_goes_through_the_choices_and_everything_has_a_name(drift) -> None:
    focus(drift.choices.rate)
    seen = []
    for _ in range(8):
        seen.append(QApplication.focusWidget().accessibleName())
        strike(drift, Key.Key_Tab)
    assert seen[:6] == ["rate", "equation", "method", "step in milliseconds", "step", "re-normalise"]
    assert "Keep this run" in seen


# --- Gimbal


def test_that_the_sequence_is_that_of_the_frame_until_one_is_chosen(gimbal) -> None:
    assert gimbal.sequence.currentText() == "XYZ" == gimbal.along.sequence
    pick(gimbal.sequence, "ZXZ")
    gimbal.set_frame("keyed")
    gimbal.set_frame("arm")
    assert gimbal.along.sequence == "ZXZ"


def test_that_the_miss_distance_decides_how_fast_angles_turn(gimbal) -> None:
    assert "57 times as fast as the body" in gimbal.verdict.text()
    type_in(gimbal.miss, "2,5")
    assert f"{1 / math.sin(math.radians(2.5)):.0f} times" in gimbal.verdict.text()
    type_in(gimbal.speed, "20")
    assert re.search(r"459\s°/s for its 20\s°/s", gimbal.verdict.text())
    assert gimbal.plots.rates.value.text() == "at most 22.9 × the body’s"
    drag(gimbal.miss_slider, gimbal.miss_slider.knob_x(), 0)
    assert gimbal.miss_angle == 0.0
    assert "Straight through" in gimbal.verdict.text()
    assert gimbal.miss.value == 0.0


def test_that_a_miss_that_cannot_be_is_said_where_it_arose(gimbal) -> None:
    type_in(gimbal.miss, "95")
    assert "less than 90°" in gimbal.refusal.text()
    assert gimbal.refusal.isVisible()
    type_in(gimbal.miss, "5")
    assert not gimbal.refusal.text()


def test_that_the_branches_are_drawn_one_strong_and_two_faint(gimbal) -> None:
    for name, angles in (("branch 1", "first"), ("branch 2", "second"), ("continuous", "continuous")):
        click(gimbal.branch.buttons[name])
        strong = [line for line in gimbal.plots.angles.canvas.lines if not line.is_faint]
        assert len(strong) == 3
        assert len(gimbal.plots.angles.canvas.lines) == 9
        np.testing.assert_allclose(strong[1].y, np.degrees(getattr(gimbal.along, angles)[:, 1]))
    type_in(gimbal.miss, "0")
    assert gimbal.plots.jumps.text() == "no jump"
    click(gimbal.branch.buttons["branch 1"])
    assert gimbal.plots.jumps.text() == "1 jump"


def test_that_the_place_moves_rings_and_cursors(gimbal) -> None:
    type_in(gimbal.place, "12")
    i = int(np.argmin(np.abs(gimbal.along.path.x - math.radians(12.0))))
    np.testing.assert_allclose(gimbal.rings.angles, gimbal.along.continuous[i], atol=0.02)
    canvas = gimbal.plots.rates.canvas
    at = QPoint(round(canvas.pixel_of(-30.0)), round(canvas.area.center().y()))
    QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, at)
    assert gimbal.place.value == pytest.approx(-30.0, abs=0.5)
    before = picture(gimbal.rings)
    type_in(gimbal.place, "40")
    assert picture(gimbal.rings) != before


def test_that_the_path_is_shown_in_the_scene_as_a_preview_only(gimbal, plan) -> None:
    click(gimbal.preview_button)
    edit, pauses = gimbal.previews[-1]
    assert not pauses
    shown = compile_plan(edit.apply(plan.scene))
    np.testing.assert_allclose(shown.angles("arm", 0.0)[0], gimbal.rings.angles, atol=1e-9)
    type_in(gimbal.place, "-5")
    assert len(gimbal.previews) > 1
    assert not gimbal.ends
    click(gimbal.preview_button)
    assert gimbal.ends == [True]
    click(gimbal.preview_button)
    gimbal.set_frame("keyed")
    assert len(gimbal.ends) == 2
    assert not gimbal.preview_button.isEnabled()
    assert "keyframes" in gimbal.preview_button.toolTip()


def test_that_a_hidden_panel_takes_its_preview_along(gimbal) -> None:
    click(gimbal.preview_button)
    gimbal.hide()
    assert gimbal.ends == [True]


def test_that_the_own_motion_of_a_frame_has_its_words_and_its_time(gimbal, plan) -> None:
    click(gimbal.kind.buttons["own motion"])
    assert "t = 3.00 s" in gimbal.verdict.text()  # angle 2 is 90 degrees there
    gimbal.show_snapshot(evaluate(plan, 2.3))
    condition = (1.0 + math.sin(math.radians(69.0))) / math.cos(math.radians(69.0))
    assert gimbal.plots.condition.value.text().startswith(f"{condition:.2f},")
    heard = []
    gimbal.scrubbed.connect(heard.append)
    canvas = gimbal.plots.condition.canvas
    QTest.mouseClick(
        canvas.viewport(), LEFT, PLAIN, QPoint(round(canvas.pixel_of(1.5)), round(canvas.area.center().y()))
    )
    assert heard[0] == pytest.approx(1.5, abs=0.05)
    assert not gimbal.miss.isVisible()
    gimbal.set_frame("")
    assert gimbal.empty.isVisible()
    assert not gimbal.plots.isVisible()


def test_that_angles_follow_the_unit_that_is_shown(gimbal) -> None:
    gimbal.set_angle_unit("rad")
    assert gimbal.miss.value == pytest.approx(math.radians(1.0))
    assert "rad/s" in gimbal.verdict.text()
    assert gimbal.plots.angles.unit.text() == "rad"
    type_in(gimbal.miss, "0.1")
    assert gimbal.miss_angle == pytest.approx(0.1)
    type_in(gimbal.miss, "2deg")
    assert gimbal.miss_angle == pytest.approx(math.radians(2.0))


@pytest.mark.parametrize("name", ["drift", "gimbal"])
def test_that_panels_change_with_the_theme(request, qapp, name) -> None:
    panel = request.getfixturevalue(name)
    current_theme.apply_theme(qapp, LIGHT)
    try:
        QApplication.processEvents()
        image = picture(panel)
        ground = image.pixelColor(2, 2)
        assert ground.name().upper() == LIGHT.panel
    finally:
        current_theme.apply_theme(qapp, DARK)


# --- Axes and words


def test_that_logarithmic_axes_hold_what_is_positive_and_tick_in_decades() -> None:
    axis = log_axis([np.array([0.0, np.nan, 1e-12, 1e-3])])
    assert axis.low < 1e-12
    assert axis.high > 1e-3
    texts = [text for _, text in axis.ticks(5)]
    assert texts == ["10⁻¹²", "10⁻⁹", "10⁻⁶", "0.001"]
    assert [text for _, text in AxisScale(0.008, 0.6, is_log=True).ticks(8)] == [
        "0.01",
        "0.02",
        "0.05",
        "0.1",
        "0.2",
        "0.5",
    ]
    assert log_axis([]).is_log
    assert even_axis([np.array([3.0, 3.0])]).low < 3.0


def test_that_errors_that_only_begin_to_grow_do_not_take_the_axis() -> None:
    y = np.concatenate([[1e-16, 1e-16], np.full(98, 1e-3)])
    assert log_axis([y], skipped=0.03).low > 1e-5 > log_axis([y]).low


def test_that_a_path_far_from_the_lock_is_told_with_one_digit() -> None:
    from framescope.features.laboratory.core.gimbal import along_path, path_past_lock

    miss = math.radians(20.0)
    text = verdict_past(along_path("ZYX", path_past_lock("ZYX", miss, 1.0)), miss, DEG)
    assert "2.9 times as fast" in text


def test_that_presets_are_offered_by_their_names(drift) -> None:
    pick(drift.choices.rate, "coning")
    assert drift.wishes[-1].choice == RatePreset("coning")
    assert drift.choices.rate.focusPolicy() & Qt.FocusPolicy.TabFocus
