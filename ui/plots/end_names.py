"""Places of the names of curves at their right ends. Uses only numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_NAMES = 8
"""Number of curves above which none has a name at its end: the names would be crowded."""

REACH = 160
"""Width at the right edge of a plot from which names are placed, pixels."""

MARGIN = 3
"""Distance of a name from the right edge, from its curve and from other names, pixels."""

_STEPS = (0, 8, 16, 32, 48)
"""Distances from the last place by which a name may move to the left along its curve, pixels."""

_LARGEST_SHARE = 0.25
"""Share of the plot's width above which a name is too long."""

Place = tuple[float, float]


def columns_of(width: float) -> NDArray[np.float64]:
    """Return the pixel columns at the right edge of a plot at which `place_names` needs its curves."""
    return np.arange(max(width - REACH, 0.0), width, 1.0) + 1.0


def place_names(
    ys: NDArray[np.float64], columns: NDArray[np.float64], widths: Sequence[float], height: float, line: float
) -> list[Place | None]:
    """Return the top left corners of names beside their curves; None for a name without room.

    A name stands above or below its curve, as close to the right end as possible. It covers neither a curve nor another
    name.

    Parameters
    ----------
    ys : array, shape (n_curves, n_columns)
        Distance of each curve from the top of the plot at the columns, pixels; NaN where it has no value.
    columns : array, shape (n_columns,)
        Distances from the left edge, pixels, from `columns_of`.
    widths, line
        Width of each name and height of all, pixels.
    height
        Height of the plot, pixels.

    Examples
    --------
    >>> columns = columns_of(200.0)
    >>> level = np.full((1, len(columns)), 50.0)
    >>> place_names(level, columns, [20.0], 100.0, 14.0)
    [(177.0, 33.0)]
    """
    places: list[Place | None] = [None] * len(ys)
    if not columns.size or len(ys) > MOST_NAMES:
        return places
    right = float(columns[-1])
    taken: list[tuple[float, float, float, float]] = []
    for i in _by_height(ys):
        if widths[i] <= _LARGEST_SHARE * right:
            places[i] = _place_of(i, ys, columns, widths[i], (height, line), taken)
    return places


def _place_of(
    i: int,
    ys: NDArray[np.float64],
    columns: NDArray[np.float64],
    width: float,
    heights: tuple[float, float],
    taken: list[tuple[float, float, float, float]],
) -> Place | None:
    height, line = heights
    for step in _STEPS:
        left = float(columns[-1]) - MARGIN - width - step
        beside = ys[:, (columns >= left - MARGIN) & (columns <= left + width + MARGIN)]
        own = beside[i]
        if left < columns[0] or not np.isfinite(own).all():
            continue
        above, below = float(own.min()) - MARGIN - line, float(own.max()) + MARGIN
        # No curve may be under the name, nor between the name and its own curve.
        for top, is_clear in (
            (above, not ((beside > above - 1.0) & (beside < own)).any()),
            (below, not ((beside > own) & (beside < below + line + 1.0)).any()),
        ):
            bottom = top + line
            is_beside_name = any(
                left < other_right + MARGIN
                and other_left < left + width + MARGIN
                and top < other_bottom
                and other_top < bottom
                for other_left, other_top, other_right, other_bottom in taken
            )
            if is_clear and top >= 0.0 and bottom <= height and not is_beside_name:
                taken.append((left, top, left + width, bottom))
                return left, top
    return None


def _by_height(ys: NDArray[np.float64]) -> list[int]:
    """Return the curves from the outermost ends inwards: their names have fewer places."""
    ends = np.where(np.isfinite(ys[:, -1]), ys[:, -1], 0.0)
    middle = float(np.median(ends))
    return [int(i) for i in np.argsort(-np.abs(ends - middle), kind="stable")]
