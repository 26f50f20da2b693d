"""Who gets which key in a lecture: every key in every state of the window, by the rule alone."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

from framescope.ui.window.lecture_keys import (
    KEYS,
    LETTERS,
    MODIFIERS,
    PAGES,
    RETURNS,
    SIGNS,
    TURNS,
    Asked,
    Command,
    Focus,
    KeyState,
    command_for,
)
from tests.support.cases import for_each

DIGITS = tuple("0123456789")
FIXED = ("focus", "n_options", "asked", "is_new", "uses_return")
"""Fields whose combinations are tested for themselves."""
FLAGS = tuple(field.name for field in fields(KeyState) if field.name not in FIXED)
FREE = (Focus.SCENE, Focus.NOTHING, Focus.BUTTON)
WRITTEN = (Focus.TYPING, Focus.TYPED_ANSWER)


def states(**fixed: object) -> list[KeyState]:
    """Return all states with some fields fixed."""
    free = [name for name in FLAGS if name not in fixed]
    focuses = [fixed["focus"]] if "focus" in fixed else list(Focus)
    rest = {"n_options": 4} | {name: value for name, value in fixed.items() if name != "focus"}
    return [
        KeyState(focus, **rest | dict(zip(free, values, strict=True)))
        for focus in focuses
        for values in product((False, True), repeat=len(free))
    ]


@for_each("key", [*KEYS, *DIGITS, "A", "Return", "Tab"])
def test_that_any_key_restores_a_blank_screen(key) -> None:
    assert {command_for(key, state) for state in states(is_blank=True)} == {Command.UNBLANK}


@for_each("key", MODIFIERS)
def test_that_the_first_key_of_alt_tab_leaves_the_screen_blank(key) -> None:
    assert {command_for(key, state) for state in states(is_blank=True)} == {Command.NONE}


@for_each("key", PAGES)
def test_that_page_keys_go_through_a_lesson_unless_text_is_typed(key) -> None:
    for state in states(is_blank=False, has_popup=False, has_lesson=True):
        typed = state.focus is Focus.TYPING
        assert command_for(key, state) is (Command.NONE if typed else PAGES[key]), state
    for state in states(is_blank=False, has_popup=False, has_lesson=False):
        assert command_for(key, state) is Command.NONE


@for_each("key", [*KEYS, *DIGITS])
def test_that_a_menu_keeps_all_keys(key) -> None:
    assert {command_for(key, state) for state in states(is_blank=False, has_popup=True)} == {Command.NONE}


@for_each("key", [*LETTERS, *DIGITS, "Period", *TURNS])
def test_that_a_text_that_is_typed_keeps_its_letters_digits_and_arrows(key) -> None:
    for focus in WRITTEN:
        for state in states(focus=focus, is_blank=False, has_popup=False, leaves_space=False):
            assert command_for(key, state) is Command.NONE, state


@for_each("key", LETTERS)
def test_that_letters_are_those_of_a_lecture_alone_and_anywhere_in_one(key) -> None:
    for state in states(is_blank=False, has_popup=False):
        has_text = state.focus in (*WRITTEN, Focus.TEXT)
        is_lecture = state.has_lesson or state.is_presenting
        expected = LETTERS[key] if is_lecture and not has_text else Command.NONE
        assert command_for(key, state) is expected, state


@for_each("key", TURNS)
def test_that_in_full_screen_arrows_turn_whatever_was_clicked(key) -> None:
    keeping = (*WRITTEN, Focus.ANSWER)
    usual = {"is_blank": False, "has_popup": False, "is_staged": True, "has_tool": False}
    for state in states(is_presenting=True, **usual):
        assert command_for(key, state) is (Command.NONE if state.focus in keeping else Command.TURN), state
    for state in states(is_presenting=False, **usual):
        is_free = state.focus in FREE
        assert command_for(key, state) is (Command.TURN if is_free else Command.NONE), state
    for state in states(**usual | {"is_staged": False}):
        assert command_for(key, state) is Command.NONE


def test_that_escape_leaves_one_thing_after_another_and_ends_outside() -> None:
    state = {"is_lit": True, "is_large": True, "is_staged": True, "is_presenting": True}
    left = []
    while any(state.values()):
        command = command_for("Escape", KeyState(Focus.NOTHING, is_unused=True, **state))
        left.append(command)
        ended = {
            Command.UNLIGHT: "is_lit",
            Command.LEAVE_LARGE: "is_large",
            Command.TURN: "is_staged",
            Command.LEAVE_FULL_SCREEN: "is_presenting",
        }[command]
        state[ended] = False
    assert left == [Command.UNLIGHT, Command.LEAVE_LARGE, Command.TURN, Command.LEAVE_FULL_SCREEN]
    assert command_for("Escape", KeyState(Focus.NOTHING, is_unused=True)) is Command.NONE


def test_that_escape_is_first_the_texts_and_the_tools() -> None:
    for state in states(is_blank=False, has_popup=False, is_unused=False):
        is_own = state.focus not in FREE or state.has_tool or state.is_measuring
        if is_own:
            assert command_for("Escape", state) is Command.NONE, state


@for_each("key", DIGITS)
def test_that_digits_choose_only_among_the_answers_that_there_are(key) -> None:
    for state in states(is_blank=False, has_popup=False):
        has_digits = state.focus in (*WRITTEN, Focus.TEXT, Focus.NUMBER)
        expected = Command.CHOOSE if 1 <= int(key) <= 4 and not has_digits else Command.NONE
        assert command_for(key, state) is expected, state
    assert {command_for(key, state) for state in states(n_options=0, is_blank=False)} == {Command.NONE}


def test_that_comma_and_period_step_in_time_and_a_period_blanks_the_screen_of_a_lecture() -> None:
    for state in states(is_blank=False, has_popup=False):
        is_free = state.focus in FREE
        forward = Command.BLANK if state.is_lecture else Command.STEP_FORWARD
        assert command_for("Comma", state) is (Command.STEP_BACK if is_free else Command.NONE), state
        assert command_for("Period", state) is (forward if is_free else Command.NONE), state


@for_each("key", [*DIGITS, *SIGNS])
def test_that_a_number_is_typed_from_wherever_nobody_types(key) -> None:
    usual = {"is_blank": False, "has_popup": False, "n_options": 0, "has_lesson": True}
    for state in states(asked=Asked.NUMBER, **usual):
        if key == "Period" and state.is_presenting:
            continue  # it may come from a presenter
        is_typed = state.focus in (*FREE, Focus.VALUE)
        assert (command_for(key, state) is Command.TYPE) == is_typed, state
        assert is_typed or command_for(key, state) is Command.NONE, state
    for asked in (Asked.NOTHING, Asked.OTHER):
        assert Command.TYPE not in {command_for(key, state) for state in states(asked=asked, **usual)}


def test_that_the_period_of_a_presenter_blanks_the_screen_of_a_question_too() -> None:
    for focus in FREE:
        state = KeyState(focus, asked=Asked.NUMBER, has_lesson=True, is_presenting=True)
        assert command_for("Period", state) is Command.BLANK


@for_each("key", RETURNS)
def test_that_return_presses_a_button_and_else_checks_the_answer(key) -> None:
    usual = {"is_blank": False, "has_popup": False, "n_options": 0}
    for asked in Asked:
        for state in states(asked=asked, **usual):
            checks = state.focus in (Focus.SCENE, Focus.NOTHING) and asked is not Asked.NOTHING
            checks |= state.focus is Focus.ANSWER and asked is Asked.OTHER
            pressed = Command.PRESS if state.focus is Focus.BUTTON else Command.NONE
            assert command_for(key, state) is (Command.CHECK if checks else pressed), state
    for state in states(asked=Asked.OTHER, uses_return=True, **usual):
        if state.focus in (Focus.SCENE, Focus.NOTHING):
            assert command_for(key, state) is Command.NONE, state
    for state in states(asked=Asked.OTHER, **usual | {"n_options": 3}):
        if state.focus is Focus.ANSWER:  # the options have their own use of Return
            assert command_for(key, state) is Command.NONE, state


def test_that_tab_goes_from_the_scene_to_the_answer_and_first_from_anywhere() -> None:
    usual = {"is_blank": False, "has_popup": False}
    for is_new in (False, True):
        for state in states(asked=Asked.OTHER, is_new=is_new, **usual):
            goes = state.focus is Focus.SCENE or (is_new and state.focus in FREE)
            assert command_for("Tab", state) is (Command.ANSWER if goes else Command.NONE), state
    assert {command_for("Tab", state) for state in states(**usual)} == {Command.NONE}
