"""Compilation of keyframes into the motion of a frame."""

from __future__ import annotations

import numpy as np

from framescope.core.errors import ItemError, KeyPath, Problem
from framescope.core.evaluation.compile.orientations import constant_orientation
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, Sample
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.motions import Keyframes
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import kept_while_used
from framescope.core.time_functions import keyframes


@kept_while_used
def compile_keyframes(motion: Keyframes, context: MotionContext) -> LocalMotion:
    """Make the motion through keyframes; before the first and after the last the frame stands still."""
    key: KeyPath = ("motion", "keys")
    times = np.array([authored.time.si("time", (*key, i, "time")) for i, authored in enumerate(motion.keys)])
    late = np.flatnonzero(np.diff(times) <= 0.0)
    if late.size:
        i = int(late[0]) + 1
        raise ItemError(
            (*key, i, "time"), f"{motion.keys[i].time} is not later than the key before it.", "Sort the keys by time."
        )
    has_position = any(authored.position is not None for authored in motion.keys)
    factor = unit_factor(motion.unit, "length", ("motion", "unit")) if has_position else 1.0
    p = factor * np.array([authored.position or (0.0, 0.0, 0.0) for authored in motion.keys])
    T, problems = np.empty((len(times), 3, 3)), list[Problem]()
    for i, authored in enumerate(motion.keys):
        T[i], found = constant_orientation(authored.orientation, (*key, i, "orientation"), context)
        if found:  # numbers that are no rotation cannot be turned between
            raise ItemError(found[0].key_path, found[0].message, "Use a rotation.")
    path = keyframes.pose_keyframes(
        times, p, linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN), motion.interpolation, motion.ends
    )

    def sample(t: Array) -> Sample:
        return Sample(*path.sample(t))

    return LocalMotion(sample, is_constant=False, problems=tuple(problems))
