"""Easing of motions: share of the way at a share of the time, with the tangent beyond the end."""

from __future__ import annotations

from framescope.core.scene.schema.films import Easing


def eased(easing: Easing, u: float) -> float:
    """Return the share of the way at a share `u` of the time; beyond 1 along the tangent at the end.

    >>> [eased("ease in and out", u) for u in (-1.0, 0.0, 0.5, 1.0, 2.0)]
    [0.0, 0.0, 0.5, 1.0, 1.0]
    >>> eased("linear", 1.5), eased("ease in", 0.5), eased("ease in", 1.5), eased("ease out", 0.5)
    (1.5, 0.25, 2.0, 0.75)
    """
    if u <= 0.0:
        return 0.0
    match easing:
        case "linear":
            return u
        case "ease in":
            return u * u if u <= 1.0 else 2.0 * u - 1.0
        case "ease out":
            return 1.0 - (1.0 - u) ** 2 if u < 1.0 else 1.0
        case "ease in and out":
            return smooth(u)


def smooth(u: float) -> float:
    """Return the smooth step: 0 up to 0, 1 from 1 on, at rest at both ends.

    >>> smooth(-1.0), smooth(0.25), smooth(2.0)
    (0.0, 0.15625, 1.0)
    """
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)
