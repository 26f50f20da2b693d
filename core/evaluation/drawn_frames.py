"""Drawn frames: poses for display of trees that are not connected to the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from framescope.core.evaluation.frame_tree import FrameTree
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Derive, Snapshot


def roots_of(tree: FrameTree) -> list[int]:
    """Return for each row the row of the unconnected frame at or above it; the world's row if there is none."""
    parents: list[int] = tree.parents.tolist()
    roots = {-1: 0, 0: 0} | {row: row for row in tree.unconnected.tolist()}
    for row in range(len(parents)):
        path: list[int] = []
        above = row
        while above not in roots:
            path.append(above)
            above = parents[above]
        roots |= dict.fromkeys(path, roots[above])
    return [roots[row] for row in range(len(parents))]


def drawn_frames(tree: FrameTree, snapshot: Snapshot) -> Snapshot:
    """Return a snapshot for display, in which descendants of unconnected frames have the drawn poses.

    The result is the same object if all frames are connected. Users must not see its numbers, because these poses are
    not known.
    """
    adrift = snapshot.adrift if len(tree.unconnected) else None
    if adrift is None:
        return snapshot
    placed = np.isin(adrift.anchors, tree.unconnected)

    def choose(known: Array, drawn: Array) -> Array:
        return np.where(placed.reshape(*placed.shape, *(1,) * (known.ndim - placed.ndim)), drawn, known)

    def choose_lazily(parts: Callable[[Snapshot], tuple[Array, Array]]) -> Derive:
        def arrays() -> tuple[Array, Array]:
            angular, linear = (
                choose(known, drawn) for known, drawn in zip(parts(snapshot), parts(adrift.snapshot), strict=True)
            )
            return angular, linear

        return arrays

    return replace(
        snapshot,
        R_WF=choose(snapshot.R_WF, adrift.snapshot.R_WF),
        p_WF=choose(snapshot.p_WF, adrift.snapshot.p_WF),
        T_PF=choose(snapshot.T_PF, adrift.snapshot.T_PF),
        is_posed=snapshot.is_posed | (placed & adrift.snapshot.is_posed),
        derive_velocities=choose_lazily(lambda snapshot: (snapshot.w_WF_F, snapshot.v_WF)),
        derive_accelerations=choose_lazily(lambda snapshot: (snapshot.b_WF_F, snapshot.a_WF)),
        derive_smoothed=None if snapshot.derive_smoothed is None else lambda: drawn_frames(tree, snapshot.smoothed),
    )
