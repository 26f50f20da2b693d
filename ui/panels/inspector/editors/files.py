"""Editor of a file name in a scene: typed, or chosen in a dialog that starts beside the scene."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import MESH_FILES, TEXT_FILES
from framescope.core.system.file_access import Access, outside_names, resolve_named
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.panels.inspector.editors.choices import TextEditor
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
            names = outside_names([value], self.context.plan.context.access)
            if names and self.context.ask_consent is not None:
                self.context.ask_consent(names)
        return is_taken

    def _on_browse(self) -> None:
        if self.context is None:
            return
        access = self.context.plan.context.access
        endings = " ".join(f"*{suffix}" for suffix in self.field.suffixes)
        chosen, _ = QFileDialog.getOpenFileName(
            self.window(),
            f"Choose the {self.field.label}",
            str(self._beginning(access)),
            f"{kind_text(self.field.suffixes)} ({endings});;All files (*)",
        )
        if chosen:
            name = name_beside(Path(chosen), access.folder)
            if name != self.line.text() or self.line.isModified():
                self.line.setModified(False)
                self.edit(name, shown=name)
        self.browse.setFocus()

    def _beginning(self, access: Access) -> Path:
        """Return the start of the file dialog: the present file, else the scene's folder."""
        try:
            return resolve_named(self.line.text(), access, (), self.field.suffixes)
        except ItemError:
            return access.folder or Path.home()


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
    return "Times" if suffixes == TEXT_FILES else "Recordings"
