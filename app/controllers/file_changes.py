"""Question whether to write changed files, with their changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGridLayout, QMessageBox, QSpacerItem, QTextEdit, QWidget

from framescope.app.session.file_change import FileChange
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import fonts

_WIDEST_BOX, _BESIDE_BOX = 1000, 480
"""Largest width of a message box, and its least distance from the width of the screen, as Qt limits it, px."""

_BESIDE_TEXT = 40
"""Room for frame and scroll bar beside the lines, logical pixels."""

_MOST_LINES = 16
"""Largest number of lines that are shown at once."""


def may_write_files(parent: QWidget, title: str, changes: Sequence[FileChange], text: str) -> bool:
    """Show the changed lines of files, and ask whether to write them. Return the answer.

    `text` describes the changes in one sentence.
    """
    buttons = QMessageBox.StandardButton
    files = " and ".join(change.path.name for change in changes)
    question = literal_text(f"Write into {files}?")
    box = QMessageBox(QMessageBox.Icon.Question, f"{title} — Framescope", question, parent=parent)
    box.setInformativeText(literal_text(text))
    box.setDetailedText("\n".join(change.diff for change in changes))
    _show_lines_whole(box, min(parent.screen().size().width() - _BESIDE_BOX, _WIDEST_BOX) - _BESIDE_TEXT)
    box.setStandardButtons(buttons.Save | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    return box.exec() == buttons.Save


def _show_lines_whole(box: QMessageBox, widest: int) -> None:
    """Show the details of a box as code without wrapped lines, in a box as wide as the longest line or `widest`, px."""
    font, layout = fonts.number(), box.layout()
    lines = box.detailedText().splitlines()
    longest = max((fonts.width(font, line) for line in lines), default=0.0)
    height = (min(len(lines), _MOST_LINES) + 2) * round(QFontMetricsF(font).lineSpacing())
    width = min(round(longest) + _BESIDE_TEXT, widest)
    for details in box.findChildren(QTextEdit):
        details.setStyleSheet(f'font-family: "{font.family()}"; font-size: {font.pixelSize()}px')
        details.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        details.setMinimumWidth(width)
        details.setFixedHeight(height)
    if isinstance(layout, QGridLayout):  # wide from the start, since it would grow beyond the screen
        layout.addItem(QSpacerItem(width, 0), layout.rowCount(), 0, 1, layout.columnCount())
