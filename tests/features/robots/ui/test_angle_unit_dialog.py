"""The question in which unit recorded angles are: by keyboard and mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from framescope.features.robots.ui.angle_unit_dialog import AngleUnitDialog
from framescope.features.table_import.core.decisions import Decision
from tests.support.hands import LEFT

OPEN = Decision("angle_unit", "rad", ("deg",), "1 of 6 turns further than half a round", "open", "give the unit")


@pytest.fixture
def dialog(qtbot, dark):
    dialog = AngleUnitDialog("walk.csv", OPEN)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitExposed(dialog):
        pass
    return dialog


def test_that_the_question_says_what_is_known_and_why(dialog) -> None:
    assert dialog.reason.text() == (
        "walk.csv does not state the unit. Nothing settles it: 1 of 6 turns further than half a round."
    )
    assert dialog.settled_by.text() == "To settle it, give the unit."
    assert dialog.unit.choice == "radians"


@pytest.mark.parametrize(("text", "answer"), [("radians", "rad"), ("degrees", "deg")])
def test_that_the_unit_pressed_is_the_answer(dialog, text, answer) -> None:
    answers: list[str] = []
    dialog.chosen.connect(answers.append)
    (button,) = (each for each in dialog.unit.findChildren(QPushButton) if each.text() == text)
    QTest.mouseClick(button, LEFT)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert answers == [answer]
    assert not dialog.isVisible()


def test_that_escape_answers_nothing(dialog) -> None:
    answers: list[str] = []
    dialog.chosen.connect(answers.append)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert answers == []
    assert not dialog.isVisible()
