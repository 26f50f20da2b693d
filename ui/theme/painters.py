"""Painters in the colours of the current theme."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPaintDevice, QPainter, QPen

from framescope.ui.theme import current_theme


def smooth(device: QPaintDevice) -> QPainter:
    """Return a painter with smooth edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def write_in(painter: QPainter, font: QFont, role: str) -> None:
    """Set a painter's font, and its colour by role."""
    painter.setFont(font)
    painter.setPen(current_theme.qcolor(role))


def fill_with(painter: QPainter, role: str, alpha: float = 1.0) -> None:
    """Set a painter to fill shapes without an outline, in the colour of a role."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current_theme.qcolor(role, alpha))


def set_dash(pen: QPen, lengths: Sequence[float], scale: float = 1.0) -> None:
    """Dash a pen with lengths of dashes and gaps in turn, widths of the line; `scale` shortens them for a wide line."""
    if lengths:
        pen.setDashPattern([scale * length for length in lengths])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
