"""Plots in the whole window by real events: signals carried onto them, their menu, and the files they write."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from framescope.app.session.scene_lookup import example_path
from framescope.ui.panels.relation.relation_block import RelationBlock
from tests.support.cases import for_each
from tests.support.hands import CTRL, LEFT, PLAIN, Key, drag, strike
from tests.support.questions import ask, hit, type_text
from tests.support.whole_window import (
    answering,
    carry,
    choose,
    click,
    entry,
    in_window,
    name_file,
    press_button,
    strike_in,
    wait_for,
    windows,
)

pytestmark = pytest.mark.usefixtures("dark")

SPINNING = """\
framescope: 1
title: Spinning
frames:
  top:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: ["100*t", "20*sin(t)", 0], unit: deg}
view:
  plots:
    - {signal: angles, of: top, relative_to: world, sequence: XYZ, unit: deg}
    - {signal: angular velocity, of: top, relative_to: world, resolved_in: world, unit: rad/s}
"""


@pytest.fixture
def spinning(shared_window, tmp_path):
    path = tmp_path / "spinning.yaml"
    path.write_text(SPINNING)
    return shared_window(path)


def middle(wiring, widget) -> QPoint:
    return in_window(wiring.window, widget, widget.rect().center())


def plots_in(wiring) -> list[tuple[str, int]]:
    return [(plot.signal, len(plot.also)) for plot in wiring.session.document.scene.view.plots]


def open_menu(wiring, i_plot: int) -> QMenu:
    click(wiring.window.plots.plots[i_plot].header.menu_button)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def submenu(menu: QMenu, text: str) -> QMenu:
    found = entry(menu, text).menu()
    menu.setActiveAction(entry(menu, text))
    found.popup(menu.mapToGlobal(QPoint(30, 30)))
    return found


def test_that_items_and_rows_are_carried_onto_plots(spinning) -> None:
    window, session = spinning.window, spinning.session
    before = session.document.scene
    tree = window.outline.tree
    row = tree.visualRect(window.outline.tree.index_of(("frames", "top")))
    top = in_window(window, tree.viewport(), QPoint(row.left() + 30, row.center().y()))

    carry(window, top, middle(spinning, window.plots.plots[1]))
    assert plots_in(spinning) == [("angles", 0), ("angular velocity", 1)]
    strike_in(spinning, Key.Key_Z, CTRL)
    assert session.document.scene is before

    end = in_window(window, window.plots, QPoint(window.plots.width() - 8, window.plots.height() // 2))
    carry(window, top, end)
    assert plots_in(spinning) == [("angles", 0), ("angular velocity", 0), ("angular velocity", 0)]
    assert len(window.plots.plots) == 3
    wait_for(lambda: window.plots.plots[2].curves is not None and np.isfinite(window.plots.plots[2].curves.ys).all())
    strike_in(spinning, Key.Key_Z, CTRL)

    carry(window, top, middle(spinning, window.timeline))  # nothing there takes it
    assert session.document.scene is before


def test_that_the_chart_of_a_hand_gives_way_to_what_is_carried(spinning) -> None:
    window = spinning.window
    slider = window.inspector.orientation.rows[1].slider
    drag(slider, slider.knob_x(), slider.knob_x() + 20)
    click(window.plots.drag_button)
    assert window.plots.is_drag_shown
    tree = window.outline.tree
    row = tree.visualRect(window.outline.tree.index_of(("frames", "top")))
    carry(window, in_window(window, tree.viewport(), row.center()), middle(spinning, window.plots))
    assert not window.plots.is_drag_shown
    assert sum(1 + n for _, n in plots_in(spinning)) == 3


def test_that_a_row_of_the_read_outs_is_carried_onto_the_plots(spinning) -> None:
    window = spinning.window
    window.show_dock("readouts")
    block = window.readouts.findChild(RelationBlock)
    carry(window, middle(spinning, block.w), middle(spinning, window.plots.plots[0]))
    assert len(plots_in(spinning)) + sum(n for _, n in plots_in(spinning)) == 3
    strike_in(spinning, Key.Key_Z, CTRL)
    assert plots_in(spinning) == [("angles", 0), ("angular velocity", 0)]


def test_that_the_menu_unwraps_one_curve_changes_the_unit_and_removes(spinning) -> None:
    window, session = spinning.window, spinning.session
    before = session.document.scene
    plot = window.plots.plots[0]
    wait_for(lambda: plot.curves is not None and np.isfinite(plot.curves.ys).any())
    assert np.nanmax(plot.curves.ys[0]) > 900.0  # goes on over half a turn
    name = plot.curves.styles[0].name
    menu = open_menu(spinning, 0)
    choose(submenu(menu, name), "Unwrap: continue past half a turn")
    menu.close()
    assert session.document.scene.view.plots[0].wrapped
    wait_for(lambda: np.nanmax(np.abs(plot.curves.ys[0])) <= 180.0 + 1e-9)
    assert not np.isnan(plot.curves.ys[1]).any()  # the others go on

    menu = open_menu(spinning, 1)
    choose(submenu(menu, "Unit"), "°/s")
    menu.close()
    wait_for(lambda: abs(np.nanmax(window.plots.plots[1].curves.ys[0]) - 100.0) < 1.0)

    menu = open_menu(spinning, 0)
    choose(menu, "Remove plot")
    assert plots_in(spinning) == [("angular velocity", 0)]
    for _ in range(3):
        strike_in(spinning, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_plots_are_written_as_table_picture_and_drawing(spinning, tmp_path) -> None:
    window = spinning.window
    wait_for(lambda: window.plots.plots[0].curves is not None)
    for form in ("csv", "png", "svg"):
        with answering(name_file(tmp_path / f"mine.{form}")):
            menu = open_menu(spinning, 0)
            choose(submenu(menu, "Export"), f"{form.upper()}…")
        assert window.status.message == f"Wrote mine.{form}"
        window.activateWindow()
        wait_for(window.isActiveWindow)
    with (tmp_path / "mine.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    values = np.array([[float(cell) for cell in row] for row in rows[1:]])
    assert len(rows[0]) == 4
    np.testing.assert_allclose(values[:, 1], 100.0 * values[:, 0], atol=1e-9)
    assert not QImage(str(tmp_path / "mine.png")).isNull()
    assert QSvgRenderer(str(tmp_path / "mine.svg")).isValid()


def test_that_a_plot_is_not_written_over_a_file_of_whose_name_only_the_ending_was_left_out(spinning, tmp_path) -> None:
    taken = tmp_path / "mine.csv"
    taken.write_text("precious")
    wait_for(lambda: spinning.window.plots.plots[0].curves is not None)
    with answering(name_file(tmp_path / "mine"), press_button("No")):
        menu = open_menu(spinning, 0)
        choose(submenu(menu, "Export"), "CSV…")
    assert taken.read_text() == "precious"


def test_that_an_export_that_cannot_be_written_is_said(spinning, tmp_path, monkeypatch) -> None:
    window, before = spinning.window, spinning.session.document.scene
    taken = tmp_path / "taken.csv"
    taken.mkdir()
    wait_for(lambda: window.plots.plots[0].curves is not None)
    for target in (taken, tmp_path / "no such" / "a.png", tmp_path / "a.docx"):
        monkeypatch.setattr(
            "PySide6.QtWidgets.QFileDialog.getSaveFileName",
            lambda *_, it=target: (str(it), ""),
        )
        menu = open_menu(spinning, 0)
        choose(submenu(menu, "Export"), "CSV…")
        assert window.status.message.startswith(f"{target.name} is not written: ")
        assert not target.is_file()
    assert spinning.session.document.scene is before


def test_that_a_signal_is_found_and_added_by_keys_alone(spinning) -> None:
    ask(spinning, "residues", Key.Key_P, CTRL)
    assert plots_in(spinning)[-1] == ("residues", 0)


def test_that_the_selected_frame_and_the_quantity_that_is_typed_come_first(qtbot, tmp_path) -> None:
    path = tmp_path / "rim.yaml"
    path.write_text(SPINNING.replace("view:", "  rim: {parent: top}\n  edge: {parent: rim}\nview:"))
    with windows(qtbot) as open_it:
        look_for_signals(open_it(path))


def look_for_signals(spinning) -> None:
    bar = spinning.window.question
    spinning.session.select(("frames", "rim"))
    ask(spinning, "", Key.Key_P, CTRL, None)
    assert bar.of.name == "rim"
    assert {"velocity", "angular velocity", "angles"} < set(bar.what.offered)
    type_text("top velocity")
    assert [text.split("  ·  ")[:2] for text in bar.what.offered][:2] == [
        ["top", "velocity"],
        ["top", "angular velocity"],
    ]
    hit(Key.Key_Return)
    assert plots_in(spinning)[-1] == ("velocity", 0)
    assert spinning.session.document.scene.view.plots[-1].of == "top"
    assert not bar.isAncestorOf(QApplication.focusWidget())  # the keyboard is where it was
    n_plots = len(plots_in(spinning))
    ask(spinning, "", Key.Key_P, CTRL)  # a second time
    assert len(plots_in(spinning)) == n_plots + 1


def type_choice(combo, text: str) -> None:
    QTest.qWait(QApplication.keyboardInputInterval() + 50)  # letters typed earlier are no part of the name
    combo.setFocus()
    QTest.keyClicks(combo, text)


def take_back(wiring) -> None:
    """Undo the plot that was added, and wait until it is gone."""
    strike_in(wiring, Key.Key_Z, CTRL)
    wait_for(lambda: len(wiring.window.plots.plots) == 2)


@for_each(
    "signal",
    [
        "angles",
        "position",
        "acceleration",
        "quaternion",
        "residues",
        "angle rates",
        "singularity",
        "condition number",
        "principal angles",
    ],
)
def test_that_a_clicked_signal_is_added_with_its_own_fields_and_has_curves(spinning, signal) -> None:
    window = spinning.window
    bar = window.question
    spinning.session.select(("frames", "top"))
    click(bar.what.line)
    click_row(bar.what, signal)
    assert (bar.question.signal, bar.question.of) == (signal, "top")
    fields = {"relative to": bar.relative_to, "in axes of": bar.resolved_in, "sequence": bar.sequence}
    is_by_sequence = signal in ("angles", "angle rates", "singularity", "condition number", "principal angles")
    is_vector = signal in ("position", "acceleration")
    shown = {name for name, field in fields.items() if field.isVisible()}
    expected = {"residues": set(), "quaternion": {"relative to"}}
    by_kind = {"relative to", "sequence"} if is_by_sequence else {"relative to", "in axes of"}
    assert shown == expected.get(signal, by_kind)
    if is_by_sequence:
        type_choice(bar.sequence, "ZXZ")
    click(bar.buttons["curve"])
    added = spinning.session.document.scene.view.plots[-1]
    assert added.signal == signal
    assert added.sequence == ("ZXZ" if is_by_sequence else None)
    assert added.resolved_in == ("world" if is_vector else None)
    wait_for(lambda: len(window.plots.plots) == 3 and window.plots.plots[2].curves is not None)
    curves = window.plots.plots[2].curves
    assert curves.note == ""
    assert np.isfinite(curves.ys).mean() > 0.9
    take_back(spinning)


def click_row(field, text: str) -> None:
    """Click a row of the open list of a box."""
    popup = QApplication.activePopupWidget()
    row = popup.model().index(field.offered.index(text), 0)
    popup.scrollTo(row)
    click(popup.viewport(), popup.visualRect(row).center())


def test_that_the_menu_shows_angles_by_another_sequence(spinning) -> None:
    window, before = spinning.window, spinning.session.document.scene
    plot = window.plots.plots[0]
    wait_for(lambda: plot.curves is not None)
    menu = open_menu(spinning, 0)
    choose(submenu(menu, "Sequence"), "ZXZ")
    menu.close()
    assert spinning.session.document.scene.view.plots[0].sequence == "ZXZ"
    wait_for(lambda: plot.curves.styles[2].name == "γ z″")
    assert "ZXZ about moving axes" in plot.curves.subtitle
    menu = open_menu(spinning, 1)
    assert "Sequence" not in [action.text() for action in menu.actions()]
    menu.close()
    strike_in(spinning, Key.Key_Z, CTRL)
    assert spinning.session.document.scene is before


def test_that_the_cursor_is_shared_with_the_timeline(spinning) -> None:
    window, session = spinning.window, spinning.session
    plot = window.plots.plots[1]
    wait_for(lambda: plot.curves is not None)
    view = plot.canvas.viewport()
    QTest.mousePress(view, LEFT, PLAIN, view.rect().center())
    t = session.playback.t
    assert 3.0 < t < 7.0
    assert float(session.snapshot.t) == t
    QTest.mouseMove(view, view.rect().center() + QPoint(view.width() // 5, 0))
    assert session.playback.t > t
    QTest.mouseRelease(view, LEFT, PLAIN, view.rect().center())
    strike(window.timeline, Key.Key_Z, CTRL)
    assert session.document.history.undo_label is None


WATCHED = SPINNING.replace(
    "view:",
    """\
sensors:
  sensor: {form: relative, frame_a: world, frame_b: top, get_angles: true, get_w_rel: true}
  place: {form: absolute, frame_a: top}
view:""",
)


@pytest.fixture
def watched(shared_window, tmp_path):
    path = tmp_path / "watched.yaml"
    path.write_text(WATCHED)
    return shared_window(path)


@for_each(
    ("typed", "of", "components"),
    [
        ("sensor ang", "sensor", ("angle 1", "angle 2", "angle 3")),
        ("sensor velocity", "sensor", ("w_rel_x", "w_rel_y", "w_rel_z")),
        ("sensor all", "sensor", None),
        ("place position sensor", "place", None),
    ],
)
def test_that_a_sensor_is_found_by_what_it_measures(watched, typed, of, components) -> None:
    ask(watched, typed, Key.Key_P, CTRL, None)
    assert watched.window.question.what.is_open
    hit(Key.Key_Return)
    added = watched.session.document.scene.view.plots[-1]
    assert (added.signal, added.of, added.components) == ("sensor", of, components)
    assert "sensor of" not in watched.window.status.message
    wait_for(lambda: all(p.curves is not None and not p.curves.note for p in watched.window.plots.plots))
    curves = [p.curves for p in watched.window.plots.plots if p.curves.i_plot == 2]
    assert sum(len(each.ys) for each in curves) == (9 if typed == "sensor all" else 3)
    take_back(watched)


def test_that_one_component_of_one_quantity_of_a_sensor_is_chosen(watched) -> None:
    bar = watched.window.question
    ask(watched, "sensor angular", Key.Key_P, CTRL, None)
    hit(Key.Key_Tab)
    offered = [bar.component.itemText(i) for i in range(bar.component.count())]
    assert offered == ["all", "w_rel_x", "w_rel_y", "w_rel_z", "magnitude w_rel"]
    type_choice(bar.component, "magn")
    assert bar.what.name == "angular velocity"
    hit(Key.Key_Return)
    added = watched.session.document.scene.view.plots[-1]
    assert (added.of, added.components) == ("sensor", ("norm w_rel",))
    bar.component.setFocus()
    hit(Key.Key_Home)
    assert bar.question.components == ("w_rel_x", "w_rel_y", "w_rel_z")


def test_that_a_search_for_a_signal_without_a_hit_says_so(watched) -> None:
    what = watched.window.question.what
    ask(watched, "zebra", Key.Key_P, CTRL, None)
    assert what.offered == []
    assert "“zebra”" in what.popup.model().index(0, 0).data()
    for _ in "zebra":
        hit(Key.Key_Backspace)
    type_text("top")
    assert what.offered
    hit(Key.Key_Escape)
    assert what.line.text() == what.name


def test_that_a_low_row_of_plots_shows_its_time_axis(open_window) -> None:
    wiring = open_window(example_path("demo"))
    wiring.window.resize(800, 490)
    plots = wiring.window.plots
    wait_for(lambda: plots.height() < 200)
    wait_for(lambda: plots.scroll_area.widget().height() <= plots.scroll_area.viewport().height())
