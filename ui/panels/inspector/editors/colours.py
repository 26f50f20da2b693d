"""Editor of a colour: swatches of the theme, and a field for #rrggbb."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.text_line import TextLine

_ROLES = {"neutral": "quiet", "own": "text", "frame": "frame_a", "x": "axis_x", "y": "axis_y", "z": "axis_z"}
_NAMES = {
    "neutral": "neutral",
    "own": "those in the file of its mesh",
    "frame": "that of frames",
    "x": "of the x axis",
    "y": "of y",
    "z": "of z",
}
_SIZE = 22


class ColourEditor(Editor):
    """Swatches of the theme, and a field for any other colour."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.swatches = {word: _Swatch(word) for word in _ROLES}
        self.line = TextLine()
        self.line.setAccessibleName(f"{field.label}, any other")
        self.line.setPlaceholderText("#rrggbb")
        self.line.setToolTip(field.help)
        self.line.setFont(fonts.number())
        self.line.setMinimumWidth(20)
        self.line.editingFinished.connect(self._on_typed)
        self.line.given_up.connect(self.show_again)
        row = layouts.row(spacing=0)
        for word, swatch in self.swatches.items():
            swatch.clicked.connect(lambda _is_checked=False, word=word: self._on_picked(word))
            row.addWidget(swatch)
        row.addStretch(1)
        self.column.addLayout(row)
        self.column.addWidget(self.line)

    def display(self, value: Any, *, is_other: bool) -> None:
        for word, swatch in self.swatches.items():
            swatch.setChecked(word == value)
        if is_other or not self.line.isModified():
            self.line.setText(value if value.startswith("#") else "")
            self.line.setModified(False)

    def _on_picked(self, word: str) -> None:
        self.line.setModified(False)
        self.edit(word, shown=word)
        self.show_again()

    def _on_typed(self) -> None:
        text = self.line.text().strip()
        if not self.line.isModified():
            return
        if not text:
            self.show_again()
            return
        if self.edit(text if text.startswith("#") else f"#{text}", shown=text):
            self.line.setModified(False)


class _Swatch(QToolButton):
    """Button with a colour of the theme."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._role = _ROLES[word]
        self.setCheckable(True)
        self.setFixedSize(QSize(_SIZE, _SIZE))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(_NAMES[word])
        self.setAccessibleName(f"colour {_NAMES[word]}")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        if self.isChecked() or self.hasFocus():
            pen = current_theme.qcolor("accent" if self.hasFocus() else "text")
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRectF(1.5, 1.5, _SIZE - 3, _SIZE - 3))
        painters.fill_with(painter, self._role)
        inset = METRICS.inner
        painter.drawEllipse(QRectF(inset, inset, _SIZE - 2 * inset, _SIZE - 2 * inset))
