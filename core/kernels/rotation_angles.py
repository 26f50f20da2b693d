"""Unchecked kernels of angles of a relative rotation that need no axis sequence.

>>> import numpy as np
>>> quarter_turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
>>> float(np.degrees(rotation_angle(quarter_turn)).round(9))
90.0
>>> np.degrees(angles_between_axes(quarter_turn)).reshape(3, 3).round(9)
array([[ 90.,   0.,  90.],
       [180.,  90.,  90.],
       [ 90.,  90.,   0.]])
"""

from __future__ import annotations

from framescope.core.kernels.componentwise import Components, atan2, kernel, sqrt
from framescope.core.kernels.conversions import axis_angle
from framescope.core.kernels.linear_algebra import quaternion_from_matrix


@kernel((3, 3), gives=())
def rotation_angle(T: Components) -> Components:
    """Return the angle of a rotation about its axis, in [0, pi].

    The formula ``2 atan2(|q|, |w|)`` of the quaternion is exact to rounding near 0 and pi, where the arc cosine of the
    trace loses half of the digits.
    """
    return axis_angle.formula(quaternion_from_matrix.formula(T, (0.0, 0.0, 0.0, 1.0)))[3:]


@kernel((3, 3), gives=(9,))
def angles_between_axes(T: Components) -> Components:
    """Return the nine angles from the axes of frame 2 to the axes of frame 1, in [0, pi], row by row.

    Element ij of T is the cosine of the angle from axis i of frame 2 to axis j of frame 1. The other two elements of
    row i give the sine. ``atan2`` of sine and cosine is exact to rounding near 0 and pi.
    """
    angles: list[object] = []
    for i in range(3):
        row = T[3 * i : 3 * i + 3]
        for j in range(3):
            a, b = row[(j + 1) % 3], row[(j + 2) % 3]
            angles.append(atan2(sqrt(a * a + b * b), row[j]))
    return tuple(angles)
