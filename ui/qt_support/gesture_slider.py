"""Base of sliders: a widget whose value is moved by gestures, with the mouse or pressed keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.qt_support.gesture import ValueGesture


class GestureSlider(QWidget):
    """A value moved by a drag or a pressed key, as one gesture each; losing focus or visibility ends it.

    Signals
    -------
    previewed(float), committed(float)
        As in `ValueGesture`.
    cancelled()
        Escape during a gesture; the previous value is restored.
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
        """Whether a gesture is in progress."""
        return self._gesture.is_active

    def finish(self) -> None:
        """Commit a running gesture."""
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
