"""Literals and calls of C, C++, Java, Python, JSON, Modelica, MATLAB and Mathematica, parsed without running them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from framescope.core.readings.numerals import Numeral, read_numeral, scaled
from framescope.core.readings.reading import ReadingError

DEEPEST = 40
"""Largest depth of nested brackets."""

_TOKEN = re.compile(
    r"(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:(?:[eE]|\*\^)[+-]?\d+)?[fFlLdD]?(?!\w))"
    r"|(?P<text>\"[^\"\n]*\"|'[^'\n]*')"
    r"|(?P<name>[^\W\d]\w*(?:(?:::|\.|->)[^\W\d]\w*)*(?:<[\w:,\s]*>(?=\s*[({\w:]))?(?:::\w+)*)"
    r"|(?P<mark>\*\*|[-+*/@(){}\[\],;=:|&.^])",
    re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PI = {"pi", "M_PI", "PI", "Pi", "π", "M_PIf"}
_DEGREE = {"Degree", "deg", "degree", "degrees", "DEG2RAD", "D2R", "DEG_TO_RAD", "RADIANS"}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "radians": lambda x: scaled(x, math.pi / 180.0),
    "deg2rad": lambda x: scaled(x, math.pi / 180.0),
    "toRadians": lambda x: scaled(x, math.pi / 180.0),
    "degToRad": lambda x: scaled(x, math.pi / 180.0),
    "from_degrees": lambda x: scaled(x, math.pi / 180.0),
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
}


@dataclass(frozen=True)
class Call:
    """Call of a function or constructor: its full name, positional and named arguments, and methods called on it."""

    name: str
    positional: tuple[Value, ...]
    named: dict[str, Value] = field(default_factory=dict)
    methods: tuple[str, ...] = ()

    @property
    def last_name(self) -> str:
        """Last part of the name, without a template's arguments."""
        return re.split(r"::|\.|->", re.sub(r"<.*?>", "", self.name))[-1]


@dataclass(frozen=True)
class Name:
    """A name that is no call, such as a variable or a constant."""

    text: str


@dataclass(frozen=True)
class Product:
    """Product of values that are not all numbers."""

    factors: tuple[Value, ...]


Value = float | str | list["Value"] | Call | Name | Product


def parse_at(text: str, start: int) -> Value:
    """Return the value of the expression that begins at an index of a text.

    Raises
    ------
    ReadingError
        When the text is no expression, or has more than 40 nested brackets.

    Examples
    --------
    >>> parse_at("q = Quaternion(axis=[0, 0, 1], degrees=30)", 4).named["degrees"]
    30.0
    """
    return _Parser(text, start).expression()


def flat_numbers(value: Value) -> list[float]:
    """Return all numbers of a value in order; raise `ReadingError` for variables and unknown calls."""
    match value:
        case float():
            return [value]
        case list():
            return [number for part in value for number in flat_numbers(part)]
        case Call(positional=parts) if not value.named or set(value.named) <= {"dtype", "type"}:
            return [number for part in parts if not isinstance(part, (str, Name)) for number in flat_numbers(part)]
        case Name(text=text):
            raise ReadingError(f"{text} is a variable: replace it with its number.")
        case _:
            raise ReadingError("Expected numbers as arguments.")


class _Parser:
    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._depth = 0

    def expression(self, *, in_list: bool = False) -> Value:
        value = self._product(in_list=in_list)
        while (mark := self._peek("mark")) in ("+", "-"):
            if in_list and self._begins_item():
                break
            self._take()
            other = self._product(in_list=in_list)
            if not (isinstance(value, float) and isinstance(other, float)):
                raise ReadingError("Expected numbers, got a sum of other values.")
            value = value + other if mark == "+" else value - other
        return value

    def _begins_item(self) -> bool:
        """Return whether a sign begins another item of a list without commas, as in ``[1 -2]``."""
        sign = self._skip_space()
        return self._text[sign - 1 : sign].isspace() and not self._text[sign + 1 : sign + 2].isspace()

    def _product(self, *, in_list: bool) -> Value:
        value = self._unary()
        while True:
            mark = self._peek("mark")
            if mark in ("*", "/", "@"):
                self._take()
                value = _multiply(value, self._unary(), mark)
            elif (isinstance(value, float) and not in_list and self._peek("name") in _DEGREE) or (
                isinstance(value, float) and self._peek("name") in ("Degree", "_deg")
            ):
                self._take()
                value = scaled(value, math.pi / 180.0)
            else:
                return value

    def _unary(self) -> Value:
        mark = self._peek("mark")
        if mark in ("-", "+"):
            self._take()
            value = self._unary()
            if not isinstance(value, float):
                raise ReadingError("Expected a number behind a sign.")
            return -value if mark == "-" else value
        return self._primary()

    def _primary(self) -> Value:
        kind, word = self._next()
        if kind == "number":
            number = read_numeral(word.rstrip("dD"))
            if number is None:
                raise ReadingError(f"{word}: the number is too large.")
            return number
        if kind == "text":
            return word[1:-1]
        if kind == "name":
            return self._name(word)
        if word in _CLOSING:
            parts, named = self._items(word)
            self._methods()
            if named:
                return Call("", tuple(parts), named)
            return parts[0] if word == "(" and len(parts) == 1 else parts
        raise ReadingError(f'Expected a value, got "{word}".')

    def _name(self, word: str) -> Value:
        last = re.split(r"::|\.|->", word)[-1]
        if word in ("new", "const", "return", "auto", "double", "float", "Real"):
            return self._primary()
        at = self._at
        opening = self._peek("mark")
        if opening not in _CLOSING and self._peek("name") and self._text[at : at + 1] in (" ", "\t"):
            self._take()  # the variable of a declaration: ``Eigen::Quaterniond q(1, 0, 0, 0)``
            opening = self._peek("mark")
            if opening not in _CLOSING:
                self._at = at
                opening = None
        if opening is None or opening not in _CLOSING or (opening == "[" and not word[:1].isupper()):
            self._at = at
            return _constant(word, last)
        self._take()
        parts, named = self._items(opening)
        function = _FUNCTIONS.get(last)
        if function is not None and len(parts) == 1 and not named:
            return _apply(function, parts[0])
        if last == "zeros" and len(parts) >= 1 and isinstance(parts[0], float) and 0 < parts[0] <= 16:
            return [0.0 for _ in range(int(parts[0]))]
        return Call(word, tuple(parts), named, self._methods())

    def _methods(self) -> tuple[str, ...]:
        """Skip calls of methods, as in ``.toRotationMatrix()``; return their names."""
        names: list[str] = []
        while match := re.compile(r"\s*\.\s*([A-Za-z_]\w*)\s*").match(self._text, self._at):
            self._at = match.end()
            names.append(match[1])
            if self._text[self._at : self._at + 1] == "(":
                self._at += 1
                self._items("(")
        return tuple(names)

    def _items(self, opening: str) -> tuple[list[Value], dict[str, Value]]:
        """Return the items up to the closing bracket, and those with names; rows after semicolons are flattened."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ReadingError(f"The text has more than {DEEPEST} nested brackets.")
        parts: list[Value] = []
        named: dict[str, Value] = {}
        while True:
            mark = self._peek("mark")
            if mark == _CLOSING[opening]:
                self._take()
                self._depth -= 1
                return parts, named
            if mark in (",", ";", "|"):
                self._take()
                continue
            name = re.compile(r"\s*\.?(?:([A-Za-z_]\w*)\s*(?:=(?!=)|:(?!:))|[\"'](\w+)[\"']\s*:)\s*").match(
                self._text, self._at
            )
            if name is not None:
                self._at = name.end()
                named[name[1] or name[2]] = self.expression(in_list=opening != "(")
            else:
                parts.append(self.expression(in_list=opening != "("))

    # --- tokens

    def _skip_space(self) -> int:
        while (match := _TOKEN.match(self._text, self._at)) and match.lastgroup == "space":
            self._at = match.end()
        return self._at

    def _match(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._skip_space())

    def _peek(self, kind: str) -> str | None:
        at, match = self._at, self._match()
        if match is None or match.lastgroup != kind:
            self._at = at
            return None
        return match[0]

    def _next(self) -> tuple[str, str]:
        match = self._match()
        if match is None:
            raise ReadingError("The text ends before its closing bracket, or has a character that is no code.")
        self._at = match.end()
        return match.lastgroup or "", match[0]

    def _take(self) -> None:
        self._next()


def _constant(word: str, last: str) -> Value:
    """Return the value of a name that no bracket follows."""
    if last in _PI:
        return math.pi
    if last in _DEGREE:
        return math.pi / 180.0
    return Name(last.title() if last in ("true", "True", "false", "False") else word)


def _multiply(value: Value, other: Value, mark: str) -> Value:
    if isinstance(value, float) and isinstance(other, float):
        if mark == "/" and other == 0.0:
            raise ReadingError("Expected a number, got a division by zero.")
        if not isinstance(other, Numeral) or not other.step:
            return scaled(value, 1.0 / other if mark == "/" else other)
        return value / other if mark == "/" else scaled(other, value)
    if isinstance(value, float) and mark == "*" and isinstance(other, list):
        return [_multiply(value, part, mark) for part in other]
    first = value.factors if isinstance(value, Product) else (value,)
    return Product((*first, other))


def _apply(function: Callable[[float], float], value: Value) -> Value:
    if isinstance(value, list):
        return [_apply(function, part) for part in value]
    if isinstance(value, float):
        try:
            return function(value)
        except ValueError:
            raise ReadingError("Expected a number, got the root of a negative one.") from None
    raise ReadingError("Expected a number as argument.")
