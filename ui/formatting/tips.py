"""Tips that show the words of a person: nothing in them is taken for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """Return the text of a tip that Qt shows as it is; it takes what looks like HTML for it, and reads its pictures."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if Qt.mightBeRichText(text) else text
