"""Scales of the laboratories' axes, even or logarithmic, and their ticks. Pure: imports no Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting import number_text
from framescope.ui.formatting.ticks import ticks

Array = NDArray[np.float64]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WITHIN = (1.0, 2.0, 5.0)
_LARGEST_PLAIN = 3
"""Powers of ten up to this one, and down to its inverse, are written as numbers."""


@dataclass(frozen=True)
class AxisScale:
    """One axis of a plot.

    Parameters
    ----------
    low, high
        The values at its ends.
    is_log
        Whether it is logarithmic; `low` is positive then.
    """

    low: float
    high: float
    is_log: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """What stands at the ends: the values, or their logarithms to base ten."""
        return (math.log10(self.low), math.log10(self.high)) if self.is_log else (self.low, self.high)

    def places(self, values: Array) -> Array:
        """Return where values stand, in the measure of `ends`; NaN where they have no place.

        >>> AxisScale(1e-3, 1.0, is_log=True).places(np.array([0.01, 0.0]))
        array([-2., nan])
        """
        if not self.is_log:
            return values
        with np.errstate(all="ignore"):
            return np.log10(np.where(values > 0.0, values, np.nan))

    def value(self, place: float) -> float:
        """Return the value at a place."""
        return 10.0**place if self.is_log else place

    def ticks(self, max_count: int) -> list[tuple[float, str]]:
        """Return places and texts of the ticks there is room for.

        >>> AxisScale(1e-9, 1e-3, is_log=True).ticks(2)
        [(-9.0, '10⁻⁹'), (-6.0, '10⁻⁶'), (-3.0, '0.001')]
        """
        if not self.is_log:
            found = ticks(self.low, self.high, max_count)
            return list(zip(found.major, found.labels(), strict=True))
        low, high = self.ends
        if high - low < 2.0 and max_count >= 2:
            return _within_decades(low, high, max_count)
        step = max(1, math.ceil((high - low) / max_count - 1e-9))
        if step > 2:
            step = 3 * math.ceil(step / 3)
        first = step * math.ceil((low - 1e-6) / step)
        return [(float(n), power_text(n)) for n in range(first, math.floor(high + 1e-6) + 1, step)]


def _within_decades(low: float, high: float, max_count: int) -> list[tuple[float, str]]:
    for chosen in (_WITHIN, (1.0, 3.0), (1.0,)):
        found = [(math.log10(c) + n, c * 10.0**n) for n in range(math.floor(low), math.floor(high) + 1) for c in chosen]
        found = [(place, value) for place, value in found if low - 1e-6 <= place <= high + 1e-6]
        if len(found) <= max_count + 1:
            break
    return [(place, f"{value:.3g}" if value >= 1e-3 else number_text.scientific(value, 0)) for place, value in found]


def power_text(n: int) -> str:
    """Write a power of ten.

    >>> power_text(-12), power_text(2), power_text(-1)
    ('10⁻¹²', '100', '0.1')
    """
    return f"{10.0**n:g}" if abs(n) <= _LARGEST_PLAIN else "10" + str(n).translate(_RAISED)


def log_axis(
    values: list[Array], least_decades: float = 1.0, most_decades: float = 18.0, skipped: float = 0.0
) -> AxisScale:
    """Return a logarithmic axis that holds the positive ones of some values, with a little room.

    The smallest ones of each, a share of `skipped`, may lie below it: errors that only begin to grow.

    >>> axis = log_axis([np.array([1e-6, 1e-2, 0.0, np.nan])])
    >>> f"{axis.low:.1e} {axis.high:.1e}"
    '4.8e-07 2.1e-02'
    """
    usable = [found for value in values if (found := value[np.isfinite(value) & (value > 0.0)]).size]
    if not usable:
        return AxisScale(1e-3, 1.0, is_log=True)
    low = math.log10(min(float(np.quantile(value, skipped, method="lower")) for value in usable))
    high = math.log10(max(float(value.max()) for value in usable))
    low = max(low, high - most_decades)
    missing = max(least_decades - (high - low), 0.0)
    room = 0.08 * max(high - low, least_decades)
    return AxisScale(10.0 ** (low - missing / 2 - room), 10.0 ** (high + missing / 2 + room), is_log=True)


def even_axis(values: list[Array]) -> AxisScale:
    """Return an even axis that holds all values that are numbers, with a little room."""
    every = np.concatenate([value.reshape(-1) for value in values]) if values else np.zeros(0)
    every = every[np.isfinite(every)]
    if not every.size:
        return AxisScale(-1.0, 1.0)
    low, high = float(every.min()), float(every.max())
    if high - low < 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - max(abs(low), 1.0), high + max(abs(high), 1.0)
    room = 0.08 * (high - low)
    return AxisScale(low - room, high + room)
