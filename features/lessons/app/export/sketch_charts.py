"""Charts of sketch questions: axes to draw in, empty or with the right curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.features.lessons.app.export.paper import paper_font
from framescope.features.lessons.core.judging import curve_of, range_of, unit_of
from framescope.features.lessons.core.schema import Sketch
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.number_text import MINUS
from framescope.ui.formatting.ticks import ticks
from framescope.ui.theme import current_theme

SAMPLES = 400
"""Number of samples of a curve."""

_GAP = 5.0
_TEXT = 10


@dataclass(frozen=True, eq=False)
class SketchChart:
    """Right curve over time, and the axes to draw it in.

    Attributes
    ----------
    times, values : (n,)
        Times, s, and values of the right curve in its unit; NaN where there is no value.
    low, high
        Range of the value axis. It is symmetric about zero, so that the axis does not reveal the sign.
    unit
        Unit of the values, as displayed.
    """

    times: Array
    values: Array
    low: float
    high: float
    unit: str


def chart_of(question: Sketch, plan: Plan) -> SketchChart:
    """Return the chart of a sketch question; `plan` is the compiled scene of the step."""
    span = (question.start.si("time", ("question", "start")), question.end.si("time", ("question", "end")))
    times = np.linspace(*span, SAMPLES)
    values = curve_of(question, plan, times)
    low, high = range_of(values) if np.isfinite(values).any() else (-1.0, 1.0)
    return SketchChart(times, values, low, high, unit_text(unit_of(question, plan)))


def paint_chart(painter: QPainter, area: QRectF, chart: SketchChart, *, has_curve: bool) -> None:
    """Paint a chart into an area in the colours of the current theme, with or without the right curve."""
    font = paper_font(_TEXT)
    metrics = QFontMetricsF(font)
    value_ticks, time_ticks = ticks(chart.low, chart.high, 4), ticks(chart.times[0], chart.times[-1], 8)
    label_width = max(map(metrics.horizontalAdvance, value_ticks.labels()), default=0.0) + 2 * _GAP
    line = metrics.height()
    box = area.adjusted(label_width, line + _GAP, -2 * _GAP, -line - 2 * _GAP)
    painter.fillRect(box, current_theme.qcolor("field"))
    painter.setFont(font)
    for value, label in zip(value_ticks.major, value_ticks.labels(), strict=True):
        y = _y(box, chart, value)
        painter.setPen(QPen(current_theme.qcolor("border" if value == 0.0 else "plot_grid"), 1.0))
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        painter.setPen(current_theme.qcolor("quiet"))
        place = QRectF(area.left(), y - line, label_width - _GAP, 2 * line)
        painter.drawText(place, int(_RIGHT), label)
    for time, label in zip(time_ticks.major, time_ticks.labels(), strict=True):
        x = _x(box, chart, time)
        painter.setPen(QPen(current_theme.qcolor("plot_grid"), 1.0))
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        painter.setPen(current_theme.qcolor("quiet"))
        place = QRectF(x - 50.0, box.bottom() + _GAP, 100.0, line)
        unit = " s" if time == time_ticks.major[-1] else ""
        painter.drawText(place, int(_MIDDLE), f"{label}{unit}")
    painter.setPen(QPen(current_theme.qcolor("border"), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    painter.setPen(current_theme.qcolor("quiet"))
    painter.drawText(QRectF(box.left(), area.top(), box.width(), line), int(_LEFT), chart.unit)
    if has_curve:
        _paint_curve(painter, box, chart)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MIDDLE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def _paint_curve(painter: QPainter, box: QRectF, chart: SketchChart) -> None:
    pen = QPen(current_theme.qcolor("accent"), 1.8)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    known = np.isfinite(chart.values)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(int)))
    for begin, end in edges.reshape(-1, 2).tolist():
        pairs = zip(chart.times[begin:end].tolist(), chart.values[begin:end].tolist(), strict=True)
        painter.drawPolyline(QPolygonF([QPointF(_x(box, chart, t), _y(box, chart, value)) for t, value in pairs]))


def _x(box: QRectF, chart: SketchChart, t: float) -> float:
    start, end = float(chart.times[0]), float(chart.times[-1])
    return box.left() + (t - start) / ((end - start) or 1.0) * box.width()


def _y(box: QRectF, chart: SketchChart, value: float) -> float:
    return box.bottom() - (value - chart.low) / (chart.high - chart.low) * box.height()


def number_of_time(t: float) -> str:
    """Return the caption of a picture with its time.

    >>> number_of_time(6.283), number_of_time(0.0)
    ('t = 6.283 s', 't = 0 s')
    """
    return f"t = {t + 0.0:.6g} s".replace("-", MINUS)
