"""Paper of the handout: sheets, margins, and the unit of length."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont, QPageSize

from framescope.ui.theme import fonts

UNIT = 0.8
"""Length of one unit, points: text of 13 units, as in the window, has 10.4 points on paper."""

MM = 72.0 / 25.4 / UNIT
"""Length of a millimetre, units."""

COLUMN = 150.0 * MM
"""Width of texts and pictures, units: lines of about eighty letters."""

DPI = 1200
"""Resolution of the device, 1/inch; fine enough for exact positions of letters."""


@dataclass(frozen=True)
class Paper:
    """Sheet in portrait orientation: its size, and its width and height, units."""

    size: QPageSize.PageSizeId
    width: float
    height: float

    @property
    def left(self) -> float:
        """Left and right margin, units."""
        return (self.width - COLUMN) / 2.0

    @property
    def room(self) -> float:
        """Usable height between the margins, units."""
        return self.height - TOP - BOTTOM


TOP, BOTTOM = 20.0 * MM, 24.0 * MM
"""Upper and lower margin, units."""

FOOT = 13.0 * MM
"""Distance of the footer's base line from the lower edge, units."""

A4 = Paper(QPageSize.PageSizeId.A4, 210.0 * MM, 297.0 * MM)
LETTER = Paper(QPageSize.PageSizeId.Letter, 215.9 * MM, 279.4 * MM)


def paper_font(size: int, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the text font of a size, units, without alternate glyphs, which PDF readers cannot map to characters."""
    return without_alternates(fonts.text(size, weight))


def without_alternates(font: QFont) -> QFont:
    """Return a font without contextual alternates, so that a minus sign before a digit keeps its own glyph."""
    font = QFont(font)
    font.setFeature(QFont.Tag("calt"), 0)
    return font
