"""Screen-space label layout with occupied areas, off which plates are pushed, as off each other.

What keeps its place is told anew for each picture (`OccupiedAreas`); names and values are put between it. The result
depends on nothing but what is given, so that it is a function of the tick and the camera alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUNDS = 24
SETTLED = 0.5
"""An overlap in pixels that may stay."""

FEW = 12
"""Up to how many plates those that are still wedged in are put elsewhere: of many, some may overlap."""
DIRECTIONS, STEPS = 16, 7
"""Where such a plate looks for room, in steps of its height."""

REACH = 90.0
"""How far from its first place a plate may come upon things, logical pixels."""

Bar = tuple[float, float, float, float, float, float]
"""A rectangle that may lie aslant: its middle, a unit vector along it, half its length and half its width."""

Near = tuple[Bar, float, float]
"""A rectangle that a plate may come upon, and how far their middles are apart, across and up, when it does not."""


class OccupiedAreas:
    """Areas with a fixed place on one picture: rectangles upright and aslant, in device pixels."""

    def __init__(self) -> None:
        self.bars: list[Bar] = []
        self._n_over = 0

    def clear(self) -> None:
        """Forget all of it, for another picture."""
        self.bars.clear()
        self._n_over = 0

    def end_over(self) -> None:
        """Tell that what was occupied so far lies over the picture: nothing below it can be read."""
        self._n_over = len(self.bars)

    def over(self) -> OccupiedAreas:
        """Return what lies over the picture."""
        found = OccupiedAreas()
        found.bars = self.bars[: self._n_over]
        return found

    def is_free(self, center: Array, size: Array) -> bool:
        """Return whether an upright rectangle lies on nothing."""
        plate = [float(center[0]), float(center[1]), 0.5 * float(size[0]), 0.5 * float(size[1])]
        return not any(_way_off(plate, bar) for bar in self.bars)

    def add_boxes(self, centers: Array, sizes: Array, is_visible: NDArray[np.bool_]) -> None:
        """Take upright rectangles: middles and sizes ``(n, 2)``."""
        for k in np.flatnonzero(is_visible).tolist():
            (x, y), (width, height) = centers[k], sizes[k]
            self.bars.append((float(x), float(y), 1.0, 0.0, 0.5 * float(width), 0.5 * float(height)))

    def add_corner(self, left: float, bottom: float, right: float, top: float) -> None:
        """Take one upright rectangle, by its sides."""
        half_x, half_y = 0.5 * (right - left), 0.5 * (top - bottom)
        self.bars.append((left + half_x, bottom + half_y, 1.0, 0.0, half_x, half_y))

    def add_lines(self, starts: Array, ends: Array, half_width: float, is_visible: NDArray[np.bool_]) -> None:
        """Take lines from starts to ends ``(n, 2)``, so wide to each side, and so much longer at each end."""
        for k in np.flatnonzero(is_visible).tolist():
            (x, y), (to_x, to_y) = starts[k].tolist(), ends[k].tolist()
            length = math.hypot(to_x - x, to_y - y)
            along_x, along_y = ((to_x - x) / length, (to_y - y) / length) if length > 1e-6 else (1.0, 0.0)
            self.bars.append(((x + to_x) / 2, (y + to_y) / 2, along_x, along_y, length / 2 + half_width, half_width))


NOTHING = OccupiedAreas()


def keep_apart(
    centers: Array,
    sizes: Array,
    is_visible: NDArray[np.bool_],
    occupied: OccupiedAreas = NOTHING,
    limits: tuple[Array, Array] | None = None,
    scale: float = 1.0,
) -> None:
    """Push plates off what is occupied and off each other, in place, until all are or the rounds are over.

    Parameters
    ----------
    centers, sizes : (n, 2)
        Of the plates, in pixels; the first are moved.
    is_visible : (n,)
        The others neither move nor push.
    occupied
        What does not move.
    limits
        Lowest and highest centres ``(n, 2)`` of plates that are whole in the picture.
    scale
        Device pixels per logical one.

    Notes
    -----
    Of two plates each goes half the way, along the side of lesser overlap; off what is occupied a plate goes the
    shortest way, which may be aslant. So plates move smoothly with the tick. One that is wedged in between others when
    the rounds are over goes to the nearest place that is free.
    """
    shown = np.flatnonzero(is_visible)
    # Plain floats: each pair must see where the pair before it went, which arrays could not.
    plates = np.hstack([centers[shown], sizes[shown] / 2]).tolist()
    near = [_near(plate, occupied.bars, REACH * scale) for plate in plates]
    walls = None if limits is None else np.hstack([limits[0][shown], limits[1][shown]]).tolist()
    is_settled = any(_round(plates, near, walls) for _ in range(ROUNDS))
    if not is_settled and len(plates) <= FEW:
        for i, plate in enumerate(plates):
            _seek_free_place(plate, plates[:i] + plates[i + 1 :], near[i], None if walls is None else walls[i])
    centers[shown] = np.array(plates).reshape(-1, 4)[:, :2]


def leave_out(centers: Array, sizes: Array, is_visible: NDArray[np.bool_], occupied: OccupiedAreas) -> None:
    """Hide plates, in place, that lie on what is occupied or on one before them; take the places of the others."""
    for k in np.flatnonzero(is_visible).tolist():
        if occupied.is_free(centers[k], sizes[k]):
            occupied.add_boxes(centers[k][None], sizes[k][None], np.array([True]))
        else:
            is_visible[k] = False


def thin_out(centers: Array, sizes: Array, is_visible: NDArray[np.bool_], order: Iterable[int]) -> None:
    """Hide plates, in place, each that would lie on one that comes before it in an order.

    A crowd that was only kept apart would pile up beside what it is of.
    """
    taken: list[tuple[float, float, float, float]] = []
    for k in order:
        if not is_visible[k]:
            continue
        (x, y), (width, height) = centers[k].tolist(), sizes[k].tolist()
        is_on_one = any(abs(x - a) < (width + b) / 2 and abs(y - c) < (height + d) / 2 for a, c, b, d in taken)
        is_visible[k] = not is_on_one
        if not is_on_one:
            taken.append((x, y, width, height))


def _round(plates: list[list[float]], near: list[list[Near]], walls: list[list[float]] | None) -> bool:
    """Push all plates once; return whether none had to move."""
    is_settled = _push_off_each_other(plates)
    for plate, bars in zip(plates, near, strict=True):
        for bar, apart_x, apart_y in bars:
            if abs(plate[0] - bar[0]) >= apart_x or abs(plate[1] - bar[1]) >= apart_y:
                continue  # as most do: `_way_off` would say so, but in four times the time
            way = _way_off(plate, bar)
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
    """Push each two plates apart once, of which each goes half the way; return whether none had to move."""
    is_settled = True
    for i, plate in enumerate(plates):
        x, y, half_x, half_y = plate
        for other in plates[i + 1 :]:
            gap_x = other[0] - x
            over_x = half_x + other[2] - abs(gap_x)
            if over_x <= SETTLED:
                continue  # as most do
            gap_y = other[1] - y
            over_y = half_y + other[3] - abs(gap_y)
            if over_y <= SETTLED:
                continue
            is_settled = False
            if over_x < over_y:
                shift = math.copysign(over_x / 2, gap_x)
                x -= shift
                other[0] += shift
            else:
                shift = math.copysign(over_y / 2, gap_y)
                y -= shift
                other[1] += shift
        plate[0], plate[1] = x, y
    return is_settled


def _seek_free_place(
    plate: list[float], others: list[list[float]], near: list[Near], walls: list[float] | None
) -> None:
    """Move a plate that lies on something to the nearest place in the picture where it does not, if there is one."""
    x, y = plate[:2]
    for step in range(STEPS + 1):
        for k in range(DIRECTIONS if step else 1):
            phi = math.tau * k / DIRECTIONS
            plate[0] = x + 2.0 * step * plate[3] * math.cos(phi)
            plate[1] = y + 2.0 * step * plate[3] * math.sin(phi)
            if walls is not None and not (walls[0] <= plate[0] <= walls[2] and walls[1] <= plate[1] <= walls[3]):
                continue
            if any(
                plate[2] + other[2] - abs(plate[0] - other[0]) > SETTLED
                and plate[3] + other[3] - abs(plate[1] - other[1]) > SETTLED
                for other in others
            ):
                continue
            if not any(_way_off(plate, bar) for bar, *_ in near):
                return
    plate[0], plate[1] = x, y


def _near(plate: list[float], bars: list[Bar], reach: float) -> list[Near]:
    """Return what a plate may come upon."""
    x, y, half_x, half_y = plate
    found: list[Near] = []
    for bar in bars:
        apart_x = half_x + abs(bar[2]) * bar[4] + abs(bar[3]) * bar[5]
        apart_y = half_y + abs(bar[3]) * bar[4] + abs(bar[2]) * bar[5]
        if abs(bar[0] - x) < apart_x + reach and abs(bar[1] - y) < apart_y + reach:
            found.append((bar, apart_x - SETTLED, apart_y - SETTLED))
    return found


def _way_off(plate: list[float], bar: Bar) -> tuple[float, float] | None:
    """Return the shortest way of a plate off a rectangle; None when they lie apart."""
    gap_x, gap_y, half_x, half_y = plate[0] - bar[0], plate[1] - bar[1], plate[2], plate[3]
    along_x, along_y, length, width = bar[2:]
    least, way_x, way_y = math.inf, 0.0, 0.0
    # Two rectangles lie apart just when they do along a side of either.
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
