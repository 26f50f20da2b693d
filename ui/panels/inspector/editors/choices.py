"""Editors of a word, a name or a switch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QWidget

from framescope.core.errors import KeyPath, did_you_mean
from framescope.core.scene.edits.answers import resolving_frame, with_resolving_frame
from framescope.core.scene.edits.fields import value_at
from framescope.core.scene.schema.model import ITEM_WORDS, WORLD
from framescope.core.scene.schema.sensors import AbsoluteSensor, RelativeSensor
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
from framescope.ui.widgets.name_field import NameField, Names
from framescope.ui.widgets.text_line import TextLine
from framescope.ui.widgets.word_completer import WordCompleter

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
        self.combo.show_data(value or None)

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
        self._names = _ItemNames(field, self)
        self.combo = NameField(self._names, field.label, has_icon=False)
        self.combo.setProperty("kind", "field")
        self.combo.line.setTextMargins(-_LINE_EDGE, 0, 0, 0)  # aligned with the text of other boxes
        self.combo.setMinimumContentsLength(3)
        self.combo.hint = tip_of(field)
        self.combo.chosen.connect(self._on_chosen)
        self.combo.refused.connect(self.show_message)
        self.column.addWidget(self.combo)

    def display(self, value: Any, *, is_other: bool) -> None:
        carried = self._carried()
        self._names.carried = carried
        names = [name for name in self._known_names() if name not in carried]
        self._names.set_names([self.field.absent, *names] if self.field.is_optional else names)
        shown = value or self.field.absent
        if is_other:
            self.combo.reset_name(shown)
        else:
            self.combo.set_name(shown)
        if not self.combo.is_pending:
            is_missing = bool(value) and value not in names
            self.combo.mark(is_missing)
            self.show_message(f'There is no {self._names.noun} "{value}".' if is_missing else "")

    def _known_names(self) -> list[str]:
        if self.context is None:
            return []
        scene = self.context.scene
        kinds = self.field.references
        names = ["world"] if "world" in kinds else []
        for kind in kinds:
            if kind != "world":
                names += list(getattr(scene, kind))
        return names

    def _carried(self) -> set[str]:
        """Return the frames that cannot be the parent of this one: itself, and those that it carries."""
        is_parent = self.field.owner.__name__ == "Frame" and self.field.key == "parent"
        return _below(self.context.scene.frames, str(self.path[1])) if is_parent and self.context is not None else set()

    def _on_chosen(self, name: str) -> None:
        if self.field.is_optional and name == self.field.absent:
            self.leave_out()
        else:
            self.edit(name, shown=name)


class AxesEditor(NameEditor):
    """Editor of the frame in whose axes a sensor gives its components: always a name, as in a question."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(replace(field, is_optional=False), parent)

    def display(self, value: Any, *, is_other: bool) -> None:
        sensor = self._sensor()
        super().display(value if sensor is None else resolving_frame(sensor), is_other=is_other)

    def _sensor(self) -> AbsoluteSensor | RelativeSensor | None:
        sensor = None if self.context is None else value_at(self.context.scene, self.path[:-1])
        return sensor if isinstance(sensor, AbsoluteSensor | RelativeSensor) else None

    def _on_chosen(self, name: str) -> None:
        sensor = self._sensor()
        if sensor is not None:
            self.edit(with_resolving_frame(sensor, name), path=self.path[:-1], shown=name)


class _ItemNames(Names):
    """Names of the items that a field may refer to."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(parent)
        self.noun = ITEM_WORDS.get(field.references[-1], "item")
        self.carried = set[str]()
        """Frames that cannot be the parent that is chosen: the frame itself, and those that it carries."""
        self._absent = field.absent if field.is_optional else None
        self._icon = {"frames": "axis-3d", "bodies": "box", "points": "crosshair"}.get(field.references[-1], "")

    def icon_of(self, name: str) -> str:
        return "globe" if name == WORLD else self._icon

    def row_for(self, text: str, *, takes_first: bool = False) -> str | None:
        return super().row_for(text, takes_first=takes_first) if text else self._absent

    def refusal(self, text: str) -> str:
        if self.offers(text):
            return super().refusal(text)
        if text in self.carried:
            return f"The frames would form a loop: {text} is this frame, or carried by it."
        return f'There is no {self.noun} "{text}". {did_you_mean(text, list(self.names))}'.strip()


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
        self._completer: WordCompleter | None = None
        self.column.addWidget(self.line)

    def display(self, value: Any, *, is_other: bool) -> None:
        suggestions = () if self.context is None else self.context.suggestions_for(self.field)
        if suggestions and self._completer is None:
            self._completer = WordCompleter(self.line)
        if self._completer is not None:
            self._completer.set_words(suggestions)
        if is_other or not self.line.isModified():
            text = shown_number(value) if isinstance(value, float) else "" if value is None else str(value)
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
