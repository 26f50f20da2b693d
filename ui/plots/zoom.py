"""Zoom of a plot: closer, further away, to the side. Pure."""

Range = tuple[float, float]

STEP = 0.8
"""What one notch of a wheel leaves of a range."""

CLOSEST = 1e-6
"""The smallest part of the whole that can be looked at."""


def zoomed(view: Range, at: float, notches: float, whole: Range) -> Range | None:
    """
    Return a range around a place that stays where it is; None when it would show everything.

    Examples
    --------
    >>> zoomed((0.0, 10.0), 0.0, 1, (0.0, 10.0))
    (0.0, 8.0)
    >>> zoomed((0.0, 8.0), 0.0, -1, (0.0, 10.0)) is None
    True
    """
    span, largest = view[1] - view[0], whole[1] - whole[0]
    share = max(STEP**notches, CLOSEST * largest / span)
    low, high = at - (at - view[0]) * share, at + (view[1] - at) * share
    if high - low >= largest * (1.0 - 1e-9):
        return None
    return moved((low, high), 0.0, whole)


def moved(view: Range, by: float, whole: Range) -> Range:
    """
    Return a range moved to the side, within the whole.

    Examples
    --------
    >>> moved((2.0, 4.0), 9.0, (0.0, 10.0))
    (8.0, 10.0)
    """
    by = min(max(by, whole[0] - view[0]), whole[1] - view[1])
    return view[0] + by, view[1] + by
