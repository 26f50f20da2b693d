"""Dialog for the name of a file to write, which nothing is written over without a question."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from framescope.ui.formatting.literal_text import literal_text


def path_to_save(
    parent: QWidget,
    title: str,
    suggested: Path,
    filters: str,
    suffix: str,
    *,
    inputs: Iterable[Path],
    is_only: bool = False,
) -> Path | None:
    """Ask for the path of a file to write; return None when the user cancels or may not write there.

    A name without an ending gets `suffix`, and where that `is_only` so does one with another. Qt has asked about the
    name as it was typed; about what it becomes is asked here. `inputs` are the files that the window reads: where one
    of them is chosen, a message says so.
    """
    path = _path_asked(parent, title, suggested, filters, suffix, is_only=is_only)
    if path is None or not may_write(parent, title, path, inputs):
        return None
    return path


def may_write(parent: QWidget, title: str, path: Path, inputs: Iterable[Path]) -> bool:
    """Return whether a file may be written; where it is one of those that are read, tell the user so."""
    from framescope.core.system.output_check import OutputIsInputError, check_output

    try:
        check_output(path, inputs)
    except OutputIsInputError as error:
        QMessageBox.warning(parent, title, str(error))
        return False
    return True


def _path_asked(
    parent: QWidget, title: str, suggested: Path, filters: str, suffix: str, *, is_only: bool
) -> Path | None:
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), filters)
    path = Path(chosen)
    if not chosen or path.name.lower().endswith(suffix) or (path.suffix and not is_only):
        return path if chosen else None
    path = path.with_name(path.name + suffix)
    buttons, text = QMessageBox.StandardButton, literal_text(f"{path.name} is there already. Replace it?")
    may_write = not path.exists() or QMessageBox.question(parent, title, text, buttons.Yes | buttons.No) == buttons.Yes
    return path if may_write else None
