"""Controller of calibrations in the window: writes changed poses into their files, and shows ghosts of mends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from framescope.app.controllers.file_changes import may_write_files
from framescope.app.controllers.file_controller import FileCommands, SavingWay
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.scene.schema.model import ItemKey
from framescope.core.system.file_access import check_name
from framescope.features.calibrations.core.rig.sources import has_calibration
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.calibrations.app.calibration_write_back import CalibrationChange

TITLE = "Write into the calibration"

REST_MS = 300
"""Delay between the last change and the comparison with the files, ms."""

MOST_COMPARED = 1_000_000
"""Largest file that is compared after each change, bytes."""


class CalibrationController(QObject):
    """Writes changed poses into calibration files, and shows where a mend moves a frame."""

    def __init__(self, session: Session, window: MainWindow, files: FileCommands) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._imported: dict[str, list[Path]] = {}
        """Files that the user has added in this session, by their names."""
        self._action = window.commands.of_features["write_calibration"]
        self._action.triggered.connect(self.ask)
        files.import_requested.connect(self._remember)
        session.document_opened.connect(self._imported.clear)
        session.document_changed.connect(self._enable)
        window.problems.picked.connect(self._show_ghosts)
        session.document_changed.connect(self._hide_ghosts)
        self._rest_timer = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest_timer.timeout.connect(self._compare)
        session.document_changed.connect(self._rest_timer.start)
        self._has_ghosts = False
        self._enable()

    def _remember(self, path: Path, _into_new: bool) -> None:
        paths = self._imported.setdefault(path.name, [])
        if path not in paths:
            paths.append(path)

    def find(self, name: str) -> Path | None:
        """Return a calibration file: beside the scene, or one that the user has added in this session."""
        folder = self._session.document.own_folder
        if folder is not None:
            try:
                check_name(name)
            except FramescopeError:
                return None
            path = (folder / name).resolve()
            if path.is_relative_to(folder.resolve()) and path.is_file():
                return path
        added = self._imported.get(name, [])
        return added[0] if len(added) == 1 and added[0].is_file() else None

    def way_to_save(self) -> SavingWay | None:
        """Return the way to save changed poses in their files; None without any."""
        try:
            changes = self._changes()
        except FramescopeError:
            return None
        names = " and ".join(change.path.name for change in changes)
        return SavingWay(f"Write into {names}…", self.ask) if names else None

    def ask(self) -> bool:
        """Show the changes of the files, and write them if the user agrees. Return whether they are written."""
        status = self._window.status
        try:
            changes = self._changes()
            if not changes:
                status.show_message("note", "All poses are as their files have them: there is nothing to write")
            elif self._may_write(changes):
                self._write(changes)
                return True
        except FramescopeError as error:
            status.show_message("amber", str(error))
        return False

    def _changes(self) -> tuple[CalibrationChange, ...]:
        return self._changes_of(self.find)

    def _changes_of(self, find: Callable[[str], Path | None]) -> tuple[CalibrationChange, ...]:
        from framescope.features.calibrations.app.calibration_write_back import write_backs

        return write_backs(self._session.plan, find)

    def _find_small(self, name: str) -> Path | None:
        path = self.find(name)
        return path if path is not None and path.stat().st_size <= MOST_COMPARED else None

    def _may_write(self, changes: Sequence[CalibrationChange]) -> bool:
        entries = ", ".join(entry for change in changes for entry in change.entries)
        text = f"The numbers of {entries} change, and nothing else in the file."
        left_out = [entry for change in changes for entry in change.left_out]
        if left_out:
            text += f" Left out, having another parent in the scene: {', '.join(left_out)}."
        return may_write_files(self._window, TITLE, changes, text)

    def _write(self, changes: Sequence[CalibrationChange]) -> None:
        copies = ", ".join(change.write().name for change in changes)
        self._session.take_frames_written([frame for change in changes for frame in change.frames])
        names, files = ", ".join(change.path.name for change in changes), "files are" if len(changes) > 1 else "file is"
        self._window.status.show_message("good", f"Wrote {names}; the former {files} {copies}")
        self._compare()

    def _compare(self) -> None:
        """List the entries of files that differ from the scene, with a button that writes them."""
        from framescope.features.calibrations.app.calibration_write_back import differences_from_files

        scene = self._session.document.scene
        if self._session.is_previewing:
            self._rest_timer.start()
            return
        try:
            changes = self._changes_of(self._find_small) if has_calibration(scene) else ()
        except (FramescopeError, OSError):
            changes = ()  # reported when the user writes
        self._session.set_found_problems("calibrations", differences_from_files(changes))

    def _enable(self) -> None:
        self._action.setEnabled(has_calibration(self._session.document.scene))

    # --- Ghosts

    def _show_ghosts(self, key: ItemKey) -> None:
        """Show the poses of a wrong entry before and after its mend, when the user picks its problem."""
        from framescope.features.calibrations.core.rig.mends import ghosts_of
        from framescope.features.calibrations.core.rig.scene_checks import finding_at
        from framescope.features.calibrations.ui.mend_ghosts import MEND_GHOSTS

        finding = finding_at(self._session.plan, key)
        best = None if finding is None else finding.verdict.best
        ghosts = () if finding is None or best is None else ghosts_of(best, finding.edges)
        if ghosts or self._has_ghosts:
            self._window.scene_view.set_option(MEND_GHOSTS, ghosts)
        self._has_ghosts = bool(ghosts)

    def _hide_ghosts(self) -> None:
        if self._has_ghosts:
            from framescope.features.calibrations.ui.mend_ghosts import MEND_GHOSTS

            self._window.scene_view.set_option(MEND_GHOSTS, ())
            self._has_ghosts = False


def connect_calibrations(wiring: Wiring) -> None:
    """Connect the controller of calibrations."""
    controller = CalibrationController(wiring.session, wiring.window, wiring.files)
    wiring.files.other_ways.append(controller.way_to_save)
