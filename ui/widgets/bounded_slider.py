"""Slider of a number between two fixed ends."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from framescope.ui.widgets.fraction_slider import ShareSlider

_DIGITS = 4


class BoundedSlider(ShareSlider):
    """A number between two ends; an arrow key moves it by a hundredth of the range, Home and End to the ends."""

    def __init__(self, low: float, high: float, parent: QWidget | None = None) -> None:
        super().__init__(low, parent)
        self.low, self.high = low, high

    def set_value(self, value: float) -> None:
        """Display a number from outside; ignored during a gesture. Emits nothing."""
        if not self.is_busy and value != self.value:
            self.value = value
            self.update()

    def share_of(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0

    def value_at(self, share: float) -> float:
        value = self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)
        is_end = share <= 0.0 or share >= 1.0
        return value if is_end else float(f"{value:.{_DIGITS}g}")

    def filled_from(self) -> float:
        return min(max(self.share_of(0.0), 0.0), 1.0)
