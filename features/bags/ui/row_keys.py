"""Keys that move through the rows of a recording and their marks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

SIDEWAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""Directions of the keys that go to the previous or next mark."""

MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
"""Keys that go to another row."""


def is_of_rows(event: QKeyEvent) -> bool:
    """Return whether a key moves through rows or marks, without modifiers."""
    is_plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return is_plain and (event.key() in SIDEWAYS or event.key() in MOVES)
