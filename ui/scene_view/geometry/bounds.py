"""Bounds of the scene, for the clipping planes of each tick and for fitting the camera."""

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
    """Bounding sphere of all frames, including the things drawn around them, and of other points."""

    def __init__(self, view_data: ViewData, body_reaches: Mapping[str, float]) -> None:
        """Take the reach of each body's shape from its own origin, m."""
        sizes = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        self._triads = sizes.copy()
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
        self._others = np.where(sizes > self._triads, sizes, 0.0)
        # Buffers, so that a tick allocates nothing large.
        self._at, self._ends = np.empty((2, len(sizes)))
        self._is_lost = np.empty(len(sizes), dtype=bool)

    def sphere(self, snapshot: Snapshot, others: Iterable[Array] = ()) -> tuple[Array, float]:
        """Return centre and radius, m; `others` are points ``(n, 3)`` in world, whose NaN rows are ignored."""
        at, ends = self._at, self._ends
        np.logical_not(snapshot.is_posed, out=self._is_lost)
        low, high = np.empty(3), np.empty(3)
        for k in range(3):
            np.copyto(at, snapshot.p_WF[:, k])
            low[k] = self._replace_lost(np.subtract(at, self._sizes, out=ends)).min()
            high[k] = self._replace_lost(np.add(at, self._sizes, out=ends)).max()
        for points in others:
            lowest, highest = np.fmin.reduce(points, axis=0), np.fmax.reduce(points, axis=0)
            if np.isfinite(lowest).all() and np.isfinite(highest).all():
                np.minimum(low, lowest, out=low)
                np.maximum(high, highest, out=high)
        return (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, SMALLEST)

    @property
    def longest_axis(self) -> float:
        """Length of the longest drawn triad, m; 0 if there is none."""
        return float(self._triads.max(initial=0.0))

    def points(self, snapshot: Snapshot, right: Array, up: Array) -> Array:
        """Return points (n, 3) around all drawn frames: ends of their axes, and reaches to the sides of a picture, m.

        The snapshot may hold several times.
        """
        posed = snapshot.is_posed
        has_axes, has_more = posed & (self._triads > 0.0), posed & (self._others > 0.0)
        p, axes = snapshot.p_WF, np.swapaxes(snapshot.R_WF, -1, -2) * self._triads[:, np.newaxis, np.newaxis]
        ends = (p[..., np.newaxis, :] + axes)[has_axes].reshape(-1, 3)
        reaches = self._others[np.nonzero(has_more)[-1]][:, np.newaxis]
        sides = [p[has_more] + way * reaches for way in (right, -right, up, -up)]
        points = np.concatenate([p[has_axes], ends, *sides])
        return points if len(points) else p[posed]

    def sphere_of(self, row: int, snapshot: Snapshot) -> tuple[Array, float]:
        """Return centre and radius of everything drawn around one frame, m."""
        return snapshot.p_WF[row], max(float(self._sizes[row]), SMALLEST)

    def reach(self, row: int, rows: Sequence[int], snapshot: Snapshot) -> float:
        """Return the reach of everything drawn around some frames from the origin of the frame `row`, m."""
        away = np.linalg.norm(snapshot.p_WF[rows] - snapshot.p_WF[row], axis=1) + self._sizes[rows]
        return max(float(np.nanmax(away, initial=0.0)), SMALLEST)

    def _replace_lost(self, ends: Array) -> Array:
        # A frame without a pose is replaced by the world origin, which is included in any case.
        np.copyto(ends, 0.0, where=self._is_lost)
        return ends
