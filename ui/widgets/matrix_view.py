"""Read-only matrix: right-aligned numbers between brackets."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.readout import ReadOut

_SIDE = 12.0
_CELL = 68
_BRACKET = 4.0


class MatrixView(ReadOut):
    """A matrix with brackets, for example a transformation matrix T.

    Parameters
    ----------
    rows, columns : int
        Its shape.
    decimals : int
        Digits after the decimal point.
    """

    def __init__(self, rows: int = 3, columns: int = 3, *, decimals: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(decimals=decimals, parent=parent)
        self._shape = rows, columns
        self.values = np.full((rows, columns), np.nan)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_matrix(self, matrix: NDArray[np.float64]) -> None:
        """Display a matrix of the view's shape; cheap, called at every tick."""
        if np.shape(matrix) != self._shape:
            raise ValueError(f"the matrix has shape {np.shape(matrix)}; this view shows {self._shape}")
        self.set_values(matrix)

    def sizeHint(self) -> QSize:
        rows, columns = self._shape
        return QSize(_CELL * columns + 2 * round(_SIDE), METRICS.readout_row * rows) * self.scale

    def minimumSizeHint(self) -> QSize:
        return QSize(round(120 * self.scale), self.sizeHint().height())

    def part_at(self, at: QPoint) -> QRect:
        """Return the rectangle of the number at a place."""
        rows, columns = self._shape
        side = _SIDE * self.scale
        width, height = (self.width() - 2 * side) / columns, self.height() / rows
        row = min(max(int(at.y() / height), 0), rows - 1)
        column = min(max(int((at.x() - side) / width), 0), columns - 1)
        return QRectF(side + column * width, row * height, width, height).toAlignedRect()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        rows, columns = self._shape
        painter = QPainter(self)
        painters.write_in(painter, fonts.number(), "text" if self.isEnabled() else "disabled")
        scale = self.scale
        painter.scale(scale, scale)
        width, height = (self.width() / scale - 2 * _SIDE) / columns, self.height() / scale / rows
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        for index, text in enumerate(self.texts()):
            row, column = divmod(index, columns)
            painter.drawText(QRectF(_SIDE + column * width, row * height, width, height), flags, text)
        painter.resetTransform()
        self._paint_brackets(painter)
        self._paint_focus(painter)

    def _paint_brackets(self, painter: QPainter) -> None:
        painter.setPen(QPen(current_theme.qcolor("border"), 2))
        top, bottom = 1, self.height() - 1
        for edge, inwards in ((1, _BRACKET), (self.width() - 1, -_BRACKET)):
            painter.drawLine(edge, top, edge, bottom)
            for y in (top, bottom):
                painter.drawLine(edge, y, round(edge + inwards), y)
