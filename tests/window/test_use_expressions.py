"""Expressions of t typed into the angle fields of the whole window, and clicked to be changed, by real events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.ui.widgets.expression_line import shorten
from tests.support.cases import for_each
from tests.support.hands import CTRL, Key, focus, picture, strike, type_in
from tests.support.whole_window import click, click_item, from_menu, strike_in

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
parameters: {omega: 2}
time: {start: 0 s, end: 4 s}
frames:
  arm:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: [10, "20 + 70*smoothstep(t, 0, 3)", 0], unit: deg}
  round: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["0.5*t", 0, 0], unit: rad}}
  plain: {parent: world}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}}
  keyed:
    parent: world
    motion: {form: keyframes, keys: [{time: 0 s, position: [0, 0, 0]}, {time: 1 s, position: [1, 0, 0]}], unit: m}
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "moved.yaml"
    path.write_text(SCENE)
    return open_window(path)


def rows_of(wiring, name: str):
    click_item(wiring, ("frames", name))
    return wiring.window.inspector.orientation.rows


def angles_of(wiring, name: str) -> tuple:
    return wiring.session.document.scene.frames[name].orientation.angles


def test_that_an_expression_is_typed_into_an_angle_and_moves_the_frame(wiring) -> None:
    session, row = wiring.session, rows_of(wiring, "arm")[0]
    before = session.document.scene
    type_in(row.field, "30*sin(omega*t)")
    assert angles_of(wiring, "arm")[0] == "30*sin(omega*t)"
    session.scrub(1.0)
    assert row.value_deg == pytest.approx(30.0 * np.sin(2.0))
    assert row.expression.isVisible()
    assert not row.field.property("invalid")
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before
    type_in(row.field, "0,5*t rad", Key.Key_Tab)
    assert "Written as (0.5*t)*180/pi deg, because the angles of arm are in deg" in wiring.window.status.message
    assert angles_of(wiring, "arm")[0] == "(0.5*t)*180/pi"
    assert row.value_deg == pytest.approx(np.degrees(0.5))
    type_in(row.field, "pi/6")  # a number all the same, to which the expression comes
    assert row.value_deg == pytest.approx(30.0)


def test_that_an_expression_without_a_unit_is_in_the_unit_that_is_shown(wiring) -> None:
    row = rows_of(wiring, "round")[1]
    type_in(row.field, "90*t")
    assert angles_of(wiring, "round")[1] == "(90*t)*pi/180"
    from_menu(wiring, "Edit", "Angles in radians")
    type_in(row.field, "2*t")
    assert angles_of(wiring, "round")[1] == "2*t"
    row = rows_of(wiring, "plain")[2]
    type_in(row.field, "0.5*t")
    wiring.session.scrub(2.0)
    assert row.value_deg == pytest.approx(np.degrees(1.0))


@for_each(
    ("name", "text", "said"),
    [
        ("arm", "2t", "Write a product with *"),
        ("arm", "30*sin(omgea*t)", 'Did you mean "omega"?'),
        ("quat", "30*t", "choose convert… below, then XYZ"),
        ("keyed", "30*t", "its motion is in keyframes"),
    ],
)
def test_that_what_cannot_be_an_expression_stays_with_the_reason(wiring, name, text, said) -> None:
    before, row = wiring.session.document.scene, rows_of(wiring, name)[0]
    type_in(row.field, text)
    assert wiring.session.document.scene is before
    assert row.field.text() == text
    assert row.field.property("invalid")
    assert said.casefold() in row.field.accessibleDescription().casefold()
    strike(row.field, Key.Key_Escape)
    assert not row.field.property("invalid")


def test_that_a_click_on_the_expression_changes_it_and_escape_leaves_it(wiring) -> None:
    session, row = wiring.session, rows_of(wiring, "round")[0]
    before = session.document.scene
    click(row.expression)
    assert row.expression.hasFocus()
    QTest.keyClick(row.expression, Key.Key_End)
    QTest.keyClicks(row.expression, " + 1")
    assert session.document.scene is before
    strike(row.expression, Key.Key_Return)
    assert angles_of(wiring, "round")[0] == "0.5*t + 1"
    assert row.field.hasFocus()
    strike(row.field, Key.Key_F2)
    assert row.expression.hasFocus()
    QTest.keyClicks(row.expression, "sin(")
    strike(row.expression, Key.Key_Return)
    assert row.expression.property("invalid")
    strike(row.expression, Key.Key_Escape)
    assert row.expression.text() == "0.5*t + 1"
    assert not row.expression.property("invalid")
    click(row.expression)
    row.expression.selectAll()
    QTest.keyClicks(QApplication.focusWidget(), "45 deg")
    strike(row.expression, Key.Key_Return)
    assert angles_of(wiring, "round")[0] == pytest.approx(np.radians(45.0))
    assert not row.expression.isVisible()


def test_that_a_shortened_expression_keeps_its_sign_and_names_its_unit(wiring) -> None:
    row = rows_of(wiring, "arm")[1]
    focus(rows_of(wiring, "arm")[0].field)
    short = picture(row.expression)
    row.set_expression("20 + 70*smoothstep(t, 0, 3)", "rad")
    assert picture(row.expression) != short  # another unit is told
    text = "20 + 70*smoothstep(t, 0.5, 3) - 70*smoothstep(t, 7, 9.5)"
    for room in range(24, len(text)):
        shown = shorten(text, len, room)
        assert len(shown) <= room
        assert shown.startswith(("20", "…"))
        assert "- 70*" in shown
        assert "+ 70" not in shown or shown.index("+ 70") < shown.index("- 70")
    for room in range(12, 40):
        assert shorten("-80*smoothstep(t, 10, 13)*cos(2*pi*t/4 + 1)", len, room).startswith("-80*")
    assert shorten("0.85*sin(0.5*t)*cos(0.25*t) - 0.21", len, 28).endswith(" - 0.21")


def test_that_a_formula_with_pi_says_how_it_is_read_and_is_in_radians_after_one_click(wiring) -> None:
    session, row = wiring.session, rows_of(wiring, "plain")[2]
    type_in(row.field, "30*sin(2*pi*t)", None)
    assert not row.reading.isVisible()
    type_in(row.field, "pi/2*t", None)
    assert row.reading.isVisible()
    assert "degrees" in row.reading.text()
    strike(row.field, Key.Key_Return)
    assert row.reading.isVisible()
    session.scrub(2.0)
    assert row.value_deg == pytest.approx(np.pi)
    click(row.in_radians)
    assert not row.reading.isVisible()
    assert row.value_deg == pytest.approx(180.0)
    form = session.document.scene.frames["plain"].orientation
    assert (form.angles, form.unit) == ((0.0, 0.0, "pi/2*t"), "rad")
    strike_in(wiring, Key.Key_Z, CTRL)
    assert row.value_deg == pytest.approx(np.pi)
    rows_of(wiring, "arm")
    assert not row.reading.isVisible()


def test_that_one_click_takes_radians_before_the_formula_is_committed(wiring) -> None:
    before, row = wiring.session.document.scene, rows_of(wiring, "plain")[2]
    type_in(row.field, "pi/2*t", None)
    click(row.in_radians)
    assert angles_of(wiring, "plain")[2] == "pi/2*t"
    strike_in(wiring, Key.Key_Z, CTRL)
    assert wiring.session.document.scene is before


def test_that_the_unit_stays_in_view_while_a_formula_is_edited(wiring) -> None:
    row = rows_of(wiring, "arm")[1]
    click(row.expression)
    with_unit = picture(row.expression)
    row.expression.set_expression(row.expression.expression, "rad")
    assert picture(row.expression) != with_unit
    assert row.expression.textMargins().right() > 0
