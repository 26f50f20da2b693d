"""Checks of a rig that need no loop: baselines, names of sides, upright images, symmetry. They are notes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from framescope.core.conventions.standard_axes import up_in, words_of_name
from framescope.core.errors import Problem, visible_text
from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.calibration import Fact
from framescope.features.calibrations.core.rig.adjustment import loop_pose, rotation_vectors
from framescope.features.calibrations.core.rig.graph import path
from framescope.features.calibrations.core.rig.rig import Rig
from framescope.features.calibrations.core.rig.words import carrier_axes, written_poses
from framescope.features.cameras.core.optical_axes import look_of, roll_of
from framescope.features.compare.core.sentences import metres_text

BASELINE = "baseline"
"""Word in the label of a fact, in m, that is the distance of two cameras, such as that of ``P`` in a camera_info."""

BASELINE_OF_FOCAL = "bf"
"""Last part of the entry of a fact that is a baseline times a focal length, px m, such as ``Camera.bf``."""

LEAST_MISS, LEAST_PART = 5e-3, 0.02
"""Difference of baselines that is noted: m, and as a fraction; the larger counts."""

MAIN = 0.7
"""Part of a distance along an axis above which the axis is its main direction."""

SAME_WAY = 0.5
"""Cosine of the angle between two viewing directions up to which they are parallel."""

NEARLY = 0.1
"""Difference up to which positions are mirrored, as a fraction of their distance."""

TURNED = math.radians(5.0)
"""Difference of orientations that is noted beside mirrored positions, rad."""

_OPPOSITE = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
_CAMERA_WORDS = frozenset({"cam", "camera", "left", "right", "optical", "infra", "eye"})


def notes_of(rig: Rig) -> tuple[Problem, ...]:
    """Return notes on a rig.

    Examples
    --------
    >>> from framescope.core.transform import Transform
    >>> from framescope.features.calibrations.core.calibration import Calibration, Edge
    >>> from framescope.features.calibrations.core.rig.rig import merge
    >>> X = Transform(np.eye(3), [-0.12, 0.0, 0.0])
    >>> rig = merge([("a.yaml", Calibration("x", (Edge("left", "right", X, "T_right"),)))])
    >>> print(notes_of(rig)[0].message)
    right is 0.12 m to the left of left in the image of left.
    """
    poses = _Poses(rig)
    found = (*_baselines(rig, poses), *_sides(poses), *_upright(rig, poses), *_symmetry(poses))
    return tuple(dict.fromkeys(found))


class _Poses:
    """Poses between the frames of a rig."""

    def __init__(self, rig: Rig) -> None:
        self.frames = rig.frames
        self._ends, self._poses = rig.ends, written_poses(rig.edges)

    def of(self, child: str, parent: str) -> tuple[Array, Array] | None:
        """Return the pose of a frame in another, m; None if no poses connect them."""
        way = path(self._ends, parent, child, range(len(self._ends)))
        return None if way is None else loop_pose(way, self._poses)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the names of left frames with those of right ones."""
        for name in self.frames:
            for left, right in _OPPOSITE.items():
                other = name.replace(left, right)
                if other != name and other in self.frames:
                    yield name, other


def _note(kind: str, name: str, message: str, hint: str = "") -> Problem:
    return Problem((name,), message, hint, "note", kind=kind)


def _baselines(rig: Rig, poses: _Poses) -> Iterator[Problem]:
    """Yield baselines of files that differ from the distance of the cameras."""
    for file, fact in rig.facts:
        if fact.unit != "m" or BASELINE not in fact.label.lower():
            baseline = _baseline_of_focal(rig, fact)
        else:
            baseline = abs(fact.value)
        pair = _cameras_of(fact, rig, poses)
        pose = None if pair is None else poses.of(pair[1], pair[0])
        if baseline is None or not baseline > 0.0 or pair is None or pose is None:
            continue
        distance = float(np.linalg.norm(pose[1]))
        if abs(distance - baseline) > max(LEAST_MISS, LEAST_PART * distance):
            first, second = map(visible_text, pair)
            message = (
                f"{visible_text(file)}: {visible_text(fact.entry)} has a baseline of {metres_text(baseline)}, and"
                f" {second} is {metres_text(distance)} from {first}."
            )
            yield _note("baseline", pair[1], message)


def _baseline_of_focal(rig: Rig, fact: Fact) -> float | None:
    """Return the baseline of a fact that is a baseline times a focal length, m; None for other facts."""
    if fact.entry.split(".")[-1] != BASELINE_OF_FOCAL or not rig.lenses:
        return None
    focal = rig.lenses[0].focal[0]
    return abs(fact.value) / focal if focal > 0.0 else None


def _cameras_of(fact: Fact, rig: Rig, poses: _Poses) -> tuple[str, str] | None:
    """Return the two cameras of a baseline: the pair of the side that the entry names, or the only two there are."""
    pairs = [pair for pair in poses.pairs() if _is_camera(rig, pair[0]) and _is_camera(rig, pair[1])]
    named = [pair for pair in pairs if set(fact.entry.split(".")) & set(pair)]
    cameras = [lens.frame for lens in rig.lenses if lens.frame in poses.frames]
    if len(cameras) == 2:
        pairs = pairs or [(cameras[0], cameras[1])]
    candidates = named or pairs
    return candidates[0] if len(candidates) == 1 else None


def _is_camera(rig: Rig, name: str) -> bool:
    is_lens = any(lens.frame == name for lens in rig.lenses)
    return is_lens or not _CAMERA_WORDS.isdisjoint(words_of_name(name))


def _sides(poses: _Poses) -> Iterator[Problem]:
    """Yield right cameras that are to the left in the image of the left one."""
    for left, right in poses.pairs():
        pose = poses.of(right, left)
        if pose is None or _CAMERA_WORDS.isdisjoint(words_of_name(left)) or carrier_axes(left):
            continue
        R, p = pose
        distance = float(np.linalg.norm(p))
        if R[2, 2] > SAME_WAY and distance > 1e-3 and p[0] < -MAIN * distance:
            a, b = map(visible_text, (left, right))
            message = f"{b} is {metres_text(distance)} to the left of {a} in the image of {a}."
            yield _note("sides", right, message, "The names may be swapped, or the pose inverted.")


def _upright(rig: Rig, poses: _Poses) -> Iterator[Problem]:
    """Yield cameras whose image is not upright on a body."""
    bodies = [name for name in poses.frames if carrier_axes(name)]
    for lens in rig.lenses:
        for body in bodies[:1]:
            pose = poses.of(lens.frame, body)
            if pose is None or lens.frame == body:
                continue
            T, up = pose[0].T, up_in(carrier_axes(body))
            if abs(float(look_of(T) @ up)) > math.cos(math.radians(30.0)):
                continue
            roll = math.degrees(float(roll_of(T, up)))
            if roll > 45.0:
                side = "upside down" if roll > 135.0 else "on its side"
                name = visible_text(lens.frame)
                message = f"the image of {name} is {side}: it is turned by {roll:.0f}° against {visible_text(body)}."
                yield _note("upright", lens.frame, message, "Another mounting may be meant.")


def _symmetry(poses: _Poses) -> Iterator[Problem]:
    """Yield left and right frames on the wrong side of a body, or with mirrored positions and other orientations."""
    bodies = [name for name in poses.frames if carrier_axes(name) == "FLU"]
    for (left, right), body in ((pair, body) for pair in poses.pairs() for body in bodies[:1]):
        first, second = poses.of(left, body), poses.of(right, body)
        if first is None or second is None or body in (left, right):
            continue
        (R_left, p_left), (R_right, p_right) = first, second
        a, b, base = map(visible_text, (left, right, body))
        distance = float(np.linalg.norm(p_left - p_right))
        if p_left[1] * p_right[1] > 0.0 and min(abs(p_left[1]), abs(p_right[1])) > NEARLY * max(distance, 1e-2):
            side = "left" if p_left[1] > 0.0 else "right"
            yield _note("symmetry", right, f"{a} and {b} are both to the {side} of {base}.")
        elif p_left[1] < 0.0 < p_right[1]:
            yield _note("symmetry", right, f"{a} is to the right of {b} on {base}.", "The names may be swapped.")
        elif np.linalg.norm(p_right - p_left * [1.0, -1.0, 1.0]) < NEARLY * distance:
            mirror = np.diag([1.0, -1.0, 1.0])
            mirrored = [mirror @ R_left @ np.diag(signs) for signs in ((-1.0, 1.0, 1.0), (1.0, -1.0, 1.0))]
            angles = [float(np.linalg.norm(rotation_vectors(R.T @ R_right))) for R in (*mirrored, R_left)]
            if min(angles) > TURNED:
                message = (
                    f"{a} and {b} are at mirrored places of {base}, and {b} is turned by"
                    f" {math.degrees(min(angles)):.0f}° from the mirrored orientation."
                )
                yield _note("symmetry", right, message)
