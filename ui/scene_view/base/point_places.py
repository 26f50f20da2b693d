"""Positions of connection points, from the poses of their bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.system import System
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import system_of

Array = NDArray[np.float64]


class PointPlaces:
    """Positions `p_W` (count, 3) of a system's points, in a buffer; `r_W` are their lever arms."""

    def __init__(self, plan: Plan, system: System) -> None:
        self.rows = np.array([plan.index[point.body] for point in system.points], dtype=np.intp)
        count = len(self.rows)
        self.p_W, self.r_W = np.zeros((count, 3)), np.zeros((count, 3))
        self._R_WF, self._offsets = np.zeros((count, 3, 3)), np.zeros((count, 3, 1))
        self._plan: Plan | None = None

    def follow(self, tick: Tick) -> None:
        """Update the positions from the poses of a tick and the offsets of its plan."""
        if tick.plan is not self._plan:
            system = system_of(tick.plan)
            for offset, point in zip(self._offsets, () if system is None else system.points, strict=True):
                offset[:, 0] = point.offset
            self._plan = tick.plan
        snapshot = tick.snapshot
        np.take(snapshot.R_WF, self.rows, axis=0, out=self._R_WF, mode="clip")
        np.take(snapshot.p_WF, self.rows, axis=0, out=self.p_W, mode="clip")
        with np.errstate(invalid="ignore"):
            np.matmul(self._R_WF, self._offsets, out=self.r_W[:, :, None])
            np.add(self.p_W, self.r_W, out=self.p_W)
