"""Orientation forms given another orientation: inside the form they have, or converted into another one.

Numbers keep twelve decimals, so that the orientation is the one asked for to about 1e-12.
"""

from __future__ import annotations

import math

import numpy as np

from framescope.core import conventions
from framescope.core.angle_branches import axes_rotations_angles_branches, axes_rotations_angles_continuous
from framescope.core.errors import did_you_mean
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.orientation import Orientation
from framescope.core.scene.edits.orientation_forms.rotate import RefusedError
from framescope.core.scene.edits.orientation_forms.values import (
    angle_factor,
    authored_angles,
    axis_of,
    matrix_of,
    rotation_near,
    running_angles,
    sequence_of,
    signal_value,
)
from framescope.core.scene.schema import directions, poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.time_functions.expression_rewriting import split_constant

DECIMALS = 12
"""Decimals kept of all numbers that are set."""

PLANAR_TOLERANCE = 1e-6
"""How far a turn may be from one about the axis of a form that has only one."""

UNCHANGED = 1e-13
"""Up to how much an angle counts as the one that is there, rad: what was authored stays as it is."""

KINDS = ("quaternion:xyzw", "quaternion:wxyz", "matrix", "planar", "nxy", "nxz")
"""Kinds of forms to convert into, besides ``axes:`` with a sequence."""


def reoriented(
    form: poses.OrientationForm | None, T: Array, t: float, parameters: FrozenDict[float]
) -> poses.OrientationForm:
    """Return a form of the same kind, unit, order and direction that has the matrix `T` at time `t`.

    Angles go to the values nearest the present ones, on either branch and any turn; those that stay are left as
    authored, and expressions of t gain a constant. Without a form it becomes three angles XYZ in degrees.

    Parameters
    ----------
    form
        What is authored.
    T : (3, 3)
        A rotation, parent into frame.
    t
        The present time, s.
    parameters
        Those of the scene.

    Raises
    ------
    RefusedError
        When the form cannot have that orientation, or is integrated.

    Examples
    --------
    >>> form = poses.Axes(sequence="XYZ", angles=(200.0, "5*t", 0.0), unit="deg")
    >>> T = matrix_of(form.model_copy(update={"angles": (200.0, 40.0, 0.0)}), 0.0, FrozenDict())
    >>> reoriented(form, T, 2.0, FrozenDict()).angles
    (200.0, '5*t + 30', 0.0)
    """
    T = rotation_near(T)
    match form:
        case None:
            return _axes(poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit="deg"), T, t, parameters)
        case poses.Axes():
            return _axes(form, T, t, parameters)
        case poses.Axis() | poses.Planar():
            return _one_angle(form, T, t, parameters)
        case poses.QuaternionForm():
            is_last = form.order != "wxyz"
            Q = np.array(form.value) if is_last else np.roll(form.value, -1)
            found = linear_algebra.quaternion_from_matrix(T, Q)
            return form.model_copy(update={"value": _rounded(found if is_last else np.roll(found, 1))})
        case poses.MatrixForm():
            rows = T.T if form.maps == "frame to parent" else T
            return form.model_copy(update={"rows": tuple(_rounded(row) for row in rows)})
        case poses.NxNy() | poses.NxNz():
            return _two_directions(form, T)
        case poses.Integrated():
            raise RefusedError("its orientation is integrated from its angular velocity")


def kind_of(form: poses.OrientationForm | None) -> str:
    """Return the kind of a form as `converted` takes it; empty for those that are no choice to convert into.

    >>> kind_of(poses.QuaternionForm(value=(0, 0, 0, 1), order="xyzw"))
    'quaternion:xyzw'
    """
    match form:
        case poses.Axes():
            return f"axes:{form.sequence}"
        case poses.QuaternionForm():
            return f"quaternion:{form.order}"
        case poses.Planar() | poses.MatrixForm() | poses.NxNy() | poses.NxNz():
            return form.form
        case _:
            return ""


def converted(
    form: poses.OrientationForm | None, kind: str, t: float, parameters: FrozenDict[float]
) -> poses.OrientationForm:
    """Return the orientation of a form at time `t`, written in another kind.

    A turn about x, y or z becomes three angles of which one is that turn, at all times; all else stands still.

    Raises
    ------
    ValueError
        When there is no such kind.
    RefusedError
        When the form has no orientation then.

    Examples
    --------
    >>> converted(poses.Axis(axis="z", angle="5*t", unit="deg"), "axes:XYZ", 0.0, FrozenDict()).angles
    (0.0, 0.0, '5*t')
    """
    if kind == kind_of(form) and form is not None:
        return form
    if isinstance(form, poses.Axis) and is_exact(form, kind):
        sequence = kind.removeprefix("axes:")
        angles: list[float | str] = [0.0, 0.0, 0.0]
        angles[sequence.lower().index(form.axis)] = form.angle
        return poses.Axes(sequence=sequence, angles=(angles[0], angles[1], angles[2]), unit=form.unit)
    return still_form(kind, matrix_of(form, t, parameters), _unit_of(form))


def is_exact(form: poses.OrientationForm | None, kind: str) -> bool:
    """Return whether `converted` keeps a motion that runs with t as it is."""
    return isinstance(form, poses.Axis) and kind.startswith("axes:") and form.axis in kind.lower()[5:]


def still_form(kind: str, T: Array, unit: str = "deg") -> poses.OrientationForm:
    """Return the form of a kind that has the matrix `T` (3, 3); angles in `unit`."""
    T = rotation_near(T)
    name, _, qualifier = kind.partition(":")
    if name == "axes" and qualifier in SEQUENCES:
        return _still_axes(qualifier, T, unit)
    if kind not in KINDS:
        kinds = (*KINDS, *(f"axes:{sequence}" for sequence in SEQUENCES))
        raise ValueError(f"kind: expected a form to convert into, got {kind!r}. {did_you_mean(kind, kinds)}")
    Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
    match name:
        case "quaternion":
            value = _rounded(Q if qualifier == "xyzw" else np.roll(Q, 1))
            return poses.QuaternionForm.model_validate({"value": value, "order": qualifier})
        case "matrix":
            rows = [_rounded(row) for row in T]
            return poses.MatrixForm.model_validate({"rows": rows, "maps": "parent to frame"})
        case "nxy":
            return poses.NxNy.model_validate({"n_x": _rounded(T[0]), "n_y": _rounded(T[1])})
        case "nxz":
            return poses.NxNz.model_validate({"n_x": _rounded(T[0]), "n_z": _rounded(T[2])})
        case _:
            axis, angle = conventions.axis_angle_from_quaternion(Q)
            return poses.Planar.model_validate(
                {"axis": _rounded(axis), "angle": _round(float(angle) / angle_factor(unit)), "unit": unit}
            )


def warning_of(form: poses.OrientationForm | None, kind: str, t: float, parameters: FrozenDict[float]) -> str:
    """Return what converting a form would take away, as a sentence; empty when nothing is lost."""
    running = running_angles(form, parameters)
    if isinstance(form, poses.Integrated):
        return f"It is integrated from its angular velocity; converted, it stands still as it is at {t:.2f} s."
    if not running or is_exact(form, kind):
        return ""
    verb = "run" if " and " in running else "runs"
    subject = "The angle" if running == "its angle" else running
    return f"{subject} {verb} with t; converted, it stands still as it is at {t:.2f} s."


def _axes(form: poses.Axes, T: Array, t: float, parameters: FrozenDict[float]) -> poses.Axes:
    present = authored_angles(form, t, parameters)
    wanted = axes_rotations_angles_continuous(Orientation(T, np.zeros(3)), sequence_of(form), present)
    factor = angle_factor(form.unit)
    angles: list[float | str] = []
    for authored, old, new in zip(form.angles, present.tolist(), wanted.tolist(), strict=True):
        stays = abs(new - old) <= UNCHANGED * max(1.0, abs(old))
        angles.append(authored if stays else set_signal(authored, new / factor, t, parameters))
    return form.model_copy(update={"angles": tuple(angles)})


def _still_axes(sequence: str, T: Array, unit: str) -> poses.Axes:
    """Return the angles of branch 1, which are those that are read off a frame that stands still."""
    angles, _ = axes_rotations_angles_branches(Orientation(T, np.zeros(3)), sequence)
    none = poses.Axes(sequence=sequence, angles=(0.0, 0.0, 0.0), unit=unit)
    a, b, c = (
        0.0 if abs(angle) <= UNCHANGED else set_signal(0.0, angle / angle_factor(unit), 0.0, FrozenDict())
        for angle in angles.tolist()
    )
    return none.model_copy(update={"angles": (a, b, c)})


def _one_angle(
    form: poses.Axis | poses.Planar, T: Array, t: float, parameters: FrozenDict[float]
) -> poses.Axis | poses.Planar:
    e, factor = axis_of(form), angle_factor(form.unit)
    angle = float(conventions.rotation_vector_from_T(T) @ e)
    if np.abs(axis_rotations.planar_matrix(e, np.array(angle)) - T).max() > PLANAR_TOLERANCE:
        named = form.axis if isinstance(form, poses.Axis) else "the axis of its plane"
        raise RefusedError(
            f"it turns about {named} only, by one angle: convert it to three angles, a quaternion or a matrix first"
        )
    present = signal_value(form.angle, parameters, t) * factor
    angle += 2.0 * math.pi * round((present - angle) / (2.0 * math.pi))
    if abs(angle - present) <= UNCHANGED * max(1.0, abs(present)):
        return form
    return form.model_copy(update={"angle": set_signal(form.angle, angle / factor, t, parameters)})


def _two_directions(form: poses.NxNy | poses.NxNz, T: Array) -> poses.NxNy | poses.NxNz:
    """Turn both directions together: their lengths and the angle between them stay. Those that said nothing are new."""
    named = directions.named_directions(form)
    try:
        R = T.T @ directions.matrix_of_directions(form)
    except directions.DirectionsError:
        return form.model_copy(update={key: _rounded(T["xyz".index(key[-1])]) for key in named})
    return form.model_copy(update={key: directions.turned_direction(n, R, DECIMALS) for key, n in named.items()})


def set_signal(authored: float | str, value: float, t: float, parameters: FrozenDict[float]) -> float | str:
    """Return a number, or an expression whose constant at the end makes it `value` at time `t`, in its own unit.

    >>> set_signal("0.8*sin(t) + 1", 3.0, 0.0, FrozenDict())
    '0.8*sin(t) + 3'
    """
    if not isinstance(authored, str):
        return _round(value)
    rest, _ = split_constant(authored)
    constant = _round(value - signal_value(rest, parameters, t))
    if constant == 0.0:
        return rest
    return f"{rest} {'-' if constant < 0.0 else '+'} {number_text(abs(constant))}"


def _unit_of(form: poses.OrientationForm | None) -> str:
    unit = form.unit if isinstance(form, poses.Axes | poses.Axis | poses.Planar) else None
    return unit or "deg"


def _round(value: float) -> float:
    return round(value, DECIMALS) + 0.0


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(_round(float(value)) for value in values)
