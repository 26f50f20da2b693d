"""The frame tree: poses and velocities of frames from the motions of each in its parent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.errors import Problem
from framescope.core.evaluation.batched_frames import FrameBatch, batches_of
from framescope.core.evaluation.forward_kinematics import TreeWalk
from framescope.core.evaluation.local_motion import LocalMotion, Sample
from framescope.core.kernels.validation import Array, as_array
from framescope.core.snapshot import Derive, Snapshot

Rows = NDArray[np.intp]

MAX_SHOWN = 10
"""Frames of a circle that its problem names."""


@dataclass(frozen=True, eq=False)
class FrameTree:
    """Frames by row, the world first, ready to evaluate.

    A frame that cannot have a pose has no entry in `motions`; it and its descendants are listed, and
    hold NaN.

    Attributes
    ----------
    names, index
        Frame names by row, and the row of each name.
    parents : (n,)
        Row of each frame's parent; 0 for the world itself, -1 where there is none.
    motions
        Motion of each row that has one.
    levels
        Rows of equal depth below the world, shallow first, so that parents come before children.
    order
        The world and the rows of all levels, one level after the other.
    above
        For each level, where its parents stand in `order`.
    moving
        The frames whose pose in the parent depends on time, in groups.
    still_T_PF, still_p_PF : (n, 3, 3), (n, 3)
        Poses of the rows that stand still in their parent, NaN for the others.
    """

    names: tuple[str, ...]
    index: Mapping[str, int]
    parents: Rows
    motions: Mapping[int, LocalMotion]
    levels: tuple[Rows, ...]
    order: Rows
    above: tuple[Rows, ...]
    moving: tuple[FrameBatch, ...]
    still_T_PF: Array
    still_p_PF: Array


def build_tree(names: tuple[str, ...], parents: Rows, motions: Mapping[int, LocalMotion]) -> FrameTree:
    """Make a tree of named rows; poses of frames that stand still are taken once, here."""
    still_T, still_p = np.full((len(names), 3, 3), np.nan), np.full((len(names), 3), np.nan)
    still_T[0], still_p[0] = np.eye(3), 0.0
    for i, motion in motions.items():
        if motion.still is not None:
            still_T[i], still_p[i] = motion.still
    levels = _levels(parents, motions)
    moving = batches_of((int(i) for rows in levels for i in rows if not motions[int(i)].is_constant), motions)
    index = {name: i for i, name in enumerate(names)}
    order = np.concatenate([np.zeros(1, dtype=np.intp), *levels])
    place = np.zeros(len(names), dtype=np.intp)
    place[order] = np.arange(len(order))
    above = tuple(place[parents[rows]] for rows in levels)
    return FrameTree(names, index, parents, motions, levels, order, above, moving, still_T, still_p)


def subtree(tree: FrameTree, names: Iterable[str]) -> FrameTree:
    """Return the tree of the named frames and their ancestors alone, in new rows.

    Curves over many times of a few frames of a large scene are made from it.
    """
    keep = {0}
    for name in names:
        i = tree.index[name]
        while i not in keep and i >= 0:
            keep.add(i)
            i = int(tree.parents[i])
    rows = sorted(keep)
    new = {old: i for i, old in enumerate(rows)}
    parents = np.array([new.get(int(tree.parents[i]), -1) for i in rows])
    motions = {new[i]: tree.motions[i] for i in rows if i in tree.motions}
    return build_tree(tuple(tree.names[i] for i in rows), parents, motions)


def evaluate_tree(tree: FrameTree, t: ArrayLike) -> Snapshot:
    """Return poses, velocities and accelerations of every frame at time `t`, scalar or array of any shape, in seconds.

    What has no value is NaN, and said by `is_posed`, never by a warning.
    """
    with np.errstate(all="ignore"):
        return _evaluate(tree, as_array("t", t))


def _evaluate(tree: FrameTree, t: Array) -> Snapshot:
    times = t.reshape(-1)
    n = (len(times), len(tree.names))
    T_PF = np.broadcast_to(tree.still_T_PF, (*n, 3, 3)).copy()
    p_PF = np.broadcast_to(tree.still_p_PF, (*n, 3)).copy()
    w_PF_F, v_PF, b_PF_F, a_PF = np.zeros((4, *n, 3))
    for group in tree.moving:
        rows = group.rows
        motion = group.sample(times)
        T_PF[:, rows], p_PF[:, rows], w_PF_F[:, rows] = motion.T, motion.p, motion.w
        v_PF[:, rows], b_PF_F[:, rows], a_PF[:, rows] = motion.v, motion.b, motion.a
    motions = Sample(T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF)
    own = [(group.rows, *group.own_pose(times)) for group in tree.moving if group.own_pose is not None]
    if not own:
        return _snapshot(tree, t, motions)
    smoothed = cache(partial(_snapshot, tree, t.copy(), motions._replace(T=T_PF.copy(), p=p_PF.copy())))
    for rows, T, p in own:
        T_PF[:, rows], p_PF[:, rows] = T, p
    return replace(
        _snapshot(tree, t, motions),
        derive_velocities=lambda: (smoothed().w_WF_F, smoothed().v_WF),
        derive_accelerations=lambda: (smoothed().b_WF_F, smoothed().a_WF),
        derive_smoothed=smoothed,
    )


def _snapshot(tree: FrameTree, t: Array, motions: Sample) -> Snapshot:
    """Return a snapshot of the motions of frames in their parents at times (m,)."""
    with np.errstate(all="ignore"):
        walk = TreeWalk(tree.order, tree.above, motions)
        R_WF, p_WF = walk.poses()

    def shaped(values: Array) -> Array:
        return values.reshape(*t.shape, *values.shape[1:])

    def derived(derive: Callable[[], tuple[Array, Array]]) -> Derive:
        def arrays() -> tuple[Array, Array]:
            with np.errstate(all="ignore"):
                angular, linear = derive()
            return shaped(angular), shaped(linear)

        return arrays

    is_posed = np.isfinite(p_WF).all(axis=-1) & np.isfinite(R_WF).all(axis=(-1, -2))
    return Snapshot(
        index=tree.index,
        t=t.copy(),
        T_PF=shaped(motions.T),
        w_PF_F=shaped(motions.w),
        R_WF=shaped(R_WF),
        p_WF=shaped(p_WF),
        is_posed=is_posed.reshape(*t.shape, len(tree.names)),
        derive_velocities=derived(walk.velocities),
        derive_accelerations=derived(walk.accelerations),
    )


def find_cycles(names: tuple[str, ...], parents: Rows) -> Iterable[Problem]:
    """Yield one problem for each ring of frames that are each other's ancestors."""
    state = np.zeros(len(names), dtype=int)  # 0 not seen, 1 on the present path, 2 done
    for first in range(len(names)):
        path: list[int] = []
        i = first
        while i > 0 and state[i] == 0:
            state[i] = 1
            path.append(i)
            i = int(parents[i])
        if i > 0 and state[i] == 1:
            ring = path[path.index(i) :]
            start = min(ring)
            ring = ring[ring.index(start) :] + ring[: ring.index(start)]
            shown = [names[k] for k in ring[:MAX_SHOWN]] + ["…"] * (len(ring) > MAX_SHOWN)
            text = " → ".join([*shown, names[ring[0]]])
            message, hint = f"the parents run in a circle: {text}.", "Give one of them another parent, such as world."
            yield Problem(("frames", names[start], "parent"), message, hint, kind="cycle")
        state[path] = 2


def _levels(parents: Rows, motions: Mapping[int, LocalMotion]) -> tuple[Rows, ...]:
    """Return the rows below the world level by level; rows without a pose or a posed parent are left out."""
    children: dict[int, list[int]] = {}
    for i in range(1, len(parents)):
        if i in motions and parents[i] >= 0:
            children.setdefault(int(parents[i]), []).append(i)
    levels: list[Rows] = []
    level = [0]
    while level := [child for i in level for child in children.get(i, ())]:
        levels.append(np.array(level))
    return tuple(levels)
