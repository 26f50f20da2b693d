"""Paper of a handout: sheets, margins, and units of length."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont, QPageSize

from framescope.ui.theme import fonts

UNIT = 0.8
"""Points of a unit of length: text of 13 units, as in the window, has 10.4 points on paper."""

MM = 72.0 / 25.4 / UNIT
"""Units of a millimetre."""

COLUMN = 150.0 * MM
"""Width of texts and pictures: lines of some eighty letters."""

DPI = 1200
"""Of the device: fine enough that letters stand where they should."""


@dataclass(frozen=True)
class Paper:
    """A sheet, upright: its size, and its width and height, units."""

    size: QPageSize.PageSizeId
    width: float
    height: float

    @property
    def left(self) -> float:
        """The margin at each side, units."""
        return (self.width - COLUMN) / 2.0

    @property
    def room(self) -> float:
        """What the margins leave of the height, units."""
        return self.height - TOP - BOTTOM


TOP, BOTTOM = 20.0 * MM, 24.0 * MM
FOOT = 13.0 * MM
"""From the lower edge to the base line of the footer."""

A4 = Paper(QPageSize.PageSizeId.A4, 210.0 * MM, 297.0 * MM)
LETTER = Paper(QPageSize.PageSizeId.Letter, 215.9 * MM, 279.4 * MM)


def paper_font(size: int, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the font of text, units, without its alternate letters, which readers of the file would not know."""
    return without_alternates(fonts.text(size, weight))


def without_alternates(font: QFont) -> QFont:
    """Return a font that draws a minus sign before a digit as the very letter that it is."""
    font = QFont(font)
    font.setFeature(QFont.Tag("calt"), 0)
    return font
