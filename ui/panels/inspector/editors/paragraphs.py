"""Editor of a text of several lines: seen in the scene while it is typed, kept when it is left."""

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

LINES = 4
RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
REST_MS = 120
"""So long nothing was typed when the scene shows what there is so far."""


class ParagraphEditor(Editor):
    """A text of several lines; leaving it or Ctrl Return keeps it, Escape restores it."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = _Box()
        self.box.setAccessibleName(field.label)
        self.box.setToolTip(tip_of(field))
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(lambda: self.edit(self.box.toPlainText(), is_final=False))
        self.box.textChanged.connect(self._rest.start)
        self.box.finished.connect(self._on_finished)
        self.box.given_up.connect(self._on_given_up)
        self.column.addWidget(self.box)

    def show_found(self, value: Any, *, is_other: bool) -> None:
        text = value or ""
        if (is_other or not self.box.hasFocus()) and text != self.box.toPlainText():
            self._rest.stop()
            with QSignalBlocker(self.box):
                self.box.setPlainText(text)
            self.box.kept = text

    def _on_finished(self) -> None:
        self._rest.stop()
        text = self.box.toPlainText()
        if text != self.box.kept and self.edit(text, shown=text.partition("\n")[0]):
            self.box.kept = text

    def _on_given_up(self) -> None:
        self._rest.stop()
        self.give_up()


class _Box(QPlainTextEdit):
    finished = Signal()
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kept = ""
        """The text of the scene when this began."""
        self.setFont(fonts.text(METRICS.base))
        self.setTabChangesFocus(True)
        self.setFixedHeight(LINES * self.fontMetrics().lineSpacing() + 2 * METRICS.gap)

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
