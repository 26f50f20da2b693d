"""Play key: Space plays or pauses from anywhere in a window, unless it has another use there.

Space presses the focused button, opens a choice box, and is typed into a text. Lists, trees and text pages would
consume it without visible effect, and so would a number field in which nobody is typing.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QDockWidget, QTextEdit, QWidget
from shiboken6 import isValid

from framescope.ui.widgets.number_field import NumberField

HAS_SPACE = "hasSpace"
"""Property of a list that uses Space itself."""

_PLAIN = Qt.KeyboardModifier.NoModifier
_CTRL = Qt.KeyboardModifier.ControlModifier


class PlayKey(QObject):
    """Watches the keyboard focus of some windows, and uses Space where it has no other use.

    Parameters
    ----------
    window
        The first of the windows; `watch` adds others. It has its own shortcut for Ctrl Space.
    home
        Widget that gets the focus if the previously focused one no longer exists.

    Signals
    -------
    pressed()
        Play or pause.
    """

    pressed = Signal()

    def __init__(self, window: QWidget, home: QWidget) -> None:
        super().__init__(window)
        self._windows: list[QWidget] = []
        self._first, self._home = window, home
        self._left_at: QWidget | None = None
        self.watch(window)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def watch(self, window: QWidget) -> None:
        """Watch another window for Space, and for Ctrl Space unless that is a shortcut there."""
        self._windows = [known for known in self._windows if isValid(known)] + [window]
        window.installEventFilter(self)  # for keys that no widget in it has used

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and not old.isWindow():
            old.removeEventFilter(self)
        before = None if old is None else old.window()
        if before is self._first and (new is None or new.window() is not before):
            self._left_at = old
        if new is None:
            return
        window = new.window()
        if (
            window is self._first
            and before is not window
            and isinstance(new, QAbstractButton)
            and new is not self._left_at
        ):
            # The previously focused widget is deleted or hidden, or has given up the focus. Qt moves the focus to the
            # next tab stop, often a button that Space would press.
            self._home.setFocus()
            return
        is_taken_out = isinstance(window, QDockWidget) and window.parentWidget() in self._windows
        if is_taken_out or window in self._windows:
            window.installEventFilter(self)
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        modifiers = event.modifiers()
        if event.key() != Qt.Key.Key_Space or modifiers not in (_PLAIN, _CTRL):
            return False
        if modifiers == _PLAIN and not _leaves_space(watched):
            return False
        if not event.isAutoRepeat():
            self.pressed.emit()
        return True


def _leaves_space(focused: QObject) -> bool:
    """Return whether a widget has no use for Space, or is the window itself."""
    if isinstance(focused, NumberField):
        return not focused.isModified() and focused.selectedText() == focused.text()
    if isinstance(focused, QAbstractItemView):
        return not focused.property(HAS_SPACE)
    if isinstance(focused, QTextEdit):
        return focused.isReadOnly()
    return isinstance(focused, QWidget) and focused.isWindow()
