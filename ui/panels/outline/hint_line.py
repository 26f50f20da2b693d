"""A line below the tree that says what letting go would do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts


class HintLine(QWidget):
    """The line; hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._label = QLabel(), QLabel(wordWrap=True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        layouts.row(
            (self._icon, 0, Qt.AlignmentFlag.AlignVCenter),
            (self._label, 1),
            on=self,
            margins=(METRICS.padding, METRICS.inner, METRICS.gap, METRICS.inner),
            spacing=METRICS.gap,
        )
        self.hide()

    def show_text(self, text: str, *, is_refused: bool = False) -> None:
        """Say something; an empty text hides the line."""
        role = "warning" if is_refused else "hint"
        if self._label.property("role") != role:
            self._label.setProperty("role", role)
            self._label.style().unpolish(self._label)
            self._label.style().polish(self._label)
        name = ("triangle-alert", "amber") if is_refused else ("corner-down-right", "accent_text")
        self._icon.setPixmap(icons.pixmap(*name, METRICS.row_icon))
        self._label.setText(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """Return what the line says."""
        return self._label.text()
