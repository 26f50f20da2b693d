"""Base of painted read-outs: values, their digits, and copying them at full precision."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS


class ReadOut(QWidget):
    """Numbers to view and copy, painted instead of laid out because they change at every tick.

    A click or Tab focuses it; Ctrl+C or the context menu copies all numbers, tab-separated at full precision. It grows
    with the font of the widget that it is in.

    Parameters
    ----------
    decimals : int
        Digits after the decimal point.
    formatter : callable
        Turns a value and the number of digits into text.
    """

    def __init__(
        self,
        *,
        decimals: int = 4,
        formatter: Callable[[float, int], str] = number_text.fixed,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._decimals = decimals
        self._formatter = formatter
        self.values: NDArray[np.float64] = np.full((0,), np.nan)
        """The displayed values."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_values(self, values: ArrayLike) -> None:
        """Display values; cheap, called at every tick."""
        values = np.array(values, dtype=float)
        if not np.array_equal(values, self.values, equal_nan=True):
            self.values = values
            self.update()

    @property
    def scale(self) -> float:
        """Size as a multiple of the usual one: larger where a stylesheet enlarges the font, as for a presentation."""
        return max(self.font().pixelSize() / METRICS.base, 1.0)  # fonts in points have no size in pixels

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self.update()

    def part_at(self, at: QPoint) -> QRect:  # noqa: ARG002
        """Return the rectangle of the number at a place; by default that of all numbers."""
        return self.rect()

    def set_decimals(self, decimals: int) -> None:
        """Change the digits after the decimal point."""
        self._decimals = decimals
        self.update()

    def texts(self) -> list[str]:
        """Return the numbers as displayed, row by row."""
        return [self._formatter(value, self._decimals) for value in self.values.ravel().tolist()]

    def full_text(self) -> str:
        """Return the numbers at full precision, tab-separated, one line for each row."""
        rows = np.atleast_2d(self.values).tolist()
        return "\n".join("\t".join(number_text.full(value) for value in row) for row in rows)

    def copy(self) -> None:
        """Copy the numbers to the clipboard at full precision."""
        QGuiApplication.clipboard().setText(self.full_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Not by the focus policy: a press on a read-out must not end an edit elsewhere, unless it is meant for the
        # read-out.
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy at full precision", self.copy)
        menu.popup(event.globalPos())

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(current_theme.qcolor("accent", 0.7), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = METRICS.field_radius
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
