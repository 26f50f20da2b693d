"""Another order beside a frame, by hand: the dialog, one slider for both, and back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from framescope.ui.dialogs.twin_dialog import TwinDialog
from tests.support.hands import CTRL, Key, strike
from tests.support.whole_window import click, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  plane:
    parent: world
    orientation: {form: axes, sequence: ZYX, angles: [90, 0, 90], unit: deg}
  still: {parent: world, orientation: {form: axis, axis: z, angle: 3, unit: deg}}
"""


@pytest.fixture
def wiring(qtbot, tmp_path):
    path = tmp_path / "plane.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        wiring.session.select(("frames", "plane"))
        yield wiring


def dialog_of(wiring) -> TwinDialog:
    wiring.window.commands.compare_orders.trigger()
    QApplication.processEvents()
    return next(found for found in wiring.window.findChildren(TwinDialog) if found.isVisible())


def test_that_a_twin_by_another_order_is_put_beside_and_one_slider_turns_both(wiring) -> None:
    dialog, session = dialog_of(wiring), wiring.session
    assert dialog.sequence.currentText() == "XYZ"
    assert dialog.twin.text() == "R = R<sub>x</sub>(γ) R<sub>y</sub>(β) R<sub>z</sub>(α)"
    assert "120.0° apart" in dialog.apart.text()
    click(dialog.make)
    wait_for(lambda: session.selection == ("frames", "plane XYZ"))
    before = session.document.scene
    session.select(("frames", "plane"))
    slider = wiring.window.inspector.orientation.rows[0].slider
    slider.setFocus()
    strike(slider, Key.Key_Right)
    wait_for(lambda: session.document.scene.parameters["alpha"] != 90.0)
    assert session.document.scene.frames == before.frames
    snapshot, index = session.snapshot, session.plan.index
    assert np.abs(snapshot.R_WF[index["plane"]] - snapshot.R_WF[index["plane XYZ"]]).max() > 0.1
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene == before
    strike_in(wiring, Key.Key_Z, CTRL)
    assert "plane XYZ" not in session.document.scene.frames
    assert not session.document.scene.parameters


def test_that_the_dialog_says_what_each_choice_keeps(wiring) -> None:
    dialog = dialog_of(wiring)
    buttons = {button.text(): button for button in dialog.kept.findChildren(QAbstractButton)}
    click(buttons["Its place"])
    assert dialog.twin.text() == "R = R<sub>x</sub>(α) R<sub>y</sub>(β) R<sub>z</sub>(γ)"
    dialog.sequence.setCurrentText("ZXZ")
    assert not buttons["Its axis"].isVisible()
    assert dialog.twin.text() == "R = R<sub>z</sub>(α) R<sub>x</sub>(β) R<sub>z</sub>(γ)"
    strike(dialog, Key.Key_Escape)
    assert list(wiring.session.document.scene.frames) == ["plane", "still"]


def test_that_a_frame_without_three_angles_is_told_what_to_do(wiring) -> None:
    wiring.session.select(("frames", "still"))
    wiring.window.commands.compare_orders.trigger()
    assert not [found for found in wiring.window.findChildren(TwinDialog) if found.isVisible()]
    assert "three angles" in wiring.window.status.message
