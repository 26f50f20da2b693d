"""Dialog for the name of a file to write, which nothing is written over without a question."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget


def path_to_save(
    parent: QWidget, title: str, suggested: Path, filters: str, suffix: str, *, is_only: bool = False
) -> Path | None:
    """Return where a person wants something to be written; None where nowhere.

    A name without an ending gets `suffix`, and where that `is_only` so does one with another. Qt has asked about the
    name as it was typed; about what it becomes is asked here.
    """
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), filters)
    path = Path(chosen)
    if not chosen or path.name.lower().endswith(suffix) or (path.suffix and not is_only):
        return path if chosen else None
    path = path.with_name(path.name + suffix)
    buttons, text = QMessageBox.StandardButton, f"{path.name} is there already. Replace it?"
    may_write = not path.exists() or QMessageBox.question(parent, title, text, buttons.Yes | buttons.No) == buttons.Yes
    return path if may_write else None
