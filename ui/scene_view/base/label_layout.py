"""Screen-space label layout: plates are pushed off occupied areas and off each other.

Each picture collects its fixed areas in `OccupiedAreas`; names and values are placed between them. The result is a
function of the tick and the camera alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUNDS = 24
SETTLED = 0.5
"""Overlap that is tolerated, pixels."""

FEW = 12
"""Number of plates up to which wedged plates are moved to a free place. Among more plates, some may overlap."""
DIRECTIONS, STEPS = 16, 7
"""Directions and steps of the search for a free place; a step is one plate height."""

REACH = 90.0
"""Distance from a plate's first place within which areas are considered, logical pixels."""

Bar = tuple[float, float, float, float, float, float]
"""A possibly oblique rectangle: its centre, a unit vector along it, half its length and half its width."""

Near = tuple[Bar, float, float]
"""A rectangle near a plate, and the centre distances in x and y from which on the two do not overlap."""


class OccupiedAreas:
    """Fixed areas of one picture: upright and oblique rectangles, in device pixels."""

    def __init__(self) -> None:
        self.bars: list[Bar] = []
        self.names = np.empty((0, 4))
        """Left, bottom, right and top of the placed names of frames (n, 4)."""
        self.letters: list[tuple[float, float, float, float]] = []
        """Centres and half sizes of letters of axes, off which values are pushed."""
        self._n_over = 0

    def clear(self) -> None:
        """Remove all areas, before another picture."""
        self.bars.clear()
        self.names = np.empty((0, 4))
        self.letters.clear()
        self._n_over = 0

    def end_over(self) -> None:
        """Mark all areas added so far as overlay areas: they cover the picture, so labels below them are unreadable."""
        self._n_over = len(self.bars)

    def over(self) -> OccupiedAreas:
        """Return the areas that cover the picture."""
        areas = OccupiedAreas()
        areas.bars = self.bars[: self._n_over]
        return areas

    def is_free(self, center: Array, size: Array) -> bool:
        """Return whether an upright rectangle overlaps no area."""
        plate = [float(center[0]), float(center[1]), 0.5 * float(size[0]), 0.5 * float(size[1])]
        return not any(_displacement_off(plate, bar) for bar in self.bars)

    def is_on_name(self, centers: Array, sizes: Array) -> NDArray[np.bool_]:
        """Return which upright rectangles (n, 2) overlap the name of a frame."""
        low, high = (centers - sizes / 2)[:, None], (centers + sizes / 2)[:, None]
        is_over = (low < self.names[:, 2:]) & (self.names[:, :2] < high)
        return np.any(np.all(is_over, axis=-1), axis=-1)

    def add_boxes(self, centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
        """Add upright rectangles: centres and sizes ``(n, 2)``."""
        bars = np.empty((np.count_nonzero(is_visible), 6))
        bars[:, :2], bars[:, 2:4], bars[:, 4:] = centers[is_visible], (1.0, 0.0), 0.5 * sizes[is_visible]
        self._add(bars)

    def keep_letters(self, centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
        """Remember letters of axes, whose areas are added already: centres and sizes ``(n, 2)``."""
        boxes = np.hstack([centers, 0.5 * sizes])[is_visible]
        self.letters += [(x, y, half_x, half_y) for x, y, half_x, half_y in boxes.tolist()]

    def _add(self, bars: Array) -> None:
        for x, y, along_x, along_y, half_length, half_width in bars.tolist():
            self.bars.append((x, y, along_x, along_y, half_length, half_width))

    def add_corner(self, left: float, bottom: float, right: float, top: float) -> None:
        """Add one upright rectangle, given by its sides."""
        half_x, half_y = 0.5 * (right - left), 0.5 * (top - bottom)
        self.bars.append((left + half_x, bottom + half_y, 1.0, 0.0, half_x, half_y))

    def add_lines(self, starts: Array, ends: Array, half_width: float, is_visible: NDArray[np.bool_]) -> None:
        """Add lines from starts to ends ``(n, 2)``, widened and lengthened by `half_width` on every side."""
        first, last = starts[is_visible], ends[is_visible]
        along = last - first
        length = np.hypot(along[:, 0], along[:, 1])
        is_short = length <= 1e-6
        length[is_short], along[is_short] = 1.0, (1.0, 0.0)
        bars = np.empty((len(along), 6))
        bars[:, :2], bars[:, 2:4] = (first + last) / 2, along / length[:, np.newaxis]
        bars[:, 4], bars[:, 5] = np.where(is_short, 0.0, length) / 2 + half_width, half_width
        self._add(bars)


NOTHING = OccupiedAreas()


def keep_apart(
    centers: Array,
    sizes: Array,
    is_visible: NDArray[np.bool_],
    occupied: OccupiedAreas = NOTHING,
    limits: tuple[Array, Array] | None = None,
    scale: float = 1.0,
) -> None:
    """Push plates off occupied areas and off each other, in place, until none overlap or the rounds are over.

    Parameters
    ----------
    centers, sizes : (n, 2)
        Centres and sizes of the plates, pixels; the centres are changed.
    is_visible : (n,)
        Invisible plates neither move nor push.
    occupied
        Areas that do not move.
    limits
        Lowest and highest centres ``(n, 2)`` at which a plate is fully inside the picture.
    scale
        Device pixels per logical pixel.

    Notes
    -----
    Two overlapping plates each move half the distance, along the axis of lesser overlap. A plate on an occupied area
    moves the shortest distance, which may be oblique. So plates move smoothly with the tick. A plate that is still
    wedged after the last round moves to the nearest free place.
    """
    visible_rows = np.flatnonzero(is_visible)
    # Plain floats: each pair must see the result of the previous pair, which a vectorised step could not.
    plates = np.hstack([centers[visible_rows], sizes[visible_rows] / 2]).tolist()
    areas = [(bar, *_half_extents(bar)) for bar in occupied.bars]
    near = [_find_near(plate, areas, REACH * scale) for plate in plates]
    walls = None if limits is None else np.hstack([limits[0][visible_rows], limits[1][visible_rows]]).tolist()
    is_settled = any(_push_all(plates, near, walls) for _ in range(ROUNDS))
    if not is_settled and len(plates) <= FEW:
        for i, plate in enumerate(plates):
            _seek_free_place(plate, plates[:i] + plates[i + 1 :], near[i], None if walls is None else walls[i])
    centers[visible_rows] = np.array(plates).reshape(-1, 4)[:, :2]


def leave_out(centers: Array, sizes: Array, is_visible: NDArray[np.bool_], occupied: OccupiedAreas) -> None:
    """Hide plates, in place, that overlap an occupied area or an earlier plate; add the areas of the others."""
    for k in np.flatnonzero(is_visible).tolist():
        if occupied.is_free(centers[k], sizes[k]):
            occupied.add_boxes(centers[k][None], sizes[k][None], np.array([True]))
        else:
            is_visible[k] = False


def thin_out(centers: Array, sizes: Array, is_visible: NDArray[np.bool_], order: Iterable[int]) -> None:
    """Hide, in place, all plates that overlap a plate earlier in `order`.

    Plates of a crowd that were only pushed apart would pile up beside their anchors.
    """
    plates, shown = np.hstack([centers, sizes / 2]).tolist(), is_visible.tolist()
    kept: list[list[float]] = []
    for k in order:
        if not shown[k]:
            continue
        plate = x, y, half_x, half_y = plates[k]
        for to_x, to_y, to_half_x, to_half_y in kept:  # a generator takes three times as long
            if abs(x - to_x) < half_x + to_half_x and abs(y - to_y) < half_y + to_half_y:
                is_visible[k] = False
                break
        else:
            kept.append(plate)


def _push_all(plates: list[list[float]], near: list[list[Near]], walls: list[list[float]] | None) -> bool:
    """Push all plates once; return whether none had to move."""
    is_settled = _push_off_each_other(plates)
    for plate, bars in zip(plates, near, strict=True):
        for bar, apart_x, apart_y in bars:
            if abs(plate[0] - bar[0]) >= apart_x or abs(plate[1] - bar[1]) >= apart_y:
                continue  # the usual case; `_displacement_off` would agree, but takes four times as long
            way = _displacement_off(plate, bar)
            if way is not None:
                is_settled = False
                plate[0] += way[0]
                plate[1] += way[1]
    if walls is not None:
        for plate, (left, bottom, right, top) in zip(plates, walls, strict=True):
            plate[0] = max(min(plate[0], right), left)
            plate[1] = max(min(plate[1], top), bottom)
    return is_settled


def _push_off_each_other(plates: list[list[float]]) -> bool:
    """Push every two overlapping plates apart once, each by half the distance; return whether none had to move."""
    is_settled = True
    for i, plate in enumerate(plates):
        x, y, half_x, half_y = plate
        for neighbour in plates[i + 1 :]:
            gap_x = neighbour[0] - x
            over_x = half_x + neighbour[2] - abs(gap_x)
            if over_x <= SETTLED:
                continue  # the usual case
            gap_y = neighbour[1] - y
            over_y = half_y + neighbour[3] - abs(gap_y)
            if over_y <= SETTLED:
                continue
            is_settled = False
            if over_x < over_y:
                shift = math.copysign(over_x / 2, gap_x)
                x -= shift
                neighbour[0] += shift
            else:
                shift = math.copysign(over_y / 2, gap_y)
                y -= shift
                neighbour[1] += shift
        plate[0], plate[1] = x, y
    return is_settled


def _seek_free_place(
    plate: list[float], others: list[list[float]], near: list[Near], walls: list[float] | None
) -> None:
    """Move a plate that overlaps something to the nearest free place in the picture, if there is one."""
    x, y = plate[:2]
    for step in range(STEPS + 1):
        for k in range(DIRECTIONS if step else 1):
            phi = math.tau * k / DIRECTIONS
            plate[0] = x + 2.0 * step * plate[3] * math.cos(phi)
            plate[1] = y + 2.0 * step * plate[3] * math.sin(phi)
            if walls is not None and not (walls[0] <= plate[0] <= walls[2] and walls[1] <= plate[1] <= walls[3]):
                continue
            if any(
                plate[2] + neighbour[2] - abs(plate[0] - neighbour[0]) > SETTLED
                and plate[3] + neighbour[3] - abs(plate[1] - neighbour[1]) > SETTLED
                for neighbour in others
            ):
                continue
            if not any(
                abs(plate[0] - bar[0]) < apart_x and abs(plate[1] - bar[1]) < apart_y and _displacement_off(plate, bar)
                for bar, apart_x, apart_y in near
            ):
                return
    plate[0], plate[1] = x, y


def _find_near(plate: list[float], areas: list[tuple[Bar, float, float]], reach: float) -> list[Near]:
    """Return the rectangles that a plate may reach, of rectangles with half of their width and height."""
    x, y, half_x, half_y = plate
    neighbours: list[Near] = []
    for bar, bar_half_x, bar_half_y in areas:
        apart_x = half_x + bar_half_x
        if abs(bar[0] - x) < apart_x + reach:
            apart_y = half_y + bar_half_y
            if abs(bar[1] - y) < apart_y + reach:
                neighbours.append((bar, apart_x - SETTLED, apart_y - SETTLED))
    return neighbours


def _half_extents(bar: Bar) -> tuple[float, float]:
    """Return half of the width and of the height in the picture of an oblique rectangle."""
    _, _, along_x, along_y, length, width = bar
    return abs(along_x) * length + abs(along_y) * width, abs(along_y) * length + abs(along_x) * width


def _displacement_off(plate: list[float], bar: Bar) -> tuple[float, float] | None:
    """Return the shortest displacement of a plate off a rectangle; None if they do not overlap."""
    gap_x, gap_y, half_x, half_y = plate[0] - bar[0], plate[1] - bar[1], plate[2], plate[3]
    along_x, along_y, length, width = bar[2:]
    if along_y == 0.0:  # the usual case: an upright rectangle
        over_x, over_y = half_x + length - abs(gap_x), half_y + width - abs(gap_y)
        if over_x <= SETTLED or over_y <= SETTLED:
            return None
        return (math.copysign(over_x, gap_x), 0.0) if over_x <= over_y else (0.0, math.copysign(over_y, gap_y))
    least, way_x, way_y = math.inf, 0.0, 0.0
    # Two rectangles are disjoint exactly if they are disjoint along a side of either (separating axes).
    for x, y in ((1.0, 0.0), (0.0, 1.0), (-along_y, along_x), (along_x, along_y)):
        gap = gap_x * x + gap_y * y
        mine = half_x * abs(x) + half_y * abs(y)
        theirs = length * abs(along_x * x + along_y * y) + width * abs(along_x * y - along_y * x)
        over = mine + theirs - abs(gap)
        if over <= SETTLED:
            return None
        if over < least:
            least, sign = over, math.copysign(1.0, gap)
            way_x, way_y = sign * x, sign * y
    return least * way_x, least * way_y
