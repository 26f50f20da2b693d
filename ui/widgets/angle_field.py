"""Field of an angle, which may be typed as an expression of t."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.typed_signals import is_expression, pointed, split_unit, wrong_with
from framescope.ui.widgets.spin_field import StepField


class AngleField(StepField):
    """
    A number field for an angle in degrees or radians.

    Signals
    -------
    expression_committed(str, str)
        An expression was typed, and ``"deg"`` or ``"rad"`` where that stood behind it.
    expression_asked()
        F2: the expression that drives the angle is to be typed into.
    """

    expression_committed = Signal(str, str)
    expression_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(step=1.0, decimals=2, unit="°", parse=number_text.parse_angle_deg, parent=parent)
        self.parameters: Mapping[str, float] = {}
        self.refusal = ""
        """Why the angle cannot be an expression of t, as a sentence; empty when it can."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.expression_requested.emit()
        else:
            super().keyPressEvent(event)

    def _commit_text(self) -> None:
        if not self.isModified() or not is_expression(self.text(), self.parameters):
            super()._commit_text()
            return
        self._set_error(self._wrong())
        if not self._error:
            text, unit = split_unit(self.text())
            self.setModified(False)
            self._show()
            self.expression_committed.emit(pointed(text), unit)

    def _on_edited(self) -> None:
        if is_expression(self.text(), self.parameters):
            if self._error:
                self._set_error(self._wrong())
            self.update()
        else:
            super()._on_edited()

    def _wrong(self) -> str:
        return wrong_with(split_unit(self.text())[0], self.parameters) or self.refusal
