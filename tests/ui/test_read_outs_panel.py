"""The read-outs panel: any frame relative to any other, held, copied, explained, and carried onto plots."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.panels.relation import relation_drag
from framescope.ui.panels.relation.readouts_panel import ReadOuts, RelationDialog
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import CTRL, LEFT, PLAIN, Key, focus, strike
from tests.support.questions import hit, type_text
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
frames:
  arm: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["30*t", 10, 5], unit: deg}}
  tip: {parent: arm, position: {value: [0.3, "0.1*t", 0], unit: m}}
  lost: {parent: arm, position: {value: ["1/0", 0, 0], unit: m}}
"""
T = 1.25
KEY = RelationKey("tip", "world", "arm")


@pytest.fixture
def plan():
    return compile_plan(scene_of(SCENE))


@pytest.fixture
def panel(qapp, qtbot, plan):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    panel = ReadOuts()
    qtbot.addWidget(panel)
    for button in (panel.hold_button, panel.add_button):
        button.setParent(panel)
    panel.resize(260, 800)
    panel.set_plan(plan)
    panel.set_frame("arm")
    panel.show()
    with qtbot.waitExposed(panel):
        pass
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    panel.show_snapshot(evaluate(plan, T))
    QApplication.processEvents()
    return panel


def test_that_the_selected_frame_is_shown_in_its_parent_and_in_world(panel, plan) -> None:
    snapshot = evaluate(plan, T)
    i = plan.index["arm"]
    np.testing.assert_array_equal(panel.in_parent.matrix.values, snapshot.T_PF[i])
    np.testing.assert_allclose(panel.in_parent.branches[0].values, [30 * T, 10, 5], atol=1e-9)
    np.testing.assert_allclose(panel.in_parent.w.values, np.degrees(snapshot.w_PF_F[i]), atol=1e-12)
    np.testing.assert_allclose(panel.in_world.v.values, 0.0, atol=1e-15)
    assert panel.in_parent.title.text() == "arm"
    assert panel.in_parent.note.text() == "relative to world"


def test_that_any_relation_is_added_and_stays_when_the_selection_changes(panel, plan) -> None:
    QTest.mouseClick(panel.add_button, LEFT)
    dialog = panel.window().findChild(RelationDialog)
    QTest.qWaitForWindowActive(dialog)
    assert [word.text() for word in dialog.frames.words.values()] == ["of", "relative to", "in axes of"]
    for field, text in ((dialog.of, "tip"), (dialog.relative_to, "wor"), (dialog.resolved_in, "arm")):
        while not field.line.hasFocus():
            hit(Key.Key_Tab)
        type_text(text)
        hit(Key.Key_Return)
    assert panel.held == ()
    hit(Key.Key_Return)
    assert panel.held == (KEY,)
    panel.set_frame("")
    block = panel.blocks[0]
    assert (block.key, len(panel.blocks)) == (KEY, 1)
    snapshot = evaluate(plan, 2.0)
    panel.show_snapshot(snapshot)
    V = relative_motion.relative_velocity(snapshot, "tip", "world", "arm")
    np.testing.assert_allclose(block.v.values, V[3:], atol=1e-12)
    np.testing.assert_allclose(block.w_resolved.values, np.degrees(V[:3]), atol=1e-12)
    np.testing.assert_allclose(block.r.values, [0.3, 0.2, 0.0], atol=1e-12)


def test_that_hold_keeps_what_is_selected_once_and_the_cross_removes_it(panel) -> None:
    assert panel.hold_button.text() == "Hold"
    QTest.mouseClick(panel.hold_button, LEFT)
    QTest.mouseClick(panel.hold_button, LEFT)
    assert panel.held == (RelationKey("arm", "world", "arm"),)
    QTest.mouseClick(panel.blocks[-1].remove, LEFT)
    assert panel.held == ()
    assert len(panel.blocks) == 2


def test_that_a_held_frame_that_goes_says_so_and_comes_back(panel, plan) -> None:
    panel.hold(KEY)
    panel.set_plan(compile_plan(scene_of(SCENE.replace("tip:", "top:"))))
    block = panel.blocks[-1]
    assert "which no longer exists" in block.note.text()
    assert np.isnan(block.r.values).all()
    panel.set_plan(plan)
    panel.show_snapshot(evaluate(plan, T))
    assert np.isfinite(block.r.values).all()


def test_that_a_frame_without_a_pose_has_no_numbers(panel, plan) -> None:
    panel.set_frame("lost")
    panel.show_snapshot(evaluate(plan, T))
    assert all(np.isnan(row.values).all() for block in panel.blocks for row in block.rows)


def test_that_numbers_are_copied_in_full(panel) -> None:
    QTest.mouseClick(panel.in_parent.copy_matrix, LEFT)
    copied = [[float(x) for x in line.split("\t")] for line in QApplication.clipboard().text().splitlines()]
    np.testing.assert_array_equal(copied, panel.in_parent.matrix.values)
    focus(panel.in_parent.w)
    strike(panel, Key.Key_C, CTRL)
    assert [float(x) for x in QApplication.clipboard().text().split("\t")] == panel.in_parent.w.values.tolist()


def test_that_angles_are_shown_in_radians_too(panel) -> None:
    degrees, rates = panel.in_parent.branches[0].values, panel.in_world.w_resolved.values
    panel.set_angle_unit("rad")
    np.testing.assert_allclose(panel.in_parent.branches[0].values, np.radians(degrees), atol=1e-12)
    np.testing.assert_allclose(panel.in_world.w_resolved.values, np.radians(rates), atol=1e-12)
    assert "rad/s" in panel.in_parent.w.toolTip()
    assert panel.in_parent.plot_of(panel.in_parent.w).unit == "rad/s"
    panel.set_angle_unit("deg")
    np.testing.assert_allclose(panel.in_parent.branches[0].values, degrees, atol=1e-12)


def test_that_hovering_explains_every_row(panel) -> None:
    panel.hold(KEY)
    for block in panel.blocks:
        for row in block.rows:
            assert block.key.of in row.toolTip(), row
            assert "<code>" in row.toolTip()
    assert "in axes of arm, m/s" in panel.blocks[-1].v.toolTip()
    assert "ω = e₃γ̇" in panel.in_parent.w.toolTip()


def test_that_a_row_is_carried_as_the_signal_it_shows(panel, monkeypatch) -> None:
    carried = []
    monkeypatch.setattr(relation_drag, "start_drag", lambda _widget, plots: carried.extend(plots))
    row = panel.in_world.v
    QTest.mousePress(row, LEFT, PLAIN, QPoint(40, 10))
    QTest.mouseMove(row, QPoint(44, 10))
    assert carried == []
    QTest.mouseMove(row, QPoint(90, 10))
    QTest.mouseMove(row, QPoint(120, 10))
    QTest.mouseRelease(row, LEFT, PLAIN, QPoint(120, 10))
    (plot,) = carried
    assert (plot.signal, plot.of, plot.relative_to, plot.unit) == ("velocity", "arm", "world", "m/s")


def test_that_nothing_selected_says_what_to_do(panel) -> None:
    panel.set_frame("")
    assert panel.currentWidget() is panel.empty_state
    assert not panel.hold_button.isEnabled()
    panel.empty_state.action_requested.emit()
    dialog = panel.window().findChild(RelationDialog)
    assert dialog.of.count() == 4
    dialog.reject()


def test_that_the_panel_fits_its_dock(panel) -> None:
    panel.hold(KEY)
    QApplication.processEvents()
    assert panel.scroll_area.widget().minimumSizeHint().width() <= 260
