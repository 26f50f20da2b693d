"""Small parts of the import dialog: note on the file, count texts and scroll area."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from framescope.core.scene.edits.recordings import FilePlace

SIDE_WIDTH = 392
"""Width of the column beside the preview, logical pixels."""


def file_note(path: Path, place: FilePlace) -> str:
    """Return a note on copying the imported file; empty if it stays in its place."""
    if place.needs_folder:
        return f"The scene is not saved yet. Save it beside {path.name}, or the file is copied beside the scene."
    if place.copy_to is not None:
        return f"{path.name} lies outside the folder of the scene: it is copied there as {place.name}."
    return ""


def count_text(n: int) -> str:
    """Return a count with spaces between thousands."""
    return f"{n:,}".replace(",", " ")


def narrow_scroll_area(parent: QWidget) -> QScrollArea:
    """Return a scroll area for the choices that scrolls vertically and takes no focus."""
    area = QScrollArea(parent, widgetResizable=True)
    area.setFixedWidth(SIDE_WIDTH)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
