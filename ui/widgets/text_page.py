"""Text page that loads nothing from the network or the disk, as its author may be unknown."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser


class TextPage(QTextBrowser):
    """A read-only text; its owner decides about its links.

    Parameters
    ----------
    name
        Accessible name.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAccessibleName(name)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002
        return None
