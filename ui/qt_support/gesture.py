"""Gesture: one change of a value from press to release, with previews, then one commit or a cancel."""

from PySide6.QtCore import QObject, QTimer, Signal

# A burst of wheel steps is one gesture; it ends when the wheel has rested this long.
SETTLE_MS = 300


class ValueGesture(QObject):
    """
    The state of a gesture, shared by sliders and number fields.

    While one is active the owner ignores values set from outside, so that a running animation and a hand never fight.

    Signals
    -------
    previewed(float)
        The value moved; the gesture goes on.
    committed(float)
        The gesture ended; this is its one step of undo.
    """

    previewed = Signal(float)
    committed = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_active = False
        """Whether a gesture is going on."""
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
        """Commit by itself after a rest, unless another step follows."""
        self._settle.start()

    def commit(self) -> None:
        """End the gesture; nothing is said when the value never moved.

        One that came back to where it started is said too: whoever showed its previews waits for the end.
        """
        self._settle.stop()
        # Cleared first: whoever hears the commit may set the value at once.
        was_active, self.is_active = self.is_active, False
        if was_active and self._value is not None and self._has_moved:
            self.committed.emit(self._value)

    def cancel(self) -> float | None:
        """Give the gesture up; returns the value from before, or None when there was none."""
        self._settle.stop()
        was_active, self.is_active = self.is_active, False
        return self._start if was_active else None
