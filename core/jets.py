"""Values with their first and second derivative with respect to time, and the functions of them.

What is computed with jets has exact derivatives: each rule is the chain rule of its function (second-order forward
differentiation), never a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.arrays import Array


class _NotAskedFor:
    """Stands for derivatives that are not asked for: all that is computed of it is itself, and costs nothing."""

    __array_ufunc__ = None  # arrays leave arithmetic with it to it

    def _itself(self, *_other: object) -> _NotAskedFor:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _itself


NOT_ASKED_FOR: Any = _NotAskedFor()


@dataclass(frozen=True, eq=False)
class Jet:
    """Value, first and second derivative with respect to t, each (...); the derivatives may be `NOT_ASKED_FOR`."""

    f: Array
    d: Array
    dd: Array

    def map(self, g: Array, dg: Array, ddg: Array) -> Jet:
        """Chain rule: a function of this with value `g` and derivatives `dg`, `ddg` at ``f``."""
        return Jet(g, dg * self.d, ddg * self.d * self.d + dg * self.dd)

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.f + other.f, self.d + other.d, self.dd + other.dd)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.f - other.f, self.d - other.d, self.dd - other.dd)

    def __mul__(self, other: Jet) -> Jet:
        return Jet(
            self.f * other.f,
            self.d * other.f + self.f * other.d,
            self.dd * other.f + 2.0 * self.d * other.d + self.f * other.dd,
        )

    def __truediv__(self, other: Jet) -> Jet:
        q = self.f / other.f
        d = (self.d - q * other.d) / other.f
        return Jet(q, d, (self.dd - 2.0 * d * other.d - q * other.dd) / other.f)

    def __neg__(self) -> Jet:
        return Jet(-self.f, -self.d, -self.dd)


def flat(value: Array) -> Jet:
    """Return values that do not change, with derivatives of zero, or NaN where they are not finite."""
    zeros = value - value
    return Jet(value, zeros, zeros)


def power(x: Jet, exponent: Jet) -> Jet:
    """Return ``x ** exponent`` of an exponent that may depend on t."""
    return _exp(exponent * _log(x))


def constant_power(x: Jet, n: float) -> Jet:
    """``x ** n`` with an n that does not depend on t, which may be negative or zero, and so may x."""
    if x.d is NOT_ASKED_FOR:
        return Jet(_raised(x.f, n), x.d, x.dd)
    # Where n is 0 or 1 the powers below would be infinite at 0, though their factor is 0.
    zeros = np.zeros_like(x.f)
    first = zeros if n == 0.0 else n * _raised(x.f, n - 1.0)
    second = zeros if n in (0.0, 1.0) else n * (n - 1.0) * _raised(x.f, n - 2.0)
    return x.map(_raised(x.f, n), first, second)


def _raised(x: Array, n: float) -> Array:
    """Return ``x ** n``; as numpy has shorter ways for some exponents that depend on the shape, they are chosen here.

    >>> _raised(np.array([3.0]), 2.0)
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
    if x.d is NOT_ASKED_FOR:
        return Jet(np.sin(x.f), x.d, x.dd)
    s, c = np.sin(x.f), np.cos(x.f)
    return x.map(s, c, -s)


def _cos(x: Jet) -> Jet:
    if x.d is NOT_ASKED_FOR:
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
    # The formulas of the derivatives have values where the logarithm has none.
    slope = np.where(x.f >= 0.0, 1.0 / x.f, np.nan)
    return x.map(np.log(x.f), slope, -slope * slope)


def _sqrt(x: Jet) -> Jet:
    root = np.sqrt(x.f)
    return x.map(root, 0.5 / root, -0.25 / (root * x.f))


def _abs(x: Jet) -> Jet:
    sign = np.sign(x.f)
    return x.map(np.abs(x.f), sign, np.zeros_like(sign))


def _choose(condition: NDArray[np.bool_], a: Jet, b: Jet) -> Jet:
    f = np.where(condition, a.f, b.f)
    if a.d is NOT_ASKED_FOR or b.d is NOT_ASKED_FOR:
        return Jet(f, NOT_ASKED_FOR, NOT_ASKED_FOR)
    return Jet(f, np.where(condition, a.d, b.d), np.where(condition, a.dd, b.dd))


def _min(a: Jet, b: Jet) -> Jet:
    return _choose((a.f <= b.f) | np.isnan(a.f), a, b)


def _max(a: Jet, b: Jet) -> Jet:
    return _choose((a.f >= b.f) | np.isnan(a.f), a, b)


def _smallest(*args: Jet) -> Jet:
    found = args[0]
    for arg in args[1:]:
        found = _min(found, arg)
    return found


def _largest(*args: Jet) -> Jet:
    found = args[0]
    for arg in args[1:]:
        found = _max(found, arg)
    return found


def _smoothstep(x: Jet, x0: Jet, x1: Jet) -> Jet:
    """``6 s⁵ - 15 s⁴ + 10 s³`` of ``s = (x - x0) / (x1 - x0)`` in [0, 1]; falling when x0 > x1, a jump if equal."""
    share = (x - x0) / (x1 - x0)
    s = np.where(x0.f == x1.f, np.where(x.f >= x1.f, 1.0, 0.0), np.clip(share.f, 0.0, 1.0))
    s = np.where(np.isnan(x.f) | np.isnan(x0.f) | np.isnan(x1.f), np.nan, s)
    rest = 1.0 - s
    # From the nearer end, so that 1 is reached without rounding.
    value = np.where(s <= 0.5, _step_from(s), 1.0 - _step_from(rest))
    inner = share.map(value, 30.0 * (s * rest) * (s * rest), 60.0 * (s * rest) * (rest - s))
    return _choose((s == 0.0) | (s == 1.0), flat(value), inner)


def _step_from(s: Array) -> Array:
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def _pulse(x: Jet, x0: Jet, x1: Jet) -> Jet:
    """1 where ``x0 <= x < x1``, else 0."""
    value = np.where((x0.f <= x.f) & (x.f < x1.f), 1.0, 0.0)
    return flat(np.where(np.isnan(x.f) | np.isnan(x0.f) | np.isnan(x1.f), np.nan, value))


def _pulses(x: Jet, period: Jet, width: Jet) -> Jet:
    """1 where ``k period <= x < k period + width`` for a whole k, else 0; a period is longer than zero."""
    since = np.mod(x.f, period.f)
    value = np.where((since < width.f) | (width.f >= period.f), 1.0, 0.0)
    return flat(np.where(np.isnan(since) | np.isnan(width.f) | ~(period.f > 0.0), np.nan, value))


@dataclass(frozen=True)
class Function:
    """A function of expressions: what it does, and how many arguments it takes, by name or from two on."""

    apply: Callable[..., Jet]
    arguments: tuple[str, ...]
    takes_more: bool = False


FUNCTIONS: dict[str, Function] = {
    "sin": Function(_sin, ("x",)),
    "cos": Function(_cos, ("x",)),
    "tan": Function(_tan, ("x",)),
    "exp": Function(_exp, ("x",)),
    "log": Function(_log, ("x",)),
    "sqrt": Function(_sqrt, ("x",)),
    "abs": Function(_abs, ("x",)),
    "min": Function(_smallest, ("a", "b"), takes_more=True),
    "max": Function(_largest, ("a", "b"), takes_more=True),
    "smoothstep": Function(_smoothstep, ("t", "t0", "t1")),
    "pulse": Function(_pulse, ("t", "t0", "t1")),
    "pulses": Function(_pulses, ("t", "period", "width")),
}
