"""Plots in use: zoom and pan, legend, menu, signals that are dropped and chosen, files, and the hand's chart."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QImage, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton

from framescope.core.analysis.drag_motion import drag_velocity
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.plots import add_plot
from framescope.core.scene.schema.view import Plot
from framescope.core.transformation_matrices import axis_rotation
from framescope.ui.plots import export, strip_chart
from framescope.ui.plots.export import PlotPicture, write_plot
from framescope.ui.plots.plot_content import NOT_SIMULATED, SIMULATING, plot_contents
from framescope.ui.plots.plot_panel import PlotPanel
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.widgets.signal_mime import MIME, mime_for_item, mime_of, pill, plots_of
from tests.support.grown_scenes import PLATE
from tests.support.hands import CTRL, LEFT, PLAIN, RIGHT, SHIFT, Key, focus, hear, strike
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
time: {start: 0 s, end: 10 s}
frames:
  arm: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["90*t", "20*sin(t)", 0], unit: deg}}
  <b>tip: {parent: arm, position: {value: [1, "0.2*t", 0], unit: m}}
view:
  plots:
    - {signal: angles, of: arm, relative_to: world, sequence: XYZ, unit: deg}
    - {signal: velocity, of: <b>tip, relative_to: world, resolved_in: world, unit: m/s}
"""
MOVE, ALT_BUTTON = Qt.DropAction.CopyAction, Qt.MouseButton.MiddleButton


@pytest.fixture
def plan():
    plan = compile_plan(scene_of(SCENE))
    assert plan.problems == ()
    return plan


@pytest.fixture
def panel(qapp, qtbot, plan):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    panel = PlotPanel()
    qtbot.addWidget(panel)
    panel.resize(1000, 240)
    show(panel, plan)
    panel.show()
    with qtbot.waitExposed(panel):
        pass
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    QApplication.processEvents()
    return panel


def show(panel, plan) -> None:
    panel.set_plan(plan)
    panel.set_plots(plot_contents(plan, 201), (plan.start, plan.end))
    panel.set_cursor(5.0)


def place(plot, t: float, y: float = 0.0) -> QPoint:
    """Return where a time stands, in pixels of the viewport."""
    canvas = plot.canvas
    return canvas.mapFromScene(canvas.box.mapViewToScene(QPointF(t, y)))


def turn_wheel(plot, t: float, notches: int, modifiers=PLAIN) -> None:
    at = QPointF(place(plot, t))
    view = plot.canvas.viewport()
    event = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def pull(plot, start: QPoint, end: QPoint, button) -> None:
    view = plot.canvas.viewport()
    QTest.mousePress(view, button, PLAIN, start)
    for i in range(1, 6):
        QTest.mouseMove(view, start + (end - start) * i / 5)
    QTest.mouseRelease(view, button, PLAIN, end)


def edits(panel) -> list[Edit]:
    return [values[0] for name, *values in hear_of(panel) if name == "committed"]


def hear_of(panel) -> list:
    return panel.heard


@pytest.fixture(autouse=True)
def ear(request):
    if "panel" in request.fixturenames:
        panel = request.getfixturevalue("panel")
        panel.heard = hear(panel)


def menu_of(panel) -> QMenu:
    return next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())


def texts(menu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def do(menu, *path: str) -> None:
    """Choose an entry of a menu and of its submenus, and close it."""
    found = menu
    for step in path:
        action = next(action for action in found.actions() if action.text().split("\t")[0] == step)
        found = action.menu() or found
    assert action.isEnabled()
    action.trigger()
    menu.close()


# --- Looking closer


def test_that_the_wheel_zooms_at_the_pointer_in_all_plots(panel) -> None:
    first, second = panel.plots
    at = place(first, 2.0)
    turn_wheel(first, 2.0, 3)
    assert first.canvas.t_view == second.canvas.t_view == panel.t_view
    start, end = panel.t_view
    assert end - start == pytest.approx(10.0 * 0.8**3)
    assert abs(place(first, 2.0).x() - at.x()) <= 1
    turn_wheel(second, 2.0, -3)
    assert panel.t_view is None


def test_that_the_wheel_with_ctrl_zooms_the_values_of_one_plot_alone(panel) -> None:
    first, second = panel.plots
    low, high = first.canvas.ranges[1]
    other = second.canvas.ranges
    turn_wheel(first, 2.0, 2, CTRL)
    zoomed = first.canvas.ranges[1]
    assert zoomed[1] - zoomed[0] == pytest.approx(0.64 * (high - low))
    assert second.canvas.ranges == other
    assert panel.t_view is None


@pytest.mark.parametrize("button", [RIGHT, ALT_BUTTON])
def test_that_the_other_buttons_pan_within_the_whole(panel, button) -> None:
    plot = panel.plots[0]
    turn_wheel(plot, 5.0, 4)
    start, end = panel.t_view
    middle = place(plot, 5.0)
    pull(plot, middle, middle + QPoint(40, 0), button)
    per_pixel = (end - start) / plot.canvas.area.width()
    assert panel.t_view[0] == pytest.approx(start - 40 * per_pixel, abs=2 * per_pixel)
    pull(plot, middle, middle + QPoint(4000, 0), button)
    assert panel.t_view[0] == 0.0
    assert not any(menu.isVisible() for menu in panel.findChildren(QMenu))


def test_that_a_double_click_shows_everything(panel) -> None:
    plot = panel.plots[0]
    turn_wheel(plot, 5.0, 4)
    turn_wheel(plot, 5.0, 2, CTRL)
    QTest.mouseDClick(plot.canvas.viewport(), LEFT, PLAIN, place(plot, 5.0))
    assert panel.t_view is None
    assert plot.canvas.ranges[0] == (0.0, 10.0)
    assert plot.canvas.ranges[1][1] > 800


def test_that_the_keyboard_zooms_at_the_cursor_and_pans(panel) -> None:
    plot = panel.plots[0]
    focus(plot)
    strike(plot, Key.Key_Plus)
    start, end = panel.t_view
    assert end - start == pytest.approx(6.4)
    strike(plot, Key.Key_Right, SHIFT)
    assert panel.t_view[0] == pytest.approx(start + 0.64)
    strike(plot, Key.Key_Plus, CTRL)
    assert plot.canvas.ranges[1][1] < 800
    strike(plot, Key.Key_0)
    assert panel.t_view is None


def test_that_a_zoom_stays_when_the_curves_change_and_is_told_once_it_rests(panel, plan, qtbot) -> None:
    plot = panel.plots[0]
    with qtbot.waitSignal(panel.view_settled) as told:
        turn_wheel(plot, 2.0, 1)
        turn_wheel(plot, 2.0, 1)
    assert told.args == [panel.t_view]
    view = panel.t_view
    panel.set_plots(plot_contents(plan, 201, view), (0.0, 10.0))
    assert panel.t_view == plot.canvas.t_view == view
    is_within = (plot.curves.t >= view[0]) & (plot.curves.t <= view[1])
    assert is_within.sum() > 201


def test_that_the_time_is_still_taken_along_by_the_left_button(panel) -> None:
    plot = panel.plots[1]
    turn_wheel(plot, 5.0, 3)
    said = []
    panel.scrubbed.connect(said.append)
    QTest.mouseClick(plot.canvas.viewport(), LEFT, PLAIN, place(plot, 6.0))
    assert said == [pytest.approx(6.0, abs=0.05)]


# --- Legend and menu


def test_that_a_click_in_the_legend_hides_a_curve_and_shows_it_again(panel, plan) -> None:
    plot = panel.plots[0]
    QApplication.processEvents()
    whole = plot.canvas.ranges[1]
    at = plot.header.entry_areas()[0].center().toPoint()
    QTest.mouseClick(plot.header, LEFT, PLAIN, at)
    assert plot.hidden == {0}
    assert not plot.canvas.curve_items[0].isVisible()
    # What is left takes the room.
    assert plot.canvas.ranges[1][1] < whole[1] / 10
    show(panel, plan)
    assert plot.hidden == {0}
    QTest.mouseClick(plot.header, LEFT, PLAIN, plot.header.entry_areas()[0].center().toPoint())
    assert plot.hidden == frozenset()
    assert plot.canvas.ranges[1] == whole


def test_that_what_is_hidden_is_not_carried_over_to_another_plot(panel, plan) -> None:
    panel.plots[0].toggle_curve(0)
    residues = Plot(signal="residues", of="arm")
    show(panel, compile_plan(add_plot(residues, 0).apply(plan.scene)))
    assert [plot.hidden for plot in panel.plots] == [frozenset()] * 3


def test_that_the_menu_opens_by_button_by_right_click_and_by_key(panel) -> None:
    plot = panel.plots[0]
    QTest.mouseClick(plot.header.menu_button, LEFT)
    by_button = texts(menu_of(panel))
    menu_of(panel).close()
    QTest.mouseClick(plot.canvas.viewport(), RIGHT, PLAIN, place(plot, 5.0))
    assert texts(menu_of(panel)) == by_button
    menu_of(panel).close()
    focus(plot.header.menu_button)
    strike(plot, Key.Key_Space)
    assert texts(menu_of(panel)) == by_button
    assert {"Ask for another curve…", "Unit", "Split into plots", "Remove plot", "Export"} <= set(by_button)
    menu_of(panel).close()


def test_that_the_menu_makes_edits(panel, plan) -> None:
    plot = panel.plots[0]
    for path in (
        ("α x", "Unwrap: continue past half a turn"),
        ("β y′", "Remove"),
        ("Unit", "turn"),
        ("Split into plots",),
    ):
        plot.ask_menu()
        do(menu_of(panel), *path)
    plot.ask_menu()
    do(menu_of(panel), "Move to the right")
    plot.ask_menu()
    do(menu_of(panel), "Remove plot")
    scenes = [edit.apply(plan.scene) for edit in edits(panel)]
    assert scenes[0].view.plots[0].wrapped == ("angle 1",)
    assert scenes[1].view.plots[0].components == ("angle 1", "angle 3")
    assert scenes[2].view.plots[0].unit == "turn"
    assert len(scenes[3].view.plots) == 4
    assert [each.signal for each in scenes[4].view.plots] == ["velocity", "angles"]
    assert [each.signal for each in scenes[5].view.plots] == ["velocity"]
    assert [edit.label for edit in edits(panel)][:2] == ["Wrapped α x into half a turn", "Removed β y′ from a plot"]


def test_that_values_are_copied_at_full_precision(panel) -> None:
    plot = panel.plots[0]
    focus(plot)
    strike(plot, Key.Key_C, CTRL)
    rows = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    assert [name for name, _ in rows] == ["t [s]", "α x [°]", "β y′ [°]", "γ z″ [°]"]
    assert float(rows[2][1]) == plot.values_at_cursor()[1]


def test_that_a_wrapped_angle_has_a_gap_where_it_jumps(plan) -> None:
    text = SCENE.replace("sequence: XYZ, unit: deg}\n    -", "sequence: XYZ, unit: deg, wrapped: [angle 1]}\n    -")
    (angles, _) = plot_contents(compile_plan(scene_of(text)), 401)
    assert np.nanmax(np.abs(angles.ys[0])) <= 180.0 + 1e-9
    assert np.isnan(angles.ys[0]).sum() == 2
    assert np.isfinite(angles.ys[1:]).all()


# --- Signals that are carried


def test_that_a_carried_signal_comes_through_and_nothing_else_does(plan) -> None:
    plots = plan.scene.view.plots
    data = mime_of(plots)
    assert plots_of(data) == plots
    assert data.text().splitlines()[0] == "angles of arm relative to world by XYZ in deg"
    for hostile in (b"", b"{", b"[1]", b'[{"signal": "rm -rf"}]', json.dumps([{"signal": "energy", "x": 1}]).encode(),
                    b"[" * 100_000, b'[{"signal": "energy"}]' + b" " * 70_000, b'{"signal": "energy"}'):  # fmt: skip
        bad = QMimeData()
        bad.setData(MIME, hostile)
        assert plots_of(bad) == ()
    assert plots_of(QMimeData()) == ()


def test_that_items_carry_their_signals(plan) -> None:
    scene = plan.scene
    assert plots_of(mime_for_item(scene, ("frames", "arm")))[0].signal == "angular velocity"
    assert mime_for_item(scene, ("frames", "world")) is None
    assert mime_for_item(scene, ("", "")) is None


def test_that_what_is_carried_has_a_picture_of_its_name(qapp) -> None:
    small, large = pill("ω"), pill("|ω| camera in world")
    assert large.width() > small.width() > 0


def carry(panel, at: QPoint, data, drops: bool = True) -> bool:
    """Move what is carried over a place and let go there; return whether it was taken."""
    enter = QDragEnterEvent(at, MOVE, data, LEFT, PLAIN)
    QApplication.sendEvent(panel, enter)
    QApplication.sendEvent(panel, QDragMoveEvent(at, MOVE, data, LEFT, PLAIN))
    if drops and enter.isAccepted():
        QApplication.sendEvent(panel, QDropEvent(QPointF(at), MOVE, data, LEFT, PLAIN))
    return enter.isAccepted()


def middle_of(panel, plot) -> QPoint:
    return plot.mapTo(panel, plot.rect().center())


def test_that_a_dropped_item_joins_with_the_signal_that_fits(panel, plan) -> None:
    carry(panel, middle_of(panel, panel.plots[1]), mime_for_item(plan.scene, ("frames", "arm")))
    (edit,) = edits(panel)
    (added,) = edit.apply(plan.scene).view.plots[1].also
    assert (added.signal, added.of, added.unit) == ("velocity", "arm", "m/s")


def test_that_a_signal_of_another_unit_gets_a_plot_beside(panel, plan) -> None:
    rate = mime_of([Plot(signal="residues", of="arm")])
    carry(panel, middle_of(panel, panel.plots[0]), rate, drops=False)
    assert "its own plot" in panel.drop_hint.text
    carry(panel, middle_of(panel, panel.plots[0]), rate)
    assert [each.signal for each in edits(panel)[0].apply(plan.scene).view.plots] == ["angles", "residues", "velocity"]


@pytest.mark.parametrize(("where", "at"), [("between", 1), ("end", 2)])
def test_that_between_two_plots_and_at_the_end_there_is_a_new_one(panel, plan, where, at) -> None:
    second = panel.plots[1].mapTo(panel, QPoint(0, 0)).x()
    place = QPoint(second + 3, 100) if where == "between" else QPoint(panel.width() - 10, 100)
    carry(panel, place, mime_for_item(plan.scene, ("frames", "arm")))
    plots = edits(panel)[0].apply(plan.scene).view.plots
    assert [each.signal for each in plots].index("angular velocity") == at


def test_that_the_hint_frames_the_plot_while_something_is_held_over_it(panel, plan) -> None:
    data = mime_for_item(plan.scene, ("frames", "arm"))
    plot = panel.plots[0]
    carry(panel, middle_of(panel, plot), data, drops=False)
    assert panel.drop_hint.isVisible()
    assert panel.drop_hint.text == "angles arm in world joins this plot; between two plots: a new one"
    frame = panel.drop_hint.geometry()
    assert frame.topLeft() == plot.mapTo(panel, plot.curve_area().topLeft())
    QApplication.sendEvent(panel, QDragLeaveEvent())
    assert not panel.drop_hint.isVisible()
    assert edits(panel) == []


def test_that_files_and_texts_are_not_taken(panel) -> None:
    data = QMimeData()
    data.setText("velocity of arm")
    assert not carry(panel, QPoint(100, 100), data)
    assert edits(panel) == []


def test_that_an_empty_panel_takes_a_signal_and_has_a_button(panel, plan) -> None:
    bare = compile_plan(scene_of(SCENE.partition("view:")[0]))
    show(panel, bare)
    assert [plot.curves for plot in panel.plots] == [None]
    carry(panel, QPoint(300, 100), mime_for_item(bare.scene, ("frames", "arm")))
    assert len(edits(panel)[0].apply(bare.scene).view.plots) == 1
    assert "Ask a question and press curve" in panel.plots[0].empty_state.findChildren(QLabel)[-1].text()
    (button,) = panel.plots[0].empty_state.findChildren(QPushButton)
    assert button.text() == "Ask"
    wanted: list[int | None] = []
    panel.signal_wanted.connect(wanted.append)
    QTest.mouseClick(button, LEFT)
    assert wanted == [None]


def test_that_a_thirteenth_plot_is_refused_with_a_reason(panel, plan, qtbot) -> None:
    many = SCENE + "    - {signal: residues, of: arm}\n" * 10
    show(panel, compile_plan(scene_of(many)))
    with qtbot.waitSignal(panel.status) as told:
        carry(
            panel, QPoint(panel.width() - 10, 100), mime_of([Plot(signal="quaternion", of="arm", relative_to="world")])
        )
    assert told.args == ["amber", "A scene has at most 12 plots. Remove one first"]
    assert edits(panel) == []


# --- What the question bar adds


def test_that_a_signal_is_asked_for_by_keyboard_and_gets_a_plot(panel, plan) -> None:
    wanted: list[int | None] = []
    panel.signal_wanted.connect(wanted.append)
    focus(panel.add_button)
    strike(panel, Key.Key_Space)
    assert wanted == [None]
    signal = Plot(signal="position", of="<b>tip", relative_to="world", resolved_in="arm", unit="mm")
    panel.add_signal(signal)
    assert edits(panel)[0].apply(plan.scene).view.plots[-1] == signal


def test_that_what_the_menu_of_a_plot_asks_for_joins_it_where_it_can(panel, plan) -> None:
    wanted: list[int | None] = []
    panel.signal_wanted.connect(wanted.append)
    panel.plots[1].ask_menu()
    do(menu_of(panel), "Ask for another curve…")
    assert wanted == [1]
    panel.add_signal(Plot(signal="velocity", of="arm", relative_to="world", resolved_in="world", unit="m/s"), 1)
    assert len(edits(panel)[0].apply(plan.scene).view.plots[1].also) == 1
    panel.add_signal(Plot(signal="residues", of="arm"), 0)
    assert [plot.signal for plot in edits(panel)[1].apply(plan.scene).view.plots] == ["angles", "residues", "velocity"]


# --- What cannot be shown


def test_that_a_plot_with_a_fault_says_so_in_its_place(panel) -> None:
    plan = compile_plan(scene_of(SCENE.replace("{signal: angles, of: arm", "{signal: angles, of: amr")))
    show(panel, plan)
    first, second = panel.plots
    assert first.note == 'There is no frame "amr". Did you mean "arm"?'
    assert first.note_label.isVisible()
    panel.set_cursor(0.5)
    assert not first.canvas.cursor_item.isVisible()  # it would cross the sentence out
    assert second.canvas.cursor_item.isVisible()
    assert (second.note, second.curves.i_plot) == ("", 1)
    first.ask_menu()
    do(menu_of(panel), "Remove plot")
    assert [each.signal for each in edits(panel)[0].apply(plan.scene).view.plots] == ["velocity"]


def test_that_plots_say_that_they_wait_for_a_simulation() -> None:
    waiting = compile_plan(scene_of(PLATE), run=lambda _job: None)
    notes = {curves.title: curves.note for curves in plot_contents(waiting, 10)}
    assert notes["Energy"] == notes["Position"] == notes["Measured position"] == SIMULATING
    assert notes["Quaternion"] == ""
    assert plot_contents(waiting, 10, is_simulating=False)[0].note == NOT_SIMULATED


# --- Files


def picture_of(plot) -> PlotPicture:
    return PlotPicture(plot.curves, *plot.canvas.ranges, plot.hidden)


def test_that_the_menu_asks_for_a_file(panel, qtbot) -> None:
    turn_wheel(panel.plots[0], 2.0, 2)
    panel.plots[0].ask_menu()
    with qtbot.waitSignal(panel.export_requested) as asked:
        do(menu_of(panel), "Export", "SVG…")
    picture, name = asked.args
    assert (picture.t_range, picture.name, name) == (panel.t_view, "angles", "svg")


def test_that_a_table_has_the_numbers_in_view(panel, plan, tmp_path) -> None:
    turn_wheel(panel.plots[0], 2.0, 3)
    write_plot(tmp_path / "a.csv", picture_of(panel.plots[0]), plan)
    with (tmp_path / "a.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert len(head) == 4
    t, first, *_ = np.array(rows, dtype=float).T
    assert panel.t_view[0] <= t[0] < t[-1] <= panel.t_view[1]
    np.testing.assert_allclose(first, 90.0 * t, atol=1e-9)


def test_that_a_picture_has_the_curves_in_the_colours_of_the_theme(panel, plan, tmp_path) -> None:
    path = tmp_path / "a.png"
    write_plot(path, picture_of(panel.plots[0]), plan)
    image = QImage(str(path))
    assert image.size() == export.SIZE * export.SCALE
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
    found = {f"#{value & 0xFFFFFF:06X}" for value in np.unique(pixels).tolist()}
    assert {DARK.axis_x, DARK.plot_ground, DARK.panel} <= found


def test_that_a_drawing_is_read_by_others_and_has_its_words_and_lines(panel, plan, tmp_path) -> None:
    path = tmp_path / "a.svg"
    panel.plots[1].toggle_curve(2)
    write_plot(path, picture_of(panel.plots[1]), plan)
    root = ET.parse(path).getroot()
    words = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Velocity", "vx", "vy"} <= words
    assert "vz" not in words
    assert not list(root.iter("{http://www.w3.org/2000/svg}image"))
    drawn = path.read_text()
    assert DARK.axis_y.lower() in drawn.lower()
    assert QSvgRenderer(str(path)).isValid()


def test_that_a_folder_that_is_not_there_is_said(panel, plan, tmp_path) -> None:
    with pytest.raises(export.PlotFileError, match="cannot be written"):
        write_plot(tmp_path / "no" / "a.png", picture_of(panel.plots[0]), plan)


# --- The hand


def test_that_the_strip_shows_what_the_hand_does_and_stays_until_it_is_dismissed(panel, qtbot) -> None:
    panel.begin_drag("arm")
    assert panel.strip.isVisible()
    assert not panel.strip.keep.isVisible()
    for t in np.linspace(100.0, 115.0, 400):
        panel.strip.add(t, axis_rotation(3, 0.5 * (t - 100.0)))
    panel.end_drag()
    curves = panel.strip.velocity.curves
    assert (curves.t[0], curves.t[-1]) == (pytest.approx(-10.0, abs=0.05), 0.0)
    np.testing.assert_allclose(curves.ys[2], np.degrees(0.5), rtol=1e-6)
    assert panel.plots[0].isVisible(), "the chart is beside the plots"
    with qtbot.waitSignal(panel.keep_drag_requested):
        QTest.mouseClick(panel.strip.keep, LEFT)
    assert panel.strip.isVisible()
    assert len(panel.strip.record) == 400
    panel.show_kept_drag()
    assert not panel.strip.keep.isVisible()
    assert not panel.strip.share.isVisible(), "nothing could make a page"
    panel.offer_sharing()
    panel.show_kept_drag()
    with qtbot.waitSignal(panel.share_requested):
        QTest.mouseClick(panel.strip.share, LEFT)
    focus(panel.strip.share)
    strike(panel, Key.Key_Escape)
    assert not panel.strip.isVisible()
    assert panel.plots[0].isVisible()


def test_that_the_chart_of_a_hand_appends_what_has_come_rather_than_compute_all_of_it_anew(panel, monkeypatch) -> None:
    computed = []

    def counted(times, T):
        computed.append(len(times))
        return drag_velocity(times, T)

    monkeypatch.setattr(strip_chart, "drag_velocity", counted)
    panel.begin_drag("arm")
    times = np.linspace(100.0, 109.0, 301)
    T = np.stack([axis_rotation(3, np.sin(t)) for t in times])
    for i, t in enumerate(times):
        panel.strip.add(t, T[i])
        if i % 10 == 0:
            panel.strip.refresh()
    panel.end_drag()
    assert max(computed) <= 12
    curves = panel.strip.velocity.curves
    np.testing.assert_allclose(curves.t, times - times[-1])
    np.testing.assert_allclose(curves.ys, np.degrees(drag_velocity(times, T)).T)


def test_that_the_chart_of_a_hand_resolves_the_same_vector_in_both_frames(panel) -> None:
    panel.begin_drag("arm")
    times = np.linspace(0.0, 3.0, 301)
    tilt = axis_rotation(1, 0.5)  # of arm in its parent, then it turns about its own z
    for t in times:
        panel.strip.add(t, axis_rotation(3, 2.0 * t) @ tilt)
    panel.end_drag()
    in_arm, in_parent = (plot.curves.ys for plot in (panel.strip.velocity, panel.strip.velocity_in_parent))
    np.testing.assert_allclose(in_arm, np.degrees([[0.0], [0.0], [2.0]]) + 0.0 * in_arm, atol=1e-6)
    np.testing.assert_allclose(in_parent[:, 7], np.degrees(tilt.T @ [0.0, 0.0, 2.0]), atol=1e-6)
    np.testing.assert_allclose(np.ptp(in_parent, axis=1), 0.0, atol=1e-6)
    assert panel.strip.velocity.curves.t[0] == -3.0


def test_that_a_hand_that_did_not_move_leaves_the_plots(panel) -> None:
    panel.begin_drag("arm")
    panel.strip.add(1.0, np.eye(3))
    panel.end_drag()
    assert panel.plots[0].isVisible()
