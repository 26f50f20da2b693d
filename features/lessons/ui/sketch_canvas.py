"""Canvas on which the user draws a curve over time. The right curve can be shown over it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import Array
from framescope.ui.formatting.ticks import ticks
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS

N_SAMPLES = 200
"""Number of samples of a drawn curve."""

HEIGHT, MARGIN = 150, 8
"""Preferred height of the canvas and margin around its field, px."""

STEP = 0.05
"""Distance that an arrow key moves a point, as a fraction of the range of values."""

LABEL = 56.0
"""Width of the labels of the values, px."""

N_VALUES = 5
"""Approximate number of ticks of values."""

TIME_SPACING = 48.0
"""Smallest distance of the ticks of times, px."""

N_KEYS = 9
"""Number of points of the curve that keys can move."""


class SketchCanvas(QWidget):
    """Field over a span of time in which the user draws a curve with the mouse, or point by point with the keyboard.

    Left and Right choose a point, Up and Down move it, Delete clears the curve.

    Signals
    -------
    changed()
        The curve has changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("your curve: drag, or Left and Right for a point and Up and Down to move it")
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._drawn = np.full(N_SAMPLES, np.nan)
        self._right: Array | None = None
        self._span, self.value_range, self._unit = (0.0, 1.0), (-1.0, 1.0), ""
        self._last: int | None = None
        self._key = 0

    def sizeHint(self) -> QSize:
        return QSize(280, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def set_axes(self, span: tuple[float, float], values: tuple[float, float], unit: str) -> None:
        """Set the span of times, s, the range of values and their unit."""
        self._span, self.value_range, self._unit = span, values, unit
        self.update()

    @property
    def times(self) -> Array:
        """Times (n,) of the samples, s."""
        return np.linspace(*self._span, N_SAMPLES)

    @property
    def values(self) -> Array:
        """Drawn values (n,), NaN where nothing is drawn."""
        return self._drawn.copy()

    @property
    def is_drawn(self) -> bool:
        """Whether there is a curve."""
        return bool(np.isfinite(self._drawn).any())

    def show_right(self, values: Array | None) -> None:
        """Show the right curve (n,) over the drawn one; None hides it."""
        self._right = values
        self.update()

    # Drawing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = None
        self._draw_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._draw_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002
        self._last = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = np.linspace(0, N_SAMPLES - 1, N_KEYS).round().astype(int)
        match event.key():
            case Qt.Key.Key_Left:
                self._key = max(self._key - 1, 0)
            case Qt.Key.Key_Right:
                self._key = min(self._key + 1, N_KEYS - 1)
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                low, high = self.value_range
                points = (
                    np.interp(places, *self._known_samples(), left=0.5 * (low + high), right=0.5 * (low + high))
                    if self.is_drawn
                    else np.full(N_KEYS, 0.5 * (low + high))
                )
                points[self._key] += (high - low) * STEP * (1 if event.key() == Qt.Key.Key_Up else -1)
                self.set_curve(np.interp(np.arange(N_SAMPLES), places, np.clip(points, low, high)))
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.set_curve(np.full(N_SAMPLES, np.nan))
            case _:
                super().keyPressEvent(event)
                return
        self.update()

    def _known_samples(self) -> tuple[Array, Array]:
        known = np.flatnonzero(np.isfinite(self._drawn))
        return known.astype(float), self._drawn[known]

    def _draw_to(self, at: QPointF) -> None:
        area = self._area()
        share = min(max((at.x() - area.left()) / area.width(), 0.0), 1.0)
        low, high = self.value_range
        value = high - min(max((at.y() - area.top()) / area.height(), 0.0), 1.0) * (high - low)
        i = round(share * (N_SAMPLES - 1))
        drawn = self._drawn.copy()
        first = i if self._last is None else self._last
        a, b = sorted((first, i))
        ends = (value, value) if first == i else (drawn[first], value) if first < i else (value, drawn[first])
        drawn[a : b + 1] = np.linspace(*ends, b - a + 1)
        self._last = i
        self.set_curve(drawn)

    def set_curve(self, drawn: Array) -> None:
        self._drawn = drawn
        self.update()
        self.changed.emit()

    # Painting

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN - METRICS.secondary - 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        painter.fillRect(area, current_theme.qcolor("plot_ground"))
        painter.setPen(QPen(current_theme.qcolor("accent" if self.hasFocus() else "field_border"), 1))
        painter.drawRect(area)
        low, high = self.value_range
        painter.setPen(QPen(current_theme.qcolor("plot_grid"), 1))
        values = ticks(low, high, N_VALUES)
        for value in values.major:
            painter.drawLine(QPointF(area.left() + LABEL, self._y(value)), QPointF(area.right(), self._y(value)))
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        line = QRectF(area.left(), area.bottom() + 2, area.width(), METRICS.secondary + 4)
        self._paint_times(painter, area, line)
        for value, label in zip(values.major, values.labels(), strict=True):
            y = self._y(value)
            space = "" if self._unit.startswith("°") else " "
            text = f"{label}{space}{self._unit}".rstrip() if value else "0"
            inside = min(max(y - 9.0, area.top() + 1.0), area.bottom() - 18.0)
            painter.drawText(QRectF(area.left() + 4, inside, 90, 18), int(Qt.AlignmentFlag.AlignVCenter), text)
        if self._right is not None:
            self._paint_curve(painter, self._right, QPen(current_theme.qcolor("good"), 2, Qt.PenStyle.DashLine))
        self._paint_curve(painter, self._drawn, QPen(current_theme.qcolor("accent"), 2))
        if self.hasFocus():
            share = self._key / (N_KEYS - 1)
            x = area.left() + share * area.width()
            painter.setPen(QPen(current_theme.qcolor("quiet"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def _paint_times(self, painter: QPainter, area: QRectF, line: QRectF) -> None:
        """Paint the times below the field and their grid lines."""
        start, end = self._span
        times = ticks(start, end, max(int(area.width() / TIME_SPACING), 2))
        for t, label in zip(times.major, times.labels(), strict=True):
            x = area.left() + (t - start) / (end - start) * area.width()
            painter.setPen(QPen(current_theme.qcolor("plot_grid"), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            label_left = min(max(x - 20.0, area.left()), area.right() - 40.0)
            side = Qt.AlignmentFlag.AlignLeft if label_left > x - 20.0 else Qt.AlignmentFlag.AlignHCenter
            side = Qt.AlignmentFlag.AlignRight if label_left < x - 20.0 else side
            painter.setPen(current_theme.qcolor("quiet"))
            painter.drawText(QRectF(label_left, line.top(), 40, line.height()), int(side), f"{label} s")

    def _y(self, value: float) -> float:
        area, (low, high) = self._area(), self.value_range
        return area.bottom() - (value - low) / (high - low) * area.height()

    def _paint_curve(self, painter: QPainter, values: Array, pen: QPen) -> None:
        area = self._area()
        xs = np.linspace(area.left(), area.right(), N_SAMPLES)
        painter.setPen(pen)
        known = np.isfinite(values)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(int)))
        for begin, end in edges.reshape(-1, 2).tolist():
            points = [QPointF(float(xs[i]), self._y(float(values[i]))) for i in range(begin, end)]
            painter.drawPolyline(QPolygonF(points))
