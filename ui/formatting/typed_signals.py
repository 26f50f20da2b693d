"""Parsing of typed signals: a number, or an expression of t. Pure: imports no Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping

from framescope.core.errors import ExpressionError
from framescope.core.time_functions.expressions import parse_expression
from framescope.core.time_functions.jets import FUNCTIONS
from framescope.ui.formatting import number_text
from framescope.ui.formatting.arithmetic import FUNCTION_NAMES

_NAME = re.compile(r"(?<![A-Za-z_])[A-Za-z_][A-Za-z_0-9]*")
_CALL = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\s*\([^()]*\)|(?<![A-Za-z_0-9])\((?!.*\b(?:pi|tau)\b)[^()]*\)")
_UNIT = re.compile(r"(?:\s*°|(?<=[\s\d)])\s*(?:degrees|degree|deg|radians|radian|rad))\s*\Z", re.IGNORECASE)

_RATE = re.compile(r"([-+−]?[\d.,e]+)\s*(rpm|rev/min|rev/s|turns?/s|deg/s|°/s|rad/s)", re.IGNORECASE)


def is_expression(text: str, parameters: Mapping[str, float]) -> bool:
    """Return whether a text is an expression rather than a number with a little arithmetic, valid or not.

    >>> [is_expression(text, {}) for text in ("30*sin(t)", "2t", "pi/6", "1/4 turn")]
    [True, True, False, False]
    """
    names = {"t", *parameters, *(FUNCTIONS.keys() - FUNCTION_NAMES)}
    return any(word in names for word in _NAME.findall(_without_unit(text)))


def split_unit(text: str) -> tuple[str, str]:
    """Split an expression from the angle unit after it, which is ``""`` if missing.

    >>> split_unit("30*sin(t) deg"), split_unit("0.5*t"), split_unit("2*(t + 1)°")
    (('30*sin(t)', 'deg'), ('0.5*t', ''), ('2*(t + 1)', 'deg'))
    """
    plain = _without_unit(text)
    unit = text[len(plain) :].strip().lower()
    return plain.strip(), "" if not unit else "rad" if unit.startswith("rad") else "deg"


def may_be_radians(text: str) -> bool:
    """Return whether a formula without a unit has pi or tau as a factor, as formulas in radians have.

    pi in the argument of a function, or in a conversion to degrees, says nothing about the unit of the formula.

    >>> [may_be_radians(text) for text in ("pi/2*t", "pi/6*sin(t)", "30*sin(2*pi*t)", "(2*t)*180/pi", "pi*t deg")]
    [True, True, False, False, False]
    """
    plain, unit = split_unit(text)
    if unit:
        return False
    before = ""
    while before != plain:
        before, plain = plain, _CALL.sub("1", plain)
    return re.search(r"(?<!180/)(?<!180 / )\b(?:pi|tau)\b|π", plain) is not None


def rate_as_formula(text: str) -> tuple[str, str] | None:
    """Return the formula of an angle that grows at a typed rate, and its unit; None if the text is no rate.

    >>> rate_as_formula("600 rpm"), rate_as_formula("-0.5 rad/s"), rate_as_formula("2 rev/s"), rate_as_formula("30deg")
    (('3600*t', 'deg'), ('-0.5*t', 'rad'), ('720*t', 'deg'), None)
    """
    match = _RATE.fullmatch(text.strip())
    number = None if match is None else literal(match[1])
    if match is None or number is None:
        return None
    word = match[2].casefold()
    factor = {"rpm": 6.0, "rev/min": 6.0, "rev/s": 360.0, "turn/s": 360.0, "turns/s": 360.0}.get(word, 1.0)
    return f"{number * factor:.12g}*t", "rad" if word == "rad/s" else "deg"


def literal(text: str) -> float | None:
    """Return the number that a text represents, or None."""
    try:
        return (
            float(use_decimal_points(text).replace(number_text.MINUS, "-"))
            if any(sign.isdigit() for sign in text)
            else None
        )
    except ValueError:
        return None


def use_decimal_points(text: str) -> str:
    """Replace unambiguous decimal commas, outside of brackets, by points."""
    plain = text.replace(number_text.MINUS, "-")
    depth, signs = 0, list(plain)
    for i, sign in enumerate(plain):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            signs[i] = "."
    return "".join(signs)


def find_error(text: str, parameters: Mapping[str, float]) -> str:
    """Return the error in a number or an expression; empty if it is valid or empty."""
    text = text.strip()
    if not text or literal(text) is not None:
        return ""
    try:
        parse_expression(use_decimal_points(text), parameters)
    except ExpressionError as error:
        return str(error)
    return ""


def _without_unit(text: str) -> str:
    unit = _UNIT.search(text)
    return text if unit is None else text[: unit.start()]
