"""The log in the window: filtered by level, copied, and saved as a bug report."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QGuiApplication, QTextCharFormat
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPlainTextEdit, QWidget

from framescope.core.errors import counted
from framescope.ui.help.log_lines import LEVELS, LogLine
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox

KEPT = 2000
_COLORS = {"debug": "quiet", "info": "text", "warning": "amber", "error": "red"}
_TEXTS = ("Everything", "Notes, warnings and errors", "Warnings and errors", "Errors only")


class LogView(QWidget):
    """Shows the lines of the log, newest last.

    Signals
    -------
    bundle_requested(bool, bool)
        Request to save a bug report: whether with the scene, and whether with a picture of the window.
    """

    bundle_requested = Signal(bool, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setProperty("helpTopic", "window.md#the-log")
        self._lines: deque[LogLine] = deque(maxlen=KEPT)
        self.level = ChoiceBox()
        self.level.addItems(_TEXTS)
        self.level.setCurrentIndex(1)
        self.level.setAccessibleName("which lines are shown")
        self.level.currentIndexChanged.connect(self._show_again)
        self.count = layouts.label("", "quiet")
        self.copy = push_button("Copy", "copy", clicked=self._copy)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName("log")
        self.text.setFont(fonts.number())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setMaximumBlockCount(4 * KEPT)
        self.with_scene = QCheckBox("with the scene")
        self.with_picture = QCheckBox("with a picture of the window")
        self.save = push_button("Save a bug report…", "save")
        self.save.clicked.connect(
            lambda: self.bundle_requested.emit(self.with_scene.isChecked(), self.with_picture.isChecked())
        )
        layouts.column(
            _row(self.level, self.count, None, self.copy),
            (self.text, 1),
            _row(self.with_scene, self.with_picture, None, self.save),
            on=self,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        self._show_count()

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        """Replace all lines."""
        self._lines = deque(lines, maxlen=KEPT)
        self._show_again()

    def add(self, line: LogLine) -> None:
        """Append a line."""
        self._lines.append(line)
        if self._is_shown(line):
            self._append((line,))
        self._show_count()

    def visible_lines(self) -> tuple[LogLine, ...]:
        """Return the lines that pass the filter."""
        return tuple(line for line in self._lines if self._is_shown(line))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "text"):
            self._show_again()
        super().changeEvent(event)

    def _is_shown(self, line: LogLine) -> bool:
        return LEVELS.index(line.level) >= self.level.currentIndex()

    def _show_again(self) -> None:
        self.text.clear()
        self._append(self.visible_lines())
        self._show_count()

    def _append(self, lines: Iterable[LogLine]) -> None:
        bar = self.text.verticalScrollBar()
        is_at_end = bar.value() >= bar.maximum() - 2
        cursor = self.text.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        # Insert lines of one colour together. Inserting a full log line by line took 0.2 s.
        cursor.beginEditBlock()
        for level, alike in groupby(lines, attrgetter("level")):
            if not self.text.document().isEmpty():
                cursor.insertBlock()
            look = QTextCharFormat()
            look.setForeground(current_theme.qcolor(_COLORS[level]))
            cursor.insertText("\n".join(map(str, alike)), look)
        cursor.endEditBlock()
        if is_at_end:
            bar.setValue(bar.maximum())

    def _show_count(self) -> None:
        n_shown, n_all = len(self.visible_lines()), len(self._lines)
        self.count.setText("Nothing is logged yet" if not n_all else f"{n_shown:,} of {counted(n_all, 'line')}")
        self.copy.setEnabled(n_shown > 0)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(map(str, self.visible_lines())))


def _row(*parts: QWidget | None) -> QHBoxLayout:
    """Return widgets in a row. None becomes a stretch."""
    row = layouts.row(spacing=METRICS.gap)
    for part in parts:
        if part is None:
            row.addStretch(1)
        else:
            row.addWidget(part)
    return row
