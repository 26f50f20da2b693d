"""The editor of several words at once: a box to tick for each."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QWidget

from framescope.core.scene.edits.fields import value_at
from framescope.ui.panels.inspector.editors.choices import word_text
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.theme.tokens import METRICS


class FlagsEditor(Editor):
    """Any of a few words, in the order of the schema."""

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

    def show_found(self, value: Any, *, is_other: bool) -> None:  # noqa: ARG002
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
