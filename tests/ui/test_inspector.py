"""The inspector by hand: every kind of field, wrong values, undo, forms, keys and parameters."""

from __future__ import annotations

import typing

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits import fields
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.films import FollowCamera, OrbitCamera, PathCamera, PoseCamera, SceneCamera
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Keyframes
from framescope.core.scene.schema.poses import Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Plot, View
from framescope.ui.panels.inspector.editors import lists, pages
from framescope.ui.panels.inspector.editors.default_values import default_item
from framescope.ui.panels.inspector.editors.fields import fields_of, forms_in
from framescope.ui.panels.inspector.editors.form import EDITORS, FormsEditor, ModelForm
from framescope.ui.panels.inspector.editors.parameters import ParameterRow
from framescope.ui.panels.inspector.inspector import Inspector
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.larger_panel import enlarge_panel
from framescope.ui.widgets.name_field import NameField
from tests.support.grown_scenes import PLATE
from tests.support.hands import LEFT, Key, focus, show, strike, type_in
from tests.support.schema_models import models

TEXT = """\
framescope: 1
title: Test
time: {start: 0 s, end: 4 s}
parameters: {kick: 3, rate: 0.5}
frames:
  stand: {parent: world, position: {value: [0, 0, 0.5], unit: m}}
  ring: {parent: stand, orientation: {form: axes, sequence: XYZ, angles: [10, "rate*t", 0], unit: deg}}
  moved: {parent: world, motion: {form: keyframes, unit: m, keys: [{time: 0 s, position: [0, 0, 0]},
    {time: 2 s, position: [2, 0, 0]}]}}
bodies:
  disc: {frame: ring, shape: {form: cylinder, radius: 20 cm, height: 0.05 m}}
view:
  trails: [{frame: ring, duration: 2 s}]
"""

_MARKS = "Trails, rings, arcs, stages"


class Bench:
    """An inspector on a scene, with a history as the session has it."""

    def __init__(self, widget: Inspector, text: str) -> None:
        self.widget = widget
        self.scene = parse_scene(text)[0]
        self.past: list[Scene] = []
        self.labels: list[str] = []
        self.previews: list[Scene] = []
        self.t = 1.0
        widget.edits.previewed.connect(lambda edit, _pauses: self._preview(edit))
        widget.edits.committed.connect(self._commit)
        widget.edits.cancelled.connect(lambda: self._show(self.scene))
        self._show(self.scene)

    def _show(self, scene: Scene) -> None:
        plan = compile_plan(scene)
        self.widget.set_plan(plan)
        self.widget.show_snapshot(evaluate(plan, self.t))

    def _preview(self, edit) -> None:
        self.previews.append(edit.apply(self.scene))
        self._show(self.previews[-1])

    def _commit(self, edit) -> None:
        self.past.append(self.scene)
        self.labels.append(edit.label)
        self.scene = edit.apply(self.scene)
        self._show(self.scene)

    def go_to(self, t: float) -> None:
        self.t = t
        self._show(self.scene)

    def undo(self) -> None:
        self.scene = self.past.pop()
        self._show(self.scene)

    def editors(self, kind: str, name: str, *folds: str) -> dict:
        """Select an item, open folds of its page, and return its editors by their paths, written with points."""
        self.widget.set_item((kind, name))
        for fold in folds:
            self.widget.page.folds[fold].set_open(True)
        return self.found()

    def found(self) -> dict:
        shown: dict = {}
        for part in self.widget.page.findChildren(ModelForm):
            if part.isVisible():
                shown |= {".".join(map(str, each.path)): each for each in part.editors.values()}
        for part in self.widget.page.findChildren(FormsEditor):
            if part.isVisible():
                shown.setdefault(".".join(map(str, part.path)), part)
        return shown


@pytest.fixture
def bench(desk, dark):
    def put(text: str = TEXT) -> Bench:
        desk.resize(320, 900)
        return Bench(desk.put(Inspector()), text)

    return put


def choose(combo, text: str) -> None:
    """Choose an entry by the keyboard, as the pop-up does it."""
    combo.setFocus(Qt.FocusReason.TabFocusReason)
    index = combo.findText(text)
    assert index >= 0, [combo.itemText(i) for i in range(combo.count())]
    while combo.currentIndex() != index:
        QTest.keyClick(combo, Key.Key_Down if combo.currentIndex() < index else Key.Key_Up)


def choose_by_signal(combo, text: str) -> None:
    """Choose an entry at once, without those between."""
    combo.setFocus()
    combo.setCurrentIndex(combo.findText(text))
    combo.activated.emit(combo.currentIndex())


# --- No kind of field and of item is forgotten


def test_that_each_field_of_each_model_has_an_editor() -> None:
    for field in (field for model in models() for field in fields_of(model)):
        beside = {other.unit_key for other in fields_of(field.owner)}
        assert field.kind in {*EDITORS, "mapping"} or field.key in beside, (field.owner.__name__, field.key)


@pytest.mark.parametrize("kind", ["bodies", "points", "elements", "sensors", "measured"])
def test_that_each_form_of_an_item_starts_complete_and_reads_back(kind) -> None:
    scene = parse_scene(PLATE)[0]
    for form, model in forms_in(typing.get_args(Scene.model_fields[kind].annotation)[0]):
        if model is not None and kind not in {"bodies", "points"}:
            item = default_item(model, scene, (kind, "new"), form)
            grown = fields.with_value(scene, (kind, "new"), item)
            assert parse_scene(scene_text(grown))[0] == grown


def test_that_names_of_fields_are_not_cut_in_an_enlarged_panel(qtbot, dark) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    form = ModelForm(OrbitCamera, parent=panel)
    layouts.column(form, on=panel)
    show(panel, qtbot)
    names = form.findChildren(ElidedLabel)
    usual = [name.size() for name in names]
    enlarge_panel(panel, 2.0)
    for name in names:
        name.ensurePolished()
        assert name.height() >= name.fontMetrics().height()
        assert name.width() >= name.fontMetrics().horizontalAdvance(name.text())
    enlarge_panel(panel, 1.0)
    assert [name.size() for name in names] == usual


def test_that_another_camera_of_a_shot_begins_where_the_one_before_is() -> None:
    pose = PoseCamera(position=(1, 2, 3), focal_point=(4, 5, 6), unit="m", blend=Quantity(2, "s"))
    where = Scene(), ("film", "f", "shots", 0, "camera")
    orbit = default_item(OrbitCamera, *where, "orbit", pose)
    assert (orbit.pose.position, orbit.pose.focal_point) == ((1, 2, 3), (4, 5, 6))
    assert orbit.blend == pose.blend
    follow = default_item(FollowCamera, *where, "follow", orbit)
    assert follow.pose == orbit.pose
    path = default_item(PathCamera, *where, "path", follow)
    assert (path.keys[0].position, path.keys[0].focal_point, path.unit) == ((1, 2, 3), (4, 5, 6), "m")
    assert default_item(PoseCamera, *where, "pose", path) == pose
    assert default_item(OrbitCamera, *where, "orbit", path).pose == orbit.pose
    assert default_item(OrbitCamera, *where, "orbit", SceneCamera()).pose is None


def test_that_each_list_begins_with_a_complete_item() -> None:
    scene = parse_scene(PLATE)[0]
    lists = [field for model in models() for field in fields_of(model) if field.kind == "list"]
    for field in lists:
        model = field.forms[0][1]
        if field.owner is Plot or (field.owner is View and field.key in ("plots", "answers")):
            continue  # those have panels of their own
        assert type(default_item(model, scene, ("frames", "plate", field.key))) is model


REPARENTED = """\
framescope: 1
time: {end: 4 s}
frames:
  a: {parent: world}
  b: {parent: a}
"""


def test_that_the_first_change_of_parent_is_one_click(bench) -> None:
    table = bench(REPARENTED)
    keys = table.editors("frames", "b", "Motion")["frames.b.parent_keys"]
    QTest.mouseClick(keys.add, LEFT)
    assert [(key.time.value, key.parent) for key in table.scene.frames["b"].parent_keys] == [(table.t, "a")]


def test_that_a_page_is_shown_for_every_kind_of_item(bench) -> None:
    table = bench(PLATE)
    for kind in ("frames", "bodies", "points", "elements", "sensors", "measured"):
        for name in getattr(table.scene, kind):
            table.widget.set_item((kind, name))
            assert table.widget.page.name.line.text() == name
    table.widget.set_item(("frames", "world"))
    assert isinstance(table.widget.page, pages.ScenePage)
    assert not table.labels


VALVES = """\
framescope: 1
frames: {pump: {parent: world}}
sensors:
  valves: {form: recorded, frame_a: pump, file: run.csv, time: t, time_unit: s, values: [open, "flow, l/s"], unit: bar}
  odd: {form: recorded, frame_a: pump, file: run.csv, time: t, time_unit: s, values: ["two\\nlines"]}
"""


def test_that_names_are_typed_one_a_line_and_kept_when_they_are_left(bench) -> None:
    table = bench(VALVES)
    names = table.editors("sensors", "valves")["sensors.valves.values"]
    assert names.box.toPlainText() == "open\nflow, l/s"
    type_in(names.box, "open", None)
    QTest.keyClick(names.box, Key.Key_Return)
    QTest.keyClick(names.box, Key.Key_Return)
    QTest.keyClicks(names.box, "turn")
    assert not table.previews
    QTest.keyClick(names.box, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert table.scene.sensors["valves"].values == ("open", "turn")
    type_in(names.box, " ", None)
    names.box.selectAll()
    QTest.keyClick(names.box, Key.Key_Delete)
    QTest.keyClick(names.box, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert names.message == "Expected at least 1."
    assert table.scene.sensors["valves"].values == ("open", "turn")


def test_that_a_name_which_a_text_box_cannot_hold_is_changed_in_the_file_alone(bench) -> None:
    table = bench(VALVES)
    names = table.editors("sensors", "odd")["sensors.odd.values"]
    assert names.box.isReadOnly()
    assert "line break" in names.message


@pytest.mark.parametrize("model", [m for m in models() if m.__name__ not in ("Hidden", "View", "Scene")])
def test_that_each_editor_of_each_model_can_be_made(model, qtbot, dark) -> None:
    form = ModelForm(model)
    qtbot.addWidget(form)
    assert form.editors.keys() == {field.key for field in fields_of(model)} - {f.unit_key for f in fields_of(model)}


# --- Numbers, units, words


def test_that_a_quantity_is_typed_and_only_that_changes(bench) -> None:
    table = bench()
    before = table.scene
    radius = table.editors("bodies", "disc")["bodies.disc.shape.radius"]
    type_in(radius.number, "0,25")
    assert table.scene.bodies["disc"].shape.radius == Quantity(0.25, "cm")
    assert table.labels == ["Set radius of disc to 0.25 cm"]
    text, former = scene_text(table.scene), scene_text(before)
    assert [line for line in text.splitlines() if line not in former.splitlines()] == ["      radius: 0.25 cm"]
    table.undo()
    assert table.scene is before
    assert radius.number.value == 20.0


def test_that_another_unit_keeps_the_quantity_and_a_typed_one_is_taken(bench) -> None:
    table = bench()
    radius = table.editors("bodies", "disc")["bodies.disc.shape.radius"]
    choose(radius.unit, "mm")
    assert table.scene.bodies["disc"].shape.radius == Quantity(200.0, "mm")
    type_in(radius.number, "0.3 m")
    assert table.scene.bodies["disc"].shape.radius == Quantity(0.3, "m")


def test_that_another_unit_keeps_expressions_and_comes_back(bench) -> None:
    table = bench()
    before = table.scene
    angles = table.editors("frames", "ring", "Rotation as written")["frames.ring.orientation.angles"]
    choose(angles.unit, "rad")
    form = table.scene.frames["ring"].orientation
    assert form.angles == (0.174532925199, "(rate*t)*pi/180", 0.0)
    choose(angles.unit, "°")
    assert table.scene.frames["ring"].orientation.angles[1] == "rate*t"
    table.undo()
    table.undo()
    assert table.scene == before


def test_that_a_wrong_value_stays_marked_and_nothing_is_committed(bench) -> None:
    table = bench()
    opacity = table.editors("bodies", "disc")["bodies.disc.opacity"]
    type_in(opacity.number, "3")
    assert opacity.message == "Expected at most 1."
    assert opacity.number.property("invalid")
    assert opacity.number.text() == "3"
    assert not table.labels
    strike(opacity.number, Key.Key_Escape)
    assert (opacity.number.text(), opacity.message) == ("1", "")
    type_in(opacity.number, "0.5")
    assert table.scene.bodies["disc"].opacity == 0.5


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bodies.disc.shape.radius", "-3"),
        ("bodies.disc.shape.height", "0"),
        ("bodies.disc.mass", "-2 kg"),
        ("view.trails.0.duration", "0"),
    ],
)
def test_that_a_number_that_cannot_be_is_refused_in_its_field(bench, path, text) -> None:
    table = bench()
    shown = table.editors("bodies", "disc") if path.startswith("bodies") else table.editors("", "", _MARKS)
    editor = shown[path]
    before = editor.number.text()
    type_in(editor.number, text)
    assert editor.message == "Expected more than zero."
    assert editor.number.property("invalid")
    assert not table.labels
    strike(editor.number, Key.Key_Escape)
    assert (editor.number.text(), editor.message) == (before, "")


def test_that_a_refused_number_comes_back_marked_with_its_item(bench) -> None:
    table = bench()
    shown = table.editors("bodies", "disc")
    opacity, colour = shown["bodies.disc.opacity"], shown["bodies.disc.color"]
    type_in(colour.line, "#12")
    type_in(opacity.number, "5")
    assert (opacity.number.text(), colour.line.text()) == ("5", "#12")
    table.widget.set_item(("frames", "ring"))
    table.widget.set_item(("bodies", "disc"))
    assert (opacity.number.text(), opacity.number.property("invalid")) == ("5", True)
    assert opacity.message
    assert (colour.line.text(), colour.message) == ("", "")
    focus(opacity.number)
    strike(opacity.number, Key.Key_Escape)
    table.widget.set_item(("frames", "ring"))
    table.widget.set_item(("bodies", "disc"))
    assert (opacity.number.text(), opacity.message, opacity.number.property("invalid")) == ("1", "", False)


def test_that_a_refused_value_gives_way_to_that_of_the_scene_when_shown_afresh(bench) -> None:
    table = bench()
    opacity = table.editors("bodies", "disc")["bodies.disc.opacity"]
    name = table.widget.page.name.line
    type_in(name, "a" * 201)
    strike(name, Key.Key_Escape)
    assert (name.text(), name.property("invalid")) == ("disc", False)
    type_in(name, "a" * 201)
    type_in(opacity.number, "5")
    table.widget.discard_typed()
    assert (opacity.number.text(), opacity.message) == ("1", "")
    assert (name.text(), name.property("invalid")) == ("disc", False)


def test_that_the_chosen_key_stays_chosen_when_shown_afresh(bench) -> None:
    table = bench()
    keys = table.editors("frames", "moved", "Motion")["frames.moved.motion.keys"]
    keys.choose(1)
    position = table.found()["frames.moved.motion.keys.1.position"]
    type_in(position.cells[0,], "?")
    table.widget.discard_typed()
    assert keys.i_row == 1
    assert (position.cells[0,].text(), position.message) == ("2", "")


def test_that_an_expression_says_its_value_and_a_wrong_one_what_was_meant(bench) -> None:
    table = bench()
    angles = table.editors("frames", "ring", "Rotation as written")["frames.ring.orientation.angles"]
    type_in(angles.cells[(0,)], "20*sinn(t)")
    assert "sinn" in angles.message
    assert 'Did you mean "sin"' in angles.message
    assert not table.labels
    type_in(angles.cells[(0,)], "20*sin(rate*t)")
    assert angles.message == ""
    assert table.scene.frames["ring"].orientation.angles == ("20*sin(rate*t)", "rate*t", 0.0)
    assert angles.value_labels[(0,)].text() == "now 9.59°, 8.78°/s"
    type_in(angles.cells[(0,)], "30")
    assert table.scene.frames["ring"].orientation.angles[0] == 30.0


def test_that_scrubbing_a_number_previews_and_commits_once(bench) -> None:
    table = bench()
    table.editors("frames", "stand")
    cell = table.widget.page.position.cells[2]
    QTest.mousePress(cell, LEFT, pos=cell.rect().center())
    for dx in (6, 8, 12):
        QTest.mouseMove(cell, cell.rect().center() + type(cell.rect().center())(dx, 0))
    assert table.previews
    assert not table.labels
    QTest.mouseRelease(cell, LEFT, pos=cell.rect().center())
    assert len(table.labels) == 1
    assert table.scene == table.previews[-1]


def test_that_a_position_is_typed_in_one_row_also_where_there_was_none(bench) -> None:
    table = bench("framescope: 1\nframes:\n  a: {parent: world}\n")
    table.editors("frames", "a")
    row = table.widget.page.position
    type_in(row.cells[1], "0.5")
    assert table.scene.frames["a"].position == Position(value=(0.0, 0.5, 0.0), unit="m")
    type_in(row.cells[2], "0.1*sin(t)")
    assert table.scene.frames["a"].position.value == (0.0, 0.5, "0.1*sin(t)")
    choose(row.unit, "mm")
    position = table.scene.frames["a"].position
    assert (position.unit, position.value[:2]) == ("mm", (0.0, 500.0))
    type_in(row.cells[0], "sin(")
    assert row.message
    assert table.scene.frames["a"].position.value[0] == 0.0
    type_in(row.cells[0], "")
    assert table.scene.frames["a"].position.value[0] == 0.0
    table.widget.discard_typed()
    while table.past:
        table.undo()
    assert table.scene.frames["a"].position is None
    assert [cell.text() for cell in row.cells] == ["0", "0", "0"]


def test_that_an_optional_quantity_comes_and_goes(bench) -> None:
    table = bench()
    before = table.scene
    mass = table.editors("bodies", "disc")["bodies.disc.mass"]
    type_in(mass.number, "2")
    assert table.scene.bodies["disc"].mass == Quantity(2.0, "kg")
    type_in(mass.number, "\b")
    strike(mass.number, Key.Key_Delete)
    strike(mass.number, Key.Key_Return)
    assert scene_text(table.scene) == scene_text(before)
    assert table.labels[-1] == "Removed mass of disc"


def test_that_a_switch_a_word_and_a_colour_are_set(bench) -> None:
    table = bench()
    editors = table.editors("bodies", "disc")
    QTest.mouseClick(editors["bodies.disc.edges"].box, LEFT)
    QTest.mouseClick(editors["bodies.disc.color"].swatches["x"], LEFT)
    assert (table.scene.bodies["disc"].edges, table.scene.bodies["disc"].color) == (True, "x")
    line = editors["bodies.disc.color"].line
    type_in(line, "#12345")
    assert "#rrggbb" in editors["bodies.disc.color"].message or "colour" in editors["bodies.disc.color"].message
    type_in(line, "#123456")
    assert table.scene.bodies["disc"].color == "#123456"
    assert len(table.labels) == 3


def test_that_a_name_is_chosen_and_a_missing_one_is_refused(bench) -> None:
    table = bench()
    frame = table.editors("bodies", "disc")["bodies.disc.frame"]
    type_in(frame.combo.line, "stadn", end=None)
    strike(frame.combo.line, Key.Key_Tab)
    assert 'Did you mean "stand"' in frame.message
    assert not table.labels
    type_in(frame.combo.line, "stand")
    assert frame.message == ""
    assert table.scene.bodies["disc"].frame == "stand"


def test_that_a_frame_cannot_be_hung_on_itself_or_below(bench) -> None:
    table = bench()
    parent = table.editors("frames", "stand")["frames.stand.parent"]
    for name in ("stand", "ring"):
        type_in(parent.combo.line, name)
        assert not table.labels
        assert parent.message == f"The frames would form a loop: {name} is this frame, or carried by it."


def test_that_what_was_typed_is_kept_for_its_own_item(bench) -> None:
    table = bench()
    radius = table.editors("bodies", "disc")["bodies.disc.shape.radius"]
    type_in(radius.number, "7", end=None)
    table.widget.set_item(("frames", "ring"))
    assert table.scene.bodies["disc"].shape.radius == Quantity(7.0, "cm")


def test_that_the_look_of_a_frame_is_said_and_taken_back(bench) -> None:
    table = bench()
    before = table.scene
    label = table.editors("frames", "ring", "Look")["view.frames.ring.label"]
    choose(label.combo, "hidden")
    assert table.scene.view.frames["ring"].label is False
    while label.combo.currentIndex() != 0:
        QTest.keyClick(label.combo, Key.Key_Up)
    assert table.scene == before


# --- Forms


def test_that_another_shape_keeps_what_both_have(bench) -> None:
    table = bench()
    before = table.scene
    shape = table.editors("bodies", "disc")["bodies.disc.shape"]
    shape.combo.setFocus()
    QTest.keyClicks(shape.combo, "cone")
    assert table.scene.bodies["disc"].shape.form == "cone"
    assert table.scene.bodies["disc"].shape.radius == Quantity(20.0, "cm")
    table.undo()
    assert table.scene is before


def test_that_motions_are_switched_and_the_pose_of_the_moment_stays(bench) -> None:
    table = bench()
    before = table.scene
    motion = table.editors("frames", "stand", "Motion")["frames.stand.motion"]
    pose = evaluate(compile_plan(before), 1.0)
    for word in ("keyframes", "simulated", "still"):
        motion.combo.setFocus()
        motion.combo.setCurrentIndex(motion.combo.findText(word))
        motion.combo.activated.emit(motion.combo.currentIndex())
        now = evaluate(compile_plan(table.scene), 1.0)
        if word != "simulated":
            assert now.p_WF[now.index["stand"]] == pytest.approx(pose.p_WF[pose.index["stand"]])
        frame = table.scene.frames["stand"]
        assert (frame.motion.form if frame.motion else "still") == word
        assert frame.motion is None or word == "simulated" or frame.position is None
    for _ in range(3):
        table.undo()
    assert table.scene is before


def test_that_a_frame_is_made_to_turn_and_to_stop_where_it_is(bench) -> None:
    table = bench("framescope: 1\nframes:\n  a: {parent: world}\n")
    table.go_to(4.7641)
    motion = table.editors("frames", "a", "Motion")["frames.a.motion"]
    assert motion.combo.currentText() == "still"
    choose_by_signal(motion.combo, "formula")
    assert motion.combo.currentText() == "formula"
    assert table.scene.frames["a"].orientation.angles == (0.0, 0.0, "36*t")
    start = evaluate(compile_plan(table.scene), 0.0)
    assert start.R_WF[1] == pytest.approx(np.eye(3))  # from where it was when it stood still
    table.go_to(2.5)
    turned = evaluate(compile_plan(table.scene), 2.5).R_WF[1]
    assert turned[0, 0] == pytest.approx(0.0, abs=1e-12)
    choose_by_signal(motion.combo, "still")
    assert table.scene.frames["a"].orientation.angles == (0.0, 0.0, 90.0)
    assert motion.combo.currentText() == "still"


def test_that_a_key_is_added_at_the_present_time_set_and_removed(bench) -> None:
    table = bench()
    before = table.scene
    keys = table.editors("frames", "moved", "Motion")["frames.moved.motion.keys"]
    QTest.mouseClick(keys.add, LEFT)
    motion = table.scene.frames["moved"].motion
    assert isinstance(motion, Keyframes)
    assert [key.time.value for key in motion.keys] == [0.0, 1.0, 2.0]
    assert keys.i_row == 1
    assert motion.keys[1].position == pytest.approx((1.0, 0.0, 0.0))
    x = keys.form.editors["position"].cells[(0,)]
    type_in(x, "5")
    assert table.scene.frames["moved"].motion.keys[1].position[0] == 5.0
    table.go_to(2.0)
    QTest.mouseClick(keys.take, LEFT)
    assert table.scene.frames["moved"].motion.keys[1].position[0] == pytest.approx(2.0)
    QTest.mouseClick(keys.add, LEFT)
    assert "selected" in keys.message
    keys.choose(1)
    QTest.mouseClick(keys.remove, LEFT)
    assert table.scene.frames["moved"].motion.keys == before.frames["moved"].motion.keys
    for _ in range(4):
        table.undo()
    assert table.scene is before


# --- The scene


def test_that_a_slider_of_a_parameter_previews_and_commits_once(bench) -> None:
    table = bench()
    table.widget.set_item(("", ""))
    part = table.widget.page.folds["Parameters"].content.findChild(pages.parameters.ParametersEditor)
    slider = part.rows["kick"].slider
    x, y = round(slider.knob_x()), slider.height() // 2
    QTest.mousePress(slider, LEFT, pos=slider.rect().topLeft() + type(slider.rect().topLeft())(x, y))
    for dx in (5, 10, 20):
        QTest.mouseMove(slider, slider.rect().topLeft() + type(slider.rect().topLeft())(x + dx, y))
    assert len(table.previews) == 3
    assert part.rows["kick"].number.value == slider.value > 3.0
    QTest.mouseRelease(slider, LEFT, pos=slider.rect().topLeft() + type(slider.rect().topLeft())(x + 20, y))
    assert table.labels == [f"Set parameter kick to {slider.value:g}"]
    assert table.scene.parameters["kick"] == slider.value
    assert table.scene.parameters["rate"] == 0.5


def test_that_a_parameter_of_a_joint_has_its_unit(bench) -> None:
    joint = "{parent: world, motion: {form: joint, type: revolute, value: kick, unit: rad}}"
    table = bench(TEXT.replace("  moved:", f"  arm: {joint}\n  moved:"))
    table.widget.set_item(("", ""))
    part = table.widget.page.folds["Parameters"].content.findChild(pages.parameters.ParametersEditor)
    assert part.rows["kick"].number.accessibleName() == "parameter kick, rad"
    type_in(part.rows["kick"].number, "90 deg")
    assert table.scene.parameters["kick"] == pytest.approx(np.radians(90.0))
    assert part.rows["rate"].number.accessibleName() == "parameter rate"
    type_in(part.rows["rate"].number, "90 deg")
    assert table.scene.parameters["rate"] == 0.5


def test_that_a_parameter_is_added_renamed_everywhere_and_removed(bench) -> None:
    table = bench()
    table.widget.set_item(("", ""))
    part = table.widget.page.folds["Parameters"].content.findChild(pages.parameters.ParametersEditor)
    type_in(part.rows["rate"].name, "sin")
    assert "function" in part.message
    type_in(part.rows["rate"].name, "speed")
    assert table.scene.frames["ring"].orientation.angles[1] == "speed*t"
    assert list(table.scene.parameters) == ["kick", "speed"]
    QTest.mouseClick(part.add, LEFT)
    assert table.scene.parameters["p1"] == 1.0
    QTest.mouseClick(part.rows["p1"].remove, LEFT)
    assert list(table.scene.parameters) == ["kick", "speed"]


@pytest.mark.parametrize("bad", ["", "9bad", "kick"])
def test_that_escape_and_another_item_bring_the_name_of_a_parameter_back(bench, bad) -> None:
    table = bench()
    table.widget.set_item(("", ""))
    part = table.widget.page.folds["Parameters"].content.findChild(pages.parameters.ParametersEditor)
    name = part.rows["rate"].name

    def refuse() -> None:
        focus(name)
        name.selectAll()
        QTest.keyClick(name, Key.Key_Delete)
        QTest.keyClicks(name, bad)
        strike(name, Key.Key_Return)
        assert part.message
        assert (name.text(), name.property("invalid")) == (bad, True)

    def is_well() -> bool:
        return (name.text(), name.property("invalid"), part.message) == ("rate", False, "")

    refuse()
    strike(name, Key.Key_Escape)
    assert is_well()
    refuse()
    table.widget.set_item(("frames", "ring"))
    table.widget.set_item(("", ""))
    assert is_well()
    refuse()
    table.widget.discard_typed()
    assert is_well()
    assert not table.labels


def test_that_the_row_of_a_parameter_that_has_gone_says_nothing_any_more(bench) -> None:
    table = bench()
    table.widget.set_item(("", ""))
    part = table.widget.page.folds["Parameters"].content.findChild(pages.parameters.ParametersEditor)
    gone = part.rows["rate"]
    focus(gone.name)
    QTest.keyClicks(gone.name, "speed")
    QTest.keyClick(gone.name, Key.Key_Return)
    assert list(part.rows) == ["kick", "speed"]
    before = table.scene
    QTest.keyClicks(gone.name, "5")  # keys and clicks that were on their way
    QTest.keyClick(gone.name, Key.Key_Return)
    QTest.keyClick(gone.slider, Key.Key_Right)
    QTest.mouseClick(gone.remove, LEFT)
    assert table.scene is before
    assert not part.message


def test_that_what_is_drawn_is_added_and_removed(bench) -> None:
    table = bench()
    before = table.scene
    table.widget.set_item(("", ""))
    table.widget.page.folds["Trails, rings, arcs, stages"].set_open(True)
    found = table.widget.page.findChildren(pages.lists.ListEditor)
    rings = next(each for each in found if each.field.key == "rings")
    QTest.mouseClick(rings.add, LEFT)
    assert len(table.scene.view.rings) == 1
    QTest.mouseClick(rings.remove, LEFT)
    assert table.scene.view.rings == before.view.rings


@pytest.mark.parametrize("bad", ["stand", "world", 201 * "a", "a\u200bb", "  "])
def test_that_a_name_that_cannot_be_is_refused_and_another_is_asked_for(bench, bad) -> None:
    table = bench()
    asked = []
    table.widget.edits.items_committed.connect(asked.append)
    table.widget.set_item(("frames", "ring"))
    name = table.widget.page.name.line
    type_in(name, bad)
    assert name.property("invalid")
    assert not asked
    type_in(name, "hoop")
    assert not name.property("invalid")
    (edit,) = asked
    assert edit.keys == (("frames", "hoop"),)
    assert "hoop" in edit.apply(table.scene).frames


def test_that_an_emptied_name_is_refused_in_words_and_escape_brings_it_back(bench) -> None:
    table = bench()
    table.widget.set_item(("frames", "ring"))
    name = table.widget.page.name.line
    name.selectAll()
    for key in (Key.Key_Delete, Key.Key_Return):
        QTest.keyClick(name, key)
    assert name.property("invalid")
    QTest.keyClick(name, Key.Key_Escape)
    assert (name.text(), name.property("invalid")) == ("ring", False)


def test_that_arrow_keys_open_the_list_of_motions_and_change_nothing(bench) -> None:
    table = bench()
    before = table.scene
    combo = table.editors("frames", "stand", "Motion")["frames.stand.motion"].combo
    for key in (Key.Key_Down, Key.Key_Up):
        combo.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(combo, key)
        assert combo.view().isVisible()
        combo.hidePopup()
        assert table.scene is before


def test_that_small_and_finite_angles_are_compared(bench) -> None:
    pale = "  pale: {parent: world, motion: {form: simulated, model: small angle, like: plate}}\n"
    table = bench(PLATE.replace("  arm:", pale + "  arm:"))
    table.widget.set_item(("frames", "plate"))
    shift, turn = table.widget.frame_page.twin.rows
    now = evaluate(compile_plan(table.scene), 1.0)
    assert shift.values == pytest.approx(now.p_WF[now.index["plate"]] - now.p_WF[now.index["pale"]])
    assert abs(turn.values).max() > 0.0


def test_that_folds_remember_whether_they_are_open(bench) -> None:
    table = bench()
    table.editors("frames", "ring", "Look")
    table.widget.set_item(("bodies", "disc"))
    table.widget.set_item(("frames", "stand"))
    assert table.widget.page.folds["Look"].is_open
    heading = table.widget.page.folds["Look"].button
    heading.setFocus()
    strike(heading, Key.Key_Return)
    assert not table.widget.page.folds["Look"].is_open


RECORDED = """\
framescope: 1
frames:
  hand: {parent: world, motion: {form: recorded, file: walk.txt, format: tum, bandwidth: 5 Hz, start: 0 s}}
  arm: {parent: world}
"""


def test_that_mends_of_a_recording_are_ticked(bench) -> None:
    table = bench(RECORDED)
    mends = table.editors("frames", "hand", "Motion")["frames.hand.motion.mends"]
    for word in ("leave gaps empty", "sort by time"):
        QTest.mouseClick(mends.boxes[word], LEFT, pos=mends.boxes[word].rect().center())
    assert table.scene.frames["hand"].motion.mends == ("sort by time", "leave gaps empty")
    assert table.labels[-1] == "Set mends of hand to sort by time, leave gaps empty"
    for word in ("leave gaps empty", "sort by time"):
        mends.boxes[word].setFocus()
        strike(mends.boxes[word], Key.Key_Space)
    assert table.scene.frames["hand"].motion.mends == ()
    assert "mends" not in scene_text(table.scene)
    table.undo()
    assert mends.boxes["sort by time"].isChecked()


def test_that_a_recorded_frame_has_no_fields_for_a_pose_of_its_own(bench) -> None:
    table = bench(RECORDED)
    table.editors("frames", "arm", "Rotation as written")
    assert table.widget.page.position.isVisible()
    assert table.editors("frames", "hand")["frames.hand.parent"].isVisible()
    assert not table.widget.page.position.isVisible()
    assert not table.widget.page.turn.isVisible()
    table.widget.set_item(("frames", "arm"))
    assert table.widget.page.turn.isVisible()


def test_that_a_number_at_rest_has_the_digits_there_is_room_for(bench) -> None:
    table = bench(
        "framescope: 1\nframes:\n  arm: {parent: world, orientation: {form: quaternion, order: xyzw,"
        " value: [0, 0, 0.70710678118, 0.70710678118]}}\n"
    )
    cell = table.editors("frames", "arm", "Rotation as written")["frames.arm.orientation.value"].cells[(2,)]
    assert "0.70710678118".startswith(cell.text()[:5])
    assert cell.fontMetrics().horizontalAdvance(cell.text()) < cell.width()
    cell.setFocus(Qt.FocusReason.TabFocusReason)
    assert cell.text() == "0.7071067812"
    assert cell.selectedText() == cell.text()
    strike(cell, Key.Key_Return)
    strike(cell, Key.Key_Tab)
    assert table.labels == []
    assert len(cell.text()) < len("0.7071067812")


def test_that_an_edit_of_an_item_that_has_gone_is_refused_in_words() -> None:
    edit = fields.set_values({("bodies", "arrow", "opacity"): 0.5}, "Set opacity")
    with pytest.raises(fields.RefusedValueError, match="arrow is not there any more"):
        edit.apply(Scene())


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        (("view", "plots", 0, "components", 0), "entry 1"),
        (("view", "plots", 0, "also", 7, "unit"), "entry 8"),
        (("view", "plots", 7, "unit"), "entry 8"),
        (("time", "begin", "value"), "begin"),
        (("time", "end", 0), "entry 1"),
    ],
)
def test_that_an_edit_within_a_field_that_has_gone_is_refused_in_words(path, gone) -> None:
    scene = Scene.model_validate({"view": {"plots": [{"signal": "energy"}]}})
    with pytest.raises(fields.RefusedValueError, match=f"{gone} is not there any more"):
        fields.set_values({path: 1.0}, "Set").apply(scene)
    with pytest.raises(KeyError, match=gone):
        fields.without_value(scene, path)


def test_that_a_scene_is_never_exchanged_for_the_value_of_a_field() -> None:
    with pytest.raises(fields.RefusedValueError, match="not there any more"):
        fields.set_values({(): 1.0}, "Set").apply(Scene())


def test_that_an_edit_that_comes_before_another_item_is_shown_is_of_the_item_it_was_made_for(bench) -> None:
    table = bench()
    opacity = table.editors("bodies", "disc")["bodies.disc.opacity"]
    opacity.forget()
    assert opacity.edit(0.5)
    assert table.scene.bodies["disc"].opacity == 0.5


def test_that_units_of_arrows_are_seen_whole_beside_their_number(bench) -> None:
    text = TEXT + "sensors:\n  gyro: {form: absolute, frame_a: ring, get_w: true, arrows: {w: 0.35 m per rad/s}}\n"
    put = bench(text)
    put.widget.window().resize(280, 900)
    editor = put.editors("sensors", "gyro")["sensors.gyro.arrows.w"]
    text_width = editor.unit.fontMetrics().horizontalAdvance(editor.unit.currentText())
    assert editor.unit.width() >= text_width + 28
    assert editor.number.text() == "0.35"
    assert editor.number.width() >= editor.number.fontMetrics().horizontalAdvance("0.35") + 8


def test_that_a_long_name_of_a_parameter_shows_its_beginning(bench) -> None:
    put = bench(TEXT.replace("kick: 3", "a_rather_long_name_of_a_parameter: 3"))
    put.editors("", "", "Parameters")
    (row,) = [row for row in put.widget.findChildren(ParameterRow) if len(row.name.text()) > 20]
    assert row.name.cursorPosition() == 0


def test_that_texts_of_fields_begin_below_each_other(bench) -> None:
    put = bench()
    editors = put.editors("bodies", "disc")
    shape, frame = editors["bodies.disc.shape"], editors["bodies.disc.frame"]

    def inked_from(box) -> int:
        """Return where the text of a box begins."""
        image = box.grab().toImage()
        ground = image.pixelColor(5, box.height() // 2)
        return next(
            x
            for x in range(3, box.width())
            if any(image.pixelColor(x, y) != ground for y in range(5, box.height() - 5))
        )

    begins = [inked_from(box) for box in (put.widget.page.name.line, shape.combo, frame.combo)]
    assert max(begins) - min(begins) <= 2


def test_that_the_header_says_how_many_are_selected(bench) -> None:
    inspector = bench().widget
    told: list[tuple[str, str]] = []
    inspector.titled.connect(lambda *texts: told.append(texts))
    keys = (("frames", "ring"), ("bodies", "disc"), ("frames", "moved"))
    inspector.set_selected(keys)
    inspector.set_item(keys[1])
    assert told[-1] == ("3 items selected", "disc is shown")
    inspector.set_item(("frames", "stand"))  # in the scene, where one is selected at a time
    assert told[-1] == ("stand", "in world")
    inspector.set_item(keys[0])
    inspector.set_selected(keys[:1])
    assert told[-1][0] == "ring"


def test_that_steps_of_undo_name_what_was_added_in_words() -> None:
    found = {model.__name__: lists.name_with_article(model) for model in models()}
    assert {name: found[name] for name in ("IntermediateFrames", "Rings", "CameraKey", "Key")} == {
        "IntermediateFrames": "an intermediate frame",
        "Rings": "a ring",
        "CameraKey": "a camera key",
        "Key": "a key",
    }


# --- Sensors ask as the question bar does

SENSED = """\
framescope: 1
frames:
  base: {parent: world}
  left arm: {parent: base}
  right arm: {parent: base}
sensors:
  gyro: {form: absolute, frame_a: left arm, get_w: true}
  gap: {form: relative, frame_a: left arm, frame_b: right arm, get_r_rel: true}
"""


def test_that_the_editor_of_a_sensor_has_the_boxes_of_a_question(bench) -> None:
    table = bench(SENSED)
    for name, words in (("gyro", ["of", "in axes of"]), ("gap", ["of", "relative to", "in axes of"])):
        editors = list(table.editors("sensors", name).values())
        boxes = [each.combo for each in editors if isinstance(getattr(each, "combo", None), NameField)]
        assert [box.accessibleName() for box in boxes] == words
        page = table.widget.page
        assert [
            label.text() for label in page.findChildren(ElidedLabel) if label.isVisible() and label.text() in words
        ] == words


def test_that_the_axes_of_a_sensor_are_one_frame_that_is_typed(bench) -> None:
    table = bench(SENSED)
    editors = table.editors("sensors", "gyro")
    axes = editors["sensors.gyro.frame_resolve"].combo
    assert "sensors.gyro.resolve_in_frame_a" not in editors
    assert axes.name == "world"
    type_in(axes.line, "arm le")
    gyro = table.scene.sensors["gyro"]
    assert (gyro.resolve_in_frame_a, gyro.frame_resolve, axes.name) == (True, None, "left arm")
    assert table.labels == ["Set “in axes of” of gyro to left arm"]
    type_in(axes.line, "rig")
    gyro = table.scene.sensors["gyro"]
    assert (gyro.resolve_in_frame_a, gyro.frame_resolve) == (False, "right arm")
    type_in(axes.line, "world")
    assert table.scene.sensors["gyro"] == parse_scene(SENSED)[0].sensors["gyro"]
    editors = table.editors("sensors", "gap")
    axes, of = (editors[f"sensors.gap.{key}"].combo for key in ("resolve_in", "frame_b"))
    assert (axes.name, of.name) == ("left arm", "right arm")
    type_in(axes.line, "base")
    assert table.scene.sensors["gap"].resolve_in == "base"
    type_in(axes.line, "left")
    assert table.scene.sensors["gap"].resolve_in is None
    type_in(of.line, "arm")  # both arms
    assert editors["sensors.gap.frame_b"].message == "2 frames with arm in the name: choose one in the list."
    strike(of.line, Key.Key_Escape)
    assert (of.line.text(), editors["sensors.gap.frame_b"].message) == ("right arm", "")


SHORT = """\
framescope: 1
frames:
  place: {parent: world, position: {value: [1, 2], unit: m}}
  angles: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [1, 2], unit: deg}}
  quaternion: {parent: world, orientation: {form: quaternion, order: wxyz, value: [1, 0, 0]}}
  rows: {parent: world, orientation: {form: matrix, maps: parent-to-frame, rows: [[1, 0, 0], [0, 1, 0]]}}
  row: {parent: world, orientation: {form: matrix, maps: parent-to-frame, rows: [[1, 0, 0], [0, 1, 0], [0, 0]]}}
"""
FIRST_MISSING = {
    "place": (("position", "value"), "position z"),
    "angles": (("orientation", "angles"), "angles γ"),
    "quaternion": (("orientation", "value"), "quaternion  4"),
    "rows": (("orientation", "rows"), "matrix  3 1"),
    "row": (("orientation", "rows", 2), "matrix  3 3"),
}


@pytest.mark.parametrize("name", FIRST_MISSING)
def test_that_the_field_of_a_missing_number_is_opened_and_takes_a_number(bench, name) -> None:
    hands = bench(SHORT)
    hands.widget.set_item(("frames", name))
    path, field_name = FIRST_MISSING[name]
    (problem,) = (p for p in compile_plan(hands.scene).problems if p.name == name)
    assert problem.key_path == ("frames", name, *path)
    hands.widget.focus_field(problem.key_path)
    field = QApplication.focusWidget()
    assert field.accessibleName() == field_name
    assert (field.text(), field.value) == ("", None)
    QTest.mouseClick(field, LEFT)
    strike(field, Key.Key_Up)
    assert hands.past
    hands.undo()
    missing = {"rows": 3}.get(name, 1)
    for _ in range(missing):
        hands.widget.focus_field(problem.key_path)
        type_in(QApplication.focusWidget(), "1")
    assert name not in {p.name for p in compile_plan(hands.scene).problems if "expected" in p.message}
