"""Line breaking: a text in rows that find room. Pure: whoever draws says how wide a text is."""

from __future__ import annotations

from collections.abc import Callable


def rows_of(text: str, width_of: Callable[[str], float], room: float) -> list[str]:
    """
    Return a text in rows, broken between words, or within one that is too long.

    Parameters
    ----------
    text : str
        One line.
    width_of : callable
        Returns the width of a text, in any unit.
    room : float
        The width of a row in that unit; a single letter stands even where there is less.

    Examples
    --------
    >>> rows_of("two rows of words", len, 8)
    ['two rows', 'of words']
    >>> rows_of("unbreakable", len, 8)
    ['unbreaka', 'ble']
    """
    rows: list[str] = []
    rest = text.strip()
    while rest and width_of(rest) > room:
        end = _fitting(rest, width_of, room)
        space = rest.rfind(" ", 0, end + 1)
        end = space if space > 0 else end
        rows.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*rows, rest] if rest else rows


def _fitting(text: str, width_of: Callable[[str], float], room: float) -> int:
    """Return how many letters of a text find room, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(text[:middle]) <= room else (low, middle - 1)
    return low
