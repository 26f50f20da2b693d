"""Vector pictures, SVG and PDF: texts, plots and numbers are vectors over an image of the scene.

Shaded bodies cannot be drawn as vectors. A PDF embeds its fonts; an SVG only names them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from framescope.app.exporters.captions import (
    SIDE,
    band_height,
    caption_at,
    caption_rows,
    caption_style,
    caption_with_formulas,
    row_height,
)
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.composition import Composition
from framescope.app.exporters.rendering.headless import DrawnMoment, place_of, scene_frames
from framescope.app.exporters.request import MAX_PIXELS, ExportRequest
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.scene_view.geometry.sprites import PlacedText, Runs, TextGround, TextStyle
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.mathml import without_controls
from framescope.ui.theme.tokens import NUMBER_FAMILY, TEXT_FAMILY

DPI = 96
"""Pixels per inch of a page, as in CSS."""

OVERSAMPLING = 3.0
"""Factor by which the image of the scene has more pixels per side than its place, if the total stays in limits."""

_UNIT = 100
"""Font size, pixels, at which texts are set before they are scaled, because font sizes are whole pixels."""

_GENERIC = {TEXT_FAMILY: "Helvetica, Arial, sans-serif", NUMBER_FAMILY: "Menlo, Consolas, monospace"}

_TEXT = re.compile(
    r'(?P<start><text [^>]*?font-family="(?P<family>[^"]*)" font-size="(?P<size>[\d.]+)"'
    r' font-weight="(?P<weight>\d+)"[^>]*?)\s*>(?P<words>[^<]*)</text>'
)


def write_vectors(request: ExportRequest, path: Path) -> None:
    """Write the picture of a request to `path`; the suffix of the request's own path names the format."""
    (t,) = request.times.tolist()
    band = band_height(request.captions, request.size, request.scale)
    above = replace(request, size=(request.size[0], request.size[1] - band)) if band else request
    place = place_of(above)
    box = place.scene
    zoom = max(1.0, min(OVERSAMPLING, (MAX_PIXELS / (box.width * box.height)) ** 0.5))
    texts: list[PlacedText] = []
    ((snapshot, pixels),) = scene_frames(above, [DrawnMoment(float(request.times[0]))], place, zoom, texts)
    composition = None if above.composed.layout == "scene" else Composition(above, place)
    is_pdf = request.path.suffix.lower() == ".pdf"

    def paint() -> None:
        device = _pdf(path, request) if is_pdf else _svg(path, request)
        painter = QPainter()
        if not painter.begin(device):
            raise ExportError(f"{request.path} cannot be written.")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if composition is not None:
            composition.paint(painter, snapshot)
        painter.drawImage(QRectF(box.x, box.y, box.width, box.height), _image(pixels))
        painter.save()
        painter.setClipRect(box.x, box.y, box.width, box.height)
        painter.translate(box.x, box.y)
        for text in texts:
            _paint_text(painter, text, pixels.shape[0], zoom, request.scale)
        painter.restore()
        if band:
            _paint_caption(painter, request, caption_at(request.captions, t), band)
        painter.end()
        del device
        if not is_pdf:
            _finish_svg(path)

    try:
        on_qt(paint)
    finally:
        if composition is not None:
            composition.close()


def _svg(path: Path, request: ExportRequest) -> QSvgGenerator:
    device = QSvgGenerator()
    device.setFileName(str(path))
    device.setResolution(DPI)
    device.setSize(QSize(*request.size))
    device.setViewBox(QRectF(0, 0, *request.size))
    device.setTitle(request.title)
    device.setDescription(request.license)
    return device


def _pdf(path: Path, request: ExportRequest) -> QPdfWriter:
    device = QPdfWriter(str(path))
    width, height = (side * 72.0 / DPI for side in request.size)
    page = QPageSize(QSizeF(width, height), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    device.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    device.setResolution(DPI)
    device.setTitle(request.title)
    device.setCreator("Framescope")
    if request.license:
        device.setAuthor(request.license)
    return device


def _image(pixels: Pixels) -> QImage:
    data = np.ascontiguousarray(pixels)
    height, width, n = data.shape
    kind = QImage.Format.Format_RGBA8888 if n == 4 else QImage.Format.Format_RGB888
    return QImage(data.data, width, height, n * width, kind).copy()


def _paint_text(painter: QPainter, text: PlacedText, height: int, zoom: float, scale: float) -> None:
    """Paint a text of the scene at its place in the image, whose pixels count from the bottom."""
    painter.save()
    painter.translate(text.x / zoom, (height - text.y) / zoom)
    painter.scale(scale, scale)
    ground = text.ground
    metrics = [QFontMetricsF(_font(style)) for _, style in text.runs]
    descent = max(metric.descent() * style.size for metric, (_, style) in zip(metrics, text.runs, strict=True)) / _UNIT
    ascent = max(metric.ascent() * style.size for metric, (_, style) in zip(metrics, text.runs, strict=True)) / _UNIT
    pad_x, pad_y = (0.0, 0.0) if ground is None else (ground.pad_x, ground.pad_y)
    if ground is not None:
        width = sum(_width(run) for run in text.runs) + 2 * pad_x
        _paint_plate(painter, QRectF(0, -(ascent + descent + 2 * pad_y), width, ascent + descent + 2 * pad_y), ground)
    _paint_runs(painter, text.runs, pad_x, -pad_y - descent)
    painter.restore()


def _paint_plate(painter: QPainter, area: QRectF, ground: TextGround) -> None:
    color = QColor(ground.color)
    color.setAlphaF(ground.alpha)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(area, ground.radius, ground.radius)


def _paint_runs(painter: QPainter, runs: Runs, x: float, baseline: float) -> None:
    for run in runs:
        text, style = run
        painter.save()
        painter.translate(x, baseline)
        painter.scale(style.size / _UNIT, style.size / _UNIT)
        painter.setFont(_font(style))
        painter.setPen(QColor(style.color))
        painter.drawText(QPointF(0.0, 0.0), text)
        painter.restore()
        x += _width(run)


def _paint_caption(painter: QPainter, request: ExportRequest, text: str, band: int) -> None:
    width, height = request.size
    with current_theme.painted_in(request.theme):
        painter.fillRect(QRectF(0, height - band, width, band), current_theme.qcolor("panel"))
    fine = round(OVERSAMPLING)
    picture = caption_with_formulas(text, (width * fine, height), request.scale * fine, request.theme.text)
    if picture is not None:
        area = QRectF(0, 0, picture.width / fine, picture.height / fine)
        area.moveCenter(QPointF(width / 2, height - band / 2))
        painter.drawImage(area, _image(np.asarray(picture)))
        return
    rows: Sequence[str] = caption_rows(text, request.size, request.scale) if text else ()
    style, step = caption_style(request.theme.text), row_height(request.scale)
    top = height - band + (band - len(rows) * step) / 2
    for i, row in enumerate(rows):
        run = (row, style)
        start = max((width - _width(run) * request.scale) / 2, SIDE)
        painter.save()
        painter.translate(start, top + (i + 0.72) * step)
        painter.scale(request.scale, request.scale)
        _paint_runs(painter, [run], 0.0, 0.0)
        painter.restore()


def _width(run: tuple[str, TextStyle]) -> float:
    text, style = run
    return fonts.width(_font(style), text) * style.size / _UNIT


def _font(style: TextStyle) -> QFont:
    make = fonts.number if style.family == NUMBER_FAMILY else fonts.text
    return make(_UNIT, style.weight)


def _finish_svg(path: Path) -> None:
    """Add the width of each text and a fallback for its font, so that texts do not overlap with other fonts."""
    text = without_controls(path.read_text(encoding="utf-8"))  # Qt does not escape them
    path.write_text(_TEXT.sub(_add_width, text), encoding="utf-8")


def _add_width(match: re.Match[str]) -> str:
    family, words = match["family"], html.unescape(match["words"])
    if family not in _GENERIC or not words.strip():
        return match[0]
    make = fonts.number if family == NUMBER_FAMILY else fonts.text
    size = float(match["size"])
    width = fonts.width(make(_UNIT, int(match["weight"])), words) * size / _UNIT
    start = match["start"].replace(f'font-family="{family}"', f'font-family="{family}, {_GENERIC[family]}"')
    return f'{start} textLength="{width:.5g}" lengthAdjust="spacingAndGlyphs">{match["words"]}</text>'
