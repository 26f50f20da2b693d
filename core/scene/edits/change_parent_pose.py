"""Constant poses relative to another parent: the same place, in the form, unit, order and direction authored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core import conventions
from framescope.core.errors import RefusedError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.orientations import Digits, Now, axis_of, matrix_of, reoriented
from framescope.core.scene.schema.quantities import unit_factor

SAME = 1e-12
"""Up to this much matrices are the same, and so are places, in m."""

DIGITS = Digits(11, 13, tolerance=1e-11)
"""Decimals kept of angles in their unit, and of all other numbers: below what any measurement sees."""

Form = poses.OrientationForm


@dataclass(frozen=True, eq=False)
class Change:
    """From one parent to another: `R_NP` (3, 3) and `p_NP` (3,), m, are the pose of the old one in the new one."""

    R_NP: Array
    p_NP: Array

    @property
    def is_turned(self) -> bool:
        """Whether the parents are turned against each other."""
        return bool(np.abs(self.R_NP - np.eye(3)).max() > SAME)

    @property
    def is_none(self) -> bool:
        """Whether the parents have the same pose."""
        return not self.is_turned and bool(np.abs(self.p_NP).max() <= SAME)


def reposed_position(position: poses.Position | None, change: Change) -> poses.Position | None:
    """Return a constant position in the new parent, in its own unit; none stays none where it can.

    >>> there = Change(np.eye(3), np.array([0.5, 0.0, 0.0]))
    >>> reposed_position(poses.Position(value=(1.0, 2.0, 3.0), unit="cm"), there).value
    (51.0, 2.0, 3.0)
    """
    if change.is_none or (position is None and np.abs(change.p_NP).max() <= SAME):
        return position
    position = position or poses.Position(value=(0.0, 0.0, 0.0), unit="m")
    factor = unit_factor(position.unit, "length", ("position", "unit"))
    p_P = np.array(position.value, dtype=float)
    x, y, z = DIGITS.of_numbers(change.R_NP @ p_P + change.p_NP / factor)
    return position.model_copy(update={"value": (x, y, z)})


def reposed_orientation(form: Form | None, change: Change, parameters: FrozenDict[float]) -> tuple[Form | None, bool]:
    """Return a constant orientation in the new parent, and whether its form had to be another one.

    Parameters
    ----------
    form
        The orientation as authored.
    change
        How the old parent stands in the new one.
    parameters
        Those of the scene.

    Raises
    ------
    RefusedError
        When the orientation is not known.
    """
    if not change.is_turned:
        return form, False
    now = Now(0.0, parameters, DIGITS)
    T_NF = matrix_of(form, now.t, parameters) @ change.R_NP.T
    try:
        return reoriented(form, T_NF, now), False
    except RefusedError:
        if isinstance(form, poses.Planar):
            axis = DIGITS.of_numbers(_axis_of(T_NF, axis_of(form)))
            return reoriented(form.model_copy(update={"axis": axis}), T_NF, now), False
        if isinstance(form, poses.Axis):
            none = poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit=form.unit)
            return reoriented(none, T_NF, now), True
        raise


def _axis_of(T: Array, like: Array) -> Array:
    """Return the unit vector that a rotation leaves alone, on the side of another one."""
    axis, _ = conventions.axis_angle_from_quaternion(linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN))
    return axis if axis @ like >= 0.0 else -axis
