"""Fields of the export form: how they are made, and what a text in one of them is read as."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox

FIELD_WIDTH = 76
LABEL_WIDTH = 104
"""Of a narrow field and of the words before the fields, logical pixels."""


def choice_box(name: str, entries: Iterable[tuple[str, object]]) -> QComboBox:
    """Return a box of words to choose from, each with its value."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    for text, value in entries:
        box.addItem(text, value)
    return box


def number_box(name: str, entries: Iterable[str]) -> QComboBox:
    """Return a field for a number with usual ones to choose from."""
    box = QComboBox(editable=True)
    box.setProperty("kind", "number")
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setCompleter(None)  # pyright: ignore[reportArgumentType] - Qt's way to have none
    box.setAccessibleName(name)
    box.addItems(list(entries))
    return box


def choose_value(box: QComboBox, value: object) -> None:
    """Choose the entry with a value, the first where none has it."""
    box.setCurrentIndex(max(box.findData(value), 0))


def text_field(name: str) -> QLineEdit:
    """Return a narrow field for a number."""
    field = QLineEdit()
    field.setProperty("kind", "number")
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    field.setFixedWidth(FIELD_WIDTH)
    field.setAccessibleName(name)
    return field


def row_of(*widgets: QWidget) -> QWidget:
    """Return some widgets beside each other."""
    holder = QWidget()
    row = layouts.row(on=holder, margins=0, spacing=METRICS.gap)
    for widget in widgets:
        row.addWidget(widget, 1 if is_wide(widget) else 0)
    if not is_wide(widgets[0]):
        row.addStretch(1)
    return holder


def is_wide(widget: QWidget) -> bool:
    """Return whether a widget takes what room there is: a box with words, or a field for them."""
    if isinstance(widget, QComboBox):
        return not widget.isEditable()
    return isinstance(widget, QLineEdit) and widget.minimumWidth() != widget.maximumWidth()


def read_field(name: str, field: QLineEdit | None, parse: Callable[[str], float]) -> float:
    """Return what a field says; a `ValueError` names the field and the reason."""
    try:
        return parse("" if field is None else field.text())
    except ValueError as error:
        raise ValueError(name, str(error)) from None


def speed_of(text: str) -> float:
    """Return a speed, such as ``2×``."""
    return number_text.parse_number(text.strip().rstrip("×x"))


def share_of(text: str) -> float:
    """Return a part of one, given in per cent."""
    return number_text.parse_number(text.strip().rstrip("%")) / 100.0


def whole_number(text: str) -> float:
    """Return a number of pixels."""
    value = number_text.parse_number(text)
    if not value.is_integer():
        raise ValueError("Pixels are whole numbers.")
    return value


def whole_turns(text: str) -> float:
    """Return a number of turns of the camera."""
    value = number_text.parse_number(text)
    if not value.is_integer() or value == 0.0:
        raise ValueError("It goes round a whole number of times; negative ones are clockwise from above.")
    return value


def seconds_text(t: float) -> str:
    """Return a time as a field shows it."""
    return f"{t:.6g}"
