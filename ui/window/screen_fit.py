"""Fit of the window into its screen, including the frame of the window manager."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QWidget

from framescope.ui.widgets.layouts import USUAL_FRAME

_OF_THE_SCREEN = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


def fit_on_screen(window: QWidget, minimum: QSize) -> None:
    """Limit a window to the available area of its screen, and move it completely onto the screen.

    `minimum` is the minimum size where the screen has room. The real frame of a window is known only some time after it
    is shown. Until then `USUAL_FRAME` counts, and the window manager chooses the place.
    """
    room = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.size()
    is_framed = frame.height() > 0
    largest = room.size() - (frame if is_framed else USUAL_FRAME)
    if not window.devicePixelRatio().is_integer():
        largest -= QSize(1, 1)  # screen, frame and window are each rounded to pixels
    window.setMinimumSize(minimum.boundedTo(largest))
    if window.windowState() & _OF_THE_SCREEN:
        return
    if window.size() != window.size().boundedTo(largest):
        window.resize(window.size().boundedTo(largest))
    if is_framed:
        framed = QRect(window.frameGeometry().topLeft(), window.size() + frame)
        corner = _inside(framed, room)
        if corner != framed.topLeft():
            window.move(corner)


def _inside(framed: QRect, room: QRect) -> QPoint:
    """Return the position nearest to a window's own at which it lies completely inside an area."""
    x = max(min(framed.x(), room.x() + room.width() - framed.width()), room.x())
    y = max(min(framed.y(), room.y() + room.height() - framed.height()), room.y())
    return QPoint(x, y)
