"""Python of straight-line code: a function without loops and look-ups, on components like the formula it came from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from framescope.core.kernels.code.symbolic import Code, Step, Symbol, UntraceableError, needed

_INFIX = {"+": "+", "-": "-", "*": "*", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "===": "==", "!==": "!="}
_CALLED = {"/": "divide", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "atan2": "atan2", "abs": "abs", "where": "where"}
_LONGEST = 120
"""Characters of a part that is written where it is used instead of by a name."""


def python_text(code: Code) -> str:
    """Return a function of Python, `formula`, that takes and returns components.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> print(python_text(code_of(lambda a, t: a[0] + a[1] * t, {"a": (2,), "t": ()})))
    def formula(a, t):
        a_0, a_1, = a
        return ((a_0+(a_1*t)),)
    """
    used = Counter(each.i for i in needed(code) for each in code.steps[i].operands if isinstance(each, Symbol))
    used.update(each.i for each in code.results if isinstance(each, Symbol))
    texts: dict[int, str] = {}
    lines = [
        f"{''.join(f'{name}_{i}, ' for i in range(math.prod(shape))).rstrip()} = {name}"
        for name, shape in code.arguments.items()
        if shape
    ]
    for i in needed(code):
        written = _written(code.steps[i], texts, code)
        if code.steps[i].name == "argument" or (used[i] == 1 and len(written) <= _LONGEST):
            texts[i] = written
        else:
            texts[i] = f"v{i}"
            lines.append(f"v{i} = {written}")
    lines.append(f"return ({', '.join(_text(each, texts) for each in code.results)},)")
    return "\n".join([f"def formula({', '.join(code.arguments)}):", *(f"    {line}" for line in lines)])


def python_function(code: Code, functions: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
    """Return the function; it calls those of `functions` by the names ``divide``, ``sqrt``, ``where`` and so on.

    The text is made of the steps of the code and of nothing that anybody has written.
    """
    known: dict[str, Any] = {**functions, "abs": abs, "inf": math.inf, "nan": math.nan}
    exec(compile(python_text(code), "<formula>", "exec"), known)  # noqa: S102
    return known["formula"]


def _written(step: Step, texts: dict[int, str], code: Code) -> str:
    if step.name == "argument":
        name, i = step.operands
        return f"{name}_{i}" if code.arguments[name] else name
    parts = [_text(each, texts) for each in step.operands]
    if step.name in _INFIX:
        return f"({parts[0]}{_INFIX[step.name]}{parts[1]})"
    if step.name == "negative":
        return f"(-{parts[0]})"
    if step.name in _CALLED:
        return f"{_CALLED[step.name]}({', '.join(parts)})"
    raise UntraceableError(f"there is no code for {step.name}")


def _text(operand: Any, texts: dict[int, str]) -> str:
    if isinstance(operand, Symbol):
        return texts[operand.i]
    return f"({operand!r})" if isinstance(operand, float) and math.copysign(1.0, operand) < 0.0 else repr(operand)
