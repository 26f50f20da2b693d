"""Bounds of the scene: for the clipping planes of every tick, and to fit it into the picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewData
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.geometry.gimbal_geometry import AXIS_REACHES

Array = NDArray[np.float64]

SMALLEST = 1e-3


class Bounds:
    """The sphere about all frames, with what is drawn around them, and about other points."""

    def __init__(self, view_data: ViewData, body_reaches: Mapping[str, float]) -> None:
        """Take how far the shape of each body reaches from its own origin, m."""
        sizes = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        for rings in view_data.rings:
            sizes[rings.i_frame] = max(sizes[rings.i_frame], max(AXIS_REACHES) * rings.radius)
        for arcs in view_data.arcs:
            sizes[arcs.i_frame] = max(sizes[arcs.i_frame], 1.2 * arcs.radius)
        for stages in view_data.intermediate_frames:
            sizes[stages.i_frame] = max(sizes[stages.i_frame], 1.1 * stages.length)
        for body in view_data.bodies:
            reach = float(np.linalg.norm(body.p_FB)) + body_reaches[body.name]
            sizes[body.i_frame] = max(sizes[body.i_frame], reach)
        self._sizes = sizes
        # Kept, so that a tick allocates nothing large.
        self._at, self._ends = np.empty((2, len(sizes)))
        self._is_lost = np.empty(len(sizes), dtype=bool)

    def sphere(self, snapshot: Snapshot, others: Iterable[Array] = ()) -> tuple[Array, float]:
        """Return the centre and the radius, m; of other points ``(n, 3)``, in world, those that are numbers count."""
        at, ends = self._at, self._ends
        np.logical_not(snapshot.is_posed, out=self._is_lost)
        low, high = np.empty(3), np.empty(3)
        for k in range(3):
            np.copyto(at, snapshot.p_WF[:, k])
            low[k] = self._at_posed(np.subtract(at, self._sizes, out=ends)).min()
            high[k] = self._at_posed(np.add(at, self._sizes, out=ends)).max()
        for points in others:
            lowest, highest = np.fmin.reduce(points, axis=0), np.fmax.reduce(points, axis=0)
            if np.isfinite(lowest).all() and np.isfinite(highest).all():
                np.minimum(low, lowest, out=low)
                np.maximum(high, highest, out=high)
        return (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, SMALLEST)

    def sphere_of(self, row: int, snapshot: Snapshot) -> tuple[Array, float]:
        """Return the centre and the radius of what is drawn around one frame, m."""
        return snapshot.p_WF[row], max(float(self._sizes[row]), SMALLEST)

    def reach(self, row: int, rows: Sequence[int], snapshot: Snapshot) -> float:
        """Return how far what is drawn around some frames goes from the origin of one, m."""
        away = np.linalg.norm(snapshot.p_WF[rows] - snapshot.p_WF[row], axis=1) + self._sizes[rows]
        return max(float(np.nanmax(away, initial=0.0)), SMALLEST)

    def _at_posed(self, ends: Array) -> Array:
        # A frame without a pose stands in for the origin of the world, which is among the others in any case.
        np.copyto(ends, 0.0, where=self._is_lost)
        return ends
