"""Names of the frames, on plates beside their origins, kept apart and tied by leader lines where far.

A name stands opposite to the sum of its triad's axes as they appear, so that it hides none of them and
moves smoothly; the name of a frame with gimbal rings stands outside them. The place is a function of
the tick alone, never of the one before, so that scrubbing and export agree.
"""

from __future__ import annotations

import math

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.compiling.staging import StagedRings
from framescope.ui.view import actors
from framescope.ui.view.camera import Projection
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.meshes import pv_cells, rgba
from framescope.ui.view.overlay import BAR_HEIGHT, SOURCE_HEIGHT
from framescope.ui.view.rings import RADII, ring_frames
from framescope.ui.view.sprites import Ground, SpriteBatch, TextStyle, rounded_plate

Array = NDArray[np.float64]

LABEL_LIMIT = 1 + 1_000  # the world, and a thousand
APART_LIMIT = 40
"""Above how many no names are drawn, and above how many they are not kept apart."""

ROUNDS = 24
SETTLED = 0.5
"""An overlap in pixels that may stay."""

GAP = 12.0
"""From the origin to the edge of the plate, logical pixels."""

EDGE_GAP = 4.0
"""Between a plate and the edge of the picture, logical pixels."""

LEADER_DOT = 5.0

RING_SIDE = np.array([-0.80, 0.60])
"""Where the name of a gimbal stands, from its centre."""


class Labels(Visual):
    """The names of all frames that show one."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        staging = context.staging
        self._rows = np.flatnonzero(staging.has_label)
        if len(self._rows) > LABEL_LIMIT:
            self._rows = self._rows[:0]
        if not len(self._rows):
            return
        self._context = context
        theme = context.theme
        style = TextStyle(theme.text, 13, 500)
        ground = Ground(theme.scene_top)
        names = [context.sheet.text(context.names[row], style, ground) for row in self._rows]
        self._batch = SpriteBatch(context.sheet, names)
        self._lengths = np.where(staging.has_triad, staging.triad_length, 0.0)[self._rows]
        rings = {rings.i_frame: rings for rings in staging.rings}
        self._rings = {k: rings[int(row)] for k, row in enumerate(self._rows) if int(row) in rings}
        self._leaders = pv.PolyData(
            np.zeros((2 * len(names), 3), dtype=np.float32), lines=pv_cells(np.arange(2 * len(names)).reshape(-1, 2))
        )
        self._leader_ends = actors.points_of(self._leaders).reshape(-1, 2, 3)
        leader = actors.lines(self._leaders, context.px(1), theme.text, opacity=0.75)
        leader.ForceTranslucentOn()
        size = round(context.px(LEADER_DOT))
        dot = context.sheet.add(rounded_plate((size, size), size / 2, rgba(theme.text)))
        self._dots = SpriteBatch(context.sheet, [dot] * len(names))
        self.overlay_actors += [leader, self._dots.actor, self._batch.actor]

    def show(self, tick: Tick) -> None:
        """Remember where the frames are; names are placed with the camera."""
        if not len(self._rows):
            return
        snapshot = tick.snapshot
        self._p_WF = snapshot.p_WF[self._rows]
        self._R_WF = snapshot.R_WF[self._rows]
        self._is_posed = snapshot.is_posed[self._rows]

    def place(self, projection: Projection) -> None:
        """Put the names on the picture."""
        if not len(self._rows):
            return
        scale = self._context.scale
        origins = projection.project(self._p_WF)
        with np.errstate(invalid="ignore"):
            is_inside = (origins[:, :2] >= 0) & (origins[:, :2] <= (projection.width, projection.height))
            is_visible = self._is_posed & (origins[:, 2] > 0) & is_inside.all(axis=1)
        origins[~is_visible] = 0.0
        sizes = self._batch.sizes
        away = self._away(projection)
        # The plate touches a circle of radius GAP about the origin, whatever its direction.
        reach = GAP * scale + np.abs(away * sizes / 2).max(axis=1)
        anchors = origins[:, :2].copy()
        centers = anchors + away * reach[:, None]
        for k, rings in self._rings.items():
            if is_visible[k]:
                radius = rings.radius / projection.metres_per_pixel(self._p_WF[k])
                anchors[k] = projection.project(self._on_inner_ring(k, rings, projection))[:2]
                centers[k] = origins[k, :2] + RING_SIDE * (radius * 1.12 + sizes[k, 0] / 2)
        if len(self._rows) <= APART_LIMIT:
            _keep_apart(centers, sizes + 4 * scale, is_visible)
        # Nothing is cut off: the name of a frame in the picture is all in the picture.
        half = sizes / 2 + EDGE_GAP * scale
        top, bottom = (BAR_HEIGHT, SOURCE_HEIGHT) if self._context.furniture.title_bar else (0, 0)
        highest = (projection.width, projection.height - top * scale) - half
        lowest = half + np.array([0.0, bottom * scale])
        centers = np.maximum(np.minimum(centers, highest), lowest)
        self._batch.move(centers - sizes / 2, is_visible)
        self._lead(anchors, centers, sizes, is_visible, 26 * scale)

    def _on_inner_ring(self, k: int, rings: StagedRings, projection: Projection) -> Array:
        """Return the point of the inner ring that lies farthest to the side of its name."""
        plane = self._R_WF[k] @ ring_frames(rings.sequence)[2][:, :2]
        side = (RING_SIDE @ projection.camera.axes()[:2]) @ plane
        length = np.hypot(*side)
        side = side / length if length > 1e-9 else np.array([1.0, 0.0])
        return self._p_WF[k] + RADII[2] * rings.radius * (plane @ side)

    def _away(self, projection: Projection) -> Array:
        """Return unit directions on the picture, opposite to the sum of the axes; downward when it vanishes."""
        R_CW = projection.camera.axes()
        with np.errstate(invalid="ignore"):
            along = self._R_WF.sum(axis=-1) @ R_CW.T
        away = -along[:, :2] + (0.0, -0.35)
        length = np.hypot(away[:, 0], away[:, 1])
        is_short = ~(length > 1e-6)
        away[is_short], length[is_short] = (0.0, -1.0), 1.0
        return away / length[:, None]

    def _lead(self, anchors: Array, centers: Array, sizes: Array, is_visible: NDArray[np.bool_], limit: float) -> None:
        """Draw a line from the anchor to the nearest edge of a plate that stands far from it."""
        half = sizes / 2
        edges = np.clip(anchors, centers - half, centers + half)
        is_far = is_visible & (np.hypot(*(edges - anchors).T) > limit)
        self._leader_ends[:, 0, :2] = np.where(is_far[:, None], anchors, 0.0)
        self._leader_ends[:, 1, :2] = np.where(is_far[:, None], edges, 0.0)
        actors.touch(self._leaders)
        self._dots.move(anchors - self._dots.sizes / 2, is_far)


def _keep_apart(centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
    """Push overlapping plates apart, along the axis of lesser overlap, until all are or the rounds are over."""
    shown = np.flatnonzero(is_visible)
    # Plain floats: each pair must see where the pair before it went, which arrays could not.
    plates = np.hstack([centers[shown], sizes[shown] / 2]).tolist()
    for _ in range(ROUNDS):
        is_settled = True
        for i, a in enumerate(plates):
            for b in plates[i + 1 :]:
                gap_x, gap_y = b[0] - a[0], b[1] - a[1]
                over_x, over_y = a[2] + b[2] - abs(gap_x), a[3] + b[3] - abs(gap_y)
                if over_x <= SETTLED or over_y <= SETTLED:
                    continue
                is_settled = False
                axis, over, gap = (0, over_x, gap_x) if over_x < over_y else (1, over_y, gap_y)
                shift = math.copysign(over / 2, gap)
                a[axis] -= shift
                b[axis] += shift
        if is_settled:
            break
    centers[shown] = np.array(plates).reshape(-1, 4)[:, :2]
