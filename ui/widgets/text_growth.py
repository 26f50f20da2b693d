"""Sizes of widgets that grow with the font of their text, as in a presentation."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.theme.tokens import METRICS

_USUAL_FONTS = {"caption": METRICS.caption, "quiet": METRICS.secondary, "unit": METRICS.secondary}
"""Usual size of the font by the role of a label, or the kind of a box, px. Others have `METRICS.base`."""

FONT_EVENTS = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
"""Events after which the font of a widget may have another size."""


def growth(widget: QWidget, usual_font: int) -> float:
    """Return the factor by which the font of a widget is larger than usual, px; at least 1."""
    return max(widget.font().pixelSize() / usual_font, 1.0)


def usual_font(widget: QWidget) -> int:
    """Return the usual size of the font of a label or a box, px, by its role or kind in the stylesheet."""
    return _USUAL_FONTS.get(str(widget.property("role") or widget.property("kind") or ""), METRICS.base)
