"""JavaScript of straight-line code, with the same operations and numbers as in Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from framescope.core.kernels.code.symbolic import Code, CodeStep, Symbol, needed_steps

PRELUDE = """\
const {abs, sqrt, sin, cos, tan, exp, log, atan2, sign, pow, floor, max, min} = Math;
const mod = (x, y) => { const r = x % y; return r !== 0 && (r < 0) !== (y < 0) ? r + y : r; };
const clip = (x, low, high) => Math.min(Math.max(x, low), high);
const rint = (x) => { const r = Math.round(x); return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r; };
const isBelow = (x) => x < 0 || Object.is(x, -0);
const copysign = (x, y) => (isBelow(x) === isBelow(y) ? x : -x);
"""
"""Definitions that the generated functions use."""

_INFIX = {"+", "-", "*", "/", "<", "<=", ">", ">=", "===", "!==", "&&", "||"}
_PREFIX = {"negative": "-", "positive": "+", "!": "!"}
_SMALLEST = {0.0, 1.0, 2.0, -1.0}
"""Constants that are always written into the code."""
_LONGEST = 96
"""Largest length of an expression that is inlined instead of named, characters."""


def javascript(name: str, code: Code, constants: list[float] | None = None) -> str:
    """Return the text of a JavaScript function.

    The function takes the arguments of the code, flat arrays or numbers, and returns an array. With the list
    `constants`, all constants except `_SMALLEST` are appended to it, and the function takes them as a further argument.
    Functions that differ only in these constants then have the same text.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> print(javascript("line", code_of(lambda a, t: a[0] + a[1] * t, {"a": (2,), "t": ()})))
    function line(a, t) {
    return [(a[0]+(a[1]*t))];
    }
    """
    used = Counter(x.i for i in needed_steps(code) for x in code.steps[i].operands if isinstance(x, Symbol))
    used.update(result.i for result in code.results if isinstance(result, Symbol))
    texts: dict[int, str] = {}
    lines: list[str] = []

    def text(operand: Any) -> str:
        if isinstance(operand, Symbol):
            return texts[operand.i]
        if constants is None or isinstance(operand, bool) or operand in _SMALLEST or not math.isfinite(operand):
            return _number(operand)
        constants.append(operand)
        return f"constants[{len(constants) - 1}]"

    for i in needed_steps(code):
        step = code.steps[i]
        expression = _expression(step, text, code)
        if step.name == "argument" or (used[i] == 1 and len(expression) <= _LONGEST):
            texts[i] = expression
        else:
            texts[i] = f"v{i}"
            lines.append(f"const v{i}={expression};")
    body = "\n".join([*lines, f"return [{', '.join(map(text, code.results))}];"])
    takes = (*code.arguments, *([] if constants is None else ["constants"]))
    return f"function {name}({', '.join(takes)}) {{\n{body}\n}}"


def _expression(step: CodeStep, text: Callable[[Any], str], code: Code) -> str:
    if step.name == "argument":
        name, i = step.operands
        return f"{name}[{i}]" if code.arguments[name] else name
    parts = [text(operand) for operand in step.operands]
    if step.name in _INFIX:
        return f"({parts[0]}{step.name}{_enclose_sign(parts[1])})"
    if step.name in _PREFIX:
        return f"({_PREFIX[step.name]}{_enclose_sign(parts[0])})"
    if step.name == "where":
        return f"({parts[0]}?{parts[1]}:{parts[2]})"
    return f"{step.name}({','.join(parts)})"


def _enclose_sign(text: str) -> str:
    """Put parentheses around a text that begins with a sign: two signs in a row are another operator."""
    return f"({text})" if text.startswith(("-", "+")) else text


def _number(value: float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isfinite(value):
        return repr(value).removesuffix(".0") if value or math.copysign(1.0, value) > 0.0 else "-0"
    return "NaN" if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"
