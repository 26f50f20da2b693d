"""Picture of the three gimbal rings of an axis sequence, with the axes of the frame inside."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import as_sequence
from framescope.core.kinematics import singularity_measure
from framescope.ui.scene_view.geometry.gimbal_geometry import RADII, ring_frames, ring_rotations
from framescope.ui.scene_view.visuals.gimbal_rings import FORK_RADIUS
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import AXIS_LETTERS, LOCK, METRICS, NEAR
from framescope.ui.widgets.picture import Array, Picture, Piece, paint_pieces, pieces_of, seen_from

_SIDES = 64
_BAND = 5.0
_TRIAD, _AXIS = 0.5, 3.0
_EYE = seen_from(35.0, 24.0)


class RingPicture(Picture):
    """Outer, middle and inner ring at three angles, in the colours of their axes; their pivots warn near the lock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sequence = "ZYX"
        self.angles: Array = np.zeros(3)
        """Angles (3,) of the rings, rad."""

    def set_angles(self, sequence: str, angles: Array) -> None:
        """Rotate the rings to three angles, rad."""
        self._sequence, self.angles = sequence, np.asarray(angles, dtype=np.float64)
        measure = float(singularity_measure(sequence, self.angles)[0])
        self.setAccessibleName(f"rings of {sequence}, singularity measure {measure:.2f}")
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        scale = (min(area.width(), area.height()) / 2 - METRICS.gap) / FORK_RADIUS
        paint_pieces(painter, self._pieces(), area.center(), scale)
        self._paint_letters(painter, area.center(), scale)

    def _pieces(self) -> list[Piece]:
        axes = as_sequence(self._sequence)
        rotations = ring_rotations(self._sequence, self.angles)
        measure = float(singularity_measure(self._sequence, self.angles)[0])
        warning = "red" if measure >= LOCK else "amber" if measure >= NEAR else ""
        turn = np.linspace(0.0, 2.0 * np.pi, _SIDES + 1)
        circle = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
        pieces: list[Piece] = []

        def add(points: Array, role: str, width: float) -> None:
            pieces.extend(pieces_of(points, _EYE, role, width))

        for k, (axis, radius, frame) in enumerate(zip(axes, RADII, ring_frames(self._sequence), strict=True)):
            placed = rotations[k + 1] @ frame
            role = f"axis_{AXIS_LETTERS[axis - 1]}"
            add(radius * circle @ placed.T, role, _BAND)
            outside = FORK_RADIUS if k == 0 else RADII[k - 1]
            for side in (1.0, -1.0):
                add(np.outer([radius, outside], side * placed[:, 0]), warning or role, _BAND - 1.0)
        for i, letter in enumerate(AXIS_LETTERS):
            add(np.outer([0.0, _TRIAD], rotations[3][:, i]), f"axis_{letter}", _AXIS)
        return pieces

    def _paint_letters(self, painter: QPainter, centre: QPointF, scale: float) -> None:
        painter.setFont(fonts.text(METRICS.caption, 600))
        R = ring_rotations(self._sequence, self.angles)[3]
        for i, letter in enumerate(AXIS_LETTERS):
            x, y, _ = (_TRIAD + 0.11) * (_EYE @ R[:, i])
            painter.setPen(current_theme.qcolor(f"axis_{letter}_text"))
            box = QRectF(centre.x() + scale * x - 8, centre.y() - scale * y - 8, 16, 16)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
