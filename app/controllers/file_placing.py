"""Placement of files that a scene names: in the scene's folder, copied there if necessary."""

from __future__ import annotations

from pathlib import Path

from framescope.app.controllers.file_controller import FileCommands
from framescope.app.session.session import Session
from framescope.core.scene.edits.recordings import FilePlace, place_file
from framescope.core.system.atomic_write import copy_atomically
from framescope.ui.window.main_window import MainWindow


def place_beside_scene(
    session: Session, window: MainWindow, files: FileCommands, path: Path, suffix: str = ""
) -> FilePlace | None:
    """Copy a file beside the scene if necessary, and return the name of it in the scene.

    A scene without a file is saved first. Return None if the user cancels or the copy fails.
    """
    document = session.document
    place = place_file(path, None if document.is_example else document.folder, suffix)
    if place.needs_folder:
        # The file name is relative to the scene, so the scene needs a folder first.
        if not files.save_and_wait(beside=path):
            window.status.show_message("note", f"{path.name} is not imported: the scene is to be saved first")
            return None
        place = place_file(path, document.folder, suffix)
    if place.copy_to is not None:
        try:
            copy_atomically(path, place.copy_to)
        except OSError as error:
            window.status.show_message("red", f"{path.name} is not copied to the scene: {error.strerror or error}")
            return None
    return place
