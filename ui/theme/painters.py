"""Painters in the colours of the theme that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPaintDevice, QPainter

from framescope.ui.theme import current_theme


def smooth(device: QPaintDevice) -> QPainter:
    """Return a painter whose edges are smooth."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def write_in(painter: QPainter, font: QFont, role: str) -> None:
    """Let a painter write in a font, in the colour of a role."""
    painter.setFont(font)
    painter.setPen(current_theme.qcolor(role))


def fill_with(painter: QPainter, role: str, alpha: float = 1.0) -> None:
    """Let a painter fill shapes, without an outline, in the colour of a role."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current_theme.qcolor(role, alpha))
