"""Row of a term of a shift: colour, symbol, description, magnitude with unit, and components below."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.formatting import number_text as units
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.readout import ReadOut

_BAR, _INDENT, _GAP = 4.0, 12.0, 8.0
_LINE = METRICS.readout_row


class TermRow(ReadOut):
    """
    Painted row of a term, which changes at every tick.

    Copy takes the three components at full precision.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(formatter=number_text, parent=parent)
        self.symbol = ""
        """Symbol of the term."""
        self._words = self._unit = self._role = self._resolved_in = ""
        self._is_sum = False
        self.values = np.full(3, np.nan)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_term(self, symbol: str, words: str, unit: str, role: str, *, is_sum: bool = False) -> None:
        """Set the symbol, description, unit and colour role of the term. A sum has a heavier font."""
        self.symbol, self._words, self._unit, self._role, self._is_sum = symbol, words, unit, role, is_sum
        self._explain()
        self.update()

    def set_resolved_in(self, name: str) -> None:
        """Set the frame in which the components are resolved."""
        if name != self._resolved_in:
            self._resolved_in = name
            self._explain()

    def _explain(self) -> None:
        resolved_in = f"in axes of {self._resolved_in}" if self._resolved_in else ""
        text = ", ".join(part for part in (self._words, resolved_in, self._unit) if part)
        self.setAccessibleName(f"{self.symbol}: {text}")
        self.setToolTip(f"<qt>{escape(self.symbol)}: {escape(text)}</qt>")

    def set_vector(self, vector: NDArray[np.float64] | None) -> None:
        """Show the components of a vector; dashes for None."""
        self.set_values(np.full(3, np.nan) if vector is None else vector)

    @property
    def size_text(self) -> str:
        """Text of the magnitude of the vector."""
        return self._formatter(float(np.linalg.norm(self.values)), self._decimals)

    def sizeHint(self) -> QSize:
        return QSize(220, 2 * _LINE) * self.scale

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 2 * _LINE) * self.scale

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        scale = self.scale
        painter.scale(scale, scale)
        self._paint_bar(painter)
        width = self.width() / scale
        self._paint_head(painter, width)
        self._paint_numbers(painter, width)
        painter.resetTransform()
        self._paint_focus(painter)

    def _paint_bar(self, painter: QPainter) -> None:
        painters.fill_with(painter, self._role or "quiet")
        painter.drawRoundedRect(QRectF(0, 2, _BAR, 2 * _LINE - 4), _BAR / 2, _BAR / 2)

    def _paint_head(self, painter: QPainter, width: float) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        right = middle | Qt.AlignmentFlag.AlignRight
        unit_font, number_font = fonts.text(METRICS.caption), fonts.number(weight=500 if self._is_sum else 400)
        unit_width = fonts.width(unit_font, self._unit) + METRICS.inner
        painters.write_in(painter, unit_font, "quiet")
        painter.drawText(QRectF(0, 0, width, _LINE), right, self._unit)
        painters.write_in(painter, number_font, "text")
        size = self.size_text
        left_of_unit = width - unit_width
        painter.drawText(QRectF(0, 0, left_of_unit, _LINE), right, size)
        symbol_font, words_font = fonts.text(METRICS.base, 600), fonts.text(METRICS.secondary)
        painter.setFont(symbol_font)
        painter.drawText(QRectF(_INDENT, 0, width, _LINE), middle, self.symbol)
        left = _INDENT + fonts.width(symbol_font, self.symbol) + _GAP
        room = left_of_unit - fonts.width(number_font, size) - _GAP - left
        painters.write_in(painter, words_font, "quiet")
        words = painter.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, max(0, round(room)))
        painter.drawText(QRectF(left, 0, max(0.0, room), _LINE), middle, words)

    def _paint_numbers(self, painter: QPainter, width: float) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(fonts.number(weight=500 if self._is_sum else 400))
        column = (width - _INDENT + _GAP) / 3
        for k, (letter, text) in enumerate(zip(AXIS_LETTERS, self.texts(), strict=True)):
            area = QRectF(_INDENT + k * column, _LINE, column - _GAP, _LINE)
            painter.setPen(current_theme.qcolor(f"axis_{letter}_text"))
            painter.drawText(area, middle, letter)
            painter.setPen(current_theme.qcolor("text"))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextDontClip, text)


def number_text(value: float, decimals: int) -> str:
    """Format a number of a term: with an exponent from 1e4 on, otherwise with fixed decimals.

    >>> number_text(0.5, 4), number_text(-12345.678, 4), number_text(0.0, 4)
    ('0.5000', '−1.2e4', '0.0000')
    """
    return units.scientific(value) if 1e4 <= abs(value) < np.inf else units.fixed(value, decimals)
