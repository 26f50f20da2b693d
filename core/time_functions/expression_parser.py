"""Recursive descent over the tokens of an expression: one grammar for all that is read by it.

Bounded in length, depth and parts; nothing of a text is ever executed as Python. What the parts become is up to
subclasses: functions of t (`syntax_nodes`), derivatives in writing, or plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from framescope.core.errors import ExpressionError
from framescope.core.time_functions.expression_tokens import Token, shortened, tokens_of
from framescope.core.time_functions.jets import FUNCTIONS, Function

MAX_LENGTH = 1000
"""Characters of an expression."""

MAX_NODES = 500
"""Numbers, names, operators and calls of an expression."""

MAX_DEPTH = 50
"""Parentheses, calls, signs and exponents inside one another."""

N = TypeVar("N")


class TooDeepError(ExpressionError):
    """An expression is nested more deeply than is allowed."""


class Parser(Generic[N]):
    """Recursive descent over the tokens of one text; a subclass says what its parts become."""

    functions: Mapping[str, Function] = FUNCTIONS
    max_depth = MAX_DEPTH

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"the expression has {len(text)} characters, over {MAX_LENGTH}.", place=MAX_LENGTH)
        self.text = text
        self.tokens = list(tokens_of(text))
        self.i = 0
        self.n_nodes = 0
        self.depth = 0
        self.opened: list[int] = []

    # --- What the parts become

    def number(self, token: Token) -> N:
        """Return what a number is."""
        raise NotImplementedError

    def named(self, token: Token) -> N:
        """Return what a name is that is no function; raise when it is not known."""
        raise NotImplementedError

    def no_function(self, token: Token) -> Exception:
        """Return what is wrong with calling something that is no function."""
        raise NotImplementedError

    def joined(self, first: N, others: Sequence[tuple[str, N]]) -> N:
        """Return what operands are with the operator before each: all of them sums and differences, or all products."""
        raise NotImplementedError

    def negative(self, inner: N) -> N:
        """Return what the opposite of something is."""
        raise NotImplementedError

    def power(self, base: N, exponent: N) -> N:
        """Return what a power is."""
        raise NotImplementedError

    def called(self, name: str, args: Sequence[N]) -> N:
        """Return what a function of others is."""
        raise NotImplementedError

    # --- The grammar

    def whole(self) -> N:
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
            hint = f"At most {MAX_NODES} numbers, names and operators are allowed."
            raise ExpressionError("the expression is too long.", hint, self._next.place)

    def _inside(self, parse: Callable[[], N]) -> N:
        """Parse one level deeper."""
        if self.depth == self.max_depth:
            place, hint = self._next.place, f"At most {self.max_depth} levels are allowed."
            raise TooDeepError(f"the expression is nested too deeply, at character {place + 1}.", hint, place)
        self.depth += 1
        node = parse()
        self.depth -= 1
        return node

    def _sum(self) -> N:
        return self._chain(self._product, "+", "-")

    def _product(self) -> N:
        return self._chain(self._signed, "*", "/")

    def _chain(self, parse: Callable[[], N], *signs: str) -> N:
        """Parse operands joined by operators of one rank, from left to right."""
        first = parse()
        others: list[tuple[str, N]] = []
        while sign := self._take(*signs):
            self._count()
            others.append((sign, parse()))
        return self.joined(first, others) if others else first

    def _signed(self) -> N:
        sign = self._take("+", "-")
        if not sign:
            return self._powered()
        self._count()
        inner = self._inside(self._signed)
        return inner if sign == "+" else self.negative(inner)

    def _powered(self) -> N:
        base = self._atom()
        if not self._take("**"):
            return base
        self._count()
        return self.power(base, self._inside(self._signed))

    def _atom(self) -> N:
        self._count()
        token = self._next
        if token.kind == "number":
            self.i += 1
            return self.number(token)
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

    def _named(self, token: Token) -> N:
        self.i += 1
        if token.text in self.functions:
            written = f"Write {token.text}({', '.join(self.functions[token.text].arguments)})."
            raise self._unexpected(f"( after the function {token.text}", written)
        return self.named(token)

    def _call(self, token: Token) -> N:
        name = token.text
        if name not in self.functions:
            raise self.no_function(token)
        function = self.functions[name]
        self.i += 1
        self.opened.append(self._next.place)
        self.i += 1
        args: list[N] = []
        if self._next.text != ")":
            args.append(self._inside(self._sum))
            while self._take(","):
                args.append(self._inside(self._sum))
        self._close("an operator, a comma or )")
        n = len(function.arguments)
        if len(args) < n or (len(args) > n and not function.takes_more):
            least = "at least " if function.takes_more else ""
            takes = f"{name} takes {least}{n} argument{'s' * (n > 1)}"
            message = f"{takes}, got {len(args)}, at character {token.place + 1}."
            raise ExpressionError(message, f"Write {name}({', '.join(function.arguments)}).", token.place)
        return self.called(name, args)
