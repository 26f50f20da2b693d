"""Round numbers: 1, 2 and 5 times powers of ten, for scales, ticks and lengths of arrows."""

from __future__ import annotations

import math

_STEPS = (1.0, 2.0, 5.0, 10.0)

_SLACK = 1e-9
"""Relative excess that is ignored: 0.1 is round, and 0.3 / 3 is 0.1."""


def round_down(value: float) -> float:
    """Return the largest round number that does not exceed a positive value.

    >>> round_down(0.37), round_down(0.0061), round_down(1234.0), round_down(0.5)
    (0.2, 0.005, 1000.0, 0.5)
    """
    return max(step for step in _steps_around(value) if step <= value * (1.0 + _SLACK))


def round_up(value: float) -> float:
    """Return the smallest round number that is at least a positive value.

    >>> round_up(0.37), round_up(0.3 / 3), round_up(1234.0)
    (0.5, 0.1, 2000.0)
    """
    return min(step for step in _steps_around(value) if step >= value * (1.0 - _SLACK))


def round_by_ratio(value: float) -> float:
    """Return the round number that is nearest to a positive value by ratio.

    >>> round_by_ratio(0.034), round_by_ratio(8.0), round_by_ratio(1.0), round_by_ratio(0.0017)
    (0.05, 10.0, 1.0, 0.002)
    """
    return min(_steps_around(value), key=lambda step: abs(math.log(step / value)))


def _steps_around(value: float) -> tuple[float, ...]:
    """Return the round numbers of the decade of a value, and the first of the next one."""
    power = math.floor(math.log10(value * (1.0 + 0.5 * _SLACK)))
    return tuple(float(f"{step:g}e{power}") for step in _STEPS)
