"""Editors of several numbers, expressions, quantities or texts: vectors, quaternions, matrices, columns."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from framescope.core.errors import ExpressionError, KeyPath
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.time_functions.expressions import parse_expression
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.editor import Editor, EditorContext, label_of
from framescope.ui.panels.inspector.editors.fields import Field, dimension_of, units_of
from framescope.ui.panels.inspector.editors.unit_conversion import convert_value, in_unit
from framescope.ui.panels.inspector.editors.value_field import SignalField, ValueField, shown_number
from framescope.ui.qt_support.replace_widget import swap
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

Size = tuple[int, ...]
_NO_SIZE: Size = ()


class CellsEditor(Editor):
    """Cells below a label, with a unit and, if there are several, a choice of shapes."""

    is_wide = True

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.cells: dict[tuple[int, ...], ValueField | QLineEdit] = {}
        self.value_labels: dict[tuple[int, ...], QLabel] = {}
        self._size: Size | None = None
        self._letters = "αβγ" if field.key == "angles" else "xyz"
        self._holder = QWidget()
        head = QHBoxLayout()
        # Added while empty: PySide keeps the items of a layout that is added full, and a form removes the unit later.
        self.column.addLayout(head)
        head.setSpacing(METRICS.inner)
        self.label = label_of(field.label, field.help)
        head.addWidget(self.label, 1)
        self.shape = Combo(f"{field.label}, how it is given")
        self._shapes = {shape.size: shape for shape in field.shapes}
        choices = [(shape.word if len(self._shapes) > 1 else "given", size) for size, shape in self._shapes.items()]
        self.shape.set_choices(([(field.absent, _NO_SIZE)] if field.is_optional else []) + choices)
        self.shape.setMinimumWidth(96)
        self.shape.chosen.connect(self._on_shape)
        if len(self.shape.choices) < 2:
            self.shape.hide()
        head.addWidget(self.shape)
        self._dimension = self._dimension_of()
        self.unit = Combo(f"unit of {field.label}")
        self._units = tuple((unit_text(unit), unit) for unit in units_of(self._dimension))
        self.unit.set_choices(self._units)
        self.unit.be_unit()
        self.unit.chosen.connect(self._on_unit)
        if not self._dimension:
            self.unit.hide()
        head.addWidget(self.unit)
        self.column.addWidget(self._holder)

    def display(self, value: Any, *, is_other: bool) -> None:
        size = size_of(value)
        if size != self._size:
            self._build(size)
            is_other = True
        self.shape.show_data(size)
        if self._dimension and self.context is not None:
            self.unit.set_choices(self._units)
            self.unit.show_data(self._unit(value))
        for place, cell in self.cells.items():
            cell_value = _at(value, place)
            if isinstance(cell, ValueField):
                cell.set_quantity(self._unit(value) or "" if self._dimension else "", self._dimension)
            if isinstance(cell, SignalField):
                cell.parameters = self.context.scene.parameters if self.context is not None else {}
                cell.show_signal(cell_value, is_other=is_other)
            elif isinstance(cell, ValueField):
                number = cell_value.value if isinstance(cell_value, Quantity) else cell_value
                cell.reset(number) if is_other else cell.set_value(number)
            elif is_other or not cell.isModified():
                cell.setText(cell_value)
                cell.setModified(False)
        if self.context is not None:
            self.show_time(self.context)

    def field_of(self, path: KeyPath) -> QWidget | None:
        if self.field.unit_key and path == (*self.path[:-1], self.field.unit_key):
            return self.unit
        if path[: len(self.path)] != self.path:
            return None
        rest = path[len(self.path) :]
        cells = [cell for place, cell in self.cells.items() if place[: len(rest)] == rest]
        return next((cell for cell in cells if not cell.text()), next(iter(cells), None))

    def show_time(self, context: EditorContext) -> None:
        super().show_time(context)
        for place, label in self.value_labels.items():
            cell = self.cells[place]
            if isinstance(cell, SignalField) and not cell.isModified():
                text = self._moment(cell.expression, context)
                label.setVisible(bool(text))
                if text != label.text():
                    label.setText(text)

    # Building

    def _build(self, size: Size) -> None:
        self._size = size
        self.cells, self.value_labels = {}, {}
        holder = QWidget()
        grid = layouts.grid(on=holder, margins=0, spacing=(METRICS.inner, 2))
        for place in _places(size):
            row, column = (0, *place) if len(place) == 1 else place
            cell = self._cell(place, len(size) and size[-1])
            self.cells[place] = cell
            if self.field.cell == "signal":
                now = label_of("", role="caption")
                now.setTextFormat(Qt.TextFormat.PlainText)
                now.setAlignment(Qt.AlignmentFlag.AlignRight)
                now.hide()
                self.value_labels[place] = now
                grid.addWidget(cell, 2 * column, 0)
                grid.addWidget(now, 2 * column + 1, 0)
            else:
                grid.addWidget(cell, row, column)
                grid.setColumnStretch(column, 1)
        swap(self.column, self._holder, holder)
        self._holder = holder
        holder.setVisible(bool(size))

    def _cell(self, place: tuple[int, ...], n_columns: int) -> ValueField | QLineEdit:
        is_vector = self._size == (3,)
        letter = self._letters[place[-1]] if is_vector else ""
        name = " ".join(filter(None, [self.field.label, letter or "".join(f" {i + 1}" for i in place)]))
        if self.field.cell == "text":
            line = QLineEdit()
            line.editingFinished.connect(lambda: self._on_text(place, line))
            line.setAccessibleName(name)
            return line
        if self.field.cell == "signal":
            cell = SignalField(prefix=letter, axis=place[-1] if is_vector and self._letters == "xyz" else None)
            cell.expression_committed.connect(lambda text: self._on_value(place, text, is_final=True))
            cell.textEdited.connect(lambda _text: self._on_typed(place))
        else:
            cell = ValueField(prefix=letter, axis=place[-1] if is_vector and self._letters == "xyz" else None)
        cell.setAccessibleName(name)
        cell.setToolTip(self.field.help)
        cell.previewed.connect(lambda value: self._on_value(place, value, is_final=False))
        cell.committed.connect(lambda value: self._on_value(place, value, is_final=True))
        cell.cancelled.connect(self.cancel_gesture)
        cell.message.connect(self.show_message)
        cell.emptied.connect(lambda: self.show_message("It cannot be empty: 0 is a number too."))
        if n_columns > 3:
            cell.setMinimumWidth(30)
        return cell

    # Actions of the user

    def _on_value(self, place: tuple[int, ...], value: float | str, *, is_final: bool) -> None:
        if self.context is None:
            return
        authored = value_at(self.context.scene, self.path)
        old = _at(authored, place)
        new = Quantity(float(value), old.unit) if isinstance(old, Quantity) else value
        shown = value if isinstance(value, str) else shown_number(value)
        letter = f"{self._letters[place[0]]} " if self._size == (3,) else ""
        if not self.edit(_put(authored, place, new), shown=letter + shown, is_final=is_final):
            cell = self.cells[place]
            if isinstance(cell, ValueField):
                cell.mark(self.message)

    def _on_text(self, place: tuple[int, ...], line: QLineEdit) -> None:
        if self.context is not None and line.isModified():
            line.setModified(False)
            authored = value_at(self.context.scene, self.path)
            row, column = (0, *place)[-2:]
            flat = row * 3 + column
            self.edit((*authored[:flat], line.text(), *authored[flat + 1 :]), shown=line.text())

    def _on_typed(self, place: tuple[int, ...]) -> None:
        """Show below the cell, while the user types, the value of the text or its error."""
        cell, label = self.cells[place], self.value_labels[place]
        if isinstance(cell, SignalField) and self.context is not None:
            error = cell.find_problem()
            label.setText(error or self._moment(cell.typed_signal(), self.context))
            label.setWordWrap(bool(error))
            label.setVisible(bool(label.text()) and not self.message)

    def _on_shape(self, size: Size) -> None:
        if self.context is None:
            return
        if not size:
            self.leave_out()
            return
        self.edit(_reshape(value_at(self.context.scene, self.path), size, self.field), shown=self._shapes[size].word)

    def _on_unit(self, unit: str) -> None:
        if self.context is None:
            return
        value = value_at(self.context.scene, self.path)
        if self.field.cell == "quantity":
            parts = value if isinstance(value, tuple) else (value,)
            new = tuple(in_unit(part, unit, self._dimension) for part in parts)
            self.edit(new if isinstance(value, tuple) else new[0], shown=unit_text(unit))
            return
        unit_path: KeyPath = (*self.path[:-1], self.field.unit_key)
        changed = convert_value(value, value_at(self.context.scene, unit_path), unit, self._dimension)
        self.edit_all({self.path: changed, unit_path: unit}, shown=unit_text(unit))

    # Texts

    def _dimension_of(self) -> str:
        key = self.field.key if self.field.cell == "quantity" else self.field.unit_key
        return dimension_of(self.field.owner, key) if key else ""

    def _unit(self, value: Any) -> str | None:
        if self.field.cell == "quantity":
            return (value[0] if isinstance(value, tuple) else value).unit
        return None if self.context is None else value_at(self.context.scene, (*self.path[:-1], self.field.unit_key))

    def _moment(self, text: str | None, context: EditorContext) -> str:
        """Return the current value of an expression, and its rate, as text."""
        if not text:
            return ""
        try:
            jet = parse_expression(text, context.scene.parameters).jet(context.t)
        except ExpressionError as error:
            return str(error)
        unit = unit_text(str(self.unit.data or "")) if self._dimension else ""
        gap = "" if unit.startswith("°") else " "
        rate = f"{unit}/s" if not unit.endswith("/s") else f"{unit}²"
        decimals = 2 if unit.startswith("°") else 4
        value, speed = number_text.fixed(float(jet.f), decimals), number_text.fixed(float(jet.d), decimals)
        return f"now {value}{gap}{unit}, {speed}{gap}{rate}"


def size_of(value: Any) -> Size:
    """Return the shape of a value: ``()`` for None, ``(1,)`` for a number, ``(3, 3)`` for a matrix."""
    if value is None:
        return _NO_SIZE
    if not isinstance(value, tuple):
        return (1,)
    if isinstance(value[0], tuple):
        return (len(value), len(value[0]))
    return (3, 3) if len(value) == 9 else (len(value),)


def _places(size: Size) -> list[tuple[int, ...]]:
    if not size:
        return []
    if len(size) == 1:
        return [(i,) for i in range(size[0])]
    return [(i, j) for i in range(size[0]) for j in range(size[1])]


def _at(value: Any, place: tuple[int, ...]) -> Any:
    if not isinstance(value, tuple):
        return value
    if len(place) > 1 and not isinstance(value[0], tuple):
        return value[place[0] * 3 + place[1]]
    for i in place:
        value = value[i]
    return value


def _put(value: Any, place: tuple[int, ...], new: Any) -> Any:
    if not isinstance(value, tuple):
        return new
    i, *rest = place
    inner = _put(value[i], tuple(rest), new) if rest else new
    return (*value[:i], inner, *value[i + 1 :])


def _reshape(value: Any, size: Size, field: Field) -> Any:
    """Convert a value to another shape, with the same meaning where possible: a diagonal, or equal components."""
    zero: Any = Quantity(0.0, field.units[0]) if field.cell == "quantity" else 0.0
    before = size_of(value)
    if not before:
        return tuple(zero for _ in range(size[0]))
    if size == (1,):
        return value[0]
    if before == (1,):
        return tuple(value for _ in range(size[0]))
    if len(size) > len(before):
        return tuple(tuple(value[i] if i == j else zero for j in range(size[1])) for i in range(size[0]))
    return tuple(value[i][i] for i in range(size[0]))
