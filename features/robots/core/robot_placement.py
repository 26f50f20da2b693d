"""Matrices and poses of the placements of a robot, by the axis rotations of `framescope.core.frames`."""

from __future__ import annotations

import math

import numpy as np

from framescope.core import frames
from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot import Placement

SEQUENCE = (3, 2, 1)
"""Axes of the rotations about moving axes that equal rotations about the fixed x, y and z."""


def turns_of(placement: Placement) -> tuple[float, float, float]:
    """Return the angles of the rotations about the moving z, y and x, rad: yaw, pitch, roll.

    >>> turns_of(Placement(rpy=(0.1, 0.2, 0.3)))
    (0.3, 0.2, 0.1)
    """
    roll, pitch, yaw = placement.rpy
    return yaw, pitch, roll


def rotation_of(placement: Placement) -> Array:
    """Return the matrix (3, 3) that resolves parent vectors in the placed frame.

    >>> rotation_of(Placement(rpy=(0.0, 0.0, np.pi / 2))).round(3) + 0.0
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return frames.axes_rotations(SEQUENCE, np.array(turns_of(placement)), np.zeros(3)).T


def inverse(M: Array) -> Array:
    """Return the inverse of a pose (4, 4)."""
    M_inverse = np.eye(4)
    M_inverse[:3, :3] = M[:3, :3].T
    M_inverse[:3, 3] = -M[:3, :3].T @ M[:3, 3]
    return M_inverse


def pose_matrix(placement: Placement) -> Array:
    """Return the pose (4, 4) of a placement, which maps coordinates in the placed frame to the parent."""
    M = np.eye(4)
    M[:3, :3] = rotation_of(placement).T
    M[:3, 3] = placement.xyz
    return M


def placement_of(M: Array, line: int = 0) -> Placement:
    """Return the placement of a pose (4, 4), to full precision even near a pitch of 90°.

    >>> steep = Placement((1.0, 2.0, 3.0), (0.4, math.pi / 2 - 1e-9, -0.3))
    >>> bool(np.abs(pose_matrix(placement_of(pose_matrix(steep))) - pose_matrix(steep)).max() < 1e-15)
    True
    """
    R = M[:3, :3]
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    x, y, z = (float(part) + 0.0 for part in M[:3, 3])
    return Placement((x, y, z), (roll + 0.0, pitch + 0.0, yaw + 0.0), line)
