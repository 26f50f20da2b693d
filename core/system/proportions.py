"""Sizes of what is drawn in proportion to a scene that is made of a file."""

from __future__ import annotations

import math

Triple = tuple[float, float, float]

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


TOWARDS_CAMERA = (0.32, -0.88, 0.42)
"""From what is looked at to the camera: x to the right, y away, seen from above; as the window looks by itself."""

MARGIN = 1.1
"""How many times as wide as the sphere around a scene the picture is, for the names beside it."""


VIEW_ANGLE = math.radians(30.0)
"""From the lower to the upper edge of the picture, as it usually is."""


def camera_place(low: Triple, high: Triple) -> tuple[Triple, Triple] | None:
    """Return where a camera stands, and what it looks at, to see the box between two corners, m, to a few digits.

    None of a box without a size, or out of all proportion: the window then chooses itself.

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
