"""Controller of robots in files: updates the scene when they change, and writes moved frames into them."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.referenced_files import ROBOT_FILES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import resolve_named
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.robots.app.robot_write_back import WriteBack

TITLE = "Write into the robot"


class RobotController(QObject):
    """Updates the scene from the changed files of its robots, and writes moved frames into them."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
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

    def ask(self) -> None:
        """Show the changes of the files, and write them if the user agrees."""
        from framescope.features.robots.app.robot_write_back import write_backs

        status, document = self._window.status, self._session.document
        try:
            found = write_backs(document.scene, document.access)
            if not found:
                status.show_message(
                    "note", "All frames have their poses from the file of the robot: there is nothing to write"
                )
            elif self._may_write(found):
                copies = ", ".join(each.write().name for each in found)
                joints = sum(len(each.joints) for each in found)
                names = ", ".join(each.path.name for each in found)
                status.show_message("good", f"Wrote {joints} joint{'s' * (joints != 1)} into {names}, kept {copies}")
        except FramescopeError as error:
            status.show_message("amber", str(error))

    def _may_write(self, found: Sequence[WriteBack]) -> bool:
        buttons = QMessageBox.StandardButton
        files = " and ".join(each.path.name for each in found)
        joints = ", ".join(name for each in found for name in each.joints)
        box = QMessageBox(
            QMessageBox.Icon.Question,
            f"{TITLE} — Framescope",
            literal_text(f"Write into {files}?"),
            parent=self._window,
        )
        box.setInformativeText(literal_text(f"The origin of {joints} changes, and nothing else in the file."))
        box.setDetailedText("\n".join(each.diff for each in found))
        box.setStandardButtons(buttons.Save | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        return box.exec() == buttons.Save

    def _enable(self) -> None:
        if self._session.document.scene.robots is not self._robots:  # as after locating a package
            self._remember()
        self._action.setEnabled(bool(self._session.document.scene.robots))


def _follow(scene: Scene, before: Scene, after: Scene) -> Scene:
    from framescope.features.robots.core.robot_follow import follow_file

    return follow_file(scene, before, after)
