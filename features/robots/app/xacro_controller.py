"""Controller of xacro files: runs one with the user's consent, saves the URDF, and opens it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from framescope.app.controllers.file_controller import FileCommands
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.saving import write_atomically
from framescope.ui.dialogs.save_dialog import may_write, path_to_save
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.robots.app.xacro_reader import Expanded

TITLE = "Run a xacro file"


class XacroController(QObject):
    """Asks for consent to run a xacro file, and for the path of the resulting URDF."""

    def __init__(self, window: MainWindow, files: FileCommands) -> None:
        super().__init__(window)
        self._window, self._files = window, files
        files.openers["program"] = self.ask

    def ask(self, path: Path) -> None:
        """Ask for consent, run the file behind a dialog, and open the URDF."""
        from framescope.features.robots.app.xacro_reader import expand_xacro, urdf_of

        if not self._may_run(path):
            return
        target = path_to_save(
            self._window, "Save the robot as", urdf_of(path), "URDF (*.urdf)", ".urdf", inputs=[path], is_only=True
        )
        if target is None:
            return
        from framescope.ui.dialogs.read_thread import read_in_thread

        read_in_thread(self._window, path.name, partial(expand_xacro, path), partial(self._take, target))

    def _may_run(self, path: Path) -> bool:
        box = QMessageBox(
            QMessageBox.Icon.Warning, f"{TITLE} — Framescope", literal_text(f"Run {path.name}?"), parent=self._window
        )
        box.setInformativeText(
            "A xacro file is a program that makes a robot. It runs with your permissions, and can read and"
            " write your files: run it only if you trust its source."
        )
        run = box.addButton("Run it…", QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        return box.clickedButton() is run

    def _take(self, target: Path, made: Expanded) -> None:
        if not may_write(self._window, TITLE, target, made.inputs):
            return
        try:
            write_atomically(target, made.urdf)
        except (OSError, FramescopeError) as error:
            self._window.status.show_message("red", f"{target.name} is not written: {error}")
            return
        self._files.open(target)
