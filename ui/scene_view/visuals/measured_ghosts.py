"""Measured poses as ghosts: a pale triad at the measured pose, and a dashed line to the frame's pose in the tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.ui.scene_view.base.animated_nodes import (
    AnimatedItem,
    AnimatedItems,
    Followed,
    FollowedItems,
    NodeSource,
    PosedItems,
)
from framescope.ui.scene_view.base.node_shapes import NodeShape
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba
from framescope.ui.scene_view.visuals.triads import MergedTriads, arrow_template, triad_shapes
from framescope.ui.theme.tokens import Theme

Array = NDArray[np.float64]

OPACITY = 0.4
LENGTH = 1.3
"""Length of the ghost's axes relative to the frame's, so that a nearly correct measurement remains visible."""
DASHES = 9

MEASURED, MEASURED_PARTS = "measured poses", "measured positions and orientations"
"""Plural names of measurements in messages: of whole poses, and of parts."""


class MeasuredGhosts(Visual):
    """All pose measurements. They are shown beside the frames of the tree and drive nothing."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        measurements = context.plan.instruments.measurements
        hidden = context.view_data.hidden
        self.names = [
            name
            for name, measurement in measurements.items()
            if measurement.pose is not None and ("measured", name) not in hidden
        ]
        count = len(self.names)
        if not count:
            return
        theme, index = context.theme, context.plan.index
        self._rows = np.array([index[measurements[name].of] for name in self.names])
        self.lengths = LENGTH * context.view_data.triad_length[self._rows]
        self._R_WM, self._p_WM = np.full((count, 3, 3), np.nan), np.full((count, 3), np.nan)
        self._p_WF, self._gap = np.zeros((count, 3)), np.zeros((count, 3))
        self._is_known = np.zeros(count, dtype=bool)
        colors = np.array([rgba(color) for color in (*theme.axes, theme.quiet)], dtype=np.uint8)
        self.triads = MergedTriads(arrow_template(is_fine=True), count, colors)
        ghost = actors.surface(self.triads.polydata, opacity=OPACITY)
        ghost.ForceTranslucentOn()
        ends = np.arange(2 * DASHES * count).reshape(-1, 2)
        self.gaps = pv.PolyData(np.zeros((2 * DASHES * count, 3), dtype=np.float32), lines=pv_cells(ends))
        self._dashes = actors.points_of(self.gaps).reshape(count, 2 * DASHES, 3)
        shares = np.arange(2 * DASHES) / (2 * DASHES - 1)
        self._shares = shares[:, None].astype(np.float32)
        self.scene_actors += [ghost, actors.lines(self.gaps, context.px(1.5), theme.text, opacity=0.8)]

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the measurements and their frames."""
        return [
            (measurement.name, measurement.of, measurement.pose is None)
            for measurement in plan.instruments.measurements.values()
        ]

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the measurements under a pixel."""
        hidden = ray.tick.plan.view_data.hidden
        for name, measurement in ray.tick.snapshot.measurements.items():
            p_WM = measurement.p_WM
            if ("measured", name) not in hidden and p_WM is not None and np.isfinite(p_WM).all():
                yield from ray.on_mark(("measured", name), p_WM)

    @property
    def poses(self) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
        """Poses of the measurements, displacements to the frames, in world, and which are known."""
        return self._R_WM, self._p_WM, self._gap, self._is_known

    def show(self, tick: Tick) -> None:
        """Update the ghosts from the measurements of a tick; a measurement without a value then is hidden."""
        snapshot = tick.snapshot
        for i, name in enumerate(self.names):
            measurement = snapshot.measurements[name]
            self._R_WM[i] = np.nan if measurement.R_WM is None else measurement.R_WM
            self._p_WM[i] = np.nan if measurement.p_WM is None else measurement.p_WM
            self._is_known[i] = np.isfinite(self._R_WM[i]).all() and np.isfinite(self._p_WM[i]).all()
        self.triads.update(self._R_WM, self._p_WM, self.lengths, self._is_known)
        np.take(snapshot.p_WF, self._rows, axis=0, out=self._p_WF, mode="clip")
        np.subtract(self._p_WF, self._p_WM, out=self._gap)
        for dashes, gap, start in zip(self._dashes, self._gap, self._p_WM, strict=True):
            is_open = bool(np.isfinite(gap).all())
            np.multiply(self._shares, gap if is_open else 0.0, out=dashes, casting="same_kind")
            np.add(dashes, start if is_open else 0.0, out=dashes, casting="same_kind")
        actors.touch(self.gaps)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:  # noqa: ARG002
        """Yield the reference frame of each measured pose, then both frames of each gap.

        A partial measurement follows both frames.
        """
        measurements = [plan.instruments.measurements[name] for name in self.names]
        pairs = [(plan.index[pose.relative_to], plan.index[pose.of]) for pose in measurements]
        words = [MEASURED if pose.has_position and pose.has_orientation else MEASURED_PARTS for pose in measurements]
        for what, rows in zip(words, pairs, strict=True):
            yield Followed(what, rows[:1] if what == MEASURED else rows)
        yield from (Followed(what, rows) for what, rows in zip(words, pairs, strict=True))

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the ghosts and their gaps."""
        yield MeasuredItems(self, self.context.theme)


class MeasuredItems(PosedItems):
    """Items of measured poses: pale triads, and dashed lines to the frames."""

    def __init__(self, measurements: MeasuredGhosts, theme: Theme) -> None:
        self._measurements = measurements
        dashes = np.linspace(0.0, 1.0, 18)
        points = np.stack([np.zeros(18), np.zeros(18), dashes], axis=-1)
        r, g, b, _ = (channel / 255 for channel in rgba(theme.text))
        gap = NodeShape(points, np.arange(18).reshape(-1, 2), (r, g, b, 0.8))
        items: list[AnimatedItem] = []
        for name, length in zip(measurements.names, measurements.lengths.tolist(), strict=True):
            triad = triad_shapes(arrow_template(is_fine=True), theme, OPACITY, length)
            items.append(AnimatedItem(f"measurement {name}", triad))
        items += [AnimatedItem(f"gap of {name}", (gap,), extent=0.0) for name in measurements.names]
        super().__init__(items)

    def take(self) -> None:
        """Record the current measurements."""
        measurements, n = self._measurements, len(self._measurements.names)
        R_WM, p_WM, gaps, is_known = measurements.poses
        along = AxesAlong(n)
        along.turn(gaps)
        for i in np.flatnonzero(is_known).tolist():
            self.p[i] = self.p[n + i] = p_WM[i]
            self.R[i] = nearest_rotation(R_WM[i])[0]
            self.is_seen[i], self.is_seen[n + i] = True, bool(along.is_given[i])
            if along.is_given[i]:
                self.R[n + i] = along.axes[:, i].T
                self.size[n + i, 2] = along.lengths[i]
        self.end()
