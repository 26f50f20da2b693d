"""Field for words to search for."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS

MAX_LENGTH = 200
"""As long as names may be. A page that was pasted by mistake would be looked for, too, for as long as that takes."""


class SearchField(QLineEdit):
    """A line edit with a magnifier.

    Parameters
    ----------
    hint
        What may be typed, shown while the field is empty.
    name
        What a screen reader says.
    icon_size
        Of the magnifier, px.
    """

    def __init__(self, hint: str, name: str, icon_size: int = METRICS.icon, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setMaxLength(MAX_LENGTH)
        self.setProperty("kind", "search")
        magnifier = QAction(self)
        icons.dress(magnifier, "search", size=icon_size)
        self.addAction(magnifier, QLineEdit.ActionPosition.LeadingPosition)
