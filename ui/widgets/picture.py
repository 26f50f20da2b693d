"""Base of small pictures of things in space: rounded background, view direction, and lines painted back to front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS, mix

Array = NDArray[np.float64]

FADE = 0.65
"""Strength with which the background fades the farthest lines."""
RIM = 1.25


def seen_from(azimuth_deg: float, elevation_deg: float) -> Array:
    """Return the rows right, up and towards the eye (3, 3), for an eye that looks at the origin with z upwards."""
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    right = [-np.sin(a), np.cos(a), 0.0]
    up = [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]
    return np.array([right, up, np.cross(right, up)])


@dataclass(frozen=True)
class Piece:
    """A straight line of a picture: its depth (1 is nearest to the eye), ends, colour and width, px."""

    depth: float
    ends: tuple[tuple[float, float], tuple[float, float]]
    color: str
    width: float


class Picture(QWidget):
    """A picture on a rounded background; `paint` draws it. It grows with the font of the widget that it is in."""

    height_px = 208
    """Height of the picture, px."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        current_theme.signals.theme_changed.connect(self.update)

    @property
    def scale(self) -> float:
        """Size as a multiple of the usual one: larger where a stylesheet enlarges the font, as for a presentation."""
        return max(self.font().pixelSize() / METRICS.base, 1.0)  # fonts in points have no size in pixels

    def sizeHint(self) -> QSize:
        return QSize(320, round(self.height_px * self.scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, round(self.height_px * self.scale))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(current_theme.qcolor("separator"), 1))
        painter.setBrush(current_theme.qcolor("plot_ground"))
        painter.drawRoundedRect(area, METRICS.button_radius, METRICS.button_radius)
        scale = self.scale
        painter.scale(scale, scale)
        self.paint(painter, QRectF(area.topLeft() / scale, area.size() / scale))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draw the picture in an area."""
        raise NotImplementedError


def fade_color(color: str, depth: float) -> QColor:
    """Return a colour faded according to its depth, 1 nearest to the eye and -1 farthest from it."""
    return QColor(mix(color, current_theme.color("plot_ground"), FADE * min(max(0.5 - 0.5 * depth, 0.0), 1.0)))


def paint_pieces(painter: QPainter, pieces: Iterable[Piece], centre: QPointF, scale: float) -> None:
    """Paint lines from back to front, each with a rim in the background's colour that separates crossing lines."""
    for piece in sorted(pieces, key=lambda piece: piece.depth):
        first, last = (QPointF(centre.x() + scale * x, centre.y() - scale * y) for x, y in piece.ends)
        rim = QPen(current_theme.qcolor("plot_ground"), piece.width + 2 * RIM)
        rim.setCapStyle(Qt.PenCapStyle.FlatCap)
        line = QPen(fade_color(piece.color, piece.depth), piece.width)
        line.setCapStyle(Qt.PenCapStyle.RoundCap)
        for pen in (rim, line):
            painter.setPen(pen)
            painter.drawLine(first, last)


def pieces_of(points: Array, eye: Array, role: str, width: float) -> list[Piece]:
    """Return the lines between consecutive points (n, 3), seen by an eye, in a role's colour; NaN interrupts them."""
    projected = points @ eye.T
    depths = (0.5 * (projected[:-1, 2] + projected[1:, 2])).tolist()
    flat, color = projected[:, :2].tolist(), current_theme.color(role)
    return [
        Piece(depth, ((a[0], a[1]), (b[0], b[1])), color, width)
        for depth, a, b in zip(depths, flat[:-1], flat[1:], strict=True)
        if depth == depth  # noqa: PLR0124 - skips lines with NaN
    ]
