"""Field for an angle, which also accepts an expression of t."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.typed_signals import (
    find_error,
    is_expression,
    rate_as_formula,
    split_unit,
    use_decimal_points,
)
from framescope.ui.widgets.spin_field import StepField


class AngleField(StepField):
    """A number field for an angle in degrees or radians. A typed rate, such as ``600 rpm``, is a formula.

    Signals
    -------
    expression_committed(str, str)
        The typed expression, and ``"deg"`` or ``"rad"`` if it ended with a unit.
    expression_requested()
        F2: edit the expression that drives the angle.
    """

    expression_committed = Signal(str, str)
    expression_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(step=1.0, decimals=2, unit="°", parse=number_text.parse_angle_deg, parent=parent)
        self.parameters: Mapping[str, float] = {}
        self.refusal = ""
        """Reason why the angle cannot be an expression of t, as a sentence; empty if it can."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.expression_requested.emit()
        else:
            super().keyPressEvent(event)

    def _commit_text(self) -> None:
        rate = rate_as_formula(self.text()) if self.isModified() else None
        if rate is not None:
            self.setText(" ".join(rate))
            self.setModified(True)
        if not self.isModified() or not is_expression(self.text(), self.parameters):
            super()._commit_text()
            return
        self._set_error(self._find_error())
        if not self._error:
            text, unit = split_unit(self.text())
            self.setModified(False)
            self._show()
            self.expression_committed.emit(use_decimal_points(text), unit)

    def _on_edited(self) -> None:
        if is_expression(self.text(), self.parameters):
            if self._error:
                self._set_error(self._find_error())
            self.update()
        else:
            super()._on_edited()

    def _find_error(self) -> str:
        return find_error(split_unit(self.text())[0], self.parameters) or self.refusal
