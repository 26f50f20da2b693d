"""Linear and logarithmic scales of the laboratories' axes, and their ticks. Imports no Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting import number_text
from framescope.ui.formatting.ticks import ticks

Array = NDArray[np.float64]

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WITHIN = (1.0, 2.0, 5.0)
_LARGEST_PLAIN = 3
"""Exponent up to which powers of ten are written as plain numbers, such as 1000 and 0.001."""


@dataclass(frozen=True)
class AxisScale:
    """Scale of an axis of a plot.

    Parameters
    ----------
    low, high
        Values at the ends.
    is_log
        Whether the scale is logarithmic; `low` must then be positive.
    """

    low: float
    high: float
    is_log: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """Positions of the ends: the values, or their logarithms to base ten."""
        return (math.log10(self.low), math.log10(self.high)) if self.is_log else (self.low, self.high)

    def places(self, values: Array) -> Array:
        """Return the positions of values, on the scale of `ends`; NaN for values without a position.

        >>> AxisScale(1e-3, 1.0, is_log=True).places(np.array([0.01, 0.0]))
        array([-2., nan])
        """
        if not self.is_log:
            return values
        with np.errstate(all="ignore"):
            return np.log10(np.where(values > 0.0, values, np.nan))

    def value(self, place: float) -> float:
        """Return the value at a position."""
        return 10.0**place if self.is_log else place

    def ticks(self, max_count: int) -> list[tuple[float, str]]:
        """Return the positions and texts of about `max_count` ticks.

        >>> AxisScale(1e-9, 1e-3, is_log=True).ticks(2)
        [(-9.0, '10⁻⁹'), (-6.0, '10⁻⁶'), (-3.0, '0.001')]
        """
        if not self.is_log:
            linear = ticks(self.low, self.high, max_count)
            return list(zip(linear.major, linear.labels(), strict=True))
        low, high = self.ends
        if high - low < 2.0 and max_count >= 2:
            return _decade_ticks(low, high, max_count)
        step = max(1, math.ceil((high - low) / max_count - 1e-9))
        if step > 2:
            step = 3 * math.ceil(step / 3)
        first = step * math.ceil((low - 1e-6) / step)
        return [(float(n), power_text(n)) for n in range(first, math.floor(high + 1e-6) + 1, step)]


def _decade_ticks(low: float, high: float, max_count: int) -> list[tuple[float, str]]:
    for digits in (_WITHIN, (1.0, 3.0), (1.0,)):
        candidates = [
            (math.log10(digit) + n, digit * 10.0**n)
            for n in range(math.floor(low), math.floor(high) + 1)
            for digit in digits
        ]
        candidates = [(place, value) for place, value in candidates if low - 1e-6 <= place <= high + 1e-6]
        if len(candidates) <= max_count + 1:
            break
    return [
        (place, f"{value:.3g}" if value >= 1e-3 else number_text.scientific(value, 0)) for place, value in candidates
    ]


def power_text(n: int) -> str:
    """Write a power of ten.

    >>> power_text(-12), power_text(2), power_text(-1)
    ('10⁻¹²', '100', '0.1')
    """
    return f"{10.0**n:g}" if abs(n) <= _LARGEST_PLAIN else "10" + str(n).translate(_SUPERSCRIPTS)


def log_axis(
    values: list[Array], least_decades: float = 1.0, most_decades: float = 18.0, skipped: float = 0.0
) -> AxisScale:
    """Return a logarithmic axis that holds all positive values, with a margin.

    The fraction `skipped` of the smallest values of each array may lie below the axis: errors at the start of a run.

    >>> axis = log_axis([np.array([1e-6, 1e-2, 0.0, np.nan])])
    >>> f"{axis.low:.1e} {axis.high:.1e}"
    '4.8e-07 2.1e-02'
    """
    usable = [positive for value in values if (positive := value[np.isfinite(value) & (value > 0.0)]).size]
    if not usable:
        return AxisScale(1e-3, 1.0, is_log=True)
    low = math.log10(min(float(np.quantile(value, skipped, method="lower")) for value in usable))
    high = math.log10(max(float(value.max()) for value in usable))
    low = max(low, high - most_decades)
    missing = max(least_decades - (high - low), 0.0)
    margin = 0.08 * max(high - low, least_decades)
    return AxisScale(10.0 ** (low - missing / 2 - margin), 10.0 ** (high + missing / 2 + margin), is_log=True)


def even_axis(values: list[Array]) -> AxisScale:
    """Return a linear axis that holds all finite values, with a margin."""
    finite = np.concatenate([value.reshape(-1) for value in values]) if values else np.zeros(0)
    finite = finite[np.isfinite(finite)]
    if not finite.size:
        return AxisScale(-1.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if high - low < 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - max(abs(low), 1.0), high + max(abs(high), 1.0)
    margin = 0.08 * (high - low)
    return AxisScale(low - margin, high + margin)
