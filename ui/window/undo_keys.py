"""Undo and redo keys that reach the scene even while an unmodified text field has the focus.

Qt handles both keys in any focused line edit. That is right while the user is typing. After the text is committed the
keys would do nothing, although the user wants to undo the edit of the field.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

_REDO = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class UndoKeys(QObject):
    """Passes undo and redo from the focused line edit to the window unless the user is typing in it.

    Parameters
    ----------
    window
        Window whose fields are watched; it has the undo and redo actions.
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
    """Return the line edit of a focused widget. The line edit of a combo box does not have the focus itself."""
    if isinstance(watched, QComboBox):
        return watched.lineEdit()
    return watched if isinstance(watched, QLineEdit) else None
