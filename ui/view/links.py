"""Quiet lines from each frame to its parent."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from framescope.ui.theme import mix
from framescope.ui.view import actors
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.meshes import pv_cells


class Links(Visual):
    """One line per frame that has a parent and shows its link."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        parents = context.plan.tree.parents
        is_child = (parents >= 0) & (np.arange(len(parents)) > 0)
        self._children = np.flatnonzero(is_child & context.staging.has_link)
        self._parents = parents[self._children]
        count = len(self._children)
        if not count:
            return
        cells = pv_cells(np.arange(2 * count).reshape(-1, 2))
        self._polydata = pv.PolyData(np.zeros((2 * count, 3), dtype=np.float32), lines=cells)
        self._ends = actors.points_of(self._polydata).reshape(count, 2, 3)
        color = mix(context.theme.quiet, context.theme.scene_bottom, 0.45)
        self.scene_actors.append(actors.lines(self._polydata, context.px(1), color))

    def show(self, tick: Tick) -> None:
        """Move the ends; a link with an end that has no pose collapses."""
        if not len(self._children):
            return
        snapshot = tick.snapshot
        self._ends[:, 0] = snapshot.p_WF[self._parents]
        self._ends[:, 1] = snapshot.p_WF[self._children]
        is_whole = snapshot.is_posed[self._parents] & snapshot.is_posed[self._children]
        if not is_whole.all():
            self._ends[~is_whole] = 0.0
        actors.touch(self._polydata)
