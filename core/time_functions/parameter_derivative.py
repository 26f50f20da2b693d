"""Derivatives of expressions with respect to a parameter instead of the time."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.time_functions.expression_tokens import tokens_of
from framescope.core.time_functions.expressions import parse_expression


def parameter_derivative(text: str, name: str, t: float, parameters: Mapping[str, float]) -> float:
    """Return the derivative of an expression with respect to one of its parameters, at a time; exact but for rounding.

    Not a number where there is none, and zero of a parameter that the expression does not mention.

    Notes
    -----
    The parameter takes the place of the time, whose derivatives every expression has, and the time that of a number.

    Examples
    --------
    >>> parameter_derivative("2*elbow**2 + t*elbow", "elbow", 5.0, {"elbow": 3.0})
    17.0
    """
    instead = {name: "t", "t": f"({t!r})"}
    words = (instead.get(token.text, token.text) if token.kind == "name" else token.text for token in tokens_of(text))
    others = {key: value for key, value in parameters.items() if key != name}
    return float(parse_expression(" ".join(words), others).jet(parameters[name]).d)
