"""Orientation forms turned by hand: the form stays what it is, in its unit, order and direction.

A turn is about a unit vector `e_P`, resolved in the parent, by `angle`: it takes the matrix `T_PF` of parent into frame
to ``T_PF @ planar_matrix(e_P, angle)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.angle_branches import axes_rotations_angles_continuous
from framescope.core.errors import FramescopeError
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.directions import named_directions, turned_direction
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_rewriting import split_constant, with_constant
from framescope.core.time_functions.expressions import parse_expression

ANGLE_DECIMALS = 6
"""Decimals kept of an angle that a hand sets, in degrees; of radians and turns two more."""

DECIMALS = 9
"""Decimals kept of the components of quaternions, matrices and directions that a hand turns."""

PARALLEL = 1.0 - 1e-9
"""Cosine from which on two axes are the same."""

LETTERS = ("α", "β", "γ")


class RefusedError(FramescopeError, ValueError):
    """What a hand wants of a frame cannot be said in the form the frame is authored in; the message says why."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn of a frame by `angle` (rad) about `e_P`, at time `t`, when the frame has the matrix `T_PF`."""

    e_P: Array
    angle: float
    T_PF: Array
    t: float

    @property
    def T_new(self) -> Array:
        """The matrix of parent into frame afterwards."""
        return self.T_PF @ axis_rotations.planar_matrix(self.e_P, np.array(self.angle))


def turned(form: poses.OrientationForm | None, turn: Turn, parameters: FrozenDict[float]) -> poses.OrientationForm:
    """Return an orientation form that is turned; without one it becomes three angles XYZ in degrees.

    Raises
    ------
    RefusedError
        When the form cannot be turned so.

    Examples
    --------
    >>> about_z = Turn(np.array([0.0, 0.0, 1.0]), np.pi / 6, np.eye(3), 0.0)
    >>> turned(poses.Axis(axis="z", angle="5*t", unit="deg"), about_z, FrozenDict()).angle
    '5*t + 30'
    """
    match form:
        case None:
            return _turned_axes(poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit="deg"), turn, parameters)
        case poses.Axes():
            return _turned_axes(form, turn, parameters)
        case poses.Axis():
            if form.axis not in ("x", "y", "z"):
                raise RefusedError(f'its axis "{form.axis}" is none of x, y, z')
            return _turned_planar(form, np.eye(3)["xyz".index(form.axis)], form.axis, turn, parameters)
        case poses.Planar():
            return _turned_planar(form, _unit(np.array(form.axis)), "the axis of its plane", turn, parameters)
        case poses.Integrated():
            raise RefusedError("its orientation is integrated from its angular velocity")
        case _:
            return _turned_still(form, turn)


def with_added(signal: float | str, by: float, decimals: int) -> float | str:
    """Return a number or an expression of t with something added, rounded.

    >>> with_added(1.0, 0.25, 6), with_added("sin(t) + 1", -1.0, 6)
    (1.25, 'sin(t)')
    """
    if isinstance(signal, str):
        return with_constant(signal, round(split_constant(signal)[1] + by, decimals))
    return round(signal + by, decimals) + 0.0


def _turned_axes(form: poses.Axes, turn: Turn, parameters: FrozenDict[float]) -> poses.Axes:
    try:
        sequence = as_sequence(form.sequence)
        factor = unit_factor(form.unit, "angle", ("orientation", "unit"))
        angles = np.array([_value(angle, parameters, turn.t) for angle in form.angles]) * factor
    except ValueError as error:
        raise RefusedError(f"its angles have no value: {error}") from None
    joints = joint_axes(form.sequence, angles)
    # About the axis of a joint only its own angle changes, which is exact at every time.
    for i in (2, 0, 1):
        along = float(joints[i] @ turn.e_P)
        if abs(along) > PARALLEL:
            by = math.copysign(turn.angle, along * turn.angle) / factor
            return _with_angles(form, {i: with_added(form.angles[i], by, _decimals(factor))})
    moving = [LETTERS[i] for i in range(3) if isinstance(form.angles[i], str)]
    if moving:
        first, second, third = form.sequence.lower()
        raise RefusedError(
            f"{' and '.join(moving)} run{'s' * (len(moving) == 1)} with t, and this turn needs all three angles: "
            f"turn about {first} of the parent (α), {second}′ (β) or its own {third} (γ)"
        )
    found = axes_rotations_angles_continuous(Orientation(turn.T_new, np.zeros(3)), sequence, angles)
    return _with_angles(form, {i: round(float(a) / factor, _decimals(factor)) + 0.0 for i, a in enumerate(found)})


def joint_axes(sequence: str, angles: Array) -> Array:
    """Return the rows e1, e2', e3'': the axes of the three turns of a sequence, resolved in the parent.

    >>> joint_axes("XYZ", np.zeros(3))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    axes = as_sequence(sequence)
    T1 = axis_rotations.axis_matrix(axes[0], angles[0])
    T21 = axis_rotations.axis_matrix(axes[1], angles[1]) @ T1
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in axes)
    return np.array([e1, T1.T @ e2, T21.T @ e3])


def _with_angles(form: poses.Axes, changed: dict[int, float | str]) -> poses.Axes:
    first, second, third = (changed.get(i, angle) for i, angle in enumerate(form.angles))
    return form.model_copy(update={"angles": (first, second, third)})


def _turned_planar(
    form: poses.Axis | poses.Planar, e_P: Array, named: str, turn: Turn, parameters: FrozenDict[float]
) -> poses.Axis | poses.Planar:
    along = float(e_P @ turn.e_P)
    if abs(along) <= PARALLEL:
        raise RefusedError(f"it turns about {named} only, by one angle")
    try:
        factor = unit_factor(form.unit, "angle", ("orientation", "unit"))
        _value(form.angle, parameters, turn.t)
    except ValueError as error:
        raise RefusedError(f"its angle has no value: {error}") from None
    by = math.copysign(turn.angle, along * turn.angle) / factor
    return form.model_copy(update={"angle": with_added(form.angle, by, _decimals(factor))})


def _turned_still(
    form: poses.QuaternionForm | poses.MatrixForm | poses.NxNy | poses.NxNz, turn: Turn
) -> poses.OrientationForm:
    """Turn a form that has no angles: its numbers are those of the new orientation."""
    match form:
        case poses.QuaternionForm():
            Q = np.array(form.value) if form.order == "xyzw" else np.roll(form.value, -1)
            found = linear_algebra.quaternion_from_matrix(turn.T_new, Q)
            return form.model_copy(update={"value": _rounded(found if form.order == "xyzw" else np.roll(found, 1))})
        case poses.MatrixForm():
            T = turn.T_new if form.maps == "parent to frame" else turn.T_new.T
            return form.model_copy(update={"rows": tuple(_rounded(row) for row in T)})
        case poses.NxNy() | poses.NxNz():
            R = axis_rotations.planar_matrix(turn.e_P, np.array(turn.angle)).T
            named = named_directions(form)
            return form.model_copy(update={key: turned_direction(n, R, DECIMALS) for key, n in named.items()})


def _decimals(factor: float) -> int:
    return ANGLE_DECIMALS + (2 if factor > 0.1 else 0)


def _value(signal: float | str, parameters: FrozenDict[float], t: float) -> float:
    if not isinstance(signal, str):
        return signal
    value = float(parse_expression(signal, parameters)(t))
    if not math.isfinite(value):
        raise ValueError(f"{signal} is not finite at t = {t:g} s")
    return value


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), DECIMALS) + 0.0 for value in values)


def _unit(v: Array) -> Array:
    return v / max(float(np.linalg.norm(v)), 1e-300)
