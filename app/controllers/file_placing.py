"""Placing of files that a scene names: beside the scene, and copied there where it has to be."""

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
    """Return how the scene names a file, which is copied beside it if need be; None if the user or the disk refuses.

    A scene that has no file yet is saved first.
    """
    document = session.document
    place = place_file(path, None if document.is_example else document.folder, suffix)
    if place.needs_folder:
        # The file is named relative to the scene, which therefore must be somewhere.
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
