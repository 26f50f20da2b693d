"""Figure of trajectory errors for a paper: errors over time, and paths from above coloured by error, as vectors.

A PDF embeds its fonts. Curves differ by their dashes and errors by their lightness, so that a print without colours can
be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen, QPolygonF
from PySide6.QtSvg import QSvgGenerator

from framescope.core.errors import FramescopeError, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.system.atomic_write import atomically
from framescope.ui.formatting.ticks import ticks
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme import fonts

DPI = 96
"""Units of the drawing per inch."""

WIDTH, CURVES_HEIGHT, PATH_HEIGHT = 700.0, 230.0, 300.0
"""Width of the figure, and heights of the errors over time and of a row of paths: 185 mm, 61 mm and 79 mm."""

LEFT, RIGHT, TOP, BOTTOM = 64.0, 14.0, 26.0, 40.0
"""Margins of a plot for its labels."""

BAR = 10.0
"""Width of the scale of colours."""

MOST_POINTS = 4000
"""Number of points up to which a path is drawn; of more, evenly spread ones."""

DASHES: tuple[tuple[float, ...], ...] = ((), (6.0, 3.0), (2.0, 2.5), (8.0, 3.0, 2.0, 3.0), (12.0, 4.0))
"""Dashes of the curves, in widths of the pen."""

INKS = ("#000000", "#0060a8", "#b04000", "#207830", "#7a3fa0")
"""Colours of the curves, all dark enough on white."""

SHADES = np.array([(253, 231, 120), (122, 196, 130), (40, 130, 142), (58, 60, 130), (38, 0, 40)], dtype=float)
"""Colours from no error to the largest, from light to dark."""


@dataclass(frozen=True, eq=False)
class FigureCurve:
    """Errors of one estimate.

    Attributes
    ----------
    name
        Name in the legend.
    t, errors : (n,)
        Times, or numbers of poses, and errors.
    path, reference : (m, 3)
        Positions of the aligned estimate and of the reference at all pairs, m.
    rows : (n,)
        Rows of the path at which the errors are.
    """

    name: str
    t: Array
    errors: Array
    path: Array
    reference: Array
    rows: NDArray[np.intp]


@dataclass(frozen=True)
class FigureWords:
    """Words of a figure: its title, the label of the errors with their unit, and that of the times."""

    title: str
    errors: str
    times: str = "t, s"


def write_figure(path: Path, curves: Sequence[FigureCurve], words: FigureWords) -> None:
    """Write the figure of errors to a file, PDF or SVG by its suffix.

    Raises
    ------
    FramescopeError
        When the suffix is another one, there is no curve, or the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".pdf", ".svg"):
        raise FramescopeError(f"{visible_text(path.name)}: a figure is written as .pdf or .svg.")
    if not curves:
        raise FramescopeError("there are no errors to draw.")
    try:
        with atomically(path) as partial:
            on_qt(lambda: _write(partial, suffix, curves, words))
    except OSError as error:
        raise FramescopeError(f"{path} cannot be written: {error.strerror or error}.") from None


def _write(path: Path, suffix: str, curves: Sequence[FigureCurve], words: FigureWords) -> None:
    n_columns = min(len(curves), 3) if len(curves) > 1 else 1
    n_rows = -(-len(curves) // n_columns)
    row_height = PATH_HEIGHT if n_columns == 1 else PATH_HEIGHT * 0.85
    height = CURVES_HEIGHT + n_rows * row_height
    device = _pdf(path, height, words.title) if suffix == ".pdf" else _svg(path, height, words.title)
    painter = QPainter()
    if not painter.begin(device):
        raise FramescopeError(f"{path} cannot be written.")
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    _paint_curves(painter, QRectF(0.0, 0.0, WIDTH, CURVES_HEIGHT), curves, words)
    largest = max((float(np.nanmax(curve.errors, initial=0.0)) for curve in curves), default=0.0)
    width = WIDTH / n_columns
    for k, curve in enumerate(curves):
        row, column = divmod(k, n_columns)
        box = QRectF(column * width, CURVES_HEIGHT + row * row_height, width, row_height)
        _paint_path(painter, box, curve, largest, words)
    painter.end()
    del device


def _pdf(path: Path, height: float, title: str) -> QPdfWriter:
    device = QPdfWriter(str(path))
    points = QSizeF(WIDTH * 72.0 / DPI, height * 72.0 / DPI)
    page = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    device.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    device.setResolution(DPI)
    device.setTitle(title)
    device.setCreator("Framescope")
    return device


def _svg(path: Path, height: float, title: str) -> QSvgGenerator:
    device = QSvgGenerator()
    device.setFileName(str(path))
    device.setResolution(DPI)
    device.setSize(QSize(round(WIDTH), round(height)))
    device.setViewBox(QRectF(0.0, 0.0, WIDTH, height))
    device.setTitle(title)
    return device


def _paint_curves(painter: QPainter, box: QRectF, curves: Sequence[FigureCurve], words: FigureWords) -> None:
    area = box.adjusted(LEFT, TOP + 18.0, -RIGHT, -BOTTOM)
    _write_at(painter, QRectF(box.left(), 6.0, box.width(), 18.0), words.title, size=13, weight=600, side="center")
    t_range = _range([curve.t for curve in curves], from_zero=False)
    y_range = _range([curve.errors for curve in curves], from_zero=True)
    _paint_axes(painter, area, t_range, y_range, words.times, words.errors)
    painter.save()
    painter.setClipRect(area)
    for k, curve in enumerate(curves):
        painter.setPen(_pen(k, 1.3))
        t, y = decimate_min_max(curve.t, curve.errors, round(area.width() * 2.0))
        x = area.left() + (t - t_range[0]) / (t_range[1] - t_range[0]) * area.width()
        down = area.bottom() - (y - y_range[0]) / (y_range[1] - y_range[0]) * area.height()
        painter.drawPolyline(_polygon(x, down))
    painter.restore()
    if len(curves) > 1:
        _paint_legend(painter, QRectF(area.left(), box.top() + TOP, area.width(), 16.0), curves)


def _paint_legend(painter: QPainter, box: QRectF, curves: Sequence[FigureCurve]) -> None:
    left = box.left()
    share = box.width() / len(curves)
    for k, curve in enumerate(curves):
        middle = box.center().y()
        painter.setPen(_pen(k, 1.6))
        painter.drawLine(QPointF(left, middle), QPointF(left + 30.0, middle))
        place = QRectF(left + 36.0, box.top(), share - 40.0, box.height())
        _write_at(painter, place, visible_text(curve.name), size=11)
        left += share


def _paint_path(painter: QPainter, box: QRectF, curve: FigureCurve, largest: float, words: FigureWords) -> None:
    """Paint a path from above, x to the right and y up, coloured by its errors, over the grey reference."""
    area = box.adjusted(LEFT, TOP, -RIGHT - 56.0, -BOTTOM)
    _write_at(painter, QRectF(area.left(), box.top() + 4.0, area.width(), 18.0), visible_text(curve.name), size=11)
    points = np.concatenate([curve.path[:, :2], curve.reference[:, :2]])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    unit = max((high[0] - low[0]) / area.width(), (high[1] - low[1]) / area.height(), 1e-12) * 1.08
    centre = 0.5 * (low + high)
    x_range = centre[0] - 0.5 * unit * area.width(), centre[0] + 0.5 * unit * area.width()
    y_range = centre[1] - 0.5 * unit * area.height(), centre[1] + 0.5 * unit * area.height()
    _paint_axes(painter, area, x_range, y_range, "x, m", "y, m")

    def placed(p: Array) -> tuple[Array, Array]:
        return area.left() + (p[:, 0] - x_range[0]) / unit, area.bottom() - (p[:, 1] - y_range[0]) / unit

    painter.save()
    painter.setClipRect(area)
    pen = QPen(QColor("#8a8a8a"), 1.0)
    pen.setDashPattern([4.0, 3.0])
    painter.setPen(pen)
    painter.drawPolyline(_polygon(*placed(_thinned(curve.reference))))
    rows = _thinned_rows(len(curve.path))
    at = np.interp(rows, curve.rows, curve.errors) if len(curve.rows) else np.zeros(len(rows))
    x, y = placed(curve.path[rows])
    colors = shades(0.5 * (at[1:] + at[:-1]), largest)
    for k, color in enumerate(colors):
        stroke = QPen(QColor(*color), 2.2)
        stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(stroke)
        painter.drawLine(QPointF(x[k], y[k]), QPointF(x[k + 1], y[k + 1]))
    painter.restore()
    _paint_scale(painter, QRectF(area.right() + 16.0, area.top(), BAR, area.height()), largest, words.errors)


def shades(errors: Array, largest: float) -> list[tuple[int, int, int]]:
    """Return the colours of errors (n,), light for none and dark for the largest.

    >>> shades(np.array([0.0, 2.0]), 2.0)
    [(253, 231, 120), (38, 0, 40)]
    """
    at = np.clip(errors / largest if largest > 0.0 else np.zeros_like(errors), 0.0, 1.0) * (len(SHADES) - 1)
    parts = [np.interp(at, np.arange(len(SHADES)), SHADES[:, k]).round().astype(int).tolist() for k in range(3)]
    return list(zip(*parts, strict=True))


def _paint_scale(painter: QPainter, box: QRectF, largest: float, label: str) -> None:
    n = 40
    for k, color in enumerate(shades(np.linspace(largest, 0.0, n), largest)):
        painter.fillRect(
            QRectF(box.left(), box.top() + k * box.height() / n, box.width(), box.height() / n + 0.6), QColor(*color)
        )
    painter.setPen(QPen(QColor("#000000"), 0.6))
    painter.drawRect(box)
    values = ticks(0.0, largest or 1.0, 4)
    for value, text in zip(values.major, values.labels(), strict=True):
        y = box.bottom() - value / (largest or 1.0) * box.height()
        painter.drawLine(QPointF(box.right(), y), QPointF(box.right() + 3.0, y))
        _write_at(painter, QRectF(box.right() + 5.0, y - 8.0, 44.0, 16.0), text, size=10)
    unit = label.rpartition(", ")[2] if ", " in label else ""
    _write_at(painter, QRectF(box.left() - 20.0, box.bottom() + 6.0, 60.0, 16.0), unit, size=10, side="center")


def _paint_axes(
    painter: QPainter, area: QRectF, x_range: tuple[float, float], y_range: tuple[float, float], x: str, y: str
) -> None:
    grid = QPen(QColor("#d8d8d8"), 0.6)
    for value, text in _labels(x_range, int(area.width() / 70.0)):
        at = area.left() + (value - x_range[0]) / (x_range[1] - x_range[0]) * area.width()
        painter.setPen(grid)
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
        _write_at(painter, QRectF(at - 34.0, area.bottom() + 4.0, 68.0, 14.0), text, size=10, side="center")
    for value, text in _labels(y_range, int(area.height() / 32.0)):
        at = area.bottom() - (value - y_range[0]) / (y_range[1] - y_range[0]) * area.height()
        painter.setPen(grid)
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
        _write_at(painter, QRectF(area.left() - 52.0, at - 8.0, 46.0, 16.0), text, size=10, side="right")
    painter.setPen(QPen(QColor("#000000"), 0.8))
    painter.drawRect(area)
    _write_at(painter, QRectF(area.left(), area.bottom() + 19.0, area.width(), 16.0), x, size=11, side="center")
    painter.save()
    painter.translate(area.left() - LEFT + 10.0, area.center().y())
    painter.rotate(-90.0)
    _write_at(painter, QRectF(-0.5 * area.height() - 30.0, -8.0, area.height() + 60.0, 16.0), y, size=11, side="center")
    painter.restore()


def _labels(span: tuple[float, float], most: int) -> list[tuple[float, str]]:
    found = ticks(*span, most)
    return list(zip(found.major, found.labels(), strict=True))


def _write_at(painter: QPainter, box: QRectF, text: str, *, size: int, weight: int = 400, side: str = "left") -> None:
    painter.setFont(fonts.text(size, weight))
    painter.setPen(QColor("#000000"))
    alignment = {
        "left": Qt.AlignmentFlag.AlignLeft,
        "right": Qt.AlignmentFlag.AlignRight,
        "center": Qt.AlignmentFlag.AlignHCenter,
    }[side]
    painter.drawText(box, alignment | Qt.AlignmentFlag.AlignVCenter, text)


def _pen(k: int, width: float) -> QPen:
    pen = QPen(QColor(INKS[k % len(INKS)]), width)
    dash = DASHES[k % len(DASHES)]
    if dash:
        pen.setDashPattern(list(dash))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _polygon(x: Array, y: Array) -> QPolygonF:
    is_there = np.isfinite(x) & np.isfinite(y)
    return QPolygonF([QPointF(*point) for point in np.stack([x[is_there], y[is_there]], axis=-1).tolist()])


def _thinned(points: Array) -> Array:
    """Return at most `MOST_POINTS` points, evenly spread."""
    return points[_thinned_rows(len(points))]


def _thinned_rows(n: int) -> NDArray[np.intp]:
    """Return the rows of n points that are drawn."""
    return np.linspace(0, max(n - 1, 0), min(n, MOST_POINTS)).round().astype(np.intp)


def _range(values: Sequence[Array], *, from_zero: bool) -> tuple[float, float]:
    """Return the range of curves, with a margin above if they begin at 0; never empty."""
    known = [each[np.isfinite(each)] for each in values]
    low = 0.0 if from_zero else min((float(each.min()) for each in known if len(each)), default=0.0)
    high = max((float(each.max()) for each in known if len(each)), default=1.0)
    if from_zero:
        high *= 1.05
    return (low, high) if high > low else (low, low + 1.0)
