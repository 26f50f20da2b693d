"""Imports from the window: a file's items are added to the scene; a recording opens the import dialog first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog, QInputDialog

from framescope.app.controllers.compile_ahead import CompileAhead
from framescope.app.controllers.file_controller import FileCommands
from framescope.app.controllers.file_placing import place_beside_scene
from framescope.app.importers.contents import Contents
from framescope.app.importers.registry import Importer, dialog_filter, importer_of, read_scene
from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError, Problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.recordings.tables.mixed import MixedTable, read_once
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.copies import add_ghost, add_part
from framescope.core.scene.edits.recordings import FilePlace
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import named_files, renamed_files
from framescope.core.scene.schema.model import NO_ITEM, Scene
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.table_import.ui.import_dialog import ImportDialog

T = TypeVar("T")

LARGER = 1.5
"""Factor by which the radius of a scene grows with the items of a file from which the view shows the whole scene."""


class ImportController(QObject):
    """Imports files of all kinds into the open scene."""

    def __init__(self, session: Session, window: MainWindow, files: FileCommands, making: CompileAhead) -> None:
        super().__init__(window)
        self._session, self._window, self._files, self._making = session, window, files, making

    def ask(self) -> None:
        """Ask for a file, and import it."""
        patterns = dialog_filter("Recordings and meshes", with_scenes=False)
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Import a recording", str(self._files.folder), patterns)
        if chosen:
            self.read(Path(chosen))

    def ask_ghost(self) -> None:
        """Ask for another run, and add it as a ghost."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Import a second run as a ghost", str(self._files.folder), dialog_filter("Runs")
        )
        if chosen:
            self.read_ghost(Path(chosen))

    def read_ghost(self, path: Path) -> None:
        """Read a scene, or a file that becomes one such as a result, and add its frames and bodies as ghosts."""

        def take(read: tuple[LoadedScene, tuple[Problem, ...]]) -> None:
            loaded, problems = read
            named = self._with_files(loaded.path.parent, loaded.scene)
            if named is None:
                return
            try:
                edit = add_ghost(named, path.stem.removesuffix("_res"), self._session.document.scene)
            except ValueError as error:
                self._window.status.show_message("amber", f"{path.name}: {error}")
                return
            self._making.commit(edit, f"Importing {path.name}")
            for problem in problems:
                self._window.status.show_message("amber", f"{path.name}: {problem}")

        self._read_in_thread(path, partial(read_scene, path), take)

    def read(self, path: Path, into_new: bool = False) -> None:
        """Read a file, add its items to the scene, and open the import dialog for its recording.

        With `into_new` the items go into a new scene, which replaces the open one once they are added.
        """
        try:
            importer = importer_of(path)
        except FramescopeError as error:
            self._window.status.show_message("amber", str(error))
            return
        if importer.opens:
            self._files.openers[importer.opens](path)
            return

        def read() -> tuple[Contents, MixedTable | None]:
            contents = importer.read(path)
            return contents, contents.recordings[0].read() if len(contents.recordings) == 1 else None

        self._read_in_thread(path, read, partial(self._take_contents, path, importer, into_new))

    def _read_in_thread(self, path: Path, read: Callable[[], T], take: Callable[[T], None]) -> None:
        from framescope.ui.dialogs.read_thread import read_in_thread

        read_in_thread(self._window, path.name, read, take, title=f"Import {path.name}")

    def _take_contents(
        self, path: Path, importer: Importer, into_new: bool, read: tuple[Contents, MixedTable | None]
    ) -> None:
        contents, table = read
        if contents.scene is not None:
            part = contents.scene.scene
            add = importer.add or partial(add_part, verb="Imported")
            put = partial(self._add_items, path, part, add, contents.problems)
            is_added = self._add_to_scene(put, into_new=into_new)
            if not is_added and not contents.recordings:
                return  # reported
            into_new = not is_added and into_new
        if table is not None:
            self._look_at(path, importer, into_new, table)
        elif contents.recordings:
            names = [recording.name for recording in contents.recordings]
            name, is_chosen = QInputDialog.getItem(self._window, f"Import {path.name}", "Recording", names, 0, False)
            if is_chosen:
                chosen = contents.recordings[names.index(name)]
                self._read_in_thread(path, chosen.read, partial(self._look_at, path, importer, into_new))
        for problem in contents.problems:
            self._window.status.show_message("amber", f"{path.name}: {problem}")

    def _add_to_scene(self, put: Callable[[], bool], *, into_new: bool) -> bool:
        """Call `put` on the open scene or on a new one; return its result, and keep the open scene if it is false.

        `put` can fail late: it may have to copy files, and the scene may have to be saved first.
        """
        if not into_new:
            return put()
        session, camera = self._session, self._window.scene_view.camera
        before, selection, t, seen = session.document, session.selection, session.playback.t, camera.state
        session.new()
        if put():
            return True
        session.show(before)
        session.select(selection if session.exists(selection) else NO_ITEM)
        session.scrub(t)
        session.end_scrub()
        camera.set_state(seen)
        return False

    def _add_items(
        self, path: Path, part: Scene, add: Callable[[Scene, Scene], Edit], problems: Sequence[Problem]
    ) -> bool:
        """Add the items of a file and their files to the scene; return whether they were added.

        The first of the file's own `problems`, if there is one, is reported as the reason for a refusal.
        """
        named = self._with_files(path.parent, part)
        if named is None:
            return False
        self._making.finish()  # the edit depends on the items of a file dropped just before
        try:
            edit = add(named, self._session.document.scene)
        except ValueError as error:
            reason = next((str(problem) for problem in problems if problem.severity == "red"), str(error))
            self._window.status.show_message("amber", f"{path.name} is not imported: {reason}")
            return False
        renderer = self._window.scene_view.renderer
        _, before = renderer.bounding_sphere()

        def fit_if_larger() -> None:
            if renderer.bounding_sphere()[1] > LARGER * before:
                self._window.scene_view.camera.fit()

        self._making.commit(edit, f"Importing {path.name}", fit_if_larger)
        return True

    def _with_files(self, folder: Path, part: Scene) -> Scene | None:
        """Return a part of a scene with file names for the open scene; None if the user cancels."""
        names: dict[str, str] = {}
        for name in named_files(part):
            place = self._place(folder / name)
            if place is None:
                return None
            names[name] = place.name
        return renamed_files(part, names)

    def _look_at(self, path: Path, importer: Importer, into_new: bool, table: MixedTable) -> None:
        from framescope.features.table_import.core.shared_clocks import recorded_clocks
        from framescope.features.table_import.ui.import_dialog import ImportDialog

        document = Document.new() if into_new else self._session.document
        folder = None if document.is_example else document.folder
        plan = compile_plan(document.scene) if into_new else self._session.plan
        suffix = importer.suffixes[0]
        scene, clocks = document.scene, recorded_clocks(plan)
        is_new = scene.time == Scene().time and all(motion.is_constant for motion in plan.tree.motions.values())
        end_s = 0.0 if is_new else plan.end  # a new scene lasts as long as its recordings
        into = "" if into_new else document.shown_name
        dialog = ImportDialog(
            path, table, scene, self._window, folder=folder, suffix=suffix, end_s=end_s, clocks=clocks, into=into
        )
        dialog.accepted.connect(
            lambda: self._add_to_scene(lambda: self._take(dialog, path, importer, table), into_new=into_new)
        )
        dialog.finished.connect(dialog.deleteLater)
        QTimer.singleShot(0, dialog, dialog.open)  # pending events come first

    def _take(self, dialog: ImportDialog, path: Path, importer: Importer, table: MixedTable) -> bool:
        place = self._place(path, importer.suffixes[0])
        if place is None:
            return False
        dialog.place = place
        if place.copy_to is not None and importer.is_table:
            read_once.put(place.copy_to, replace(table, name=place.copy_to.name))
        camera = self._window.scene_view.camera
        self._making.commit(dialog.edit(), f"Importing {path.name}", camera.fit)
        return True

    def _place(self, path: Path, suffix: str = "") -> FilePlace | None:
        return place_beside_scene(self._session, self._window, self._files, path, suffix)


def connect_imports(wiring: Wiring) -> None:
    """Connect the import controller with its actions and with files that the user opens."""
    imports = ImportController(wiring.session, wiring.window, wiring.files, wiring.compile_ahead)
    actions = wiring.window.commands.of_features
    actions["import_recording"].triggered.connect(imports.ask)
    actions["add_ghost"].triggered.connect(imports.ask_ghost)
    wiring.files.import_requested.connect(imports.read)
