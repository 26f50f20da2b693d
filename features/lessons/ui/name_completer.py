"""Completion of names and keys while the text of a step is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit

SHORTEST = 2
"""Number of typed characters from which on names are offered."""

SEPARATORS = "\n\t[]{},:\"'`"
"""Characters that end a name; names have spaces."""


class NameCompleter(QObject):
    """Completer of a text: offers the `words` that begin with what stands before the cursor."""

    def __init__(self, text: QPlainTextEdit, words: Callable[[], Iterable[str]]) -> None:
        super().__init__(text)
        self._text, self._words = text, words
        self._model = QStringListModel(self)
        self.completer = QCompleter(self._model, self)
        self.completer.setWidget(text)
        self.popup = QListView()
        self.completer.setPopup(self.popup)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.activated.connect(self._insert)
        text.installEventFilter(self)
        self.popup.installEventFilter(self)
        text.textChanged.connect(self._offer)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the list with Ctrl Space; Tab takes its first name, Down chooses one and Return takes the chosen one."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._offer(shortest=0)
            return True
        if watched is not self.popup or not self.popup.isVisible():
            return False
        chosen, first = self.popup.currentIndex(), self.completer.completionModel().index(0, 0)
        match event.key():
            case Qt.Key.Key_Down if not chosen.isValid():
                self.popup.setCurrentIndex(first)
            case Qt.Key.Key_Tab:
                self._insert(str((chosen if chosen.isValid() else first).data()))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if chosen.isValid():
                self._insert(str(chosen.data()))
            case _:
                return False
        return True

    def prefix(self) -> str:
        """Return the name that is being typed: what stands between the last separator and the cursor."""
        cursor = self._text.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        begin = max((line.rfind(sign) for sign in SEPARATORS), default=-1) + 1
        return line[begin:].lstrip()

    def _offer(self, shortest: int = SHORTEST) -> None:
        prefix = self.prefix()
        if not self._text.hasFocus() or len(prefix) < shortest:
            self.popup.hide()
            return
        words = sorted({word for word in self._words() if word.casefold() != prefix.casefold()}, key=str.casefold)
        self._model.setStringList(words)
        self.completer.setCompletionPrefix(prefix)
        if self.completer.completionCount() == 0:
            self.popup.hide()
            return
        place = self._text.cursorRect()
        place.setWidth(self.popup.sizeHintForColumn(0) + self.popup.verticalScrollBar().sizeHint().width())
        self.completer.complete(place)

    def _insert(self, word: str) -> None:
        cursor = self._text.textCursor()
        n = len(self.prefix())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, n)
        cursor.insertText(word)
        self._text.setTextCursor(cursor)
        self.popup.hide()
