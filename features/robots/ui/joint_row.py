"""Row of a joint: its name and value, and a slider between its limits, or the source of its value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.bounded_slider import BoundedSlider
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.number_field import NumberField

FIELD_WIDTH = 92

WAY_M = 1.0
"""Distance of a slider without limits to either side, m."""


@dataclass(frozen=True)
class JointInfo:
    """Contents of a joint's row.

    Attributes
    ----------
    frame
        Child frame of the joint.
    name
        Title of the joint.
    lower, upper
        Its limits, rad or m; infinite without limits.
    is_revolute
        Whether the joint is revolute.
    driver
        Text about the source of its value; empty if it is set by hand.
    is_recorded
        Whether a recording drives it.
    """

    frame: str
    name: str
    lower: float
    upper: float
    is_revolute: bool
    driver: str = ""
    is_recorded: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of its slider, rad or m: its limits, else a turn or a distance to either side."""
        whole = math.pi if self.is_revolute else WAY_M
        low, high = self.lower, self.upper
        if math.isinf(low):
            low = min(-whole, high - 2.0 * whole) if math.isfinite(high) else -whole
        if math.isinf(high):
            high = max(whole, low + 2.0 * whole)
        return low, high


class JointRow(QWidget):
    """Row of a joint whose value can be dragged, stepped or typed.

    Signals
    -------
    previewed(float), committed(float)
        Value, rad or m, during a drag and at its end.
    cancelled()
        The drag was cancelled.
    chosen()
        The name was clicked.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()
    chosen = Signal()

    def __init__(self, info: JointInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.info = info
        self._unit = DEG
        self.value = math.nan
        """Displayed value, rad or m."""
        self.name = ElidedLabel(info.name)
        self.bounds = layouts.label("", "quiet")
        self.slider = BoundedSlider(*info.ends)
        self.field = NumberField(decimals=DEG.decimals)
        self.field.set_usual_width(FIELD_WIDTH)
        self.driver = ElidedLabel(info.driver, "quiet")
        self.error_message = InlineMessage()
        grid = layouts.grid(on=self, margins=0, spacing=(METRICS.inner, 0))
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.bounds, 0, 1)
        grid.addWidget(self.field, 0, 2)
        grid.addWidget(self.driver if info.driver else self.slider, 1, 0, 1, 3)
        grid.addWidget(self.error_message, 2, 0, 1, 3)
        grid.setColumnStretch(0, 1)
        self.field.setReadOnly(bool(info.driver))
        self.slider.previewed.connect(self._on_slider)
        self.slider.committed.connect(self.committed)
        self.field.previewed.connect(lambda value: self._on_field(value, is_final=False))
        self.field.committed.connect(lambda value: self._on_field(value, is_final=True))
        self.field.message.connect(self.error_message.set_message)
        for part in (self.slider, self.field):
            part.cancelled.connect(self.cancelled)
        self._name_parts()

    @property
    def is_busy(self) -> bool:
        """Whether the user is editing the value; values from outside wait meanwhile."""
        return self.slider.is_busy or self.field.is_busy

    def set_unit(self, unit: AngleUnit) -> None:
        """Show angles in another unit, and parse typed values in it."""
        self._unit = unit
        if self.info.is_revolute:
            self.field.set_decimals(unit.decimals)
            self.field.set_parse(unit.parse)
        self._name_parts()
        self.field.reset(self._displayed(self.value))

    def show_value(self, value: float) -> None:
        """Show a value, rad or m, NaN without a value, unless the user is editing it."""
        if self.is_busy:
            return
        self.value = value
        self.slider.set_value(value if math.isfinite(value) else self.slider.low)
        self.field.set_value(self._displayed(value))
        self._mark()

    def _displayed(self, value: float) -> float | None:
        if not math.isfinite(value):
            return None
        return self._unit.of_rad(value) if self.info.is_revolute else value

    def _on_slider(self, value: float) -> None:
        self.value = value
        self.field.reset(self._displayed(value))
        self._mark()
        self.previewed.emit(value)

    def _on_field(self, shown: float, *, is_final: bool) -> None:
        value = self._unit.to_rad(shown) if self.info.is_revolute else shown
        self.value = value
        self.slider.set_value(value)
        self._mark()
        (self.committed if is_final else self.previewed).emit(value)

    def _mark(self) -> None:
        """Report a value beyond the limits, which is accepted nevertheless."""
        info = self.info
        beyond = self.value < info.lower - REACH or self.value > info.upper + REACH
        self.error_message.set_message(f"beyond its bounds, {self._bounds_text()}" if beyond else "")

    def _bounds_text(self) -> str:
        info = self.info
        if math.isinf(info.lower) and math.isinf(info.upper):
            return "no limits"
        low, high = (self._text(end) for end in (info.lower, info.upper))
        unit = "°" if self._unit is DEG else " rad"
        return f"{low} to {high}{unit if info.is_revolute else ' m'}"

    def _text(self, value: float) -> str:
        if math.isinf(value):
            return "∞" if value > 0.0 else "−∞"
        shown = self._unit.of_rad(value) if self.info.is_revolute else value
        decimals = 1 if self.info.is_revolute and self._unit is DEG else 3
        text = number_text.fixed(shown, decimals)
        return text.rstrip("0").rstrip(".")

    def _name_parts(self) -> None:
        info, is_revolute = self.info, self.info.is_revolute
        self.bounds.setText("" if info.driver else self._bounds_text())
        self.field.set_unit(self._unit.sign or self._unit.symbol if is_revolute else "m")
        if not is_revolute:
            self.field.set_decimals(4)
        self.field.setAccessibleName(f"joint {info.name}, {self._unit.name if is_revolute else 'metres'}")
        self.slider.setAccessibleName(f"joint {info.name}, slider")
        tip = f"{info.name}, {self._bounds_text()}\nArrows a hundredth of that, Home and End the ends"
        self.slider.setToolTip(literal_text(tip))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.name.geometry().contains(event.position().toPoint()):
            self.chosen.emit()
        else:
            event.ignore()


REACH = 1e-9
"""Deviation beyond the limits, rad or m, that is attributed to rounding."""
