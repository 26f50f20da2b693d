"""Signals written as expressions of t, with exact first and second derivatives.

The grammar is a small whitelist: decimal numbers, ``t``, ``pi``, named parameters, ``+ - * / **``, parentheses, and
the functions ``sin cos tan exp log sqrt abs min max smoothstep pulse pulses``. Operators bind as in Python. Text is
read by a parser of its own (`expression_parser`). Derivatives are carried along exactly (second-order forward
differentiation), not by differences.
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
from framescope.core.time_functions.expression_tokens import shortened
from framescope.core.time_functions.jets import FUNCTIONS, NOT_ASKED_FOR, Jet, Phase
from framescope.core.time_functions.syntax_nodes import WORDS, SyntaxNode, SyntaxParser, TracedValues, Values

BESIDE = 2.0**-24
"""How far beside a time one-sided derivatives are looked for, s, or of the time."""

SETTLED = 1e-3
"""How much they may still change there and count as settled: what grows without bound changes by more."""

NO_VALUES: Values = MappingProxyType(dict[str, float]())
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


@dataclass(frozen=True)
class Expression:
    """A parsed expression of t. Make one with `parse_expression`.

    Attributes
    ----------
    text
        The expression as it was written.
    mentions
        Which of ``t`` and the parameters it depends on.
    parameters
        Names and values of those of them that are parameters.
    """

    text: str
    _node: SyntaxNode
    mentions: frozenset[str] = frozenset()
    parameters: tuple[tuple[str, float], ...] = ()

    def jet(self, t: ArrayLike | Symbol, instead: Mapping[str, Array] | None = None) -> Jet:
        """Return value, first and second derivative at times `t` (...), NaN or infinite where undefined.

        `instead` has other values for some parameters, as arrays that broadcast with `t`.
        """
        at = _in_one_piece(t)
        found = self._found(Jet(at, np.ones_like(at), np.zeros_like(at)), instead)
        if "t" in self.mentions:
            return self._completed(found, at, instead) if self.has_phases else found
        return Jet(np.full_like(at, found.f), np.full_like(at, found.d), np.full_like(at, found.dd))

    def __call__(self, t: ArrayLike) -> Array:
        """Return the value at times `t` (...), with the bits of `jet` and no derivatives computed."""
        at = _in_one_piece(t)
        found = self._found(Jet(at, NOT_ASKED_FOR, NOT_ASKED_FOR), None).f
        return found if "t" in self.mentions else np.full_like(at, found)

    def _completed(self, found: Jet, t: Array, instead: Mapping[str, Array] | None) -> Jet:
        """Return a jet with one-sided derivatives where it has a value and no derivative, and where they exist."""
        with np.errstate(all="ignore"):
            is_open = np.isfinite(found.f) & ~np.isfinite(found.d + found.dd)
        if not is_open.any():
            return found
        nowhere: NDArray[np.bool_] = np.zeros(np.shape(t), dtype=np.bool_)  # t itself rests nowhere
        resting = self._found(Jet(t, np.ones_like(t), np.zeros_like(t), nowhere), instead)
        found = _with_derivatives(found, is_open, resting.d, resting.dd)
        h = BESIDE * np.maximum(np.abs(t), 1.0)
        for side in (h, -h):
            is_open = is_open & ~np.isfinite(found.d + found.dd)
            if not is_open.any():
                break
            near, far = (
                self._found(Jet(_in_one_piece(t + n * side), np.ones_like(t), np.zeros_like(t)), instead)
                for n in (1, 2)
            )
            with np.errstate(all="ignore"):
                d, dd = (_limit(a, b) for a, b in ((near.d, far.d), (near.dd, far.dd)))
                joins = np.abs(near.f - found.f) <= SETTLED * (1.0 + np.abs(found.f))
            found = _with_derivatives(found, is_open & joins, d, dd)
        return found

    @property
    def has_phases(self) -> bool:
        """Whether it may bend or jump at some time."""
        return self._node.has_phases

    @property
    def has_roots(self) -> bool:
        """Whether there are roots or powers in it that may have a value and no derivative."""
        return self._node.has_roots

    def phases(self, t: Array) -> list[Phase]:
        """Return the conditions that its parts depend on at times `t` (n,): where a side changes it bends or jumps."""
        values = TracedValues(dict(self.parameters))
        with np.errstate(all="ignore"):
            self._node(Jet(t, np.ones_like(t), np.zeros_like(t)), values)
        return values.phases

    def _found(self, t: Jet, instead: Mapping[str, Array] | None) -> Jet:
        values: dict[str, Any] = {**dict(self.parameters), **(instead or {})}
        with np.errstate(all="ignore"):
            return self._node(t, values)

    def with_parameters(self, parameters: tuple[tuple[str, float], ...]) -> Expression:
        """Return it with names and values of parameters, which have been checked."""
        return Expression(self.text, self._node, self.mentions, parameters)

    def __reduce__(self) -> tuple[object, ...]:
        """Go through a pickle as text, to be parsed again: what it is made of are functions."""
        return parse_expression, (self.text, dict(self.parameters))


def _with_derivatives(jet: Jet, where: NDArray[np.bool_], d: Array, dd: Array) -> Jet:
    """Return a jet with other derivatives where they are finite, of which there are two or none."""
    with np.errstate(all="ignore"):
        where = where & np.isfinite(d + dd)
    return Jet(jet.f, np.where(where, d, jet.d), np.where(where, dd, jet.dd))


def _limit(near: Array, far: Array) -> Array:
    """Return what values at h and 2 h tend to, NaN where they do not."""
    return np.where(np.abs(near - far) <= SETTLED * (1.0 + np.abs(near)), 2.0 * near - far, np.nan)


def _in_one_piece(t: ArrayLike | Symbol) -> Any:
    """Return times as a copy in one piece: how numpy computes sines may depend on how its argument lies in memory.

    A symbol, as of `framescope.core.kernels.code.symbolic`, has no memory.
    """
    if isinstance(t, Symbol):
        return t
    return np.array(t, dtype=np.float64, order="C")[()]  # a plain number when it is one, which is quicker


def parse_expression(text: str, parameters: Values = NO_VALUES) -> Expression:
    """Parse an expression of t.

    Parameters
    ----------
    text
        The expression, such as ``"0.8*sin(2*t)"``.
    parameters
        Values of the names that may stand in it besides t and pi, finite.

    Returns
    -------
    Expression
        A function of t that gives its derivatives too.

    Raises
    ------
    ExpressionError
        When the text is no expression of the grammar, or is longer or deeper than allowed, or a parameter has a name
        that is taken or no name, or no finite value.

    Notes
    -----
    ``smoothstep(t, t0, t1)`` is 0 up to t0 and 1 from t1 on, and between them ``6 s⁵ - 15 s⁴ + 10 s³`` with
    ``s = (t - t0) / (t1 - t0)``: twice continuously differentiable; with t0 > t1 it falls. ``pulse(t, t0, t1)`` is 1
    for ``t0 <= t < t1`` and else 0; ``pulses(t, period, width)`` is 1 for the first `width` of each period, counted
    from 0. The derivatives of both are 0, also at the jumps; those of `abs`, `min` and `max` are of the branch that is
    taken, at a tie of `min` and `max` the first, and 0 for ``abs(0)``. Any of the arguments may be an expression. The
    derivatives of what does not mention t are 0.

    Where a value has no derivative by these rules, and one on one side, it has that: ``max(t - 2, 0)**1.5`` rests until
    2 with derivatives of zero, and ``sqrt(t**2)`` at 0 has the derivative after it, 1. That of a part that rests is
    exact, others are limits taken some 1e-7 s beside it.

    Nothing warns or raises: where a function has no value (``sqrt(-1)``, ``log(-1)``, ``0/0``) the result is NaN,
    ``1/0`` and ``log(0)`` are infinite. A call with many times gives the bits of single calls.

    Examples
    --------
    >>> jet = parse_expression("2*t**2").jet(3.0)
    >>> float(jet.f), float(jet.d), float(jet.dd)
    (18.0, 12.0, 4.0)
    >>> float(parse_expression("amplitude*smoothstep(t, 0, 2)", {"amplitude": 3.0})(1.0))
    1.5
    """
    _check(tuple(parameters.items()))
    found = _known(text, parameters)
    used = ((name, float(value)) for name, value in parameters.items() if name in found.mentions)
    return found.with_parameters(tuple(used))


@lru_cache(maxsize=16)
def _check(parameters: tuple[tuple[str, float], ...]) -> None:
    """Check names and values of parameters, once for all expressions of a scene."""
    for name, value in parameters:
        check_parameter_name(name)
        if not math.isfinite(value):
            raise ExpressionError(f'the parameter "{name}" has no finite value, but {value}.')


def check_parameter_name(name: str) -> None:
    """Check that a parameter may have this name.

    Parameters
    ----------
    name
        Letters, digits and underscores of ASCII, not beginning with a digit.

    Raises
    ------
    ExpressionError
        When it is no such name, or is t, pi, a function or a word of Python.

    Examples
    --------
    >>> check_parameter_name("omega_1")
    >>> check_parameter_name("sin")
    Traceback (most recent call last):
    ...
    framescope.core.errors.ExpressionError: "sin" cannot be a parameter: it is a function. Choose another name.
    """
    if name in WORDS:
        what = "a function" if name in FUNCTIONS else "the time" if name == "t" else "a number"
        raise ExpressionError(f'"{name}" cannot be a parameter: it is {what}.', "Choose another name.")
    if not _NAME.fullmatch(name) or iskeyword(name):
        hint = "A name is letters, digits and _, as in omega_1, and no word of Python."
        raise ExpressionError(f"{shortened(name)} cannot be a parameter.", hint)


def _known(text: str, names: Collection[str]) -> Expression:
    """Return the expression; what is wrong with it is told by a parser that knows the names."""
    try:
        found = _of_any_names(text)
    except ExpressionError:
        return _parsed(text, names)
    return found if found.mentions <= {"t", *names} else _parsed(text, names)


@lru_cache(maxsize=4096)
def _of_any_names(text: str) -> Expression:
    """Parse once, whatever the parameters are: one more of them is no reason to read a scene again."""
    return _parsed(text, None)


def _parsed(text: str, names: Collection[str] | None) -> Expression:
    node = SyntaxParser(text, names).whole()
    return Expression(text, node, node.mentions)
