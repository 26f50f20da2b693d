"""Rotations and poses in plain Python, written from the formulas and apart from the program."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def of_quaternion(x: float, y: float, z: float, w: float) -> Matrix:
    """Return the rotation matrix (3, 3) that takes vectors of the turned frame to the other, ``q v q*``."""
    n = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / n, y / n, z / n, w / n
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def of_rpy(roll: float, pitch: float, yaw: float) -> Matrix:
    """Return the rotation matrix of roll, pitch and yaw, rad, about the fixed axes x, y and z."""
    cr, sr, cp, sp, cy, sy = (f(angle) for angle in (roll, pitch, yaw) for f in (math.cos, math.sin))
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def pose(R: Matrix, p: Sequence[float]) -> Matrix:
    """Return the homogeneous matrix (4, 4) of a rotation and a position."""
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = R, p
    return M


def inverse(M: Matrix) -> Matrix:
    """Return the inverse of a homogeneous matrix (4, 4)."""
    return pose(M[:3, :3].T, -M[:3, :3].T @ M[:3, 3])
