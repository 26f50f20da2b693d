"""Composition of a picture: the rendered scene, and beside it plots and read-outs painted by Qt.

Static parts are painted once. A frame costs a copy of them, the cursors and the numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from framescope.app.exporters.layouts import Arrangement, PixelBox
from framescope.app.exporters.rendering.plot_pane import PlotPane, charts_of, even_headers
from framescope.app.exporters.rendering.readout_pane import LecturePanel
from framescope.app.exporters.request import ExportRequest
from framescope.core.snapshot import Snapshot
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme import current_theme

Pixels = NDArray[np.uint8]


class Composition:
    """Painter of composed frames.

    Parameters
    ----------
    request
        The export.
    place
        Places of all parts.
    """

    def __init__(self, request: ExportRequest, place: Arrangement) -> None:
        self._theme, self._place = request.theme, place
        width, height = request.size
        self._ground = np.empty((height, width, 3), np.uint8)
        self._frame = np.empty_like(self._ground)
        self._panes: list[tuple[PlotPane, PixelBox]] = []
        self._panel: LecturePanel | None = None
        on_qt(lambda: self._build(request))

    def frame(self, snapshot: Snapshot, scene: Pixels) -> Pixels:
        """Return the frame (height, width, 3) of a snapshot with its picture `scene`; the next call overwrites it."""
        box = self._place.scene
        np.copyto(self._frame, self._ground)
        self._frame[box.y : box.y + box.height, box.x : box.x + box.width] = scene
        on_qt(lambda: self._paint_moment(snapshot))
        return self._frame

    def close(self) -> None:
        """Delete the widgets; nothing is left to delete when the program has ended before the film."""
        if any(pane.is_there for pane, _ in self._panes):
            on_qt(self._close)

    def _close(self) -> None:
        for pane, _ in self._panes:
            pane.close()
        self._panes.clear()

    def _build(self, request: ExportRequest) -> None:
        place = self._place
        charts = charts_of(request)
        with current_theme.painted_in(self._theme):
            self._panes = [(PlotPane(place.scale), box) for box in place.plots]
            for (pane, box), curves in zip(self._panes, charts, strict=True):
                pane.show(curves, (request.start, request.stop), box.width / place.scale, box.height / place.scale)
            even_headers([pane for pane, _ in self._panes])
            if place.panel is not None:
                self._panel = LecturePanel(request, place)
            painter, image = self._painter_on(self._ground)
            self._paint_ground(painter)
            painter.end()
            del image

    def paint(self, painter: QPainter, snapshot: Snapshot) -> None:
        """Paint all but the scene with another painter, as vectors where its device has them; call on Qt's thread."""
        for pane, _ in self._panes:
            pane.set_vectors()
        with current_theme.painted_in(self._theme):
            self._paint_ground(painter)
            self._paint_parts(painter, snapshot)

    def _paint_ground(self, painter: QPainter) -> None:
        height, width, _ = self._ground.shape
        painter.fillRect(QRectF(0, 0, width, height), current_theme.qcolor("panel"))
        for pane, box in self._panes:
            self._enter(painter, box)
            pane.paint_ground(painter)
            painter.restore()
        if self._panel is not None and self._place.panel is not None:
            self._enter(painter, self._place.panel)
            self._panel.paint_ground(painter)
            painter.restore()
        self._paint_seams(painter)

    def _paint_moment(self, snapshot: Snapshot) -> None:
        with current_theme.painted_in(self._theme):
            painter, image = self._painter_on(self._frame)
            self._paint_parts(painter, snapshot)
            painter.end()
            del image

    def _paint_parts(self, painter: QPainter, snapshot: Snapshot) -> None:
        for pane, box in self._panes:
            self._enter(painter, box)
            pane.paint_moment(painter, float(snapshot.t))
            painter.restore()
        if self._panel is not None and self._place.panel is not None:
            self._enter(painter, self._place.panel)
            self._panel.paint_moment(painter, snapshot)
            painter.restore()

    def _enter(self, painter: QPainter, box: PixelBox) -> None:
        """Clip the painter to a box and move its origin to the box's upper left corner, in logical pixels."""
        painter.save()
        painter.setClipRect(box.x, box.y, box.width, box.height)
        painter.translate(box.x, box.y)
        painter.scale(self._place.scale, self._place.scale)

    def _paint_seams(self, painter: QPainter) -> None:
        """Paint a thin line between neighbouring parts."""
        line = max(1, round(self._place.scale))
        color = current_theme.qcolor("separator")
        width, height = self._ground.shape[1], self._ground.shape[0]
        for box in (*self._place.plots, *([self._place.panel] if self._place.panel else [])):
            if box.y > 0:
                painter.fillRect(box.x, box.y, box.width, line, color)
            if box.x > 0:
                painter.fillRect(box.x, box.y, line, box.height, color)
            if box.x + box.width < width and box.height == height:
                painter.fillRect(box.x + box.width - line, box.y, line, box.height, color)

    @staticmethod
    def _painter_on(pixels: Pixels) -> tuple[QPainter, QImage]:
        height, width, _ = pixels.shape
        image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        # Without it a sentence that begins with a name in a right-to-left script would be laid out from the right.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        return painter, image
