"""Speaker view: a window with the notes of a step, on a second screen if there is one."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, markdown_pages
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.text_page import TextPage

SIZE = 520, 460
LETTERS = 18
"""Font size of the notes, px; large, as speakers read from a distance."""
NO_NOTES = "*No notes for this step.*"
TICK_MS = 1000


class SpeakerView(QWidget):
    """Title and notes of a step, title of the next one, and the time since the lesson began.

    Signals
    -------
    stepped(int)
        The user moves one step forward (1) or back (-1).
    closed()
        The window was closed.
    """

    stepped = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        layouts.lay_ground(self)
        self.resize(*SIZE)
        self.count = layouts.plain_label("", "quiet")
        self.clock = layouts.plain_label("", "quiet")
        self.clock.setAccessibleName("time since the lesson began")
        self.title = layouts.plain_label("", "title", wordWrap=True)
        self.notes = TextPage("notes of the step")
        self.following = layouts.plain_label("", "quiet", wordWrap=True)
        self.back = push_button("Back", clicked=lambda: self.stepped.emit(-1))
        self.next = push_button("Next", kind="main", clicked=lambda: self.stepped.emit(1))
        self._markdown = ""
        self._since = QElapsedTimer()
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(self._show_clock)
        top = layouts.row(self.count, layouts.STRETCH, self.clock)
        foot = layouts.row(self.back, layouts.STRETCH, self.next)
        parts = top, self.title, (self.notes, 1), self.following, foot
        layouts.column(*parts, on=self, margins=METRICS.padding, spacing=METRICS.gap)
        current_theme.signals.theme_changed.connect(self._dress)

    def begin(self) -> None:
        """Start the clock."""
        self._since.start()
        self._ticks.start()
        self._show_clock()

    def show_step(self, lesson: str, title: str, notes: str, i: int, n: int, following: str) -> None:
        """Show step `i`, from 0, of `n`, and the title of the next one."""
        self.setWindowTitle(f"Notes: {lesson}")
        self.count.setText(f"{i + 1} of {n}")
        self.title.setText(title)
        self._markdown = notes.strip() or NO_NOTES
        self._dress()
        self.following.setText(f"Next: {following}" if following else "This is the last step.")
        self.back.setEnabled(i > 0)
        self.next.setEnabled(i < n - 1)

    def bring_up(self, beside: QWidget) -> None:
        """Show the view, maximised on a second screen if there is one besides the screen of a window."""
        screen = other_screen(QGuiApplication.screens(), beside.screen())
        if screen is None:
            self.show()
        else:
            self.setGeometry(screen.availableGeometry())
            self.showMaximized()
        self.raise_()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._ticks.stop()
        super().closeEvent(event)
        self.closed.emit()

    def _dress(self) -> None:
        markdown_pages.fill(self.notes.document(), self._markdown, LETTERS)

    def _show_clock(self) -> None:
        minutes, seconds = divmod(self._since.elapsed() // 1000, 60)
        self.clock.setText(f"{minutes}:{seconds:02d}")


def other_screen(screens: list[QScreen], own: QScreen) -> QScreen | None:
    """Return the first screen other than a window's own; None if there is none."""
    return next((screen for screen in screens if screen is not own), None)
