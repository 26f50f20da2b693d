"""Editor of a file name in a scene: typed, or chosen in a dialog that starts beside the scene."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import MESH_FILES, PICTURE_FILES, POINT_FILES, TEXT_FILES
from framescope.core.system.file_access import Access, outside_names, resolve_named
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.panels.inspector.editors.choices import TextEditor
from framescope.ui.panels.inspector.editors.editor import EditorContext
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton


class FileEditor(TextEditor):
    """Editor of a file name. A file outside the scene's folder is read only after the user has consented."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.browse = IconButton("folder-open", f"Browse for the {field.label}…", size=METRICS.field)
        self.browse.clicked.connect(self._on_browse)
        row = layouts.row((self.line, 1), self.browse, spacing=METRICS.inner)
        self.column.addLayout(row)

    def display(self, value: Any, *, is_other: bool) -> None:
        super().display(value, is_other=is_other)
        if not self.line.isModified():
            self.line.setToolTip(literal_text(value) if isinstance(value, str) and value else self.field.help)

    def edit(self, value: object, **how: Any) -> bool:
        """Request another name, and ask for consent if the file is outside the scene's folder."""
        is_taken = super().edit(value, **how)
        if is_taken and self.context is not None and isinstance(value, str):
            ask_consent(self.context, value)
        return is_taken

    def _on_browse(self) -> None:
        if self.context is None:
            return
        name = ask_file(self, self.field, self.context.plan.context.access, self.line.text())
        if name and (name != self.line.text() or self.line.isModified()):
            self.line.setModified(False)
            self.edit(name, shown=name)
        self.browse.setFocus()


def ask_file(parent: QWidget, field: Field, access: Access, present: str = "") -> str:
    """Ask for the file of a field in a dialog and return its name beside the scene; empty if the user cancels.

    The dialog starts at the present file, else in the scene's folder.
    """
    try:
        beginning = resolve_named(present, access, (), field.suffixes)
    except ItemError:
        beginning = access.folder or Path.home()
    endings = " ".join(f"*{suffix}" for suffix in field.suffixes)
    chosen, _ = QFileDialog.getOpenFileName(
        parent.window(),
        f"Choose the {field.label}",
        str(beginning),
        f"{kind_text(field.suffixes)} ({endings});;All files (*)",
    )
    return name_beside(Path(chosen), access.folder) if chosen else ""


def ask_consent(context: EditorContext, name: str) -> None:
    """Ask for consent to read a file if it is outside the scene's folder."""
    names = outside_names([name], context.plan.context.access)
    if names and context.ask_consent is not None:
        context.ask_consent(names)


def name_beside(path: Path, folder: Path | None) -> str:
    """Return the name of a file in a scene: relative to the scene's folder unless they share no folder.

    >>> name_beside(Path("/data/run/arm.csv"), Path("/data/run")), name_beside(Path("/data/b.stl"), Path("/data/run"))
    ('arm.csv', '../b.stl')
    >>> name_beside(Path("/mnt/b.stl"), Path("/home/me")), name_beside(Path("/mnt/b.stl"), None)
    ('/mnt/b.stl', '/mnt/b.stl')
    """
    if folder is None:
        return path.as_posix()
    if path.is_relative_to(folder):  # keep the name of a link
        return path.relative_to(folder).as_posix()
    path, folder = path.resolve(), folder.resolve()
    try:
        common = Path(os.path.commonpath([path, folder]))
    except ValueError:  # two drives
        return path.as_posix()
    if common == Path(path.anchor):
        return path.as_posix()
    return Path(os.path.relpath(path, folder)).as_posix()


def kind_text(suffixes: tuple[str, ...]) -> str:
    """Return the name of a kind of files by its endings.

    >>> kind_text((".stl", ".obj", ".ply", ".glb", ".dae"))
    'Meshes'
    """
    if suffixes == MESH_FILES:
        return "Meshes"
    if suffixes == POINT_FILES:
        return "Points"
    if suffixes == PICTURE_FILES:
        return "Pictures"
    return "Times" if suffixes == TEXT_FILES else "Recordings"
