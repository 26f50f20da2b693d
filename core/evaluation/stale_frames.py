"""Stale frames: those without a pose at a moment that had one before, where they were last, and how old that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.evaluation.frame_tree import FrameTree, Rows
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class StaleFrames:
    """Frames with an old pose alone.

    Attributes
    ----------
    rows, parents : (k,)
        Their rows, and those of the parents that they had.
    R_WF, p_WF : (k, 3, 3), (k, 3)
        Where they are if they still are where they were last in their parent.
    p_WP : (k, 3)
        Origins of those parents.
    age : (k,)
        How long ago anything was known of the oldest pose on the way to them, s.
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
    found: dict[int, tuple[Array, Array, float]] = {}
    with np.errstate(all="ignore"):
        for row in tree.order[1:].tolist():
            parent = int(parents[row])
            if snapshot.is_posed[row] or not (snapshot.is_posed[parent] or parent in found):
                continue
            T, p, age = _last(tree, row, t)
            if not (np.isfinite(p).all() and np.isfinite(T).all()):
                continue
            R_WP, p_WP, older = found.get(parent, (snapshot.R_WF[parent], snapshot.p_WF[parent], 0.0))
            R = linear_algebra.multiply_matrices(R_WP, linear_algebra.transpose(T))
            found[row] = R, p_WP + linear_algebra.apply_matrix(R_WP, p), max(age, older)
    rows = np.array(list(found), dtype=np.intp)
    above = parents[rows]
    origins = [found[int(up)][1] if int(up) in found else snapshot.p_WF[up] for up in above]
    return StaleFrames(
        rows,
        above,
        np.array([each[0] for each in found.values()]).reshape(-1, 3, 3),
        np.array([each[1] for each in found.values()]).reshape(-1, 3),
        np.array(origins).reshape(-1, 3),
        np.array([each[2] for each in found.values()]),
    )


def _last(tree: FrameTree, row: int, t: Array) -> tuple[Array, Array, float]:
    """Return ``T_PF`` and ``p_PF`` as they were last, and how old they are, s; not numbers where nothing was known."""
    motion = tree.motions[row]
    if motion.held is None:
        T, p = motion.pose(t)
        return T[0], p[0], 0.0
    T, p, age = motion.held(t)
    return T[0], p[0], float(age[0])
