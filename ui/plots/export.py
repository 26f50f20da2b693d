"""Export of a plot: its numbers as a table, or its picture as PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtSvg import QSvgGenerator

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.compile.plots import CompiledPlot, compile_plot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import tabulate
from framescope.core.recordings.tables.writing import write_table
from framescope.core.system.atomic_write import atomically
from framescope.ui.formatting.ticks import ticks
from framescope.ui.plots.curves import Curves, CurveStyle
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.plots.names_item import names_of, paint_names
from framescope.ui.plots.plot_content import plot_in
from framescope.ui.plots.ranges import scale_for
from framescope.ui.plots.zoom import Range
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

SIZE = QSize(960, 400)
"""Size of a picture, points."""

SCALE = 2
"""Pixels of a PNG per point."""

_LEFT, _RIGHT, _BOTTOM, _LINE, _SAMPLE = 64, 24, 36, 20, 24

_DASH_SCALE = 0.75
"""Factor of dashes for lines wider than a pixel."""


class PlotFileError(FramescopeError):
    """Error in writing a plot. The message has the reason."""


@dataclass(frozen=True)
class PlotPicture:
    """View of a plot for a picture: curves, time range, range of unscaled values, and indices of hidden curves."""

    curves: Curves
    t_range: Range
    y_range: Range
    hidden: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """Suggested file name."""
        letters = (letter if letter.isalnum() else "-" for letter in self.curves.title.lower())
        return "-".join(part for part in "".join(letters).split("-") if part) or "plot"


def write_plot(path: Path, picture: PlotPicture, plan: Plan, angles: AngleUnit = DEG) -> None:
    """Write a plot to a file in the format of its ending: .csv (or .npz, .parquet), .png or .svg.

    Tables hold all signals of the plot over the time in view. Pictures hold the view in the theme of the window.

    Raises
    ------
    PlotFileError, TableFileError
        When the file cannot be written.
    """
    writer = PICTURE_WRITERS.get(path.suffix.lower())
    if writer is None:
        write_table(path, columns_of(picture, plan, angles))
        return
    try:
        with atomically(path) as temporary:
            writer(temporary, picture)
    except OSError as error:
        raise PlotFileError(f"{path} cannot be written: {error.strerror or error}.") from None


def columns_of(picture: PlotPicture, plan: Plan, angles: AngleUnit = DEG) -> Mapping[str, np.ndarray]:
    """Return the numbers of a plot in full precision, at those times of its curves that are in view."""
    curves = picture.curves
    times = curves.t[(curves.t >= picture.t_range[0]) & (curves.t <= picture.t_range[1])]
    compiled: list[CompiledPlot] = []
    if curves.i_plot is not None:
        compiled.append(compile_plot(plot_in(plan.scene.view.plots[curves.i_plot], angles), plan.scene, plan.index))
    return tabulate(plan, compiled, times)


def png(picture: PlotPicture, size: QSize = SIZE) -> QImage:
    """Return the picture of a plot."""
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    painter = QPainter(image)
    paint(painter, QSizeF(size), picture)
    painter.end()
    return image


def _write_png(path: Path, picture: PlotPicture) -> None:
    if not png(picture).save(str(path)):
        raise PlotFileError(f"{path} cannot be written.")


def _write_svg(path: Path, picture: PlotPicture) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(SIZE)
    generator.setViewBox(QRectF(0, 0, SIZE.width(), SIZE.height()))
    generator.setTitle(picture.curves.title)
    generator.setDescription(picture.curves.subtitle)
    painter = QPainter()
    if not painter.begin(generator):
        raise PlotFileError(f"{path} cannot be written.")
    paint(painter, QSizeF(SIZE), picture)
    painter.end()


PICTURE_WRITERS: Mapping[str, Callable[[Path, PlotPicture], None]] = {".png": _write_png, ".svg": _write_svg}


def paint(painter: QPainter, size: QSizeF, picture: PlotPicture) -> None:
    """Paint a plot as vectors: title, legend, axes and curves, in the colours of the theme."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(QPointF(0, 0), size), current_theme.qcolor("panel"))
    curves = picture.curves
    scale = scale_for(*picture.y_range, curves.unit)
    top = _paint_words(painter, size, picture, scale.text)
    area = QRectF(_LEFT, top, size.width() - _LEFT - _RIGHT, size.height() - top - _BOTTOM)
    low, high = (y * scale.factor for y in picture.y_range)
    _paint_grid(painter, area, picture.t_range, (low, high))
    painter.setClipRect(area)
    start, end = picture.t_range
    first, last = np.searchsorted(curves.t, picture.t_range)
    part = slice(max(int(first) - 1, 0), int(last) + 2)
    for i, (y, style) in enumerate(zip(curves.ys, curves.styles, strict=True)):
        if i in picture.hidden:
            continue
        t, values = decimate_min_max(curves.t[part], y[part], round(area.width()))
        x = area.left() + (t - start) / (end - start) * area.width()
        down = area.bottom() - (values * scale.factor - low) / (high - low) * area.height()
        painter.setPen(_pen(style, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(_path(x, down))
    painter.setClipping(False)
    names = names_of(curves, picture.hidden, (area.width(), area.height()), picture.t_range, picture.y_range)
    painter.translate(area.topLeft())
    paint_names(painter, names)
    painter.translate(-area.topLeft())


def _path(x: np.ndarray, y: np.ndarray) -> QPainterPath:
    path = QPainterPath()
    is_there = np.isfinite(y)
    bounds = np.flatnonzero(np.diff(is_there.astype(int), prepend=0, append=0))
    for first, last in zip(bounds[::2], bounds[1::2], strict=True):
        points = np.stack([x[first:last], y[first:last]], axis=-1).tolist()
        path.addPolygon(QPolygonF([QPointF(*point) for point in points]))
    return path


def _paint_words(painter: QPainter, size: QSizeF, picture: PlotPicture, scale_text: str) -> float:
    """Paint title and legend. Return their bottom edge."""
    curves = picture.curves
    middle = Qt.AlignmentFlag.AlignVCenter
    painters.write_in(painter, fonts.text(METRICS.scene_title, 600), "text")
    painter.drawText(QRectF(METRICS.padding, 12, size.width(), _LINE), middle, curves.title)
    left = METRICS.padding + fonts.width(fonts.text(METRICS.scene_title, 600), curves.title) + 12
    painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
    subtitle = " · ".join(part for part in (curves.subtitle, curves.unit, scale_text) if part)
    painter.drawText(QRectF(left, 12, size.width() - left, _LINE), middle, subtitle)
    left, top = float(METRICS.padding), 38.0
    for i, style in enumerate(curves.styles):
        if i in picture.hidden:
            continue
        width = fonts.width(fonts.text(METRICS.secondary), style.name)
        if left + _SAMPLE + width + METRICS.padding > size.width():
            left, top = float(METRICS.padding), top + _LINE
        painter.setPen(_pen(style, 2.0))
        painter.drawLine(QPointF(left, top + _LINE / 2), QPointF(left + _SAMPLE, top + _LINE / 2))
        painter.setPen(current_theme.qcolor("text"))
        painter.drawText(QRectF(left + _SAMPLE + 6, top, width + 4, _LINE), middle, style.name)
        left += _SAMPLE + width + 22
    return top + _LINE + 8


def _paint_grid(painter: QPainter, area: QRectF, t_range: Range, y_range: Range) -> None:
    (start, end), (low, high) = t_range, y_range
    painter.fillRect(area, current_theme.qcolor("plot_ground"))
    painter.setFont(fonts.text(METRICS.caption))
    times, values = ticks(start, end, int(area.width() / 72)), ticks(low, high, int(area.height() / 28))
    grid, zero, quiet = (QPen(current_theme.qcolor(role), 1) for role in ("plot_grid", "border", "quiet"))
    for t, label in zip(times.major, times.labels(), strict=True):
        x = area.left() + (t - start) / (end - start) * area.width()
        painter.setPen(grid)
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(quiet)
        painter.drawText(QRectF(x - 30, area.bottom() + 4, 60, 14), Qt.AlignmentFlag.AlignCenter, label)
    for y, label in zip(values.major, values.labels(), strict=True):
        down = area.bottom() - (y - low) / (high - low) * area.height()
        painter.setPen(zero if y == 0 else grid)
        painter.drawLine(QPointF(area.left(), down), QPointF(area.right(), down))
        painter.setPen(quiet)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, down - 8, _LEFT - 8, 16), right, label)
    painter.drawText(QRectF(area.right() - 60, area.bottom() + 18, 60, 14), Qt.AlignmentFlag.AlignRight, "t, s")


def _pen(style: CurveStyle, width: float) -> QPen:
    pen = QPen(current_theme.qcolor(style.color), width)
    painters.set_dash(pen, style.dash, _DASH_SCALE)
    return pen
