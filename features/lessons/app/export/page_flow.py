"""Flow of a handout: pieces one below the other, on as many pages as they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtGui import QPainter


@dataclass(frozen=True, eq=False)
class Piece:
    """What stands on one page, and is never torn.

    Attributes
    ----------
    height
        Units.
    paint
        Paints it from the origin on, to the right and downwards.
    space
        Left above it, but not at the top of a page.
    keeps_next
        Whether the next piece is to stand on the same page.
    begins_page
        Whether it stands at the top of a page.
    """

    height: float
    paint: Callable[[QPainter], None]
    space: float = 0.0
    keeps_next: bool = False
    begins_page: bool = False


Page = list[tuple[float, Piece]]
"""Pieces with how far below the upper margin each stands."""


def paged(pieces: Iterable[Piece], room: float) -> list[Page]:
    """Return the pages of pieces, each with so much room.

    Pieces that keep the next one stay together where they find room on one page.

    >>> pieces = [Piece(4.0, print), Piece(2.0, print, 1.0, keeps_next=True), Piece(5.0, print)]
    >>> [[y for y, _ in page] for page in paged(pieces, 10.0)]
    [[0.0], [0.0, 2.0]]
    """
    pages: list[Page] = [[]]
    y = 0.0
    for run in _runs(pieces):
        needed = sum(piece.space + piece.height for piece in run)
        for i, piece in enumerate(run):
            is_full = y + (needed if i == 0 else piece.space + piece.height) > room
            if pages[-1] and (is_full or piece.begins_page):
                pages.append([])
                y = 0.0
            y += piece.space if pages[-1] else 0.0
            pages[-1].append((y, piece))
            y += piece.height
    return pages


def _runs(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Yield pieces that are to stay together."""
    run: list[Piece] = []
    for piece in pieces:
        run.append(piece)
        if not piece.keeps_next:
            yield run
            run = []
    if run:
        yield run
