"""Checks of typed numbers: whether they form an orientation, and the nearest valid numbers."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.transformation_matrices import project_to_rotation
from framescope.ui.widgets.component_editor import EditVerdict

LIMIT = 1e-3
"""Error up to which typed numbers count as a rounded rotation."""


def check_matrix(values: Array) -> EditVerdict:
    """Check nine numbers of a matrix, row by row.

    >>> check_matrix(np.eye(3).ravel()).problem
    ''
    >>> check_matrix(np.diag([1.0, 1.0, 1.1]).ravel()).problem
    'Off the nearest rotation by 0.1000; limit 1e-3.'
    """
    T = values.reshape(3, 3)
    if not np.abs(T).max() < 1e6 or np.linalg.matrix_rank(T) < 2:
        return EditVerdict(None, "Far from any rotation: the rows are three unit vectors at right angles.")
    nearest, distance = project_to_rotation(T)
    if distance <= LIMIT:
        return EditVerdict(nearest.ravel())
    handed = "Left-handed, " if np.linalg.det(T) < 0.0 else ""
    message = f"{handed}off the nearest rotation by {distance:.4f}; limit 1e-3."
    return EditVerdict(nearest.ravel(), message[0].upper() + message[1:])


def check_quaternion(values: Array) -> EditVerdict:
    """Check four numbers of a quaternion.

    >>> check_quaternion(np.array([0.0, 0.0, 0.0, 2.0])).problem
    'Its length is 2.0000, not 1; limit 1e-3.'
    """
    return _of_unit_length(values, 4)


def check_axis_angle(values: Array) -> EditVerdict:
    """Check the three numbers of an axis. The angle after them may have any value."""
    return _of_unit_length(values, 3)


def _of_unit_length(values: Array, n: int) -> EditVerdict:
    length = float(np.linalg.norm(values[:n]))
    if not 1e-6 < length < 1e6:
        return EditVerdict(None, "Zeros have no direction." if length <= 1e-6 else "The numbers are too large.")
    fixed = np.concatenate([values[:n] / length, values[n:]])
    if abs(length - 1.0) <= LIMIT:
        return EditVerdict(fixed)
    return EditVerdict(fixed, f"Its length is {length:.4f}, not 1; limit 1e-3.")
