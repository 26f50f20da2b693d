"""Fields of the export form, and parsers for their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from framescope.ui.exports.options import Ask
from framescope.ui.formatting import number_text
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox

FIELD_WIDTH = 76
LABEL_WIDTH = 104
"""Width of a narrow field and of the labels, logical pixels."""

_ROWS = 2
"""Height of a field for several lines, rows of text."""


def choice_box(name: str, entries: Iterable[tuple[str, object]]) -> QComboBox:
    """Return a combo box of texts, each with its value."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    for text, value in entries:
        box.addItem(text, value)
    return box


def number_box(name: str, entries: Iterable[str]) -> QComboBox:
    """Return a number field with a list of common values."""
    box = QComboBox(editable=True)
    box.setProperty("kind", "number")
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setCompleter(None)  # pyright: ignore[reportArgumentType] - Qt's way to remove the completer
    box.setAccessibleName(name)
    box.addItems(list(entries))
    return box


def choose_value(box: QComboBox, value: object) -> None:
    """Select the entry with a value, or the first one if none has it."""
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
    """Return widgets side by side."""
    holder = QWidget()
    row = layouts.row(on=holder, margins=0, spacing=METRICS.gap)
    for widget in widgets:
        row.addWidget(widget, 1 if is_wide(widget) else 0)
    if not is_wide(widgets[0]):
        row.addStretch(1)
    return holder


def is_wide(widget: QWidget) -> bool:
    """Return whether a widget takes the remaining width: a combo box of texts or a text field."""
    if isinstance(widget, QComboBox):
        return not widget.isEditable()
    return isinstance(widget, QLineEdit) and widget.minimumWidth() != widget.maximumWidth()


def seconds_text(t: float) -> str:
    """Return the text of a time in a field."""
    return f"{t:.6g}"


def whole_number(text: str) -> int:
    """Parse a number of pixels."""
    value = number_text.parse_number(text)
    if not value.is_integer():
        raise ValueError("Pixels are whole numbers.")
    return round(value)


def _whole_turns(text: str) -> int:
    value = number_text.parse_number(text)
    if not value.is_integer() or value == 0.0:
        raise ValueError("The number of orbits is a whole number; negative ones are clockwise from above.")
    return round(value)


@dataclass(frozen=True)
class OptionField:
    """Widget of an option: functions that read and show its value, and the signal of its change."""

    widget: QWidget
    read: Callable[[], Any]
    show: Callable[[Any], None]
    changed: SignalInstance


def field_of(ask: Ask) -> OptionField:
    """Return the field for an option."""
    match ask.kind:
        case "box":
            return box_field(choice_box(ask.name, ask.entries))
        case "numbers":
            box = number_box(ask.name, [f"{words}{ask.unit}" for words, _ in ask.entries])
            box.setMaximumWidth(FIELD_WIDTH + 24)
            factor = 100.0 if ask.unit.strip() == "%" else 1.0

            def read() -> float:
                return number_text.parse_number(box.currentText().strip().rstrip(f"{ask.unit}x ")) / factor

            return OptionField(
                box, read, lambda value: box.setEditText(f"{factor * value:g}{ask.unit}"), box.editTextChanged
            )
        case "seconds":
            return line_field(text_field(ask.name), parse_seconds, seconds_text)
        case "number":
            return line_field(text_field(ask.name), _whole_turns, str)
        case "words":
            line = QLineEdit()
            line.setAccessibleName(ask.name)
            line.setPlaceholderText(ask.hint)
            return line_field(line, str.strip, str)
        case "lines":
            lines = _lines(ask)

            def read_lines() -> tuple[str, ...]:
                # Empty lines stay, because problems refer to line numbers.
                return tuple(lines.toPlainText().rstrip().splitlines())

            return OptionField(lines, read_lines, lambda value: lines.setPlainText("\n".join(value)), lines.textChanged)
        case "tick":
            tick = QCheckBox(ask.name)
            return OptionField(tick, tick.isChecked, tick.setChecked, tick.toggled)


def box_field(box: QComboBox) -> OptionField:
    """Return the option field of a combo box."""
    return OptionField(box, box.currentData, lambda value: choose_value(box, value), box.currentIndexChanged)


def line_field(line: QLineEdit, parse: Callable[[str], Any], text: Callable[[Any], str]) -> OptionField:
    """Return the option field of a line edit."""
    return OptionField(line, lambda: parse(line.text()), lambda value: line.setText(text(value)), line.textEdited)


def _lines(ask: Ask) -> QPlainTextEdit:
    lines = QPlainTextEdit(tabChangesFocus=True)
    lines.setAccessibleName(ask.name)
    lines.setPlaceholderText(ask.hint)
    lines.setToolTip(ask.tip)
    lines.setFixedHeight(_ROWS * lines.fontMetrics().lineSpacing() + 2 * METRICS.gap)
    return lines
