"""Plotting area: grid, axes, curves and cursor, drawn by pyqtgraph without its adaptive features."""

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from framescope.ui.formatting.ticks import Ticks, ticks
from framescope.ui.plots.curves import Curves, CurveStyle
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.plots.names_item import NamesItem, names_of
from framescope.ui.plots.plot_item import BarePlot
from framescope.ui.plots.ranges import Scale, decimals_for, scale_for, value_range
from framescope.ui.plots.zoom import Range, shift_range, zoom_range
from framescope.ui.qt_support.lean_pyqtgraph import pg
from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS

_LABEL_SPACE_X = 64
_LABEL_SPACE_Y = 19
_LEFT_AXIS = 46
_BOTTOM_AXIS = 22
_TOP = 7  # half the height of an axis number

BEYOND_VIEW = 1000.0
"""Distance from the view, in heights of the view, at which drawn values are cut off: Qt drops lines that go too far."""

PICTURE_LINE = 1.5
"""Width of a curve in a picture, logical pixels."""


class PlotCanvas(BarePlot):
    """Area with curves over time, with zoom and pan.

    The left button scrubs the time. The wheel zooms at the pointer in time, with Ctrl in value. The other buttons pan.
    A double click shows everything.

    Signals
    -------
    scrubbed(float)
        Time at the pointer, s, while the user scrubs.
    scrub_finished()
        The user has released the button.
    t_view_changed(object)
        The time span in view, or None for all of it.
    menu_requested(QPoint)
        Position of a right click on the screen.

    Parameters
    ----------
    picture_scale
        Pixels per logical pixel of a picture; None on a screen.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()
    t_view_changed = Signal(object)
    menu_requested = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None, picture_scale: float | None = None) -> None:
        super().__init__(_LEFT_AXIS, _BOTTOM_AXIS, (METRICS.gap, _TOP, METRICS.padding, 0), parent)
        self._picture_scale = picture_scale
        self._label_scale = 1.0
        self._curves: Curves | None = None
        self.value_scale = Scale(0, 2)
        """Power of ten and number of digits of the displayed values."""
        self._t_range = (0.0, 1.0)
        self._y_range = (-1.0, 1.0)
        self._t_whole, self._y_whole = self._t_range, self._y_range
        self.t_view: Range | None = None
        """Time span in view; None for all of it."""
        self.y_view: Range | None = None
        self._hidden: frozenset[int] = frozenset()
        self._pan_from: QPoint | None = None
        self._has_panned = False
        self._cursor_t: float | None = None
        self._region: tuple[float, float, str] | None = None
        self.curve_items: list[pg.PlotCurveItem] = []
        self.names_item = NamesItem(self.box)
        self._is_scrubbing = False

        # signals are dropped on the panel
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Ranges of time and unscaled values in view."""
        low, high = self._y_range
        return self._t_range, (low / self.value_scale.factor, high / self.value_scale.factor)

    def set_curves(self, curves: Curves, t_range: Range | None = None, hidden: frozenset[int] = frozenset()) -> None:
        """Show curves except hidden ones, over their own or a given time range."""
        self._curves, self._hidden = curves, hidden
        i_shown = [i for i in range(len(curves.styles)) if i not in hidden]
        low, high = value_range(curves.ys_in_view[i_shown])
        scale = scale_for(low, high, curves.unit)
        self.value_scale = scale
        if curves.decimals is not None:  # the given digits, or more where values would look equal
            needed = decimals_for(low * scale.factor, high * scale.factor)
            self.value_scale = Scale(scale.exponent, max(curves.decimals, needed))
        self._y_whole = (low, high)
        if t_range is None and len(curves.t):
            t_range = (float(curves.t[0]), float(curves.t[-1]))
        start, end = t_range or (0.0, 1.0)
        self._t_whole = (start, end if end > start else start + 1.0)
        if self.t_view is not None and not (start <= self.t_view[0] and self.t_view[1] <= end):
            self.t_view = None
        self._match_items(curves.styles)
        self._place()

    def set_scale(self, scale: float) -> None:
        super().set_scale(scale)
        self._label_scale = scale
        self._refresh()

    def set_t_view(self, view: Range | None) -> None:
        """Show a time span, or all of it."""
        if view != self.t_view:
            self.t_view = view
            self._place()

    def set_y_view(self, view: Range | None) -> None:
        """Show a span of unscaled values, or all of them."""
        if view != self.y_view:
            self.y_view = view
            self._place()

    def show_all(self) -> None:
        """Show all times and values."""
        self.set_y_view(None)
        self._look_at(None)

    def zoom_t(self, notches: float, at: float | None = None) -> None:
        """Zoom in at a time, by default the middle; zoom out when negative."""
        middle = (self._t_range[0] + self._t_range[1]) / 2
        self._look_at(zoom_range(self._t_range, middle if at is None else at, notches, self._t_whole))

    def zoom_y(self, notches: float, at: float | None = None) -> None:
        """Zoom in at an unscaled value."""
        view = self.ranges[1]
        self.set_y_view(zoom_range(view, sum(view) / 2 if at is None else at, notches, self._y_whole))

    def pan(self, dt: float, dy: float = 0.0) -> None:
        """Move the view by a time, s, and a value."""
        if self.t_view is not None:
            self._look_at(shift_range(self.t_view, dt, self._t_whole))
        if self.y_view is not None:
            self.set_y_view(shift_range(self.y_view, dy, self._y_whole))

    def set_cursor(self, t: float, values: np.ndarray) -> None:
        """Move the cursor to a time, with the unscaled values of the curves."""
        self._cursor_t = t
        box = self.box.boundingRect()
        start, end = self._t_range
        x = (t - start) / (end - start) * box.width()
        # The cursor would cross out the note of a plot without curves.
        if self._curves is None or self._curves.note or not -0.5 <= x <= box.width() + 0.5:
            self.cursor_item.hide()
            return
        low, high = self._y_range
        to_pixels = box.height() / (high - low)
        ys = (high - values * self.value_scale.factor) * to_pixels
        dots = [
            (y, style.color)
            for i, (y, style) in enumerate(zip(ys.tolist(), self._curves.styles, strict=True))
            if -1.0 <= y <= box.height() + 1.0 and i not in self._hidden
        ]
        self.cursor_item.show()
        self.cursor_item.show_at(x, box.height(), dots)

    def set_vectors(self) -> None:
        """Draw each curve as one line without caching, for vector files."""
        for item in (self._ground, self.names_item, *self.curve_items):
            item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        for item in self.curve_items:
            item.setSegmentedLineMode("off")

    def paint_ground(self, painter: QPainter) -> None:
        """Paint everything except the cursor into a picture."""
        was_shown = self.cursor_item.isVisible()
        self.cursor_item.hide()
        area = QRectF(self.rect())
        painter.fillRect(area, current_theme.qcolor("panel"))
        self.scene().render(painter, area, area)
        self.cursor_item.setVisible(was_shown)

    def paint_cursor(self, painter: QPainter) -> None:
        """Paint the cursor over the picture."""
        if not self.cursor_item.isVisible():
            return
        painter.save()
        painter.translate(self.box.mapToScene(self.cursor_item.pos()))
        self.cursor_item.paint(painter, QStyleOptionGraphicsItem())
        painter.restore()

    def set_region(self, region: tuple[float, float, str] | None) -> None:
        """Tint a time span: first and last time, s, and colour role."""
        self._region = region
        self._place_region()

    def set_focused(self, is_focused: bool) -> None:
        """Show whether the plot has the keyboard focus, by an accent frame."""
        self._ground.set_focused(is_focused)

    # --- Qt events

    def mousePressEvent(self, ev: QMouseEvent) -> None:
        if self._curves is None:
            ev.ignore()
        elif ev.button() == Qt.MouseButton.LeftButton:
            self._is_scrubbing = True
            self._scrub(ev)
            ev.accept()
        elif ev.button() in (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
            self._pan_from, self._has_panned = ev.position().toPoint(), False
            ev.accept()
        else:
            ev.ignore()

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        if self._is_scrubbing:
            self._scrub(ev)
            ev.accept()
        elif self._pan_from is not None:
            moved_by = ev.position().toPoint() - self._pan_from
            if self._has_panned or moved_by.manhattanLength() >= QGuiApplication.styleHints().startDragDistance():
                self._has_panned = True
                self._pan_from = ev.position().toPoint()
                area, ((start, end), (low, high)) = self.box.boundingRect(), self.ranges
                self.pan(
                    -moved_by.x() * (end - start) / max(area.width(), 1.0),
                    moved_by.y() * (high - low) / max(area.height(), 1.0),
                )
            ev.accept()

    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        if self._is_scrubbing and ev.button() == Qt.MouseButton.LeftButton:
            self._is_scrubbing = False
            self.scrub_finished.emit()
        elif self._pan_from is not None and ev.button() != Qt.MouseButton.LeftButton:
            self._pan_from = None
            if ev.button() == Qt.MouseButton.RightButton and not self._has_panned:
                self.menu_requested.emit(ev.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, ev: QMouseEvent) -> None:
        if ev.button() == Qt.MouseButton.LeftButton:
            self.show_all()
        ev.accept()

    def contextMenuEvent(self, ev: QContextMenuEvent) -> None:
        # The right button also pans, so the menu opens on release.
        ev.accept()

    def wheelEvent(self, ev: QWheelEvent) -> None:
        notches = ev.angleDelta().y() / 120.0
        if self._curves is None or not notches or ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            ev.ignore()  # for the scroll area
            return
        place = self.box.mapSceneToView(self.mapToScene(ev.position().toPoint()))
        if ev.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_y(notches, place.y() / self.value_scale.factor)
        else:
            self.zoom_t(notches, place.x())
        ev.accept()

    # --- drawing

    def _match_items(self, styles: tuple[CurveStyle, ...]) -> None:
        while len(self.curve_items) > len(styles):
            self.box.removeItem(self.curve_items.pop())
        while len(self.curve_items) < len(styles):
            item = pg.PlotCurveItem(antialias=True)
            # Cached as a picture, so that a tick only copies a strip of it. This pays for antialiasing.
            item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
            self.box.addItem(item)
            self.curve_items.append(item)
        for i, (item, style) in enumerate(zip(self.curve_items, styles, strict=True)):
            item.setVisible(i not in self._hidden)
            # Separate segments are far cheaper than one long path, but dashes would restart at each of them.
            item.setSegmentedLineMode("off" if style.dash else "on")
            item.setPen(self._pen(style))

    def _place(self) -> None:
        """Apply the view to the plot."""
        self._t_range = self.t_view or self._t_whole
        low, high = self.y_view or self._y_whole
        self._y_range = (low * self.value_scale.factor, high * self.value_scale.factor)
        self.box.setRange(xRange=self._t_range, yRange=self._y_range, padding=0, disableAutoRange=True)
        self.box.updateMatrix()  # otherwise the next paint event detects the change, and everything is painted twice
        self._refresh()

    def _refresh(self) -> None:
        if self._curves is None:
            return
        width = max(int(self.box.width() * (self._picture_scale or self.devicePixelRatio())), 1)
        # samples in view, and one on either side for the lines that leave it
        first, last = np.searchsorted(self._curves.t, self._t_range)
        part = slice(max(int(first) - 1, 0), int(last) + 2)
        low, high = self._y_range
        beyond = BEYOND_VIEW * (high - low)
        for item, y in zip(self.curve_items, self._curves.ys, strict=True):
            t, values = decimate_min_max(self._curves.t[part], y[part], width)
            has_gaps = not np.isfinite(values).all()
            scaled = values * self.value_scale.factor
            item.setData(
                t,
                np.where(np.isfinite(scaled), np.clip(scaled, low - beyond, high + beyond), scaled),
                connect="finite" if has_gaps else "all",
                skipFiniteCheck=not has_gaps,
            )
        self._update_ticks()
        self._place_names()
        self._place_region()
        if self._cursor_t is not None:
            self.set_cursor(self._cursor_t, self._curves.at(self._cursor_t))

    def _update_ticks(self) -> None:
        area = self.box.boundingRect()
        (start, end), (low, high) = self._t_range, self._y_range
        per_second, per_unit = area.width() / (end - start), area.height() / (high - low)
        times = ticks(start, end, max(int(area.width() / (self._label_scale * _LABEL_SPACE_X)), 1))
        is_empty = self._curves is not None and bool(self._curves.note)
        n_values = max(int(area.height() / (self._label_scale * _LABEL_SPACE_Y)), 1)
        values = Ticks((), (), 0) if is_empty else ticks(low, high, n_values)
        for axis, chosen in ((self.bottom, times), (self.left, values)):
            axis.setTicks([list(zip(chosen.major, chosen.labels(), strict=True))])
        self._ground.set_grid(
            area,
            [(t - start) * per_second for t in times.major],
            [(high - y) * per_unit for y in values.major],
            None if is_empty else high * per_unit,
        )

    def _place_names(self) -> None:
        if self._curves is not None:
            size = self.box.width(), self.box.height()
            names = names_of(self._curves, self._hidden, size, *self.ranges, self._label_scale)
            self.names_item.set_names(names, self._label_scale)

    def _place_region(self) -> None:
        if self._region is None:
            self._ground.set_band(None)
            return
        start, end = self._t_range
        per_second = self.box.width() / (end - start)
        first, last, role = self._region
        first, last = (min(max(t, start), end) for t in (first, last))
        self._ground.set_band(((first - start) * per_second, (last - start) * per_second, role))

    def _recolor(self) -> None:
        super()._recolor()
        if self._curves is not None:
            self.names_item.update()
            self._match_items(self._curves.styles)

    # --- shared by several events

    def _look_at(self, view: Range | None) -> None:
        if view != self.t_view:
            self.set_t_view(view)
            self.t_view_changed.emit(view)

    def _scrub(self, event: QMouseEvent) -> None:
        start, end = self._t_range
        t = self.box.mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        self.scrubbed.emit(min(max(t, start), end))

    def _pen(self, style: CurveStyle) -> QPen:
        # Cosmetic, with a width of whole device pixels: wider lines are fifteen times as slow. A picture is painted
        # only once, and its lines must survive encoding.
        width = self.devicePixelRatio() if self._picture_scale is None else PICTURE_LINE * self._picture_scale
        pen = pg.mkPen(current_theme.color(style.color), width=max(round(width), 1))
        painters.set_dash(pen, style.dash)
        return pen
