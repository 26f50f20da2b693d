"""Controller of robots in files: updates the scene when they change, and writes moved frames into them."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.controllers.file_changes import may_write_files
from framescope.app.controllers.file_controller import SavingWay
from framescope.app.session.file_watcher import FileWatcher
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.referenced_files import ROBOT_FILES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import resolve_named
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.robots.app.robot_write_back import WriteBack

TITLE = "Write into the robot"


class RobotController(QObject):
    """Updates the scene from the changed files of its robots, and writes moved frames into them."""

    def __init__(self, session: Session, window: MainWindow, watcher: FileWatcher) -> None:
        super().__init__(window)
        self._session, self._window, self._watcher = session, window, watcher
        self._made: dict[str, Scene] = {}
        """Scenes last made from the files, by the names of the robots."""
        self._robots = session.document.scene.robots
        self._action = window.commands.of_features["write_robot"]
        self._action.triggered.connect(self.ask)
        session.document_opened.connect(self._remember)
        session.document_changed.connect(self._enable)
        self._remember()
        self._enable()

    def follow(self, paths: Collection[Path]) -> None:
        """Update the scene from changed files of robots; an unreadable file is tried again at its next change."""
        from framescope.features.robots.core.robot_follow import follow_file

        for name, path in self._files():
            if path not in paths:
                continue
            try:
                after = self._scene_of(name, path)
            except FramescopeError as error:
                self._window.status.show_message("amber", f"The scene stays as it is: {error}")
                continue
            before = self._made.get(name)
            self._made[name] = after
            scene = self._session.document.scene
            if before is not None and follow_file(scene, before, after) != scene:
                edit = Edit(f"Followed {path.name}", partial(_follow, before=before, after=after))
                self._session.commit(edit)

    def _remember(self) -> None:
        """Read the files of the robots when a scene is opened."""
        self._made = {}
        self._robots = self._session.document.scene.robots
        for name, path in self._files():
            with contextlib.suppress(FramescopeError):  # reported by the problems
                self._made[name] = self._scene_of(name, path)

    def _scene_of(self, name: str, path: Path) -> Scene:
        from framescope.features.robots.app.robot_reader import scene_made_of
        from framescope.features.robots.core.robot_problems import folders_of

        document = self._session.document
        robot = document.scene.robots[name]
        return scene_made_of(path, document.folder or Path(), robot.file, folders_of(robot, document.access))

    def _files(self) -> Iterator[tuple[str, Path]]:
        """Yield name and file of each robot with an accessible file."""
        document = self._session.document
        for name, robot in document.scene.robots.items():
            with contextlib.suppress(FramescopeError):  # reported by the problems
                yield name, resolve_named(robot.file, document.access, (), ROBOT_FILES)

    def way_to_save(self) -> SavingWay | None:
        """Return the way to save moved frames into the files of their robots; None without any."""
        from framescope.features.robots.app.robot_write_back import write_backs

        document = self._session.document
        try:
            changes = write_backs(document.scene, document.access)
        except FramescopeError:
            return None
        names = " and ".join(change.path.name for change in changes)
        return SavingWay(f"Write into {names}…", self.ask) if names else None

    def ask(self) -> bool:
        """Show the changes of the files, and write them if the user agrees. Return whether they are written."""
        from framescope.features.robots.app.robot_write_back import write_backs

        status, document = self._window.status, self._session.document
        try:
            found = write_backs(document.scene, document.access)
            if not found:
                status.show_message(
                    "note", "All frames have their poses from the file of the robot: there is nothing to write"
                )
            elif self._may_write(found):
                self._write(found)
                return True
        except FramescopeError as error:
            status.show_message("amber", str(error))
        return False

    def _write(self, changes: Sequence[WriteBack]) -> None:
        """Write the files, and show their new contents, which is no change by another program."""
        copies = ", ".join(change.write().name for change in changes)
        paths = [change.path for change in changes]
        self._watcher.accept(paths)
        self.follow(paths)
        self._session.take_frames_written([frame for change in changes for frame in change.frames])
        names, files = ", ".join(path.name for path in paths), "files are" if len(paths) > 1 else "file is"
        self._window.status.show_message("good", f"Wrote {names}; the former {files} {copies}")

    def _may_write(self, found: Sequence[WriteBack]) -> bool:
        joints = ", ".join(name for change in found for name in change.joints)
        text = f"The origin of {joints} changes, and nothing else in the file."
        return may_write_files(self._window, TITLE, found, text)

    def _enable(self) -> None:
        if self._session.document.scene.robots is not self._robots:  # as after locating a package
            self._remember()
        self._action.setEnabled(bool(self._session.document.scene.robots))


def _follow(scene: Scene, before: Scene, after: Scene) -> Scene:
    from framescope.features.robots.core.robot_follow import follow_file

    return follow_file(scene, before, after)
