"""Fields for numbers and expressions of t."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from framescope.core.scene.schema.quantities import UNITS
from framescope.ui.formatting import number_text
from framescope.ui.formatting.typed_quantities import number_in_unit, split_quantity
from framescope.ui.formatting.typed_signals import find_error, literal, rate_as_formula, use_decimal_points
from framescope.ui.panels.inspector.editors.unit_conversion import convert_value
from framescope.ui.widgets.number_field import known_number
from framescope.ui.widgets.spin_field import StepField
from framescope.ui.widgets.text_line import paint_cut

_DIGITS = 10
_EDGE = 3  # frame of the style, px, on both sides of the text


class ValueField(StepField):
    """Field for a number with its authored digits. A step is about a hundredth of its size.

    Without focus it shows only as many digits as fit, or the beginning and an ellipsis; with focus all.

    Signals
    -------
    emptied()
        The text was deleted.
    """

    emptied = Signal()

    def __init__(
        self,
        *,
        prefix: str = "",
        axis: int | None = None,
        unit: str = "",
        parse: Callable[[str], float] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(step=0.01, has_arrows=False, unit=unit, parse=parse or self._number_of, parent=parent)
        self._quantity = ("", "")
        self._prefix, self._axis = prefix, axis
        self._update_margins()
        self.setMinimumWidth(40)

    def set_quantity(self, unit: str, dimension: str) -> None:
        """Set the unit of the number. A number typed with another unit of `dimension` is converted to it."""
        self._quantity = (unit, dimension)

    def _number_of(self, text: str) -> float:
        return number_in_unit(text, *self._quantity)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._step = step_of(self.value)
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_fitting()
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_fitting()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_fitting()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_cut(self)

    def _show_fitting(self) -> None:
        if not self.isModified() and not self._error and self.text() != self._displayed_text():
            self._show()
        self._show_beginning()

    def _show(self) -> None:
        super()._show()
        self._show_beginning()

    def _show_beginning(self) -> None:
        # The end of a number that is cut would be another number.
        if not self.hasFocus():
            self.setCursorPosition(0)

    def _step_by(self, steps: float) -> None:
        if not self._gesture.is_active:
            self._step = step_of(self.value)
        super()._step_by(steps)

    def _commit_text(self) -> None:
        if self.isModified() and not self.text().strip():
            self.setModified(False)
            self._set_error("")
            self._show()
            self.emptied.emit()
            return
        super()._commit_text()

    def _displayed_text(self) -> str:
        if self.value is None:
            return ""
        whole = shown_number(self.value)
        if self.hasFocus() or self._gesture.is_active:
            return whole
        margins = self.textMargins()
        room = self.width() - margins.left() - margins.right() - 2 * _EDGE
        shorter = (shown_number(self.value, digits) for digits in range(_DIGITS - 1, 1, -1))
        fitting = (text for text in shorter if "e" not in text and self.fontMetrics().horizontalAdvance(text) <= room)
        return whole if self.fontMetrics().horizontalAdvance(whole) <= room else next(fitting, whole)


class SignalField(ValueField):
    """Field for a number or an expression of t.

    Signals
    -------
    expression_committed(str)
        The user has committed an expression.
    """

    expression_committed = Signal(str)

    def __init__(self, *, prefix: str = "", axis: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(prefix=prefix, axis=axis, parent=parent)
        self.expression: str | None = None
        """Current expression; None for a number."""
        self.parameters: Mapping[str, float] = {}

    def show_signal(self, signal: float | str | None, *, is_other: bool) -> None:
        """Show a number or an expression. Ignored while the user is editing, unless the value is of another path."""
        if self.is_busy and not is_other:
            return
        expression = signal if isinstance(signal, str) else None
        number = None if isinstance(signal, str) else known_number(signal)
        if is_other or (expression, number) != (self.expression, self.value):
            self.expression = expression
            side = Qt.AlignmentFlag.AlignLeft if expression is not None else Qt.AlignmentFlag.AlignRight
            self.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.reset(number)

    def find_problem(self) -> str:
        """Return the error of the present text; empty if it is valid."""
        try:
            return find_error(self.typed_signal(), self.parameters)
        except ValueError as error:
            return str(error)

    def typed_signal(self) -> str:
        """Return the present text, in the unit of the field; raise `ValueError` for a unit that does not fit."""
        unit, dimension = self._quantity
        rate = rate_as_formula(self.text()) if dimension == "angle" and unit in UNITS["angle"] else None
        if rate is not None:
            return str(convert_value(*rate, unit, dimension))
        text, typed = split_quantity(self.text(), dimension, self.parameters)
        if not typed or typed == unit or find_error(text, self.parameters):
            return text
        if literal(text) is not None or unit not in UNITS[dimension]:
            return shown_number(number_in_unit(self.text(), unit, dimension))
        return str(convert_value(use_decimal_points(text), typed, unit, dimension))

    def _update_margins(self) -> None:
        super()._update_margins()
        margins = self.textMargins()
        if self._prefix:
            self.setTextMargins(margins.left() + 4, 0, margins.right(), 0)

    def _can_step(self) -> bool:
        return super()._can_step() and self.expression is None

    def _update_cursor(self, position: QPointF) -> None:
        if self.expression is None:
            super()._update_cursor(position)
        else:
            self.setCursor(Qt.CursorShape.IBeamCursor)

    def _commit_text(self) -> None:
        text = self.text().strip()
        if not self.isModified() or not text:
            super()._commit_text()
            return
        if text == self._displayed_text():
            self.setModified(False)
            self._set_error("")
            return
        error = self.find_problem()
        if error:
            self._set_error(error)
        elif literal(self.typed_signal()) is not None:
            # A number that replaces an expression is always an edit.
            self.expression = None
            super()._commit_text()
        else:
            self._set_error("")
            self.expression = use_decimal_points(self.typed_signal())
            self.setModified(False)
            self.expression_committed.emit(self.expression)

    def _on_edited(self) -> None:
        if self._error and not self.find_problem():
            self._set_error("")
        self.update()

    def _displayed_text(self) -> str:
        return super()._displayed_text() if self.expression is None else self.expression


def shown_number(value: float, digits: int = _DIGITS) -> str:
    """Format a number with its authored digits, at most `digits`, and a true minus sign.

    >>> shown_number(-0.25), shown_number(200.0), shown_number(-0.0)
    ('−0.25', '200', '0')
    """
    return f"{value + 0.0:.{digits}g}".replace("-", number_text.MINUS)


def step_of(value: float | None) -> float:
    """Return the step of a number: the power of ten at about a hundredth of its size.

    >>> step_of(0.2), step_of(45.0), step_of(0.0)
    (0.001, 0.1, 0.01)
    """
    if not value:
        return 0.01
    return round(10.0 ** (math.floor(math.log10(abs(value))) - 2), 12)
