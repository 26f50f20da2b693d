"""The verdict of the detective: an icon, what came out in bold, and what is to be done next."""

from html import escape
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

Kind = Literal["found", "unclear", "nothing"]

_LOOKS: dict[Kind, tuple[str, str, str]] = {
    "found": ("verdict", "check", "good"),
    "unclear": ("amber", "circle-help", "amber"),
    "nothing": ("red", "octagon-x", "red"),
}
"""Role of the ground, icon and its colour."""


class VerdictBlock(QFrame):
    """A block of one or two sentences on a ground that says how sure they are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: Kind = "found"
        self._icon = QLabel()
        self._label = layouts.label(
            wordWrap=True,
            textFormat=Qt.TextFormat.RichText,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard,
        )
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text = ""
        layouts.row(
            (self._icon, 0, Qt.AlignmentFlag.AlignTop),
            (self._label, 1),
            on=self,
            margins=(METRICS.gap, METRICS.gap - 2),
            spacing=METRICS.gap + 2,
        )
        self._paint()

    @property
    def kind(self) -> Kind:
        """How sure it is."""
        return self._kind

    def text(self) -> str:
        """Return what is said."""
        return self._text

    def set_verdict(self, kind: Kind, first: str, rest: str = "") -> None:
        """Say a verdict, and what follows of it."""
        self._kind = kind
        self._text = f"{first} {rest}".strip()
        self._label.setText(f"<b>{escape(first)}</b> {escape(rest)}")
        self._label.setAccessibleName(self._text)
        self._paint()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._paint_icon()
        super().changeEvent(event)

    def _paint(self) -> None:
        role = _LOOKS[self._kind][0]
        if self.property("role") != role:
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)
        self._paint_icon()

    def _paint_icon(self) -> None:
        _, name, color = _LOOKS[self._kind]
        self._icon.setPixmap(icons.pixmap(name, color))
