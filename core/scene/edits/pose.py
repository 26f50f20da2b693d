"""Edits that rotate and move a frame within its authored form, as dragging does.

They start from the present pose of the frame, as the user sees it, and are exact. A constant is added to an expression
of t if this moves the frame by the same amount at all times. If no number of the form can express the change, the edit
raises a `RefusedError` with a reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from framescope.core.errors import ItemError, RefusedError
from framescope.core.kernels import axis_rotations
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.driven_parameters import driving_parameter, rotate_by_parameters
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment, key_at
from framescope.core.scene.schema.kinds.orientations import (
    BY_HAND,
    IN_FORMULA,
    ORIENTATION_KINDS,
    ROLL_PITCH_YAW,
    Now,
    angle_factor,
    angles_at,
    authored_angles,
    no_rotation,
    with_angles,
    with_orientation,
)
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_rewriting import split_constant, with_constant

POSITION_DECIMALS = 6
"""Decimals of a position set by dragging, in its own unit; more for kilometres."""

SAME_TIME = 1e-6
"""Distance from the present time within which a key counts as present, s."""

PARALLEL = 1.0 - 1e-9
"""Cosine above which two axes count as parallel."""

LETTERS = ("α", "β", "γ")


def turn_frame(name: str, e_P: Array, angle: float, moment: Moment, label: str) -> Edit:
    """Return the edit that rotates a frame about a unit vector resolved in its parent.

    Parameters
    ----------
    name
        The frame.
    e_P : (3,)
        Unit vector along the axis, resolved in the parent.
    angle
        Angle of rotation, right-handed about `e_P`, rad.
    moment
        Its present pose.
    label
        Text that undo shows.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` if the frame cannot rotate this way.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    >>> turn_frame("a", np.array([0.0, 1.0, 0.0]), np.pi / 2, now, "").apply(scene).frames["a"].orientation.angles
    (0.0, 90.0, 0.0)
    """
    turn = FrameTurn(np.asarray(e_P, dtype=float), angle, moment.T_PF, moment.t)

    def apply(scene: Scene) -> Scene:
        return set_orientation(scene, name, moment, lambda form: rotate_form(form, turn, scene.parameters))

    return Edit(label, apply)


def set_orientation(scene: Scene, name: str, moment: Moment, change: Callable[[poses.OrientationForm], Any]) -> Scene:
    """Return the scene with the orientation form of a frame changed, or of its key at the moment.

    If an angle is just a parameter, the parameter is changed. Without a form, three angles are changed.
    """

    def change_form(form: poses.OrientationForm | None) -> Any:
        return change(no_rotation(moment.sequence) if form is None else form)

    frame = movable(scene, name, moment)
    if not isinstance(frame.motion, motions.Keyframes):
        changed = set_frame(scene, name, orientation=change_form(frame.orientation))
        return rotate_by_parameters(scene, changed, name)
    motion, i = _ensure_key(frame.motion, moment)
    return set_frame(scene, name, motion=_with_key(motion, i, orientation=change_form(motion.keys[i].orientation)))


def shift_frame(name: str, d_P: Array, moment: Moment, label: str, *, decimals: int = POSITION_DECIMALS) -> Edit:
    """Return the edit that moves a frame by `d_P` (3,), m, resolved in its parent; see `turn_frame`.

    The position is rounded to `decimals` in its unit.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "a": {"parent": "world", "position": {"value": ["sin(t)", 0, 5], "unit": "cm"}}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    >>> shift_frame("a", np.array([0.1, 0.0, 0.01]), now, "").apply(scene).frames["a"].position.value
    ('sin(t) + 10', 0.0, 6.0)
    """

    def apply(scene: Scene) -> Scene:
        frame = movable(scene, name, moment)
        if isinstance(frame.motion, motions.Keyframes):
            return set_frame(scene, name, motion=_shift_key(frame.motion, d_P, moment, decimals))
        position = frame.position or poses.Position(value=(0.0, 0.0, 0.0), unit="m")
        return set_frame(scene, name, position=_shift_position(position, d_P, decimals))

    return Edit(label, apply)


def movable(scene: Scene, name: str, moment: Moment) -> Frame:
    """Return the frame; raise a `RefusedError` with the reason if the user cannot move it."""
    if name == WORLD or name not in scene.frames:
        raise RefusedError("the world stays where it is" if name == WORLD else f'there is no frame "{name}"')
    if not moment.is_finite:
        raise RefusedError("it has no pose at this time")
    frame = scene.frames[name]
    why = "" if frame.motion is None else MOTION_KINDS.of(frame.motion).why_not_moved(frame.motion, moment)
    if moment.is_carried and not why:
        why = f"it has another parent at this time: go to before {frame.parent_keys[0].time}"
    if why:
        raise RefusedError(why)
    return frame


def _shift_position(position: poses.Position, d_P: Array, decimals: int) -> poses.Position:
    try:
        factor = unit_factor(position.unit, "length", ("position", "unit"))
    except ItemError as error:
        raise RefusedError(f"the unit of its position is not known: {error.message}") from None
    by = np.asarray(d_P, dtype=float) / factor
    decimals += 3 if factor > 1.0 else 0
    parts = zip(position.value, by, strict=True)
    value = tuple(_add_constant(authored, float(step), decimals) if step else authored for authored, step in parts)
    return position.model_copy(update={"value": value})


def _shift_key(motion: motions.Keyframes, d_P: Array, moment: Moment, decimals: int) -> motions.Keyframes:
    unit = motion.unit
    if unit is None and all(key.position is None for key in motion.keys):
        unit = "m"
        motion = motion.model_copy(update={"unit": unit})
    motion, i = _ensure_key(motion, moment)
    at = motion.keys[i].position or (0.0, 0.0, 0.0)
    return _with_key(motion, i, position=_shift_position(poses.Position(value=at, unit=unit), d_P, decimals).value)


def _ensure_key(motion: motions.Keyframes, moment: Moment) -> tuple[motions.Keyframes, int]:
    """Return the motion with a key at this moment, and its index: an existing key, or a new one at the present pose."""
    try:
        times = [key.time.si("time", ("motion", "keys", i, "time")) for i, key in enumerate(motion.keys)]
    except ItemError as error:
        raise RefusedError(f"its keys have no times: {error.message}") from None
    for i, time in enumerate(times):
        if abs(time - moment.t) <= SAME_TIME:
            return motion, i
    before = sum(time < moment.t for time in times)
    neighbour = motion.keys[max(before - 1, 0)]
    keys = (*motion.keys[:before], _key_at(motion, neighbour, moment), *motion.keys[before:])
    return motion.model_copy(update={"keys": keys}), before


def _key_at(motion: motions.Keyframes, neighbour: motions.Key, moment: Moment) -> motions.Key:
    """Return a key at the moment with the fields of the other keys; its orientation is a quaternion."""
    key = key_at(moment, neighbour.time.unit, motion.unit)
    unused = [field for field in ("position", "orientation") if all(getattr(key, field) is None for key in motion.keys)]
    return key.model_copy(update=dict.fromkeys(unused))


def _with_key(motion: motions.Keyframes, i: int, **changes: object) -> motions.Keyframes:
    """Return the motion with one key changed."""
    key = motion.keys[i].model_copy(update=changes)
    return motion.model_copy(update={"keys": (*motion.keys[:i], key, *motion.keys[i + 1 :])})


# --- Rotation within a form


@dataclass(frozen=True, eq=False)
class FrameTurn:
    """A rotation of a frame by `angle` (rad) about `e_P`, at time `t`, when its matrix is `T_PF`."""

    e_P: Array
    angle: float
    T_PF: Array
    t: float

    @property
    def T_new(self) -> Array:
        """Matrix after the rotation, parent into frame."""
        return self.T_PF @ axis_rotations.planar_matrix(self.e_P, np.array(self.angle))


def rotate_form(form: poses.OrientationForm, turn: FrameTurn, parameters: FrozenDict[float]) -> Any:
    """Return a rotated orientation form.

    Raises
    ------
    RefusedError
        When the form cannot rotate this way.

    Examples
    --------
    >>> about_z = FrameTurn(np.array([0.0, 0.0, 1.0]), np.pi / 6, np.eye(3), 0.0)
    >>> rotate_form(poses.Axis(axis="z", angle="5*t", unit="deg"), about_z, FrozenDict()).angle
    '5*t + 30'
    """
    turns, now = ORIENTATION_KINDS.of(form).turns, Now(turn.t, parameters, BY_HAND)
    if turns is None:
        return with_orientation(form, turn.T_new, now)
    authored, joints = authored_angles(form), turns.axes(form, angles_at(form, now))
    # A rotation about the axis of one angle changes this angle only, and so is exact at all times.
    for i in (len(joints) - 1, *range(len(joints) - 1)):
        along = float(joints[i] @ turn.e_P)
        if abs(along) > PARALLEL:
            factor = angle_factor(getattr(form, "unit", None))
            by = math.copysign(turn.angle, along * turn.angle) / factor
            angle = _add_constant(authored[i], by, factor)
            return with_angles(form, turns, (*authored[:i], angle, *authored[i + 1 :]))
    names = angle_names(form)
    moving = [
        name
        for name, angle in zip(names, authored, strict=False)
        if isinstance(angle, str) and driving_parameter(angle, parameters) is None
    ]
    if moving and isinstance(form, poses.ThreeAngles):
        first, second, third = poses.as_moving(form).sequence.lower()
        a, b, c = names if isinstance(form, poses.Axes) else names[::-1]
        raise RefusedError(
            f"{' and '.join(moving)} run{'s' * (len(moving) == 1)} with t, and this turn needs all three angles: "
            f"turn about {first} of the parent ({a}), {second}′ ({b}) or its own {third} ({c})"
        )
    return with_orientation(form, turn.T_new, now)


def angle_names(form: poses.OrientationForm | None) -> tuple[str, str, str]:
    """Return the names of three angles: Greek letters, or roll, pitch and yaw.

    >>> angle_names(poses.Rpy(angles=(0, 0, 0)))
    ('roll', 'pitch', 'yaw')
    """
    return ROLL_PITCH_YAW if isinstance(form, poses.Rpy) else LETTERS


def _add_constant(signal: float | str, by: float, factor: float) -> float | str:
    """Return an angle or an expression of t, in a unit of `factor` radians, with a constant added, rounded.

    >>> _add_constant(1.0, 0.25, 1.0), _add_constant("sin(t) + 1", -1.0, 1.0)
    (1.25, 'sin(t)')
    """
    if isinstance(signal, str):
        return with_constant(signal, IN_FORMULA.of_angle(split_constant(signal)[1] + by, factor))
    return BY_HAND.of_angle(signal + by, factor)
