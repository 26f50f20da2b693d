"""The line at the bottom: what just happened at the left, the truth about drawing at the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QWidget

from framescope.ui import icons
from framescope.ui.theme import METRICS
from framescope.ui.widgets.elided_label import ElidedLabel

_ICONS = {"good": "check", "amber": "triangle-alert", "red": "octagon-x"}


class StatusLine(QStatusBar):
    """Messages instead of dialogs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setFixedHeight(METRICS.status)
        self._kind = "good"
        self._icon = QLabel()
        self._message = ElidedLabel()
        self._facts = QLabel()
        self._facts.setTextFormat(Qt.TextFormat.PlainText)
        left = QWidget()
        row = QHBoxLayout(left)
        row.setContentsMargins(METRICS.padding - 6, 0, 0, 0)
        row.setSpacing(METRICS.gap)
        row.addWidget(self._icon)
        row.addWidget(self._message, 1)
        self.addWidget(left, 1)
        self._facts.setContentsMargins(METRICS.gap, 0, METRICS.gap, 0)
        self.addPermanentWidget(self._facts)

    def say(self, kind: str, text: str) -> None:
        """Show a message: ``good``, ``amber`` or ``red``."""
        self._kind = kind
        self._message.setText(text)
        self._show_icon()

    @property
    def message(self) -> str:
        """The message shown."""
        return self._message.text()

    def set_facts(self, n_frames: int, fps: float | None, renderer: str) -> None:
        """Show how much is drawn, how fast (None while nothing moves), and by what."""
        parts = [f"{n_frames} frame{'s' * (n_frames != 1)}"]
        if fps is not None:
            parts.append(f"{fps:.0f} fps")
        if renderer:
            parts.append(renderer)
        self._facts.setText("  ·  ".join(parts))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._show_icon()
        super().changeEvent(event)

    def _show_icon(self) -> None:
        if hasattr(self, "_message") and self._message.text():
            self._icon.setPixmap(icons.pixmap(_ICONS[self._kind], self._kind, METRICS.row_icon))
