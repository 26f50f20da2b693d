"""Reasons why an expression has no value at a time, and what to change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.time_functions.expression_parser import Parser
from framescope.core.time_functions.expression_tokens import Token
from framescope.core.time_functions.expressions import Expression, parse_expression

_SUM, _PRODUCT, _SIGNED, _ATOM = range(4)
"""Ranks of terms: how strongly they hold together beside an operator."""

SMALL = "0.001"
"""Example of a bound above 0."""


@dataclass(frozen=True)
class Reason:
    """Why an expression has no value: what it does, such as ``divides by 0``, and a sentence with the likely fix."""

    what: str
    fix: str


@dataclass(frozen=True)
class _Term:
    text: str
    rank: int = _ATOM

    def beside(self, rank: int) -> str:
        """Return the text beside an operator of a rank."""
        return self.text if self.rank >= rank else f"({self.text})"


class _FoundError(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.what)
        self.reason = reason


def why_undefined(expression: Expression, t: float) -> Reason | None:
    """Return why an expression has no value at a time, s; None if it has one, or for an unknown reason.

    Examples
    --------
    >>> why_undefined(parse_expression("2/(t - 1)"), 1.0)
    Reason(what='divides by t - 1, which is 0', fix='Keep the divisor away from 0, or start the time after it.')
    >>> why_undefined(parse_expression("sqrt(t - 3)"), 1.0).what
    'takes the root of t - 3, which is -2'
    """
    if math.isfinite(float(expression(t))):
        return None
    try:
        _ReasonParser(expression, t).parse()
    except _FoundError as found:
        return found.reason
    return None


class _ReasonParser(Parser[_Term]):
    """Parser that stops at the first operation without a value."""

    def __init__(self, expression: Expression, t: float) -> None:
        super().__init__(expression.text)
        self._values, self._t = dict(expression.parameters), t

    def number(self, token: Token) -> _Term:
        return _Term(token.text)

    def variable(self, token: Token) -> _Term:
        return _Term(token.text)

    def chain(self, first: _Term, others: Sequence[tuple[str, _Term]]) -> _Term:
        rank = _SUM if others[0][0] in "+-" else _PRODUCT
        whole = _Term(first.beside(rank), rank)
        for sign, other in others:
            joint = f" {sign} " if rank == _SUM else sign
            if sign == "/" and self._value(other) == 0.0:
                raise _FoundError(self._division(other))
            whole = self._checked(_Term(f"{whole.text}{joint}{other.beside(rank + 1)}", rank))
        return whole

    def negative(self, inner: _Term) -> _Term:
        return _Term(f"-{inner.beside(_SIGNED)}", _SIGNED)

    def power(self, base: _Term, exponent: _Term) -> _Term:
        return self._checked(_Term(f"{base.beside(_ATOM)}**{exponent.beside(_ATOM)}", _SIGNED))

    def function_call(self, name: str, args: Sequence[_Term]) -> _Term:
        whole = _Term(f"{name}({', '.join(arg.text for arg in args)})")
        if name in ("sqrt", "log") and not math.isfinite(self._value(whole)):
            least, what = ("0", "root") if name == "sqrt" else (SMALL, "logarithm")
            bound = "at or above 0" if name == "sqrt" else "above 0"
            fix = f"Write a value {bound}."
            if self._varies(args[0]):
                fix = f"Keep that {bound}, as in {name}(max({args[0].text}, {least}))."
            raise _FoundError(Reason(f"takes the {what} of {self._named(args[0])}", fix))
        return self._checked(whole)

    def _division(self, divisor: _Term) -> Reason:
        varying = "Keep the divisor away from 0, or start the time after it."
        fix = varying if self._varies(divisor) else "Write a divisor that is not 0."
        return Reason(f"divides by {self._named(divisor)}", fix)

    def _varies(self, term: _Term) -> bool:
        return "t" in parse_expression(term.text, self._values).mentions

    def _named(self, term: _Term) -> str:
        """Return a term with its value, if that is not the term itself."""
        value = f"{self._value(term) + 0.0:.4g}"
        return term.text if term.text == value else f"{term.text}, which is {value}"

    def _checked(self, term: _Term) -> _Term:
        if not math.isfinite(self._value(term)):
            what = f"computes {term.text}, which has no finite value"
            raise _FoundError(Reason(what, "Change that part, so that it is a number at every time."))
        return term

    def _value(self, term: _Term) -> float:
        with np.errstate(all="ignore"):
            return float(parse_expression(term.text, self._values)(self._t))
