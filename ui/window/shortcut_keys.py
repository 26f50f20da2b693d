"""Shortcuts of the window that reach it even while a text field has the focus.

Qt lets a line edit have keys such as Ctrl Z, Ctrl E and Ctrl K for its text. Undo and redo belong to the field while
the user is typing. After the text is committed they would do nothing, although the user wants to undo the edit of the
field. All other shortcuts of the window are always the window's, except those of the clipboard.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

_Key = QKeySequence.StandardKey
_OF_CLIPBOARD = (_Key.Copy, _Key.Cut, _Key.Paste, _Key.SelectAll)


class ShortcutKeys(QObject):
    """Passes the shortcuts of a window from the focused line edit to the window.

    Parameters
    ----------
    window
        Window whose fields are watched, and whose actions have the shortcuts.
    steps
        The shortcuts of undo and redo.
    """

    def __init__(self, window: QWidget, steps: tuple[QKeySequence, ...]) -> None:
        super().__init__(window)
        self._window, self._steps = window, steps
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
        line = _line_of(watched)
        is_of_window = line is not None and self._is_of_window(event, line)
        if is_of_window:
            event.ignore()
        return is_of_window

    def _is_of_window(self, event: QKeyEvent, line: QLineEdit) -> bool:
        """Return whether a key pressed in a line edit is meant for the window."""
        if any(event.matches(key) for key in _OF_CLIPBOARD):
            return False
        pressed = QKeySequence(event.keyCombination())
        if pressed in self._steps:
            return not line.isModified()
        return any(pressed in action.shortcuts() for action in self._window.actions())


def _line_of(watched: QObject) -> QLineEdit | None:
    """Return the line edit of a focused widget. The line edit of a combo box does not have the focus itself."""
    if isinstance(watched, QComboBox):
        return watched.lineEdit()
    return watched if isinstance(watched, QLineEdit) else None
