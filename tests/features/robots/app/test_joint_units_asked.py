"""A recording of joints whose angles may be radians or degrees: the window asks, and plays it as answered."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from framescope.app import startup
from framescope.app.controllers.file_placing import place_beside_scene
from framescope.app.session.scene_lookup import find_scene
from framescope.core.scene.edits.joints import joint_of
from framescope.features.robots.app.joint_recording_controller import JointRecordingController
from framescope.features.robots.ui.angle_unit_dialog import AngleUnitDialog
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import LEFT

SCENE = """\
framescope: 1
frames:
  arm: {parent: world, motion: {form: joint, type: revolute, value: 0, unit: rad}}
  hand: {parent: arm, motion: {form: joint, type: revolute, value: 0, unit: rad}}
"""


pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def wiring(qapp, qtbot, tmp_path):
    current_theme.apply_theme(qapp, DARK)
    (tmp_path / "arm.yaml").write_text(SCENE, "utf-8")
    t = np.linspace(0.0, 5.0, 101)
    columns = np.column_stack([t, 5.0 * np.sin(t), np.cos(t)])
    np.savetxt(tmp_path / "walk.csv", columns, delimiter=",", header="t,arm,hand", comments="", fmt="%.6f")
    wiring = startup.make_window(find_scene(str(tmp_path / "arm.yaml")))
    wiring.window.show()
    qtbot.waitExposed(wiring.window)
    yield wiring
    wiring.session.undo()  # nothing is left that the window would ask to save
    wiring.window.close()
    wiring.window.deleteLater()


@pytest.mark.parametrize(("text", "factor"), [("degrees", np.radians(1.0)), ("radians", 1.0)])
def test_that_open_angles_are_asked_for_and_played_as_answered(wiring, qtbot, tmp_path, text, factor) -> None:
    place = partial(place_beside_scene, wiring.session, wiring.window, wiring.files)
    JointRecordingController(wiring.session, wiring.window, place).play(tmp_path / "walk.csv")
    qtbot.waitUntil(lambda: bool(wiring.window.findChildren(AngleUnitDialog)))
    (dialog,) = wiring.window.findChildren(AngleUnitDialog)
    scene = wiring.session.document.scene
    assert joint_of(scene.frames["arm"]).recording is None
    (button,) = (each for each in dialog.unit.findChildren(QPushButton) if each.text() == text)
    QTest.mouseClick(button, LEFT)
    QTest.mouseClick(dialog.play, LEFT)

    def recorded() -> bool:
        return joint_of(wiring.session.document.scene.frames["arm"]).recording is not None

    qtbot.waitUntil(recorded)
    assert joint_of(wiring.session.document.scene.frames["arm"]).recording.factor == pytest.approx(factor)
