"""Zoom and pan of a plot. Pure functions."""

Range = tuple[float, float]

STEP = 0.8
"""Factor of a range per notch of the wheel."""

CLOSEST = 1e-6
"""Smallest visible part of the whole, as a fraction."""


def zoom_range(view: Range, at: float, notches: float, whole: Range) -> Range | None:
    """Return a range that is scaled about a fixed point, or None if it would show everything.

    Examples
    --------
    >>> zoom_range((0.0, 10.0), 0.0, 1, (0.0, 10.0))
    (0.0, 8.0)
    >>> zoom_range((0.0, 8.0), 0.0, -1, (0.0, 10.0)) is None
    True
    """
    span, largest = view[1] - view[0], whole[1] - whole[0]
    share = max(STEP**notches, CLOSEST * largest / span)
    low, high = at - (at - view[0]) * share, at + (view[1] - at) * share
    if high - low >= largest * (1.0 - 1e-9):
        return None
    return shift_range((low, high), 0.0, whole)


def shift_range(view: Range, by: float, whole: Range) -> Range:
    """Return a range shifted within the whole.

    Examples
    --------
    >>> shift_range((2.0, 4.0), 9.0, (0.0, 10.0))
    (8.0, 10.0)
    """
    by = min(max(by, whole[0] - view[0]), whole[1] - view[1])
    return view[0] + by, view[1] + by
