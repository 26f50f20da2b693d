"""Compilation of changes of parent over time: authored keys, or the transforms of a bag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from framescope.core.errors import ItemError, NoSuchNameError, Problem, add_problem
from framescope.core.evaluation.frame_tree import (
    FrameTree,
    ParentSwitch,
    Rows,
    build_tree,
    evaluate_tree,
    plain_switch,
    subtree,
)
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.evaluation.relative_motion import relative_orientations, relative_position
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.model import Frame, Scene


@dataclass(frozen=True)
class _Key:
    """Change of the parent of a row at a time, s."""

    time: float
    row: int
    parent: int


def compile_switches(
    scene: Scene, names: tuple[str, ...], parents: Rows, motions: Mapping[int, LocalMotion], problems: list[Problem]
) -> dict[int, ParentSwitch]:
    """Return the parent switches of all frames with several parents, by row; faults are added to `problems`."""
    index = {name: i for i, name in enumerate(names)}
    switches = dict(_of_bags(names, index, parents, motions, problems))
    keys = sorted(_keys(scene, names, index, motions, problems), key=attrgetter("time"))
    possible: dict[int, set[int]] = {i: {int(parents[i])} for i in motions}
    for i, switch in switches.items():
        possible[i].update(switch.rows.tolist())
    for i in sorted({*switches, *(key.row for key in keys)}):
        new_parents = {key.parent for key in keys if key.row == i}
        possible[i] |= new_parents
        if _is_below(i, possible):
            possible[i] = {int(parents[i])}
            switches.pop(i, None)
            keys = [key for key in keys if key.row != i]
            message = "at some times its parents would be frames that are below it at other times."
            place = ("frames", names[i], "parent_keys" if new_parents else "motion")
            problems.append(Problem(place, message, "It keeps its first parent; give it others.", kind="cycle"))
    for key in keys:
        tree = subtree(build_tree(names, parents, motions, switches), (names[key.row], names[key.parent]))
        T_PF, p_PF = _pose_in(tree, names[key.row], names[key.parent], key.time)
        if not (np.isfinite(T_PF).all() and np.isfinite(p_PF).all()):
            message = f"at {key.time:g} s the frame or its new parent has no pose, so its later pose is unknown."
            place = ("frames", names[key.row], "parent_keys")
            problems.append(Problem(place, message, "Give the key another time.", time=key.time))
            continue
        motion = motions[key.row]
        switch = switches.get(key.row) or plain_switch(np.zeros(0), parents[[key.row]])
        switches[key.row] = _with_key(switch, key, motion, T_PF, p_PF)
    return switches


def _of_bags(
    names: tuple[str, ...],
    index: Mapping[str, int],
    parents: Rows,
    motions: Mapping[int, LocalMotion],
    problems: list[Problem],
) -> Iterator[tuple[int, ParentSwitch]]:
    for i, motion in motions.items():
        if motion.parents is None:
            continue
        missing = next((name for name in motion.parents.names if name not in index), None)
        if missing is not None:
            error = NoSuchNameError(("motion", "parents"), "frame", missing, index)
            add_problem(problems, ("frames", names[i]), error)
            continue
        rows = np.array([index[name] for name in motion.parents.names])
        if (rows != parents[i]).any():
            yield i, plain_switch(motion.parents.times, rows)


def _keys(
    scene: Scene,
    names: tuple[str, ...],
    index: Mapping[str, int],
    motions: Mapping[int, LocalMotion],
    problems: list[Problem],
) -> Iterator[_Key]:
    """Yield the valid parent keys of all frames."""
    for i in motions:
        frame = scene.frames[names[i]]
        try:
            why_not = _why_no_keys(frame, motions[i])
            if why_not:
                raise ItemError(("parent_keys",), why_not, "Remove the keys.")  # noqa: TRY301
            last = -np.inf
            for k, key in enumerate(frame.parent_keys):
                place = ("parent_keys", k)
                if key.parent not in index:
                    raise NoSuchNameError((*place, "parent"), "frame", key.parent, index)
                time = key.time.si("time", (*place, "time"))
                if time <= last:
                    message = f"{key.time} is not later than the key before it."
                    raise ItemError((*place, "time"), message, "Sort the keys by time.")  # noqa: TRY301
                last = time
                yield _Key(time, i, index[key.parent])
        except ItemError as problem:
            add_problem(problems, ("frames", names[i]), problem)


def _why_no_keys(frame: Frame, motion: LocalMotion) -> str:
    """Return the reason why the parent keys of a frame are invalid; empty if they are valid or there are none."""
    if not frame.parent_keys:
        return ""
    if motion.parents is not None:
        return "its parents are those that the bag has."
    bound = "" if frame.motion is None else MOTION_KINDS.of(frame.motion).bound_to_world
    return f"the frame {bound}." if bound else ""


def _is_below(i: int, possible: Mapping[int, set[int]]) -> bool:
    """Return whether a row can be its own ancestor."""
    rest, seen = list(possible[i]), set[int]()
    while rest:
        row = rest.pop()
        if row == i:
            return True
        if row not in seen:
            seen.add(row)
            rest += possible.get(row, ())
    return False


def _pose_in(tree: FrameTree, frame: str, parent: str, time: float) -> tuple[Array, Array]:
    """Return the pose of a frame in its new parent at the time of a key."""
    snapshot = evaluate_tree(tree, time)
    R_WP, R_WF = relative_orientations(snapshot, frame, parent)
    T_PF = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WF), R_WP)
    return T_PF, relative_position(snapshot, frame, parent, parent)


def _with_key(switch: ParentSwitch, key: _Key, motion: LocalMotion, T_PF: Array, p_PF: Array) -> ParentSwitch:
    """Return a switch with another parent, in which the frame's own motion continues from a given pose."""
    with np.errstate(all="ignore"):
        T_BF, p_BF = (part[0] for part in motion.pose(np.array([key.time])))
    T_PB = linear_algebra.multiply_matrices(linear_algebra.transpose(T_BF), T_PF)
    p_PB = p_PF - linear_algebra.apply_matrix(linear_algebra.transpose(T_PB), p_BF)
    return ParentSwitch(
        np.append(switch.times, key.time),
        np.append(switch.rows, key.parent),
        np.concatenate([switch.T, T_PB[np.newaxis]]),
        np.concatenate([switch.p, p_PB[np.newaxis]]),
    )
