"""Recordings by hand: a file is read, looked at in a dialog, and becomes recorded frames of the scene."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from framescope.app.controllers.compile_ahead import Making
from framescope.app.controllers.file_controller import Filing
from framescope.app.session.session import Session
from framescope.core.analysis.shared_clocks import recorded_clocks
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.recordings.tables.numeric import KINDS
from framescope.core.scene.edits.recordings import place_file
from framescope.ui.window.main_window import MainWindow


class Importing(QObject):
    """Imports recordings into the open scene."""

    def __init__(self, session: Session, window: MainWindow, filing: Filing, making: Making) -> None:
        super().__init__(window)
        self._session, self._window, self._filing, self._making = session, window, filing, making

    def ask(self) -> None:
        """Ask for a file, and import it."""
        endings = " ".join(f"*{suffix}" for suffix in sorted(KINDS))
        chosen, _ = QFileDialog.getOpenFileName(
            self._window,
            "Import a recording",
            str(self._filing.folder),
            f"Recordings ({endings});;All files (*)",
        )
        if chosen:
            self.read(Path(chosen))

    def read(self, path: Path) -> None:
        """Read a file, and open the dialog on what is in it."""
        from framescope.ui.dialogs.table_import.read_thread import ReadingDialog, looks_like_recording

        if not looks_like_recording(path):
            kinds = ", ".join(sorted(suffix.removeprefix(".") for suffix in KINDS))
            self._window.status.say("amber", f"{path.name} is neither a scene nor a recording ({kinds})")
            return
        reading = ReadingDialog(path, self._window)
        reading.done_reading.connect(partial(self._look_soon, path))
        reading.finished.connect(reading.deleteLater)
        reading.start()

    def _look_soon(self, path: Path, table: MixedTable) -> None:
        """Look at a table once the window has dealt with what came meanwhile: the dialog takes a tenth of a second."""
        QTimer.singleShot(0, self._window, partial(self._look_at, path, table))

    def _look_at(self, path: Path, table: MixedTable) -> None:
        from framescope.ui.dialogs.table_import.dialog import ImportDialog

        document = self._session.document
        folder = None if document.is_example else document.folder
        end_s = self._session.plan.end
        clocks = recorded_clocks(self._session.plan)
        dialog = ImportDialog(path, table, document.scene, self._window, folder=folder, end_s=end_s, clocks=clocks)
        dialog.accepted.connect(lambda: self._take(dialog, path))
        dialog.finished.connect(dialog.deleteLater)
        QTimer.singleShot(0, dialog, dialog.open)  # what has come meanwhile is dealt with first

    def _take(self, dialog: object, path: Path) -> None:
        from framescope.ui.dialogs.table_import.dialog import ImportDialog

        if not isinstance(dialog, ImportDialog):
            return
        if dialog.place.needs_folder:
            # The file is named relative to the scene, which therefore must be somewhere.
            if not self._filing.save_and_wait():
                self._window.status.say("note", f"{path.name} is not imported: the scene is to be saved first")
                return
            dialog.place = place_file(path, self._session.document.folder)
        if dialog.place.copy_to is not None:
            try:
                shutil.copyfile(path, dialog.place.copy_to)
            except OSError as error:
                self._window.status.say("red", f"{path.name} is not copied to the scene: {error.strerror or error}")
                return
        self._making.commit(dialog.edit(), f"Importing {path.name}")
