"""Typing into the question bar as a person does: while a list is open, the list hears the keyboard."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.hands import PLAIN, Key
from tests.support.whole_window import strike_in


def keyboard() -> QWidget:
    """Return the widget that hears the keyboard."""
    widget = QApplication.activePopupWidget() or QApplication.focusWidget()
    assert widget is not None
    return widget


def type_text(text: str) -> None:
    for sign in text:
        QTest.keyClick(keyboard(), sign)


def hit(key: Key, modifiers=PLAIN) -> None:
    QTest.keyClick(keyboard(), key, modifiers)
    QApplication.processEvents()


def ask(wiring, text: str, key: Key, modifiers, end: Key | None = Key.Key_Return) -> None:
    """Go to the question bar by a shortcut, and type."""
    strike_in(wiring, key, modifiers)
    assert wiring.window.question.what.line.hasFocus()
    type_text(text)
    if end is not None:
        hit(end)
