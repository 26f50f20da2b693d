"""Trails: past paths of frames, lines that fade with age."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.evaluation.signal_curves import TRAIL_POINTS
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors

Array = NDArray[np.float64]

WIDTH = 2.0
OPACITY = 0.9


class Trails(Visual):
    """All trails as one actor of lines; their points are rolled in place, their colours never change."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._trails = context.view_data.trails
        count = len(self._trails)
        if not count:
            return
        first = np.arange(count)[:, None] * TRAIL_POINTS + np.arange(TRAIL_POINTS - 1)
        cells = np.stack([first, first + 1], axis=-1).reshape(-1, 2)
        self.polydata = pv.PolyData(np.zeros((count * TRAIL_POINTS, 3), dtype=np.float32), lines=pv_cells(cells))
        colors = np.tile(rgba(context.theme.frame_a), (TRAIL_POINTS, 1))
        colors[:, 3] = np.round(255 * OPACITY * np.linspace(0.0, 1.0, TRAIL_POINTS))
        set_colors(self.polydata, np.tile(colors, (count, 1)))
        self._points = actors.points_of(self.polydata).reshape(count, TRAIL_POINTS, 3)
        line = actors.lines(self.polydata, context.px(WIDTH))
        # Said once, or VTK would look through the colours each tick.
        line.ForceTranslucentOn()
        self.scene_actors.append(line)

    def show(self, tick: Tick) -> None:
        """Take the past positions; a trail without any collapses."""
        for points, trail in zip(self._points, self._trails, strict=True):
            points[:] = fitted(tick.trails.get(trail.frame))
        actors.touch(self.polydata)


def fitted(positions: Array | None) -> Array:
    """Return a path as `TRAIL_POINTS` points: the newest ones; short ones begin with their oldest, repeated.

    Where a frame had no pose the path jumps to the next place it is known at.
    """
    if positions is None or not len(positions):
        return np.zeros((1, 3))
    positions = np.ascontiguousarray(positions)  # or numpy would take larger buffers to look through it
    if not np.isfinite(positions).all():
        is_known = np.isfinite(positions).all(axis=1)
        if not is_known.any():
            return np.zeros((1, 3))
        # The index of the next known position, or of the last one.
        known = np.flatnonzero(is_known)
        at = np.searchsorted(known, np.arange(len(positions)))
        positions = positions[known[np.minimum(at, len(known) - 1)]]
    missing = TRAIL_POINTS - len(positions)
    if missing > 0:
        positions = np.concatenate([np.repeat(positions[:1], missing, axis=0), positions])
    return positions[-TRAIL_POINTS:]
