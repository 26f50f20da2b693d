"""Compilation of the motion of a frame in its parent, from whatever kind it is authored as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.domain_checks import undefined
from framescope.core.evaluation.compile.keyframes import compile_keyframes
from framescope.core.evaluation.compile.live import compile_live
from framescope.core.evaluation.compile.orientations import compile_orientation, compile_position
from framescope.core.evaluation.compile.recorded import compile_recorded
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample, standing
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.model import Frame
from framescope.core.system.caches import kept_beside, kept_while_used

KEPT_CONTEXTS = 2
"""For how many time spans and sets of parameters the motion of a frame is kept: before a gesture and during it."""


def compile_motion(
    name: str, frame: Frame, context: MotionContext, simulated: Mapping[str, LocalMotion]
) -> LocalMotion:
    """Make the motion of a frame; `simulated` has those of simulated frames by name.

    Raises
    ------
    ItemError
        When the frame cannot have a pose: the place in the frame, what is wrong, and how to mend it.
    """
    if name in simulated:
        return simulated[name]
    if frame.motion is not None:
        kind = MOTION_KINDS.of(frame.motion)
        for key in ("position", "orientation"):
            if kind.gives_pose and getattr(frame, key) is not None:
                why = f"a frame that is {kind.moved or kind.form} has its pose from that."
                raise ItemError((key,), why, f"Remove {key}.")
        return COMPILERS[kind.model](frame.motion, context)
    make = _integrated if isinstance(frame.orientation, poses.Integrated) else _kept
    try:
        # Frozen models are hashable, which the checker does not know.
        return make(frame, _as_used(frame, context))  # pyright: ignore[reportArgumentType]
    except ItemError:
        return _made(frame, context)  # which tells of all the names there are


COMPILERS: dict[type[Item], Callable[[Any, MotionContext], LocalMotion]] = {
    motions.Recorded: compile_recorded,
    motions.Live: compile_live,
    motions.Keyframes: compile_keyframes,
}
"""What makes the motions by their models; those that are simulated are all made at once."""


def _made(frame: Frame, context: MotionContext) -> LocalMotion:
    """Make the motion of a frame that depends on nothing outside the scene; one that moves is still to be probed."""
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
        problems += undefined(T, p, once)
    return LocalMotion(
        sample,
        is_constant,
        still=still,
        axes=orientation.axes,
        quaternion=orientation.quaternion,
        position=position,
        problems=problems,
        work=orientation.work,
    )


_integrated = kept_while_used(_made)

# A hand that drags leaves a frame behind sixty times a second, and one that turns a parameter a context.
_kept = kept_beside(KEPT_CONTEXTS)(_made)
_words_in = kept_beside(1)(words_in)


def _as_used(frame: Frame, context: MotionContext) -> MotionContext:
    """Return the context with those parameters alone that a frame uses: the others make it no other motion."""
    if not context.parameters:
        return context
    words = _words_in(frame)
    used = {name: value for name, value in context.parameters.items() if name in words}
    return context if len(used) == len(context.parameters) else replace(context, parameters=FrozenDict(used))
