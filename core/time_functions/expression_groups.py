"""Common evaluation of expressions of t that differ only in their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.core.time_functions.expression_parser import MAX_LENGTH
from framescope.core.time_functions.expression_rewriting import skeleton
from framescope.core.time_functions.expressions import Expression, parse_expression
from framescope.core.time_functions.jets import Jet

_PREFIX = "__number"
"""Prefix of the names that replace numbers; expressions with such a parameter name are computed alone."""

_COMPUTED_EXPONENT = re.compile(r"\*\*[-+]*[^-+0-9.]")
"""Pattern of a computed exponent. Members of a group must have equal exponents, so such expressions are computed
alone."""


@dataclass(frozen=True, eq=False)
class ExpressionGroup:
    """Expressions of one structure.

    Attributes
    ----------
    rows
        Indices of the expressions.
    expression
        The common structure, with names in place of numbers.
    numbers
        Numbers (k,) of the k expressions, by name.
    """

    rows: NDArray[np.intp]
    expression: Expression
    numbers: dict[str, Array]

    def jet(self, t: Array) -> Jet:
        """Return values, first and second derivatives at times (n,); they broadcast to (n, k)."""
        return self.expression.jet(t[:, np.newaxis], self.numbers)


def group_expressions(expressions: Sequence[Expression]) -> tuple[ExpressionGroup, ...]:
    """Divide expressions into groups of the same structure.

    Examples
    --------
    >>> groups = group_expressions([parse_expression(text) for text in ("2*sin(t)", "t", "3*sin(t)")])
    >>> [(group.expression.text, group.rows.tolist()) for group in groups]
    [('__number0*sin(t)', [0, 2]), ('t', [1])]
    """
    members_by_structure: dict[tuple[object, ...], list[tuple[int, tuple[float, ...]]]] = {}
    is_taken = {
        parameters: any(name.startswith(_PREFIX) for name, _ in parameters)
        for parameters in {expression.parameters for expression in expressions}
    }
    for i, expression in enumerate(expressions):
        checkpoint()
        text, numbers = skeleton(expression.text, _PREFIX)
        is_alone = (
            len(text) > MAX_LENGTH  # names are longer than numbers
            or _COMPUTED_EXPONENT.search(text) is not None
            or is_taken[expression.parameters]
        )
        key = (expression.text,) if is_alone else (text, len(numbers))
        members_by_structure.setdefault((*key, expression.parameters), []).append((i, () if is_alone else numbers))
    return tuple(_group([expressions[i] for i, _ in members], members) for members in members_by_structure.values())


def _group(expressions: list[Expression], members: list[tuple[int, tuple[float, ...]]]) -> ExpressionGroup:
    rows = np.array([i for i, _ in members])
    first = expressions[0]
    if len(members) == 1 or not members[0][1]:
        return ExpressionGroup(rows, first, {})
    numbers = {f"{_PREFIX}{k}": np.array(column) for k, column in enumerate(zip(*(n for _, n in members), strict=True))}
    text, _ = skeleton(first.text, _PREFIX)
    known = dict(first.parameters) | dict.fromkeys(numbers, 0.0)
    return ExpressionGroup(rows, parse_expression(text, known), numbers)
