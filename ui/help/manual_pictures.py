"""Pictures on pages of the manual, one for each theme."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QImage

from framescope import assets
from framescope.ui.theme import current_theme

_NAMED = re.compile(r"pictures/([a-z0-9-]+)-light\.png")
"""A page names the picture of the light theme, as other readers of Markdown know none."""

SHARPNESS = 2.0
"""Pixels of a picture for each logical pixel."""


def picture_path(name: str, theme: str) -> Path:
    """Return the file of a picture in a theme."""
    return assets.path("manual") / "pictures" / f"{name}-{theme}.png"


def manual_picture(named: str) -> QImage | None:
    """Return the picture that a page of the manual names, in the present theme; None for any other name."""
    match = _NAMED.fullmatch(named)
    if match is None:
        return None
    image = QImage(str(picture_path(match[1], current_theme.current().name)))
    if image.isNull():
        return None
    image.setDevicePixelRatio(SHARPNESS)
    return image
