"""Words of a person or a file in tips and questions: nothing in them is taken for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def literal_text(text: str) -> str:
    """Return a text that Qt shows as it is; what looks like HTML it would take for it, and read its pictures."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if Qt.mightBeRichText(text) else text
