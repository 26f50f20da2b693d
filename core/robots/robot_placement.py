"""Matrices of the placements of a robot, by the program's own axis rotations."""

from __future__ import annotations

import numpy as np

from framescope.core import frames
from framescope.core.kernels.validation import Array
from framescope.core.robots.robot import Placement

SEQUENCE = (3, 2, 1)
"""Turns about the fixed axes x, y and z are those about the moving z, y and x, in that order."""


def turns_of(placement: Placement) -> tuple[float, float, float]:
    """Return the angles of the turns about the moving z, y and x, rad: yaw, pitch, roll.

    >>> turns_of(Placement(rpy=(0.1, 0.2, 0.3)))
    (0.3, 0.2, 0.1)
    """
    roll, pitch, yaw = placement.rpy
    return yaw, pitch, roll


def rotation_of(placement: Placement) -> Array:
    """Return the matrix (3, 3) from what it hangs on into what is placed.

    >>> rotation_of(Placement(rpy=(0.0, 0.0, np.pi / 2))).round(3) + 0.0
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return frames.axes_rotations(SEQUENCE, np.array(turns_of(placement)), np.zeros(3)).T
