"""Stale frames: last known poses of recorded frames, paler with age, with dashed lines to their parents."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.stale_frames import has_stale_frames, stale_frames
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors

MOST = 300
"""Maximum number of stale frames drawn."""

DASHES = 7
"""Number of dashes of a line to the parent."""

HALF_S, PALEST = 2.0, 0.25
"""Age at which the opacity is halved, s, and minimum opacity."""

STRONGEST = 0.8

_LINES = 3 + DASHES


class StaleFramesVisual(Visual):
    """The axes of each stale frame as thin lines, and a dashed line to its parent."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._rows: list[int] = []
        if not has_stale_frames(context.plan.tree):
            return
        count = 2 * _LINES * MOST
        cells = pv_cells(np.arange(count).reshape(-1, 2))
        self.polydata = pv.PolyData(np.zeros((count, 3), dtype=np.float32), lines=cells)
        theme = context.theme
        axes = [rgba(color) for color in (theme.axis_x, theme.axis_y, theme.axis_z)]
        line_colors = np.array([*axes, *[rgba(theme.quiet)] * DASHES], dtype=np.uint8)
        self.line_colors = np.tile(np.repeat(line_colors, 2, axis=0), (MOST, 1))
        self.line_colors[:, 3] = 0
        set_colors(self.polydata, self.line_colors)
        self.line_ends = actors.points_of(self.polydata).reshape(MOST, _LINES, 2, 3)
        line = actors.lines(self.polydata, context.px(1.5))
        line.ForceTranslucentOn()
        self.scene_actors.append(line)

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        return has_stale_frames(plan.tree)

    def show(self, tick: Tick) -> None:
        """Place the axes at the last known poses; unused lines are hidden."""
        stale = stale_frames(tick.plan.tree, tick.snapshot)
        n = min(len(stale.rows), MOST)
        self._rows = stale.rows[:n].tolist()
        self.line_ends[n:] = 0.0
        origin = stale.p_WF[:n, np.newaxis]
        lengths = tick.plan.view_data.triad_length[stale.rows[:n]].reshape(n, 1, 1)
        self.line_ends[:n, :3, 0] = origin
        self.line_ends[:n, :3, 1] = origin + lengths * np.swapaxes(stale.R_WF[:n], -1, -2)
        begin = stale.p_WP[:n, np.newaxis]
        parts = (np.arange(2 * DASHES) / (2 * DASHES - 1)).reshape(1, DASHES, 2, 1)
        self.line_ends[:n, 3:] = begin[:, :, np.newaxis] + parts * (origin - begin)[:, :, np.newaxis]
        strength = np.maximum(STRONGEST * 0.5 ** (stale.age[:n] / HALF_S), PALEST)
        self.line_colors.reshape(MOST, 2 * _LINES, 4)[:n, :, 3] = np.round(255 * strength)[:, np.newaxis]
        set_colors(self.polydata, self.line_colors)
        actors.touch(self.polydata)
