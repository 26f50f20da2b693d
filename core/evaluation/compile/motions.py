"""Compilation of the motion of a frame in its parent, from any kind of motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from framescope.core.errors import ItemError, KeyPath, Problem
from framescope.core.evaluation.compile.domain_checks import authored_signals, undefined
from framescope.core.evaluation.compile.joints import compile_joint
from framescope.core.evaluation.compile.orientations import compile_orientation, compile_position, constant_orientation
from framescope.core.evaluation.compile.recorded import compile_recorded
from framescope.core.evaluation.compile.used_parameters import KEPT_CONTEXTS, as_used
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample, standing
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import NO_ROTATION, Array
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Keyframes, Live
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import cache_per_owner, cache_while_used
from framescope.core.system.features import find_entry, missing_feature_message
from framescope.core.system.file_access import Access
from framescope.core.system.growing_series import GrowingSeries
from framescope.core.time_functions import keyframes
from framescope.core.time_functions.keyframes import pose_keyframes


@cache_while_used
def compile_keyframes(motion: Keyframes, context: MotionContext) -> LocalMotion:
    """Compile keyframes; before the first and after the last key the frame is fixed."""
    key: KeyPath = ("motion", "keys")
    times = np.array([authored.time.si("time", (*key, i, "time")) for i, authored in enumerate(motion.keys)])
    late = np.flatnonzero(np.diff(times) <= 0.0)
    if late.size:
        i = int(late[0]) + 1
        message = f"{motion.keys[i].time} is not later than the key before it."
        raise ItemError((*key, i, "time"), message, "Sort the keys by time.")
    has_position = any(authored.position is not None for authored in motion.keys)
    factor = unit_factor(motion.unit, "length", ("motion", "unit")) if has_position else 1.0
    p = factor * np.array([authored.position or (0.0, 0.0, 0.0) for authored in motion.keys])
    T, problems = np.empty((len(times), 3, 3)), list[Problem]()
    for i, authored in enumerate(motion.keys):
        T[i], rotation_problems = constant_orientation(authored.orientation, (*key, i, "orientation"), context)
        if rotation_problems:  # interpolation needs rotations
            raise ItemError(rotation_problems[0].key_path, rotation_problems[0].message, "Use a rotation.")
    Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
    path = keyframes.pose_keyframes(times, p, Q, motion.interpolation, motion.ends)

    def sample(t: Array) -> Sample:
        return Sample(*path.sample(t))

    return LocalMotion(sample, is_constant=False, problems=tuple(problems))


COLUMNS = ("x", "y", "z", "qx", "qy", "qz", "qw")
"""Values in a row of a live series: position, m, and Hamilton's quaternion, scalar last, from frame to parent."""


def live_series(scene: Scene, access: Access) -> tuple[GrowingSeries, ...]:
    """Return the growing series that the frames of a scene read, without duplicates."""
    named = (frame.motion.series for frame in scene.frames.values() if isinstance(frame.motion, Live))
    return tuple(access.live[name] for name in dict.fromkeys(named) if name in access.live)


def compile_live(form: Live, context: MotionContext) -> LocalMotion:
    """Compile a motion through the current rows of a live series; outside of the rows the frame is fixed.

    Interpolation between rows is linear, with slerp for orientations. Without any row the frame has no pose. The motion
    is not cached, since it depends on more than the scene.
    """
    series, key = context.access.live.get(form.series), ("motion", "series")
    if series is None:
        hint = "A program hands it over, see framescope.app.show. The frame is not drawn."
        raise ItemError(key, f'nothing feeds the series "{form.series}".', hint)
    if series.n_values != len(COLUMNS):
        text = f"expected rows of {len(COLUMNS)} values, got {series.n_values}."
        raise ItemError(key, text, f"Append {', '.join(COLUMNS)}.")

    def sample(t: Array) -> Sample:
        times, rows = series.rows
        if not len(times):
            return Sample(*(np.full((len(t), *shape), np.nan) for shape in ((3, 3), *[(3,)] * 5)))
        # Only the rows around these times are used, few of thousands. The rates at the last row come from the row
        # before it.
        first, last = np.searchsorted(times, (t.min(), t.max()), side="right")
        part = slice(max(int(first) - 2, 0), int(last) + 1)
        Q = rows[part, 3:]
        length = np.linalg.norm(Q, axis=1, keepdims=True)
        Q = np.where((length > 0.0) & np.isfinite(length), Q / length, NO_ROTATION)  # invalid quaternions: no rotation
        return Sample(*pose_keyframes(times[part], rows[part, :3], Q, "linear").sample(t))

    return LocalMotion(sample, is_constant=False)


def compile_motion(name: str, frame: Frame, context: MotionContext, known: Mapping[str, LocalMotion]) -> LocalMotion:
    """Compile the motion of a frame; `known` has the motions by name that are compiled already, such as simulated ones.

    Raises
    ------
    ItemError
        When the frame cannot have a pose; the error has the place in the frame, the cause and a fix.
    """
    if name in known:
        return known[name]
    kind = None if frame.motion is None else MOTION_KINDS.of(frame.motion)
    if kind is not None and kind.model in COMPILERS:
        for key in ("position", "orientation"):
            if kind.gives_pose and getattr(frame, key) is not None:
                why = f"a frame that is {kind.moved or kind.form} has its pose from that."
                raise ItemError((key,), why, f"Remove {key}.")
        return COMPILERS[kind.model](frame.motion, context)
    if isinstance(frame.motion, motions.Joint):
        # A recording may change with its file, which is not part of the scene.
        make = _kept_joint if frame.motion.recording is None else compile_joint
    else:
        make = _integrated if isinstance(frame.orientation, poses.Integrated) else _kept
    try:
        # Frozen models are hashable, which the checker does not know.
        return make(frame, as_used(frame, context))  # pyright: ignore[reportArgumentType]
    except ItemError:  # with the full context, the message lists all available names
        is_joint = isinstance(frame.motion, motions.Joint)
        return compile_joint(frame, context) if is_joint else _compile_pose(frame, context)


def _compile_transforms(form: motions.Transforms, context: MotionContext) -> LocalMotion:
    """Compile the motion of a frame in a bag with the feature that reads bags."""
    compiler = find_entry(form.form, lambda feature: feature.motions)
    if compiler is None:
        hint = "Install it, or remove the motion of the frame."
        raise ItemError(("motion", "file"), missing_feature_message("bags are", "bags"), hint)
    return compiler(form, context)


COMPILERS: dict[type[Item], Callable[[Any, MotionContext], LocalMotion]] = {
    motions.Recorded: compile_recorded,
    motions.Transforms: _compile_transforms,
    motions.Live: compile_live,
    motions.Keyframes: compile_keyframes,
}
"""Compilers of motions by model.

Simulated motions are compiled together. An unconnected motion is compiled like a frame without motion.
"""


def _compile_pose(frame: Frame, context: MotionContext) -> LocalMotion:
    """Compile the motion of a frame that depends on the scene only; `probe` checks moving frames later."""
    position = compile_position(frame.position, ("position",), context)
    orientation = standing(np.eye(3))
    if frame.orientation is not None:
        orientation = compile_orientation(frame.orientation, ("orientation",), context)
    is_constant = orientation.is_constant and position.is_constant

    def sample(t: Array) -> Sample:
        turn = orientation.sample(t)
        p, v, a = position(t)
        return Sample(turn.T, p, turn.w, v, turn.b, a)

    still, problems = None, orientation.problems
    if is_constant:
        once = np.zeros(1)
        with np.errstate(all="ignore"):
            T, p, *_ = sample(once)
        still = (T[0], p[0])
        authored = authored_signals(position, orientation.axes, orientation.about)
        problems += undefined(T, p, once, authored=authored)
    return LocalMotion(
        sample,
        is_constant,
        still=still,
        axes=orientation.axes,
        about=orientation.about,
        T=orientation.T,
        quaternion=orientation.quaternion,
        position=position,
        problems=problems,
        work=orientation.work,
        is_connected=not isinstance(frame.motion, motions.Unconnected),
    )


_integrated = cache_while_used(_compile_pose)

# A drag creates a new frame sixty times a second, and changing a parameter a new context.
_kept = cache_per_owner(KEPT_CONTEXTS)(_compile_pose)
_kept_joint = cache_per_owner(KEPT_CONTEXTS)(compile_joint)
