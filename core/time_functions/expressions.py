"""Expressions of t, with exact first and second derivatives.

The grammar is a small whitelist: decimal numbers, ``t``, ``pi``, named parameters, ``+ - * / **``, parentheses, and
the functions ``sin cos tan exp log sqrt abs min max smoothstep pulse pulses``. Operators bind as in Python. The parser
is `expression_parser`. Derivatives are exact (second-order forward differentiation), not differences.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from keyword import iskeyword
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.errors import ExpressionError
from framescope.core.kernels.code.symbolic import Symbol
from framescope.core.kernels.validation import Array
from framescope.core.time_functions.expression_tokens import quote
from framescope.core.time_functions.jets import FUNCTIONS, NOT_REQUESTED, Jet, Phase
from framescope.core.time_functions.syntax_nodes import WORDS, SyntaxNode, SyntaxParser, TracedValues, Values

BESIDE = 2.0**-24
"""Step for estimating one-sided derivatives, s; for times above 1 s, the step as a fraction of the time."""

SETTLED = 1e-3
"""Largest relative change of an estimate at twice the distance for which the estimate counts as converged."""

NO_VALUES: Values = MappingProxyType(dict[str, float]())
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


@dataclass(frozen=True)
class Expression:
    """A parsed expression of t. Made by `parse_expression`.

    Attributes
    ----------
    text
        Source text of the expression.
    mentions
        Names it depends on: ``t`` and parameters.
    parameters
        Names and values of the parameters it depends on.
    """

    text: str
    _node: SyntaxNode
    mentions: frozenset[str] = frozenset()
    parameters: tuple[tuple[str, float], ...] = ()

    def jet(self, t: ArrayLike | Symbol, overrides: Mapping[str, Array] | None = None) -> Jet:
        """Return value, first and second derivative at times `t` (...), NaN or infinite where undefined.

        `overrides` replaces the values of some parameters, by arrays that broadcast with `t`.
        """
        at = _contiguous(t)
        jet = self._evaluate(Jet(at, np.ones_like(at), np.zeros_like(at)), overrides)
        if "t" in self.mentions:
            return self._add_one_sided_derivatives(jet, at, overrides) if self.has_phases else jet
        return Jet(np.full_like(at, jet.f), np.full_like(at, jet.d), np.full_like(at, jet.dd))

    def __call__(self, t: ArrayLike) -> Array:
        """Return the value at times `t` (...), bit for bit as `jet` but without computing derivatives."""
        at = _contiguous(t)
        value = self._evaluate(Jet(at, NOT_REQUESTED, NOT_REQUESTED), None).f
        return value if "t" in self.mentions else np.full_like(at, value)

    def _add_one_sided_derivatives(self, jet: Jet, t: Array, overrides: Mapping[str, Array] | None) -> Jet:
        """Return a jet with missing derivatives replaced by one-sided derivatives, where these exist."""
        with np.errstate(all="ignore"):
            is_open = np.isfinite(jet.f) & ~np.isfinite(jet.d + jet.dd)
        if not is_open.any():
            return jet
        nowhere: NDArray[np.bool_] = np.zeros(np.shape(t), dtype=np.bool_)  # t itself is nowhere constant
        resting = self._evaluate(Jet(t, np.ones_like(t), np.zeros_like(t), nowhere), overrides)
        jet = _with_derivatives(jet, is_open, resting.d, resting.dd)
        h = BESIDE * np.maximum(np.abs(t), 1.0)
        for side in (h, -h):
            is_open = is_open & ~np.isfinite(jet.d + jet.dd)
            if not is_open.any():
                break
            near, far = (
                self._evaluate(Jet(_contiguous(t + n * side), np.ones_like(t), np.zeros_like(t)), overrides)
                for n in (1, 2)
            )
            with np.errstate(all="ignore"):
                d, dd = (_limit(a, b) for a, b in ((near.d, far.d), (near.dd, far.dd)))
                joins = np.abs(near.f - jet.f) <= SETTLED * (1.0 + np.abs(jet.f))
            jet = _with_derivatives(jet, is_open & joins, d, dd)
        return jet

    @property
    def has_phases(self) -> bool:
        """Whether the value or a derivative may jump at some time."""
        return self._node.has_phases

    @property
    def has_roots(self) -> bool:
        """Whether the expression contains roots or powers that may have a value without a derivative."""
        return self._node.has_roots

    def phases(self, t: Array) -> list[Phase]:
        """Return the conditions of the functions at times `t` (n,); at a breakpoint the side of a condition changes."""
        values = TracedValues(dict(self.parameters))
        with np.errstate(all="ignore"):
            self._node(Jet(t, np.ones_like(t), np.zeros_like(t)), values)
        return values.phases

    def _evaluate(self, t: Jet, overrides: Mapping[str, Array] | None) -> Jet:
        values: dict[str, Any] = {**dict(self.parameters), **(overrides or {})}
        with np.errstate(all="ignore"):
            return self._node(t, values)

    def with_parameters(self, parameters: tuple[tuple[str, float], ...]) -> Expression:
        """Return the expression with other parameters, which must be validated already."""
        return Expression(self.text, self._node, self.mentions, parameters)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the text, which loading parses again, because nodes hold functions that cannot be pickled."""
        return parse_expression, (self.text, dict(self.parameters))


def _with_derivatives(jet: Jet, where: NDArray[np.bool_], d: Array, dd: Array) -> Jet:
    """Return a jet with both derivatives replaced where the new derivatives are finite."""
    with np.errstate(all="ignore"):
        where = where & np.isfinite(d + dd)
    return Jet(jet.f, np.where(where, d, jet.d), np.where(where, dd, jet.dd))


def _limit(near: Array, far: Array) -> Array:
    """Return the limit of values at distances h and 2 h from a time, NaN where they do not converge."""
    return np.where(np.abs(near - far) <= SETTLED * (1.0 + np.abs(near)), 2.0 * near - far, np.nan)


def _contiguous(t: ArrayLike | Symbol) -> Any:
    """Return times as a contiguous copy; numpy's sines may depend on the memory layout of the argument.

    A symbol of `framescope.core.kernels.code.symbolic` is returned unchanged.
    """
    if isinstance(t, Symbol):
        return t
    return np.array(t, dtype=np.float64, order="C")[()]  # a scalar stays a scalar, which is faster


def parse_expression(text: str, parameters: Values = NO_VALUES) -> Expression:
    """Parse an expression of t.

    Parameters
    ----------
    text
        The expression, such as ``"0.8*sin(2*t)"``.
    parameters
        Finite values of the names allowed besides t and pi.

    Returns
    -------
    Expression
        Function of t with its derivatives.

    Raises
    ------
    ExpressionError
        When the text does not follow the grammar or exceeds its limits, or a parameter has an invalid name, a reserved
        name, or a value that is not finite.

    Notes
    -----
    ``smoothstep(t, t0, t1)`` is 0 up to t0, 1 from t1 on, and ``6 s⁵ - 15 s⁴ + 10 s³`` with
    ``s = (t - t0) / (t1 - t0)`` between t0 and t1. It is twice continuously differentiable, and falls for t0 > t1.
    ``pulse(t, t0, t1)`` is 1 for ``t0 <= t < t1``, and 0 elsewhere. ``pulses(t, period, width)`` is 1 for the first
    `width` of each period, counted from t = 0, and 0 elsewhere. The derivatives of both are 0, even at the jumps. `min`
    and `max` have the derivatives of the selected argument, at a tie of the first argument. The derivatives of
    ``abs(0)`` are 0. All arguments may be expressions. Expressions without t have derivatives of 0.

    Where these rules give no derivative, a one-sided derivative is returned if it exists. ``max(t - 2, 0)**1.5`` is
    constant until 2 with derivatives of zero, and ``sqrt(t**2)`` has the derivative 1 from the right at 0. One-sided
    derivatives of a constant part are exact. Others are limits computed from values about 1e-7 s away.

    Evaluation neither warns nor raises. Undefined values (``sqrt(-1)``, ``log(-1)``, ``0/0``) are NaN, ``1/0`` and
    ``log(0)`` are infinite. A call with many times gives the bits of single calls.

    Examples
    --------
    >>> jet = parse_expression("2*t**2").jet(3.0)
    >>> float(jet.f), float(jet.d), float(jet.dd)
    (18.0, 12.0, 4.0)
    >>> float(parse_expression("amplitude*smoothstep(t, 0, 2)", {"amplitude": 3.0})(1.0))
    1.5
    """
    _check(tuple(parameters.items()))
    expression = _parse_with_names(text, parameters)
    used = ((name, float(value)) for name, value in parameters.items() if name in expression.mentions)
    return expression.with_parameters(tuple(used))


@lru_cache(maxsize=16)
def _check(parameters: tuple[tuple[str, float], ...]) -> None:
    """Check names and values of parameters; cached, so that all expressions of a scene share one check."""
    for name, value in parameters:
        check_parameter_name(name)
        if not math.isfinite(value):
            raise ExpressionError(f'the parameter "{name}" has no finite value, but {value}.')


def check_parameter_name(name: str) -> None:
    """Raise `ExpressionError` unless a parameter may have this name.

    Parameters
    ----------
    name
        ASCII letters, digits and underscores, not beginning with a digit.

    Raises
    ------
    ExpressionError
        When the name is invalid, or is t, pi, a function or a keyword of Python.

    Examples
    --------
    >>> check_parameter_name("omega_1")
    >>> check_parameter_name("sin")
    Traceback (most recent call last):
    ...
    framescope.core.errors.ExpressionError: "sin" cannot be a parameter: it is a function. Choose another name.
    """
    if name in WORDS:
        meaning = "a function" if name in FUNCTIONS else "the time" if name == "t" else "a number"
        raise ExpressionError(f'"{name}" cannot be a parameter: it is {meaning}.', "Choose another name.")
    if not _NAME.fullmatch(name) or iskeyword(name):
        hint = "A name is letters, digits and _, as in omega_1, and no word of Python."
        raise ExpressionError(f"{quote(name)} cannot be a parameter.", hint)


def _parse_with_names(text: str, names: Collection[str]) -> Expression:
    """Parse a text with a parser that knows the parameter names, so that its errors can mention them."""
    try:
        expression = _parse_with_any_names(text)
    except ExpressionError:
        return _parse(text, names)
    return expression if expression.mentions <= {"t", *names} else _parse(text, names)


@lru_cache(maxsize=4096)
def _parse_with_any_names(text: str) -> Expression:
    """Parse and cache a text independently of the parameters, so that a new parameter causes no second parsing."""
    return _parse(text, None)


def _parse(text: str, names: Collection[str] | None) -> Expression:
    node = SyntaxParser(text, names).parse()
    return Expression(text, node, node.mentions)
