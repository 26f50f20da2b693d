"""Constant poses seen from another parent: the same place, in the form, unit, order and direction that was authored."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.angle_branches import axes_rotations_angles_continuous
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.directions import named_directions, turned_direction
from framescope.core.scene.schema.quantities import unit_factor

SAME = 1e-12
"""Up to this much matrices are the same, and so are places, in m."""

ANGLE_DECIMALS, DECIMALS = 11, 13
"""Decimals kept of angles in their unit, and of all other numbers: below what any measurement sees."""

Form = poses.ConstantOrientation


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
    x, y, z = _rounded(change.R_NP @ p_P + change.p_NP / factor, DECIMALS)
    return position.model_copy(update={"value": (x, y, z)})


def reposed_orientation(form: Form | None, T_PF: Array, change: Change) -> tuple[Form | None, bool]:
    """Return a constant orientation in the new parent, and whether its form had to be another one.

    Parameters
    ----------
    form, T_PF
        The orientation as authored, and its matrix (3, 3), old parent into frame.
    change
        How the old parent stands in the new one.
    """
    if not change.is_turned:
        return form, False
    T_NF = T_PF @ change.R_NP.T
    match form:
        case None:
            return _axes(poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit="deg"), T_NF), False
        case poses.Axes():
            return _axes(form, T_NF), False
        case poses.Planar():
            return _planar(form, T_NF), False
        case poses.Axis():
            return _axis(form, T_NF)
        case poses.QuaternionForm():
            Q = np.array(form.value) if form.order == "xyzw" else np.roll(form.value, -1)
            found = linear_algebra.quaternion_from_matrix(T_NF, Q)
            value = _rounded(found if form.order == "xyzw" else np.roll(found, 1), DECIMALS)
            return form.model_copy(update={"value": value}), False
        case poses.MatrixForm():
            T = T_NF if form.maps == "parent to frame" else T_NF.T
            return form.model_copy(update={"rows": tuple(_rounded(row, DECIMALS) for row in T)}), False
        case poses.NxNy() | poses.NxNz():
            named = named_directions(form)
            turned = {key: turned_direction(n, change.R_NP, DECIMALS) for key, n in named.items()}
            return form.model_copy(update=turned), False


def _axes(form: poses.Axes, T: Array) -> poses.Axes:
    factor = unit_factor(form.unit, "angle", ("orientation", "unit"))
    before = np.array([float(angle) for angle in form.angles]) * factor
    found = axes_rotations_angles_continuous(Orientation(T, np.zeros(3)), as_sequence(form.sequence), before)
    x, y, z = _rounded(found / factor, ANGLE_DECIMALS)
    return form.model_copy(update={"angles": (x, y, z)})


def _planar(form: poses.Planar, T: Array) -> poses.Planar:
    """Turn about the same axis where that will do, else about the one axis that there is."""
    factor = unit_factor(form.unit, "angle", ("orientation", "unit"))
    authored = np.array(form.axis) / np.linalg.norm(form.axis)
    for axis in (authored, _axis_of(T, authored)):
        angle = _angle_about(axis, T)
        if np.abs(axis_rotations.planar_matrix(axis, np.array(angle)) - T).max() < 1e-11:
            near = _nearest(angle, float(form.angle) * factor)
            kept = form.axis if axis is authored else _rounded(axis, DECIMALS)
            return form.model_copy(update={"axis": kept, "angle": _rounded([near / factor], ANGLE_DECIMALS)[0]})
    raise ValueError("a rotation has an axis")


def _axis(form: poses.Axis, T: Array) -> tuple[Form, bool]:
    """Turn about the same coordinate axis where that will do, else by three angles."""
    factor = unit_factor(form.unit, "angle", ("orientation", "unit"))
    axis = np.eye(3)["xyz".index(form.axis)]
    angle = _angle_about(axis, T)
    if np.abs(axis_rotations.planar_matrix(axis, np.array(angle)) - T).max() < 1e-11:
        near = _nearest(angle, float(form.angle) * factor)
        return form.model_copy(update={"angle": _rounded([near / factor], ANGLE_DECIMALS)[0]}), False
    return _axes(poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit=form.unit), T), True


def _axis_of(T: Array, like: Array) -> Array:
    """Return the unit vector that a rotation leaves alone, on the side of another one."""
    x, y, z, _ = linear_algebra.quaternion_from_matrix(T, np.array([0.0, 0.0, 0.0, 1.0]))
    axis = np.array([x, y, z]) / max(math.sqrt(x * x + y * y + z * z), 1e-300)
    return axis if axis @ like >= 0.0 else -axis


def _angle_about(axis: Array, T: Array) -> float:
    """Return the angle of a matrix taken as a turn about an axis."""
    sine = 0.5 * float(axis @ [T[1, 2] - T[2, 1], T[2, 0] - T[0, 2], T[0, 1] - T[1, 0]])
    return math.atan2(sine, 0.5 * (float(np.trace(T)) - 1.0))


def _nearest(angle: float, before: float) -> float:
    return angle + 2.0 * math.pi * round((before - angle) / (2.0 * math.pi))


def _rounded(values: Array | list[float], decimals: int) -> tuple[float, ...]:
    return tuple(round(float(value), decimals) + 0.0 for value in values)
