"""Sentences about the errors of xacro: the fault, its place and the likely fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

EVALUATED = re.compile(r"when evaluating expression '(.*)'\s*$", re.DOTALL)
"""The note that xacro adds to the error of an expression."""

LONGEST = 80
"""Limit of characters of a quoted expression."""

CHECK_VALUES = "Check its values: a property is a text unless it is a number."


def fault_text(error: BaseException, path: Path, others: Iterable[str | None] = ()) -> str:
    """Return the error of a xacro file as sentences.

    Parameters
    ----------
    error
        Exception of xacro, which may wrap others with the expressions that they occurred in.
    path
        The xacro file.
    others
        Files that it includes.

    >>> import pathlib
    >>> fault_text(KeyError("zz"), pathlib.Path("arm.xacro"))
    "there is no key 'zz'. Check the spelling."
    """
    error, expression = _innermost(error)
    if isinstance(error, MemoryError):
        return "it needs more memory than a file in xacro may use."
    if isinstance(error, RecursionError):
        return "it calls itself without end."
    macro = _macro_of(error)
    fault, fix = _fault_and_fix(error, macro)
    source = f"<xacro:{macro[0]}" if macro is not None else f"${{{expression}}}"
    where = "" if expression is None else f" in {_shortened(source)}"
    line = "" if expression is None and macro is None else _place(source, path, others)
    sentences = [f"{fault.rstrip('.')}{where}{f' ({line})' if line else ''}.", fix]
    return " ".join(sentence for sentence in sentences if sentence)


def _innermost(error: BaseException) -> tuple[BaseException, str | None]:
    """Return the first of nested exceptions, and the expression that it occurred in."""
    expression: str | None = None
    while True:
        match = EVALUATED.search(str(getattr(error, "suffix", None) or ""))
        expression = match[1] if match else expression
        inner = getattr(error, "exc", None)
        if not isinstance(inner, BaseException):
            return error, expression
        error = inner


FaultAndFix = tuple[str, str]
"""A fault, and its likely fix."""

Macro = tuple[str, tuple[str, ...]]
"""Name and parameters of a macro."""


def _fault_and_fix(error: BaseException, macro: Macro | None) -> FaultAndFix:
    """Return a fault of an expression, a file or a macro, and its likely fix."""
    text = str(error.args[-1] if error.args else "").strip() or type(error).__name__
    match error:
        case NameError():
            name = error.name or next(iter(re.findall(r"name '(\w+)'", text)), "")
            define = f'Define it before, <xacro:property name="{name}" value="…"/>, or check the spelling.'
            return f"name '{name}' is not defined", define
        case KeyError():
            return f"there is no key '{text}'", "Check the spelling."
        case AttributeError():
            name = next(iter(re.findall(r"(?:attribute|key) '(\w+)'", text)), text)
            return f"there is no key or attribute '{name}'", "Check the spelling."
        case IndexError():
            return "an index is beyond the end of its list", "The first index is 0."
        case ZeroDivisionError():
            return "division by zero", "Check the values that it divides by."
        case SyntaxError():
            return "syntax error", "Write it as in Python, for example ${2 * length}."
        case OSError():
            return f"{error.filename} cannot be read: {error.strerror}", "Check the path."
        case TypeError() | ValueError() | ArithmeticError():
            return text[:1].lower() + text[1:], CHECK_VALUES
        case _ if type(error).__name__ == "ArgException":
            return f"argument {text} has no value", f'Give one, {text}:=…, or a default: <xacro:arg name="{text}" …/>.'
        case _:
            return _of_macro(str(error), macro)


def _macro_of(error: BaseException) -> Macro | None:
    """Return the macro whose call failed; None without one."""
    for macro in getattr(error, "macros", ()):
        return str(macro.body.getAttribute("name")), tuple(str(name).lstrip("*") for name in macro.params)
    name = re.search(r"unknown macro name: xacro:(\S+)", str(error))
    return None if name is None else (name[1], ())


def _of_macro(text: str, macro: Macro | None) -> FaultAndFix:
    """Return the fault of the call of a macro, or another fault outside expressions, and its likely fix."""
    name, parameters = macro or ("", ())
    named = re.findall(r"""["'\[](.*?)["'\]]""", text)
    match text.split()[:2]:
        case ["Undefined", "parameters"] if named:
            values = " ".join(f'{parameter}="…"' for parameter in named[0].split(","))
            lacking = ", ".join(named[0].split(","))
            return f"macro {name} is called without {lacking}", f"Write <xacro:{name} {values}/>, or give a default."
        case ["Invalid", "parameter"] if named:
            return f"macro {name} has no parameter {named[0]}", f"It has {', '.join(parameters) or 'none'}."
        case ["unknown", "macro"]:
            return f"there is no macro {name}", "Define it, or include its file, before the call."
        case ["Not", "enough"]:
            return f"macro {name} is called without a block", "Write an element inside the call."
        case ["Unused", "block"] if named:
            return f"macro {name} takes no block, and is called with <{named[0]}>", 'Add a parameter such as "*block".'
        case ["Undefined", "block"] if named:
            return f"there is no block {named[0]} to insert", f'The macro needs the parameter "*{named[0]}".'
        case ["invalid", "expression:"]:
            return f"the expression {text.partition(': ')[2]} has no end", "Close it with a bracket."
        case ["circular", "variable"]:
            names = text.splitlines()[0].partition(": ")[2].replace("->", "→")
            return f"properties define each other: {names}", "Give one of them a value of its own."
        case _:
            return " ".join(text.split()), ""


def _shortened(source: str) -> str:
    return source if len(source) <= LONGEST else f"{source[:LONGEST]}…"


def _place(source: str, path: Path, others: Iterable[str | None]) -> str:
    """Return the line of a source text and, if it is in an included file, its name; empty unless it occurs once."""
    files = dict.fromkeys((path, *(Path(name) for name in others if name)))
    places = [(file, number) for file in files for number in _lines_with(source, file)]
    if len(places) != 1:
        return ""
    ((file, number),) = places
    return f"line {number}" if file == path else f"line {number} of {file.name}"


def _lines_with(source: str, file: Path) -> Iterator[int]:
    try:
        text = file.read_text("utf-8", errors="replace")
    except OSError:
        return
    pattern = re.compile(re.escape(source) + (r"(?=[\s/>])" if source.startswith("<") else ""))
    yield from (text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text))
