"""Ranges, scales and digits of a plot, from the values of its curves. Uses only numpy."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting import number_text

_HEADROOM = 0.08
# span relative to the value below which differences count as rounding and are not enlarged
_SMALLEST_SPAN = 1e-6
# smaller values count as zero, since their power of ten has no reciprocal
_SMALLEST_VALUE = 1e-300
# limit that keeps ranges and their headroom finite
_LARGEST_VALUE = 1e300
# largest empty share of the plot for which zero is included
_EMPTY_SHARE = 0.5
# minimum number of distinguishable values over the height of a plot
_FEWEST_STEPS = 100
_MOST_DECIMALS = 9


@dataclass(frozen=True)
class Scale:
    """Power of ten that divides the plotted values, and the digits after the point."""

    exponent: int
    decimals: int

    @property
    def factor(self) -> float:
        """Factor from a value to its display."""
        return 10.0**-self.exponent

    @property
    def text(self) -> str:
        """Text for the subtitle, such as `in 1e−6`, or empty."""
        return f"in 1e{self.exponent}".replace("-", number_text.MINUS) if self.exponent else ""


def value_range(ys: NDArray[np.float64]) -> tuple[float, float]:
    """Return a range for curves with some headroom, including zero if that costs little.

    Parameters
    ----------
    ys : array, any shape
        Values. NaN, infinities and values near the largest float are ignored.

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
        # A constant is in the middle, with zero at the bottom or top.
        return (0.0, 2 * high) if high > 0 else (2 * low, 0.0)
    room = _HEADROOM * (high - low)
    # No headroom beyond zero, which would suggest values there.
    return low - (room if low else 0.0), high + (room if high else 0.0)


def decimals_for(low: float, high: float) -> int:
    """Return the digits after the point that give a range at least a hundred steps.

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
    """Choose the power of ten and the digits for values in a range.

    Parameters
    ----------
    low, high : float
        The range.
    unit : str
        Unit of the values. Degrees are never scaled. They have at least one digit, degrees per second two.

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
    # four digits in all, one to four of them after the point
    return Scale(exponent, min(max(3 - before, 1), 4))
