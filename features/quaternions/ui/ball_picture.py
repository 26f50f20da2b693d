"""Picture of the ball of attitudes: axis times angle up to half a turn. Opposite points of the surface are equal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRadialGradient
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.picture import Array, Picture, paint_pieces, pieces_of, seen_from

EYE = seen_from(35.0, 22.0)
JUMP = 0.5 * math.pi
"""Distance between neighbours of a path above which the path passes through the surface of the ball, rad."""
SURFACE = math.radians(178.5)
"""Angle from which an attitude counts as on the surface of the ball, rad."""
DOT = 5.0


@dataclass(frozen=True, eq=False)
class Trace:
    """Path of attitudes: rotation vectors (n, 3), rad, colour role, and width of the line, px."""

    vectors: Array
    role: str
    width: float = 2.0


class BallPicture(Picture):
    """Paths of attitudes in the ball, and the current attitude."""

    height_px = 232

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.traces: tuple[Trace, ...] = ()
        """Paths in the ball."""
        self.now: Array | None = None
        """Rotation vector (3,) of the current attitude, rad."""

    def set_traces(self, *traces: Trace) -> None:
        """Set the paths."""
        self.traces = tuple(Trace(_split_path(trace.vectors), trace.role, trace.width) for trace in traces)
        self.update()

    def set_now(self, vector: Array | None) -> None:
        """Set the rotation vector (3,) of the current attitude, rad; None hides it."""
        self.now = vector
        out = 0.0 if vector is None else math.degrees(float(np.linalg.norm(vector)))
        self.setAccessibleName(f"ball of attitudes, the present one {out:.0f} degrees from no turn")
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        at, radius = area.center(), 0.5 * min(area.width(), area.height()) - 18.0
        scale = radius / math.pi
        glow = QRadialGradient(QPointF(at.x() - 0.3 * radius, at.y() - 0.3 * radius), 1.4 * radius)
        glow.setColorAt(0.0, current_theme.qcolor("quiet", 0.22))
        glow.setColorAt(1.0, current_theme.qcolor("quiet", 0.05))
        painter.setPen(QPen(current_theme.qcolor("quiet"), 1))
        painter.setBrush(glow)
        painter.drawEllipse(at, radius, radius)
        turn = np.linspace(0.0, 2.0 * math.pi, 97)
        circle = math.pi * np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
        pieces = pieces_of(circle, EYE, "separator", 1.0)
        for i, letter in enumerate(AXIS_LETTERS):
            tip = math.pi * np.eye(3)[i]
            pieces += pieces_of(np.stack([-tip, tip]), EYE, f"axis_{letter}", 1.0)
        for trace in self.traces:
            pieces += pieces_of(trace.vectors, EYE, trace.role, trace.width)
        # Depths are relative to a ball of radius 1.
        paint_pieces(painter, [replace(piece, depth=piece.depth / math.pi) for piece in pieces], at, scale)
        self._paint_letters(painter, at, scale)
        if self.now is not None and np.isfinite(self.now).all():
            self._paint_now(painter, at, scale, self.now)

    def _paint_now(self, painter: QPainter, at: QPointF, scale: float, now: Array) -> None:
        painter.setPen(QPen(current_theme.qcolor("accent"), 1.5))
        painter.drawLine(at, _project(now, at, scale))
        is_out = float(np.linalg.norm(now)) > SURFACE
        painter.setBrush(current_theme.qcolor("plot_ground"))
        if is_out:
            painter.drawEllipse(_project(-now, at, scale), DOT, DOT)
        painter.setBrush(current_theme.qcolor("accent"))
        painter.drawEllipse(_project(now, at, scale), DOT, DOT)

    def _paint_letters(self, painter: QPainter, at: QPointF, scale: float) -> None:
        painter.setFont(fonts.text(METRICS.caption, 600))
        for i, letter in enumerate(AXIS_LETTERS):
            point = _project((math.pi + 0.28) * np.eye(3)[i], at, scale)
            painter.setPen(current_theme.qcolor(f"axis_{letter}_text"))
            painter.drawText(QRectF(point.x() - 8, point.y() - 8, 16, 16), Qt.AlignmentFlag.AlignCenter, letter)


def _project(vector: Array, at: QPointF, scale: float) -> QPointF:
    x, y, _ = (EYE @ vector).tolist()
    return QPointF(at.x() + scale * x, at.y() - scale * y)


def _split_path(vectors: Array) -> Array:
    """Insert a gap into a path wherever it passes through the surface of the ball."""
    leaps = np.flatnonzero(np.linalg.norm(np.diff(vectors, axis=0), axis=1) > JUMP) + 1
    return np.insert(vectors, leaps, np.nan, axis=0)
