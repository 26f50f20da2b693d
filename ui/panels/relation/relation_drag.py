"""Drag of a read-out onto a plot."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QWidget

from framescope.core.scene.schema.view import Plot
from framescope.ui.widgets.signal_mime import start_drag


class SignalDrags(QObject):
    """Event filter that starts drags of signals from widgets.

    Parameters
    ----------
    owner
        Source of the drags.
    plot_of
        Function that returns the signal of a widget, or None.
    """

    def __init__(self, owner: QWidget, plot_of: Callable[[QObject], Plot | None]) -> None:
        super().__init__(owner)
        self._owner, self._plot_of = owner, plot_of
        self._pressed: QMouseEvent | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.clone()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._pressed = None
        elif event.type() == QEvent.Type.MouseMove and self._pressed is not None:
            movement = event.position() - self._pressed.position()
            if movement.manhattanLength() >= QGuiApplication.styleHints().startDragDistance():
                self._pressed = None
                plot = self._plot_of(watched)
                if plot is not None:
                    start_drag(self._owner, (plot,))
        return False
