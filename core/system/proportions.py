"""Sizes of what is drawn in proportion to a scene that is made of a file."""

from __future__ import annotations

import math

SHARE = 0.12
"""Of the size of a scene that the axes of its frames are long."""

USUAL_M, LEAST_M, MOST_M = 0.2, 0.001, 1000.0
"""How long they are where nothing has a size, and at least and at most, m."""


def axes_length(size: float) -> float:
    """Return how long axes of frames are in a scene of a size, m: a round part of it.

    >>> axes_length(0.4), axes_length(0.0)
    (0.05, 0.2)
    """
    return min(max(_round(SHARE * size), LEAST_M), MOST_M) if 0.0 < size < math.inf else USUAL_M


def _round(length: float) -> float:
    """Return the one of 1, 2, 5, 10 and so on that is nearest a length, by ratio.

    >>> _round(0.3), _round(8.0)
    (0.2, 10.0)
    """
    decade = 10.0 ** math.floor(math.log10(length))
    rounds = (step * decade for step in (1.0, 2.0, 5.0, 10.0))
    return float(f"{min(rounds, key=lambda step: abs(math.log(step / length))):.3g}")
