"""Thin lines from each frame to its current parent, in scenes of few enough frames."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells
from framescope.ui.scene_view.visuals.triads import GPU, SOFTWARE
from framescope.ui.theme.tokens import mix


class Links(Visual):
    """One line per frame that has a parent and shows its link."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        parents = context.plan.tree.parents
        is_child = (parents >= 0) & (np.arange(len(parents)) > 0)
        self._children = np.flatnonzero(is_child & context.view_data.has_link)
        if len(self._children) > (GPU if context.has_gpu else SOFTWARE).lines:
            self._children = self._children[:0]
        count = len(self._children)
        if not count:
            return
        self._parents = parents[self._children]
        self._at, self._is_posed, self._is_lost = np.empty((count, 3)), np.empty(count, bool), np.empty(count, bool)
        cells = pv_cells(np.arange(2 * count).reshape(-1, 2))
        self._polydata = pv.PolyData(np.zeros((2 * count, 3), dtype=np.float32), lines=cells)
        self._ends = actors.points_of(self._polydata).reshape(count, 2, 3)
        color = mix(context.theme.quiet, context.theme.scene_bottom, 0.45)
        self.scene_actors.append(actors.lines(self._polydata, context.px(1), color))

    def show(self, tick: Tick) -> None:
        """Move the ends; a link with an end without a pose is hidden."""
        snapshot, is_lost = tick.snapshot, self._is_lost
        is_lost[:] = False
        if tick.plan.tree.switches:
            self._parents = tick.plan.tree.parents_at(float(snapshot.t))[self._children]
        # Into own buffers ("clip" avoids another one in numpy), so that a tick allocates nothing large.
        for k, rows in enumerate((self._parents, self._children)):
            np.take(snapshot.p_WF, rows, axis=0, out=self._at, mode="clip")
            self._ends[:, k] = self._at
            np.take(snapshot.is_posed, rows, out=self._is_posed, mode="clip")
            np.logical_not(self._is_posed, out=self._is_posed)
            is_lost |= self._is_posed
        np.copyto(self._ends, 0.0, where=is_lost[:, None, None])
        actors.touch(self._polydata)
