"""Status bar: the last message at the left, running work, and facts on drawing at the right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.progress_bar import ProgressBar

_ICONS = {
    "good": ("check", "good"),
    "note": ("info", "quiet"),
    "amber": ("triangle-alert", "amber"),
    "red": ("octagon-x", "red"),
}
_BAR_WIDTH = 96

SHOW_AFTER_MS = 250
"""Delay before progress is shown, ms, so that nothing flickers during a drag."""


class Progress(QWidget):
    """Progress of background work, with a button to cancel it or to run it again.

    Signals
    -------
    cancelled(), resumed()
        The button was pressed while the work runs, or after it was cancelled.
    """

    cancelled = Signal()
    resumed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_running = False
        """Whether the work is running."""
        self._text = layouts.plain_label()
        self._bar = ProgressBar()
        self._bar.setRange(0, 100)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_BAR_WIDTH)
        self._button = push_button("Cancel", kind="link", clicked=self._on_pressed)
        layouts.row(self._text, self._bar, self._button, on=self, margins=(METRICS.gap, 0), spacing=METRICS.gap)
        self._late = QTimer(self, interval=SHOW_AFTER_MS, singleShot=True)
        self._late.timeout.connect(self.show)
        self.hide()

    @property
    def text(self) -> str:
        """Text beside the bar."""
        return self._text.text()

    def show_running(self, what: str, share: float, note: str = "") -> None:
        """Show the finished share, from 0 to 1, and a note. Cheap enough to be called often."""
        percent = round(100.0 * share)
        if not self.is_running:
            self.is_running = True
            self._set_button("Cancel", f"Cancel {what.lower()} (Esc)")
            self._bar.show()
            if self.isHidden():
                self._late.start()
        self._bar.setValue(percent)
        self._text.setText(f"{what} {percent} %{f', {note}' if note else ''}")

    def show_cancelled(self, what: str, again: str) -> None:
        """Show that the work was cancelled, with a button to run it again."""
        self.is_running = False
        self._late.stop()
        self._text.setText(what)
        self._set_button("Run", again)
        self._bar.hide()
        self.show()

    def show_nothing(self) -> None:
        """Hide the progress, because nothing is running."""
        self.is_running = False
        self._late.stop()
        self.hide()

    def _set_button(self, text: str, tool_tip: str) -> None:
        self._button.setText(text)
        self._button.setAccessibleName(tool_tip)
        self._button.setToolTip(literal_text(tool_tip))

    def _on_pressed(self) -> None:
        (self.cancelled if self.is_running else self.resumed).emit()


class StatusLine(QStatusBar):
    """Status line with messages in place of dialogs.

    Signals
    -------
    shown(str, str)
        Kind and text of a new message.
    """

    shown = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setFixedHeight(METRICS.status)
        self.kind = "good"
        self._icon = QLabel()
        self._message = ElidedLabel()
        self.offer_button = push_button("", kind="link", clicked=self._on_offer)
        """Button of the offered action."""
        self._offered: Callable[[], object] | None = None
        self.progress, self.export = Progress(), Progress()
        self.facts = layouts.plain_label(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        message_area = QWidget()
        layouts.row(
            self._icon,
            self._message,
            self.offer_button,
            layouts.STRETCH,
            on=message_area,
            margins=(METRICS.padding - 6, 0, 0, 0),
            spacing=METRICS.gap,
        )
        self.addWidget(message_area, 1)
        self.facts.setContentsMargins(METRICS.gap, 0, METRICS.gap, 0)
        self.addPermanentWidget(self.progress)
        self.addPermanentWidget(self.export)
        self.addPermanentWidget(self.facts)
        for late in (self.progress, self.export, self.offer_button):
            late.hide()  # a status bar shows widgets when they are added

    def show_message(self, kind: str, text: str) -> None:
        """Show a message of a kind: ``good``, ``note``, ``amber`` or ``red``.

        A message about a state, such as a tool that Escape leaves, goes when the state ends: the empty kind removes its
        text if it is still shown.
        """
        if not kind:
            if text and text == self.message:
                self.show_message("note", "")
            return
        self.kind = kind
        self._message.setText(text)
        self.offer_button.hide()
        self._offered = None
        self._show_icon()
        self.shown.emit(kind, text)

    def offer(self, text: str, name: str, do: Callable[[], object]) -> None:
        """Offer an action beside the message until the next one. `name` describes it for screen readers."""
        self._offered = do
        self.offer_button.setText(text)
        self.offer_button.setAccessibleName(name)
        self.offer_button.setToolTip(literal_text(name))
        self.offer_button.show()

    @property
    def message(self) -> str:
        """Text of the current message."""
        return self._message.text()

    def set_facts(self, n_frames: int, fps: float | None, drawn_by: str, *, renderer: str = "") -> None:
        """Show the number of frames, the frame rate (None while nothing moves), and what draws; its name on hover."""
        parts = [f"{n_frames} frame{'s' * (n_frames != 1)}"]
        if fps is not None:
            parts.append(f"{fps:.0f} fps")
        if drawn_by:
            parts.append(drawn_by)
        self.facts.setToolTip(literal_text(f"Drawn by {renderer}") if renderer else "")
        text = "  ·  ".join(parts)
        margins = self.facts.contentsMargins()
        width = self.facts.fontMetrics().horizontalAdvance(text) + margins.left() + margins.right()
        # It never shrinks: a frame rate that gains a digit would be cut until the next layout.
        self.facts.setMinimumWidth(max(width, self.facts.minimumWidth()))
        self.facts.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._show_icon()
        super().changeEvent(event)

    def _on_offer(self) -> None:
        if self._offered is not None:
            self._offered()

    def _show_icon(self) -> None:
        if not hasattr(self, "_message"):
            return
        if self._message.text():
            self._icon.setPixmap(icons.pixmap(*_ICONS[self.kind], METRICS.row_icon))
        else:
            self._icon.clear()
