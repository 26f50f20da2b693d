"""The frame tree: poses and velocities of frames from the motion of each in its parent."""

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
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array
from framescope.core.snapshot import Adrift, Derive, Snapshot

Rows = NDArray[np.intp]

MAX_SHOWN = 10
"""Largest number of frames that are named in the problem of a cycle."""


@dataclass(frozen=True, eq=False)
class ParentSwitch:
    """Successive parents of a frame, in addition to the parent in which its motion is given.

    Attributes
    ----------
    times : (k,)
        Times of change to the next parent, s, increasing.
    rows : (k + 1,)
        Rows of the parents.
    T, p : (k + 1, 3, 3), (k + 1, 3)
        Pose in each parent from which the frame's own motion continues, as ``T_PF`` and ``p_PF``.
    """

    times: Array
    rows: Rows
    T: Array
    p: Array

    def at(self, t: Array) -> Rows:
        """Return the index of the parent at times (m,)."""
        return np.searchsorted(self.times, t, side="right")


def plain_switch(times: Array, rows: Rows) -> ParentSwitch:
    """Return a switch between parents that leaves the motion unchanged."""
    n = len(rows)
    return ParentSwitch(times, rows, np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3)))


@dataclass(frozen=True, eq=False)
class FrameTree:
    """Frames by row, the world first, ready to evaluate.

    A frame without a pose has no entry in `motions`. Such a frame and its descendants have rows, with NaN poses.

    Attributes
    ----------
    names, index
        Frame names by row, and the row of each name.
    parents : (n,)
        Row of each frame's parent; 0 for the world itself, -1 for a frame without a parent, as in a cycle of parents.
    motions
        Motion of each row with a pose.
    levels
        Rows of equal depth below the world, in increasing depth, so that parents come before children.
    order
        The world and the rows of all levels, level by level.
    above
        For each level, the indices of its parents in `order`.
    moving
        Frames whose pose in the parent depends on time, in groups.
    still_T_PF, still_p_PF : (n, 3, 3), (n, 3)
        Poses of the rows that are constant in their parent, NaN for the others.
    switches
        Switches of the rows whose parent changes over time. Values relative to the parent always refer to `parents`.
    unconnected
        Rows whose pose in their parent is only drawn and not known.
    ring_parents
        Row of the authored parent of each row in a cycle of parents.
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
    switches: Mapping[int, ParentSwitch]
    unconnected: Rows
    ring_parents: Mapping[int, int]

    def parents_at(self, t: float) -> Rows:
        """Return the row of each frame's parent at a time, as in `parents`."""
        if not self.switches:
            return self.parents
        return _parents_at(self, np.array([t]))[0]


def build_tree(
    names: tuple[str, ...],
    parents: Rows,
    motions: Mapping[int, LocalMotion],
    switches: Mapping[int, ParentSwitch] | None = None,
    ring_parents: Mapping[int, int] | None = None,
) -> FrameTree:
    """Return a tree of named rows; constant poses are sampled once, here.

    No combination of the parents of switches and the authored parents may form a cycle.
    """
    switches = switches or {}
    still_T, still_p = np.full((len(names), 3, 3), np.nan), np.full((len(names), 3), np.nan)
    still_T[0], still_p[0] = np.eye(3), 0.0
    for i, motion in motions.items():
        if motion.still is not None:
            still_T[i], still_p[i] = motion.still
    levels = _levels(parents, motions, switches)
    moving = _moving(levels, motions)
    index = {name: i for i, name in enumerate(names)}
    order = np.concatenate([np.zeros(1, dtype=np.intp), *levels])
    place = np.zeros(len(names), dtype=np.intp)
    place[order] = np.arange(len(order))
    above = tuple(place[parents[rows]] for rows in levels)
    unconnected = np.array([i for i, motion in motions.items() if not motion.is_connected], dtype=np.intp)
    return FrameTree(
        *(names, index, parents, motions, levels, order, above, moving, still_T, still_p, switches, unconnected),
        ring_parents or {},
    )


def with_motions(tree: FrameTree, changed: Mapping[int, LocalMotion]) -> FrameTree:
    """Return a tree with other motions of rows that have a motion; it has no switches, which depend on the motions."""
    motions = {**tree.motions, **changed}
    still_T, still_p = tree.still_T_PF.copy(), tree.still_p_PF.copy()
    for i, motion in changed.items():
        still_T[i], still_p[i] = (np.nan, np.nan) if motion.still is None else motion.still
    return replace(tree, motions=motions, moving=_moving(tree.levels, motions), still_T_PF=still_T, still_p_PF=still_p)


def _moving(levels: Iterable[Rows], motions: Mapping[int, LocalMotion]) -> tuple[FrameBatch, ...]:
    """Return the frames whose pose in the parent depends on time, in groups."""
    return batches_of((int(i) for rows in levels for i in rows if not motions[int(i)].is_constant), motions)


def rows_of(tree: FrameTree, names: Iterable[str]) -> set[int]:
    """Return the rows of the named frames and of all their ancestors, including the world."""
    rows = {0}
    rest = [tree.index[name] for name in names]
    while rest:
        i = rest.pop()
        if i not in rows and i >= 0:
            rows.add(i)
            rest += _parents_of(tree, i)
    return rows


def subtree(tree: FrameTree, names: Iterable[str]) -> FrameTree:
    """Return the tree of the named frames and their ancestors only, in new rows.

    Evaluating it is fast when only a few frames of a large scene are needed.
    """
    rows = sorted(rows_of(tree, names))
    new = {old: i for i, old in enumerate(rows)}
    parents = np.array([new.get(int(tree.parents[i]), -1) for i in rows])
    motions = {new[i]: tree.motions[i] for i in rows if i in tree.motions}
    switches = {
        new[i]: replace(switch, rows=np.array([new[int(row)] for row in switch.rows]))
        for i, switch in tree.switches.items()
        if i in new
    }
    return build_tree(tuple(tree.names[i] for i in rows), parents, motions, switches)


def moves_alike(a: FrameTree, b: FrameTree) -> bool:
    """Return whether two trees have the same frames, parents and motions, and no parent changes over time."""
    return (
        a.names == b.names
        and np.array_equal(a.parents, b.parents)
        and np.array_equal(a.unconnected, b.unconnected)
        and not (a.switches or b.switches or a.ring_parents or b.ring_parents)
        and a.motions.keys() == b.motions.keys()
        and all(a.motions[i] is b.motions[i] for i in a.motions)
    )


def _parents_of(tree: FrameTree, i: int) -> list[int]:
    """Return the rows of all parents that a frame has over time."""
    return [int(tree.parents[i]), *(tree.switches[i].rows.tolist() if i in tree.switches else ())]


MAX_POSES = 100_000
"""Largest number of frames times sample times that are evaluated at once; their motion takes about 100 MB."""

MAX_TIMES = 8192
"""Largest number of sample times that are evaluated at once."""


def blocks_of_times(tree: FrameTree, times: Array) -> list[Array]:
    """Return successive parts of times (n,), so short that evaluating a tree takes little memory; at least one part."""
    step = max(1, min(MAX_TIMES, MAX_POSES // len(tree.names)))
    return [times[start : start + step] for start in range(0, max(len(times), 1), step)]


def evaluate_tree(tree: FrameTree, t: ArrayLike) -> Snapshot:
    """Return poses, velocities and accelerations of every frame at time `t`, scalar or array of any shape, in seconds.

    Missing values are NaN and marked in `is_posed`; there are no warnings.
    """
    with np.errstate(all="ignore"):
        return _evaluate(tree, as_array("t", t))


def poses_at(tree: FrameTree, times: Array) -> tuple[Array, Array]:
    """Return ``R_WF`` (m, n, 3, 3) and ``p_WF`` (m, n, 3) of `evaluate_tree` at times (m,), without rates.

    The tree has no switches and no unconnected frames.
    """
    with np.errstate(all="ignore"):
        T_PF, p_PF = _still_poses(tree, len(times))
        for group in tree.moving:
            T, p = group.sample(times)[:2] if group.own_pose is None else group.own_pose(times)
            T_PF[:, group.rows], p_PF[:, group.rows] = T, p
        at_rest = np.zeros_like(p_PF)
        return TreeWalk(tree.order, tree.above, Sample(T_PF, p_PF, at_rest, at_rest, at_rest, at_rest)).poses()


def _still_poses(tree: FrameTree, n_times: int) -> tuple[Array, Array]:
    """Return the constant poses in the parents (m, n, 3, 3), (m, n, 3), to be completed for the moving frames."""
    n = (n_times, len(tree.names))
    return (
        np.broadcast_to(tree.still_T_PF, (*n, 3, 3)).copy(),
        np.broadcast_to(tree.still_p_PF, (*n, 3)).copy(),
    )


def _evaluate(tree: FrameTree, t: Array) -> Snapshot:
    times = t.reshape(-1)
    T_PF, p_PF = _still_poses(tree, len(times))
    w_PF_F, v_PF, b_PF_F, a_PF = np.zeros((4, len(times), len(tree.names), 3))
    for group in tree.moving:
        rows = group.rows
        motion = group.sample(times)
        T_PF[:, rows], p_PF[:, rows], w_PF_F[:, rows] = motion.T, motion.p, motion.w
        v_PF[:, rows], b_PF_F[:, rows], a_PF[:, rows] = motion.v, motion.b, motion.a
    drawn = Sample(T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF)
    motions = _without(tree.unconnected, drawn)
    own = [(group.rows, *group.own_pose(times)) for group in tree.moving if group.own_pose is not None]
    if not own:
        return _snapshot(tree, t, motions, drawn)
    smooth = motions._replace(T=motions.T.copy(), p=motions.p.copy())
    for rows, T, p in own:
        for part in (motions, drawn):
            part.T[:, rows], part.p[:, rows] = T, p
    smoothed = cache(partial(_snapshot, tree, t.copy(), smooth, drawn))
    return replace(
        _snapshot(tree, t, motions, drawn),
        derive_velocities=lambda: (smoothed().w_WF_F, smoothed().v_WF),
        derive_accelerations=lambda: (smoothed().b_WF_F, smoothed().a_WF),
        derive_smoothed=smoothed,
    )


def _without(rows: Rows, motions: Sample) -> Sample:
    """Return motions in which some rows are unknown."""
    if not len(rows):
        return motions
    parts = Sample(*(part.copy() for part in motions))
    for part in parts:
        part[:, rows] = np.nan
    return parts


def _snapshot(tree: FrameTree, t: Array, motions: Sample, drawn: Sample) -> Snapshot:
    """Return a snapshot from motions of frames in their parents at times (m,); `drawn` includes unconnected frames."""
    T_PF, w_PF_F = motions.T, motions.w
    with np.errstate(all="ignore"):
        if tree.switches:
            parents = _parents_at(tree, t.reshape(-1))
            walk = TreeWalk(tree.order, _above(tree, parents), _switch_parents(tree, t.reshape(-1), motions))
            T_PF, w_PF_F = _in_authored_parents(tree, t.reshape(-1), walk, motions)
        else:
            walk = TreeWalk(tree.order, tree.above, motions)
        R_WF, p_WF = walk.poses()

    def reshape(values: Array) -> Array:
        return values.reshape(*t.shape, *values.shape[1:])

    def derive_lazily(derive: Callable[[], tuple[Array, Array]]) -> Derive:
        def arrays() -> tuple[Array, Array]:
            with np.errstate(all="ignore"):
                angular, linear = derive()
            return reshape(angular), reshape(linear)

        return arrays

    is_posed = np.isfinite(p_WF).all(axis=-1) & np.isfinite(R_WF).all(axis=(-1, -2))
    is_all = bool(is_posed.all())
    return Snapshot(
        index=tree.index,
        t=t.copy(),
        T_PF=reshape(T_PF),
        w_PF_F=reshape(w_PF_F),
        R_WF=reshape(R_WF),
        p_WF=reshape(p_WF),
        is_posed=is_posed.reshape(*t.shape, len(tree.names)),
        derive_velocities=derive_lazily(walk.velocities),
        derive_accelerations=derive_lazily(walk.accelerations),
        derive_position_rests=lambda: reshape(walk.position_rests()),
        derive_adrift=None if is_all else partial(_adrift, tree, t.copy(), motions, drawn),
    )


def _adrift(tree: FrameTree, t: Array, motions: Sample, drawn: Sample) -> Adrift:
    """Return the relations of frames without a pose in world, placing frames without a pose at their parent's origin.

    Unconnected frames have their drawn pose.
    """
    m, n = motions.p.shape[:2]
    known: NDArray[np.bool_] = np.logical_and(
        np.isfinite(motions.p).all(axis=-1), np.isfinite(motions.T).all(axis=(-1, -2))
    )
    T = np.where(known[..., np.newaxis, np.newaxis], motions.T, np.eye(3))
    others = [np.where(known[..., np.newaxis], part, 0.0) for part in (motions.p, *motions[2:])]
    for part, drawn_part in zip((T, *others), (drawn.T, drawn.p, *drawn[2:]), strict=True):
        part[:, tree.unconnected] = drawn_part[:, tree.unconnected]
    parents = _parents_at(tree, t.reshape(-1))
    anchors = np.full((m, n), -1, dtype=np.intp)
    anchors[:, 0] = 0
    for rows in tree.levels:
        above = np.take_along_axis(anchors, parents[:, rows], axis=1)
        anchors[:, rows] = np.where(known[:, rows], above, rows)
    names = -1 - np.arange(n, dtype=np.intp)  # frames without an ancestor have unique anchors
    anchors = np.where(anchors < 0, names, anchors)
    placed = Sample(T, *others)
    placed = replace(_snapshot(tree, t, placed, placed), derive_adrift=None)
    return Adrift(placed, anchors.reshape(*t.shape, n))


# --- Changes of parent over time


def _parents_at(tree: FrameTree, times: Array) -> Rows:
    """Return the rows of all parents (m, n) at times (m,)."""
    parents = np.tile(tree.parents, (len(times), 1))
    for i, switch in tree.switches.items():
        parents[:, i] = switch.rows[switch.at(times)]
    return parents


def _above(tree: FrameTree, parents: Rows) -> tuple[Rows, ...]:
    """Return the indices of each level's parents in the order; (m, r) if they depend on time."""
    place = np.zeros(len(tree.names), dtype=np.intp)
    place[tree.order] = np.arange(len(tree.order))
    changing = np.array(sorted(tree.switches))
    return tuple(
        place[parents[:, rows]] if np.isin(rows, changing).any() else above
        for rows, above in zip(tree.levels, tree.above, strict=True)
    )


def _switch_parents(tree: FrameTree, times: Array, motions: Sample) -> Sample:
    """Return motions in the parents at the given times, from motions in the authored parents."""
    T, p, v, a = (part.copy() for part in (motions.T, motions.p, motions.v, motions.a))
    for i, switch in tree.switches.items():
        k = switch.at(times)
        T_PB, p_PB = switch.T[k], switch.p[k]  # pose from which the motion continues
        R_PB = np.swapaxes(T_PB, -1, -2)
        T[:, i] = linear_algebra.multiply_matrices(motions.T[:, i], T_PB)
        p[:, i] = p_PB + linear_algebra.apply_matrix(R_PB, motions.p[:, i])
        v[:, i], a[:, i] = (linear_algebra.apply_matrix(R_PB, part[:, i]) for part in (motions.v, motions.a))
    return motions._replace(T=T, p=p, v=v, a=a)


def _in_authored_parents(tree: FrameTree, times: Array, walk: TreeWalk, motions: Sample) -> tuple[Array, Array]:
    """Return ``T_PF`` and ``w_PF_F`` of all frames in their authored parents, at all times."""
    T_PF, w_PF_F = motions.T.copy(), motions.w.copy()
    R_WF, _ = walk.poses()
    w_WF_F, _ = walk.velocities()
    for i, switch in tree.switches.items():
        parent = int(tree.parents[i])
        is_authored = (switch.rows == parent) & (np.eye(3) == switch.T).all(axis=(-1, -2))
        away = ~is_authored[switch.at(times)]
        T = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WF[away, i]), R_WF[away, parent])
        T_PF[away, i] = T
        w_PF_F[away, i] = w_WF_F[away, i] - linear_algebra.apply_matrix(T, w_WF_F[away, parent])
    return T_PF, w_PF_F


def rings_of(parents: Rows) -> list[list[int]]:
    """Return the cycles of rows that are each other's ancestors, each from its lowest row, parent after parent."""
    rings: list[list[int]] = []
    state = np.zeros(len(parents), dtype=int)  # 0 not seen, 1 on the present path, 2 done
    for first in range(len(parents)):
        path: list[int] = []
        i = first
        while i > 0 and state[i] == 0:
            state[i] = 1
            path.append(i)
            i = int(parents[i])
        if i > 0 and state[i] == 1:
            ring = path[path.index(i) :]
            start = ring.index(min(ring))
            rings.append(ring[start:] + ring[:start])
        state[path] = 2
    return rings


def find_cycles(names: tuple[str, ...], rings: Iterable[list[int]]) -> Iterable[Problem]:
    """Yield one problem for each cycle of frames that are each other's ancestors."""
    for ring in rings:
        shown = [names[k] for k in ring[:MAX_SHOWN]] + ["…"] * (len(ring) > MAX_SHOWN)
        text = " → ".join([*shown, names[ring[0]]])
        message, hint = f"the parents run in a circle: {text}.", "Give one of them another parent, such as world."
        yield Problem(("frames", names[ring[0]], "parent"), message, hint, kind="cycle")


def without_rings(parents: Rows, rings: Iterable[list[int]]) -> Rows:
    """Return parents without cycles: frames in a cycle get no parent."""
    parents = parents.copy()
    for ring in rings:
        parents[ring] = -1
    return parents


def _levels(
    parents: Rows, motions: Mapping[int, LocalMotion], switches: Mapping[int, ParentSwitch]
) -> tuple[Rows, ...]:
    """Return the rows below the world level by level, without rows that have no pose or no posed parent."""
    if switches:
        return _levels_below_all(parents, motions, switches)
    children: dict[int, list[int]] = {}
    for i in range(1, len(parents)):
        if i in motions and parents[i] >= 0:
            children.setdefault(int(parents[i]), []).append(i)
    levels: list[Rows] = []
    level = [0]
    while level := [child for i in level for child in children.get(i, ())]:
        levels.append(np.array(level))
    return tuple(levels)


def _levels_below_all(
    parents: Rows, motions: Mapping[int, LocalMotion], switches: Mapping[int, ParentSwitch]
) -> tuple[Rows, ...]:
    """Return the levels, with each frame below all its parents over time."""
    above = {i: {int(parents[i]), *(switches[i].rows.tolist() if i in switches else ())} for i in motions}
    rest, placed = {i: rows for i, rows in above.items() if min(rows) >= 0}, {0}
    levels: list[Rows] = []
    while level := sorted(i for i, rows in rest.items() if rows <= placed):
        levels.append(np.array(level))
        placed.update(level)
        rest = {i: rows for i, rows in rest.items() if i not in placed}
    return tuple(levels)
