"""Derivatives of expressions with respect to a parameter instead of the time."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.time_functions.expression_tokens import tokens_of
from framescope.core.time_functions.expressions import parse_expression


def parameter_derivative(text: str, name: str, t: float, parameters: Mapping[str, float]) -> float:
    """Return the derivative of an expression with respect to one of its parameters at a time, exact up to rounding.

    NaN where the derivative does not exist, and zero for a parameter that the expression does not mention.

    Notes
    -----
    Expressions are differentiated with respect to ``t``, so the parameter is renamed to ``t``, and ``t`` is replaced by
    its number.

    Examples
    --------
    >>> parameter_derivative("2*elbow**2 + t*elbow", "elbow", 5.0, {"elbow": 3.0})
    17.0
    """
    replacements = {name: "t", "t": f"({t!r})"}
    words = (
        replacements.get(token.text, token.text) if token.kind == "name" else token.text for token in tokens_of(text)
    )
    others = {key: value for key, value in parameters.items() if key != name}
    return float(parse_expression(" ".join(words), others).jet(parameters[name]).d)
