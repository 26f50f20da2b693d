"""Kinds of motions: their names, initial values, and the edits they allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from framescope.core import frames
from framescope.core.kernels.validation import USUAL_SEQUENCE, Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.kinds.registry import Kind, Kinds, M
from framescope.core.scene.schema.motions import (
    Joint,
    Key,
    Keyframes,
    Live,
    Recorded,
    Simulated,
    Transforms,
    Unconnected,
)
from framescope.core.scene.schema.poses import QuaternionForm
from framescope.core.scene.schema.quantities import UNITS, Quantity

DECIMALS = 12
"""Decimals of the time and the position of a key."""

START_S = 1e-9
"""Distance from the start of the time range within which a simulated frame can be moved, s."""


@dataclass(frozen=True, eq=False)
class Moment:
    """Pose of a frame in its parent at a time: `T_PF` from parent into frame, `p_PF` in m, resolved in the parent.

    `start` is the beginning of the time range, the only time at which simulated frames can be moved. `is_carried` is
    true if a parent key has changed the parent before this time. `sequence` is the axis sequence of a rotation that an
    edit writes for a frame without one.
    """

    t: float
    start: float
    T_PF: Array
    p_PF: Array
    is_carried: bool = False
    sequence: str = USUAL_SEQUENCE

    @property
    def is_finite(self) -> bool:
        """Whether all numbers of the pose are finite."""
        return bool(np.isfinite(self.T_PF).all() and np.isfinite(self.p_PF).all())


def _own(_motion: object, _moment: object = None) -> str:
    return "its pose comes from its motion"


@dataclass(frozen=True, kw_only=True)
class MotionKind(Kind[M]):
    """Properties of a kind of motion.

    Attributes
    ----------
    text
        Description of the motion in a few words.
    moved
        Participle for a frame with this motion, such as "recorded"; the default is the name of the kind.
    start_at
        Function that returns further initial values of a new motion from the pose at the present time.
    gives_pose
        Whether the motion replaces position and orientation of the frame; otherwise it starts from them.
    is_costly
        Whether compiling the motion is slow, so that the number of such motions in a scene is limited.
    has_offset
        Whether the frame cannot be rotated by a constant offset itself, but only through a child frame.
    bound_to_world
        Reason why the frame cannot have another parent than the world; empty if it can.
    why_not_moved, why_not_converted, why_no_expression
        Reasons why the user cannot drag the frame at this time, convert its orientation, or enter expressions of t for
        its angles; empty if the user can.
    """

    text: Callable[[M], str]
    icon: str = "axis-3d"
    moved: str = ""
    start_at: Callable[[Moment], Mapping[str, Any]] = lambda _moment: {}
    gives_pose: bool = True
    is_costly: bool = False
    has_offset: bool = True
    bound_to_world: str = ""
    why_not_moved: Callable[[M, Moment], str] = _own
    why_not_converted: Callable[[M], str] = _own
    why_no_expression: Callable[[M], str] = _own


def key_at(moment: Moment, time_unit: str | None, length_unit: str | None) -> Key:
    """Return a key with the time and pose of a moment, in the given units (s and m if unknown)."""
    second = UNITS["time"].get(time_unit or "", 1.0)
    metre = UNITS["length"].get(length_unit or "", 1.0)
    time = Quantity(round(moment.t / second, 9), time_unit if time_unit in UNITS["time"] else "s")
    if not moment.is_finite:
        return Key(time=time)
    x, y, z = (round(float(p) / metre, DECIMALS + 3 * (metre > 1.0)) + 0.0 for p in moment.p_PF)
    Q = frames.to_Q(Orientation(moment.T_PF, np.zeros(3)))
    a, b, c, d = (float(q) + 0.0 for q in Q)
    return Key(time=time, position=(x, y, z), orientation=QuaternionForm(value=(a, b, c, d), order="xyzw"))


def _in_file(motion: Recorded | Transforms, _moment: Moment | None = None) -> str:
    return f"its pose is recorded in {motion.file}"


def _keyframes_text(motion: Keyframes) -> str:
    return f"{len(motion.keys)} keyframe{'s' * (len(motion.keys) != 1)}, {motion.interpolation}"


def _simulated_text(motion: Simulated) -> str:
    angles = "finite angles" if motion.model == "finite" else "small angles"
    return f"simulated, {angles}" + (f", like {motion.like}" if motion.like else "")


def _by_joint(_motion: Joint, _moment: Moment | None = None) -> str:
    return "its joint moves it, see Window, Joints"


def _joint_text(motion: Joint) -> str:
    axis = " ".join(f"{part:g}" for part in motion.axis)
    return f"joint, {motion.type} {'about' if motion.type == 'revolute' else 'along'} {axis}"


def _why_simulated_stays(motion: Simulated, moment: Moment) -> str:
    if motion.like is not None:
        return f"it moves like {motion.like}: move that one"
    if abs(moment.t - moment.start) > START_S:
        return f"it is simulated: go to {moment.start:g} s to move where it starts"
    return ""


MOTION_KINDS: Kinds[MotionKind[Any]] = Kinds(
    MotionKind(
        model=Recorded,
        text=lambda motion: f"recorded in {motion.file}",
        icon="video",
        files=("file", "times"),
        start={"file": "recording.txt", "format": "tum", "start": "0 s"},
        is_costly=True,
        why_not_moved=_in_file,
        why_not_converted=_in_file,
        why_no_expression=_in_file,
    ),
    MotionKind(
        model=Transforms,
        text=lambda motion: f"{motion.frame} in {motion.file}",
        icon="radar",
        moved="in a bag",
        files=("file",),
        start={"file": "drive.mcap", "frame": "base_link"},
        why_not_moved=_in_file,
        why_not_converted=_in_file,
        why_no_expression=_in_file,
    ),
    MotionKind(
        model=Unconnected,
        text=lambda _motion: "not connected: drawn where it is, without numbers to other trees",
        icon="unlink",
        moved="not connected",
        gives_pose=False,
        why_not_moved=lambda _motion, _moment: "",
        why_not_converted=lambda _motion: "",
        why_no_expression=lambda _motion: "",
    ),
    MotionKind(
        model=Live,
        text=lambda motion: f"live, from the series {motion.series}",
        icon="satellite",
        start={"series": "pose"},
    ),
    MotionKind(
        model=Keyframes,
        text=_keyframes_text,
        moved="given by keyframes",
        start_at=lambda moment: {"keys": (key_at(moment, "s", "m"),), "unit": "m"},
        has_offset=False,
        why_not_moved=lambda _motion, _moment: "",
        why_not_converted=lambda _motion: "",
        why_no_expression=lambda _motion: "its motion is in keyframes: an expression of t has no place there",
    ),
    MotionKind(
        model=Joint,
        text=_joint_text,
        icon="rotate-3d",
        moved="the child of a joint",
        start={"type": "revolute", "axis": (0.0, 0.0, 1.0), "value": 0.0, "unit": "deg"},
        gives_pose=False,
        why_not_moved=_by_joint,
        why_not_converted=_by_joint,
        why_no_expression=_by_joint,
    ),
    MotionKind(
        model=Simulated,
        text=_simulated_text,
        start={"model": "finite"},
        gives_pose=False,
        bound_to_world="is simulated and stays in the world, where Newton's law holds",
        why_not_moved=_why_simulated_stays,
        why_not_converted=lambda motion: f"it moves like {motion.like}: convert that one" if motion.like else "",
        why_no_expression=lambda _motion: "it is simulated, and starts with numbers",
    ),
)
