"""Undo and redo reach the scene from a field, too, where nothing is being typed.

Qt keeps both keys in any line of text that has the keyboard. There they are right while a text is half typed; once it
is taken they would do nothing at all, just when a person wants to take back what the field has done.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

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
        if isinstance(old, QLineEdit):
            old.removeEventFilter(self)
        if isinstance(new, QLineEdit) and self._window.isAncestorOf(new):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_undo_or_redo = event.key() == Qt.Key.Key_Z and event.modifiers() in (
            Qt.KeyboardModifier.ControlModifier,
            _REDO,
        )
        is_free = is_undo_or_redo and isinstance(watched, QLineEdit) and not watched.isModified()
        if is_free:
            event.ignore()
        return is_free
