"""Legend of the colours of errors along a path: a bar from no error to the largest, with numbers and unit."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.core.kernels.validation import Array
from framescope.features.trajectories.ui.error_colors import error_colors, largest_colored
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

BAR_HEIGHT, TEXT_SIZE, TEXT_HEIGHT, N_STOPS = 6, 11, 15, 9


class ErrorBar(QWidget):
    """Bar with the colours of the path in the scene, the error at both ends below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ends = ("", "")
        """Texts below the ends."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("Colours of the aligned path in the scene")

    def set_range(self, errors: Array, unit: str) -> None:
        """Show the range of errors (n,); hidden without any error above 0."""
        largest = largest_colored(errors)
        is_cut = len(errors) > 0 and float(np.nanmax(errors)) > largest
        beyond = " and more" if is_cut else ""
        self.ends = f"0 {unit}".strip(), f"{largest:.3g} {unit}".strip() + beyond
        self.setAccessibleName(f"colours of the path: {self.ends[0]} to {self.ends[1]}")
        self.setVisible(largest > 0.0)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, BAR_HEIGHT + METRICS.inner + TEXT_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme.current()
        share = np.linspace(0.0, 1.0, N_STOPS)
        gradient = QLinearGradient(0.0, 0.0, float(self.width()), 0.0)
        for at, color in zip(share.tolist(), error_colors(share, 1.0, theme).tolist(), strict=True):
            gradient.setColorAt(at, QColor(*color))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(QRectF(0.0, 0.0, self.width(), BAR_HEIGHT), BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        painter.setPen(QColor(theme.quiet))
        painter.setFont(fonts.text(TEXT_SIZE))
        below = QRectF(0.0, BAR_HEIGHT + METRICS.inner, self.width(), self.height() - BAR_HEIGHT - METRICS.inner)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self.ends[0])
        painter.drawText(below, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, self.ends[1])
