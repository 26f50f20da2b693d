"""Ranges, scales and digits of a plot, from the values of its curves. Pure numpy."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting import number_text

_HEADROOM = 0.08
# A span smaller than this part of the value is rounding, and is not spread over the whole plot.
_SMALLEST_SPAN = 1e-6
# Smaller than this is zero: powers of ten beyond it have no reciprocal.
_SMALLEST_VALUE = 1e-300
# So that a range, and the room above it, is a number.
_LARGEST_VALUE = 1e300
# Zero is in view when the empty part this takes is at most this share of the plot.
_EMPTY_SHARE = 0.5
# What the digits of the values tell apart, of the height of a plot.
_FEWEST_STEPS = 100
_MOST_DECIMALS = 9


@dataclass(frozen=True)
class Scale:
    """A power of ten that the plotted values are divided by, and the digits to show after that."""

    exponent: int
    decimals: int

    @property
    def factor(self) -> float:
        """What a value is multiplied by before it is shown."""
        return 10.0**-self.exponent

    @property
    def text(self) -> str:
        """What the subtitle says of it: `in 1e−6`, or nothing."""
        return f"in 1e{self.exponent}".replace("-", number_text.MINUS) if self.exponent else ""


def value_range(ys: NDArray[np.float64]) -> tuple[float, float]:
    """
    Return a range for curves: all of them, some headroom, and zero when that costs little.

    Parameters
    ----------
    ys : array, any shape
        May contain NaN and infinities, which are left out, as is what comes near the largest number there is.

    Examples
    --------
    >>> value_range(np.array([0.0, 10.0]))
    (0.0, 10.8)
    """
    finite = ys[np.abs(ys) <= _LARGEST_VALUE]
    if not finite.size:
        return -1.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    largest = max(abs(low), abs(high))
    if largest < _SMALLEST_VALUE:
        return -1.0, 1.0
    if 0 < low <= _EMPTY_SHARE * high:
        low = 0.0
    elif 0 > high >= _EMPTY_SHARE * low:
        high = 0.0
    if high - low < _SMALLEST_SPAN * largest:
        # A constant stands in the middle, with zero below or above it.
        return (0.0, 2 * high) if high > 0 else (2 * low, 0.0)
    room = _HEADROOM * (high - low)
    # Zero at an end is an end: headroom beyond it would suggest that values go there.
    return low - (room if low else 0.0), high + (room if high else 0.0)


def decimals_for(low: float, high: float) -> int:
    """
    Return the digits after the point by which a range has a hundred steps or more.

    Examples
    --------
    >>> decimals_for(-90.0, 90.0), decimals_for(-0.1, 0.1), decimals_for(4.0, 4.0)
    (0, 3, 0)
    """
    span = high - low
    if not (span > 0 and math.isfinite(span)):
        return 0
    return min(max(0, math.ceil(math.log10(_FEWEST_STEPS / span) - 1e-9)), _MOST_DECIMALS)


def scale_for(low: float, high: float, unit: str = "") -> Scale:
    """
    Choose the power of ten and the digits for values within a range.

    Parameters
    ----------
    low, high : float
        The range.
    unit : str
        Degrees are never scaled, and have one digit (two per second), or as many as the range needs.

    Examples
    --------
    >>> scale_for(-1.6e-4, 7e-5).text
    'in 1e−6'
    >>> scale_for(-180.0, 180.0, "°").decimals, scale_for(-0.1, 0.1, "°").decimals
    (1, 3)
    """
    if unit in ("deg", "°"):
        return Scale(0, max(1, decimals_for(low, high)))
    if unit in ("deg/s", "°/s"):
        return Scale(0, max(2, decimals_for(low, high)))
    largest = max(abs(low), abs(high))
    if largest == 0:
        return Scale(0, 2)
    exponent = 0 if 1e-2 <= largest < 1e5 else 3 * math.floor(math.log10(largest) / 3)
    before = math.floor(math.log10(largest * 10.0**-exponent))
    # Four digits in all, between one and four of them after the point.
    return Scale(exponent, min(max(3 - before, 1), 4))
