"""A scene file with several faults is mended in the window, by the list and the fields it opens."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.hands import LEFT, Key, drag, strike, type_in
from tests.support.whole_window import wait_for
from tests.window.test_use_faults import click_mend, click_row, is_at_rest

pytestmark = pytest.mark.usefixtures("dark")

BROKEN = """\
framescope: 1
frames:
  mast:
    parent: worl
    position: {value: [0, 0, 1]}
  lens: {parent: mast, orientation: {form: axes, sequence: XYZ, angles: [1, 2], unit: dgr}}
"""


@pytest.fixture
def broken(open_window, tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    wiring = open_window(path)
    wiring.window.set_place("Check")
    wait_for(lambda: is_at_rest(wiring) and len(wiring.window.problems.problems) > 1)
    return wiring


def row(wiring, name: str, title: str) -> int:
    return next(i for i, p in enumerate(wiring.window.problems.problems) if (p.name, p.title) == (name, title))


def test_that_all_faults_are_listed_at_once_and_mended_by_mouse_and_a_number(broken) -> None:
    window, session = broken.window, broken.session
    panel = window.problems
    assert sorted((p.name, p.title) for p in panel.problems) == [
        ("lens", "no unit"), ("lens", "numbers missing"), ("mast", "parent missing"), ("mast", "unit missing"),
    ]  # fmt: skip

    window.show_dock("readouts")  # the inspector is behind it
    click_row(panel, row(broken, "lens", "numbers missing"))
    wait_for(lambda: QApplication.focusWidget().accessibleName() == "angles γ")
    field = QApplication.focusWidget()
    assert field.text() == ""
    QTest.mouseClick(field, LEFT)
    strike(field, Key.Key_Up)
    wait_for(lambda: len(panel.problems) == 3)
    session.undo()
    wait_for(lambda: len(panel.problems) == 4 and is_at_rest(broken))
    assert (field.text(), field.value) == ("", None)
    window.setFocus()
    drag(field, 40, 90)
    wait_for(lambda: len(panel.problems) == 3)
    type_in(field, "3")
    assert session.document.scene.frames["lens"].orientation.angles == (1.0, 2.0, 3.0)

    for name, title, unit in (("lens", "no unit", "deg"), ("mast", "unit missing", "cm")):
        wait_for(lambda: is_at_rest(broken))
        i = row(broken, name, title)
        click_row(panel, i)
        wait_for(lambda: bool(QApplication.focusWidget().property("invalid")))  # its field is marked, and opened
        click_mend(panel, i)
        if title == "unit missing":  # for a mistyped unit, the button is its mend
            wait_for(panel.choices.isVisible)
            (choice,) = (action for action in panel.choices.actions() if action.text() == f"Use {unit}")
            QTest.mouseClick(panel.choices, LEFT, pos=panel.choices.actionGeometry(choice).center())
        wait_for(lambda name=name, title=title: (name, title) not in {(p.name, p.title) for p in panel.problems})
    assert session.document.scene.frames["mast"].position.unit == "cm"
    click_mend(panel, row(broken, "mast", "parent missing"))
    wait_for(lambda: is_at_rest(broken) and not panel.problems)
