"""Slider over a fixed range with an arbitrary scale: logarithmic, or finer towards zero."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from framescope.ui.widgets.fraction_slider import ShareSlider


class ScaleSlider(ShareSlider):
    """A number in a range.

    Parameters
    ----------
    value_at, share_of : callable
        The value at a fraction of the range, from 0 to 1, and the fraction of a value.
    name : str
        Accessible name.
    tip : str
        Tool tip.
    """

    def __init__(
        self,
        value_at: Callable[[float], float],
        share_of: Callable[[float], float],
        name: str,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(value_at(0.0), parent)
        self._value_at, self._share_of = value_at, share_of
        self.setAccessibleName(name)
        self.setToolTip(tip)

    def set_value(self, value: float) -> None:
        """Display a number from outside; ignored during a gesture. Emits nothing."""
        if not self.is_busy and value != self.value:
            self.value = value
            self.update()

    def share_of(self, value: float) -> float:
        return self._share_of(value)

    def value_at(self, share: float) -> float:
        return self._value_at(min(max(share, 0.0), 1.0))
