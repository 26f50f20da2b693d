"""Elementary rotations, written out."""

from __future__ import annotations

import math

import numpy as np


def elementary(axis: int, degrees: float) -> np.ndarray:
    """Return the active right-hand rotation about coordinate axis 1, 2 or 3."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = axis % 3, (axis + 1) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[j, i], R[i, j] = s, -s
    return R
