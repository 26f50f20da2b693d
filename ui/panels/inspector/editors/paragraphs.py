"""Editors of several lines: a text that the scene shows while it is typed, and names, one per line."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from framescope.ui.panels.inspector.editors.choices import tip_of
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS

RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CHANGED_BY_QT = set("\n\r\0\u00a0\u2028\u2029")
"""Characters that Qt's text box replaces by others."""

REST_MS = 120
"""Delay between typing and the preview in the scene, ms."""


class ParagraphEditor(Editor):
    """Editor of a text of several lines. Leaving it or Ctrl+Return commits it, Escape restores it."""

    is_previewed = True
    """Whether the scene shows the text while the user types."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = _Box(field.lines)
        self.box.setAccessibleName(field.label)
        self.box.setToolTip(tip_of(field))
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(lambda: self.edit(self.value_of(self.box.toPlainText()), is_final=False))
        if self.is_previewed:
            self.box.textChanged.connect(self._rest.start)
        self.box.finished.connect(self._on_finished)
        self.box.given_up.connect(self._on_cancelled)
        self.column.addWidget(self.box)

    def display(self, value: Any, *, is_other: bool) -> None:
        text = self.text_of(value)
        if (is_other or not self.box.hasFocus()) and text != self.box.toPlainText():
            self._rest.stop()
            with QSignalBlocker(self.box):
                self.box.setPlainText(text)
            self.box.kept = text

    def text_of(self, value: Any) -> str:
        """Return the text of a value."""
        return value or ""

    def value_of(self, text: str) -> Any:
        """Return the value of a text."""
        return text

    def short_text(self, text: str) -> str:
        """Return the part of a text that the status line shows."""
        return text.partition("\n")[0]

    def _on_finished(self) -> None:
        self._rest.stop()
        text = self.box.toPlainText()
        if text != self.box.kept and self.edit(self.value_of(text), shown=self.short_text(text)):
            self.box.kept = text

    def _on_cancelled(self) -> None:
        self._rest.stop()
        self.cancel_gesture()


class LinesEditor(ParagraphEditor):
    """Editor of names or other texts, one per line. Empty lines are ignored."""

    is_previewed = False  # half a name of a column is useless

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box.setPlaceholderText("one per line")

    def display(self, value: Any, *, is_other: bool) -> None:
        super().display(value, is_other=is_other)
        can_edit = all(text and not CHANGED_BY_QT & set(text) for text in value or ())
        self.box.setReadOnly(not can_edit)
        if not can_edit:
            self.show_message("One of these is empty, or has a line break or a no-break space. Change it in the file.")

    def text_of(self, value: Any) -> str:
        return "\n".join(value or ())

    def value_of(self, text: str) -> tuple[str, ...]:
        return tuple(line for line in text.split("\n") if line)

    def short_text(self, text: str) -> str:
        return ", ".join(self.value_of(text))


class _Box(QPlainTextEdit):
    finished = Signal()
    given_up = Signal()

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.kept = ""
        """Text of the scene before editing."""
        self.setFont(fonts.text(METRICS.base))
        self.setTabChangesFocus(True)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2 * METRICS.gap)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_changed = self.toPlainText() != self.kept
        if event.key() == Qt.Key.Key_Escape and is_changed:
            self.given_up.emit()
        elif (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.kept = self.toPlainText()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finished.emit()
