"""Tokens of an expression: numbers, names and signs, and the error for any other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

from framescope.core.errors import ExpressionError
from framescope.core.time_functions.jets import FUNCTIONS

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)"
    r"|(?P<number>(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>\*\*|[-+*/(),])",
    re.ASCII,
)
_REPLACEMENTS = {
    "·": "*", "×": "*", "∙": "*", "∗": "*", "÷": "/", "−": "-", "–": "-", "π": "pi", "²": "**2", "³": "**3",
    "√": "sqrt", "[": "(", "]": ")", "{": "(", "}": ")", ";": ",",
}  # fmt: skip
"""Replacements in this grammar for signs of other notations."""


@dataclass(frozen=True)
class Token:
    """Token of an expression; `kind` is ``number``, ``name``, ``sign`` or ``end``; `place` is its index in the text."""

    kind: str
    text: str
    place: int


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a text without blanks, and a token of kind ``end`` at its end."""
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _foreign(text, place)
        if iskeyword(match.group()):
            raise _foreign(text, place, match.group())
        if match.lastgroup != "blank":
            yield Token(str(match.lastgroup), match.group(), place)
        place = match.end()
    yield Token("end", "", len(text))


def _foreign(text: str, place: int, word: str = "") -> ExpressionError:
    """Return the error for a character or word that is not in the grammar."""
    unknown = word or text[place]
    if unknown == "^":
        return ExpressionError(f"{quote(text)} uses ^, at character {place + 1}.", "Write a power with **.", place)
    replacement = _REPLACEMENTS.get(unknown)
    hint = (
        f"Write {replacement} instead."
        if replacement
        else f"Allowed are numbers, t, pi, + - * / ** and the functions {', '.join(FUNCTIONS)}."
    )
    shown = f'"{unknown}"' if unknown.isprintable() and unknown != '"' else ascii(unknown)
    return ExpressionError(
        f"{quote(text)} uses something that expressions do not have: {shown} at character {place + 1}.", hint, place
    )


def quote(text: str) -> str:
    """Return a text in quotes, shortened if it is long."""
    return f'"{text}"' if len(text) <= 80 else f'"{text[:70]}…"'
