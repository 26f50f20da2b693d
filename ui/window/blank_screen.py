"""Black screen over the window, which directs attention to the speaker."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QWidget


class BlankScreen(QObject):
    """Black cover over a window and its panels that are windows of their own. A click or a key removes it."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.covers: list[QFrame] = []

    @property
    def is_on(self) -> bool:
        """Whether the screen is black."""
        return bool(self.covers)

    def show_black(self) -> None:
        """Cover the window."""
        self.restore()
        self.covers = [_Cover(window, self) for window in self._windows()]

    def restore(self) -> None:
        """Uncover the window."""
        covers, self.covers = self.covers, []
        for cover in covers:
            cover.hide()
            cover.deleteLater()

    def _windows(self) -> Iterable[QWidget]:
        yield self._window
        yield from (dock for dock in self._window.findChildren(QDockWidget) if dock.isFloating() and dock.isVisible())


class _Cover(QFrame):
    """Cover of one window, which follows its size and hides the pointer."""

    def __init__(self, over: QWidget, screen: BlankScreen) -> None:
        super().__init__(over)
        self._screen = screen
        self.setStyleSheet("background: black")
        self.setAccessibleName("blank screen")
        self.setCursor(Qt.CursorShape.BlankCursor)
        over.installEventFilter(self)
        self.setGeometry(over.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._screen.restore()
