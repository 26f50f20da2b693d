"""Collapsible part of a page, created when first opened."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.text_growth import FONT_EVENTS, growth


class Fold(QWidget):
    """Heading that expands and collapses its content.

    Parameters
    ----------
    title
        Title, also the key in `memory`.
    make
        Function that creates the content when it is first needed.
    memory
        Whether each fold is open, by title; shared by the folds of a window.

    Signals
    -------
    opened()
        The fold was opened; its content needs an update.
    """

    opened = Signal()

    def __init__(
        self,
        title: str,
        make: Callable[[], QWidget],
        memory: dict[str, bool],
        *,
        is_open: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._memory = title, memory
        self._make = make
        self.content: QWidget | None = None
        self.button = Heading(title)
        self.button.clicked.connect(lambda: self.set_open(not self.is_open))
        self._note = ElidedLabel(role="quiet")
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = layouts.row(self.button, (self._note, 1), spacing=METRICS.inner)
        self._column = layouts.column(separator(), head, on=self, margins=0, spacing=METRICS.inner)
        self.is_open = False
        """Whether the content is shown."""
        if memory.get(title, is_open):
            self._show(True)
        else:
            self._paint()

    def set_open(self, is_open: bool) -> None:
        """Expand or collapse the content."""
        if is_open != self.is_open:
            self._memory[self._name] = is_open
            self._show(is_open)
            if is_open:
                self.opened.emit()

    def set_note(self, note: str) -> None:
        """Show a short text beside the heading."""
        if note != self._note.text():
            self._note.setText(note)

    def _show(self, is_open: bool) -> None:
        self.is_open = is_open
        if self.content is None:
            self.content = self._make()
            self._column.addWidget(self.content)
        self.content.setVisible(is_open)
        self._paint()

    def _paint(self) -> None:
        icons.dress(self.button, "chevron-down" if self.is_open else "chevron-right", size=METRICS.row_icon)
        self.button.setAccessibleDescription("open" if self.is_open else "closed")


class Heading(QToolButton):
    """Heading as a button."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setText(f" {title}")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(title)
        self.setProperty("kind", "fold")
        self._grow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS:
            self._grow()

    def _grow(self) -> None:
        self.setFixedHeight(round(METRICS.button * growth(self, METRICS.base)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)
