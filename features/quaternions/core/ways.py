"""Short and long way between two attitudes: slerp to the final quaternion or to its opposite."""

from __future__ import annotations

import math
from dataclasses import dataclass

from framescope.core.kernels.linear_algebra import multiply_quaternions, relative_quaternion
from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation
from framescope.features.quaternions.core.half_angle import turn_of


@dataclass(frozen=True, eq=False)
class Way:
    """Turn about a fixed axis at a constant rate from one attitude to another (slerp).

    Attributes
    ----------
    begin, end : (4,)
        Unit quaternions, scalar last. The sign of the end selects the way.
    axis : (3,)
        Axis of the turn, with the same components in the initial and in the rotating frame.
    angle
        Angle of the turn, rad, from 0 to a full turn.
    """

    begin: Array
    end: Array
    axis: Array
    angle: float

    def at(self, share: float) -> Array:
        """Return the quaternion (4,) at a share of the way, from 0 to 1."""
        return multiply_quaternions(self.begin, planar_rotation(self.axis, share * self.angle))


def ways(begin: Array, end: Array) -> tuple[Way, Way]:
    """Return the short and the long way between two unit quaternions (4,) of any sign.

    Examples
    --------
    >>> import numpy as np
    >>> short, long = ways(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.6, 0.8]))
    >>> round(math.degrees(short.angle), 4), round(math.degrees(long.angle), 4)
    (73.7398, 286.2602)
    >>> (short.axis + 0.0).tolist(), (long.axis + 0.0).tolist()
    ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])
    """
    nearer = end if float(begin @ end) >= 0.0 else -end
    return _way(begin, nearer), _way(begin, -nearer)


def _way(begin: Array, end: Array) -> Way:
    axis, angle = turn_of(relative_quaternion(begin, end))
    return Way(begin, end, axis, min(angle, 2.0 * math.pi))
