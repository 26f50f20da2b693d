"""Entries of a form as plain values, to store and restore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from framescope.ui.dialogs.export.plots_button import PlotsButton

Entries = dict[str, object]
"""Texts, values of boxes, and numbers of plots, by the names of fields. JSON can hold them."""


def entries_of(fields: Mapping[str, QWidget]) -> Entries:
    """Return the entries of fields."""
    return {name: _entry_of(field) for name, field in fields.items()}


def put_back(fields: Mapping[str, QWidget], entries: Mapping[str, object]) -> None:
    """Restore the entries of fields. Entries that do not fit their field are ignored."""
    for name, entry in entries.items():
        if name in fields:
            _put(fields[name], entry)


def _entry_of(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentText() if field.isEditable() else field.currentData()
    if isinstance(field, QCheckBox):
        return field.isChecked()
    if isinstance(field, QPlainTextEdit):
        return field.toPlainText()
    if isinstance(field, PlotsButton):
        return None if field.chosen is None else list(field.chosen)
    return field.text() if isinstance(field, QLineEdit) else None


def _put(field: QWidget, entry: object) -> None:
    if isinstance(field, QComboBox) and not field.isEditable():
        place = field.findData(entry)
        if place >= 0:
            field.setCurrentIndex(place)
    elif isinstance(field, QComboBox) and isinstance(entry, str):
        field.setEditText(entry)
    elif isinstance(field, QCheckBox) and isinstance(entry, bool):
        field.setChecked(entry)
    elif isinstance(field, QPlainTextEdit) and isinstance(entry, str):
        field.setPlainText(entry)
    elif isinstance(field, QLineEdit) and isinstance(entry, str):
        field.setText(entry)
    elif isinstance(field, PlotsButton) and isinstance(entry, list):
        field.set_chosen([i for i in cast("list[object]", entry) if isinstance(i, int)])
