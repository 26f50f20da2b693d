"""Box with the mass and the moments of inertia of a link, as a stand-in for its shape."""

from __future__ import annotations

import numpy as np

from framescope.features.robots.core.inertia_checks import inertia_matrix
from framescope.features.robots.core.robot import Inertial, Triple
from framescope.features.robots.core.robot_placement import rotation_of

Rows = tuple[Triple, Triple, Triple]


def equal_box(inertial: Inertial) -> tuple[Triple, Triple, Rows] | None:
    """Return edges, centre and axes of the uniform box with the same mass and inertia.

    The axes are the principal ones, as the rows of the matrix from the link into the box. None if no body has such an
    inertia.

    Examples
    --------
    >>> size, *_ = equal_box(Inertial(12.0, xx=13.0, yy=10.0, zz=5.0, xy=0.0, xz=0.0, yz=0.0))
    >>> [round(edge, 12) for edge in sorted(size)]
    [1.0, 2.0, 3.0]
    """
    if not inertial.mass > 0.0:
        return None
    moments, axes = np.linalg.eigh(inertia_matrix(inertial))
    with np.errstate(over="ignore"):  # a mass near zero
        squares = 6.0 * (moments.sum() - 2.0 * moments) / inertial.mass
    if not np.isfinite(squares).all() or squares.min() <= 0.0:
        return None
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    T = axes.T @ rotation_of(inertial.placement)
    x, y, z = np.sqrt(squares).tolist()
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = T.tolist()
    return (x, y, z), inertial.placement.xyz, ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))
