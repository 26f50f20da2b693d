"""The plotting area: grid, axes, curves and cursor, drawn by pyqtgraph with everything adaptive switched off."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QWidget

from framescope.ui import appearance, fonts
from framescope.ui.plots.cursor_item import CursorItem
from framescope.ui.plots.curves import Curves, CurveStyle
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.plots.ground_item import GroundItem
from framescope.ui.plots.ranges import Scale, scale_for, value_range
from framescope.ui.theme import METRICS
from framescope.ui.ticks import ticks

_LABEL_SPACE_X = 64
_LABEL_SPACE_Y = 19
_LEFT_AXIS = 46
_BOTTOM_AXIS = 22
_DASHES = (4, 3)


class Canvas(pg.PlotWidget):
    """
    Curves over time with fixed ranges.

    Signals
    -------
    scrubbed(float)
        Seconds, while the pointer is held in the plot.
    scrub_finished()
        The hand has let go.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: Curves | None = None
        self._scale = Scale(0, 2)
        self._t_range = (0.0, 1.0)
        self._y_range = (-1.0, 1.0)
        self._cursor_t: float | None = None
        self._region: tuple[float, float, str] | None = None
        self._items: list[pg.PlotCurveItem] = []
        self._is_scrubbing = False

        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._box = self.getViewBox()
        self._box.disableAutoRange()
        self._box.setDefaultPadding(0.0)
        self._box.sigResized.connect(self._on_resized)
        self._left, self._bottom = self.getAxis("left"), self.getAxis("bottom")
        self._left.setWidth(_LEFT_AXIS)
        self._bottom.setHeight(_BOTTOM_AXIS)
        item: Any = self.plotItem
        item.setContentsMargins(METRICS.gap, 2, METRICS.padding, 0)
        # pyqtgraph makes a menu even so, and without a parent: it would outlive the plot.
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        for axis in (self._left, self._bottom):
            axis.setStyle(
                tickLength=0,
                tickFont=fonts.text(METRICS.caption),
                maxTickLevel=0,
                tickAlpha=0,
                autoExpandTextSpace=False,
                # Otherwise the first and the last number go missing.
                hideOverlappingLabels=False,
            )
        self._ground = GroundItem(self._box)
        self._cursor = CursorItem(self._box)
        self._cursor.hide()  # until it has a time
        self._recolor()
        appearance.signals.theme_changed.connect(self._recolor)

    @property
    def value_scale(self) -> Scale:
        """The power of ten and the digits the values are shown with."""
        return self._scale

    def set_curves(self, curves: Curves, t_range: tuple[float, float] | None = None) -> None:
        """Show curves; the range of time is theirs unless another is given."""
        self._curves = curves
        low, high = value_range(curves.ys)
        scale = scale_for(low, high, curves.unit)
        self._scale = Scale(scale.exponent, scale.decimals if curves.decimals is None else curves.decimals)
        self._y_range = (low * self._scale.factor, high * self._scale.factor)
        if t_range is None and len(curves.t):
            t_range = (float(curves.t[0]), float(curves.t[-1]))
        start, end = t_range or (0.0, 1.0)
        self._t_range = (start, end if end > start else start + 1.0)
        self._box.setRange(xRange=self._t_range, yRange=self._y_range, padding=0, disableAutoRange=True)
        self._match_items(curves.styles)
        self._refresh()

    def set_cursor(self, t: float, values: np.ndarray) -> None:
        """Move the cursor; values as they are in the curves."""
        self._cursor_t = t
        box = self._box.boundingRect()
        start, end = self._t_range
        x = (t - start) / (end - start) * box.width()
        if self._curves is None or not -0.5 <= x <= box.width() + 0.5:
            self._cursor.hide()
            return
        low, high = self._y_range
        to_pixels = box.height() / (high - low)
        ys = (high - values * self._scale.factor) * to_pixels
        dots = [
            (y, style.color)
            for y, style in zip(ys.tolist(), self._curves.styles, strict=True)
            if -1.0 <= y <= box.height() + 1.0
        ]
        self._cursor.show()
        self._cursor.show_at(x, box.height(), dots)

    def set_region(self, region: tuple[float, float, str] | None) -> None:
        """Tint a span of time, as the stage under way: first and last second and the role of a colour."""
        self._region = region
        self._place_region()

    # --- Qt events

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        if ev.button() == Qt.MouseButton.LeftButton and self._curves is not None:
            self._is_scrubbing = True
            self._scrub(ev)
            ev.accept()
        else:
            ev.ignore()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        if self._is_scrubbing:
            self._scrub(ev)
            ev.accept()

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        if self._is_scrubbing and ev.button() == Qt.MouseButton.LeftButton:
            self._is_scrubbing = False
            self.scrub_finished.emit()

    def wheelEvent(self, ev: QWheelEvent) -> None:
        # Left to the scroll area around: the ranges are fixed.
        ev.ignore()

    # --- drawing

    def _match_items(self, styles: tuple[CurveStyle, ...]) -> None:
        while len(self._items) > len(styles):
            self.removeItem(self._items.pop())
        while len(self._items) < len(styles):
            item = pg.PlotCurveItem(antialias=True)
            # Drawn once per change into a picture, so that a tick blits a strip of it; this pays for antialiasing.
            item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
            self.addItem(item)
            self._items.append(item)
        for item, style in zip(self._items, styles, strict=True):
            # One segment after the other is far cheaper than one long path, but each would begin its dashes anew.
            item.setSegmentedLineMode("off" if style.is_dashed else "on")
            item.setPen(self._pen(style.color, is_dashed=style.is_dashed))

    def _refresh(self) -> None:
        """Give the items their points and the axes their ticks, for the present size."""
        if self._curves is None:
            return
        width = max(int(self._box.width() * self.devicePixelRatio()), 1)
        for item, y in zip(self._items, self._curves.ys, strict=True):
            t, shown = decimate_min_max(self._curves.t, y, width)
            has_gaps = not np.isfinite(shown).all()
            item.setData(
                t, shown * self._scale.factor, connect="finite" if has_gaps else "all", skipFiniteCheck=not has_gaps
            )
        self._update_ticks()
        self._place_region()
        if self._cursor_t is not None:
            self.set_cursor(self._cursor_t, self._curves.at(self._cursor_t))

    def _update_ticks(self) -> None:
        area = self._box.boundingRect()
        (start, end), (low, high) = self._t_range, self._y_range
        per_second, per_unit = area.width() / (end - start), area.height() / (high - low)
        times = ticks(start, end, max(int(area.width() / _LABEL_SPACE_X), 1))
        values = ticks(low, high, max(int(area.height() / _LABEL_SPACE_Y), 1))
        for axis, chosen in ((self._bottom, times), (self._left, values)):
            axis.setTicks([list(zip(chosen.major, chosen.labels(), strict=True))])
        self._ground.set_grid(
            area,
            [(t - start) * per_second for t in times.major],
            [(high - y) * per_unit for y in values.major],
            high * per_unit,
        )

    def _place_region(self) -> None:
        if self._region is None:
            self._ground.set_band(None)
            return
        start, end = self._t_range
        per_second = self._box.width() / (end - start)
        first, last, role = self._region
        first, last = max(first, start), max(min(last, end), start)
        self._ground.set_band(((first - start) * per_second, (last - start) * per_second, role))

    def _recolor(self) -> None:
        self.setBackground(appearance.qcolor("panel"))
        for axis in (self._left, self._bottom):
            axis.setPen(pg.mkPen(None))
            axis.setTextPen(pg.mkPen(appearance.color("quiet")))
        if self._curves is not None:
            self._match_items(self._curves.styles)
        self._ground.update()
        self._cursor.update()

    # --- what the events share

    def _on_resized(self) -> None:
        self._refresh()

    def _scrub(self, event: QMouseEvent) -> None:
        start, end = self._t_range
        t = self._box.mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        self.scrubbed.emit(min(max(t, start), end))

    def _pen(self, role: str, *, is_dashed: bool = False) -> QPen:
        # Cosmetic and one pixel wide, of whole device pixels: wider lines cost fifteen times as much.
        pen = pg.mkPen(appearance.color(role), width=max(round(self.devicePixelRatio()), 1))
        if is_dashed:
            pen.setDashPattern(list(_DASHES))
        return pen
