"""Base of sliders: a widget whose value is moved by gestures, with the mouse or keys that are held."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.qt_support.gesture import ValueGesture


class GestureSlider(QWidget):
    """A value that a drag or a held key moves, as one gesture each; what takes the keyboard or the widget away ends it.

    Signals
    -------
    previewed(float), committed(float)
        As in `ValueGesture`.
    cancelled()
        Escape during a gesture; the value from before is shown again.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_dragging = False
        self._held_key: int | None = None
        self._gesture = ValueGesture(self)
        self._gesture.previewed.connect(self.previewed)
        self._gesture.committed.connect(self.committed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is going on."""
        return self._gesture.is_active

    def finish(self) -> None:
        """End a gesture that still goes on, as it stands."""
        self._is_dragging = False
        self._gesture.commit()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._is_dragging:
            self.finish()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._held_key and not event.isAutoRepeat():
            self._held_key = None
            self._gesture.commit()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.finish()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.finish()
        super().hideEvent(event)
