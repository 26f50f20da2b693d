"""Jets (values with first and second time derivatives), and functions of jets.

Derivatives are exact: each rule is the chain rule of its function (second-order forward differentiation), never a
difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array

Flags = NDArray[np.bool_]


class _NotRequested:
    """Placeholder for derivatives that are not requested. Arithmetic with it returns it unchanged, at no cost."""

    __array_ufunc__ = None  # makes numpy arrays defer to the operators below

    def _itself(self, *_other: object) -> _NotRequested:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _itself


NOT_REQUESTED: Any = _NotRequested()


@dataclass(frozen=True, eq=False)
class Jet:
    """Value, first and second derivative with respect to t, each (...); the derivatives may be `NOT_REQUESTED`.

    `rests` flags values that are constant for some time before or after t. Functions of such values have derivatives of
    zero, even where the rule of the function gives no derivative. None means not requested, or constant everywhere.
    """

    f: Array
    d: Array
    dd: Array
    rests: Flags | None = None

    def map(self, g: Array, dg: Array, ddg: Array) -> Jet:
        """Apply the chain rule for a function with value `g` and derivatives `dg`, `ddg` at the value of this jet."""
        d, dd = dg * self.d, ddg * self.d * self.d + dg * self.dd
        if self.rests is None:
            return Jet(g, d, dd)
        return Jet(g, np.where(self.rests, 0.0, d), np.where(self.rests, 0.0, dd), self.rests)

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.f + other.f, self.d + other.d, self.dd + other.dd, _both_rest(self, other))

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.f - other.f, self.d - other.d, self.dd - other.dd, _both_rest(self, other))

    def __mul__(self, other: Jet) -> Jet:
        return Jet(
            self.f * other.f,
            self.d * other.f + self.f * other.d,
            self.dd * other.f + 2.0 * self.d * other.d + self.f * other.dd,
            _product_rests(self, other),
        )

    def __truediv__(self, other: Jet) -> Jet:
        q = self.f / other.f
        d = (self.d - q * other.d) / other.f
        dd = (self.dd - 2.0 * d * other.d - q * other.dd) / other.f
        rests = _both_rest(self, other)
        return Jet(q, d, dd, rests if self.rests is None or rests is None else rests | self.rests & (self.f == 0.0))

    def __neg__(self) -> Jet:
        return Jet(-self.f, -self.d, -self.dd, self.rests)


def _both_rest(a: Jet, b: Jet) -> Flags | None:
    if a.rests is None or b.rests is None:
        return b.rests if a.rests is None else a.rests
    return a.rests & b.rests


def _product_rests(a: Jet, b: Jet) -> Flags | None:
    rests = _both_rest(a, b)
    if rests is None:
        return None
    at_zero = [np.bool_(True) if x.rests is None else x.rests for x in (a, b)]
    return rests | (at_zero[0] & (a.f == 0.0)) | (at_zero[1] & (b.f == 0.0))


def flat(value: Array) -> Jet:
    """Return the jet of constant values, with derivatives of zero, or NaN where a value is not finite."""
    zeros = value - value
    return Jet(value, zeros, zeros)


def power(x: Jet, exponent: Jet) -> Jet:
    """Return ``x ** exponent`` for an exponent that may depend on t; NaN where x is negative.

    The value is numpy's power, because the exponential of a logarithm has errors in the last digits: 2 ** 3 must be 8.

    >>> float(power(flat(np.float64(2.0)), Jet(np.float64(3.0), np.float64(1.0), np.float64(0.0))).f)
    8.0
    """
    base, n = x.f, exponent.f
    if np.shape(base) != np.shape(n):  # numpy's broadcasting changes the last digits
        base, n = (np.array(array) for array in np.broadcast_arrays(base, n))
    value = np.power(base, n)  # for a negative base, NaN unless the exponent is whole
    value = np.where(base < 0.0, np.nan, value)[()]
    if x.d is NOT_REQUESTED or exponent.d is NOT_REQUESTED:
        return Jet(value, NOT_REQUESTED, NOT_REQUESTED)
    result = (exponent * _log(x)).map(value, value, value)
    if x.rests is None:
        return result
    rests = x.rests if result.rests is None else result.rests
    rests = rests | x.rests & (x.f == 0.0) & (exponent.f > 0.0)
    return Jet(result.f, np.where(rests, 0.0, result.d), np.where(rests, 0.0, result.dd), rests)


def constant_power(x: Jet, n: float) -> Jet:
    """Return ``x ** n`` for an `n` that does not depend on t; `x` and `n` may be negative or zero."""
    if x.d is NOT_REQUESTED:
        return Jet(_raise(x.f, n), x.d, x.dd)
    # For n of 0 or 1, the powers below are infinite at 0, and their product with the factor 0 would be NaN.
    zeros = np.zeros_like(x.f)
    first = zeros if n == 0.0 else n * _raise(x.f, n - 1.0)
    second = zeros if n in (0.0, 1.0) else n * (n - 1.0) * _raise(x.f, n - 2.0)
    return x.map(_raise(x.f, n), first, second)


def _raise(x: Array, n: float) -> Array:
    """Return ``x ** n`` with the same bits for all shapes, unlike numpy's shortcuts for some exponents.

    >>> _raise(np.array([3.0]), 2.0)
    array([9.])
    """
    if n == 0.0:
        return np.ones_like(x)
    if n == 1.0:
        return x
    if n == 2.0:
        return x * x
    return np.power(x, np.full_like(x, n))


def _sin(x: Jet) -> Jet:
    if x.d is NOT_REQUESTED:
        return Jet(np.sin(x.f), x.d, x.dd)
    s, c = np.sin(x.f), np.cos(x.f)
    return x.map(s, c, -s)


def _cos(x: Jet) -> Jet:
    if x.d is NOT_REQUESTED:
        return Jet(np.cos(x.f), x.d, x.dd)
    s, c = np.sin(x.f), np.cos(x.f)
    return x.map(c, -s, -c)


def _tan(x: Jet) -> Jet:
    tangent = np.tan(x.f)
    slope = 1.0 + tangent * tangent
    return x.map(tangent, slope, 2.0 * tangent * slope)


def _exp(x: Jet) -> Jet:
    e = np.exp(x.f)
    return x.map(e, e, e)


def _log(x: Jet) -> Jet:
    # The formula has values for negative arguments, where the logarithm is undefined.
    slope = np.where(x.f >= 0.0, 1.0 / x.f, np.nan)
    return x.map(np.log(x.f), slope, -slope * slope)


def _sqrt(x: Jet) -> Jet:
    root = np.sqrt(x.f)
    return x.map(root, 0.5 / root, -0.25 / (root * x.f))


def _abs(x: Jet) -> Jet:
    sign = np.sign(x.f)
    return x.map(np.abs(x.f), sign, np.zeros_like(sign))


def _choose(condition: Flags, a: Jet, b: Jet) -> Jet:
    f = np.where(condition, a.f, b.f)
    if a.d is NOT_REQUESTED or b.d is NOT_REQUESTED:
        return Jet(f, NOT_REQUESTED, NOT_REQUESTED)
    rests = None
    if a.rests is not None or b.rests is not None:
        rests = np.where(condition, *(True if x.rests is None else x.rests for x in (a, b)))
    return Jet(f, np.where(condition, a.d, b.d), np.where(condition, a.dd, b.dd), rests)


def _min(a: Jet, b: Jet) -> Jet:
    return _choose(_is_first((a.f <= b.f) | np.isnan(a.f), a, b), a, b)


def _max(a: Jet, b: Jet) -> Jet:
    return _choose(_is_first((a.f >= b.f) | np.isnan(a.f), a, b), a, b)


def _is_first(condition: Flags, a: Jet, b: Jet) -> Flags:
    """Return `condition` with ties decided in favour of a constant argument if `rests` is requested."""
    if a.rests is None or (b.rests is not None and (b.rests <= a.rests).all()):
        return condition
    return condition & ~((a.f == b.f) & ~a.rests & (True if b.rests is None else b.rests))


def _smallest(*args: Jet) -> Jet:
    result = args[0]
    for arg in args[1:]:
        result = _min(result, arg)
    return result


def _largest(*args: Jet) -> Jet:
    result = args[0]
    for arg in args[1:]:
        result = _max(result, arg)
    return result


def _smoothstep(x: Jet, x0: Jet, x1: Jet) -> Jet:
    """Return ``6 s⁵ - 15 s⁴ + 10 s³`` with ``s = (x - x0) / (x1 - x0)`` in [0, 1]; a jump where x0 = x1."""
    fraction = (x - x0) / (x1 - x0)
    s = np.where(x0.f == x1.f, np.where(x.f >= x1.f, 1.0, 0.0), np.clip(fraction.f, 0.0, 1.0))
    s = np.where(np.isnan(x.f) | np.isnan(x0.f) | np.isnan(x1.f), np.nan, s)
    remainder = 1.0 - s
    # Computed from the nearer end, so that the value at the end is exactly 1.
    value = np.where(s <= 0.5, _step_from(s), 1.0 - _step_from(remainder))
    inner = fraction.map(value, 30.0 * (s * remainder) * (s * remainder), 60.0 * (s * remainder) * (remainder - s))
    return _choose((s == 0.0) | (s == 1.0), flat(value), inner)


def _step_from(s: Array) -> Array:
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def _pulse(x: Jet, x0: Jet, x1: Jet) -> Jet:
    """Return 1 where ``x0 <= x < x1``, else 0."""
    value = np.where((x0.f <= x.f) & (x.f < x1.f), 1.0, 0.0)
    return _mark_resting(np.where(np.isnan(x.f) | np.isnan(x0.f) | np.isnan(x1.f), np.nan, value), x, x0, x1)


def _pulses(x: Jet, period: Jet, width: Jet) -> Jet:
    """Return 1 where ``k period <= x < k period + width`` for some whole k, else 0; NaN for a period up to 0."""
    since = np.mod(x.f, period.f)
    value = np.where((since < width.f) | (width.f >= period.f), 1.0, 0.0)
    value = np.where(np.isnan(since) | np.isnan(width.f) | ~(period.f > 0.0), np.nan, value)
    return _mark_resting(value, x, period, width)


def _mark_resting(value: Array, *of: Jet) -> Jet:
    """Return values as piecewise constant jets, flagged as constant if `rests` is requested."""
    jet = flat(value)
    is_requested = any(x.rests is not None for x in of)
    return Jet(jet.f, jet.d, jet.dd, np.ones(np.shape(value), dtype=bool)) if is_requested else jet


Phases = Callable[..., tuple["Phase", ...]]
"""Function that takes the arguments of an expression function and returns the conditions of its formula."""


@dataclass(frozen=True, eq=False)
class Phase:
    """Condition in a formula; its fields have the shape (...) of the times.

    Attributes
    ----------
    side
        Number of the side, such as 0 for false and 1 for true.
    difference
        Value compared with zero; NaN if the side is a count of pulses.
    slope
        Time derivative of `difference`.
    """

    side: Array
    difference: Array
    slope: Array


def _is_at_least_zero(x: Jet) -> Phase:
    return Phase(np.where(x.f >= 0.0, 1.0, 0.0), x.f, x.d)


def _is_positive(x: Jet) -> tuple[Phase, ...]:
    return (Phase(np.where(x.f > 0.0, 1.0, 0.0), x.f, x.d),)


def _abs_phases(x: Jet) -> tuple[Phase, ...]:
    return (_is_at_least_zero(x),)


def _smallest_phases(*args: Jet) -> tuple[Phase, ...]:
    smallest, phases = args[0], list[Phase]()
    for arg in args[1:]:
        phases.append(_is_at_least_zero(arg - smallest))
        smallest = _min(smallest, arg)
    return tuple(phases)


def _largest_phases(*args: Jet) -> tuple[Phase, ...]:
    largest, phases = args[0], list[Phase]()
    for arg in args[1:]:
        phases.append(_is_at_least_zero(largest - arg))
        largest = _max(largest, arg)
    return tuple(phases)


def _range_phases(x: Jet, x0: Jet, x1: Jet) -> tuple[Phase, ...]:
    return _is_at_least_zero(x - x0), _is_at_least_zero(x - x1)


def _pulses_phases(x: Jet, period: Jet, width: Jet) -> tuple[Phase, ...]:
    since = np.mod(x.f, period.f)
    n = 2.0 * np.round((x.f - since) / period.f)
    # The side counts pulses and pauses. Without pauses, if a pulse fills its period, it counts pulses only.
    n = np.where(since < width.f, n, n + 1.0)
    n = np.where(width.f >= period.f, 0.0, n)
    return (Phase(n, np.full_like(n, np.nan), (x / period).d),)


def power_phases(x: Jet, exponent: Jet) -> tuple[Phase, ...]:
    """Return the conditions of ``x ** exponent``; none for whole exponents from 0 on, which are smooth everywhere."""
    n = np.asarray(exponent.f)
    return () if n.ndim == 0 and n >= 0.0 and n == np.floor(n) else _is_positive(x)


@dataclass(frozen=True)
class Function:
    """Function for use in expressions, with the names of its arguments; with `takes_more`, for two or more arguments.

    `phases` computes the conditions of a function with breakpoints.
    """

    apply: Callable[..., Any]
    arguments: tuple[str, ...]
    takes_more: bool = False
    phases: Phases | None = None


FUNCTIONS: dict[str, Function] = {
    "sin": Function(_sin, ("x",)),
    "cos": Function(_cos, ("x",)),
    "tan": Function(_tan, ("x",)),
    "exp": Function(_exp, ("x",)),
    "log": Function(_log, ("x",)),
    "sqrt": Function(_sqrt, ("x",), phases=_is_positive),
    "abs": Function(_abs, ("x",), phases=_abs_phases),
    "min": Function(_smallest, ("a", "b"), takes_more=True, phases=_smallest_phases),
    "max": Function(_largest, ("a", "b"), takes_more=True, phases=_largest_phases),
    "smoothstep": Function(_smoothstep, ("t", "t0", "t1"), phases=_range_phases),
    "pulse": Function(_pulse, ("t", "t0", "t1"), phases=_range_phases),
    "pulses": Function(_pulses, ("t", "period", "width"), phases=_pulses_phases),
}
"""Functions of expressions, by name."""
