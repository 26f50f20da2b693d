"""The ground: lines at the authored spacing and fifths of it, fading to nothing with distance."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.ui.theme import channels
from framescope.ui.view import actors
from framescope.ui.view.context import ViewContext, Visual
from framescope.ui.view.meshes import pv_cells, set_colors

FIFTHS = 5
PIECES = 48
"""Pieces per line: alpha is given at vertices, and must follow a round shape."""


class Grid(Visual):
    """A grid in the world's ground plane, centred on its origin."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        spacing = context.staging.grid
        lines = 9
        reach = lines * spacing
        theme = context.theme
        color, alpha_major, alpha_minor = ("#8FA0B4", 0.34, 0.13) if theme.is_dark else ("#5B6F86", 0.42, 0.17)
        fine = spacing / FIFTHS
        at = np.arange(-lines * FIFTHS, lines * FIFTHS + 1)
        is_major = at % FIFTHS == 0
        for chosen, strength, width in ((~is_major, alpha_minor, 1.0), (is_major, alpha_major, 1.0)):
            polydata = _crossed_lines(at[chosen] * fine, reach, channels(color), strength)
            self.scene_actors.append(actors.lines(polydata, context.px(width)))


def _crossed_lines(
    at: NDArray[np.floating], reach: float, color: tuple[float, float, float], strength: float
) -> pv.PolyData:
    """Return lines along x and y at the given offsets, alpha falling to zero at `reach`."""
    along = np.linspace(-reach, reach, PIECES + 1)
    points = np.zeros((2, len(at), PIECES + 1, 3))
    points[0, ..., 0] = points[1, ..., 1] = along
    points[0, ..., 1] = points[1, ..., 0] = at[:, None]
    points = points.reshape(-1, 3)
    first = np.arange(len(points)).reshape(-1, PIECES + 1)
    cells = np.stack([first[:, :-1].ravel(), first[:, 1:].ravel()], axis=-1)
    share = np.clip(1.0 - np.hypot(points[:, 0], points[:, 1]) / reach, 0.0, 1.0)
    fade = share * share * (3.0 - 2.0 * share)
    # Pieces that nobody can see would still be rasterised.
    cells = cells[fade[cells].max(axis=1) * strength > 1 / 255]
    colors = np.empty((len(points), 4), dtype=np.uint8)
    colors[:, :3] = np.round(255 * np.array(color))
    colors[:, 3] = np.round(255 * strength * fade)
    polydata = pv.PolyData(points.astype(np.float32), lines=pv_cells(cells))
    set_colors(polydata, colors)
    return polydata


def grid_note(spacing: float) -> str:
    """Return the line that says what a square of the grid measures.

    >>> grid_note(0.5), grid_note(0.002)
    ('grid 0.5 m', 'grid 2 mm')
    """
    return f"grid {spacing * 1000:g} mm" if spacing < 0.01 else f"grid {spacing:g} m"
