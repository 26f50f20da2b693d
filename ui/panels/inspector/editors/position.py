"""Editor of the position of a frame: three numbers or expressions, below their unit."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from framescope.core.errors import KeyPath
from framescope.core.scene.schema.poses import Position
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.editor import Editor, column_label
from framescope.ui.panels.inspector.editors.fields import Field, units_of
from framescope.ui.panels.inspector.editors.unit_conversion import convert_value
from framescope.ui.panels.inspector.editors.value_field import SignalField, shown_number
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

ORIGIN = Position(value=(0.0, 0.0, 0.0), unit="m")
"""Position of a frame without one."""


class PositionEditor(Editor):
    """The unit, and x, y, z in a row of their own. A frame without a position is at the origin of its parent."""

    is_wide = True

    def __init__(self, field: Field, label_width: int, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        label = column_label(field.label, label_width, field.help)
        self.cells = tuple(self._cell(i) for i in range(3))
        self.unit = Combo("unit of position")
        self.unit.set_choices(tuple((unit_text(unit), unit) for unit in units_of("length")))
        self.unit.be_unit()
        self.unit.chosen.connect(self._on_unit)
        head = layouts.row(label, layouts.STRETCH, self.unit, margins=0, spacing=METRICS.gap)
        fields = layouts.row(*((cell, 1) for cell in self.cells), margins=0, spacing=METRICS.inner)
        self.column.insertLayout(0, layouts.column(head, fields, margins=0, spacing=METRICS.inner))

    def display(self, value: Any, *, is_other: bool) -> None:
        position: Position = value or ORIGIN
        self.unit.show_data(position.unit)
        for cell, signal in zip(self.cells, position.value, strict=True):
            cell.parameters = self.context.scene.parameters if self.context is not None else {}
            cell.set_quantity(position.unit or "", "length")
            cell.show_signal(signal, is_other=is_other)

    def field_of(self, path: KeyPath) -> QWidget | None:
        if path[: len(self.path)] != self.path:
            return None
        if path[len(self.path) :] == ("unit",):
            return self.unit
        return next((cell for cell in self.cells if not cell.text()), self.cells[0])

    def _cell(self, i: int) -> SignalField:
        cell = SignalField(prefix="xyz"[i], axis=i)
        cell.setAccessibleName(f"position {'xyz'[i]}")
        cell.setToolTip(f"{'xyz'[i]}: {self.field.help}")
        cell.expression_committed.connect(lambda text: self._on_value(i, text, is_final=True))
        cell.previewed.connect(lambda value: self._on_value(i, value, is_final=False))
        cell.committed.connect(lambda value: self._on_value(i, value, is_final=True))
        cell.cancelled.connect(self.cancel_gesture)
        cell.message.connect(self.show_message)
        cell.emptied.connect(lambda: self.show_message("It cannot be empty: 0 is a number too."))
        return cell

    def _position(self) -> Position:
        frame = None if self.context is None else self.context.scene.frames.get(str(self.path[1]))
        return ORIGIN if frame is None or frame.position is None else frame.position

    def _on_value(self, i: int, value: float | str, *, is_final: bool) -> None:
        position = self._position()
        x, y, z = (value if k == i else signal for k, signal in enumerate(position.value))
        text = value if isinstance(value, str) else shown_number(value)
        new = Position(value=(x, y, z), unit=position.unit)
        if not self.edit(new, shown=f"{'xyz'[i]} {text}", is_final=is_final):
            self.cells[i].mark(self.message)

    def _on_unit(self, unit: str) -> None:
        position = self._position()
        values = convert_value(position.value, position.unit, unit, "length")
        self.edit(Position(value=values, unit=unit), shown=unit_text(unit))
