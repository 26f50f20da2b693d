"""Sizes of axes and camera distances for a scene imported from a file."""

from __future__ import annotations

import math

from framescope.core.kernels.round_numbers import round_by_ratio

Triple = tuple[float, float, float]

SHARE = 0.12
"""Length of the axes of frames, as a fraction of the size of the scene."""

USUAL_M, LEAST_M, MOST_M = 0.2, 0.001, 1000.0
"""Length of axes in a scene without sizes, and smallest and largest length of axes, m."""


def axes_length(size: float) -> float:
    """Return the length of the axes of frames for a scene of a given size, rounded, m.

    >>> axes_length(0.4), axes_length(0.0)
    (0.05, 0.2)
    """
    return min(max(round_by_ratio(SHARE * size), LEAST_M), MOST_M) if 0.0 < size < math.inf else USUAL_M


TOWARDS_CAMERA = (0.32, -0.88, 0.42)
"""Direction from the focal point to the camera, as in the default view: x to the right, y away, from above."""

MARGIN = 1.1
"""Width of the picture relative to the sphere around the scene; the margin is for names."""


VIEW_ANGLE = math.radians(30.0)
"""Default vertical view angle, rad."""


def camera_place(low: Triple, high: Triple) -> tuple[Triple, Triple] | None:
    """Return position and focal point of a camera that shows the box between two corners, m, rounded.

    None for a box without a size or with an extreme size; the window then uses its default camera.

    >>> place, point = camera_place((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    >>> point, round(math.dist(place, point), 2)
    ((1.0, 0.0, 0.0), 4.25)
    """
    size = math.dist(low, high)
    if not LEAST_M < size < MOST_M:
        return None
    decimals = max(3 - math.floor(math.log10(size)), 0)
    middle = tuple((a + b) / 2.0 for a, b in zip(low, high, strict=True))
    far = MARGIN * size / 2.0 / math.sin(VIEW_ANGLE / 2.0) / math.hypot(*TOWARDS_CAMERA)
    x, y, z = (round(part, decimals) + 0.0 for part in middle)
    across, away, up = (
        round(part + far * along, decimals) + 0.0 for part, along in zip(middle, TOWARDS_CAMERA, strict=True)
    )
    return (across, away, up), (x, y, z)
