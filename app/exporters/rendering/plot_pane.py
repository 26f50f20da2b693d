"""Plot of the window painted into pictures: its curves once, its cursor and values for each frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from framescope.app.exporters.request import ExportRequest
from framescope.ui.plots.canvas import PlotCanvas
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.header import PlotHeader
from framescope.ui.plots.plot import widest_value
from framescope.ui.plots.plot_content import FINE, plot_contents
from framescope.ui.plots.zoom import Range
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

MAX_SAMPLES = 20_000

_AXIS_LINE = 14.0
"""Height of a line of the axis label, logical pixels."""

_NUMBERS = 17.0
"""Height of the numbers below the curves, logical pixels."""

_AXIS_END = 22.0
"""Width of the label at the end of the time axis, logical pixels."""


class PlotPane:
    """Header and plotting area of the window's plots, never shown on a screen.

    Parameters
    ----------
    scale
        Device pixels per logical pixel.
    """

    def __init__(self, scale: float) -> None:
        self.header = PlotHeader(is_whole=True)
        self.header.menu_button.hide()
        self.canvas = PlotCanvas(picture_scale=scale)
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._size = (0.0, 0.0)
        self._curves: Curves | None = None
        self._axis_words: tuple[str, ...] = ()

    def show(self, curves: Curves, t_range: Range, width: float, height: float) -> None:
        """Set curves over a range of time, and the pane's size in logical pixels."""
        self._size, self._curves = (width, height), curves
        self.canvas.set_curves(curves, t_range)
        scale = self.canvas.value_scale
        widest = [widest_value(y * scale.factor, scale.decimals) for y in curves.ys]
        unit = " · ".join(part for part in (curves.unit, scale.text) if part)
        self.header.resize(round(width), self.header.height())
        self.header.set_content(curves.title, curves.subtitle, curves.styles, scale.decimals, widest, unit=unit)

    def set_lines(self, lines: int, rows: int = 1) -> None:
        """Reserve `lines` lines for the legend and `rows` rows for the title; the curves get the remaining height."""
        self.header.set_lines(lines, rows)
        width, height = self._size
        tall = max(round(height) - self.header.height(), 1)
        self._axis_words = self._words_at_axis(float(tall))
        self.canvas.resize(max(round(width - self._axis_x - _AXIS_END), 1), tall)
        self.canvas.show()  # off screen: Qt lays out only widgets that were shown
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    @property
    def is_there(self) -> bool:
        """Whether the widgets still exist: the application deletes them at its end."""
        return shiboken6.isValid(self.canvas)

    def close(self) -> None:
        """Delete the widgets; call on the thread that created them."""
        for widget in (self.canvas, self.header):
            shiboken6.delete(widget)

    def set_vectors(self) -> None:
        """Paint curves as vectors from now on, not as an image."""
        self.canvas.set_vectors()

    def paint_ground(self, painter: QPainter) -> None:
        """Paint the static parts."""
        painter.save()
        self.header.paint_words(painter)
        painter.restore()
        painter.save()
        painter.fillRect(QRectF(0, self.header.height(), *self._size), current_theme.qcolor("panel"))
        painter.translate(self._axis_x, self.header.height())
        self.canvas.paint_ground(painter)
        self._paint_note(painter)
        self._paint_axis_words(painter)
        painter.restore()

    def paint_moment(self, painter: QPainter, t: float) -> None:
        """Paint the cursor and the values at a time, s."""
        if self._curves is None:
            return
        values = self._curves.at(t)
        self.canvas.set_cursor(t, values)
        self.header.set_values((values * self.canvas.value_scale.factor).tolist())
        self.header.paint_values(painter)
        painter.save()
        painter.translate(self._axis_x, self.header.height())
        self.canvas.paint_cursor(painter)
        painter.restore()

    def present_x(self, t: float, t_range: Range) -> float:
        """Return the x position of a time, s, in a pane that shows a range of time, logical pixels."""
        area = self.canvas.area
        share = min(max((t - t_range[0]) / (t_range[1] - t_range[0]), 0.0), 1.0)
        return self._axis_x + area.left() + share * area.width()

    @property
    def _axis_x(self) -> float:
        """X position of the value axis, right of its label, logical pixels."""
        return _AXIS_LINE * len(self._axis_words)

    def _words_at_axis(self, room: float) -> tuple[str, ...]:
        """Return quantity and unit of the values as one line, or as two where one is too long."""
        if self._curves is None or not self._curves.styles or self._curves.note:
            return ()
        scale = self.canvas.value_scale
        unit = " ".join(part for part in (self._curves.unit, scale.text) if part)
        words = [part for part in (self._curves.quantity or self._curves.title, unit) if part]
        font = fonts.text(METRICS.caption)
        whole = ", ".join(words)
        if fonts.width(font, whole) <= room:
            return (whole,)
        return tuple(QFontMetricsF(font).elidedText(word, Qt.TextElideMode.ElideRight, room) for word in words)

    def _paint_axis_words(self, painter: QPainter) -> None:
        """Label the value axis along its side, from bottom to top, and the time axis at its end."""
        if not self._axis_words:
            return
        area, middle = QRectF(self.canvas.area), Qt.AlignmentFlag.AlignCenter
        painter.setFont(fonts.text(METRICS.caption))
        painter.setPen(current_theme.qcolor("quiet"))
        height = float(self.canvas.height())
        painter.save()
        painter.translate(-self._axis_x + METRICS.inner, 0.0)
        painter.rotate(-90.0)
        for i, words in enumerate(self._axis_words):
            # Centred on the curves, or as close to their centre as the text fits.
            center = min(max(area.center().y(), fonts.width(painter.font(), words) / 2), height)
            painter.drawText(QRectF(-center - height, i * _AXIS_LINE, 2 * height, _AXIS_LINE), middle, words)
        painter.restore()
        numbers = QRectF(area.right() + METRICS.padding, area.bottom(), 2 * _AXIS_END, _NUMBERS)
        painter.drawText(numbers, Qt.AlignmentFlag.AlignVCenter, "t, s")

    def _paint_note(self, painter: QPainter) -> None:
        """Paint the reason why there are no curves, if any."""
        if self._curves is None or not self._curves.note:
            return
        painter.setFont(fonts.text(METRICS.base))
        painter.setPen(current_theme.qcolor("quiet"))
        area = QRectF(self.canvas.area).adjusted(METRICS.gap, 0, -METRICS.gap, 0)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area, int(flags), self._curves.note)


def even_headers(panes: Sequence[PlotPane]) -> None:
    """Give all legends as many lines as the longest needs, so that the plots are aligned."""
    rows = max((pane.header.rows_needed for pane in panes), default=1)
    lines = max((pane.header.lines_needed for pane in panes), default=0)
    for pane in panes:
        pane.set_lines(lines, rows)


def charts_of(request: ExportRequest) -> list[Curves]:
    """Return the curves of the chosen plots over the range of the film.

    Up to `MAX_SAMPLES` frames, the sampling includes every frame's time, so the legend shows exact values.
    """
    start, stop, count = request.start, request.stop, request.count
    n_samples = FINE
    if count <= MAX_SAMPLES and abs(start + request.span - stop) < 1e-9 * max(abs(stop), 1.0):
        n_samples = count * -(-FINE // count) + 1
    charts = plot_contents(request.plan, n_samples, (start, stop), is_simulating=False, angles=request.angles)
    chosen: list[Curves] = []
    for i in request.composed.plots:
        curves = charts[i]
        within = (curves.t >= start) & (curves.t <= stop)
        chosen.append(replace(curves, t=curves.t[within], ys=curves.ys[:, within]))
    return chosen
