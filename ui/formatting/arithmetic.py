"""Arithmetic in number fields: `+ - * / **`, brackets, pi and a few functions.

The parser of expressions evaluates it with plain numbers as its parts; nothing is executed.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from framescope.core.errors import ExpressionError, FramescopeError
from framescope.core.time_functions.expression_parser import Parser, TooDeepError
from framescope.core.time_functions.expression_tokens import Token
from framescope.core.time_functions.jets import Function

MAX_LENGTH = 80
_TOO_LARGE = "The number is too large."

_OPERATORS: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FUNCTIONS = {
    function.__name__: Function(function, ("x",))
    for function in (math.sqrt, math.sin, math.cos, math.tan, math.asin, math.acos, math.atan)
}
FUNCTION_NAMES = frozenset(_FUNCTIONS)

_CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e}


def evaluate(text: str, hint: str = "") -> float:
    """Evaluate a short expression.

    Parameters
    ----------
    text : str
        The expression, in plain ASCII.
    hint : str
        Sentence appended to every error: what to try instead.

    Raises
    ------
    ValueError
        With one sentence on the error, and the hint.

    Examples
    --------
    >>> evaluate("-(1 + 2)/4")
    -0.75
    """
    if not text.strip():
        raise ValueError(f"Nothing typed. {hint}".strip())
    if len(text) > MAX_LENGTH:
        raise ValueError(f"Too long: {MAX_LENGTH} characters at most. {hint}".strip())
    try:
        value = _Arithmetic(text).parse()
    except (ArithmeticError, FramescopeError, _NotAllowedError, ValueError) as error:
        raise ValueError(f"{_problem(error, text)} {hint}".strip()) from None
    if not math.isfinite(value):  # for example the literal 1e999
        raise ValueError(f"{_TOO_LARGE} {hint}".strip())
    return value


def _problem(error: Exception, text: str) -> str:
    match error:
        case ZeroDivisionError():
            return "Division by zero."
        case OverflowError():
            return _TOO_LARGE
        case _NotAllowedError():
            return str(error)
        case TooDeepError():
            return "Too many brackets."
        case ExpressionError() if text[error.place :].startswith("^"):
            return "Write a power as **."
        case _ if (n := text.count("(") - text.count(")")) != 0:
            return "A bracket is not closed." if n > 0 else "A bracket is closed that was not opened."
        case _:  # including a function outside its domain
            return "Not a number."


class _NotAllowedError(Exception):
    """Valid syntax that is no arithmetic; its text is the message to display."""


class _Arithmetic(Parser[float]):
    """Parser of expressions with plain numbers as parts."""

    functions = _FUNCTIONS
    max_depth = 20

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.tokens = [replace(token, text=token.text.lower()) for token in self.tokens]

    def number(self, token: Token) -> float:
        return float(token.text)

    def variable(self, token: Token) -> float:
        if token.text not in _CONSTANTS:
            raise self.unknown_function(token)
        return _CONSTANTS[token.text]

    def unknown_function(self, token: Token) -> Exception:
        return _NotAllowedError(f"{token.text} is not known here.")

    def chain(self, first: float, others: Sequence[tuple[str, float]]) -> float:
        for sign, operand in others:
            first = _OPERATORS[sign](first, operand)
        return first

    def negative(self, inner: float) -> float:
        return -inner

    def power(self, base: float, exponent: float) -> float:
        result: complex = base**exponent
        if isinstance(result, complex):  # rejected at once: no function accepts it
            raise _NotAllowedError("Not a real number.")
        return result

    def function_call(self, name: str, args: Sequence[float]) -> float:
        return float(_FUNCTIONS[name].apply(*args))
