"""Recursive descent parser of expressions, with one grammar for all kinds of results.

Length, depth and number of nodes are limited, and no text is ever executed as Python. Subclasses define the nodes:
functions of t (`syntax_nodes`), derivatives as text, or plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from framescope.core.errors import ExpressionError
from framescope.core.time_functions.expression_tokens import Token, quote, tokens_of
from framescope.core.time_functions.jets import FUNCTIONS, Function

MAX_LENGTH = 1000
"""Largest number of characters of an expression."""

MAX_NODES = 500
"""Largest number of numbers, names, operators and calls of an expression."""

MAX_DEPTH = 50
"""Largest depth of nested parentheses, calls, signs and exponents."""

N = TypeVar("N")


class TooDeepError(ExpressionError):
    """Error of an expression that is nested too deeply."""


class Parser(Generic[N]):
    """Recursive descent parser of one text; subclasses build the nodes."""

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

    # --- Nodes, built by subclasses

    def number(self, token: Token) -> N:
        """Return the node of a number."""
        raise NotImplementedError

    def variable(self, token: Token) -> N:
        """Return the node of a name that is not a function; raise when the name is unknown."""
        raise NotImplementedError

    def unknown_function(self, token: Token) -> Exception:
        """Return the error for a call of a name that is not a function."""
        raise NotImplementedError

    def chain(self, first: N, others: Sequence[tuple[str, N]]) -> N:
        """Return the node of operands with operators of one rank: sums and differences, or products and quotients."""
        raise NotImplementedError

    def negative(self, inner: N) -> N:
        """Return the node of a negated operand."""
        raise NotImplementedError

    def power(self, base: N, exponent: N) -> N:
        """Return the node of a power."""
        raise NotImplementedError

    def function_call(self, name: str, args: Sequence[N]) -> N:
        """Return the node of a function call."""
        raise NotImplementedError

    # --- The grammar

    def parse(self) -> N:
        """Return the node of the whole text."""
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
        """Consume and return the next token if it is one of the signs; else return an empty text."""
        token = self._next
        if token.kind != "sign" or token.text not in signs:
            return ""
        self.i += 1
        return token.text

    def _unexpected(self, expected: str, hint: str = "") -> ExpressionError:
        """Return the error for the next token, with a hint for common mistakes."""
        token = self._next
        actual = "the text ends" if token.kind == "end" else f'found "{token.text[:40]}"'
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
            f"{quote(self.text)} is no expression of t: at character {token.place + 1} expected {expected}, {actual}.",
            hint or "Check the parentheses and operators, as in 0.8*sin(2*t).",
            token.place,
        )

    def _count(self) -> None:
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES:
            hint = f"At most {MAX_NODES} numbers, names and operators are allowed."
            raise ExpressionError("the expression is too long.", hint, self._next.place)

    def _inside(self, parse: Callable[[], N]) -> N:
        """Parse one nesting level deeper, or raise `TooDeepError`."""
        if self.depth == self.max_depth:
            place, hint = self._next.place, f"At most {self.max_depth} levels are allowed."
            raise TooDeepError(f"the expression is nested too deeply, at character {place + 1}.", hint, place)
        self.depth += 1
        node = parse()
        self.depth -= 1
        return node

    def _sum(self) -> N:
        return self._operand_chain(self._product, "+", "-")

    def _product(self) -> N:
        return self._operand_chain(self._signed_factor, "*", "/")

    def _operand_chain(self, parse: Callable[[], N], *signs: str) -> N:
        """Parse operands joined by operators of one rank, from left to right."""
        first = parse()
        others: list[tuple[str, N]] = []
        while sign := self._take(*signs):
            self._count()
            others.append((sign, parse()))
        return self.chain(first, others) if others else first

    def _signed_factor(self) -> N:
        sign = self._take("+", "-")
        if not sign:
            return self._power_of_atom()
        self._count()
        inner = self._inside(self._signed_factor)
        return inner if sign == "+" else self.negative(inner)

    def _power_of_atom(self) -> N:
        base = self._atom()
        if not self._take("**"):
            return base
        self._count()
        return self.power(base, self._inside(self._signed_factor))

    def _atom(self) -> N:
        self._count()
        token = self._next
        if token.kind == "number":
            self.i += 1
            return self.number(token)
        if token.kind == "name":
            is_call = self.tokens[self.i + 1].text == "("
            return self._call(token) if is_call else self._variable(token)
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

    def _variable(self, token: Token) -> N:
        self.i += 1
        if token.text in self.functions:
            usage = f"Write {token.text}({', '.join(self.functions[token.text].arguments)})."
            raise self._unexpected(f"( after the function {token.text}", usage)
        return self.variable(token)

    def _call(self, token: Token) -> N:
        name = token.text
        if name not in self.functions:
            raise self.unknown_function(token)
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
        return self.function_call(name, args)
