"""Pick ray: finds the items under a pixel by asking each visual.

Picking is projection in numpy: no render, no VTK picker. Marks (origins of frames, points, measurements) win over lines
(axes, sensor arrows, elements, rings), and lines over bodies. An item hidden by an opaque body is not hit, except on
the body's own frame. The hit nearest to the pointer comes first. All hits are returned, so that a second click at the
same place can select the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.scene.schema.model import ITEM_KINDS, ItemKey
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.drag_geometry import distances_to_segments

Array = NDArray[np.float64]

MARK_RADIUS = 11.0
LINE_RADIUS = 7.0
"""Distance from a mark or a line within which the pointer hits it, logical pixels."""

MARK, LINE, SOLID, GLASS = range(4)
"""Ranks of hits, in order of priority."""


@dataclass(frozen=True)
class PickHit:
    """An item under the pointer: its key, rank, distance from the pointer (pixels) and depth (m)."""

    key: ItemKey
    rank: int
    miss: float
    depth: float
    i_frame: int = -1


class PickRay:
    """A device pixel of a tick's picture, counted from the lower left corner."""

    def __init__(self, tick: Tick, projection: Projection, x: float, y: float) -> None:
        self.tick, self.projection = tick, projection
        self.pointer = np.array([x, y])
        self.start, self.direction = projection.ray_start(x, y), projection.ray(x, y)

    def on_mark(self, key: ItemKey, p_W: Array, row: int = -1) -> Iterator[PickHit]:
        """Yield a hit on a mark at a position in world; its item is attached to the frame of a row."""
        x, y, depth = self.projection.project(p_W)
        miss = float(np.hypot(x - self.pointer[0], y - self.pointer[1]))
        if depth > 0.0 and miss <= MARK_RADIUS * self.projection.scale:
            yield PickHit(key, MARK, miss, float(depth), row)

    def on_plates(self, keys: Sequence[ItemKey], boxes: Array) -> Iterator[PickHit]:
        """Yield a hit on each item whose plate is under the pixel; plates cover everything else.

        Parameters
        ----------
        keys
            Items of the plates.
        boxes : (n, 4)
            Left, bottom, right and top of each plate, device pixels; NaN if it is not visible.
        """
        x, y = self.pointer
        left, bottom, right, top = boxes.T
        with np.errstate(invalid="ignore"):
            is_there = (left <= x) & (x <= right) & (bottom <= y) & (y <= top)
        for k in np.flatnonzero(is_there).tolist():
            yield PickHit(keys[k], MARK, 0.0, 0.0)

    def on_lines(
        self, key: ItemKey, begin_W: Array, ends_W: Array, row: int = -1, radius: float = 0.0
    ) -> Iterator[PickHit]:
        """Yield a hit on the nearest of several lines with a common start, up to `radius` thick, m."""
        projection = self.projection
        begin, ends = projection.project(begin_W), projection.project(ends_W)
        is_seen = (ends[:, 2] > 0.0) & (begin[2] > 0.0)
        if not is_seen.any():
            return
        misses = distances_to_segments(self.pointer, np.broadcast_to(begin[:2], (len(ends), 2)), ends[:, :2])
        misses = np.where(is_seen, misses, np.inf)
        k = int(np.argmin(misses))
        thick = radius / projection.metres_per_pixel(begin_W) if radius else 0.0
        if misses[k] <= max(LINE_RADIUS * projection.scale, thick):
            yield PickHit(key, LINE, float(misses[k]), float(min(begin[2], ends[k, 2])), row)


def in_order(hits: Iterable[PickHit], scale: float) -> list[PickHit]:
    """Return the visible hits, the best first and each item once."""
    all_hits = list(hits)
    walls = (hit for hit in all_hits if hit.rank == SOLID)
    wall = min(walls, key=lambda hit: hit.depth, default=None)
    visible = [
        hit
        for hit in all_hits
        if wall is None or hit.rank >= SOLID or hit.depth <= wall.depth or hit.i_frame == wall.i_frame
    ]
    visible.sort(key=lambda hit: (hit.rank, round(hit.miss / (2.0 * scale)), hit.depth, ITEM_KINDS.index(hit.key[0])))
    best: dict[ItemKey, PickHit] = {}
    for hit in visible:
        best.setdefault(hit.key, hit)
    return list(best.values())
