"""Directions in words: the nearest axis of a frame, and how far a direction is from it."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array

PARALLEL = np.cos(np.radians(10.0))
"""Cosine above which a direction counts as an axis."""


def axis_name(v: Array, cos_of_axis: float = float(PARALLEL)) -> str:
    """Return the axis that a unit vector (3,) is closest to, and its angle to the axis if that is not small.

    The angle is small if its cosine is at least `cos_of_axis`.

    >>> axis_name(np.array([0.0, -1.0, 0.0])), axis_name(np.array([0.8, 0.0, 0.6]))
    ('−y', '+x, 37° towards +z')
    """
    order = np.argsort(-np.abs(v), kind="stable")
    main, second = (f"{'−' if v[k] < 0.0 else '+'}{'xyz'[k]}" for k in order[:2])
    if abs(v[order[0]]) >= cos_of_axis:
        return main
    angle = np.degrees(np.arccos(min(abs(v[order[0]]), 1.0)))
    return f"{main}, {angle:.0f}° towards {second}"
