"""Field for search terms."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS

MAX_LENGTH = 200
"""Maximum length of a search, as of names. A page pasted by mistake would take long to search for."""


class SearchField(QLineEdit):
    """A line edit with a magnifier.

    Parameters
    ----------
    hint
        Placeholder text.
    name
        Accessible name.
    icon_size
        Size of the magnifier, px.
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
