"""Row of numbers: `x 1.1445  y 0.5856  z 1.5704`, or a label with its numbers."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.core.orientation import QuaternionOrder
from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.readout import ReadOut

_GAP, _CLOSE_GAP, _LETTER_GAP = 12.0, 7.0, 4.0
"""Smallest distances between columns, between more than three of them, and between a letter and its number, px."""


class ValueRow(ReadOut):
    """Numbers in equal columns; fixed digits and right alignment put their decimal points in line.

    Letters keep their distance from the longest number so far, so that each is nearer to its own number than to the one
    before, and none moves with every digit.

    Parameters
    ----------
    letters : sequence of str
        One before each number, in the colour of its axis for x, y and z; empty for numbers alone.
    label : str
        Muted text at the left.
    label_width : int
        Width of the label, so that rows below each other align; 0 for the width of the text.
    columns : int
        Numbers in a row, for several rows below each other; 0 for one row.
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
        columns: int = 0,
        is_strong: bool = False,
        decimals: int = 4,
        formatter: Callable[[float, int], str] = number_text.fixed,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(decimals=decimals, formatter=formatter, parent=parent)
        self.letters = tuple(letters)
        self.label = label
        self._label_width = label_width
        self._columns = columns or max(len(self.letters), 1)
        self._longest = 0.0
        self._weight = 500 if is_strong else 400
        self.values = np.full(len(self.letters), np.nan)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(label)

    def set_letters(self, letters: Sequence[str]) -> None:
        """Change the letters; there are as many as before."""
        self.letters = tuple(letters)
        self._longest = 0.0
        self.update()

    def set_label(self, label: str) -> None:
        """Change the text at the left."""
        self.label = label
        self.update()

    def sizeHint(self) -> QSize:
        n_shown = min(self._columns, len(self.letters))
        return QSize(round(self._label_room()) + 74 * n_shown, self._n_rows * METRICS.readout_row) * self.scale

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._n_rows * METRICS.readout_row) * self.scale

    @property
    def _n_rows(self) -> int:
        return max(-(-len(self.letters) // self._columns), 1)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        scale = self.scale
        painter.scale(scale, scale)
        height = self.height() / scale / self._n_rows
        middle = Qt.AlignmentFlag.AlignVCenter
        left = self._label_room()
        if self.label:
            painters.write_in(painter, self._label_font(), "text" if self._weight > 400 else "quiet")
            painter.drawText(QRectF(0, 0, left, height), middle, self.label)
        font = fonts.number(weight=self._weight)
        painter.setFont(font)
        is_close = self._columns > len(AXIS_LETTERS)  # where a larger gap would cost a decimal
        gap = (_CLOSE_GAP if is_close else _GAP) if any(self.letters) else 0.0
        width = (self.width() / scale - left + gap) / self._columns
        letters = max((fonts.width(font, letter) + _LETTER_GAP for letter in self.letters if letter), default=0.0)
        texts = self._fitting_texts(font, width - gap - letters)
        self._longest = max([self._longest, *(fonts.width(font, text) for text in texts)])
        for index, (letter, text) in enumerate(zip(self.letters, texts, strict=True)):
            row, column = divmod(index, self._columns)
            area = QRectF(left + column * width, row * height, width - gap, height)
            if letter:
                role = f"axis_{letter}_text" if letter in AXIS_LETTERS else "quiet"
                painter.setPen(current_theme.qcolor(role))
                beside = area.right() - self._longest - _LETTER_GAP - fonts.width(font, letter)
                painter.drawText(QRectF(max(beside, area.left()), area.top(), area.width(), height), middle, letter)
            painter.setPen(current_theme.qcolor("text" if self.isEnabled() else "disabled"))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextDontClip, text)
        painter.resetTransform()
        self._paint_focus(painter)

    def _fitting_texts(self, font: QFont, room: float) -> list[str]:
        """Return the numbers with as many decimals as fit: a cut sign or digit would make another number."""
        texts = self.texts()
        for decimals in range(self._decimals - 1, -1, -1):
            if all(fonts.width(font, text) <= room for text in texts):
                break
            texts = [self._formatter(value, decimals) for value in self.values.ravel().tolist()]
        return texts

    def _label_font(self) -> QFont:
        return fonts.text(METRICS.secondary, self._weight)

    def _label_room(self) -> float:
        if not self.label:
            return 0.0
        return self._label_width or fonts.width(self._label_font(), self.label) + METRICS.gap


class QuaternionRow(ValueRow):
    """A quaternion, given as x, y, z, w and shown in the order that the user has chosen.

    Parameters
    ----------
    order : str
        The shown order.
    options
        As in `ValueRow`.
    """

    def __init__(self, order: QuaternionOrder = "xyzw", **options: Any) -> None:
        self._order: QuaternionOrder = order
        super().__init__(tuple(order), **options)

    def set_values(self, values: ArrayLike) -> None:
        """Display a quaternion (4,), scalar last."""
        super().set_values(np.asarray(values, dtype=float)[["xyzw".index(letter) for letter in self._order]])

    def set_order(self, order: QuaternionOrder) -> None:
        """Change the shown order."""
        values = self.values[[self._order.index(letter) for letter in "xyzw"]]
        self._order = order
        self.set_letters(tuple(order))
        self.set_values(values)
