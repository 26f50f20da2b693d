"""Letters of standard buttons, struck in a real question."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from framescope.ui.qt_support.button_letters import ButtonLetters, give_buttons_letters

Button = QMessageBox.StandardButton


@pytest.fixture
def letters(qapp):
    give_buttons_letters(qapp)
    give_buttons_letters(qapp)
    (installed,) = qapp.findChildren(ButtonLetters)
    yield
    qapp.removeTranslator(installed)
    installed.setParent(None)


@pytest.mark.parametrize(
    ("letter", "button"), [("S", Button.Save), ("D", Button.Discard), ("C", Button.Cancel), ("X", None)]
)
def test_that_a_letter_alone_answers_a_question(letters, qtbot, letter, button) -> None:
    box = QMessageBox(
        QMessageBox.Icon.Question, "Unsaved changes", "Save?", Button.Save | Button.Discard | Button.Cancel
    )
    qtbot.addWidget(box)
    pressed: list[Button] = []
    box.buttonClicked.connect(lambda each: pressed.append(box.standardButton(each)))
    box.show()
    with qtbot.waitExposed(box):
        pass
    QTest.keyClick(box, getattr(Qt.Key, f"Key_{letter}"))
    if button is None:
        assert not pressed
        assert box.isVisible()
    else:
        qtbot.waitUntil(lambda: pressed == [button])
