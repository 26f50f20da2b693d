"""Ring around the mouse pointer, which an audience finds at once."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QRadialGradient
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, painters

RADIUS = 34
"""Radius of the ring, logical pixels."""

TICK_MS = 16


class PointerRing(QWidget):
    """Soft ring over a window that follows the pointer and lets all clicks through.

    It asks for the pointer by a timer: Qt tells only the widget below the pointer about its moves.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("ring around the pointer")
        self.setFixedSize(2 * RADIUS, 2 * RADIUS)
        self._ticks = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._ticks.timeout.connect(self.follow)
        self.hide()

    @property
    def is_on(self) -> bool:
        """Whether the ring follows the pointer."""
        return self._ticks.isActive()

    def toggle(self) -> None:
        """Switch the ring on or off."""
        self.set_on(not self.is_on)

    def set_on(self, is_on: bool) -> None:
        """Show or hide the ring."""
        if is_on:
            self._ticks.start()
            self.follow()
        else:
            self._ticks.stop()
            self.hide()

    def follow(self) -> None:
        """Move to the pointer; hide while the pointer is outside the window."""
        at = self._window.mapFromGlobal(QCursor.pos())
        self.move(at - QPoint(RADIUS, RADIUS))
        is_inside = self._window.rect().contains(at)
        if is_inside != self.isVisible():
            self.setVisible(is_inside)
            self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        centre, color = QPointF(RADIUS, RADIUS), current_theme.qcolor("force")
        glow = QRadialGradient(centre, RADIUS)
        for place, opacity in ((0.0, 0.10), (0.62, 0.22), (0.78, 0.75), (0.86, 0.75), (1.0, 0.0)):
            color.setAlphaF(opacity)
            glow.setColorAt(place, color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(glow)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawEllipse(QRectF(self.rect()))
