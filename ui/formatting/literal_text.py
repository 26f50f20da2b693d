"""Texts by users or files in tool tips and dialogs: nothing in them is interpreted as HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def literal_text(text: str) -> str:
    """Return a text that Qt displays literally; otherwise it would interpret HTML in it, and load its images."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if Qt.mightBeRichText(text) else text
