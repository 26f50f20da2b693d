"""Dialog for the path of a file to write. It asks before any file is replaced."""

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
    others: Iterable[str] = (),
) -> Path | None:
    """Ask for the path of a file to write. Return None if the user cancels or may not write there.

    A name without an ending gets `suffix`. If `is_only`, any other ending gets it, too. Qt asks before replacing the
    typed name; this function asks before replacing a completed one. `inputs` are files that the window reads. If the
    user chooses one of them, a message refuses it. `others` are endings of other formats: `suffix` takes the place of
    such an ending if the user confirms it.
    """
    path = _ask_path(parent, title, suggested, filters, suffix, is_only=is_only, others=others)
    if path is None or not may_write(parent, title, path, inputs):
        return None
    return path


def may_write(parent: QWidget, title: str, path: Path, inputs: Iterable[Path]) -> bool:
    """Return whether a file may be written. Show a message if the scene reads it."""
    from framescope.core.system.output_check import OutputIsInputError, check_output

    try:
        check_output(path, inputs)
    except OutputIsInputError as error:
        QMessageBox.warning(parent, title, str(error))
        return False
    return True


def _ask_path(
    parent: QWidget, title: str, suggested: Path, filters: str, suffix: str, *, is_only: bool, others: Iterable[str]
) -> Path | None:
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), filters)
    path = Path(chosen)
    if not chosen or path.name.lower().endswith(suffix) or (path.suffix and not is_only):
        return path if chosen else None
    other = max((ending for ending in others if path.name.lower().endswith(ending)), key=len, default="")
    stem = path.name[: len(path.name) - len(other)]
    path = path.with_name((stem or path.name) + suffix)
    if other and stem:
        text = f"The file will be {path.name}, as the chosen format is {suffix}. Cancel to choose another format."
        if path.exists():
            text += f" {path.name} exists already and will be replaced."
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(parent, title, literal_text(text), button.Ok | button.Cancel)
        return path if answer == button.Ok else None
    buttons, text = QMessageBox.StandardButton, literal_text(f"{path.name} exists already. Replace it?")
    may_write = not path.exists() or QMessageBox.question(parent, title, text, buttons.Yes | buttons.No) == buttons.Yes
    return path if may_write else None
