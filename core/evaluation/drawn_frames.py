"""Drawn frames: where trees are shown that are not connected to the world, though nobody knows where they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from framescope.core.evaluation.frame_tree import FrameTree
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Derive, Snapshot


def root_of(tree: FrameTree, row: int) -> int:
    """Return the row of the frame that is not connected on which another hangs, or that it is; else the world's."""
    while row > 0 and row not in tree.unconnected:
        row = int(tree.parents[row])
    return max(row, 0)


def drawn_frames(tree: FrameTree, snapshot: Snapshot) -> Snapshot:
    """Return a snapshot of a tree to be drawn: what hangs on a frame that is not connected stands with that.

    It is the same one where all frames are connected. No number is to be taken from it that a person may read.
    """
    adrift = snapshot.adrift if len(tree.unconnected) else None
    if adrift is None:
        return snapshot
    placed = np.isin(adrift.anchors, tree.unconnected)

    def mixed(known: Array, drawn: Array) -> Array:
        return np.where(placed.reshape(*placed.shape, *(1,) * (known.ndim - placed.ndim)), drawn, known)

    def both(parts: Callable[[Snapshot], tuple[Array, Array]]) -> Derive:
        def arrays() -> tuple[Array, Array]:
            angular, linear = (
                mixed(known, drawn) for known, drawn in zip(parts(snapshot), parts(adrift.snapshot), strict=True)
            )
            return angular, linear

        return arrays

    return replace(
        snapshot,
        R_WF=mixed(snapshot.R_WF, adrift.snapshot.R_WF),
        p_WF=mixed(snapshot.p_WF, adrift.snapshot.p_WF),
        T_PF=mixed(snapshot.T_PF, adrift.snapshot.T_PF),
        is_posed=snapshot.is_posed | (placed & adrift.snapshot.is_posed),
        derive_velocities=both(lambda one: (one.w_WF_F, one.v_WF)),
        derive_accelerations=both(lambda one: (one.b_WF_F, one.a_WF)),
        derive_smoothed=None if snapshot.derive_smoothed is None else lambda: drawn_frames(tree, snapshot.smoothed),
    )
