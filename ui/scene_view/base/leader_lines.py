"""Leader lines to distant plates, and the limits of plates in the picture."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.default_sizes import BAR_HEIGHT, SOURCE_HEIGHT
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, rounded_plate

Array = NDArray[np.float64]

EDGE_GAP = 4.0
"""Gap between a plate and the edge of the picture, logical pixels."""

FAR = 26.0
"""Distance from plate to anchor above which a leader line is drawn, logical pixels."""
DOT = 5.0
OPACITY = 0.75


def limits_of(context: ViewContext, projection: Projection, sizes: Array) -> tuple[Array, Array]:
    """Return the lowest and highest centres ``(n, 2)`` at which plates are fully inside the picture, pixels."""
    half = sizes / 2 + context.px(EDGE_GAP)
    top, bottom = (BAR_HEIGHT, SOURCE_HEIGHT) if context.decorations.title_bar else (0, 0)
    highest = (projection.width, projection.height - context.px(top)) - half
    lowest = half.copy()
    lowest[:, 1] += context.px(bottom)
    return lowest, highest


class Leaders:
    """A line with a dot at its anchor for each plate, below the plates of all visuals."""

    def __init__(self, context: ViewContext, count: int, color: str) -> None:
        self._far = context.px(FAR)
        self._lines = pv.PolyData(
            np.zeros((2 * count, 3), dtype=np.float32), lines=pv_cells(np.arange(2 * count).reshape(-1, 2))
        )
        self.ends = actors.points_of(self._lines).reshape(count, 2, 3)
        line = actors.lines(self._lines, context.px(1), color, opacity=OPACITY)
        line.ForceTranslucentOn()
        size = round(context.px(DOT))
        dot = context.sheet.add(rounded_plate((size, size), size / 2, rgba(color)))
        self._dots = SpriteBatch(context.sheet, [dot] * count)
        self.actors = [line, self._dots.actor] if count else []
        context.leader_actors.extend(self.actors)

    def place(self, anchors: Array, centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
        """Draw a line from each anchor to the nearest edge of its plate if that is far away; all in pixels."""
        half = sizes / 2
        edges = np.clip(anchors, centers - half, centers + half)
        is_far = is_visible & (np.hypot(*(edges - anchors).T) > self._far)
        self.ends[:, 0, :2] = np.where(is_far[:, None], anchors, 0.0)
        self.ends[:, 1, :2] = np.where(is_far[:, None], edges, 0.0)
        actors.touch(self._lines)
        self._dots.move(anchors - self._dots.sizes / 2, is_far)
