"""Controller that plays recordings on the joints of a scene: asks for a file, reads it in a thread, commits an edit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from framescope.app.session.session import Session
from framescope.core.scene.edits.recordings import FilePlace
from framescope.core.scene.files.referenced_files import BAG_FILES, TABLE_FILES
from framescope.features.bags.core.bag_file import is_bag_at
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.robots.app.joint_recordings import JointsFound


class JointRecordingController(QObject):
    """Asks for a table or a bag, and lets it move the joints that it has values of.

    Parameters
    ----------
    place
        Returns the scene's name of a file, which it may copy beside the scene; None if the user cancels that.
    """

    def __init__(self, session: Session, window: MainWindow, place: Callable[[Path], FilePlace | None]) -> None:
        super().__init__(window)
        self._session, self._window, self._place = session, window, place

    def ask(self) -> None:
        """Ask for a file and play it."""
        endings = " ".join(f"*{ending}" for ending in (*TABLE_FILES, *BAG_FILES))
        kinds = f"Tables and bags ({endings});;All files (*)"
        folder = self._session.document.folder or Path.home()
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Play a recording on the joints", str(folder), kinds)
        if chosen:
            self.play(Path(chosen))

    def play(self, path: Path) -> None:
        """Let a file move the joints that it has values of, or report why it cannot."""
        document = self._session.document
        folder = None if document.is_example else document.folder
        if is_bag_at(path) and folder is not None and not path.resolve().is_relative_to(folder.resolve()):
            message = f"{path.name} is a bag outside the folder of the scene. Save the scene beside it first."
            self._window.status.show_message("amber", message)
            return
        place = self._place(path)
        if place is None:
            return
        self._read(path, place.name)

    def _read(self, path: Path, name: str, angles: str | None = None) -> None:
        """Read a file in a thread; `angles` is the unit of its angles chosen by the user."""
        from framescope.features.robots.app.joint_recordings import find_joints
        from framescope.ui.dialogs.read_thread import read_in_thread

        read = partial(find_joints, self._session.plan, path, name, angles)
        read_in_thread(self._window, path.name, read, partial(self._take, path, name))

    def _take(self, path: Path, name: str, found: JointsFound) -> None:
        """Ask for the unit of the angles if the file does not settle it, else play the recording."""
        if found.angles is not None and not found.angles.is_settled:
            self._ask_unit(path, name, found)
            return
        self._session.commit(found.edit(self._session.plan))
        if found.note:
            self._window.status.show_message("amber", found.note)

    def _ask_unit(self, path: Path, name: str, found: JointsFound) -> None:
        from framescope.features.robots.ui.angle_unit_dialog import AngleUnitDialog

        if found.angles is None:
            return
        dialog = AngleUnitDialog(path.name, found.angles, self._window)
        dialog.chosen.connect(partial(self._read, path, name))
        dialog.open()
