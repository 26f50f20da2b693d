"""Tokens of an expression: numbers, names and signs, and the error about anything else."""

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
_INSTEAD = {
    "·": "*", "×": "*", "∙": "*", "∗": "*", "÷": "/", "−": "-", "–": "-", "π": "pi", "²": "**2", "³": "**3",
    "√": "sqrt", "[": "(", "]": ")", "{": "(", "}": ")", ";": ",",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece of the text; `kind` is ``number``, ``name``, ``sign`` or ``end``, `place` where it begins."""

    kind: str
    text: str
    place: int


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the pieces of a text without the blanks between them, and one for its end."""
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
    """Return the error for a character or a word that the grammar does not have."""
    found = word or text[place]
    if found == "^":
        return ExpressionError(f"{shortened(text)} uses ^, at character {place + 1}.", "Write a power with **.", place)
    instead = _INSTEAD.get(found)
    hint = (
        f"Write {instead} instead."
        if instead
        else f"Allowed are numbers, t, pi, + - * / ** and the functions {', '.join(FUNCTIONS)}."
    )
    shown = f'"{found}"' if found.isprintable() and found != '"' else ascii(found)
    return ExpressionError(
        f"{shortened(text)} uses something that expressions do not have: {shown} at character {place + 1}.", hint, place
    )


def shortened(text: str) -> str:
    """Return the text in quotes, cut when it is long."""
    return f'"{text}"' if len(text) <= 80 else f'"{text[:70]}…"'
