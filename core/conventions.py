"""Conversions between the forms of an orientation that people have."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels
from framescope.core.arrays import Array, as_array


def axis_angle_from_quaternion(Q: ArrayLike) -> tuple[Array, Array]:
    """Return the unit axis (..., 3) and the angle (...) in [0, pi] of a quaternion, scalar last.

    The axis is the same in both frames. Without a rotation it is the x axis. The half angle comes from atan2,
    which keeps small angles exact; the quaternion need not be of unit length.

    Examples
    --------
    >>> axis, angle = axis_angle_from_quaternion([0.0, 0.0, -np.sqrt(0.5), -np.sqrt(0.5)])
    >>> axis, float(angle.round(4))
    (array([0., 0., 1.]), 1.5708)
    """
    Q = as_array("Q", Q, (4,))
    Q = np.where(Q[..., 3:] < 0.0, -Q, Q)
    v = Q[..., :3]
    length = np.sqrt(kernels.dot(v, v))
    is_none = length == 0.0
    axis = v / np.where(is_none, 1.0, length)[..., np.newaxis]
    axis = np.where(is_none[..., np.newaxis], np.array([1.0, 0.0, 0.0]), axis)
    return axis + 0.0, 2.0 * np.arctan2(length, Q[..., 3])
