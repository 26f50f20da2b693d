"""Which of many frames are nearest to the camera and in the picture: those that get names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.camera.camera import Projection

Rows = NDArray[np.intp]

BLOCK = 50
"""Frames that are projected together: a tick allocates nothing large."""


class Nearest:
    """Chooses among candidates, by the tick and the camera alone."""

    def __init__(self, candidates: Rows) -> None:
        self.candidates = candidates
        self._depths, self._sorted = np.empty((2, len(candidates)))
        self._is_near = np.empty(len(candidates), dtype=bool)

    def choose(self, count: int, snapshot: Snapshot, projection: Projection) -> Rows:
        """Return the rows of up to `count` frames, in the order of the candidates."""
        for first in range(0, len(self.candidates), BLOCK):
            block = slice(first, first + BLOCK)
            rows = self.candidates[block]
            at = projection.project(np.take(snapshot.p_WF, rows, axis=0))
            with np.errstate(invalid="ignore"):
                is_inside = (at[:, :2] >= 0).all(axis=1) & (at[:, :2] <= (projection.width, projection.height)).all(
                    axis=1
                )
                is_inside &= (at[:, 2] > 0) & snapshot.is_posed[rows]
            self._depths[block] = np.where(is_inside, at[:, 2], np.inf)
        if len(self._depths) > count:
            np.copyto(self._sorted, self._depths)
            self._sorted.partition(count - 1)
            np.less_equal(self._depths, min(self._sorted[count - 1], np.finfo(float).max), out=self._is_near)
        else:
            np.isfinite(self._depths, out=self._is_near)
        return self.candidates[np.flatnonzero(self._is_near)[:count]]
