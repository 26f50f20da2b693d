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
from framescope.core.scene.model import WORLD
from framescope.ui.view import actors
from framescope.ui.view.camera import Projection
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.meshes import pv_cells, rgba
from framescope.ui.view.nearest import Nearest
from framescope.ui.view.overlay import BAR_HEIGHT, SOURCE_HEIGHT
from framescope.ui.view.rings import RADII, ring_frames
from framescope.ui.view.sprites import Ground, SpriteBatch, SpriteSheet, TextStyle, rounded_plate

Array = NDArray[np.float64]

ALL_LIMIT = 40
"""Up to how many names all are drawn; of more, those of the nearest frames, the world and the selection."""

NEAREST = 16
NAMES_LIMIT = 1 + 1_000  # the world, and a thousand
"""Of more names than that none is drawn but the world's and the selection's: their pictures would take seconds."""

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
        candidates = np.flatnonzero(staging.has_label)
        self._rows = candidates[:ALL_LIMIT]
        """Of the frame at each place; a place may stay empty."""
        if not len(candidates):
            return
        self._context = context
        self._world = context.names.index(WORLD)
        self._selected: int | None = None
        self._nearest: Nearest | None = None
        if len(candidates) > ALL_LIMIT:
            self._rows = np.full(NEAREST + 2, self._world)
            self._nearest = Nearest(candidates if len(candidates) <= NAMES_LIMIT else candidates[:0])
        self._is_used = np.ones(len(self._rows), dtype=bool)
        theme = context.theme
        self._style, self._plate = TextStyle(theme.text, 13, 500), Ground(theme.scene_top)
        # A sheet of its own where names are added later.
        self._sheet = context.sheet if len(candidates) <= NAMES_LIMIT else SpriteSheet(context.scale)
        self._sprites: dict[int, int] = {}
        for row in {self._world, *(self._rows if self._nearest is None else self._nearest.candidates)}:
            self._add_name(int(row))
        if self._sheet is not context.sheet:
            self._sheet.pack()
        names = [self._sprites[int(row)] for row in self._rows]
        self._batch = SpriteBatch(self._sheet, names)
        self._rings = {rings.i_frame: rings for rings in staging.rings}
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

    def _add_name(self, row: int) -> None:
        if row not in self._sprites:
            self._sprites[row] = self._sheet.text(self._context.names[row], self._style, self._plate)

    def select(self, name: str | None) -> None:
        """Draw the name of the selected frame, however many there are."""
        if not len(self._rows) or self._nearest is None:
            return
        row = None if name is None or name not in self._context.plan.index else self._context.plan.index[name]
        self._selected = row if row is not None and self._context.staging.has_label[row] else None
        if self._selected is not None and self._selected not in self._sprites:
            self._add_name(self._selected)
            self._sheet.pack()
            self._batch.refresh()

    def show(self, tick: Tick) -> None:
        """Remember the moment; names are placed with the camera."""
        self._snapshot = tick.snapshot

    def place(self, projection: Projection) -> None:
        """Put the names on the picture."""
        if not len(self._rows):
            return
        self._choose(projection)
        snapshot = self._snapshot
        self._p_WF = np.take(snapshot.p_WF, self._rows, axis=0)
        self._R_WF = np.take(snapshot.R_WF, self._rows, axis=0)
        scale = self._context.scale
        origins = projection.project(self._p_WF)
        with np.errstate(invalid="ignore"):
            is_inside = (origins[:, :2] >= 0) & (origins[:, :2] <= (projection.width, projection.height))
            is_visible = snapshot.is_posed[self._rows] & self._is_used & (origins[:, 2] > 0) & is_inside.all(axis=1)
        origins[~is_visible] = 0.0
        sizes = self._batch.sizes
        away = self._away(projection)
        # The plate touches a circle of radius GAP about the origin, whatever its direction.
        reach = GAP * scale + np.abs(away * sizes / 2).max(axis=1)
        anchors = origins[:, :2].copy()
        centers = anchors + away * reach[:, None]
        for k in np.flatnonzero(is_visible).tolist():
            rings = self._rings.get(int(self._rows[k]))
            if rings is not None:
                radius = rings.radius / projection.metres_per_pixel(self._p_WF[k])
                anchors[k] = projection.project(self._on_inner_ring(k, rings, projection))[:2]
                centers[k] = origins[k, :2] + RING_SIDE * (radius * 1.12 + sizes[k, 0] / 2)
        keep_apart(centers, sizes + 4 * scale, is_visible)
        # Nothing is cut off: the name of a frame in the picture is all in the picture.
        half = sizes / 2 + EDGE_GAP * scale
        top, bottom = (BAR_HEIGHT, SOURCE_HEIGHT) if self._context.furniture.title_bar else (0, 0)
        highest = (projection.width, projection.height - top * scale) - half
        lowest = half + np.array([0.0, bottom * scale])
        centers = np.maximum(np.minimum(centers, highest), lowest)
        self._batch.move(centers - sizes / 2, is_visible)
        self._lead(anchors, centers, sizes, is_visible, 26 * scale)

    def _choose(self, projection: Projection) -> None:
        """Give the places to the world, the selection and the nearest frames, where there are too many for all."""
        if self._nearest is None:
            return
        has_label = self._context.staging.has_label
        first = [row for row in (self._world, self._selected) if row is not None and has_label[row]]
        chosen = dict.fromkeys([*first, *self._nearest.choose(NEAREST, self._snapshot, projection).tolist()])
        self._is_used[:] = np.arange(len(self._rows)) < len(chosen)
        for k, row in enumerate(chosen):
            self._rows[k] = row
            self._batch.exchange(k, self._sprites[row])

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


def keep_apart(centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
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
