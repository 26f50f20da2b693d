"""Buttons with an icon that follow the theme; the stylesheet draws them."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS


class IconButton(QToolButton):
    """A square button with an icon only.

    Parameters
    ----------
    icon : str
        Name of the icon.
    name : str
        Its action: tool tip and accessible name.
    color : str
        Role of the icon's colour.
    checked_color : str, optional
        Makes it a toggle, with this colour while it is on.
    size : int
        Side length, pixels.
    properties
        Qt properties, and signals with the slots to connect.
    """

    def __init__(
        self,
        icon: str,
        name: str,
        *,
        color: str = "quiet",
        checked_color: str | None = None,
        size: int = METRICS.button,
        icon_size: int = METRICS.icon,
        parent: QWidget | None = None,
        **properties: Any,
    ) -> None:
        super().__init__(parent, **properties)
        self._color, self._checked_color, self._icon_size = color, checked_color, icon_size
        self._icon, self._size, self._scale = icon, size, 1.0
        self.setCheckable(checked_color is not None)
        self.setFixedSize(QSize(size, size))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_icon(icon, name)

    def set_icon(self, icon: str, name: str) -> None:
        """Change icon and name (play, pause)."""
        self._icon = icon
        self._dress()
        self.setToolTip(literal_text(name))
        self.setAccessibleName(name)

    def set_scale(self, scale: float) -> None:
        """Scale the button relative to its usual size, for example for a presentation."""
        self._scale = scale
        side = round(scale * self._size)
        self.setFixedSize(QSize(side, side))
        self._dress()

    def _dress(self) -> None:
        icons.dress(self, self._icon, self._color, self._checked_color, round(self._scale * self._icon_size))


def push_button(
    text: str, icon: str = "", kind: str = "", parent: QWidget | None = None, **properties: Any
) -> QPushButton:
    """Return a button with a text.

    Parameters
    ----------
    text : str
        Its action.
    icon : str
        Name of an icon before the text; none if empty.
    kind : str
        Empty, `main` (accent), `small` or `link`.
    properties
        Qt properties, and signals with the slots to connect.
    """
    usual: dict[str, Any] = {"accessibleName": text, "focusPolicy": Qt.FocusPolicy.TabFocus}
    button = QPushButton(text, parent, **usual | properties)
    button.setProperty("kind", kind)
    # Add a space between icon and text, which the style lacks.
    if icon:
        button.setText(f" {text}")
        color = {"main": "on_accent", "link": "accent_text"}.get(kind, "text")
        icons.dress(button, icon, color, size=METRICS.row_icon)
    return button
