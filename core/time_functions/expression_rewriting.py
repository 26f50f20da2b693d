"""Rewriting of expressions as text: their numbers, terms, and the constant at the end."""

from __future__ import annotations

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
