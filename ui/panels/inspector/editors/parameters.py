"""Editor of parameters, with a name, a number and a slider for each."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from framescope.core.scene.edits import fields
from framescope.core.scene.edits.joints import joint_units
from framescope.ui.panels.inspector.editors.editor import Editor, label_of
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.panels.inspector.editors.form import EDITORS
from framescope.ui.panels.inspector.editors.value_field import ValueField, shown_number
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.range_slider import RangeSlider
from framescope.ui.widgets.text_line import TextLine

_VALUE_WIDTH = 92


class ParametersEditor(Editor):
    """Editor of named numbers. Moving a slider previews its effect."""

    is_wide = True

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.rows: dict[str, ParameterRow] = {}
        self._hint = label_of("Named numbers, which expressions of t may use.")
        self._hint.setWordWrap(True)
        self._list = layouts.column(spacing=METRICS.inner)
        self.add = push_button("Add parameter", "plus", "small", clicked=self._on_add)
        foot = layouts.row(self.add, layouts.STRETCH)
        self.column.addWidget(self._hint)
        self.column.addLayout(self._list)
        self.column.addLayout(foot)

    def display(self, value: Any, *, is_other: bool) -> None:
        self._hint.setVisible(not value)
        if list(value) != list(self.rows):
            for row in self.rows.values():
                self._list.removeWidget(row)
                row.retire()
            self.rows = {name: self._row(name) for name in value}
        units = {} if self.context is None else joint_units(self.context.scene)
        for name, row in self.rows.items():
            row.show_unit(*units.get(name, ("", "")))
            row.show_value(value[name], is_other=is_other)

    def _row(self, name: str) -> ParameterRow:
        row = ParameterRow(name)
        self._list.addWidget(row)
        row.number.previewed.connect(lambda value: self._on_value(name, value, is_final=False))
        row.number.committed.connect(lambda value: self._on_value(name, value, is_final=True))
        row.slider.previewed.connect(lambda value: self._on_value(name, value, is_final=False))
        row.slider.committed.connect(lambda value: self._on_value(name, value, is_final=True))
        row.number.message.connect(self.show_message)
        for part in (row.number, row.slider):
            part.cancelled.connect(self._on_cancelled)
        row.name.editingFinished.connect(lambda: self._on_renamed(name))
        row.name.given_up.connect(self.show_again)
        row.remove.clicked.connect(
            lambda: self.ask(fields.unset_value((*self.path, name), f"Removed parameter {name}"))
        )
        return row

    def _on_cancelled(self) -> None:
        if self.context is not None:
            self.context.edits.cancel()

    def _on_value(self, name: str, value: float, *, is_final: bool) -> None:
        self.rows[name].follow(value)
        edit = fields.set_values({(*self.path, name): value}, f"Set parameter {name} to {shown_number(value)}")
        self.ask(edit, is_final=is_final)

    def _on_renamed(self, old: str) -> None:
        row = self.rows[old]
        new = row.name.text().strip()
        if not row.name.isModified() or self.context is None:
            return
        if new == old:
            row.name.setModified(False)
            self.show_message("")
            return
        try:
            edit = fields.rename_parameter(old, new, f"Renamed parameter {old} to {new}")
            edit.apply(self.context.scene)
        except fields.RefusedValueError as refused:
            self.show_message(str(refused))
            row.mark_name(is_wrong=True)
            return
        row.mark_name(is_wrong=False)
        self.ask(edit)

    def _on_add(self) -> None:
        if self.context is None:
            return
        parameters = fields.value_at(self.context.scene, self.path)
        name = next(name for name in (f"p{i}" for i in range(1, len(parameters) + 2)) if name not in parameters)
        self.ask(fields.set_values({(*self.path, name): 1.0}, f"Added parameter {name}"))


class ParameterRow(QWidget):
    """Name and number of a parameter, with its unit if it sets a joint, and a slider below."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own_name, self._unit = name, ""
        self.name = TextLine(name)
        self.name.setFont(fonts.number())
        self.name.setCursorPosition(0)
        self.name.setAccessibleName(f"name of parameter {name}")
        self.name.setToolTip("All expressions follow a new name")
        self.number = ValueField()
        self.number.setFixedWidth(_VALUE_WIDTH)
        self.number.setAccessibleName(f"parameter {name}")
        self.slider = RangeSlider()
        self.slider.setAccessibleName(f"parameter {name}, slider")
        self.remove = IconButton("x", f"Remove parameter {name}", size=METRICS.small_button, icon_size=METRICS.row_icon)
        grid = layouts.grid(on=self, margins=0, spacing=(METRICS.inner, 0))
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.number, 0, 1)
        grid.addWidget(self.remove, 0, 2)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        grid.setColumnStretch(0, 1)

    def retire(self) -> None:
        """Disconnect and delete the row of a removed or renamed parameter."""
        for part in (self.name, self.number, self.slider, self.remove):
            part.blockSignals(True)
        self.hide()
        self.deleteLater()

    def show_unit(self, unit: str, dimension: str) -> None:
        """Show the unit of a parameter that sets a joint, and convert numbers that are typed in another unit."""
        if unit != self._unit:
            self._unit = unit
            self.number.set_unit(unit)
            self.number.set_quantity(unit, dimension)
            self.number.setAccessibleName(f"parameter {self._own_name}{f', {unit}' if unit else ''}")

    def show_value(self, value: float, *, is_other: bool) -> None:
        """Show the number, unless the user is editing it."""
        if is_other:
            self._show_name()
            self.number.reset(value)
            self.slider.reset(value)
        elif not (self.number.is_busy or self.slider.is_busy):
            self.number.set_value(value)
            self.slider.set_value(value)

    def _show_name(self) -> None:
        """Show the parameter's name and discard typed text."""
        if self.name.text() != self._own_name:
            self.name.setText(self._own_name)
            self.name.setCursorPosition(0)
        self.name.setModified(False)
        self.mark_name(is_wrong=False)

    def follow(self, value: float) -> None:
        """Update the slider or the number while the user moves the other one."""
        if self.slider.is_busy:
            self.number.reset(value)
        else:
            self.slider.set_value(value)

    def mark_name(self, *, is_wrong: bool) -> None:
        """Mark the name as invalid or valid."""
        if bool(self.name.property("invalid")) != is_wrong:
            self.name.setProperty("invalid", is_wrong)
            self.name.style().polish(self.name)


EDITORS["parameters"] = ParametersEditor
