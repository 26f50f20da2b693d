"""Picture of the half angle: a quaternion on the unit circle of its scalar part and the length of its vector part."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.picture import Picture

DOT = 5.0
MARKS = ((0.0, "no turn"), (0.5, "half"), (1.0, "one turn"), (1.5, "1½"))
"""Marks of the circle: turns, and their labels."""


class CirclePicture(Picture):
    """Circle of half angles for turns from 0 to 720°, with the quaternion and its opposite."""

    height_px = 168

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.angle = 0.0
        """Angle of the turn, rad."""

    def set_angle(self, angle: float) -> None:
        """Set the angle of the turn, rad."""
        self.angle = angle
        self.setAccessibleName(f"half of {math.degrees(angle):.0f} degrees on the circle of quaternions")
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        centre, radius = area.center(), 0.5 * min(area.width(), area.height()) - 30.0
        circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current_theme.qcolor("separator"), 1))
        painter.drawLine(QPointF(circle.left(), centre.y()), QPointF(circle.right(), centre.y()))
        painter.drawLine(QPointF(centre.x(), circle.top()), QPointF(centre.x(), circle.bottom()))
        painter.setPen(QPen(current_theme.qcolor("quiet"), 1.5))
        painter.drawEllipse(circle)
        self._paint_marks(painter, centre, radius)
        half = 0.5 * self.angle
        q, opposite = _at(centre, radius, half), _at(centre, radius, half + math.pi)
        painter.setPen(QPen(current_theme.qcolor("accent"), 3))
        painter.drawArc(circle, 0, round(16 * math.degrees(half)))
        painter.setPen(QPen(current_theme.qcolor("accent"), 1.5))
        painter.drawLine(centre, q)
        painter.setPen(QPen(current_theme.qcolor("accent"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(centre, opposite)
        painter.setPen(QPen(current_theme.qcolor("accent"), 1.5))
        painter.setBrush(current_theme.qcolor("plot_ground"))
        painter.drawEllipse(opposite, DOT, DOT)
        painter.setBrush(current_theme.qcolor("accent"))
        painter.drawEllipse(q, DOT, DOT)
        painter.setFont(fonts.text(METRICS.secondary, 600))
        painter.setPen(current_theme.qcolor("accent_text"))
        for text, angle in (("q", half), ("−q", half + math.pi)):
            _write(painter, _at(centre, radius - 14.0, angle + 0.18), text)

    def _paint_marks(self, painter: QPainter, centre: QPointF, radius: float) -> None:
        painter.setFont(fonts.text(METRICS.caption))
        painter.setPen(current_theme.qcolor("quiet"))
        for turns, words in MARKS:
            side = 26.0 if turns in (0.0, 1.0) else 13.0
            _write(painter, _at(centre, radius + side, math.pi * turns), words)


def _at(centre: QPointF, radius: float, angle: float) -> QPointF:
    return QPointF(centre.x() + radius * math.cos(angle), centre.y() - radius * math.sin(angle))


def _write(painter: QPainter, at: QPointF, text: str) -> None:
    painter.drawText(QRectF(at.x() - 30, at.y() - 9, 60, 18), Qt.AlignmentFlag.AlignCenter, text)
