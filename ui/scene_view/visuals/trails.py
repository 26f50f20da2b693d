"""Trails: past paths of frames, as lines that fade with age."""

from __future__ import annotations

import itertools

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.evaluation.signal_curves import PATH_POINTS, TRAIL_POINTS
from framescope.core.scene.schema.references import has_transforms
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors

Array = NDArray[np.float64]

WIDTH = 2.0
OPACITY, WHOLE_OPACITY = 0.9, 0.6


class Trails(Visual):
    """All trails as one actor of lines; points are updated in place, colours never change."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._trails = context.view_data.trails
        self._ends: tuple[Array, ...] = ()
        if not self._trails:
            return
        counts = [PATH_POINTS if trail.duration is None else TRAIL_POINTS for trail in self._trails]
        first = np.cumsum([0, *counts])
        starts = np.concatenate([np.arange(a, b - 1) for a, b in itertools.pairwise(first.tolist())])
        cells = np.stack([starts, starts + 1], axis=-1)
        self.polydata = pv.PolyData(np.zeros((int(first[-1]), 3), dtype=np.float32), lines=pv_cells(cells))
        colors = np.tile(rgba(context.theme.frame_a), (int(first[-1]), 1))
        fading = [
            np.full(n, WHOLE_OPACITY) if trail.duration is None else OPACITY * np.linspace(0.0, 1.0, n)
            for trail, n in zip(self._trails, counts, strict=True)
        ]
        colors[:, 3] = np.round(255 * np.concatenate(fading))
        set_colors(self.polydata, colors)
        self._points = np.split(actors.points_of(self.polydata), first[1:-1])
        line = actors.lines(self.polydata, context.px(WIDTH))
        # Set once, otherwise VTK would scan the colours at each tick.
        line.ForceTranslucentOn()
        self.scene_actors.append(line)

    def show(self, tick: Tick) -> None:
        """Update the past positions; an empty trail is hidden."""
        for points, trail in zip(self._points, self._trails, strict=True):
            points[:] = resize_path(tick.trails.get(trail.frame), len(points))
        if not self._ends:  # whole paths do not change
            whole = [of for of, trail in zip(self._points, self._trails, strict=True) if trail.duration is None]
            self._ends = tuple(np.stack([points.min(axis=0), points.max(axis=0)]).astype(float) for points in whole)
        actors.touch(self.polydata)

    def reach_W(self) -> tuple[Array, ...]:
        """Return the bounding corners of whole paths; trails of the last seconds vary with time and do not count."""
        return self._ends

    def fit_W(self) -> tuple[Array, ...]:
        """Return nothing for the drive of a bag: its robot would be too small to see."""
        return () if has_transforms(self.context.plan.scene) else self._ends


def resize_path(positions: Array | None, n: int = TRAIL_POINTS) -> Array:
    """Return the newest `n` points of a path; a shorter path is padded with its oldest point.

    A position without a pose is replaced by the next known one.
    """
    if positions is None or not len(positions):
        return np.zeros((1, 3))
    positions = np.ascontiguousarray(positions)  # otherwise numpy would allocate larger buffers to scan it
    if not np.isfinite(positions).all():
        is_known = np.isfinite(positions).all(axis=1)
        if not is_known.any():
            return np.zeros((1, 3))
        # Index of the next known position, or of the last one.
        known_rows = np.flatnonzero(is_known)
        at = np.searchsorted(known_rows, np.arange(len(positions)))
        positions = positions[known_rows[np.minimum(at, len(known_rows) - 1)]]
    missing = n - len(positions)
    if missing > 0:
        positions = np.concatenate([np.repeat(positions[:1], missing, axis=0), positions])
    return positions[-n:]
