"""What an orientation form stands for at a time, and which of its numbers run with t."""

from __future__ import annotations

import math

import numpy as np

from framescope.core import frames
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array, Sequence3, as_sequence
from framescope.core.scene.edits.orientation_forms.rotate import LETTERS, RefusedError
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.directions import DirectionsError, matrix_of_directions
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expressions import parse_expression
from framescope.core.transformation_matrices import project_to_rotation

ROTATION_TOLERANCE = 1e-3
"""How far numbers may be from a rotation and still be meant as one."""


def signal_value(signal: float | str, parameters: FrozenDict[float], t: float) -> float:
    """Return a number, or the value of an expression at time `t`, in its own unit.

    Raises
    ------
    RefusedError
        When it cannot be read, or has no finite value then.
    """
    if not isinstance(signal, str):
        return signal
    try:
        value = float(parse_expression(signal, parameters)(t))
    except ValueError as error:
        raise RefusedError(f"its angles have no value: {error}") from None
    if not math.isfinite(value):
        raise RefusedError(f"its angles have no value: {signal} is not finite at t = {t:g} s")
    return value


def angle_factor(unit: str | None) -> float:
    """Return a unit of angle in rad, or raise a `RefusedError`."""
    try:
        return unit_factor(unit, "angle", ("orientation", "unit"))
    except ValueError as error:
        raise RefusedError(f"its angles have no value: {error}") from None


def authored_angles(form: poses.Axes, t: float, parameters: FrozenDict[float]) -> Array:
    """Return the three angles (3,) of an axis sequence at time `t`, rad, whole turns included."""
    factor = angle_factor(form.unit)
    return np.array([signal_value(angle, parameters, t) for angle in form.angles]) * factor


def sequence_of(form: poses.Axes) -> Sequence3:
    """Return the axes of a sequence, or raise a `RefusedError`."""
    try:
        return as_sequence(form.sequence)
    except ValueError as error:
        raise RefusedError(f"its sequence cannot be used: {error}") from None


def axis_of(form: poses.Axis | poses.Planar) -> Array:
    """Return the unit vector (3,) that a form with one angle turns about."""
    if isinstance(form, poses.Planar):
        return np.array(form.axis) / max(float(np.linalg.norm(form.axis)), 1e-300)
    if form.axis not in ("x", "y", "z"):
        raise RefusedError(f'its axis "{form.axis}" is none of x, y, z')
    return np.eye(3)["xyz".index(form.axis)]


def matrix_of(form: poses.OrientationForm | None, t: float, parameters: FrozenDict[float]) -> Array:
    """Return the matrix (3, 3) of a form at time `t`, parent into frame; no form is no rotation.

    Raises
    ------
    RefusedError
        When the form has no value then, is far from a rotation, or is integrated.

    Examples
    --------
    >>> matrix_of(poses.Axis(axis="z", angle="90*t", unit="deg"), 1.0, FrozenDict()).round(12)[0]
    array([0., 1., 0.])
    """
    match form:
        case None:
            return np.eye(3)
        case poses.Axes():
            return frames.axes_rotations(sequence_of(form), authored_angles(form, t, parameters)).T
        case poses.Axis() | poses.Planar():
            angle = signal_value(form.angle, parameters, t) * angle_factor(form.unit)
            return axis_rotations.planar_matrix(axis_of(form), np.array(angle))
        case poses.QuaternionForm():
            return _of_quaternion(form)
        case poses.NxNy() | poses.NxNz():
            return _of_directions(form)
        case poses.MatrixForm():
            rows = np.array(form.rows)
            return rotation_near(rows if form.maps == "parent to frame" else rows.T)
        case poses.Integrated():
            raise RefusedError("its orientation is integrated from its angular velocity")


def _of_directions(form: poses.NxNy | poses.NxNz) -> Array:
    try:
        return matrix_of_directions(form)
    except DirectionsError as error:
        raise RefusedError(error.message.removesuffix(".")) from None


def _of_quaternion(form: poses.QuaternionForm) -> Array:
    Q = np.array(form.value if form.order == "xyzw" else np.roll(form.value, -1))
    length = float(np.linalg.norm(Q))
    if form.order not in ("xyzw", "wxyz") or length == 0.0:
        raise RefusedError("its quaternion has no order, or is zero")
    return linear_algebra.matrix_from_quaternion(Q / length)


def rotation_near(T: Array) -> Array:
    """Return the rotation next to a matrix (3, 3), or raise a `RefusedError` when it is not within 1e-3 of one."""
    if not np.isfinite(T).all():
        raise RefusedError("it has no orientation at this time")
    nearest, distance = project_to_rotation(T)
    if distance > ROTATION_TOLERANCE:
        raise RefusedError(f"the matrix is off the nearest rotation by {distance:.4g}; limit {ROTATION_TOLERANCE:g}")
    return nearest


def running_angles(form: poses.OrientationForm | None, parameters: FrozenDict[float]) -> str:
    """Return the names of the angles of a form that run with t, such as ``"α and γ"``; empty when it stands still.

    >>> running_angles(poses.Axes(sequence="XYZ", angles=("t", 1.0, "2*t"), unit="rad"), FrozenDict())
    'α and γ'
    """
    match form:
        case poses.Axes():
            named = zip(LETTERS, form.angles, strict=True)
            return " and ".join(letter for letter, angle in named if _runs(angle, parameters))
        case poses.Axis() | poses.Planar():
            return "its angle" if _runs(form.angle, parameters) else ""
        case _:
            return ""


def _runs(signal: float | str, parameters: FrozenDict[float]) -> bool:
    if not isinstance(signal, str):
        return False
    try:
        return "t" in parse_expression(signal, parameters).mentions
    except ValueError:
        return True  # it cannot be told, so that nothing is frozen unasked
