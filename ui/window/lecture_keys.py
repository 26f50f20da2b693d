"""Keys of a lecture: which part of the window gets a plain key. No Qt, so that the rule can be read and tested whole.

A key is for the innermost part that has a use for it: the blank screen, the text that is being typed, the lesson, the
turns of a staged rotation, the focused widget. `command_for` decides this from the key and the state of the window.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Focus(Enum):
    """Use that the focused widget has for keys."""

    SCENE = auto()
    """The 3D view or the bar of the turns."""
    NOTHING = auto()
    """A widget without a value, such as a read-out or a page to read."""
    BUTTON = auto()
    """A button, which Return presses as Space does."""
    VALUE = auto()
    """A widget whose value or choice the arrows change: a slider, a list, the timeline, a plot."""
    NUMBER = auto()
    """A field for a number, in which nobody is typing."""
    TEXT = auto()
    """A line of text, in which nobody is typing yet."""
    TYPING = auto()
    """A text that is being typed."""
    ANSWER = auto()
    """A control of the answer to a question of a lesson."""
    TYPED_ANSWER = auto()
    """The field of such an answer, in which somebody is typing."""


class Asked(Enum):
    """Form of the question that a lesson shows."""

    NOTHING = auto()
    NUMBER = auto()
    """A number to type into a field."""
    OTHER = auto()
    """Answers to choose from, or something to rotate or to draw."""


class Command(Enum):
    """Effect of a key. `NONE` leaves the key to the focused widget."""

    NONE = auto()
    UNBLANK = auto()
    BLANK = auto()
    FORWARD = auto()
    BACKWARD = auto()
    CHOOSE = auto()
    TYPE = auto()
    """Begin to type the answer, whichever widget has the focus."""
    ANSWER = auto()
    """Give the focus to the answer."""
    CHECK = auto()
    PRESS = auto()
    """Press the focused button."""
    TURN = auto()
    PLAY = auto()
    STEP_BACK = auto()
    STEP_FORWARD = auto()
    RING = auto()
    LIGHT = auto()
    UNLIGHT = auto()
    LEAVE_LARGE = auto()
    LEAVE_FULL_SCREEN = auto()


@dataclass(frozen=True)
class KeyState:
    """State of the window, as far as keys depend on it.

    Attributes
    ----------
    focus
        Use that the focused widget has for keys.
    is_unused
        Whether the focused widget has left the key to the window.
    leaves_space
        Whether the focused widget has no use for Space.
    is_blank, is_presenting, is_large, is_lit
        Whether the screen is blank, the window in full screen, a panel large, and something lit.
    has_popup
        Whether a menu or a list is open.
    has_lesson, n_options
        Whether a lesson is played, and the number of answers to choose from.
    asked, is_new
        Form of the question of a step, and whether the focus has not been in its answer yet.
    is_staged
        Whether a rotation is shown turn by turn.
    has_tool, is_measuring
        Whether the handles in the scene use keys, and whether Escape ends a measurement there.
    uses_return
        Whether Return ends a drag of a handle in the scene, or follows a link in the focused text.
    """

    focus: Focus
    is_unused: bool = False
    leaves_space: bool = False
    is_blank: bool = False
    is_presenting: bool = False
    is_large: bool = False
    is_lit: bool = False
    has_popup: bool = False
    has_lesson: bool = False
    n_options: int = 0
    asked: Asked = Asked.NOTHING
    is_new: bool = False
    is_staged: bool = False
    has_tool: bool = False
    is_measuring: bool = False
    uses_return: bool = False

    @property
    def is_lecture(self) -> bool:
        """Whether somebody presents, or a lesson is played."""
        return self.is_presenting or self.has_lesson


PAGES = {"PageDown": Command.FORWARD, "PageUp": Command.BACKWARD}
"""Keys that presenters send."""

LETTERS = {"B": Command.BLANK, "P": Command.RING, "L": Command.LIGHT}

TURNS = ("Left", "Right", "Up", "Down", "Home", "End")
"""Keys of the turns of a staged rotation, besides Space and Escape."""

MODIFIERS = ("Shift", "Control", "Alt", "Meta", "AltGr", "CapsLock", "NumLock", "Super_L", "Super_R")
"""Keys that do nothing by themselves, such as the first key of Alt Tab."""

SIGNS = {"Minus": "-", "Comma": ",", "Period": "."}
"""Characters of numbers besides the digits, by their keys."""

RETURNS = ("Return", "Enter")

KEYS = (*PAGES, *LETTERS, *TURNS, "Space", "Escape", *SIGNS, *RETURNS, "Tab")
"""Keys that are not always the widget's, besides the digits."""

_FREE = (Focus.SCENE, Focus.NOTHING, Focus.BUTTON)
_WRITES = (Focus.TYPING, Focus.TYPED_ANSWER)
_HAS_LETTERS = (*_WRITES, Focus.TEXT)
_HAS_DIGITS = (*_HAS_LETTERS, Focus.NUMBER)


def command_for(key: str, state: KeyState) -> Command:
    """Return the effect of a plain key, by its name in Qt without ``Key_``.

    >>> command_for("PageDown", KeyState(Focus.VALUE, has_lesson=True)).name
    'FORWARD'
    >>> command_for("B", KeyState(Focus.TYPING, has_lesson=True)).name
    'NONE'
    """
    if state.is_blank:
        return Command.NONE if key in MODIFIERS else Command.UNBLANK
    if state.has_popup:
        return Command.NONE
    if key in PAGES:
        return PAGES[key] if state.has_lesson and state.focus is not Focus.TYPING else Command.NONE
    if key in LETTERS:
        return LETTERS[key] if state.is_lecture and state.focus not in _HAS_LETTERS else Command.NONE
    if key.isdigit() or key in SIGNS:
        return _digit_or_sign(key, state)
    if key in RETURNS:
        return _press_or_check(state)
    if key == "Tab":
        return _tab(state)
    if key == "Escape":
        return _escape(state)
    if key == "Space":
        return _space(state)
    return Command.TURN if key in TURNS and _turns_by_arrows(state) else Command.NONE


def _digit_or_sign(key: str, state: KeyState) -> Command:
    """Return the effect of a character of numbers: begin the answer, choose one, or move in time."""
    is_remote = key == "Period" and state.is_presenting  # some presenters send it to blank the screen
    if state.asked is Asked.NUMBER and not is_remote and state.focus in (*_FREE, Focus.VALUE):
        return Command.TYPE
    if key in SIGNS:
        return _stop_or_step(key, state)
    is_option = 1 <= int(key) <= state.n_options
    return Command.CHOOSE if is_option and state.focus not in _HAS_DIGITS else Command.NONE


def _tab(state: KeyState) -> Command:
    """Return whether Tab goes to the answer: from the scene, and first from any widget without text."""
    is_next = state.focus is Focus.SCENE or (state.is_new and state.focus in _FREE)
    return Command.ANSWER if is_next and state.asked is not Asked.NOTHING else Command.NONE


def _stop_or_step(key: str, state: KeyState) -> Command:
    """Return a step in time, or a blank screen in a lecture, where some presenters send a period for that."""
    if state.focus not in _FREE or key == "Minus":
        return Command.NONE
    if key == "Comma":
        return Command.STEP_BACK
    return Command.BLANK if state.is_lecture else Command.STEP_FORWARD


def _press_or_check(state: KeyState) -> Command:
    """Return the effect of Return: press the focused button, or check the answer where no text is typed."""
    if state.focus is Focus.BUTTON:
        return Command.PRESS
    is_turned = state.focus is Focus.ANSWER and state.asked is Asked.OTHER and not state.n_options
    is_free = state.focus in (Focus.SCENE, Focus.NOTHING) and not state.uses_return
    return Command.CHECK if is_turned or (is_free and state.asked is not Asked.NOTHING) else Command.NONE


def _escape(state: KeyState) -> Command:
    """Return what Escape leaves: the innermost of text, tool, light, large panel, turns and full screen."""
    is_own = state.focus not in _FREE or state.has_tool or state.is_measuring
    if is_own and not state.is_unused:
        return Command.NONE
    if state.is_lit:
        return Command.UNLIGHT
    if state.is_large:
        return Command.LEAVE_LARGE
    if state.is_staged and (state.focus is Focus.SCENE or state.is_presenting):
        return Command.TURN
    return Command.LEAVE_FULL_SCREEN if state.is_presenting and state.is_unused else Command.NONE


def _space(state: KeyState) -> Command:
    if state.is_staged and state.focus is Focus.SCENE:
        return Command.TURN
    return Command.PLAY if state.leaves_space else Command.NONE


def _turns_by_arrows(state: KeyState) -> bool:
    """Return whether arrows, Home and End move along the turns. In full screen they do so whatever was clicked."""
    if not state.is_staged:
        return False
    if state.focus is Focus.SCENE:
        return not state.has_tool
    is_value = state.focus in (Focus.VALUE, Focus.NUMBER, Focus.TEXT)
    return state.focus in (Focus.NOTHING, Focus.BUTTON) or (is_value and state.is_presenting)
