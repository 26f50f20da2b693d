"""Inline message next to its cause: an icon and a sentence that includes how to fix it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

_ICONS = {"error": ("octagon-x", "red"), "warning": ("triangle-alert", "amber")}


class InlineMessage(QWidget):
    """A message line, hidden while it is empty.

    Parameters
    ----------
    kind : str
        `error` (red) or `warning` (amber).
    """

    def __init__(self, kind: str = "error", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self.icon_label = QLabel()
        self._label = layouts.plain_label("", kind, wordWrap=True)
        layouts.row(
            (self.icon_label, 0, Qt.AlignmentFlag.AlignTop),
            (self._label, 1),
            on=self,
            margins=(0, 2),
            spacing=METRICS.gap - 2,
        )
        self._paint_icon()
        self.hide()

    def set_message(self, text: str) -> None:
        """Display a message; an empty one hides the line."""
        self._label.setText(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """Return the displayed message."""
        return self._label.text()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._paint_icon()
        super().changeEvent(event)

    def _paint_icon(self) -> None:
        name, color = _ICONS[self._kind]
        self.icon_label.setPixmap(icons.pixmap(name, color, METRICS.row_icon))
