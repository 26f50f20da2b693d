"""Dimensions and orientations of the gimbal rings of an axis sequence."""

from __future__ import annotations

from functools import cache

import numpy as np

from framescope.core.kernels import axis_rotations
from framescope.core.kernels.validation import Array, as_sequence

RADII = (1.0, 0.84, 0.70)
"""Mean radii of the bands of outer, middle and inner ring; all sizes are relative to the outer one."""

WIDTH, THICKNESS, BEVEL = 0.13, 0.034, 0.008

AXIS_REACHES, AXIS_RADII = (1.42, 1.32, 1.24), (0.010, 0.013, 0.016)
"""Reaches and radii of the axes of the three rings, which differ so that coinciding axes remain visible."""


def ring_rotations(sequence: str, angles: Array) -> list[Array]:
    """Return the rotations of fork, outer, middle and inner ring, each into the parent's coordinates.

    Takes three angles (3,), or angles over time (3, m), which give rotations (m, 3, 3) for all but the fork.

    >>> ring_rotations("ZXZ", np.array([0.5 * np.pi, 0.0, 0.0]))[1].round(12) @ (1, 0, 0)
    array([0., 1., 0.])
    """
    rotations = [np.eye(3)]
    for axis, angle in zip(as_sequence(sequence), angles, strict=True):
        rotations.append(rotations[-1] @ np.swapaxes(axis_rotations.axis_matrix(axis)(angle), -1, -2))
    return rotations


@cache
def ring_frames(sequence: str) -> list[Array]:
    """Return for each ring the rotation of its mesh: x to the ring's rotation axis, z to its normal.

    The inner ring could lie in any plane through e3. With the normal e2 it is perpendicular to the other two when all
    angles are zero and the axes differ.

    >>> [frame[:, 2].tolist() for frame in ring_frames("XYZ")]
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in as_sequence(sequence))
    normals = np.cross(e1, e2), np.cross(e2, e3), e2
    return [np.stack([e, np.cross(n, e), n], axis=-1) for e, n in zip((e1, e2, e3), normals, strict=True)]
