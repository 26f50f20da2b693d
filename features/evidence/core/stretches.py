"""Stretch of a recording that proves something: the shortest that holds most of the information."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array

MOST = 0.6
"""Part of the information that a stretch holds."""


def shortest_stretch(t: Array, information: Array) -> tuple[float, float]:
    """Return start and end of the shortest stretch that holds most of the information (n,) at times (n,).

    Of several that are as short, it is that with the most information.

    >>> import numpy as np
    >>> shortest_stretch(np.arange(5.0), np.array([0.0, 1.0, 5.0, 4.0, 0.0]))
    (2.0, 3.0)
    """
    gained: Array = np.concatenate([np.zeros(1), np.cumsum(np.maximum(information, 0.0))])
    if gained[-1] <= 0.0:
        return float(t[0]), float(t[-1])
    wanted: Array = gained[:-1] + MOST * gained[-1] * (1.0 - 1e-12)
    ends = np.searchsorted(gained, wanted, side="left") - 1
    is_whole = (ends >= np.arange(len(t))) & (ends < len(t))
    last = np.clip(ends, 0, len(t) - 1)
    length = np.where(is_whole, t[last] - t, np.inf)
    held = np.where(length <= length.min() * (1.0 + 1e-9), gained[last + 1] - gained[:-1], -1.0)
    start = int(np.argmax(held))
    return float(t[start]), float(t[last[start]])
