"""Plotting area of a laboratory: curves on linear or logarithmic axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from framescope.features.laboratory.ui.axis_scales import Array, AxisScale
from framescope.ui.plots.dashes import SOLID, Dash
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.plots.plot_item import BarePlot
from framescope.ui.qt_support.lean_pyqtgraph import pg
from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS

_LABEL_SPACE_X = 56
_LABEL_SPACE_Y = 19
_LEFT_AXIS = 42
_BOTTOM_AXIS = 20
_HALF_LINE = 5.0
_LONG = 5000
_DOT = 6.0
_RING = 11.0


@dataclass(frozen=True, eq=False)
class Line:
    """Curve or points of a plot.

    Attributes
    ----------
    x, y : (n,)
        Values; NaN where there is none.
    color
        Colour role of the theme.
    dash
        Dash of the curve.
    is_faint
        Whether the curve has a third of the opacity.
    marks
        ``"line"``, ``"dots"`` with a line, or ``"ring"`` alone.
    has_dot
        Whether the cursor shows a dot on the curve.
    """

    x: Array
    y: Array
    color: str = "text"
    dash: Dash = SOLID
    is_faint: bool = False
    marks: str = "line"
    has_dot: bool = True

    def at(self, x: float) -> float:
        """Interpolate the value at `x` linearly; NaN outside of the curve."""
        if not len(self.x) or not self.x[0] <= x <= self.x[-1]:
            return float("nan")
        return float(np.interp(x, self.x, self.y))


class LabCanvas(BarePlot):
    """Plot of curves with a grid and a cursor.

    Signals
    -------
    pointed(float)
        The user drags the pointer to a value of the horizontal axis.
    released()
        The user ends the drag.
    """

    pointed = Signal(float)
    released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_LEFT_AXIS, _BOTTOM_AXIS, (0, 2, METRICS.padding, 0), parent)
        self.lines: tuple[Line, ...] = ()
        """Curves of the plot."""
        self._x, self._y = AxisScale(0.0, 1.0), AxisScale(0.0, 1.0)
        self._cursor_x: float | None = None
        self._is_held = False
        self._items: list[Any] = []  # pyqtgraph is poorly typed
        self.setMinimumSize(80, 60)
        self.set_lines((), self._x, self._y)

    @property
    def axes(self) -> tuple[AxisScale, AxisScale]:
        """Horizontal and vertical axis."""
        return self._x, self._y

    def set_lines(self, lines: tuple[Line, ...], x: AxisScale, y: AxisScale) -> None:
        """Show curves on two axes."""
        self.lines, self._x, self._y = lines, x, y
        for item in self._items:
            self.box.removeItem(item)
        self._items = [self._item(line) for line in lines]
        for item in self._items:
            self.box.addItem(item)
        self.box.setRange(xRange=x.ends, yRange=y.ends, padding=0, disableAutoRange=True)
        self._refresh()

    def set_cursor(self, x: float | None) -> None:
        """Move the cursor; None hides it."""
        self._cursor_x = x
        self._place_cursor()

    def pixel_of(self, x: float) -> float:
        """Return the position of a value of the horizontal axis, pixels of the canvas."""
        low, high = self._x.ends
        place = float(self._x.places(np.array([x]))[0])
        return self.area.left() + (place - low) / (high - low) * self.area.width()

    # --- Qt events

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        if ev.button() == Qt.MouseButton.LeftButton and self.lines:
            self._is_held = True
            self._point(ev)
            ev.accept()
        else:
            ev.ignore()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        if self._is_held:
            self._point(ev)
            ev.accept()

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        if self._is_held and ev.button() == Qt.MouseButton.LeftButton:
            self._is_held = False
            self.released.emit()

    def mouseDoubleClickEvent(self, ev: QMouseEvent) -> None:
        ev.accept()

    def contextMenuEvent(self, ev: QContextMenuEvent) -> None:
        ev.ignore()

    def wheelEvent(self, ev: QWheelEvent) -> None:
        ev.ignore()  # leave it to the surrounding scroll area

    # --- drawing

    def _item(self, line: Line) -> Any:
        if line.marks == "ring":
            return pg.ScatterPlotItem(
                size=_RING, brush=None, pen=pg.mkPen(current_theme.qcolor(line.color), width=METRICS.focus)
            )
        item = pg.PlotCurveItem(antialias=True)
        item.setSegmentedLineMode("off" if line.dash else "on")
        item.setPen(self._pen(line))
        if line.marks == "dots":
            dots = pg.ScatterPlotItem(size=_DOT, pen=None, brush=pg.mkBrush(_color(line)))
            dots.setParentItem(item)
        return item

    def _refresh(self) -> None:
        width = max(int(self.box.width() * self.devicePixelRatio()), 1)
        for item, line in zip(self._items, self.lines, strict=True):
            x, y = self._x.places(line.x), self._y.places(line.y)
            if isinstance(item, pg.ScatterPlotItem):
                item.setData(x, y)
                continue
            for dots in item.childItems():
                dots.setData(x, y)
            good = np.flatnonzero(np.isfinite(y))
            part = slice(good[0], good[-1] + 1) if good.size else slice(0)
            x, y = x[part], y[part]
            has_gaps = not np.isfinite(y).all()
            # Decimation would close gaps. Curves with gaps are short and need none.
            if not has_gaps or len(x) > _LONG:
                x, y = decimate_min_max(x, y, width)
            # Infinite or very large values would draw an endless line.
            low, high = self._y.ends
            y = np.clip(y, low - 2.0 * (high - low), high + 2.0 * (high - low))
            item.setData(x, y, connect="finite" if has_gaps else "all", skipFiniteCheck=not has_gaps)
        self._update_ticks()
        self._place_cursor()

    def _update_ticks(self) -> None:
        area = self.box.boundingRect()
        (start, end), (low, high) = self._x.ends, self._y.ends
        across, up = area.width() / (end - start), area.height() / (high - low)
        along_x = self._x.ticks(max(int(area.width() / _LABEL_SPACE_X), 1))
        # A label at the top edge would be clipped.
        top = high - _HALF_LINE / max(up, 1e-12)
        along_y = [tick for tick in self._y.ticks(max(int(area.height() / _LABEL_SPACE_Y), 1)) if tick[0] <= top]
        self.bottom.setTicks([along_x])
        self.left.setTicks([along_y])
        zero = None if self._y.is_log else high * up
        self._ground.set_grid(
            area, [(x - start) * across for x, _ in along_x], [(high - y) * up for y, _ in along_y], zero
        )

    def _place_cursor(self) -> None:
        x = self._cursor_x
        if x is None or not self.lines:
            self.cursor_item.hide()
            return
        box = self.box.boundingRect()
        (start, end), (low, high) = self._x.ends, self._y.ends
        place = float(self._x.places(np.array([x]))[0])
        at = (place - start) / (end - start) * box.width()
        if not -0.5 <= at <= box.width() + 0.5:
            self.cursor_item.hide()
            return
        dots: list[tuple[float, str]] = []
        for line in self.lines:
            if line.has_dot and not line.is_faint:
                y = float(self._y.places(np.array([line.at(x)]))[0])
                if low <= y <= high:
                    dots.append(((high - y) / (high - low) * box.height(), line.color))
        self.cursor_item.show()
        self.cursor_item.show_at(at, box.height(), dots)

    def _recolor(self) -> None:
        super()._recolor()
        self.set_lines(self.lines, self._x, self._y)

    def _point(self, event: QMouseEvent) -> None:
        place = self.box.mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        start, end = self._x.ends
        self.pointed.emit(self._x.value(min(max(place, start), end)))

    def _pen(self, line: Line) -> QPen:
        pen = pg.mkPen(_color(line), width=max(round(self.devicePixelRatio()), 1))
        painters.set_dash(pen, line.dash)
        return pen


def _color(line: Line) -> Any:
    return current_theme.qcolor(line.color, 0.35 if line.is_faint else 1.0)
