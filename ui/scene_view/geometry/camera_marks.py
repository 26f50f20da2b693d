"""Lines on the image of a drawn camera: the axes u and v of its pixels, the principal point, and the optical axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells

Array = NDArray[np.float64]
Stroke = list[tuple[float, float]]

BESIDE, AXIS, HEAD = 0.06, 0.34, 0.035
"""Distance of an image axis from the edge, its length, and the size of its head, in shorter sides of the image."""

LETTER = 0.085
"""Height of the letters u and v, in shorter sides of the image."""

CROSS, GAP = 0.055, 0.02
"""Reach of the arms of the mark at the principal point, and the free part in the middle, in shorter sides."""

DASHES, BEYOND = 14, 1.2
"""Number of dashes of the optical axis, and its length in distances of the image."""

_U: Stroke = [(-0.32, -0.5), (-0.32, 0.2), (-0.2, 0.42), (0.0, 0.5), (0.2, 0.42), (0.32, 0.2), (0.32, -0.5)]
_U_STEM: Stroke = [(0.32, 0.2), (0.32, 0.5)]
_V: Stroke = [(-0.34, -0.5), (0.0, 0.5), (0.34, -0.5)]
"""Strokes of the letters, x right and y down, of height 1."""


def camera_marks(size: Mapping[str, float]) -> pv.PolyData:
    """Return the marks of a camera as lines in its coordinates, from its sizes (m)."""
    points: list[Array] = []
    segments: list[tuple[int, int]] = []
    for line in _lines(size):
        start = sum(map(len, points))
        points.append(line)
        segments += [(start + i, start + i + 1) for i in range(len(line) - 1)]
    return pv.PolyData(np.concatenate(points).astype(np.float32), lines=pv_cells(np.array(segments)))


def _lines(size: Mapping[str, float]) -> Iterator[Array]:
    """Yield polylines (n, 3)."""
    left, top, depth = size["left"], size["top"], size["depth"]
    unit = min(size["right"] - left, size["bottom"] - top)

    def at(stroke: Stroke, x: float, y: float, scale: float) -> Array:
        flat = np.array(stroke) * scale + (x, y)
        return np.column_stack([flat, np.full(len(flat), depth)])

    beside, length, head = BESIDE * unit, AXIS * unit, HEAD * unit
    u_at, v_at = top - beside, left - beside
    yield at([(0.0, 0.0), (length, 0.0)], left, u_at, 1.0)
    yield at([(-1.0, -0.6), (0.0, 0.0), (-1.0, 0.6)], left + length, u_at, head)
    yield at([(0.0, 0.0), (0.0, length)], v_at, top, 1.0)
    yield at([(-0.6, -1.0), (0.0, 0.0), (0.6, -1.0)], v_at, top + length, head)
    letter = LETTER * unit
    for stroke in (_U, _U_STEM):
        yield at(stroke, left + length + letter, u_at, letter)
    yield at(_V, v_at, top + length + letter, letter)
    for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        yield at([(GAP * x, GAP * y), (CROSS * x, CROSS * y)], 0.0, 0.0, unit)
    for i in range(DASHES):
        start, end = (depth * BEYOND * (i + part) / DASHES for part in (0.15, 0.7))
        yield np.array([(0.0, 0.0, start), (0.0, 0.0, end)])
