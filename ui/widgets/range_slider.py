"""Slider of any number, with a range that grows with it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from framescope.ui.widgets.fraction_slider import ShareSlider

_DIGITS = 3


class RangeSlider(ShareSlider):
    """A number between zero and twice its value, or between -1 and 1 if it is zero.

    An arrow key step is a two-hundredth of the range and may leave it. The range adapts when the drag ends.
    """

    steps_per_way = 200.0
    has_ends = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0.0, parent)
        self.range = (-1.0, 1.0)
        """The numbers at the ends."""

    def set_value(self, value: float) -> None:
        """Display a number from outside; ignored during a gesture. Emits nothing."""
        if self.is_busy:
            return
        self.value = value
        low, high = self.range
        is_at_end = not low + 0.02 * (high - low) <= value <= high - 0.02 * (high - low)
        is_small = abs(value) < 0.02 * max(abs(low), abs(high))
        if is_at_end or is_small or (low, high) == (-1.0, 1.0):
            self.range = (-1.0, 1.0) if not value else (min(0.0, 2 * value), max(0.0, 2 * value))
        self.update()

    def reset(self, value: float) -> None:
        """Display a number and drop any gesture, for example for another item."""
        self._gesture.cancel()
        self._is_dragging = False
        self.range = (-1.0, 1.0)
        self.set_value(value)

    def share_of(self, value: float) -> float:
        low, high = self.range
        return (value - low) / (high - low)

    def value_at(self, share: float) -> float:
        low, high = self.range
        return float(f"{low + share * (high - low):.{_DIGITS}g}")

    def filled_from(self) -> float:
        return self.share_of(0.0)
