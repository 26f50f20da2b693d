"""
A little safe arithmetic for number fields: `+ - * / **`, brackets, pi and a few functions.

The text is parsed, checked against a short list of what may occur, and walked; nothing is executed.
"""

import ast
import math
import operator
from collections.abc import Callable
from typing import TypeVar

MAX_LENGTH = 80
MAX_DEPTH = 20

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
}
FUNCTION_NAMES = frozenset(_FUNCTIONS)
T = TypeVar("T")

_CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e}


def evaluate(text: str, hint: str = "") -> float:
    """
    Work out a short expression.

    Parameters
    ----------
    text : str
        The expression, in plain ASCII.
    hint : str
        Sentence appended to every error: what to try instead.

    Raises
    ------
    ValueError
        With one sentence on what is wrong, and the hint.

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
        value = _walk(ast.parse(text.strip(), mode="eval").body, 0)
    except ZeroDivisionError:
        problem = "Division by zero."
    except OverflowError:
        problem = "The number is too large."
    except _NotAllowedError as refused:
        problem = str(refused)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        # ValueError: a null byte, or a function outside its domain.
        problem = "Not a number."
    else:
        if math.isfinite(value):
            return value
        # Such as the literal 1e999.
        problem = "The number is too large."
    raise ValueError(f"{problem} {hint}".strip())


class _NotAllowedError(Exception):
    """Something that parses but is no arithmetic; its text is the sentence to show."""


def _walk(node: ast.expr, depth: int) -> float:
    if depth > MAX_DEPTH:
        raise _NotAllowedError("Too many brackets.")
    match node:
        case ast.Constant(value=bool()):
            raise _NotAllowedError("Not a number.")
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return _look_up(_CONSTANTS, name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_walk(operand, depth + 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _walk(operand, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _real(_OPERATORS[type(op)](_walk(left, depth + 1), _walk(right, depth + 1)))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            return _look_up(_FUNCTIONS, name)(_walk(argument, depth + 1))
        case ast.BinOp(op=ast.BitXor()):
            raise _NotAllowedError("Write a power as **.")
        case _:
            raise _NotAllowedError("Not a number.")


def _real(value: complex) -> float:
    """Refuse the root of a negative number where it arises: no function takes it."""
    if isinstance(value, complex):
        raise _NotAllowedError("Not a real number.")
    return value


def _look_up(table: dict[str, T], name: str) -> T:
    try:
        return table[name.lower()]
    except KeyError:
        raise _NotAllowedError(f"{name} is not known here.") from None
