"""Gesture: one change of a value from press to release, with previews, then one commit or a cancel."""

from PySide6.QtCore import QObject, QTimer, Signal

# Pause after the last wheel step that ends a gesture of several steps, ms.
SETTLE_MS = 300


class ValueGesture(QObject):
    """State of a gesture, shared by sliders and number fields.

    While one is active the owner ignores values set from outside, so that a running animation does not fight the user.

    Signals
    -------
    previewed(float)
        The value has moved; the gesture continues.
    committed(float)
        The gesture has ended; this is its one undo step.
    """

    previewed = Signal(float)
    committed = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_active = False
        """Whether a gesture is in progress."""
        self._start: float | None = None
        self._value: float | None = None
        self._has_moved = False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.commit)

    def begin(self, value: float | None) -> None:
        """Start at a value, or at none; a gesture that is still settling is committed first."""
        self.commit()
        self.is_active, self._has_moved = True, False
        self._start = self._value = value

    def move(self, value: float) -> None:
        """Preview another value."""
        if self.is_active and value != self._value:
            self._value, self._has_moved = value, True
            self.previewed.emit(value)

    def settle(self) -> None:
        """Commit automatically after a pause, unless another step follows."""
        self._settle.start()

    def commit(self) -> None:
        """End the gesture; emit `committed` unless the value never moved.

        A value that returned to its start is emitted, too: the receiver of its previews waits for the end.
        """
        self._settle.stop()
        # Cleared first: a receiver of the commit may set the value at once.
        was_active, self.is_active = self.is_active, False
        if was_active and self._value is not None and self._has_moved:
            self.committed.emit(self._value)

    def cancel(self) -> float | None:
        """Cancel the gesture; return the previous value, or None if there was no gesture or no value."""
        self._settle.stop()
        was_active, self.is_active = self.is_active, False
        return self._start if was_active else None
