"""Picture of a belt between a wall and a rotated block. The two sides of the belt have different colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from framescope.core.quaternions import resolve1
from framescope.features.quaternions.core.belt import Belt, belt_of_turn
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import AXIS_LETTERS
from framescope.ui.widgets.picture import Array, Picture, fade_color, paint_pieces, pieces_of, seen_from

WIDTH = 0.075
"""Half of the width of the belt, in lengths of the belt."""
AXIS = 0.16
SIDES = "accent", "amber"
EYE = seen_from(-64.0, 24.0)


class BeltPicture(Picture):
    """Belt along x. Its left end is fixed, its right end has the axes of the rotated block."""

    height_px = 128

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.belt = belt_of_turn(0.0)
        """Shape of the belt."""

    def set_belt(self, belt: Belt, words: str) -> None:
        """Set the belt, and the accessible name of the picture."""
        self.belt = belt
        self.setAccessibleName(words)
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        centre = self.belt.centre - 0.5 * (self.belt.centre[0] + self.belt.centre[-1])
        scale = (area.width() - 70.0) / 1.0
        scale = min(scale, (area.height() - 24.0) / 0.42)
        at = area.center()
        self._paint_end(painter, at, scale, centre[0], self.belt.q[0])
        self._paint_sides(painter, at, scale, centre)
        self._paint_end(painter, at, scale, centre[-1], self.belt.q[-1])

    def _paint_sides(self, painter: QPainter, at: QPointF, scale: float, centre: Array) -> None:
        left, right = (centre + side * WIDTH * self.belt.across for side in (1.0, -1.0))
        corners = np.stack([left[:-1], left[1:], right[1:], right[:-1]], axis=1) @ EYE.T
        across = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
        is_front = across[0][:, 0] * across[1][:, 1] - across[0][:, 1] * across[1][:, 0] < 0.0
        depth = corners[:, :, 2].mean(axis=1)
        colors = tuple(current_theme.color(role) for role in SIDES)
        for i in np.argsort(depth).tolist():
            color = fade_color(colors[0] if is_front[i] else colors[1], 0.6 + 2.0 * float(depth[i]))
            painter.setPen(QPen(color, 0.8))
            painter.setBrush(color)
            points = [QPointF(at.x() + scale * x, at.y() - scale * y) for x, y, _ in corners[i].tolist()]
            painter.drawConvexPolygon(QPolygonF(points))

    def _paint_end(self, painter: QPainter, at: QPointF, scale: float, place: Array, q: Array) -> None:
        pieces = []
        for axis, letter in zip(np.eye(3), AXIS_LETTERS, strict=True):
            tip = AXIS * resolve1(q, axis)
            pieces += pieces_of(np.stack([place, place + tip]), EYE, f"axis_{letter}", 3.0)
        paint_pieces(painter, pieces, at, scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme.qcolor("text"))
        x, y, _ = (EYE @ place).tolist()
        painter.drawEllipse(QPointF(at.x() + scale * x, at.y() - scale * y), 3.5, 3.5)
