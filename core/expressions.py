"""Signals written as expressions of t, with exact first and second derivatives.

The grammar is a small whitelist: decimal numbers, ``t``, ``pi``, named parameters, ``+ - * / **``, parentheses, and
the functions ``sin cos tan exp log sqrt abs min max smoothstep pulse pulses``. Operators bind as in Python. Text is
read by a parser of its own, bounded in length, depth and parts; nothing of it is ever executed as Python. All numbers
are floats, so that no power can hang. Derivatives are carried along exactly (second-order forward differentiation),
not by differences.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from keyword import iskeyword
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.arrays import Array
from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.jets import FUNCTIONS, Jet, constant_power, flat, power

MAX_LENGTH = 1000
"""Characters of an expression."""

MAX_NODES = 500
"""Numbers, names, operators and calls of an expression."""

MAX_DEPTH = 50
"""Parentheses, calls, signs and exponents inside one another."""


class ExpressionError(FramescopeError):
    """A text is no expression of t; the message says what, `hint` how to mend it.

    `place` is the index of the character at fault, or None where it is the whole.
    """

    def __init__(self, message: str, hint: str = "", place: int | None = None) -> None:
        self.message = message
        self.hint = hint
        self.place = place
        super().__init__(f"{message} {hint}".strip())


_CONSTANTS = {"pi": math.pi}
_WORDS = ("t", *_CONSTANTS, *FUNCTIONS)

Values = Mapping[str, float]
"""Values of parameters by name."""

NO_VALUES: Values = MappingProxyType(dict[str, float]())


# --- Expressions


@dataclass(frozen=True)
class _Node:
    """A part of an expression: its value, and which of t and the parameters it mentions.

    What does not mention t has the shape (), whatever that of t is.
    """

    apply: Callable[[Jet, Values], Jet]
    mentions: frozenset[str] = frozenset()
    is_written: bool = False
    """Whether it is a number as it stands."""

    def __call__(self, t: Jet, values: Values) -> Jet:
        found = self.apply(t, values)
        if self.is_written or "t" in self.mentions:
            return found
        # What does not depend on t has derivatives of zero, also where the rules have none, as for sqrt(0).
        return flat(found.f)


@dataclass(frozen=True)
class Expression:
    """A parsed expression of t. Make one with `parse_expression`.

    Attributes
    ----------
    text
        The expression as it was written.
    mentions
        Which of ``t`` and the parameters it depends on.
    parameters
        Names and values of all parameters it was parsed with.
    """

    text: str
    _node: _Node
    mentions: frozenset[str] = frozenset()
    parameters: tuple[tuple[str, float], ...] = ()

    def jet(self, t: ArrayLike, instead: Mapping[str, Array] | None = None) -> Jet:
        """Return value, first and second derivative at times `t` (...), NaN or infinite where undefined.

        `instead` has other values for some parameters, as arrays that broadcast with `t`.
        """
        # A copy in one piece: how numpy computes sines may depend on how its argument lies in memory.
        t = np.array(t, dtype=np.float64, order="C")[()]  # a plain number when it is one, which is quicker
        values: dict[str, Any] = {**dict(self.parameters), **(instead or {})}
        with np.errstate(all="ignore"):
            found = self._node(Jet(t, np.ones_like(t), np.zeros_like(t)), values)
        if "t" in self.mentions:
            return found
        return Jet(*(np.full_like(t, x) for x in (found.f, found.d, found.dd)))

    def __call__(self, t: ArrayLike) -> Array:
        """Return the value at times `t` (...)."""
        return self.jet(t).f


def parse_expression(text: str, parameters: Values = NO_VALUES) -> Expression:
    """Parse an expression of t.

    Parameters
    ----------
    text
        The expression, such as ``"0.8*sin(2*t)"``.
    parameters
        Values of the names that may stand in it besides t and pi, finite.

    Returns
    -------
    Expression
        A function of t that gives its derivatives too.

    Raises
    ------
    ExpressionError
        When the text is no expression of the grammar, or is longer or deeper than allowed, or a parameter has a name
        that is taken or no name, or no finite value.

    Notes
    -----
    ``smoothstep(t, t0, t1)`` is 0 up to t0 and 1 from t1 on, and between them ``6 s⁵ - 15 s⁴ + 10 s³`` with
    ``s = (t - t0) / (t1 - t0)``: twice continuously differentiable; with t0 > t1 it falls. ``pulse(t, t0, t1)`` is 1
    for ``t0 <= t < t1`` and else 0; ``pulses(t, period, width)`` is 1 for the first `width` of each period, counted
    from 0. The derivatives of both are 0, also at the jumps; those of `abs`, `min` and `max` are of the branch that is
    taken, at a tie of `min` and `max` the first, and 0 for ``abs(0)``. Any of the arguments may be an expression. The
    derivatives of what does not mention t are 0.

    Nothing warns or raises: where a function has no value (``sqrt(-1)``, ``log(-1)``, ``0/0``) the result is NaN,
    ``1/0`` and ``log(0)`` are infinite. A call with many times gives the bits of single calls.

    Examples
    --------
    >>> jet = parse_expression("2*t**2").jet(3.0)
    >>> float(jet.f), float(jet.d), float(jet.dd)
    (18.0, 12.0, 4.0)
    >>> float(parse_expression("amplitude*smoothstep(t, 0, 2)", {"amplitude": 3.0})(1.0))
    1.5
    """
    if not parameters:
        return _parsed(text, frozenset[str]())
    values: list[tuple[str, float]] = []
    for name, value in parameters.items():
        check_parameter_name(name)
        if not math.isfinite(value):
            raise ExpressionError(f'the parameter "{name}" has no finite value, but {value}.')
        values.append((name, float(value)))
    return replace(_parsed(text, frozenset(parameters)), parameters=tuple(values))


def check_parameter_name(name: str) -> None:
    """Check that a parameter may have this name.

    Parameters
    ----------
    name
        Letters, digits and underscores of ASCII, not beginning with a digit.

    Raises
    ------
    ExpressionError
        When it is no such name, or is t, pi, a function or a word of Python.

    Examples
    --------
    >>> check_parameter_name("omega_1")
    >>> check_parameter_name("sin")
    Traceback (most recent call last):
    ...
    framescope.core.expressions.ExpressionError: "sin" cannot be a parameter: it is a function. Choose another name.
    """
    if name in _WORDS:
        what = "a function" if name in FUNCTIONS else "the time" if name == "t" else "a number"
        raise ExpressionError(f'"{name}" cannot be a parameter: it is {what}.', "Choose another name.")
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise ExpressionError(
            f"{_shortened(name)} cannot be a parameter.",
            "A name is letters, digits and _, as in omega_1, and no word of Python.",
        )


@lru_cache(maxsize=4096)
def _parsed(text: str, names: frozenset[str]) -> Expression:
    node = _Parser(text, names).whole()
    return Expression(text, node, node.mentions)


@lru_cache(maxsize=4096)
def skeleton(text: str, prefix: str) -> tuple[str, tuple[float, ...]]:
    """Return an expression with its numbers replaced by names, ``prefix0`` and so on, and the numbers.

    Exponents stay: what is computed must not change with how many expressions are computed together.

    >>> skeleton("0.8*sin(2*t)**2", "c")
    ('c0*sin(c1*t)**2', (0.8, 2.0))
    """
    words: list[str] = []
    numbers: list[float] = []
    is_exponent = False
    for token in _tokens(text):
        if token.kind == "number" and not is_exponent:
            words.append(f"{prefix}{len(numbers)}")
            numbers.append(float(token.text))
        else:
            words.append(token.text)
        is_exponent = token.text == "**" or (is_exponent and token.text in "+-(")
    return "".join(words), tuple(numbers)


# --- The parser

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
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
class _Token:
    """A piece of the text; `kind` is ``number``, ``name``, ``sign`` or ``end``, `place` where it begins."""

    kind: str
    text: str
    place: int


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _foreign(text, place)
        if iskeyword(match.group()):
            raise _foreign(text, place, match.group())
        if match.lastgroup != "blank":
            yield _Token(str(match.lastgroup), match.group(), place)
        place = match.end()
    yield _Token("end", "", len(text))


def _foreign(text: str, place: int, word: str = "") -> ExpressionError:
    """Return the error for a character or a word that the grammar does not have."""
    found = word or text[place]
    if found == "^":
        return ExpressionError(f"{_shortened(text)} uses ^, at character {place + 1}.", "Write a power with **.", place)
    instead = _INSTEAD.get(found)
    hint = (
        f"Write {instead} instead."
        if instead
        else f"Allowed are numbers, t, pi, + - * / ** and the functions {', '.join(FUNCTIONS)}."
    )
    shown = f'"{found}"' if found.isprintable() and found != '"' else ascii(found)
    return ExpressionError(
        f"{_shortened(text)} uses something that expressions do not have: {shown} at character {place + 1}.",
        hint,
        place,
    )


def _shortened(text: str) -> str:
    """Return the text in quotes, cut when it is long."""
    return f'"{text}"' if len(text) <= 80 else f'"{text[:70]}…"'


class _Parser:
    """Recursive descent over the tokens of one text; `names` are those of the parameters, or None for any."""

    def __init__(self, text: str, names: Collection[str] | None) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"the expression has {len(text)} characters, over {MAX_LENGTH}.", place=MAX_LENGTH)
        self.text = text
        self.names = names
        self.tokens = list(_tokens(text))
        self.i = 0
        self.n_nodes = 0
        self.depth = 0
        self.opened: list[int] = []

    def whole(self) -> _Node:
        if len(self.tokens) == 1:
            raise ExpressionError(f'"{self.text}" is no expression of t: it is empty.', "Write a number or 0.8*sin(t).")
        node = self._sum()
        if self._next.kind != "end":
            raise self._unexpected("an operator or the end")
        return node

    @property
    def _next(self) -> _Token:
        return self.tokens[self.i]

    def _take(self, *signs: str) -> str:
        """Return the next token if it is one of the signs and step over it, else return nothing."""
        token = self._next
        if token.kind != "sign" or token.text not in signs:
            return ""
        self.i += 1
        return token.text

    def _unexpected(self, expected: str, hint: str = "") -> ExpressionError:
        token = self._next
        found = "the text ends" if token.kind == "end" else f'found "{token.text[:40]}"'
        before = self.tokens[self.i - 1].kind if self.i else ""
        ends_value = before in ("number", "name") or (self.i > 0 and self.tokens[self.i - 1].text == ")")
        if hint:
            pass
        elif token.kind == "end" and self.opened:
            hint = f"The parenthesis at character {self.opened[-1] + 1} is not closed."
        elif token.text == "," and not self.opened:
            hint = "Write decimals with a point, as in 0.5."
        elif token.text == ")" and not self.opened:
            hint = "No parenthesis is open there."
        elif ends_value and (token.kind in ("number", "name") or token.text == "("):
            hint = "Write a product with *, as in 2*t."
        return ExpressionError(
            f"{_shortened(self.text)} is no expression of t: "
            f"at character {token.place + 1} expected {expected}, {found}.",
            hint or "Check the parentheses and operators, as in 0.8*sin(2*t).",
            token.place,
        )

    def _count(self) -> None:
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES:
            raise ExpressionError(
                "the expression is too long.",
                f"At most {MAX_NODES} numbers, names and operators are allowed.",
                self._next.place,
            )

    def _inside(self, parse: Callable[[], _Node]) -> _Node:
        """Parse one level deeper."""
        if self.depth == MAX_DEPTH:
            raise ExpressionError(
                f"the expression is nested too deeply, at character {self._next.place + 1}.",
                f"At most {MAX_DEPTH} levels are allowed.",
                self._next.place,
            )
        self.depth += 1
        node = parse()
        self.depth -= 1
        return node

    def _sum(self) -> _Node:
        return self._chain(self._product, {"+": Jet.__add__, "-": Jet.__sub__})

    def _product(self) -> _Node:
        return self._chain(self._signed, {"*": Jet.__mul__, "/": Jet.__truediv__})

    def _chain(self, parse: Callable[[], _Node], operators: dict[str, Callable[[Jet, Jet], Jet]]) -> _Node:
        """Parse operands joined by operators of one rank, from left to right."""
        first = parse()
        others: list[tuple[Callable[[Jet, Jet], Jet], _Node]] = []
        while sign := self._take(*operators):
            self._count()
            others.append((operators[sign], parse()))
        if not others:
            return first

        def apply(t: Jet, values: Values) -> Jet:
            found = first(t, values)
            for operator, other in others:
                found = operator(found, other(t, values))
            return found

        return _Node(apply, first.mentions.union(*(other.mentions for _, other in others)))

    def _signed(self) -> _Node:
        sign = self._take("+", "-")
        if not sign:
            return self._powered()
        self._count()
        inner = self._inside(self._signed)
        if sign == "+":
            return inner
        return _Node(lambda t, values: -inner(t, values), inner.mentions)

    def _powered(self) -> _Node:
        base = self._atom()
        if not self._take("**"):
            return base
        self._count()
        exponent = self._inside(self._signed)
        mentions = base.mentions | exponent.mentions
        # By what is written, not by the values: the formula must not depend on the times it is asked at.
        if "t" in exponent.mentions:
            return _Node(lambda t, values: power(base(t, values), exponent(t, values)), mentions)
        return _Node(lambda t, values: constant_power(base(t, values), float(exponent(t, values).f)), mentions)

    def _atom(self) -> _Node:
        self._count()
        token = self._next
        if token.kind == "number":
            self.i += 1
            return self._number(token)
        if token.kind == "name":
            is_call = self.tokens[self.i + 1].text == "("
            return self._call(token) if is_call else self._named(token)
        if self._take("("):
            self.opened.append(token.place)
            inner = self._inside(self._sum)
            self._close()
            return inner
        raise self._unexpected("a number, a name or (")

    def _close(self, expected: str = "an operator or )") -> None:
        if not self._take(")"):
            raise self._unexpected(expected)
        self.opened.pop()

    def _number(self, token: _Token) -> _Node:
        number = float(token.text)
        if not math.isfinite(number):
            message = f"{_shortened(self.text)} holds a number that is too large, at character {token.place + 1}."
            raise ExpressionError(message, place=token.place)
        return _constant(number)

    def _named(self, token: _Token) -> _Node:
        name = token.text
        if name == "t":
            self.i += 1
            return _Node(lambda t, _: t, frozenset("t"))
        if name in _CONSTANTS:
            self.i += 1
            return _constant(_CONSTANTS[name])
        if name in FUNCTIONS:
            self.i += 1
            written = f"Write {name}({', '.join(FUNCTIONS[name].arguments)})."
            raise self._unexpected(f"( after the function {name}", written)
        if self.names is None or name in self.names:
            self.i += 1
            return _Node(lambda _, values: flat(np.array(values[name])[()]), frozenset((name,)))
        raise ExpressionError(
            f'"{name}" is not known in {_shortened(self.text)}, at character {token.place + 1}.',
            did_you_mean(name, (*_WORDS, *sorted(self.names))),
            token.place,
        )

    def _call(self, token: _Token) -> _Node:
        name = token.text
        if name not in FUNCTIONS:
            is_value = name == "t" or name in _CONSTANTS or name in (self.names or ())
            raise ExpressionError(
                f'"{name}" is no function here, at character {token.place + 1}.',
                f"Write a product with *, as in {name}*(t + 1)." if is_value else did_you_mean(name, FUNCTIONS),
                token.place,
            )
        function = FUNCTIONS[name]
        self.i += 1
        self.opened.append(self._next.place)
        self.i += 1
        args: list[_Node] = []
        if self._next.text != ")":
            args.append(self._inside(self._sum))
            while self._take(","):
                args.append(self._inside(self._sum))
        self._close("an operator, a comma or )")
        n = len(function.arguments)
        if len(args) < n or (len(args) > n and not function.takes_more):
            least = "at least " if function.takes_more else ""
            raise ExpressionError(
                f"{name} takes {least}{n} argument{'s' * (n > 1)}, got {len(args)}, at character {token.place + 1}.",
                f"Write {name}({', '.join(function.arguments)}).",
                token.place,
            )
        return _Node(
            lambda t, values: function.apply(*(arg(t, values) for arg in args)),
            frozenset[str]().union(*(arg.mentions for arg in args)),
        )


def _constant(number: float) -> _Node:
    jet = flat(np.array(number)[()])
    return _Node(lambda _t, _values: jet, is_written=True)


# --- The constant at the end


def split_constant(text: str) -> tuple[str, float]:
    """Split an expression into what varies and the constant added at its end.

    Any name may stand in it; a text that is no expression has no constant.

    >>> split_constant("0.8*sin(t) + 0.21")
    ('0.8*sin(t)', 0.21)
    >>> split_constant("2*t")
    ('2*t', 0.0)
    """
    text = text.strip()
    try:
        parser = _Parser(text, None)
        parser.whole()
    except ExpressionError:
        return text, 0.0
    # Only the last term of the whole counts: "2*(t + 1)" and "t - 2*3" end in digits too. A number at the end of a
    # whole is outside of all parentheses, and a sign before it joins two terms when a term ends before the sign.
    *_, before, sign, last = [_Token("sign", "", 0)] * 2 + parser.tokens[:-1]
    is_joined = before.kind in ("number", "name") or before.text == ")"
    if last.kind != "number" or sign.text not in ("+", "-") or not is_joined:
        return text, 0.0
    number = float(last.text)
    return text[: sign.place].rstrip(), -number if sign.text == "-" else number


def with_constant(text: str, constant: float) -> str:
    """Return the expression with the constant at its end replaced; nothing is added for 0.

    >>> with_constant("0.8*sin(t) + 0.21", -0.5)
    '0.8*sin(t) - 0.5'
    """
    rest, _ = split_constant(text)
    if constant == 0.0:
        return rest
    return f"{rest} {'-' if constant < 0.0 else '+'} {abs(constant):.10g}"
