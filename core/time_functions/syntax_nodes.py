"""Syntax tree of an expression: functions of t and parameters, with derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.errors import ExpressionError, did_you_mean
from framescope.core.time_functions.expression_parser import Parser
from framescope.core.time_functions.expression_tokens import Token, quote
from framescope.core.time_functions.jets import FUNCTIONS, Jet, Phase, Phases, constant_power, flat, power, power_phases

_CONSTANTS = {"pi": math.pi}
WORDS = ("t", *_CONSTANTS, *FUNCTIONS)
"""Names that parameters cannot have."""

Values = Mapping[str, float]
"""Values of parameters by name."""


class TracedValues(dict[str, float]):
    """Values of parameters, and a list that collects the conditions of an expression while it is computed."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.phases: list[Phase] = []


@dataclass(frozen=True)
class SyntaxNode:
    """Node of the syntax tree: a function of t and the parameters, and the names that the function depends on.

    A node that does not depend on t returns values of shape () for any shape of t.
    """

    apply: Callable[[Jet, Values], Jet]
    mentions: frozenset[str] = frozenset()
    is_literal: bool = False
    """Whether the node is a number in the text."""
    has_phases: bool = False
    """Whether the value or a derivative may jump somewhere."""
    has_roots: bool = False
    """Whether the node contains roots or powers that may have a value without a derivative."""

    def __call__(self, t: Jet, values: Values) -> Jet:
        """Return the value at `t`, with derivatives."""
        result = self.apply(t, values)
        if self.is_literal or "t" in self.mentions:
            return result
        # A constant has derivatives of zero, even where its functions have no derivative, as in sqrt(0).
        return flat(result.f)


class SyntaxParser(Parser[SyntaxNode]):
    """Parser that builds functions of t; `names` are the allowed parameter names, or None for any name."""

    def __init__(self, text: str, names: Collection[str] | None) -> None:
        super().__init__(text)
        self._names = names

    def number(self, token: Token) -> SyntaxNode:
        """Return the node of a number."""
        number = float(token.text)
        if not math.isfinite(number):
            message = f"{quote(self.text)} holds a number that is too large, at character {token.place + 1}."
            raise ExpressionError(message, place=token.place)
        return _constant(number)

    def variable(self, token: Token) -> SyntaxNode:
        """Return the node of t, a constant or a parameter."""
        name = token.text
        if name == "t":
            return SyntaxNode(lambda t, _: t, frozenset("t"))
        if name in _CONSTANTS:
            return _constant(_CONSTANTS[name])
        if self._names is None or name in self._names:
            return SyntaxNode(lambda _, values: flat(np.array(values[name])[()]), frozenset((name,)))
        message = f'"{name}" is not known in {quote(self.text)}, at character {token.place + 1}.'
        raise ExpressionError(message, did_you_mean(name, (*WORDS, *sorted(self._names))), token.place)

    def unknown_function(self, token: Token) -> Exception:
        """Return the error for a call of a name that is not a function."""
        name = token.text
        is_value = name == "t" or name in _CONSTANTS or name in (self._names or ())
        hint = f"Write a product with *, as in {name}*(t + 1)." if is_value else did_you_mean(name, FUNCTIONS)
        return ExpressionError(f'"{name}" is no function here, at character {token.place + 1}.', hint, token.place)

    def chain(self, first: SyntaxNode, others: Sequence[tuple[str, SyntaxNode]]) -> SyntaxNode:
        """Return the node of operands joined by operators of one rank, from left to right."""
        steps = [(_OPERATORS[sign], node) for sign, node in others]

        def apply(t: Jet, values: Values) -> Jet:
            result = first(t, values)
            for operator, other in steps:
                result = operator(result, other(t, values))
            return result

        nodes = (first, *(node for _, node in others))
        mentions = first.mentions.union(*(node.mentions for node in nodes))
        has_phases, has_roots = any(node.has_phases for node in nodes), any(node.has_roots for node in nodes)
        return SyntaxNode(apply, mentions, has_phases=has_phases, has_roots=has_roots)

    def negative(self, inner: SyntaxNode) -> SyntaxNode:
        """Return the node of a negated operand."""
        return SyntaxNode(
            lambda t, values: -inner(t, values), inner.mentions, has_phases=inner.has_phases, has_roots=inner.has_roots
        )

    def power(self, base: SyntaxNode, exponent: SyntaxNode) -> SyntaxNode:
        """Return the node of a power.

        The choice of the formula depends only on the text of the exponent, so that it is the same at all times.
        """
        mentions = base.mentions | exponent.mentions
        if "t" in exponent.mentions:
            return _function_node((base, exponent), power, power_phases, has_roots=True)

        is_smooth = "t" not in mentions or (not exponent.mentions and _is_whole(exponent))

        def apply(t: Jet, values: Values) -> Jet:
            x, n = base(t, values), exponent(t, values)
            if not is_smooth and isinstance(values, TracedValues):
                values.phases += power_phases(x, n)
            return constant_power(x, float(n.f))

        return SyntaxNode(
            apply, mentions, has_phases=base.has_phases or not is_smooth, has_roots=base.has_roots or not is_smooth
        )

    def function_call(self, name: str, args: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the node of a function call."""
        return _function_node(args, FUNCTIONS[name].apply, FUNCTIONS[name].phases, has_roots=name == "sqrt")


_OPERATORS: Mapping[str, Callable[[Jet, Jet], Jet]] = {
    "+": Jet.__add__,
    "-": Jet.__sub__,
    "*": Jet.__mul__,
    "/": Jet.__truediv__,
}


def _function_node(
    args: Sequence[SyntaxNode], compute: Callable[..., Jet], phases: Phases | None, *, has_roots: bool
) -> SyntaxNode:
    """Return the node of a function of other nodes; when computed, it adds its conditions to `TracedValues`."""
    mentions = frozenset[str]().union(*(arg.mentions for arg in args))
    own = phases if "t" in mentions else None

    def apply(t: Jet, values: Values) -> Jet:
        values_of_args = [arg(t, values) for arg in args]
        if own is not None and isinstance(values, TracedValues):
            values.phases += own(*values_of_args)
        return compute(*values_of_args)

    return SyntaxNode(
        apply,
        mentions,
        has_phases=own is not None or any(arg.has_phases for arg in args),
        has_roots=("t" in mentions and has_roots) or any(arg.has_roots for arg in args),
    )


def _is_whole(exponent: SyntaxNode) -> bool:
    """Return whether an exponent is a literal whole number that is not negative."""
    with np.errstate(all="ignore"):
        n = float(exponent(flat(np.array(0.0)), {}).f)
    return n >= 0.0 and n.is_integer()


def _constant(number: float) -> SyntaxNode:
    """Return the node of a constant."""
    jet = flat(np.array(number)[()])
    return SyntaxNode(lambda _t, _values: jet, is_literal=True)
