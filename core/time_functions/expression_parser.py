"""The parser of expressions: from text to a function of t and of parameters.

Recursive descent, bounded in length, depth and parts; nothing of a text is ever executed as Python. All numbers are
floats, so that no power can hang.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.errors import ExpressionError, did_you_mean
from framescope.core.time_functions.expression_tokens import Token, shortened, tokens_of
from framescope.core.time_functions.jets import FUNCTIONS, Jet, Phase, Phases, constant_power, flat, power, power_phases

MAX_LENGTH = 1000
"""Characters of an expression."""

MAX_NODES = 500
"""Numbers, names, operators and calls of an expression."""

MAX_DEPTH = 50
"""Parentheses, calls, signs and exponents inside one another."""

_CONSTANTS = {"pi": math.pi}
WORDS = ("t", *_CONSTANTS, *FUNCTIONS)

Values = Mapping[str, float]
"""Values of parameters by name."""


class TracedValues(dict[str, float]):
    """Values of parameters that ask an expression to leave the phases of its functions here while it is computed."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.phases: list[Phase] = []


@dataclass(frozen=True)
class SyntaxNode:
    """A part of an expression: its value, and which of t and the parameters it mentions.

    What does not mention t has the shape (), whatever that of t is.
    """

    apply: Callable[[Jet, Values], Jet]
    mentions: frozenset[str] = frozenset()
    is_written: bool = False
    """Whether it is a number as it stands."""
    has_phases: bool = False
    """Whether it may bend or jump somewhere."""
    has_roots: bool = False
    """Whether there are roots or powers in it that may have a value and no derivative."""

    def __call__(self, t: Jet, values: Values) -> Jet:
        """Return its value at `t`, with derivatives."""
        found = self.apply(t, values)
        if self.is_written or "t" in self.mentions:
            return found
        # What does not depend on t has derivatives of zero, also where the rules have none, as for sqrt(0).
        return flat(found.f)


class Parser:
    """Recursive descent over the tokens of one text; `names` are those of the parameters, or None for any."""

    def __init__(self, text: str, names: Collection[str] | None) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"the expression has {len(text)} characters, over {MAX_LENGTH}.", place=MAX_LENGTH)
        self.text = text
        self.names = names
        self.tokens = list(tokens_of(text))
        self.i = 0
        self.n_nodes = 0
        self.depth = 0
        self.opened: list[int] = []

    def whole(self) -> SyntaxNode:
        """Return what the whole text is."""
        if len(self.tokens) == 1:
            raise ExpressionError(f'"{self.text}" is no expression of t: it is empty.', "Write a number or 0.8*sin(t).")
        node = self._sum()
        if self._next.kind != "end":
            raise self._unexpected("an operator or the end")
        return node

    @property
    def _next(self) -> Token:
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
            f"{shortened(self.text)} is no expression of t: "
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

    def _inside(self, parse: Callable[[], SyntaxNode]) -> SyntaxNode:
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

    def _sum(self) -> SyntaxNode:
        return self._chain(self._product, {"+": Jet.__add__, "-": Jet.__sub__})

    def _product(self) -> SyntaxNode:
        return self._chain(self._signed, {"*": Jet.__mul__, "/": Jet.__truediv__})

    def _chain(self, parse: Callable[[], SyntaxNode], operators: dict[str, Callable[[Jet, Jet], Jet]]) -> SyntaxNode:
        """Parse operands joined by operators of one rank, from left to right."""
        first = parse()
        others: list[tuple[Callable[[Jet, Jet], Jet], SyntaxNode]] = []
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

        nodes = (first, *(other for _, other in others))
        mentions = first.mentions.union(*(node.mentions for node in nodes))
        return SyntaxNode(
            apply,
            mentions,
            has_phases=any(node.has_phases for node in nodes),
            has_roots=any(node.has_roots for node in nodes),
        )

    def _signed(self) -> SyntaxNode:
        sign = self._take("+", "-")
        if not sign:
            return self._powered()
        self._count()
        inner = self._inside(self._signed)
        if sign == "+":
            return inner
        return SyntaxNode(
            lambda t, values: -inner(t, values), inner.mentions, has_phases=inner.has_phases, has_roots=inner.has_roots
        )

    def _powered(self) -> SyntaxNode:
        base = self._atom()
        if not self._take("**"):
            return base
        self._count()
        exponent = self._inside(self._signed)
        mentions = base.mentions | exponent.mentions
        # By what is written, not by the values: the formula must not depend on the times it is asked at.
        if "t" in exponent.mentions:
            return _traced((base, exponent), power, power_phases, has_roots=True)

        is_smooth = "t" not in mentions or (not exponent.mentions and _is_whole(exponent))

        def apply(t: Jet, values: Values) -> Jet:
            x, n = base(t, values), exponent(t, values)
            if not is_smooth and isinstance(values, TracedValues):
                values.phases += power_phases(x, n)
            return constant_power(x, float(n.f))

        return SyntaxNode(
            apply, mentions, has_phases=base.has_phases or not is_smooth, has_roots=base.has_roots or not is_smooth
        )

    def _atom(self) -> SyntaxNode:
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

    def _number(self, token: Token) -> SyntaxNode:
        number = float(token.text)
        if not math.isfinite(number):
            message = f"{shortened(self.text)} holds a number that is too large, at character {token.place + 1}."
            raise ExpressionError(message, place=token.place)
        return _constant(number)

    def _named(self, token: Token) -> SyntaxNode:
        name = token.text
        if name == "t":
            self.i += 1
            return SyntaxNode(lambda t, _: t, frozenset("t"))
        if name in _CONSTANTS:
            self.i += 1
            return _constant(_CONSTANTS[name])
        if name in FUNCTIONS:
            self.i += 1
            written = f"Write {name}({', '.join(FUNCTIONS[name].arguments)})."
            raise self._unexpected(f"( after the function {name}", written)
        if self.names is None or name in self.names:
            self.i += 1
            return SyntaxNode(lambda _, values: flat(np.array(values[name])[()]), frozenset((name,)))
        raise ExpressionError(
            f'"{name}" is not known in {shortened(self.text)}, at character {token.place + 1}.',
            did_you_mean(name, (*WORDS, *sorted(self.names))),
            token.place,
        )

    def _call(self, token: Token) -> SyntaxNode:
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
        args: list[SyntaxNode] = []
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
        return _traced(args, function.apply, function.phases, has_roots=function.apply is FUNCTIONS["sqrt"].apply)


def _traced(
    args: Sequence[SyntaxNode], compute: Callable[..., Jet], phases: Phases | None, *, has_roots: bool
) -> SyntaxNode:
    """Return the node of a function of others, which leaves its phases where they are asked for."""
    mentions = frozenset[str]().union(*(arg.mentions for arg in args))
    own = phases if "t" in mentions else None

    def apply(t: Jet, values: Values) -> Jet:
        found = [arg(t, values) for arg in args]
        if own is not None and isinstance(values, TracedValues):
            values.phases += own(*found)
        return compute(*found)

    return SyntaxNode(
        apply,
        mentions,
        has_phases=own is not None or any(arg.has_phases for arg in args),
        has_roots=("t" in mentions and has_roots) or any(arg.has_roots for arg in args),
    )


def _is_whole(exponent: SyntaxNode) -> bool:
    """Return whether an exponent without names is a whole number from 0 on."""
    with np.errstate(all="ignore"):
        n = float(exponent(flat(np.array(0.0)), {}).f)
    return n >= 0.0 and n.is_integer()


def _constant(number: float) -> SyntaxNode:
    jet = flat(np.array(number)[()])
    return SyntaxNode(lambda _t, _values: jet, is_written=True)
