"""Forms of editors: the fields of a model, optional parts, and parts with several forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QGridLayout, QWidget

from framescope.core.errors import KeyPath
from framescope.core.scene.edits.fields import set_values, value_at
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.poses import Axes, Extrinsic
from framescope.ui.panels.inspector.editors import choices
from framescope.ui.panels.inspector.editors.cells import CellsEditor
from framescope.ui.panels.inspector.editors.colours import ColourEditor
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.default_values import default_item
from framescope.ui.panels.inspector.editors.editor import LABEL_WIDTH, Editor, EditorContext, column_label, owner_text
from framescope.ui.panels.inspector.editors.fields import Field, fields_of, form_of
from framescope.ui.panels.inspector.editors.files import FileEditor
from framescope.ui.panels.inspector.editors.numbers import NumberEditor, QuantityEditor
from framescope.ui.panels.inspector.editors.paragraphs import LinesEditor, ParagraphEditor
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

_INDENT = 8
_FEW = 2  # a vector and its unit


class ModelForm(QWidget):
    """Fields of a model.

    Parameters
    ----------
    model
        The model.
    without
        Fields that are edited elsewhere.
    indent
        Distance from the left edge, px. Labels shrink by it, so that all columns align.
    """

    def __init__(
        self, model: type[Item], without: tuple[str, ...] = (), indent: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.model = model
        self.editors: dict[str, Editor] = {}
        self._marked: set[str] = set()
        grid = layouts.grid(on=self, margins=0, spacing=(METRICS.gap, METRICS.inner))
        grid.setColumnMinimumWidth(0, LABEL_WIDTH - indent)
        grid.setColumnStretch(1, 1)
        fields = [field for field in fields_of(model) if field.key not in without]
        beside = {field.unit_key for field in fields}
        for i, field in enumerate(field for field in fields if field.key not in beside):
            editor = editor_for(field, indent, self)  # with its final parent, because Qt restyles widgets that move
            self.editors[field.key] = editor
            if editor.is_wide:
                grid.addWidget(editor, i, 0, 1, 2)
                continue
            label = column_label(field.label, LABEL_WIDTH - indent)
            holder = QGridLayout()  # keeps the label beside the first line of a growing editor
            holder.addWidget(label, 0, 0)
            holder.setRowStretch(1, 1)
            grid.addLayout(holder, i, 0)
            grid.addWidget(editor, i, 1)

    def show_values(self, context: EditorContext, path: KeyPath) -> None:
        """Show the values of the model at a path."""
        for key, editor in self.editors.items():
            editor.show_value(context, (*path, key))

    def show_messages(self, messages: Mapping[str, str]) -> None:
        """Show messages at their fields, and clear those of an earlier call that no longer hold."""
        for key, editor in self.editors.items():
            text = messages.get(key, "")
            if text or key in self._marked:
                editor.show_message(text)
        self._marked = {key for key in self.editors if messages.get(key)}

    def show_time(self, context: EditorContext) -> None:
        """Update the values that change with time."""
        for editor in self.editors.values():
            editor.show_time(context)


class FormsEditor(Editor):
    """Editor of an optional part or a part with several forms: a combo box, with the fields of the form below."""

    is_wide = True

    def __init__(self, field: Field, indent: int = 0, *, is_nested: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._indent = indent
        self._is_nested = is_nested
        self.combo = Combo(field.label, parent=self)
        self.combo.setToolTip(field.help)
        names = [(self.text_of(form), form) for form, _ in field.forms]
        self.combo.set_choices(([(field.absent, None)] if field.is_optional else []) + names)
        self.combo.chosen.connect(self.on_form)
        self.forms: dict[type[Item], ModelForm] = {}
        self.form: ModelForm | None = None
        """Fields of the present form."""
        self._has_choice = len(self.combo.choices) > 1
        self._has_heading = self._has_choice or len(fields_of(self._only())) > _FEW
        self._unit: QWidget | None = None
        if not self._has_choice:
            self.combo.hide()
        self._row = layouts.row(spacing=METRICS.inner)
        if self._has_heading:
            label = column_label(field.label, LABEL_WIDTH - self._indent + METRICS.inner, field.help)
            self._row.addWidget(label)
            self._row.addWidget(self.combo, 1)
            if not self._has_choice:
                self._row.addStretch(1)
            self.column.addLayout(self._row)

    def display(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
        self.combo.show_data(self.choice_of(value))
        form = self._form(type(value)) if isinstance(value, Item) else None
        if self._unit is not None:
            self._unit.setVisible(form is not None)
        if form is not self.form:
            if self.form is not None:
                self.form.hide()
            self.form = form
            if form is not None:
                form.show()
        if form is not None and self.context is not None:
            form.show_values(self.context, self.path)

    def show_time(self, context: EditorContext) -> None:
        super().show_time(context)
        if self.form is not None:
            self.form.show_time(context)

    def choice_of(self, value: Any) -> object:
        """Return the data of the choice that a value is."""
        return form_of(value, self.field.forms)

    def on_form(self, form: str | None) -> None:
        """Request another form."""
        if self.context is None:
            return
        if form is None:
            self.leave_out()
            return
        label = f"Set {self.field.label} of {owner_text(self.path)} to {self.text_of(form)}"
        self.ask(set_values({self.path: self.new_value(form, self.context)}, label))

    def text_of(self, form: str) -> str:
        """Return the text of a form in the choice."""
        return _form_text(self.field, form)

    def new_value(self, form: str, context: EditorContext) -> object:
        """Return the value with which another form begins."""
        model = dict(self.field.forms)[form]
        if model is None:
            return form
        before = value_at(context.scene, self.path)
        value = default_item(model, context.scene, self.path, self._key_of(model, form), before)
        if isinstance(value, Axes | Extrinsic) and type(before) is not type(value):
            letters = before.sequence if isinstance(before, Axes | Extrinsic) else context.sequence
            sequence = letters.lower() if isinstance(value, Extrinsic) else letters.upper()
            value = value.model_copy(update={"sequence": sequence})
        return value

    def _key_of(self, model: type[Item], form: str) -> str:
        return form if "form" in model.model_fields else ""

    def _form(self, model: type[Item]) -> ModelForm:
        if model not in self.forms:
            form = self.make_form(model)
            form.setContentsMargins(self._step(), 0, 0, 0)
            self.column.addWidget(form)
            self.forms[model] = form
        return self.forms[model]

    def make_form(self, model: type[Item]) -> ModelForm:
        """Create the fields of one form."""
        form = ModelForm(model, indent=self._indent + self._step(), parent=self)
        only = next(iter(form.editors.values()), None)  # an unconnected motion has no field
        if len(form.editors) == 1 and isinstance(only, CellsEditor) and self._has_choice and len(self.field.forms) == 1:
            # A single vector needs no second heading, so its unit goes beside the choice.
            only.label.hide()
            self._unit = only.unit
            self._row.addWidget(only.unit)
        return form

    def _step(self) -> int:
        """Return the indentation of the fields under their heading, px."""
        return _INDENT if self._is_nested and self._has_heading else 0

    def _only(self) -> type[Item]:
        return next(model for _, model in self.field.forms if model is not None)


def editor_for(field: Field, indent: int = 0, parent: QWidget | None = None) -> Editor:
    """Return a new editor of a field."""
    make = EDITORS[field.kind]
    return FormsEditor(field, indent, parent=parent) if make is FormsEditor else make(field, parent=parent)


EDITORS: dict[str, Callable[..., Editor]] = {
    "number": NumberEditor,
    "count": NumberEditor,
    "quantity": QuantityEditor,
    "cells": CellsEditor,
    "unit": choices.UnitEditor,
    "name": choices.NameEditor,
    "axes": choices.AxesEditor,
    "choice": choices.ChoiceEditor,
    "switch": choices.SwitchEditor,
    "flags": choices.FlagsEditor,
    "colour": ColourEditor,
    "text": choices.TextEditor,
    "paragraph": ParagraphEditor,
    "lines": LinesEditor,
    "file": FileEditor,
    "item": FormsEditor,
    "forms": FormsEditor,
}
"""Editors by kind of field. `lists.py` and `parameters.py` add theirs."""


def _form_text(field: Field, form: str) -> str:
    if form:
        return choices.word_text(form)
    return "given" if field.is_optional else field.label
