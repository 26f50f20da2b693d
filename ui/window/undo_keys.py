"""Undo and redo keys, which reach the scene from a field, too, where nothing is being typed.

Qt keeps both keys in any line of text that has the keyboard. There they are right while a text is half typed; once it
is taken they would do nothing at all, just when a person wants to take back what the field has done.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

_REDO = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class UndoKeys(QObject):
    """Watches the line of text that has the keyboard, and leaves both keys to the window where it has no use for them.

    Parameters
    ----------
    window
        Whose fields are watched; it has the actions of undo and redo.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and _line_of(old) is not None:
            old.removeEventFilter(self)
        if new is not None and _line_of(new) is not None and self._window.isAncestorOf(new):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_undo_or_redo = event.key() == Qt.Key.Key_Z and event.modifiers() in (
            Qt.KeyboardModifier.ControlModifier,
            _REDO,
        )
        line = _line_of(watched) if is_undo_or_redo else None
        is_free = line is not None and not line.isModified()
        if is_free:
            event.ignore()
        return is_free


def _line_of(watched: QObject) -> QLineEdit | None:
    """Return the line that is typed in: that of a box to choose from does not have the keyboard itself."""
    if isinstance(watched, QComboBox):
        return watched.lineEdit()
    return watched if isinstance(watched, QLineEdit) else None
