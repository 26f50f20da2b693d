"""Fit of the window on its screen: whole, with the frame that the window manager puts around it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QWidget

USUAL_FRAME = QSize(8, 40)
"""What a frame is taken to add to a window until it is known; logical pixels."""

_OF_THE_SCREEN = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


def fit_on_screen(window: QWidget, minimum: QSize) -> None:
    """Make a window no larger than there is room on its screen, and move it to where all of it is seen.

    `minimum` is how small it may be made by hand where there is room enough. The frame of a window is known a while
    after it is shown: until then a usual one counts, and the place is left to the window manager.
    """
    room = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.size()
    is_framed = frame.height() > 0
    largest = room.size() - (frame if is_framed else USUAL_FRAME)
    if not window.devicePixelRatio().is_integer():
        largest -= QSize(1, 1)  # the pixels of screen, frame and window are each rounded
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
    """Return the place nearest to that of a window where all of it is in a room."""
    x = max(min(framed.x(), room.x() + room.width() - framed.width()), room.x())
    y = max(min(framed.y(), room.y() + room.height() - framed.height()), room.y())
    return QPoint(x, y)
