"""Row of one angle: mark and letter of its axis, slider, number; below it what drives it, or an error."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_field import AngleField
from framescope.ui.widgets.angle_slider import AngleSlider
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.axis_mark import AxisMark
from framescope.ui.widgets.expression_line import ExpressionLine
from framescope.ui.widgets.inline_message import InlineMessage

FIELD_WIDTH = 84


class AngleRow(QWidget):
    """
    One angle in degrees.

    Parameters
    ----------
    axis : int
        Axis (0, 1, 2) it turns about: colour and shape of its mark.
    letter : str
        Its name, for example α.
    name : str
        What a screen reader says, for example "angle alpha about x"; made from the letter when empty.

    Signals
    -------
    previewed(float)
        Degrees, while it is dragged, scrubbed, stepped or the wheel turns.
    committed(float)
        Degrees, once at the end of each gesture.
    cancelled()
        Escape: the angle from before is shown again, and counts.
    expression_committed(str, str)
        A number or an expression of t is to drive the angle, and its unit, ``"deg"`` or ``"rad"``; without one that of
        the expression which is shown.
    message(str)
        What is wrong with the typed text, empty when it is well; the row shows it itself.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()
    expression_committed = Signal(str, str)
    message = Signal(str)

    def __init__(self, axis: int, letter: str, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self._is_lit = False
        self._unit = DEG
        self.mark = AxisMark(axis, letter)
        self.slider = AngleSlider(axis)
        self.field = AngleField()
        self.field.setFixedWidth(FIELD_WIDTH)
        self.expression = ExpressionLine()
        self.expression.hide()
        self._error = InlineMessage()
        self.value_deg = 0.0
        """The angle shown, in degrees."""
        self._letter, self._name = letter, name
        self._name_parts()

        self._grid = layouts.grid(on=self, margins=0, spacing=(METRICS.inner, 0))
        self._grid.addWidget(self.mark, 0, 0)
        self._grid.addWidget(self.slider, 0, 1)
        self._grid.addWidget(self.field, 0, 2)
        self._grid.addWidget(self.expression, 1, 1, 1, -1)
        self._grid.addWidget(self._error, 2, 0, 1, -1)
        self._grid.setColumnStretch(1, 1)

        # Each half shows what the other one does; the field comes first, being the one with full precision.
        self.slider.previewed.connect(self._on_slider)
        self.field.previewed.connect(self._on_field)
        self.slider.committed.connect(self._on_committed)
        self.field.committed.connect(lambda value: self._on_committed(self._unit.to_deg(value)))
        for half in (self.slider, self.field):
            half.cancelled.connect(self._on_cancelled)
        for typed in (self.field, self.expression):
            typed.message.connect(self._error.set_message)
            typed.message.connect(self.message)
        self.field.expression_committed.connect(
            lambda text, unit: self.expression_committed.emit(text, unit or self._unit.key)
        )
        self.field.expression_requested.connect(self.edit_expression)
        self.expression.committed.connect(self.expression_committed)
        self.expression.left.connect(lambda: self.field.setFocus(Qt.FocusReason.OtherFocusReason))
        self.reset_deg(0.0)

    @property
    def is_busy(self) -> bool:
        """Whether a hand is at it; values from outside wait meanwhile."""
        return self.slider.is_busy or self.field.is_busy

    def set_value_deg(self, value_deg: float) -> None:
        """Show an angle from outside; ignored while a hand is at the row. Emits nothing."""
        if not self.is_busy:
            self.value_deg = value_deg
            self.slider.set_value_deg(value_deg)
            self.field.set_value(self._unit.of_deg(value_deg))

    def reset_deg(self, value_deg: float) -> None:
        """Show an angle and drop any gesture and half-typed text, as when another item comes into view."""
        self.value_deg = value_deg
        self.slider.reset_deg(value_deg)
        self.field.reset(self._unit.of_deg(value_deg))
        self.expression.cancel()

    def clear(self) -> None:
        """Show no angle at all, as of a frame without a pose."""
        self.reset_deg(0.0)
        self.field.reset(None)

    def finish(self) -> None:
        """End a gesture that still goes on, as it stands."""
        self.slider.finish()
        self.field.finish()

    def cancel(self) -> None:
        """Give a gesture up that still goes on."""
        self.slider.cancel()
        self.field.cancel()

    def set_axis(self, axis: int, letter: str, name: str = "") -> None:
        """Turn about another axis, as when another sequence is chosen."""
        if (axis, letter, name) == (self._axis, self._letter, self._name):
            return
        self._axis = axis
        self.mark.set_axis(axis, letter)
        self.slider.set_axis(axis)
        self._letter, self._name = letter, name
        self._name_parts()
        self.update()

    def set_unit(self, unit: AngleUnit) -> None:
        """Show the number in another unit, and take what is typed without one to be in it."""
        self._unit = unit
        self.field.set_unit(unit.sign)
        self.field.set_decimals(unit.decimals)
        self.field.set_parse(unit.parse)
        self.field.set_step(unit.of_deg(1.0))
        self.field.reset(unit.of_deg(self.value_deg))
        self._name_parts()

    def show_message(self, error: str) -> None:
        """Show below the row why its angle cannot be had, or nothing."""
        self._error.set_message(error)

    def set_expression(self, text: str, unit: str = "") -> None:
        """Show the signal that drives the angle (`0.8*sin(t) + 0.21`) and its unit below; empty hides the line."""
        self.expression.set_expression(text, unit)
        self.expression.setVisible(bool(text))

    def set_typing(self, parameters: Mapping[str, float], refusal: str) -> None:
        """Tell which names may stand in an expression, and why none may be typed, as a sentence; empty when one may."""
        self.field.parameters = self.expression.parameters = parameters
        self.field.refusal = refusal

    def edit_expression(self) -> None:
        """Give the keyboard to the expression that drives the angle, where there is one to be changed."""
        if self.expression.isVisible() and not self.expression.isReadOnly():
            self.expression.setFocus(Qt.FocusReason.OtherFocusReason)
            self.expression.selectAll()

    def set_lit(self, is_lit: bool) -> None:
        """Light the row, in staged mode, while its axis is being turned about."""
        self._is_lit = is_lit
        self.update()

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow changes by hand; the number can still be copied."""
        self.slider.set_read_only(is_read_only)
        self.field.setReadOnly(is_read_only)
        self.expression.set_read_only(is_read_only)

    def add_trailing(self, widget: QWidget) -> None:
        """Put another widget (the rate of the angle) at the right end of the row; it leaves where it was."""
        self._grid.addWidget(widget, 0, 3)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        if self._is_lit:
            # Square and over the whole widget: the panel's own padding belongs to the lit ground, and is given to the
            # row by `setContentsMargins`.
            QPainter(self).fillRect(self.rect(), current_theme.qcolor(f"axis_{AXIS_LETTERS[self._axis]}", 0.12))

    def _name_parts(self) -> None:
        name = self._name or f"angle {self._letter} about {AXIS_LETTERS[self._axis]}"
        self.setAccessibleName(name)
        self.slider.setAccessibleName(f"{name}, slider")
        self.field.setAccessibleName(f"{name}, {self._unit.name}")
        self.expression.setAccessibleName(f"{name}, expression of t")
        self.slider.setToolTip(
            f"{name}, degrees\narrows and, once clicked, the wheel 1°, Page 15°, Ctrl 0.1°, Home 0, Shift snaps to 15°"
        )

    def _on_slider(self, value_deg: float) -> None:
        self.value_deg = value_deg
        self.field.reset(self._unit.of_deg(value_deg))
        self.previewed.emit(value_deg)

    def _on_field(self, value: float) -> None:
        value_deg = self._unit.to_deg(value)
        self.value_deg = value_deg
        self.slider.reset_deg(value_deg)
        self.previewed.emit(value_deg)

    def _on_committed(self, value_deg: float) -> None:
        self.value_deg = value_deg
        self.committed.emit(value_deg)

    def _on_cancelled(self) -> None:
        source = self.sender()
        self.value_deg = self.slider.value_deg if source is self.slider else self._unit.to_deg(self.field.value or 0.0)
        self.slider.reset_deg(self.value_deg)
        self.field.reset(self._unit.of_deg(self.value_deg))
        self.cancelled.emit()
