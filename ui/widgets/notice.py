"""Sentence over a widget that disappears after some seconds."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget

SHOWN_MS = 4000
"""Time for which the sentence is shown, ms."""

BELOW = 24
"""Distance from the lower edge of the widget, logical pixels."""


class Notice(QLabel):
    """Sentence at the bottom of a widget, off its title, which the mouse passes through."""

    def __init__(self, text: str, over: QWidget) -> None:
        super().__init__(text, over)
        self.setProperty("role", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._over = over
        self._end = QTimer(self, interval=SHOWN_MS, singleShot=True)
        self._end.timeout.connect(self.hide)
        over.installEventFilter(self)

    def show_text(self, text: str) -> None:
        """Show another sentence for some seconds; none if it is empty."""
        self.setText(text)
        self.show_for_a_while(bool(text))

    def show_for_a_while(self, is_wanted: bool = True) -> None:
        """Show the sentence for some seconds, or hide it at once."""
        self.setVisible(is_wanted)
        if is_wanted:
            self._place()
            self._end.start()
        else:
            self._end.stop()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(self, "_over"):
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.ensurePolished()
        self.adjustSize()
        self.move((self._over.width() - self.width()) // 2, self._over.height() - self.height() - BELOW)
        self.raise_()
