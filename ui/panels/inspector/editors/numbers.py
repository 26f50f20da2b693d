"""Editors of one number: real, integer, or with a unit."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from framescope.core.errors import KeyPath
from framescope.core.scene.schema.quantities import Quantity
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.typed_quantities import split_quantity
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.panels.inspector.editors.fields import Field, dimension_of
from framescope.ui.panels.inspector.editors.unit_conversion import in_unit
from framescope.ui.panels.inspector.editors.value_field import ValueField, shown_number
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts


class NumberEditor(Editor):
    """Editor of a number or integer. An empty text removes an optional one."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.number = ValueField()
        listen(self, self.number, field)
        self.column.addWidget(self.number)

    def display(self, value: Any, *, is_other: bool) -> None:
        if is_other:
            self.number.reset(value)
        else:
            self.number.set_value(None if value is None else float(value))

    def on_number(self, value: float, *, is_final: bool) -> None:
        """Request a number."""
        whole = int(value) if self.field.kind == "count" and value.is_integer() else value
        if not self.edit(whole, shown=shown_number(value), is_final=is_final):
            self.number.mark(self.message)


class QuantityEditor(Editor):
    """Editor of a number with a unit. Another unit converts the number; a typed unit replaces the unit."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._dimension = dimension_of(field.owner, field.key)
        self._typed_unit: str | None = None
        self._unit: str | None = None
        self.number = ValueField(parse=self._parse)
        self.unit = Combo(f"unit of {field.label}")
        self._choices = tuple((unit_text(unit), unit) for unit in field.units)
        self.unit.set_choices(self._choices)
        self.unit.be_unit()
        self.unit.chosen.connect(self._on_unit)
        listen(self, self.number, field)
        row = layouts.row((self.number, 1), self.unit, spacing=METRICS.inner)
        self.column.addLayout(row)

    def display(self, value: Any, *, is_other: bool) -> None:
        number = None if value is None else value.value
        if is_other:
            self.number.reset(number)
        else:
            self.number.set_value(number)
        self.unit.setVisible(value is not None)  # without a number, the placeholder takes its room
        self._unit = value.unit if value is not None else (self._unit or self.field.units[0])
        self.unit.set_choices(self._choices)
        self.unit.show_data(self._unit)

    def field_of(self, path: KeyPath) -> QWidget | None:
        is_without_unit = self.number.value is not None and self._unit is None
        return super().field_of(path) and (self.unit if is_without_unit else self.number)

    def on_number(self, value: float, *, is_final: bool) -> None:
        """Request the quantity with this number."""
        quantity = Quantity(value, self._typed_unit or self._unit)
        shown = f"{shown_number(value)} {unit_text(quantity.unit or '')}".strip()
        if not self.edit(quantity, shown=shown, is_final=is_final):
            self.number.mark(self.message)
        if is_final:
            self._typed_unit = None

    def _on_unit(self, unit: str) -> None:
        number = self.number.value
        if number is None:
            self._unit = unit
            return
        quantity = in_unit(Quantity(number, self._unit), unit, self._dimension)
        self.edit(quantity, shown=f"{shown_number(quantity.value)} {unit_text(unit)}")

    def _parse(self, text: str) -> float:
        self._typed_unit = None
        number, unit = split_quantity(text, self._dimension)
        value = number_text.parse_number(number)
        self._typed_unit = unit or None
        return value


def listen(editor: NumberEditor | QuantityEditor, number: ValueField, field: Field) -> None:
    """Connect the number field with its editor, and set its texts."""
    number.setAccessibleName(field.label)
    number.setToolTip(tip_of(field))
    number.setPlaceholderText(field.absent if field.is_optional else "")
    number.previewed.connect(lambda value: editor.on_number(value, is_final=False))
    number.committed.connect(lambda value: editor.on_number(value, is_final=True))
    number.cancelled.connect(editor.cancel_gesture)
    number.message.connect(editor.show_message)
    number.emptied.connect(lambda: _on_emptied(editor, field))


def tip_of(field: Field) -> str:
    """Return the tooltip of a field: its description and the meaning of an empty text."""
    if field.is_optional:
        return f"{field.help}\nEmpty: {field.absent}."
    return field.help if field.default is None else f"{field.help}\nEmpty: {field.default} again."


def _on_emptied(editor: Editor, field: Field) -> None:
    if field.is_optional or field.default is not None:
        editor.leave_out()
    else:
        editor.show_again()
        editor.show_message("It is required.")
