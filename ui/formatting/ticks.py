"""Round numbers along an axis, for plots and the timeline. Pure: imports no Qt."""

import math
from dataclasses import dataclass

from framescope.core.kernels.round_numbers import round_up
from framescope.ui.formatting import number_text

# Number of round parts into which a step of 1, 2 or 5 is divided.
TICK_PARTS = {1: 5, 2: 4, 5: 5}


@dataclass(frozen=True)
class Ticks:
    """Labelled positions and the unlabelled ones between them."""

    major: tuple[float, ...]
    minor: tuple[float, ...]
    decimals: int

    def labels(self) -> tuple[str, ...]:
        """Return the texts of the major ticks, with enough digits to distinguish them."""
        return tuple(number_text.fixed(value, self.decimals) for value in self.major)


def nice_step(span: float, max_count: int) -> float:
    """Return the smallest round step (1, 2 or 5 times 10ⁿ) that divides a span into at most `max_count` parts.

    Examples
    --------
    >>> nice_step(30.0, 8), nice_step(0.7, 4)
    (5.0, 0.2)
    """
    if not (span > 0 and math.isfinite(span)):
        return 1.0
    return round_up(span / max(max_count, 1))


def ticks(low: float, high: float, max_count: int) -> Ticks:
    """Return round ticks within a range.

    Parameters
    ----------
    low, high : float
        The range.
    max_count : int
        Number of parts for which there is room; exceeded a little if a single label would give no scale.

    Examples
    --------
    >>> ticks(0.0, 30.0, 8).major
    (0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0)
    >>> ticks(-45.0, 45.0, 2).major
    (-40.0, -20.0, 0.0, 20.0, 40.0)
    """
    step = nice_step(high - low, max_count)
    if high > low and max_count > 1:
        steps = (nice_step(high - low, n_parts) for n_parts in range(max_count, 2 * max_count + 2))
        step = next((finer_step for finer_step in steps if len(_multiples(low, high, finer_step, 20)) > 1), step)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    leading = round(step / 10.0 ** math.floor(math.log10(step) + 1e-9))
    parts = TICK_PARTS[leading]
    return Ticks(
        major=_multiples(low, high, step, decimals),
        minor=_multiples(low, high, step / parts, decimals + 2),
        decimals=decimals,
    )


def _multiples(low: float, high: float, step: float, decimals: int) -> tuple[float, ...]:
    slack = step * 1e-6
    first, last = math.ceil((low - slack) / step), math.floor((high + slack) / step)
    # Adding 0.0 turns a negative zero into a positive one.
    return tuple(round(i * step, decimals) + 0.0 for i in range(first, last + 1))
