"""Roll, pitch and yaw in the whole window: typed, dragged, written in another form, and taken back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.scene.schema.poses import Extrinsic, Rpy
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import Key, drag, strike, type_in, x_of
from tests.support.whole_window import click, wait_for, windows

SCENE = """\
framescope: 1
time: {start: 0 s, end: 10 s}
frames:
  base: {parent: world}
  lidar:
    parent: base
    position: {value: [0.5, 0, 0.3], unit: m}
    orientation: {form: rpy, angles: [10, 20, "30 + 5*t"], unit: deg}
  dish:
    parent: base
    orientation: {form: extrinsic, sequence: zxz, angles: [10, 20, 30], unit: deg}
view:
  stages: [{frame: lidar}]
  rings: [{frame: dish, radius: 0.3 m}]
"""


@pytest.fixture
def wiring(tmp_path, qapp, qtbot):
    if not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    path = tmp_path / "fixed.yaml"
    path.write_text(SCENE, encoding="utf-8")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        wiring.window.resize(1280, 800)
        yield wiring


def form_of(wiring, name="lidar"):
    return wiring.session.document.scene.frames[name].orientation


def R_of(wiring, name="lidar"):
    snapshot = wiring.session.snapshot
    return snapshot.T_PF[snapshot.index[name]].T


def test_that_roll_pitch_and_yaw_are_typed_dragged_converted_and_taken_back(wiring) -> None:
    session = wiring.session
    first = session.document.scene
    assert not session.plan.problems
    session.select(("frames", "lidar"))
    panel = wiring.window.inspector.orientation
    roll, pitch, yaw = panel.rows
    assert panel.sequence.currentText() == "rpy"
    assert [row.accessibleName() for row in panel.rows] == [
        "angle phi, roll x (fixed)",
        "angle theta, pitch y (fixed)",
        "angle psi, yaw z (fixed)",
    ]
    assert [row.field.value for row in panel.rows] == pytest.approx([10.0, 20.0, 30.0])

    type_in(roll.field, "45")
    assert form_of(wiring) == Rpy(angles=(45.0, 20.0, "30 + 5*t"), unit="deg")
    wait_for(lambda: np.allclose(R_of(wiring), Rotation.from_euler("xyz", [45, 20, 30], degrees=True).as_matrix()))

    drag(pitch.slider, pitch.slider.knob_x(), x_of(pitch.slider, -60.0))
    angles = form_of(wiring).angles
    assert angles[0] == 45.0
    assert angles[1] == pytest.approx(-60.0, abs=5.0)
    assert angles[2] == "30 + 5*t"

    type_in(yaw.field, "10*t + 5")
    assert form_of(wiring).angles[2] == "10*t + 5"

    before = R_of(wiring)
    panel.parts.convert_requested.emit("axes:ZYX")  # exact: the formula stays
    assert form_of(wiring).angles == ("10*t + 5", angles[1], 45.0)
    assert np.array_equal(R_of(wiring), before)
    assert panel.sequence.currentText() == "ZYX"

    wiring.window.activateWindow()
    for _ in range(4):
        wiring.window.commands.undo.trigger()
    assert session.document.scene is first
    wait_for(lambda: panel.sequence.currentText() == "rpy")


def test_that_another_sequence_is_chosen_by_keys_and_keeps_the_angles(wiring) -> None:
    wiring.session.select(("frames", "dish"))
    panel = wiring.window.inspector.orientation
    assert panel.sequence.currentText() == "zxz"
    panel.sequence.setFocus()
    strike(panel.sequence, Key.Key_Down)
    chosen = panel.sequence.currentText()
    assert chosen.islower()
    assert form_of(wiring, "dish") == Extrinsic(sequence=chosen, angles=(10.0, 20.0, 30.0), unit="deg")
    panel.sequence.setCurrentText("ZXZ")
    assert form_of(wiring, "dish").form == "axes"
    wiring.session.undo()
    wiring.session.undo()
    assert form_of(wiring, "dish").sequence == "zxz"


def test_that_axes_are_switched_in_the_wide_panel(wiring) -> None:
    wiring.window.set_place("Learn")
    wiring.session.select(("frames", "dish"))
    panel = wiring.window.inspector.orientation
    panel.set_detail("full")
    turns = panel.parts.turns
    assert turns.sequence_buttons["ZXZ"].text() == "zxz"
    assert turns.sequence_buttons["ZXZ"].isChecked()
    click(turns.axes.buttons["moving axes"])
    assert form_of(wiring, "dish").form == "axes"
    assert turns.sequence_buttons["ZXZ"].text() == "ZXZ"
    click(turns.axes.buttons["fixed axes"])
    click(turns.sequence_buttons["XYZ"])
    assert form_of(wiring, "dish") == Extrinsic(sequence="xyz", angles=(10.0, 20.0, 30.0), unit="deg")


def test_that_any_orientation_is_read_off_and_typed_as_roll_pitch_and_yaw(wiring) -> None:
    wiring.session.select(("frames", "dish"))
    panel = wiring.window.inspector.orientation
    panel.parts.also.chosen.emit("rpy")
    field = panel.parts.rpy.editor.fields[2]
    type_in(field, "90")
    found = Rotation.from_matrix(R_of(wiring, "dish")).as_euler("xyz", degrees=True)
    assert found[2] == pytest.approx(90.0, abs=1e-4)
    assert form_of(wiring, "dish").form == "extrinsic"
