"""The orientation panel by real events: every form can be typed into, and the others and the scene follow."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.core import frames
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.conventions.code_snippets import TARGETS, as_code
from framescope.core.conventions.pose_snippets import POSE_TARGETS, pose_as_code
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.readings import read_text
from framescope.core.scene.edits.authored_angles import even_parts
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.ui.panels.orientation import OrientationPanel
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import CTRL, LEFT, SHIFT, Key, focus, release, strike, type_in, wheel, x_of
from tests.support.hands import move as move_to
from tests.support.hands import press as press_at
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
frames:
  ring:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: [200, 20, -30], unit: deg}
  runs:
    parent: ring
    orientation: {form: axes, sequence: XYZ, angles: ["20*t", "5*t - 10", 30], unit: deg}
  quat:
    parent: world
    orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}
  hinge:
    parent: world
    orientation: {form: axis, axis: z, angle: 0, unit: deg}
  spun:
    parent: world
    orientation: {form: integrated, w: [0.1, 0.2, 1], unit: rad/s, equation: dcm, method: rk4, step: 50 ms}
  on spun: {parent: spun}
  keyed:
    parent: world
    motion:
      form: keyframes
      keys:
        - {time: 0 s}
        - {time: 4 s, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
"""


class Bench:
    """A session with the panel alone, connected as in the window."""

    def __init__(self) -> None:
        self.session = Session(Document(scene_of(SCENE)))
        self.panel = panel = OrientationPanel()
        session = self.session
        session.plan_changed.connect(lambda plan, _: panel.set_plan(plan))
        session.ticked.connect(lambda snapshot, _: panel.show_snapshot(snapshot))
        session.selection_changed.connect(self._on_selection)
        panel.edits.lead_to(session)
        panel.picked.connect(session.select)
        self.window = QScrollArea(widgetResizable=True)
        self.window.setWidget(panel)
        self.window.resize(420, 800)
        session.start()

    def _on_selection(self, key) -> None:
        self.panel.set_frame(key[1])
        self.panel.show_snapshot(self.session.snapshot)


@pytest.fixture
def window(qapp, qtbot):
    if not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    bench = Bench()
    qtbot.addWidget(bench.window)
    bench.window.show()
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow)
    yield bench
    bench.session.close()


@pytest.fixture
def on(window):
    """Select a frame at a time; gives the panel. At the end every undo returns the exact former scene."""
    first = window.session.document.scene

    def select(name, t=0.0, detail="full"):
        window.session.scrub(t)
        window.session.end_scrub()
        window.session.select(("frames", name))
        window.panel.set_detail(detail)
        return window.panel

    yield select
    for _ in range(50):
        window.session.undo()
    assert window.session.document.scene is first


def form_of(window, name):
    return window.session.document.scene.frames[name].orientation


def T_of(window, name):
    snapshot = window.session.snapshot
    return snapshot.T_PF[snapshot.index[name]]


def undo(window) -> None:
    window.session.undo()


def test_that_a_typed_matrix_moves_the_sliders_and_one_undo_brings_the_scene_back(window, on) -> None:
    panel = on("quat")
    before = window.session.document.scene
    wanted = frames.axes_rotations("XYZ", np.radians([10.0, 40.0, -60.0])).T
    editor = panel.parts.matrix.editor
    focus(editor.cell(0, 0))
    for value in wanted.ravel():
        QTest.keyClicks(QApplication.focusWidget(), f"{value:.6f}".replace(".", ","))
        strike(window.window, Key.Key_Tab)
    assert not editor.has_draft
    assert T_of(window, "quat") == pytest.approx(wanted, abs=1e-5)
    assert [row.value_deg for row in panel.rows] == pytest.approx([10.0, 40.0, -60.0], abs=1e-3)
    assert panel.rows[1].slider.knob_x() == pytest.approx(x_of(panel.rows[1].slider, 40.0), abs=0.1)
    assert form_of(window, "quat").form == "quaternion"
    undo(window)
    assert window.session.document.scene is before


def test_that_half_a_matrix_is_not_committed_and_can_be_mended_or_given_up(window, on) -> None:
    panel = on("ring")
    editor, before = panel.parts.matrix.editor, window.session.document.scene
    shown = editor.matrix
    type_in(editor.cell(1, 2), "0.9")
    assert editor.has_draft
    assert editor.cell(1, 2).property("invalid")
    assert editor.problem.text().startswith("Off the nearest rotation by ")
    assert window.session.document.scene is before
    QTest.mouseClick(editor.undo, LEFT)
    assert not editor.has_draft
    assert editor.matrix == pytest.approx(shown)
    type_in(editor.cell(1, 2), "0.9")
    strike(window.window, Key.Key_Tab)
    strike(window.window, Key.Key_Escape)
    assert not editor.has_draft
    assert editor.matrix == pytest.approx(shown)
    type_in(editor.cell(1, 2), "0.9")
    QTest.mouseClick(editor.fix, LEFT)
    assert window.session.document.scene is not before
    T = T_of(window, "ring")
    assert pytest.approx(np.eye(3), abs=1e-9) == T @ T.T
    assert form_of(window, "ring").form == "axes"


def test_that_a_quaternion_is_normalised_only_when_told_to(window, on) -> None:
    panel = on("quat")
    editor, before = panel.parts.quaternion.editor, window.session.document.scene
    type_in(editor.fields[0], "1")
    assert editor.problem.text() == "Its length is 1.4142, not 1; limit 1e-3."
    assert window.session.document.scene is before
    QTest.mouseClick(editor.fix, LEFT)
    assert form_of(window, "quat").value == pytest.approx((np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert panel.rows[0].value_deg == pytest.approx(90.0)


def test_that_axis_vector_and_rodrigues_are_typed_with_units_and_arithmetic(window, on) -> None:
    panel = on("quat")
    type_in(panel.parts.axis_angle.editor.fields[3], "pi/6")
    assert T_of(window, "quat") == pytest.approx(frames.axis_rotation(1, np.pi / 6).T)
    type_in(panel.parts.vector.editor.fields[0], "0,5")
    assert T_of(window, "quat") == pytest.approx(frames.axis_rotation(1, 0.5).T)
    type_in(panel.parts.rodrigues.editor.fields[0], "1")
    assert T_of(window, "quat") == pytest.approx(frames.axis_rotation(1, np.pi / 2).T)
    assert panel.parts.vector.editor.fields[0].text() == "1.5708"


def test_that_typed_nonsense_stays_with_its_message(window, on) -> None:
    panel = on("ring")
    editor, before = panel.parts.vector.editor, window.session.document.scene
    type_in(editor.fields[1], "pi/0")
    assert editor.fields[1].text() == "pi/0"
    assert editor.fields[1].property("invalid")
    assert "Division by zero" in editor.problem.text()
    assert editor.problem.isVisible()
    assert window.session.document.scene is before
    strike(window.window, Key.Key_Escape)
    assert not editor.fields[1].property("invalid")
    assert not editor.problem.isVisible()


def test_that_200_degrees_stay_200_when_another_form_is_typed(window, on) -> None:
    panel = on("ring")
    T = frames.axes_rotations("XYZ", np.radians([205.0, 20.0, -30.0])).T
    vector = panel.parts.vector
    type_in(vector.editor.fields[0], repr(float(vector.values_of(T)[0])), end=None)
    strike(window.window, Key.Key_Return)
    assert form_of(window, "ring").angles[0] == pytest.approx(200.0, abs=20.0)
    assert form_of(window, "ring").angles[0] > 180.0
    undo(window)
    assert [row.value_deg for row in panel.rows] == pytest.approx([200.0, 20.0, -30.0])
    assert panel.parts.table.rows[2].texts() == ["200.00", "20.00", "\N{MINUS SIGN}30.00"]
    assert panel.parts.table.rows[0].texts()[0] == "\N{MINUS SIGN}160.00"


def test_that_a_drag_through_the_lock_does_not_jump_until_the_hand_lets_go_of_a_quaternion(window, on) -> None:
    panel = on("quat")
    for i, text in ((0, "20"), (1, "60"), (2, "-35")):
        type_in(panel.rows[i].field, text)
    slider = panel.rows[1].slider
    press_at(slider, x_of(slider, 60.0))
    last = np.array([20.0, 60.0, -35.0])
    for angle in range(62, 131, 2):
        move_to(slider, x_of(slider, angle))
        shown = np.array([row.value_deg for row in panel.rows])
        assert np.abs(shown - last).max() < 4.0
        last = shown
    assert last == pytest.approx([20.0, 130.0, -35.0], abs=1.5)
    release(slider, x_of(slider, 130))
    # The scene has a quaternion, which does not tell that from the same orientation on branch 1.
    shown = [row.value_deg for row in panel.rows]
    assert shown == pytest.approx([-160.0, 50.0, 145.0], abs=1.5)
    assert panel.parts.table.rows[2].values == pytest.approx(shown, abs=1e-9)
    undo(window)
    window.session.redo()
    assert [row.value_deg for row in panel.rows] == shown


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_each_sequence_can_be_chosen_and_keeps_what_is_told(window, on, sequence) -> None:
    panel = on("ring")
    T = T_of(window, "ring").copy()
    panel.parts.turns.keep.buttons["orientation"].click()
    button = panel.parts.turns.sequence_buttons[sequence]
    QTest.mouseClick(button, LEFT)
    assert panel.sequence.currentText() == sequence
    assert form_of(window, "ring").sequence == sequence
    assert T_of(window, "ring") == pytest.approx(T, abs=1e-9)
    if sequence != "XYZ":
        undo(window)
        assert form_of(window, "ring").angles == (200.0, 20.0, -30.0)
        panel.parts.turns.keep.buttons["angles"].click()
        QTest.mouseClick(button, LEFT)
        assert form_of(window, "ring").angles == (200.0, 20.0, -30.0)
        assert form_of(window, "ring").sequence == sequence


def test_that_expressions_gain_a_constant_from_another_form_and_a_double_click_takes_it_off(window, on) -> None:
    panel = on("runs", 1.0)
    type_in(panel.parts.axis_angle.editor.fields[3], "50")
    first, second, _ = form_of(window, "runs").angles
    assert first.startswith("20*t ")
    assert second.startswith("5*t ")
    assert T_of(window, "runs") == pytest.approx(panel.parts.matrix.editor.matrix)
    slider = panel.rows[0].slider
    QTest.mouseDClick(slider, LEFT, pos=QPoint(round(slider.knob_x()), slider.height() // 2))
    assert form_of(window, "runs").angles[0] == "20*t"


def test_that_a_typed_rate_lets_an_angle_run_from_where_it_is(window, on) -> None:
    panel = on("ring", 2.0)
    type_in(panel.parts.turns.rates[0], "5")
    assert form_of(window, "ring").angles == ("5*t + 190", 20.0, -30.0)
    assert panel.rows[0].value_deg == pytest.approx(200.0)
    assert on("runs").parts.turns.rates[1].isReadOnly() is False
    type_in(panel.parts.turns.rates[1], "0")
    assert form_of(window, "runs").angles[1] == -10.0


def test_that_a_rotation_about_one_axis_takes_a_formula_in_the_row_of_any_angle(window, on) -> None:
    panel = on("hinge", 1.0)
    type_in(panel.rows[2].field, "90*t")
    form = form_of(window, "hinge")
    assert (form.sequence, form.angles, form.unit) == ("XYZ", (0.0, 0.0, "90*t"), "deg")
    assert panel.rows[2].expression.text() == "90*t"
    type_in(panel.rows[1].field, "sin(t)")
    assert form_of(window, "hinge").angles == (0.0, "sin(t)", "90*t")


def test_that_a_rotation_about_an_axis_outside_the_sequence_says_which_to_choose(window, on) -> None:
    panel = on("hinge")
    before = window.session.document.scene
    panel.set_default_sequence("XYX")
    type_in(panel.rows[0].field, "90*t")
    said = panel.rows[0].error_message.text()
    assert said.startswith("It is a rotation about z, which XYX does not have: choose a sequence with Z")
    assert window.session.document.scene is before


def test_that_a_quaternion_says_what_to_do_for_a_formula(window, on) -> None:
    panel = on("quat")
    type_in(panel.rows[0].field, "90*t")
    said = panel.rows[0].error_message.text()
    assert said == "A formula needs three angles: choose convert… below, then XYZ, and type it again."


def test_that_one_axis_says_why_it_cannot_and_conversion_makes_it_possible(window, on) -> None:
    panel = on("hinge")
    before = window.session.document.scene
    editor = panel.parts.vector.editor
    type_in(editor.fields[0], "0.3")
    assert "about z only" in editor.problem.text()
    assert editor.has_draft
    strike(window.window, Key.Key_Escape)
    assert window.session.document.scene is before
    type_in(editor.fields[2], "0.3")
    assert form_of(window, "hinge").angle == pytest.approx(np.degrees(0.3))
    panel.parts.kinds["axes:ZYX"].trigger()
    assert form_of(window, "hinge").angles == pytest.approx((np.degrees(0.3), 0.0, 0.0))
    type_in(editor.fields[0], "0.3")
    assert not editor.has_draft


def test_that_converting_what_runs_asks_first(window, on) -> None:
    panel = on("runs", 1.0)
    before = window.session.document.scene
    panel.parts.kinds["matrix"].trigger()
    assert panel.parts.confirm.isVisible()
    assert "α and β run with t" in panel.parts.confirm.message.text()
    strike(window.window, Key.Key_Escape)
    assert window.session.document.scene is before
    T = T_of(window, "runs").copy()
    panel.parts.kinds["matrix"].trigger()
    QTest.mouseClick(panel.parts.confirm.yes, LEFT)
    assert form_of(window, "runs").form == "matrix"
    assert T_of(window, "runs") == pytest.approx(T, abs=1e-9)


def test_that_what_is_integrated_is_read_only_and_can_be_given_an_offset(window, on) -> None:
    panel = on("spun", 1.0)
    parts = panel.parts
    assert parts.lock.isVisible()
    assert all(field.isReadOnly() for form in parts.forms for field in form.editor.fields)
    assert panel.rows[0].slider.focusPolicy() == Qt.FocusPolicy.NoFocus
    wheel(panel.rows[0].slider, 3)
    QTest.mouseClick(parts.offset, LEFT)
    scene = window.session.document.scene
    assert scene.frames["spun offset"].parent == "spun"
    assert scene.frames["on spun"].parent == "spun offset"
    assert window.session.selection == ("frames", "spun offset")
    type_in(panel.rows[2].field, "30")
    assert form_of(window, "spun offset").angles == (0.0, 0.0, 30.0)
    undo(window)


def test_that_keyframes_get_one_at_the_present_time(window, on) -> None:
    panel = on("keyed", 2.0)
    type_in(panel.rows[0].field, "25")
    keys = window.session.document.scene.frames["keyed"].motion.keys
    assert [key.time.value for key in keys] == [0.0, 2.0, 4.0]
    assert panel.rows[0].value_deg == pytest.approx(25.0)
    type_in(panel.rows[0].field, "35")
    assert len(window.session.document.scene.frames["keyed"].motion.keys) == 3


def test_that_a_quaternion_is_pasted_once_its_order_is_said(window, on) -> None:
    panel = on("ring", detail="compact")
    QApplication.clipboard().setText("0, 0, 0.6, 0.8")
    panel.parts.paste_icon.click()
    form = panel.parts.paste
    assert form.text.toPlainText() == "0, 0, 0.6, 0.8"
    assert not form.use.isEnabled()
    form.choices.buttons()[0].click()
    assert form.use.isEnabled()
    assert "73.74°" in form.description.text()
    form.text.setFocus()
    strike(window.window, Key.Key_Return, CTRL)
    assert not form.isVisible()
    assert T_of(window, "ring") == pytest.approx(frames.axis_rotation(3, 2 * np.arctan2(0.6, 0.8)).T, abs=1e-9)


@pytest.mark.parametrize("text", ["0, 0, 0.6, 0.8", "1 0 0; 0 1 0; 0 0 1", ""])
def test_that_the_form_to_paste_into_comes_into_view(window, on, text) -> None:
    window.window.resize(420, 500)
    panel = on("ring", detail="compact")
    QApplication.clipboard().setText(text)
    focus(panel.parts.paste_icon)
    window.window.verticalScrollBar().setValue(0)
    strike(window.window, Key.Key_Space)
    form, view = panel.parts.paste, window.window.viewport()
    QApplication.processEvents()
    QApplication.processEvents()
    for button in (form.use, form.leave):
        assert view.rect().contains(button.rect().translated(button.mapTo(view, QPoint(0, 0))))
    strike(window.window, Key.Key_Escape)


def test_that_a_pasted_text_is_read_while_it_is_typed(window, on) -> None:
    panel = on("hinge")
    QApplication.clipboard().clear()
    panel.parts.paste_icon.click()
    form = panel.parts.paste
    QTest.keyClicks(form.text, "[0 1 0; -1 0 0; 0 0")
    assert "8 numbers" in form.problem.text()
    QTest.keyClicks(form.text, " 1]")
    assert not form.use.isEnabled()
    form.choices.buttons()[1].click()
    assert form.description.text().startswith("A matrix: XYZ α 0.00°")
    form.text.setPlainText("axes XYZ 10 20 30 deg")
    form.use.click()
    assert "about z only" in form.problem.text()
    assert form.isVisible()
    strike(window.window, Key.Key_Escape)
    assert not form.isVisible()


@pytest.mark.parametrize("target", TARGETS)
def test_that_code_is_copied_for_each_target(window, on, target, qtbot) -> None:
    panel = on("ring")
    names = [action.text() for action in panel.parts.code_menu.actions()]
    assert len(set(names)) == len(TARGETS) + len(POSE_TARGETS)
    with qtbot.waitSignal(panel.status) as said:
        panel.parts.code_menu.actions()[TARGETS.index(target)].trigger()
    assert said.args[0] == "good"
    text = QApplication.clipboard().text()
    orientation = frames.Orientation(T_of(window, "ring"), np.zeros(3))
    assert text == as_code(orientation, target)
    assert pytest.approx(T_of(window, "ring"), abs=1e-9) == read_text(text).settled.R.T


@pytest.mark.parametrize("target", POSE_TARGETS)
def test_that_a_pose_is_copied_for_each_target(window, on, target, qtbot) -> None:
    panel = on("ring")
    with qtbot.waitSignal(panel.status) as said:
        panel.parts.code_menu.actions()[len(TARGETS) + POSE_TARGETS.index(target)].trigger()
    assert said.args[0] == "good"
    assert said.args[1].startswith("Copied the pose of ring for ")
    plan = window.session.plan
    moment = plan.moment("ring", float(window.session.snapshot.t))
    orientation = frames.Orientation(moment.T_PF, np.zeros(3))
    expected = pose_as_code(orientation, moment.p_PF, plan.names[plan.tree.parents[plan.index["ring"]]], "ring", target)
    assert QApplication.clipboard().text() == expected


def test_that_radians_are_shown_and_typed(window, on) -> None:
    panel = on("ring")
    panel.set_angle_unit("rad")
    assert panel.rows[1].field.text() == "0.3491"
    type_in(panel.rows[1].field, "0,5")
    assert form_of(window, "ring").angles[1] == pytest.approx(np.degrees(0.5), abs=1e-6)
    type_in(panel.rows[1].field, "30deg")
    assert form_of(window, "ring").angles[1] == 30.0
    type_in(panel.parts.turns.rates[1], "0.1")
    assert even_parts(form_of(window, "ring").angles[1]) == pytest.approx((np.degrees(0.1), 30.0))
    assert panel.parts.table.rows[0].texts()[1] == "0.5236"


def test_that_stages_are_shown_and_told(window, on, qtbot) -> None:
    panel = on("ring")
    with qtbot.waitSignal(panel.staged_toggled) as toggled:
        panel.parts.turns.staged.click()
    assert toggled.args == [True]
    angles = tuple(np.radians([40.0, 36.6, -30.0]))
    panel.set_step(StagedRotation("ring", "world", "XYZ", angles, 2.0))
    assert panel.parts.turned_angles_label.text() == "Everything below: after 40.0° about x and 36.6° about y′"
    turned = frames.axes_rotations("XYZ", np.radians([40.0, 36.6, 0.0])).T
    assert panel.parts.matrix.editor.matrix == pytest.approx(turned)
    assert panel.parts.matrix.editor.cell(0, 0).isReadOnly()
    assert [row.value_deg for row in panel.rows] == pytest.approx([200.0, 20.0, -30.0])
    panel.set_step(StagedRotation("ring", "world", "XYZ", angles, 2.0, turn_axes="fixed"))
    assert panel.parts.turned_angles_label.text() == "Everything below: after −30.0° about z and 36.6° about y"
    assert panel.parts.matrix.editor.matrix == pytest.approx(
        frames.axes_rotations("XYZ", np.radians([0.0, 36.6, -30.0])).T
    )
    panel.set_step(None)
    assert panel.parts.matrix.editor.matrix == pytest.approx(T_of(window, "ring"))
    assert not panel.parts.matrix.editor.cell(0, 0).isReadOnly()
    assert not panel.parts.turns.staged.isChecked()


def test_that_other_forms_are_unfolded_by_their_names_where_there_is_little_room(window, on) -> None:
    panel = on("ring", detail="compact")
    forms = (panel.parts.matrix, panel.parts.quaternion, panel.parts.table, panel.parts.turns.rates_row)
    assert not any(form.isVisible() for form in forms)
    assert "branches" not in panel.parts.also.text()
    panel.parts.also.linkActivated.emit("more…")
    assert "branches" in panel.parts.also.text()
    assert "more…" not in panel.parts.also.text()
    focus(panel.parts.also)
    for _ in range(2):
        strike(window.window, Key.Key_Tab)
    strike(window.window, Key.Key_Return)
    assert [form.isVisible() for form in forms] == [True, False, False, False]
    assert panel.parts.matrix.editor.matrix == pytest.approx(T_of(window, "ring"))
    for name in ("quaternion", "branches", "rates"):
        panel.parts.also.linkActivated.emit(name)
    assert all(form.isVisible() for form in forms)
    for name in ("matrix", "quaternion", "branches", "rates"):
        panel.parts.also.linkActivated.emit(name)
    assert not any(form.isVisible() for form in forms)


def test_that_the_distance_from_gimbal_lock_appears_near_the_lock(window, on) -> None:
    panel = on("ring", detail="compact")
    shown = {}
    for angle in (20.0, 50.0, 60.0, 85.0, 10.0):
        type_in(panel.rows[1].field, f"{angle:g}")
        shown[angle] = panel.parts.gauge.isVisible()
    assert shown == {20.0: False, 50.0: False, 60.0: True, 85.0: True, 10.0: False}
    panel.set_detail("full")
    assert panel.parts.gauge.isVisible()


def test_that_tab_walks_through_the_panel_from_top_to_bottom(window, on) -> None:
    panel = on("ring")
    focus(panel.rows[0].field)
    way = []
    for _ in range(60):
        widget = QApplication.focusWidget()
        if not panel.isAncestorOf(widget):
            break
        way.append(widget)
        assert widget.accessibleName(), widget
        strike(window.window, Key.Key_Tab)
    assert len(way) > 25
    assert way[:6] == [*(row.field for row in panel.rows), *panel.parts.turns.rates]  # from value to value
    seen = [widget.mapTo(panel, QPoint(0, 0)).y() for widget in (*way[:3], *way[6:])]
    assert all(after >= before - 8 for before, after in itertools.pairwise(seen))
    strike(window.window, Key.Key_Tab, SHIFT)


def test_that_the_continuous_branch_of_a_moving_frame_depends_on_the_time_alone(window, on) -> None:
    panel = on("spun", 0.0)
    for t in np.arange(0.0, 9.01, 0.25):
        window.session.scrub(float(t))
    along = panel.parts.table.rows[2].values.copy()
    assert np.abs(along).max() > 300.0
    on("ring")
    on("spun", 9.0)
    assert panel.parts.table.rows[2].values == pytest.approx(along, abs=1e-9)
    window.session.scrub(2.0)
    window.session.scrub(9.0)
    assert panel.parts.table.rows[2].values == pytest.approx(along, abs=1e-9)


def test_that_keyboard_alone_turns_converts_and_pastes(window, on) -> None:
    panel = on("ring", detail="compact")
    focus(panel.rows[0].slider)
    strike(window.window, Key.Key_Right)
    assert form_of(window, "ring").angles[0] == 201.0
    panel.parts.also.linkActivated.emit("convert…")
    menu = panel.parts.convert_menu
    assert menu.isVisible()
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    assert form_of(window, "ring").form == "quaternion"
    QApplication.clipboard().setText("nothing of the kind")
    focus(panel.parts.paste_icon)
    strike(window.window, Key.Key_Space)
    QTest.keyClicks(QApplication.focusWidget(), "axes ZYX 0 0 90 deg")
    strike(window.window, Key.Key_Return, CTRL)
    assert T_of(window, "ring") == pytest.approx(frames.axis_rotation(1, np.pi / 2).T, abs=1e-9)


def test_that_a_refused_slider_says_so_below_it_and_springs_back(window, on) -> None:
    panel = on("hinge")
    before = window.session.document.scene
    slider = panel.rows[0].slider
    press_at(slider, slider.knob_x())
    move_to(slider, slider.knob_x() + 30)
    assert "about z only" in panel.rows[0].error_message.text()
    release(slider, slider.knob_x())
    assert panel.rows[0].value_deg == 0.0
    assert window.session.document.scene is before


def test_that_a_frame_without_a_pose_shows_no_numbers_and_says_whose_problem_it_is(qtbot, dark) -> None:
    text = """\
framescope: 1
frames:
  mast: {parent: bsae}
  head: {parent: mast, orientation: {form: axis, axis: z, angle: "40*sin(t)", unit: deg}}
  eye: {parent: world, orientation: {form: quaternion, value: [0, 0, 0, 1]}}
"""
    plan = compile_plan(scene_of(text))
    panel = OrientationPanel()
    qtbot.addWidget(panel)
    panel.set_plan(plan)
    panel.show()
    told = {}
    for name in ("head", "eye"):
        panel.set_frame(name)
        panel.show_snapshot(evaluate(plan, 1.0))
        told[name] = panel.parts.lock.isVisible() and panel.parts.lock.findChild(QLabel).text()
        assert [row.field.text() for row in panel.rows] == ["", "", ""]
    assert told["head"] == "It has no pose: its ancestor mast has a problem, see the list."
    assert told["eye"] == "It has a problem, see the list."


@pytest.mark.parametrize("name", ["quat", "keyed", "ring"])
def test_that_stages_are_called_by_the_form_of_the_scene(window, on, name) -> None:
    panel = on(name)
    before = panel.parts.authored_label.text()
    mode = StagedMode(window.session, window.session)
    mode.changed.connect(panel.set_step)
    mode.set_on(True)
    mode.go_to(1.5)
    assert panel.parts.authored_label.text() == before
    mode.leave()
    assert panel.parts.authored_label.text() == before


def test_that_a_sequence_chosen_for_a_frame_of_another_scene_does_nothing(window, on) -> None:
    panel = on(next(iter(window.session.document.scene.frames)))
    committed = []
    panel.edits.committed.connect(committed.append)
    plan = window.session.plan
    panel.set_plan(compile_plan(Scene()))  # as while another scene is opened
    panel.parts.turns.combo.currentTextChanged.emit("ZYX")
    assert committed == []
    panel.set_plan(plan)


def test_that_a_menu_that_was_open_while_its_frame_went_does_nothing(window, on) -> None:
    panel = on("quat")
    actions = [action for action in panel.parts.convert_menu.actions() if action.isEnabled()]
    assert actions
    scene = window.session.document.scene
    kept = {name: frame for name, frame in scene.frames.items() if name != "quat"}
    window.session.commit(Edit("Removed quat", lambda scene: scene.model_copy(update={"frames": FrozenDict(kept)})))
    before = window.session.document.scene
    for action in actions:
        action.trigger()
    panel.parts.offset.click()
    assert window.session.document.scene is before
