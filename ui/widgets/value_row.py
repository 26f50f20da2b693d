"""Row of numbers: `x 1.1445  y 0.5856  z 1.5704`, or a label with its numbers."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.readout import ReadOut

_GAP = 10.0


class ValueRow(ReadOut):
    """Numbers in equal columns; fixed digits and right alignment put their decimal points in line.

    Parameters
    ----------
    letters : sequence of str
        One before each number, in the colour of its axis for x, y and z; empty for numbers alone.
    label : str
        Muted text at the left.
    label_width : int
        Width of the label, so that rows below each other align; 0 for the width of the text.
    is_strong : bool
        Stronger type, for the most important row of several.
    decimals, formatter
        As in `ReadOut`.
    """

    def __init__(
        self,
        letters: Sequence[str] = AXIS_LETTERS,
        *,
        label: str = "",
        label_width: int = 0,
        is_strong: bool = False,
        decimals: int = 4,
        formatter: Callable[[float, int], str] = number_text.fixed,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(decimals=decimals, formatter=formatter, parent=parent)
        self._letters = tuple(letters)
        self._label = label
        self._label_width = label_width
        self._weight = 500 if is_strong else 400
        self._scale = 1.0
        self.values = np.full(len(self._letters), np.nan)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(label)

    def set_letters(self, letters: Sequence[str]) -> None:
        """Change the letters; there are as many as before."""
        self._letters = tuple(letters)
        self.update()

    def set_label(self, label: str) -> None:
        """Change the text at the left."""
        self._label = label
        self.update()

    def set_scale(self, scale: float) -> None:
        """Set the factor to the usual size, as for a presentation."""
        self._scale = scale
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self._label_room()) + 74 * len(self._letters), METRICS.readout_row) * self._scale

    def minimumSizeHint(self) -> QSize:
        return QSize(60, METRICS.readout_row) * self._scale

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.scale(self._scale, self._scale)
        height = self.height() / self._scale
        middle = Qt.AlignmentFlag.AlignVCenter
        left = self._label_room()
        if self._label:
            painters.write_in(painter, self._label_font(), "text" if self._weight > 400 else "quiet")
            painter.drawText(QRectF(0, 0, left, height), middle, self._label)
        painter.setFont(fonts.number(weight=self._weight))
        gap = _GAP if any(self._letters) else 0.0
        width = (self.width() / self._scale - left + gap) / max(len(self._letters), 1)
        for index, (letter, text) in enumerate(zip(self._letters, self.texts(), strict=True)):
            area = QRectF(left + index * width, 0, width - gap, height)
            if letter:
                role = f"axis_{letter}_text" if letter in AXIS_LETTERS else "quiet"
                painter.setPen(current_theme.qcolor(role))
                painter.drawText(area, middle, letter)
            painter.setPen(current_theme.qcolor("text" if self.isEnabled() else "disabled"))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, text)
        painter.resetTransform()
        self._paint_focus(painter)

    def _label_font(self) -> QFont:
        return fonts.text(METRICS.secondary, self._weight)

    def _label_room(self) -> float:
        if not self._label:
            return 0.0
        return self._label_width or fonts.width(self._label_font(), self._label) + METRICS.gap
