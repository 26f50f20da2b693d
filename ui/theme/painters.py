"""Painters in the colours of the current theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPaintDevice, QPainter

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
