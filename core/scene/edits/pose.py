"""Edits that turn and move a frame by hand, inside the form it is authored in.

They take the pose that the frame has at the moment, as the hand sees it, and are exact: an expression of t gains a
constant where that turns or moves the frame by just that at every time; where no number of the form could say it, the
edit is refused with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.orientation_forms.rotate import RefusedError, Turn, turned, with_added
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import Quantity, unit_factor

__all__ = ["Moment", "RefusedError", "movable", "shift_frame", "turn_frame", "with_key", "with_key_now"]

POSITION_DECIMALS = 6
"""Decimals kept of a position that a hand sets, in its own unit; of kilometres more."""

SAME_TIME = 1e-6
"""Up to how far from the present time a key counts as the one of this moment, s."""

START_S = 1e-9


@dataclass(frozen=True, eq=False)
class Moment:
    """The pose of a frame in its parent at a time: `T_PF` parent into frame, `p_PF` in m, resolved in the parent.

    `start` is where the time range begins: simulated frames are moved there only.
    """

    t: float
    start: float
    T_PF: Array
    p_PF: Array


def turn_frame(name: str, e_P: Array, angle: float, moment: Moment, label: str) -> Edit:
    """Return the edit that turns a frame about a unit vector resolved in its parent.

    Parameters
    ----------
    name
        The frame.
    e_P : (3,)
        Unit vector along the axis, resolved in the parent.
    angle
        By how much it turns, right-handed about `e_P`, rad.
    moment
        Its pose now.
    label
        What undo shows.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` where the frame cannot be turned so.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    >>> turn_frame("a", np.array([0.0, 1.0, 0.0]), np.pi / 2, now, "").apply(scene).frames["a"].orientation.angles
    (0.0, 90.0, 0.0)
    """
    turn = Turn(np.asarray(e_P, dtype=float), angle, moment.T_PF, moment.t)

    def apply(scene: Scene) -> Scene:
        frame = movable(scene, name, moment)
        if isinstance(frame.motion, motions.Keyframes):
            return set_frame(scene, name, motion=_with_turned_key(frame.motion, turn, moment, scene))
        return set_frame(scene, name, orientation=turned(frame.orientation, turn, scene.parameters))

    return Edit(label, apply)


def shift_frame(name: str, d_P: Array, moment: Moment, label: str) -> Edit:
    """Return the edit that moves a frame by `d_P` (3,), m, resolved in its parent; see `turn_frame`.

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
            return set_frame(scene, name, motion=_with_moved_key(frame.motion, d_P, moment))
        position = frame.position or poses.Position(value=(0.0, 0.0, 0.0), unit="m")
        return set_frame(scene, name, position=_moved(position, d_P))

    return Edit(label, apply)


def movable(scene: Scene, name: str, moment: Moment) -> Frame:
    """Return the frame, or say why no hand can move it."""
    if name == WORLD or name not in scene.frames:
        raise RefusedError("the world stays where it is" if name == WORLD else f'there is no frame "{name}"')
    if not (np.isfinite(moment.T_PF).all() and np.isfinite(moment.p_PF).all()):
        raise RefusedError("it has no pose at this time")
    frame = scene.frames[name]
    match frame.motion:
        case motions.Recorded(file=file):
            raise RefusedError(f"its pose is recorded in {file}")
        case motions.Simulated(like=str(other)):
            raise RefusedError(f"it moves like {other}: move that one")
        case motions.Simulated() if abs(moment.t - moment.start) > START_S:
            raise RefusedError(f"it is simulated: go to {moment.start:g} s to move where it starts")
        case _:
            return frame


def _moved(position: poses.Position, d_P: Array) -> poses.Position:
    factor = _length_factor(position.unit)
    by = np.asarray(d_P, dtype=float) / factor
    decimals = _decimals(factor)
    value = tuple(
        with_added(authored, float(step), decimals) if step else authored
        for authored, step in zip(position.value, by, strict=True)
    )
    return position.model_copy(update={"value": value})


def _length_factor(unit: str | None) -> float:
    try:
        return unit_factor(unit, "length", ("position", "unit"))
    except ItemError as error:
        raise RefusedError(f"the unit of its position is not known: {error.message}") from None


def _decimals(factor: float) -> int:
    return POSITION_DECIMALS + (3 if factor > 1.0 else 0)


def _with_turned_key(motion: motions.Keyframes, turn: Turn, moment: Moment, scene: Scene) -> motions.Keyframes:
    motion, i = with_key_now(motion, moment)
    orientation = turned(motion.keys[i].orientation, turn, scene.parameters)
    return with_key(motion, i, motion.keys[i].model_copy(update={"orientation": orientation}))


def _with_moved_key(motion: motions.Keyframes, d_P: Array, moment: Moment) -> motions.Keyframes:
    unit = motion.unit
    if unit is None and all(key.position is None for key in motion.keys):
        unit = "m"
        motion = motion.model_copy(update={"unit": unit})
    motion, i = with_key_now(motion, moment)
    at = motion.keys[i].position or (0.0, 0.0, 0.0)
    moved = _moved(poses.Position(value=at, unit=unit), d_P)
    return with_key(motion, i, motion.keys[i].model_copy(update={"position": moved.value}))


def with_key_now(motion: motions.Keyframes, moment: Moment) -> tuple[motions.Keyframes, int]:
    """Return the motion with a key at this moment, and which: the one that is there, or a new one at its pose now."""
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
    unit = neighbour.time.unit or "s"
    time = Quantity(round(moment.t / unit_factor(unit, "time", ("time",)), 9), unit)
    position = None
    if any(key.position is not None for key in motion.keys):
        factor = _length_factor(motion.unit)
        x, y, z = (round(float(p) / factor, _decimals(factor)) + 0.0 for p in moment.p_PF)
        position = (x, y, z)
    orientation = None
    if any(key.orientation is not None for key in motion.keys):
        # What form the neighbour has says nothing of the pose in between; a quaternion holds any.
        still = Turn(np.array([0.0, 0.0, 1.0]), 0.0, moment.T_PF, moment.t)
        orientation = turned(poses.QuaternionForm(value=(0.0, 0.0, 0.0, 1.0), order="xyzw"), still, Scene().parameters)
    return motions.Key.model_validate({"time": time, "position": position, "orientation": orientation})


def with_key(motion: motions.Keyframes, i: int, key: motions.Key) -> motions.Keyframes:
    """Return the motion with one key replaced."""
    return motion.model_copy(update={"keys": (*motion.keys[:i], key, *motion.keys[i + 1 :])})
