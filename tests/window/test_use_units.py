"""Numbers typed with a unit in the whole window, by real events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from framescope.ui.panels.inspector.editors.value_field import ValueField
from tests.core.readings.test_ros_texts import ECHO, QUARTER, SENSOR, STAMPED
from tests.support.cases import for_each
from tests.support.hands import Key, strike, type_in
from tests.support.whole_window import click, click_item

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  body: {parent: world}
  imu: {parent: body, position: {value: [0, 0, 0], unit: m}}
  far: {parent: world, position: {value: [0, 0, 0], unit: mm}}
  turned: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [0, 0, 0], unit: deg}}
bodies:
  case: {frame: imu, shape: {form: box, size: [0.04, 0.04, 0.02], unit: m}}
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "units.yaml"
    path.write_text(SCENE)
    return open_window(path)


def position_of(wiring, name: str) -> tuple:
    return wiring.session.document.scene.frames[name].position.value


@for_each(
    ("name", "text", "value"),
    [
        ("imu", "3 cm", 0.03),
        ("imu", "3cm", 0.03),
        ("imu", "1.5e2 mm", 0.15),
        ("imu", "2 metres", 2.0),
        ("imu", "1e-3", 0.001),
        ("far", "0,25 m", 250.0),
        ("imu", "0.1*sin(t) cm", "(0.1*sin(t))*0.01"),
    ],
)
def test_that_a_length_with_a_unit_becomes_one_in_the_unit_of_the_field(wiring, name, text, value) -> None:
    click_item(wiring, ("frames", name))
    cell = wiring.window.inspector.frame_page.position.cells[2]
    type_in(cell, text)
    assert position_of(wiring, name)[2] == value
    assert not cell.property("invalid")


@for_each(
    ("text", "fault"),
    [
        ("3 kg", "kg is a unit of mass, not of length. Use m, cm, mm, km, um, in, ft."),
        ("3 furlong", "furlong is no unit of length. Use m, cm, mm, km, um, in, ft."),
    ],
)
def test_that_a_refused_text_stays_until_it_is_mended_or_given_up(wiring, text, fault) -> None:
    before = wiring.session.document.scene
    click_item(wiring, ("frames", "imu"))
    position = wiring.window.inspector.frame_page.position
    cell = position.cells[2]
    type_in(cell, text)
    click_item(wiring, ("frames", "far"))
    assert cell.text() == "0"
    assert not cell.property("invalid")
    click_item(wiring, ("bodies", "case"))
    click_item(wiring, ("frames", "imu"))
    assert (cell.text(), position.message) == (text, fault)
    assert cell.property("invalid")
    assert wiring.session.document.scene is before
    cell.setFocus()
    strike(cell, Key.Key_Escape)
    click_item(wiring, ("frames", "far"))
    click_item(wiring, ("frames", "imu"))
    assert cell.text() == "0"
    assert not cell.property("invalid")


def test_that_rates_and_sizes_take_units(wiring) -> None:
    click_item(wiring, ("frames", "turned"))
    type_in(wiring.window.inspector.orientation.parts.turns.rates[0], "60 rpm")
    assert wiring.session.document.scene.frames["turned"].orientation.angles[0] == "360*t"
    click_item(wiring, ("bodies", "case"))
    width = next(field for field in wiring.window.inspector.page.findChildren(ValueField) if field.isVisible())
    type_in(width, "30 mm")
    assert wiring.session.document.scene.bodies["case"].shape.size[0] == pytest.approx(0.03)


@for_each("text", [ECHO, 9 * ECHO, SENSOR, STAMPED])
def test_that_a_pose_of_ros_is_pasted_without_a_question(wiring, text) -> None:
    session, panel = wiring.session, wiring.window.inspector.orientation
    click_item(wiring, ("frames", "imu"))
    QGuiApplication.clipboard().setText(text)
    panel.open_paste()
    form = panel.parts.paste
    assert form.question == ""
    click(form.use)
    assert not form.isVisible()
    snapshot = session.snapshot
    i = snapshot.index["imu"]
    np.testing.assert_allclose(snapshot.T_PF[i].T, QUARTER, atol=1e-3)
    assert position_of(wiring, "imu")[0] == pytest.approx(0.1)
    assert position_of(wiring, "imu")[2] == pytest.approx(0.3)
