"""Layout of a handout: break a column of pieces into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtGui import QPainter


@dataclass(frozen=True, eq=False)
class Piece:
    """Part of the handout that is never split between pages.

    Attributes
    ----------
    height
        Height, units.
    paint
        Function that paints the piece to the right of and below the origin.
    space
        Space above the piece, units. It is dropped at the top of a page.
    keeps_next
        Whether the next piece stays on the same page.
    begins_page
        Whether the piece starts a new page.
    """

    height: float
    paint: Callable[[QPainter], None]
    space: float = 0.0
    keeps_next: bool = False
    begins_page: bool = False


Page = list[tuple[float, Piece]]
"""Pieces of a page with their distances from the upper margin, units."""


def break_pages(pieces: Iterable[Piece], room: float) -> list[Page]:
    """Break pieces into pages whose usable height is `room`.

    Pieces that keep the next one stay together if they fit on one page.

    >>> pieces = [Piece(4.0, print), Piece(2.0, print, 1.0, keeps_next=True), Piece(5.0, print)]
    >>> [[y for y, _ in page] for page in break_pages(pieces, 10.0)]
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
    """Yield runs of pieces that stay on one page."""
    run: list[Piece] = []
    for piece in pieces:
        run.append(piece)
        if not piece.keeps_next:
            yield run
            run = []
    if run:
        yield run
