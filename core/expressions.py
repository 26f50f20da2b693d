"""Signals written as expressions of t, with exact first and second derivatives.

The grammar is a small whitelist: numbers, ``t``, ``pi``, ``+ - * / **``, parentheses, and the functions
``sin cos tan exp log sqrt abs min max``. Text is parsed with Python's own parser and translated
node by node; nothing of it is ever executed as Python. Derivatives are carried along exactly
(second-order forward differentiation), not by differences.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.arrays import Array
from framescope.core.errors import FramescopeError, did_you_mean

MAX_LENGTH = 500
MAX_NODES = 200
MAX_DEPTH = 40


class ExpressionError(FramescopeError):
    """A text is no expression of t; the message says what, `hint` how to mend it."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


@dataclass(frozen=True, eq=False)
class Jet:
    """Value, first and second derivative with respect to t, each (...)."""

    f: Array
    d: Array
    dd: Array

    def map(self, g: Array, dg: Array, ddg: Array) -> Jet:
        """Chain rule: a function of this with value `g` and derivatives `dg`, `ddg` at ``f``."""
        return Jet(g, dg * self.d, ddg * self.d * self.d + dg * self.dd)

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.f + other.f, self.d + other.d, self.dd + other.dd)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.f - other.f, self.d - other.d, self.dd - other.dd)

    def __mul__(self, other: Jet) -> Jet:
        return Jet(
            self.f * other.f,
            self.d * other.f + self.f * other.d,
            self.dd * other.f + 2.0 * self.d * other.d + self.f * other.dd,
        )

    def __truediv__(self, other: Jet) -> Jet:
        q = self.f / other.f
        d = (self.d - q * other.d) / other.f
        return Jet(q, d, (self.dd - 2.0 * d * other.d - q * other.dd) / other.f)

    def __neg__(self) -> Jet:
        return Jet(-self.f, -self.d, -self.dd)


def _power(x: Jet, exponent: Jet) -> Jet:
    return _exp(exponent * _log(x))


def _constant_power(x: Jet, exponent: Jet) -> Jet:
    """``x ** n`` with an n that does not depend on t, which may be negative or zero, and so may x."""
    n = exponent.f
    # Where n is 0 or 1 the power below would be infinite at 0, though its factor is 0.
    first = np.where(n == 0.0, 0.0, n * x.f ** np.where(n == 0.0, 1.0, n - 1.0))
    is_low = (n == 0.0) | (n == 1.0)
    second = np.where(is_low, 0.0, n * (n - 1.0) * x.f ** np.where(is_low, 1.0, n - 2.0))
    return x.map(x.f**n, first, second)


def _sin(x: Jet) -> Jet:
    s, c = np.sin(x.f), np.cos(x.f)
    return x.map(s, c, -s)


def _cos(x: Jet) -> Jet:
    s, c = np.sin(x.f), np.cos(x.f)
    return x.map(c, -s, -c)


def _tan(x: Jet) -> Jet:
    tangent = np.tan(x.f)
    slope = 1.0 + tangent * tangent
    return x.map(tangent, slope, 2.0 * tangent * slope)


def _exp(x: Jet) -> Jet:
    e = np.exp(x.f)
    return x.map(e, e, e)


def _log(x: Jet) -> Jet:
    return x.map(np.log(x.f), 1.0 / x.f, -1.0 / (x.f * x.f))


def _sqrt(x: Jet) -> Jet:
    root = np.sqrt(x.f)
    return x.map(root, 0.5 / root, -0.25 / (root * x.f))


def _abs(x: Jet) -> Jet:
    sign = np.sign(x.f)
    return x.map(np.abs(x.f), sign, np.zeros_like(sign))


def _choose(condition: NDArray[np.bool_], a: Jet, b: Jet) -> Jet:
    return Jet(np.where(condition, a.f, b.f), np.where(condition, a.d, b.d), np.where(condition, a.dd, b.dd))


def _min(a: Jet, b: Jet) -> Jet:
    return _choose(a.f <= b.f, a, b)


def _max(a: Jet, b: Jet) -> Jet:
    return _choose(a.f >= b.f, a, b)


_UNARY: dict[str, Callable[[Jet], Jet]] = {
    "sin": _sin, "cos": _cos, "tan": _tan, "exp": _exp, "log": _log, "sqrt": _sqrt, "abs": _abs,
}  # fmt: skip
_BINARY: dict[str, Callable[[Jet, Jet], Jet]] = {"min": _min, "max": _max}
_OPERATORS: dict[type[ast.operator], Callable[[Jet, Jet], Jet]] = {
    ast.Add: Jet.__add__,
    ast.Sub: Jet.__sub__,
    ast.Mult: Jet.__mul__,
    ast.Div: Jet.__truediv__,
    ast.Pow: _power,
}
_CONSTANTS = {"pi": math.pi}
_WORDS = ("t", *_CONSTANTS, *_UNARY, *_BINARY)

_Node = Callable[[Jet], Jet]


@dataclass(frozen=True)
class Expression:
    """A parsed expression of t. Make one with `parse_expression`."""

    text: str
    _node: _Node

    def jet(self, t: ArrayLike) -> Jet:
        """Return value, first and second derivative at times `t` (...), NaN or infinite where undefined."""
        t = np.asarray(t, dtype=np.float64)
        with np.errstate(all="ignore"):
            return self._node(Jet(t, np.ones_like(t), np.zeros_like(t)))

    def __call__(self, t: ArrayLike) -> Array:
        """Return the value at times `t` (...)."""
        return self.jet(t).f


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Parse an expression of t.

    Raises
    ------
    ExpressionError
        When the text is no expression of the grammar, or is longer or deeper than allowed.

    Examples
    --------
    >>> jet = parse_expression("2*t**2").jet(3.0)
    >>> float(jet.f), float(jet.d), float(jet.dd)
    (18.0, 12.0, 4.0)
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters, over {MAX_LENGTH}.")
    if "^" in text:
        raise ExpressionError(f'"{text}" uses ^.', "Write a power with **.")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(
            f'"{text}" is no expression of t.', "Check the parentheses and operators, as in 0.8*sin(2*t)."
        ) from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise ExpressionError("the expression is too long.", f"At most {MAX_NODES} terms are allowed.")
    return Expression(text, _translate(tree.body, text, 0))


def _translate(node: ast.expr, text: str, depth: int) -> _Node:
    if depth > MAX_DEPTH:
        raise ExpressionError("the expression is nested too deeply.", f"At most {MAX_DEPTH} levels are allowed.")
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _constant(value, text)
        case ast.Name(id="t"):
            return lambda t: t
        case ast.Name(id=name) if name in _CONSTANTS:
            return _constant(_CONSTANTS[name], text)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _translate(operand, text, depth + 1)
            return lambda t: -inner(t)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _translate(operand, text, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            # By what is written, not by the values: the formula must not depend on the times it is asked at.
            is_constant_power = isinstance(op, ast.Pow) and not _mentions_t(right)
            apply = _constant_power if is_constant_power else _OPERATORS[type(op)]
            a, b = _translate(left, text, depth + 1), _translate(right, text, depth + 1)
            return lambda t: apply(a(t), b(t))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _translate_call(name, args, text, depth)
        case ast.Name(id=name):
            raise ExpressionError(f'"{name}" is not known in "{text}".', did_you_mean(name, _WORDS))
        case _:
            raise ExpressionError(
                f'"{text}" uses something that expressions do not have.',
                "Allowed are numbers, t, pi, + - * / ** and the functions " + ", ".join((*_UNARY, *_BINARY)) + ".",
            )


def _mentions_t(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "t" for part in ast.walk(node))


def _translate_call(name: str, args: list[ast.expr], text: str, depth: int) -> _Node:
    nodes = [_translate(arg, text, depth + 1) for arg in args]
    if name in _UNARY and len(nodes) == 1:
        unary, inner = _UNARY[name], nodes[0]
        return lambda t: unary(inner(t))
    if name in _BINARY and len(nodes) == 2:
        binary, (a, b) = _BINARY[name], nodes
        return lambda t: binary(a(t), b(t))
    if name in _UNARY or name in _BINARY:
        n = 1 if name in _UNARY else 2
        raise ExpressionError(f"{name} takes {n} argument{'s' * (n > 1)}, got {len(nodes)}.")
    raise ExpressionError(f'"{name}" is no function here.', did_you_mean(name, (*_UNARY, *_BINARY)))


def _constant(value: float, text: str) -> _Node:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ExpressionError(f'"{text}" holds a number that is too large.')
    return lambda t: Jet(np.full_like(t.f, number), np.zeros_like(t.f), np.zeros_like(t.f))


def split_constant(text: str) -> tuple[str, float]:
    """Split an expression into what varies and the constant added at its end.

    >>> split_constant("0.8*sin(t) + 0.21")
    ('0.8*sin(t)', 0.21)
    >>> split_constant("2*t")
    ('2*t', 0.0)
    """
    text = text.strip()
    try:
        whole = ast.parse(text, mode="eval").body if text.isascii() else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, 0.0
    # Only the last term of the whole counts: "2*(t + 1)" and "t - 2*3" end in digits too.
    if not (isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Add | ast.Sub)):
        return text, 0.0
    if not (isinstance(whole.right, ast.Constant) and isinstance(whole.right.value, int | float)):
        return text, 0.0
    head = text[: whole.right.col_offset].rstrip()
    if head[-1:] not in ("+", "-") or text[whole.right.end_col_offset :].strip():
        return text, 0.0
    number = float(whole.right.value)
    return head[:-1].rstrip(), -number if head[-1] == "-" else number


def with_constant(text: str, constant: float) -> str:
    """Return the expression with the constant at its end replaced; nothing is added for 0.

    >>> with_constant("0.8*sin(t) + 0.21", -0.5)
    '0.8*sin(t) - 0.5'
    """
    rest, _ = split_constant(text)
    if constant == 0.0:
        return rest
    return f"{rest} {'-' if constant < 0.0 else '+'} {abs(constant):.10g}"
