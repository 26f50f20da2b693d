"""Router of plain keys: passes each to the part of the window that `lecture_keys` names for it.

It watches the focused widget, as Qt offers a key first as a shortcut and then to the focused widget, and the window
itself for keys that no widget has used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from framescope.ui.widgets.key_use import HAS_ALL_KEYS, HAS_SPACE
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.readout import ReadOut
from framescope.ui.window.lecture_keys import (
    KEYS,
    MODIFIERS,
    SIGNS,
    Asked,
    Command,
    Focus,
    KeyState,
    command_for,
)

_PLAIN = Qt.KeyboardModifier.NoModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_FOR_KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)
_NAMES = {int(Qt.Key[f"Key_{name}"]): name for name in (*KEYS, *MODIFIERS, *"0123456789")}
"""Names of the keys that the rule knows, by their numbers in events, which may have others, such as of vendors."""

_REPEATS = (Command.TURN, Command.STEP_BACK, Command.STEP_FORWARD, Command.NONE)
"""Commands that a held key repeats."""


class LessonKeys(Protocol):
    """Player of lessons, as far as keys control it."""

    @property
    def n_options(self) -> int:
        """Number of answers to choose from; 0 where the question is of another form."""
        ...

    @property
    def asked(self) -> Asked:
        """Form of the question."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether the focus has not been in the answer to the question yet."""
        ...

    def is_answer(self, widget: QWidget) -> bool:
        """Return whether a widget is a control of the answer to the question."""
        ...

    def step(self, by: int) -> None:
        """Move by some steps."""
        ...

    def choose(self, i: int) -> None:
        """Choose answer `i`, from 0."""
        ...

    def type_in(self, text: str) -> None:
        """Give the field of a number the focus, and replace its text by a typed one."""
        ...

    def focus_answer(self) -> None:
        """Give the first control of the answer the focus."""
        ...

    def check(self) -> None:
        """Check the answer."""
        ...


class TurnKeys(Protocol):
    """Turns of a staged rotation, as far as keys control them."""

    @property
    def is_on(self) -> bool:
        """Whether a rotation is shown turn by turn."""
        ...

    def has_keys_of(self, widget: QWidget) -> bool:
        """Return whether a widget is the bar of the turns or a part of it without a use for arrows."""
        ...

    def take_key(self, key: Qt.Key) -> bool:
        """Handle a key. Return whether there is a use for it."""
        ...


class KeyRouter(QObject):
    """Watches the keyboard focus of some windows, and runs the commands of plain keys.

    Parameters
    ----------
    window
        The first of the windows. It has its own shortcut for Ctrl Space.
    home
        The 3D view, which gets the focus if the previously focused widget no longer exists.

    Attributes
    ----------
    lesson, turns
        Parts that keys control; None where there are none.
    states
        Functions that return fields of `KeyState` by their names.
    drags
        Function that returns whether a handle in the 3D view is dragged by keys, which Return ends.
    commands
        Functions of the other commands.
    releases
        Functions of commands that end when their key is released.
    """

    def __init__(self, window: QWidget, home: QWidget) -> None:
        super().__init__(window)
        self.lesson: LessonKeys | None = None
        self.turns: TurnKeys | None = None
        self.states: dict[str, Callable[[], bool]] = {}
        self.drags: Callable[[], bool] | None = None
        self.commands: dict[Command, Callable[[], object]] = {}
        self.releases: dict[Command, Callable[[], object]] = {}
        self._held: dict[int, Command] = {}
        self._windows: list[QWidget] = []
        self._readers: list[QWidget] = []
        """Windows in which only Space has another use than there, such as the manual."""
        self._first, self._home = window, home
        self._left_at: QWidget | None = None
        self.watch(window)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def watch(self, window: QWidget, *, is_to_read: bool = False) -> None:
        """Watch another window; in one to read, such as the manual, only Space is not its own."""
        self._windows = [known for known in self._windows if isValid(known)] + [window]
        self._readers = [known for known in self._readers if isValid(known)] + [window] * is_to_read
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
        if event.type() not in _FOR_KEYS or not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.KeyRelease:
            return self._release(event)
        command = self._command(watched, event)
        if command is Command.NONE:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress and (command in _REPEATS or not event.isAutoRepeat()):
            self._held[event.key()] = command
            self._run(command, event.key(), watched)
        return True

    def _release(self, event: QKeyEvent) -> bool:
        command = None if event.isAutoRepeat() else self._held.pop(event.key(), None)
        release = None if command is None else self.releases.get(command)
        if release is not None:
            release()
        return release is not None

    def _command(self, watched: QWidget, event: QKeyEvent) -> Command:
        """Return the command of a key that is pressed while a widget has the focus, or is left to a window."""
        modifiers = event.modifiers() & ~_KEYPAD
        if event.key() == Qt.Key.Key_Space and modifiers == _CTRL:
            return Command.PLAY
        key = _NAMES.get(event.key(), "")
        is_blank = self._state("is_blank")
        if not is_blank and (modifiers != _PLAIN or (key not in KEYS and not key.isdigit())):
            return Command.NONE
        if watched.window() in self._readers and key != "Space" and not is_blank:
            return Command.NONE
        return command_for(key, self._state_for(watched))

    def _state_for(self, watched: QWidget) -> KeyState:
        focused = watched if QApplication.focusWidget() is None else QApplication.focusWidget()
        lesson, turns = self.lesson, self.turns
        return KeyState(
            self._focus_of(focused or watched),
            is_unused=watched.isWindow() and watched is not self._home,
            leaves_space=_leaves_space(watched),
            uses_return=self._home_uses_return() if watched is self._home else _has_link(watched),
            has_popup=QApplication.activePopupWidget() is not None,
            has_lesson=lesson is not None,
            n_options=0 if lesson is None else lesson.n_options,
            asked=Asked.NOTHING if lesson is None else lesson.asked,
            is_new=lesson is not None and lesson.is_new,
            is_staged=turns is not None and turns.is_on,
            **{name: state() for name, state in self.states.items()},
        )

    def _home_uses_return(self) -> bool:
        return self.drags is not None and self.drags()

    def _state(self, name: str) -> bool:
        return name in self.states and self.states[name]()

    def _focus_of(self, widget: QWidget) -> Focus:
        if widget is self._home or (self.turns is not None and self.turns.has_keys_of(widget)):
            return Focus.SCENE
        if self.lesson is not None and self.lesson.is_answer(widget):
            is_typed = isinstance(widget, QLineEdit) and widget.isModified()
            return Focus.TYPED_ANSWER if is_typed else Focus.ANSWER
        return focus_of(widget)

    def _run(self, command: Command, key: int, watched: QWidget) -> None:
        if command is Command.TURN and self.turns is not None:
            self.turns.take_key(Qt.Key(key))
        elif command is Command.CHOOSE and self.lesson is not None:
            self.lesson.choose(key - Qt.Key.Key_1)
        elif command is Command.TYPE and self.lesson is not None:
            self.lesson.type_in(SIGNS.get(_NAMES[key], _NAMES[key]))
        elif command is Command.ANSWER and self.lesson is not None:
            self.lesson.focus_answer()
        elif command is Command.CHECK and self.lesson is not None:
            self.lesson.check()
        elif command is Command.PRESS:
            if isinstance(watched, QAbstractButton):
                watched.click()
        elif command in _STEPS and self.lesson is not None:
            self.lesson.step(_STEPS[command])
        elif command in self.commands:
            self.commands[command]()


_STEPS = {Command.FORWARD: 1, Command.BACKWARD: -1}


def focus_of(widget: QWidget) -> Focus:
    """Return the use that a widget of no lesson and no scene has for keys."""
    if _has_all_keys(widget):
        return Focus.TYPING
    line = widget.lineEdit() if isinstance(widget, QComboBox) else widget
    if isinstance(line, QLineEdit):
        if line.isReadOnly():
            return Focus.NOTHING
        if line.isModified():
            return Focus.TYPING
        return Focus.NUMBER if isinstance(line, NumberField) else Focus.TEXT
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return Focus.NOTHING if widget.isReadOnly() else Focus.TYPING
    if isinstance(widget, QPushButton | QToolButton):
        return Focus.BUTTON
    is_bare = type(widget) is QWidget or isinstance(widget, QLabel | ReadOut | QDockWidget | QScrollArea | QCheckBox)
    return Focus.NOTHING if is_bare or widget.isWindow() else Focus.VALUE


def _has_all_keys(widget: QWidget) -> bool:
    around: QWidget | None = widget
    while around is not None and not around.property(HAS_ALL_KEYS):
        around = None if around.isWindow() else around.parentWidget()
    return around is not None


def _has_link(focused: QWidget) -> bool:
    """Return whether a focused text has a link that Return follows."""
    if isinstance(focused, QTextBrowser):
        return focused.textCursor().hasSelection()  # Tab selects links
    return isinstance(focused, QLabel)


def _leaves_space(focused: QObject) -> bool:
    """Return whether a widget has no use for Space, or is the window itself."""
    if isinstance(focused, NumberField):
        return not focused.isModified() and focused.selectedText() == focused.text()
    if isinstance(focused, QAbstractItemView):
        return not focused.property(HAS_SPACE)
    if isinstance(focused, QTextEdit):
        return focused.isReadOnly()
    return isinstance(focused, QWidget) and focused.isWindow()
