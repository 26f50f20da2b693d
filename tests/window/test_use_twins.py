"""Another order beside a frame, in the whole window by hand: asked for, compared, driven by one slider, taken back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.core import frames
from framescope.features.detective.ui.order_dialog import TITLE, OrderDialog
from tests.support.hands import CTRL, Key, move, press, release, strike, type_in, x_of
from tests.support.whole_window import click, click_item, from_menu, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  mount: {parent: world, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
  plane: {parent: mount, orientation: {form: axes, sequence: ZYX, angles: [20, 60, -35], unit: deg}}
  euler: {parent: world, orientation: {form: axes, sequence: ZXZ, angles: [0, 0, 0], unit: deg}}
  keyed: {parent: world, motion: {form: keyframes, keys: [{time: 0 s, position: [0, 0, 1]}], unit: m}}
bodies:
  wing: {frame: plane, shape: {form: box, size: [0.2, 1, 0.02], unit: m}}
view:
  triad_length: 0.3 m
  arcs: [{frame: plane, radius: 0.4 m}]
"""


@pytest.fixture
def open_it(qtbot):
    with windows(qtbot) as open_it:
        yield open_it


@pytest.fixture
def wiring(open_it, tmp_path):
    path = tmp_path / "orders.yaml"
    path.write_text(SCENE)
    return open_it(path)


def asked(wiring) -> OrderDialog:
    """Return the dialog that the menu brings up."""
    from_menu(wiring, "Edit", f"{TITLE}…")
    wait_for(lambda: isinstance(QApplication.activeModalWidget(), OrderDialog))
    dialog = QApplication.activeModalWidget()
    dialog.activateWindow()
    wait_for(dialog.isActiveWindow)
    return dialog


def choose_order(dialog: OrderDialog, sequence: str) -> None:
    """Choose a sequence by the keys of the list."""
    box = dialog.sequence_box
    box.setFocus()
    strike(box, Key.Key_Home)
    while box.currentText() != sequence:
        strike(box, Key.Key_Down)


def button(dialog: OrderDialog, text: str) -> QAbstractButton:
    return next(each for each in dialog.findChildren(QAbstractButton) if each.text() == text)


def R_of(wiring, name: str) -> np.ndarray:
    snapshot = wiring.session.snapshot
    return snapshot.T_PF[snapshot.index[name]]


def turned(sequence: str, *angles_deg: float) -> np.ndarray:
    return frames.axes_rotations(sequence, np.radians(angles_deg)).T


def test_that_a_twin_is_put_beside_a_frame_and_one_slider_turns_both(wiring) -> None:
    session, window = wiring.session, wiring.window
    before = session.document.scene
    click_item(wiring, ("frames", "plane"))
    dialog = asked(wiring)
    assert dialog.sequence_box.currentText() == "XYZ"
    assert [label.accessibleName() for label in dialog.formulas] == [
        "R = Rz(α) Ry(β) Rx(γ)",
        "R = Rx(γ) Ry(β) Rz(α)",
    ]
    assert dialog.values.text() == "α 20.0°   β 60.0°   γ −35.0°"
    by_axis = dialog.apart.text()
    click(button(dialog, "its place"))
    assert dialog.formulas[1].accessibleName() == "R = Rx(α) Ry(β) Rz(γ)"
    assert dialog.apart.text() != by_axis
    click(button(dialog, "its axis"))
    assert dialog.apart.text() == by_axis
    click(dialog.compare)

    assert session.selection == ("frames", "plane XYZ")
    scene = session.document.scene
    assert dict(scene.parameters) == {"alpha": 20.0, "beta": 60.0, "gamma": -35.0}
    assert scene.bodies["wing_2"].frame == "plane XYZ"
    assert [arcs.frame for arcs in scene.view.arcs] == ["plane", "plane XYZ"]
    assert scene.frames["plane XYZ"].parent == "mount"
    np.testing.assert_allclose(R_of(wiring, "plane"), turned("ZYX", 20, 60, -35), atol=1e-12)
    np.testing.assert_allclose(R_of(wiring, "plane XYZ"), turned("XYZ", -35, 60, 20), atol=1e-12)
    right, up, _ = window.scene_view.camera.state.axes()
    snapshot = session.snapshot
    away = snapshot.p_WF[snapshot.index["plane XYZ"]] - snapshot.p_WF[snapshot.index["plane"]]
    assert away @ right > 1.0
    assert away @ right > abs(away @ up)
    projection = window.scene_view.renderer.projection()
    for name in ("plane", "plane XYZ"):
        x, y, _ = projection.project(snapshot.p_WF[snapshot.index[name]])
        assert 0 < x < projection.width
        assert 0 < y < projection.height

    window.activateWindow()
    wait_for(window.isActiveWindow)
    rows = window.inspector.orientation.rows
    type_in(rows[1].field, "10")
    assert session.document.scene.parameters["beta"] == 10.0
    np.testing.assert_allclose(R_of(wiring, "plane"), turned("ZYX", 20, 10, -35), atol=1e-12)
    np.testing.assert_allclose(R_of(wiring, "plane XYZ"), turned("XYZ", -35, 10, 20), atol=1e-12)
    slider = rows[0].slider
    press(slider, x_of(slider, -35.0))
    move(slider, x_of(slider, 40.0))
    gamma = session.plan.scene.parameters["gamma"]  # while the hand still holds it
    assert gamma > 0.0
    assert session.document.scene.parameters["gamma"] == -35.0
    np.testing.assert_allclose(R_of(wiring, "plane"), turned("ZYX", 20, 10, gamma), atol=1e-12)
    np.testing.assert_allclose(R_of(wiring, "plane XYZ"), turned("XYZ", gamma, 10, 20), atol=1e-12)
    release(slider, x_of(slider, 40.0))
    assert session.document.scene.parameters["gamma"] == gamma
    assert session.document.scene.frames == scene.frames

    for _ in range(3):
        strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before
    assert not window.commands.undo.isEnabled()


def test_that_angles_keep_their_places_where_a_sequence_turns_twice_about_an_axis(wiring) -> None:
    session = wiring.session
    click_item(wiring, ("frames", "plane"))
    dialog = asked(wiring)
    choose_order(dialog, "ZXZ")
    assert not button(dialog, "its axis").isEnabled()
    assert dialog.keep.choice == "its place"
    assert dialog.reason.text() == "Not its axis: ZXZ turns about z twice, and not about y."
    assert dialog.formulas[1].accessibleName() == "R = Rz(α) Rx(β) Rz(γ)"
    choose_order(dialog, "XZY")
    assert button(dialog, "its axis").isEnabled()
    assert dialog.keep.choice == "its axis"
    choose_order(dialog, "ZXZ")
    strike(dialog, Key.Key_Return)
    assert session.document.scene.frames["plane ZXZ"].orientation.angles == ("alpha", "beta", "gamma")
    np.testing.assert_allclose(R_of(wiring, "plane ZXZ"), turned("ZXZ", 20, 60, -35), atol=1e-12)


def test_that_escape_leaves_everything_and_equal_attitudes_are_told(wiring) -> None:
    before = wiring.session.document.scene
    click_item(wiring, ("frames", "euler"))
    dialog = asked(wiring)
    assert dialog.sequence_box.currentText() == "ZYZ"
    assert dialog.sequence_box.count() == 11
    assert dialog.apart.text() == "0.0°: the order makes no difference here"
    QTest.keyClick(dialog, Key.Key_Escape)
    assert wiring.session.document.scene is before


def test_that_a_frame_without_three_angles_is_refused_with_the_reason(wiring) -> None:
    before, window = wiring.session.document.scene, wiring.window
    for key, said in ((("frames", "keyed"), "given by keyframes"), (("frames", "mount"), "convert it to a sequence")):
        click_item(wiring, key)
        from_menu(wiring, "Edit", f"{TITLE}…")
        assert QApplication.activeModalWidget() is None
        assert said in window.status.message
        assert window.status.message.startswith("Nothing is compared: ")
    assert wiring.session.document.scene is before


def test_that_the_aircraft_flies_in_both_orders(open_it) -> None:
    wiring = open_it(example_path("aircraft"))
    session = wiring.session
    before = session.document.scene
    click_item(wiring, ("frames", "aircraft"))
    session.scrub(9.5)
    session.end_scrub()
    dialog = asked(wiring)
    click(dialog.compare)
    scene = session.document.scene
    assert scene.parameters == before.parameters  # what runs with t is copied as it is
    assert scene.frames["aircraft XYZ"].orientation.angles == scene.frames["aircraft"].orientation.angles[::-1]
    assert {body.frame for name, body in scene.bodies.items() if name.endswith(" 2")} == {"aircraft XYZ"}
    np.testing.assert_allclose(R_of(wiring, "aircraft"), turned("ZYX", 50, 28, 40), atol=1e-12)
    np.testing.assert_allclose(R_of(wiring, "aircraft XYZ"), turned("XYZ", 40, 28, 50), atol=1e-12)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before
