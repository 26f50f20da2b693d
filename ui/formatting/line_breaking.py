"""Line breaking of a text into rows. Pure: the caller measures the width of texts."""

from __future__ import annotations

from collections.abc import Callable


def rows_of(text: str, width_of: Callable[[str], float], room: float) -> list[str]:
    """Return a text in rows, broken between words, or within a word that is too long.

    Parameters
    ----------
    text : str
        One line.
    width_of : callable
        Returns the width of a text, in any unit.
    room : float
        The width of a row in that unit; a row has at least one letter.

    Examples
    --------
    >>> rows_of("two rows of words", len, 8)
    ['two rows', 'of words']
    >>> rows_of("unbreakable", len, 8)
    ['unbreaka', 'ble']
    """
    rows: list[str] = []
    remaining = text.strip()
    while remaining and width_of(remaining) > room:
        end = _count_fitting(remaining, width_of, room)
        space = remaining.rfind(" ", 0, end + 1)
        end = space if space > 0 else end
        rows.append(remaining[:end].rstrip())
        remaining = remaining[end:].lstrip()
    return [*rows, remaining] if remaining else rows


def _count_fitting(text: str, width_of: Callable[[str], float], room: float) -> int:
    """Return the number of letters of a text that fit, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(text[:middle]) <= room else (low, middle - 1)
    return low
