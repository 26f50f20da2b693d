"""Pick ray: a pixel as visuals are asked what of them lies under it, and what they answer.

All by projection in numpy: no render, no VTK picker. Marks (the origins of frames, points, measurements) win over lines
(axes, arrows of sensors, elements, rings), and lines over the bodies; what an opaque body hides is not hit, except on
the body's own frame. Of several the nearest to the pointer comes first, all are told, so that a second click at the
same place can take the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
"""How far from a mark or a line the pointer still means it, logical pixels."""

MARK, LINE, SOLID, GLASS = range(4)
"""What comes first."""


@dataclass(frozen=True)
class PickHit:
    """An item under the pointer: what it is, its class, how far the pointer is off (pixels), and its depth (m)."""

    key: ItemKey
    rank: int
    miss: float
    depth: float
    i_frame: int = -1


class PickRay:
    """A device pixel, from the lower left, of the picture of a tick."""

    def __init__(self, tick: Tick, projection: Projection, x: float, y: float) -> None:
        self.tick, self.projection = tick, projection
        self.pointer = np.array([x, y])
        self.start, self.direction = projection.ray_start(x, y), projection.ray(x, y)

    def on_mark(self, key: ItemKey, p_W: Array, row: int = -1) -> Iterator[PickHit]:
        """Yield a hit on a place in world of an item that hangs on the frame of a row."""
        x, y, depth = self.projection.project(p_W)
        miss = float(np.hypot(x - self.pointer[0], y - self.pointer[1]))
        if depth > 0.0 and miss <= MARK_RADIUS * self.projection.scale:
            yield PickHit(key, MARK, miss, float(depth), row)

    def on_lines(
        self, key: ItemKey, begin_W: Array, ends_W: Array, row: int = -1, radius: float = 0.0
    ) -> Iterator[PickHit]:
        """Yield a hit on the nearest of some lines that begin together, and may be as thick as a radius, m."""
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
    """Return what the pointer means of all that was hit, the best first and each item once."""
    found = list(hits)
    walls = (hit for hit in found if hit.rank == SOLID)
    wall = min(walls, key=lambda hit: hit.depth, default=None)
    seen = [
        hit
        for hit in found
        if wall is None or hit.rank >= SOLID or hit.depth <= wall.depth or hit.i_frame == wall.i_frame
    ]
    seen.sort(key=lambda hit: (hit.rank, round(hit.miss / (2.0 * scale)), hit.depth, ITEM_KINDS.index(hit.key[0])))
    best: dict[ItemKey, PickHit] = {}
    for hit in seen:
        best.setdefault(hit.key, hit)
    return list(best.values())
