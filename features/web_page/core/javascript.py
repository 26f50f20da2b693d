"""JavaScript of straight-line code: the same operations on the same numbers, in any browser."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from framescope.core.kernels.code.symbolic import Code, Step, Symbol, needed_steps

PRELUDE = """\
const {abs, sqrt, sin, cos, tan, exp, log, atan2, sign, pow, floor, max, min} = Math;
const mod = (x, y) => { const r = x % y; return r !== 0 && (r < 0) !== (y < 0) ? r + y : r; };
const clip = (x, low, high) => Math.min(Math.max(x, low), high);
const rint = (x) => { const r = Math.round(x); return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r; };
const isBelow = (x) => x < 0 || Object.is(x, -0);
const copysign = (x, y) => (isBelow(x) === isBelow(y) ? x : -x);
"""
"""What the functions below need."""

_INFIX = {"+", "-", "*", "/", "<", "<=", ">", ">=", "===", "!==", "&&", "||"}
_PREFIX = {"negative": "-", "positive": "+", "!": "!"}
_SMALLEST = {0.0, 1.0, 2.0, -1.0}
_LONGEST = 96
"""Characters of a part that is written where it is used instead of by a name."""


def javascript(name: str, code: Code, constants: list[float] | None = None) -> str:
    """Return a function of JavaScript.

    It takes the arguments of the code, arrays with all numbers of one in a row or a number, and returns an array. With
    a list its constants go there, all but the smallest, and it takes them as another argument, `constants`: functions
    that differ in these alone are the same text.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> print(javascript("line", code_of(lambda a, t: a[0] + a[1] * t, {"a": (2,), "t": ()})))
    function line(a, t) {
    return [(a[0]+(a[1]*t))];
    }
    """
    used = Counter(each.i for i in needed_steps(code) for each in code.steps[i].operands if isinstance(each, Symbol))
    used.update(each.i for each in code.results if isinstance(each, Symbol))
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
        written = _written(step, text, code)
        if step.name == "argument" or (used[i] == 1 and len(written) <= _LONGEST):
            texts[i] = written
        else:
            texts[i] = f"v{i}"
            lines.append(f"const v{i}={written};")
    body = "\n".join([*lines, f"return [{', '.join(map(text, code.results))}];"])
    takes = (*code.arguments, *([] if constants is None else ["constants"]))
    return f"function {name}({', '.join(takes)}) {{\n{body}\n}}"


def _written(step: Step, text: Callable[[Any], str], code: Code) -> str:
    if step.name == "argument":
        name, i = step.operands
        return f"{name}[{i}]" if code.arguments[name] else name
    parts = [text(each) for each in step.operands]
    if step.name in _INFIX:
        return f"({parts[0]}{step.name}{_spaced(parts[1])})"
    if step.name in _PREFIX:
        return f"({_PREFIX[step.name]}{_spaced(parts[0])})"
    if step.name == "where":
        return f"({parts[0]}?{parts[1]}:{parts[2]})"
    return f"{step.name}({','.join(parts)})"


def _spaced(text: str) -> str:
    """Return a text that may follow a sign: two of them would be another one."""
    return f"({text})" if text.startswith(("-", "+")) else text


def _number(value: float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isfinite(value):
        return repr(value).removesuffix(".0") if value or math.copysign(1.0, value) > 0.0 else "-0"
    return "NaN" if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"
