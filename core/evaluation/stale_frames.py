"""Stale frames: frames without a pose at a time that had one before, with their last pose and its age."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.evaluation.frame_tree import FrameTree, Rows
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class StaleFrames:
    """Frames whose last pose is in the past.

    Attributes
    ----------
    rows, parents : (k,)
        Rows of the frames, and rows of their last parents.
    R_WF, p_WF : (k, 3, 3), (k, 3)
        Poses of the frames in world, as if the last pose in the parent still applied.
    p_WP : (k, 3)
        Origins of the last parents in world, m.
    age : (k,)
        Age of the oldest pose on the path from the world to the frame, s.
    """

    rows: Rows
    parents: Rows
    R_WF: Array
    p_WF: Array
    p_WP: Array
    age: Array


def has_stale_frames(tree: FrameTree) -> bool:
    """Return whether frames of a tree can be stale at all."""
    return any(motion.held is not None for motion in tree.motions.values())


def stale_frames(tree: FrameTree, snapshot: Snapshot) -> StaleFrames:
    """Return the stale frames of a tree at the time of a snapshot, parents before children."""
    t = np.array([float(snapshot.t)])
    parents = tree.parents_at(float(snapshot.t))
    poses: dict[int, tuple[Array, Array, float]] = {}
    with np.errstate(all="ignore"):
        for row in tree.order[1:].tolist():
            parent = int(parents[row])
            if snapshot.is_posed[row] or not (snapshot.is_posed[parent] or parent in poses):
                continue
            T, p, age = _last(tree, row, t)
            if not (np.isfinite(p).all() and np.isfinite(T).all()):
                continue
            R_WP, p_WP, older = poses.get(parent, (snapshot.R_WF[parent], snapshot.p_WF[parent], 0.0))
            R = linear_algebra.multiply_matrices(R_WP, linear_algebra.transpose(T))
            poses[row] = R, p_WP + linear_algebra.apply_matrix(R_WP, p), max(age, older)
    rows = np.array(list(poses), dtype=np.intp)
    above = parents[rows]
    origins = [poses[int(up)][1] if int(up) in poses else snapshot.p_WF[up] for up in above]
    return StaleFrames(
        rows,
        above,
        np.array([pose[0] for pose in poses.values()]).reshape(-1, 3, 3),
        np.array([pose[1] for pose in poses.values()]).reshape(-1, 3),
        np.array(origins).reshape(-1, 3),
        np.array([pose[2] for pose in poses.values()]),
    )


def _last(tree: FrameTree, row: int, t: Array) -> tuple[Array, Array, float]:
    """Return the last ``T_PF`` and ``p_PF`` and their age, s; NaN if nothing was known."""
    motion = tree.motions[row]
    if motion.held is None:
        T, p = motion.pose(t)
        return T[0], p[0], 0.0
    T, p, age = motion.held(t)
    return T[0], p[0], float(age[0])
