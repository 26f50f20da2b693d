"""Page of text that loads nothing, neither from the network nor from the disk: a stranger may have written it."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser


class TextPage(QTextBrowser):
    """A text to read: whoever shows it decides where its links lead.

    Parameters
    ----------
    name
        What a screen reader says.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAccessibleName(name)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002
        return None
