"""Translation of straight-line code to a Python function without loops, on components like the traced formula."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from framescope.core.kernels.code.symbolic import Code, CodeStep, Symbol, UntraceableError, needed_steps

_INFIX = {"+": "+", "-": "-", "*": "*", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "===": "==", "!==": "!="}
_FUNCTION_NAMES = {
    "/": "divide",
    "sqrt": "sqrt",
    "sin": "sin",
    "cos": "cos",
    "atan2": "atan2",
    "abs": "abs",
    "where": "where",
}
_LONGEST = 120
"""Largest length of an expression that is inlined where it is used once, in characters."""


def python_text(code: Code) -> str:
    """Return the source of a Python function `formula` that takes and returns components.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> print(python_text(code_of(lambda a, t: a[0] + a[1] * t, {"a": (2,), "t": ()})))
    def formula(a, t):
        a_0, a_1, = a
        return ((a_0+(a_1*t)),)
    """
    used = Counter(
        symbol.i for i in needed_steps(code) for symbol in code.steps[i].operands if isinstance(symbol, Symbol)
    )
    used.update(symbol.i for symbol in code.results if isinstance(symbol, Symbol))
    texts: dict[int, str] = {}
    lines = [
        f"{''.join(f'{name}_{i}, ' for i in range(math.prod(shape))).rstrip()} = {name}"
        for name, shape in code.arguments.items()
        if shape
    ]
    for i in needed_steps(code):
        expression = _expression(code.steps[i], texts, code)
        if code.steps[i].name == "argument" or (used[i] == 1 and len(expression) <= _LONGEST):
            texts[i] = expression
        else:
            texts[i] = f"v{i}"
            lines.append(f"v{i} = {expression}")
    lines.append(f"return ({', '.join(_operand_text(symbol, texts) for symbol in code.results)},)")
    return "\n".join([f"def formula({', '.join(code.arguments)}):", *(f"    {line}" for line in lines)])


def python_function(code: Code, functions: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
    """Compile code to a Python function that calls `functions` by the names ``divide``, ``sqrt``, ``where`` and so on.

    The source is built from the steps of the code alone. It contains no text from users or files.
    """
    namespace: dict[str, Any] = {**functions, "abs": abs, "inf": math.inf, "nan": math.nan}
    exec(compile(python_text(code), "<formula>", "exec"), namespace)  # noqa: S102
    return namespace["formula"]


def _expression(step: CodeStep, texts: dict[int, str], code: Code) -> str:
    """Return the Python expression of a step."""
    if step.name == "argument":
        name, i = step.operands
        return f"{name}_{i}" if code.arguments[name] else name
    parts = [_operand_text(operand, texts) for operand in step.operands]
    if step.name in _INFIX:
        return f"({parts[0]}{_INFIX[step.name]}{parts[1]})"
    if step.name == "negative":
        return f"(-{parts[0]})"
    if step.name in _FUNCTION_NAMES:
        return f"{_FUNCTION_NAMES[step.name]}({', '.join(parts)})"
    raise UntraceableError(f"there is no code for {step.name}")


def _operand_text(operand: Any, texts: dict[int, str]) -> str:
    """Return an operand as Python source: the text of its step, or a number, in parentheses if it is negative."""
    if isinstance(operand, Symbol):
        return texts[operand.i]
    return f"({operand!r})" if isinstance(operand, float) and math.copysign(1.0, operand) < 0.0 else repr(operand)
