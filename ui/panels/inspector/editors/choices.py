"""Editors of a word, a name or a switch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QCompleter, QWidget

from framescope.core.errors import KeyPath, did_you_mean
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.schema.model import ITEM_WORDS
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.inspector.editors import field_labels
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.panels.inspector.editors.fields import Field, dimension_of, units_of
from framescope.ui.panels.inspector.editors.numbers import tip_of
from framescope.ui.panels.inspector.editors.unit_conversion import convert_value
from framescope.ui.panels.inspector.editors.value_field import shown_number
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.text_line import TextLine

_LINE_EDGE = 2


class ChoiceEditor(Editor):
    """Editor of one of a few words."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.combo = Combo(field.label)
        text = tuple((word_text(word), word) for word in field.choices)
        self._choices = (((field.absent, None), *text)) if field.is_optional else text
        self.combo.set_choices(self._choices)
        self.combo.chosen.connect(self._on_chosen)
        self.column.addWidget(self.combo)

    def display(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
        self.combo.set_choices(self._choices)
        self.combo.show_data(value)

    def _on_chosen(self, word: str | None) -> None:
        if word is None:
            self.leave_out()
        else:
            self.edit(word, shown=word_text(word))


class SwitchEditor(Editor):
    """Editor of yes or no, with a third choice for optional fields."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box: QCheckBox | None = None
        self.combo: Combo | None = None
        if field.is_optional:
            self.combo = Combo(field.label)
            self.combo.set_choices(((field.absent, None), ("shown", True), ("hidden", False)))
            self.combo.chosen.connect(lambda is_on: self.leave_out() if is_on is None else self._on_switched(is_on))
            self.column.addWidget(self.combo)
            return
        self.box = QCheckBox()
        self.box.setAccessibleName(field.label)
        self.box.setToolTip(field.help)
        self.box.setFixedHeight(24)
        self.box.clicked.connect(self._on_switched)
        self.column.addWidget(self.box, 0, Qt.AlignmentFlag.AlignLeft)

    def display(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
        if self.combo is not None:
            self.combo.show_data(value)
        elif self.box is not None:
            with QSignalBlocker(self.box):
                self.box.setChecked(value)

    def _on_switched(self, is_on: bool) -> None:
        self.edit(is_on, shown="yes" if is_on else "no")


class UnitEditor(Editor):
    """Editor of the unit of other numbers in the same model. A change converts them."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.combo = Combo(field.label)
        self.combo.setToolTip(field.help)
        self.combo.chosen.connect(self._on_chosen)
        self.column.addWidget(self.combo)

    def display(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
        self.combo.set_choices([(unit_text(unit), unit) for unit in units_of(self._dimension())])
        self.combo.show_data(value)

    def _dimension(self) -> str:
        dimension = dimension_of(self.field.owner, self.field.key)
        if not dimension and self.context is not None:
            dimension = getattr(value_at(self.context.scene, self.path[:-1]), "form", "")
        return dimension

    def _on_chosen(self, unit: str) -> None:
        if self.context is None:
            return
        owner, scene = self.path[:-1], self.context.scene
        old = value_at(scene, self.path)
        values: dict[KeyPath, object] = {self.path: unit}
        for place in field_labels.SCALES.get(self.field.owner.__name__, ()):
            for path in _places(value_at(scene, owner), owner, place):
                values[path] = convert_value(value_at(scene, path), old, unit, self._dimension())
        self.edit_all(values, shown=unit_text(unit))


class NameEditor(Editor):
    """Editor of the name of another item, typed or chosen. A name without an item is marked."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.combo = _NameCombo(field.label)
        self.combo.setToolTip(tip_of(field))
        self.combo.requested = self._names
        self.combo.picked = self._on_picked
        self.combo.let_go = self.show_again
        self.column.addWidget(self.combo)

    def display(self, value: Any, *, is_other: bool) -> None:
        text = self.field.absent if value is None else value
        if is_other or not self.combo.line.isModified():
            self.combo.show_text(text)
            is_missing = value is not None and value not in self._known_names()
            self._mark(f'There is no {self._what()} "{value}".' if is_missing else "")

    def _known_names(self) -> list[str]:
        if self.context is None:
            return []
        scene = self.context.scene
        kinds = self.field.references
        names = ["world"] if "world" in kinds else []
        for kind in kinds:
            if kind != "world":
                names += list(getattr(scene, kind))
        if self.field.owner.__name__ == "Frame" and self.field.key == "parent":
            own = _below(scene.frames, str(self.path[1]))
            names = [name for name in names if name not in own]
        return names

    def _names(self) -> list[str]:
        return [self.field.absent, *self._known_names()] if self.field.is_optional else self._known_names()

    def _on_picked(self, text: str) -> None:
        text = text.strip()
        current = None if self.context is None else value_at(self.context.scene, self.path)
        names = self._known_names()
        if text in names:
            self._mark("")
            self.combo.line.setModified(False)  # committed: undo belongs to the scene again
            if text != current:
                self.edit(text, shown=text)
        elif self.field.is_optional and text in ("", self.field.absent):
            self._mark("")
            self.combo.line.setModified(False)
            if current is not None:
                self.leave_out()
        elif text != current:
            self._mark(f'There is no {self._what()} "{text}". {did_you_mean(text, names)}'.strip())

    def _what(self) -> str:
        return ITEM_WORDS[self.field.references[-1]]

    def _mark(self, message: str) -> None:
        self.show_message(message)
        line = self.combo.line
        if bool(line.property("invalid")) != bool(message):
            line.setProperty("invalid", bool(message))
            line.style().polish(line)


class TextEditor(Editor):
    """Editor of a text. Escape restores it."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.line = TextLine()
        self.line.setAccessibleName(field.label)
        self.line.setToolTip(tip_of(field))
        self.line.setPlaceholderText(field.absent if field.is_optional else "")
        self.line.editingFinished.connect(self._on_finished)
        self.line.given_up.connect(self.show_again)
        self.column.addWidget(self.line)

    def display(self, value: Any, *, is_other: bool) -> None:
        if is_other or not self.line.isModified():
            text = shown_number(value) if isinstance(value, float) else value or ""
            if text != self.line.text():
                self.line.setText(text)
                self.line.setCursorPosition(0)
            self.line.setModified(False)

    def _on_finished(self) -> None:
        if not self.line.isModified():
            return
        text = self.line.text()
        if not text and (self.field.is_optional or self.field.default is not None):
            self.line.setModified(False)
            self.leave_out()
        elif self.edit(_number_or_text(text) if self.field.takes_numbers else text, shown=text):
            self.line.setModified(False)


class _NameCombo(Combo):
    """Editable combo box whose names are updated when it is opened or edited."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.requested: Callable[[], list[str]] = list
        self.picked: Callable[[str], None] = lambda _text: None
        self.let_go: Callable[[], None] = lambda: None
        self.setEditable(True)
        self.setInsertPolicy(Combo.InsertPolicy.NoInsert)
        line = self.lineEdit()
        assert line is not None  # noqa: S101 - an editable combo box has one
        self.line = line
        self.line.setTextMargins(-_LINE_EDGE, 0, 0, 0)  # aligned with the text of other boxes
        self.line.setAccessibleName(name)
        self.line.editingFinished.connect(self._on_finished)
        self.activated.connect(lambda _index: self._on_activated_text())
        self.line.installEventFilter(self)

    def show_text(self, text: str) -> None:
        """Show a name."""
        if text != self.line.text():
            with QSignalBlocker(self):
                self.setEditText(text)
                self.line.setCursorPosition(0)
        self.line.setModified(False)

    def showPopup(self) -> None:
        self._fill()
        super().showPopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusIn:
            self._fill()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.line.setModified(False)
            self.let_go()
            return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        text, is_modified = self.line.text(), self.line.isModified()
        names = self.requested()
        self.set_choices([(name, name) for name in names])
        completer = QCompleter(names, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.activated.connect(lambda _text: self._on_activated_text())
        self.setCompleter(completer)
        with QSignalBlocker(self):
            if text in names:
                self.setCurrentIndex(names.index(text))
            self.setEditText(text)
        self.line.setModified(is_modified)

    def _on_activated(self, index: int) -> None:
        """Do nothing: `_on_activated_text` handles typed and chosen names alike."""

    def _on_activated_text(self) -> None:
        self.line.setModified(False)
        self.picked(self.line.text())

    def _on_finished(self) -> None:
        if self.line.isModified():
            self.picked(self.line.text())


def _number_or_text(text: str) -> float | str:
    try:
        return number_text.parse_number(text) if text[:1] in "+-.0123456789" else text
    except ValueError:
        return text


def word_text(word: str) -> str:
    """Return the window's text for a word of the file."""
    return field_labels.FORMS.get(word, word)


def _places(owner: Any, path: KeyPath, place: str) -> list[KeyPath]:
    """Return the paths of numbers with a unit: ``value``, or ``keys.position`` of each key."""
    key, _, inner = place.partition(".")
    if not inner:
        return [(*path, key)]
    return [(*path, key, i, inner) for i in range(len(getattr(owner, key)))]


def _below(frames: Any, name: str) -> set[str]:
    """Return a frame and all its descendants."""
    names, is_growing = {name}, True
    while is_growing:
        more = {other for other, frame in frames.items() if frame.parent in names} - names
        names |= more
        is_growing = bool(more)
    return names


class FlagsEditor(Editor):
    """Editor of any of a few words, in the order of the schema."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.boxes: dict[str, QCheckBox] = {}
        for word in field.choices:
            box = QCheckBox(word_text(word))
            box.setAccessibleName(f"{field.label}: {word_text(word)}")
            box.setToolTip(field.help)
            box.setFixedHeight(METRICS.field)
            box.clicked.connect(self._on_clicked)
            self.column.addWidget(box)
            self.boxes[word] = box

    def display(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
        for word, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(word in value)

    def _on_clicked(self) -> None:
        if self.context is None:
            return
        words = tuple(word for word, box in self.boxes.items() if box.isChecked())
        if not words:
            self.leave_out()
        elif words != value_at(self.context.scene, self.path):
            self.edit(words, shown=", ".join(map(word_text, words)))
