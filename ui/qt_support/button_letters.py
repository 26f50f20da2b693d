"""Letters of the usual buttons of dialogs: S saves, D discards, C cancels; Qt has letters for Yes and No alone."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, QTranslator

LETTERS = {text: f"&{text}" for text in ("Save", "Discard", "Cancel", "Open", "Close", "Retry", "Ignore", "Abort")}
"""Texts of Qt's buttons, with the letter that presses each of them marked."""


class ButtonLetters(QTranslator):
    """Marks the letters of standard buttons wherever Qt asks for their texts."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:  # noqa: ARG002
        return LETTERS.get(text) if context == "QPlatformTheme" else None


def give_buttons_letters(application: QCoreApplication) -> None:
    """Mark the letters of standard buttons from now on; a second call changes nothing."""
    if application.findChild(QObject, "button letters") is None:
        letters = ButtonLetters(application)
        letters.setObjectName("button letters")
        application.installTranslator(letters)
