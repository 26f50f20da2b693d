"""Default sizes, in proportion to the axes of the scene."""

from __future__ import annotations

from framescope.core.evaluation.compile.view_data import ViewData
from framescope.core.kernels.validation import median

ARROW_RADIUS = 0.03
"""Radius of an arrow's shaft, in axis lengths: a little more than the radius of the axis itself."""


def usual_length(view_data: ViewData) -> float:
    """Return the typical length of an axis, m."""
    return median(view_data.triad_length)


def arrow_radius(view_data: ViewData) -> float:
    """Return the radius of an arrow's shaft, m."""
    return ARROW_RADIUS * usual_length(view_data)


BAR_HEIGHT = 36


SOURCE_HEIGHT = 28
"""Heights of the bar at the top and of the source line at the bottom of a video, logical pixels."""


FACTORS = (1.0, 0.88, 0.76)
"""Radii of the three arcs relative to the first one: at the lock two of them lie in one plane."""
