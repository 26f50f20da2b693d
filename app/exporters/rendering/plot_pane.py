"""A plot of the window, painted into pictures: its curves once, its cursor and its values for each moment."""

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

MOST_SAMPLES = 20_000

_AXIS_LINE = 14.0
"""Height of a line of words at an axis, logical pixels."""

_NUMBERS = 17.0
"""Of the numbers below the curves."""

_AXIS_END = 22.0
"""What the words at the end of the axis of time take beside the curves."""


class PlotPane:
    """The header and the plotting area of the window, never shown on a screen.

    Parameters
    ----------
    scale
        Pixels for each logical one.
    """

    def __init__(self, scale: float) -> None:
        self.header = PlotHeader(is_whole=True)
        self.header.menu_button.hide()
        self._canvas = PlotCanvas(picture_scale=scale)
        self._canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._size = (0.0, 0.0)
        self._curves: Curves | None = None
        self._axis_words: tuple[str, ...] = ()

    def show(self, curves: Curves, t_range: Range, width: float, height: float) -> None:
        """Take curves over a range of time, and so much room in logical pixels."""
        self._size, self._curves = (width, height), curves
        self._canvas.set_curves(curves, t_range)
        scale = self._canvas.value_scale
        widest = [widest_value(y * scale.factor, scale.decimals) for y in curves.ys]
        unit = " · ".join(part for part in (curves.unit, scale.text) if part)
        self.header.resize(round(width), self.header.height())
        self.header.set_content(curves.title, curves.subtitle, curves.styles, scale.decimals, widest, unit=unit)

    def set_lines(self, lines: int, rows: int = 1) -> None:
        """Leave room for so many lines of the legend and rows of words, and give the rest to the curves."""
        self.header.set_lines(lines, rows)
        width, height = self._size
        tall = max(round(height) - self.header.height(), 1)
        self._axis_words = self._words_at_axis(float(tall))
        self._canvas.resize(max(round(width - self._left - _AXIS_END), 1), tall)
        self._canvas.show()  # on no screen: what is never shown is never laid out
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    @property
    def is_there(self) -> bool:
        """Whether the widgets still are: they end with the application."""
        return shiboken6.isValid(self._canvas)

    def close(self) -> None:
        """Let go of the widgets, on the thread on which they were made."""
        for widget in (self._canvas, self.header):
            shiboken6.delete(widget)

    def set_vectors(self) -> None:
        """Paint curves as lines from now on, and not by way of a picture of them."""
        self._canvas.set_vectors()

    def paint_ground(self, painter: QPainter) -> None:
        """Paint what stays the same."""
        painter.save()
        self.header.paint_words(painter)
        painter.restore()
        painter.save()
        painter.fillRect(QRectF(0, self.header.height(), *self._size), current_theme.qcolor("panel"))
        painter.translate(self._left, self.header.height())
        self._canvas.paint_ground(painter)
        self._paint_note(painter)
        self._paint_axis_words(painter)
        painter.restore()

    def paint_moment(self, painter: QPainter, t: float) -> None:
        """Paint the cursor and the values at a time, s."""
        if self._curves is None:
            return
        values = self._curves.at(t)
        self._canvas.set_cursor(t, values)
        self.header.set_values((values * self._canvas.value_scale.factor).tolist())
        self.header.paint_values(painter)
        painter.save()
        painter.translate(self._left, self.header.height())
        self._canvas.paint_cursor(painter)
        painter.restore()

    @property
    def _left(self) -> float:
        """Where the numbers of the axis begin, beside its words."""
        return _AXIS_LINE * len(self._axis_words)

    def _words_at_axis(self, room: float) -> tuple[str, ...]:
        """Return quantity and unit of the values in one line, or in two where that is too long."""
        if self._curves is None or not self._curves.styles or self._curves.note:
            return ()
        scale = self._canvas.value_scale
        unit = " ".join(part for part in (self._curves.unit, scale.text) if part)
        words = [part for part in (self._curves.quantity or self._curves.title, unit) if part]
        font = fonts.text(METRICS.caption)
        whole = ", ".join(words)
        if fonts.width(font, whole) <= room:
            return (whole,)
        return tuple(QFontMetricsF(font).elidedText(word, Qt.TextElideMode.ElideRight, room) for word in words)

    def _paint_axis_words(self, painter: QPainter) -> None:
        """Say what the values are beside their axis, from below, and at the end of the other one that it is time."""
        if not self._axis_words:
            return
        area, middle = QRectF(self._canvas.area), Qt.AlignmentFlag.AlignCenter
        painter.setFont(fonts.text(METRICS.caption))
        painter.setPen(current_theme.qcolor("quiet"))
        height = float(self._canvas.height())
        painter.save()
        painter.translate(-self._left + METRICS.inner, 0.0)
        painter.rotate(-90.0)
        for i, words in enumerate(self._axis_words):
            # Beside the middle of the curves, or as near to it as the words find room.
            at = min(max(area.center().y(), fonts.width(painter.font(), words) / 2), height)
            painter.drawText(QRectF(-at - height, i * _AXIS_LINE, 2 * height, _AXIS_LINE), middle, words)
        painter.restore()
        numbers = QRectF(area.right() + METRICS.padding, area.bottom(), 2 * _AXIS_END, _NUMBERS)
        painter.drawText(numbers, Qt.AlignmentFlag.AlignVCenter, "t, s")

    def _paint_note(self, painter: QPainter) -> None:
        """Say why there are no curves, where there are none."""
        if self._curves is None or not self._curves.note:
            return
        painter.setFont(fonts.text(METRICS.base))
        painter.setPen(current_theme.qcolor("quiet"))
        area = QRectF(self._canvas.area).adjusted(METRICS.gap, 0, -METRICS.gap, 0)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area, int(flags), self._curves.note)


def even_headers(panes: Sequence[PlotPane]) -> None:
    """Give all legends as many lines as the longest needs, so that the plots stand level."""
    rows = max((pane.header.rows_needed for pane in panes), default=1)
    lines = max((pane.header.lines_needed for pane in panes), default=0)
    for pane in panes:
        pane.set_lines(lines, rows)


def charts_of(request: ExportRequest) -> list[Curves]:
    """Return the curves of the plots that are shown, over the range of the film.

    Every frame has a sample of its own, so that the legend tells the very values, as long as that are not too many.
    """
    start, stop, count = request.start, request.stop, request.count
    n_samples = FINE
    if count <= MOST_SAMPLES and abs(start + request.span - stop) < 1e-9 * max(abs(stop), 1.0):
        n_samples = count * -(-FINE // count) + 1
    charts = plot_contents(request.plan, n_samples, (start, stop), is_simulating=False, angles=request.angles)
    chosen: list[Curves] = []
    for i in request.composed.plots:
        curves = charts[i]
        within = (curves.t >= start) & (curves.t <= stop)
        chosen.append(replace(curves, t=curves.t[within], ys=curves.ys[:, within]))
    return chosen
