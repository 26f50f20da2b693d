"""Rewriting of expressions as text: their numbers, terms, and the constant at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from framescope.core.errors import ExpressionError
from framescope.core.time_functions.expression_tokens import Token, tokens_of
from framescope.core.time_functions.syntax_nodes import SyntaxParser


@lru_cache(maxsize=4096)
def skeleton(text: str, prefix: str) -> tuple[str, tuple[float, ...]]:
    """Return an expression with names ``prefix0`` and so on in place of its numbers, and the numbers.

    Exponents are not replaced, because results must not depend on the number of expressions that are computed together.

    >>> skeleton("0.8*sin(2*t)**2", "c")
    ('c0*sin(c1*t)**2', (0.8, 2.0))
    """
    words: list[str] = []
    numbers: list[float] = []
    is_exponent = False
    for token in tokens_of(text):
        if token.kind == "number" and not is_exponent:
            words.append(f"{prefix}{len(numbers)}")
            numbers.append(float(token.text))
        else:
            words.append(token.text)
        is_exponent = token.text == "**" or (is_exponent and token.text in "+-(")
    return "".join(words), tuple(numbers)


@lru_cache(maxsize=1024)
def split_constant(text: str) -> tuple[str, float]:
    """Split an expression into its varying part and the constant added at its end.

    Any names are accepted. Of a text that is not an expression, the constant is 0.

    >>> split_constant("0.8*sin(t) + 0.21")
    ('0.8*sin(t)', 0.21)
    >>> split_constant("2*t")
    ('2*t', 0.0)
    """
    text = text.strip()
    try:
        parser = SyntaxParser(text, None)
        parser.parse()
    except ExpressionError:
        return text, 0.0
    # A constant is the last term of a sum, unlike the final digits of "t - 2*3". The last token is outside all
    # parentheses, unlike the number in "2*(t + 1)". The sign before the number joins two terms if a term ends before
    # the sign.
    *_, before, sign, last = [Token("sign", "", 0)] * 2 + parser.tokens[:-1]
    is_joined = before.kind in ("number", "name") or before.text == ")"
    if last.kind != "number" or sign.text not in ("+", "-") or not is_joined:
        return text, 0.0
    number = float(last.text)
    return text[: sign.place].rstrip(), -number if sign.text == "-" else number


def terms_of(text: str) -> tuple[str, ...]:
    """Split an expression into its terms, each with its sign; a text that is not an expression is one term.

    >>> terms_of("20 + 70*smoothstep(t, 0, 3) - 2*(t - 1)")
    ('20', '+ 70*smoothstep(t, 0, 3)', '- 2*(t - 1)')
    """
    try:
        tokens = tuple(tokens_of(text))
    except ExpressionError:
        return (text,)
    depth, starts, before = 0, [0], Token("sign", "", 0)
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        ends_term = before.kind in ("number", "name") or before.text == ")"
        if depth == 0 and token.text in ("+", "-") and ends_term:
            starts.append(token.place)
        before = token
    return tuple(text[start:end].strip() for start, end in pairwise([*starts, len(text)]))


def with_constant(text: str, constant: float) -> str:
    """Return the expression with the constant at its end replaced, or removed for 0.

    >>> with_constant("0.8*sin(t) + 0.21", -0.5)
    '0.8*sin(t) - 0.5'
    """
    varying, _ = split_constant(text)
    if constant == 0.0:
        return varying
    return f"{varying} {'-' if constant < 0.0 else '+'} {abs(constant):.15g}"


FACTORS = {math.pi / 180.0: "*pi/180", 180.0 / math.pi: "*180/pi"}
"""Factors between units that have a text with pi."""

SAME = 1e-10
"""Relative difference of factors that counts as rounding of their digits."""

SHORT = 6
"""Largest number of significant digits of a factor that is merged with another."""


MAX_DEPTH = 4
"""Largest number of parentheses in each other around a constant factor."""


def scale_expression(text: str, factor: float) -> str:
    """Return an expression times a constant, such as the ratio of two units.

    Factors around parentheses, as earlier changes of unit leave them, are merged with the new one, or cancel with it.

    Examples
    --------
    >>> scale_expression("30*sin(t)", math.pi / 180), scale_expression("(30*sin(t))*pi/180", 180 / math.pi)
    ('(30*sin(t))*pi/180', '30*sin(t)')
    >>> scale_expression("(pi/180)*((180/pi)*(0.5*t))", 180 / math.pi)
    '(0.5*t)*180/pi'
    >>> scale_expression("(180/pi)*(0.5*t)", math.pi / 180)
    '0.5*t'
    """
    text = _cancel_factors(text)
    product, merged, inner, is_after = factor, factor, text, True
    for constant, content, is_last in _factors_around(text):
        product *= constant
        is_after = is_after and is_last
        if _is_near(product, 1.0):
            return _cancel_factors(content)
        if is_after and len(_factor_text(product)) <= SHORT + 2:  # with the sign and a decimal point
            merged, inner = product, content
    return f"({inner}){_factor_text(merged)}"


def _factor_text(factor: float) -> str:
    known = next((text for known, text in FACTORS.items() if _is_near(factor, known)), None)
    return known or f"*{float(f'{factor:.12g}'):.15g}"


def _is_near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=SAME)


def _cancel_factors(text: str) -> str:
    """Return an expression without the two outermost factors around parentheses if their product is 1."""
    product = 1.0
    for i, (constant, content, _) in enumerate(_factors_around(text)):
        product *= constant
        if i > 0 and constant != 1.0 and _is_near(product, 1.0):
            return _cancel_factors(content)
    return text


def _factors_around(text: str) -> Iterator[tuple[float, str, bool]]:
    """Yield the constant factor, the content of the parentheses, and whether the factor follows them; from outside."""
    while (split := _split_factor(text)) is not None:
        yield split
        text = split[1]


def _split_factor(text: str) -> tuple[float, str, bool] | None:
    """Split the product of one pair of parentheses and constants; None for any other expression."""
    try:
        tokens = tuple(tokens_of(text))[:-1]
    except ExpressionError:
        return None
    operands = _operands(tokens)
    varying = [operand for operand in operands if _constant_of(operand[1]) is None]
    if len(varying) != 1 or varying[0][0] == "/" or varying[0][1][0].text != "(" or varying[0][1][-1].text != ")":
        return None
    (_, group), product = varying[0], 1.0
    for sign, operand in operands:
        constant = _constant_of(operand)
        if constant is not None:
            if constant == 0.0:
                return None
            product = product * constant if sign == "*" else product / constant
    content = text[group[0].place + 1 : group[-1].place].strip()
    return product, content, operands[0][1][0] is group[0]


def _operands(tokens: Sequence[Token]) -> list[tuple[str, Sequence[Token]]]:
    """Return the operands of a product with the sign before each; none if the tokens are no product."""
    operands: list[tuple[str, Sequence[Token]]] = []
    depth, sign, first = 0, "*", 0
    for i, token in enumerate(tokens):
        if depth == 0 and token.text in ("*", "/"):
            operands.append((sign, tokens[first:i]))
            sign, first = token.text, i + 1
        elif depth == 0 and (i > first or (token.kind == "sign" and token.text != "(")):
            return []  # a sum, a power or a function
        depth += (token.text == "(") - (token.text == ")")
    operands.append((sign, tokens[first:]))
    return operands if depth == 0 and all(operand for _, operand in operands) else []


def _constant_of(operand: Sequence[Token], depth: int = MAX_DEPTH) -> float | None:
    """Return the value of a product of numbers and pi in few parentheses; None for any other operand."""
    if len(operand) == 1:
        (token,) = operand
        return float(token.text) if token.kind == "number" else math.pi if token.text == "pi" else None
    if depth == 0 or not operand or operand[0].text != "(" or operand[-1].text != ")":
        return None
    product = 1.0
    inner = _operands(operand[1:-1])
    for sign, part in inner:
        constant = _constant_of(part, depth - 1)
        if constant is None or constant == 0.0:
            return None
        product = product * constant if sign == "*" else product / constant
    return product if inner else None
