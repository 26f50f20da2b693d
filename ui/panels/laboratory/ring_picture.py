"""Picture of the three rings of a sequence, with the axes of the frame inside."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.core.kernels.validation import as_sequence
from framescope.core.kinematics import singularity_measure
from framescope.ui.scene_view.geometry.gimbal_geometry import RADII, ring_frames, ring_rotations
from framescope.ui.scene_view.visuals.gimbal_rings import FORK_RADIUS
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, LOCK, METRICS, NEAR, mix

Array = NDArray[np.float64]

_SIDES = 64
_BAND, _RIM = 5.0, 1.25
_TRIAD, _AXIS = 0.5, 3.0
_FADE = 0.65
"""How far what is at the back fades into the ground."""


def _seen_from(azimuth_deg: float, elevation_deg: float) -> Array:
    """Return rows right, up and towards the eye, for an eye that looks at the origin with z upwards."""
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    right = [-np.sin(a), np.cos(a), 0.0]
    up = [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]
    return np.array([right, up, np.cross(right, up)])


_EYE = _seen_from(35.0, 24.0)


class RingPicture(QWidget):
    """Outer, middle and inner ring at three angles, coloured by the axes they turn about; edges warn near the lock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sequence = "ZYX"
        self.angles: Array = np.zeros(3)
        """The angles that are shown, rad."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        current_theme.signals.theme_changed.connect(self.update)

    def set_angles(self, sequence: str, angles: Array) -> None:
        """Turn the rings to three angles, rad."""
        self._sequence, self.angles = sequence, np.asarray(angles, dtype=np.float64)
        measure = float(singularity_measure(sequence, self.angles)[0])
        self.setAccessibleName(f"rings of {sequence}, singularity measure {measure:.2f}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 208)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(current_theme.qcolor("separator"), 1))
        painter.setBrush(current_theme.qcolor("plot_ground"))
        painter.drawRoundedRect(area, METRICS.button_radius, METRICS.button_radius)
        scale = (min(area.width(), area.height()) / 2 - METRICS.gap) / FORK_RADIUS
        centre = area.center()
        pieces = self._pieces()
        for depth, ends, color, width in sorted(pieces, key=lambda piece: piece[0]):
            first, last = (QPointF(centre.x() + scale * x, centre.y() - scale * y) for x, y in ends)
            faded = QColor(
                mix(color, current_theme.color("plot_ground"), _FADE * min(max(0.5 - 0.5 * depth, 0.0), 1.0))
            )
            # A rim in the colour of the ground parts what is in front from what is behind it.
            for pen in (
                QPen(
                    current_theme.qcolor("plot_ground"), width + 2 * _RIM, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
                ),
                QPen(faded, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap),
            ):
                painter.setPen(pen)
                painter.drawLine(first, last)
        self._paint_letters(painter, centre, scale)

    def _pieces(self) -> list[tuple[float, list[list[float]], str, float]]:
        """Return depth (1 is nearest to the eye), the two ends on the picture, colour and width of all pieces."""
        axes = as_sequence(self._sequence)
        rotations = ring_rotations(self._sequence, self.angles)
        measure = float(singularity_measure(self._sequence, self.angles)[0])
        warning = "red" if measure >= LOCK else "amber" if measure >= NEAR else ""
        turn = np.linspace(0.0, 2.0 * np.pi, _SIDES + 1)
        circle = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
        pieces: list[tuple[float, list[list[float]], str, float]] = []

        def add(points: Array, role: str, width: float) -> None:
            seen = points @ _EYE.T
            for a, b in itertools.pairwise(seen):
                depth = float(0.5 * (a[2] + b[2]))
                pieces.append((depth, [a[:2].tolist(), b[:2].tolist()], current_theme.color(role), width))

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
