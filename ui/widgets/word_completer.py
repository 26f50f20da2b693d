"""Completion of a line of text with whole texts that contain what is typed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

MAX_ROWS = 10


class WordCompleter(QCompleter):
    """Completer of a line that offers the texts that contain the typed one."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._words = QStringListModel(self)
        self.setModel(self._words)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setMaxVisibleItems(MAX_ROWS)
        line.setCompleter(self)

    def set_words(self, words: Sequence[str]) -> None:
        """Offer other texts. Without a change this is cheap."""
        if list(words) != self._words.stringList():
            self._words.setStringList(list(words))
