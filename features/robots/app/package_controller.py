"""Controller of packages that a robot names but that are not beside it: the user locates them once for a scene."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.referenced_files import ROBOT_FILES, named_files
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.robots import PackageFolder, RobotFile
from framescope.core.system.file_access import outside_names, resolve_named
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow


class PackageController(QObject):
    """Asks for the folder of a package, and shows the meshes in it."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        window.problems.package_requested.connect(self.find)

    def find(self, name: str, package: str) -> None:
        """Ask for the folder of a robot's package, and use it, with other missing packages beside it."""
        document = self._session.document
        robot = document.scene.robots.get(name)
        folder = None if robot is None else self._ask(package)
        if robot is None or folder is None or document is not self._session.document:
            return
        try:
            self._take(name, robot, package, folder)
        except (FramescopeError, OSError) as error:
            self._window.status.show_message("amber", str(error))

    def _ask(self, package: str) -> Path | None:
        """Ask for the folder of a package, offering the one on the search path of ROS if there is one."""
        from framescope.features.robots.core.package_files import package_in, ros_folders

        known = next(ros_folders(package, os.environ), None)
        title = f"Where is the package {package}?"
        if known is not None:
            box = QMessageBox(
                QMessageBox.Icon.Question, f"{title} — Framescope", literal_text(title), parent=self._window
            )
            box.setInformativeText(literal_text(f"ROS has it in {known}, outside the folder of the scene."))
            use = box.addButton("Use that", QMessageBox.ButtonRole.AcceptRole)
            another = box.addButton("Another folder…", QMessageBox.ButtonRole.ActionRole)
            box.addButton(QMessageBox.StandardButton.Cancel)
            box.exec()
            if box.clickedButton() is use:
                return known
            if box.clickedButton() is not another:
                return None
        beside = self._session.document.working_folder
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(beside))
        return package_in(Path(chosen).resolve(), package) if chosen else None

    def _take(self, name: str, robot: RobotFile, package: str, folder: Path) -> None:
        from framescope.features.robots.app.robot_reader import scene_made_of
        from framescope.features.robots.core.moved_links import robot_of
        from framescope.features.robots.core.package_files import find_file, missing_packages
        from framescope.features.robots.core.robot_problems import folders_of
        from framescope.features.robots.core.robot_scene import mesh_files

        document = self._session.document
        path = resolve_named(robot.file, document.access, ("robots", name, "file"), ROBOT_FILES)
        meshes = mesh_files(robot_of(path))
        before = folders_of(robot, document.access)
        missing = missing_packages(path, meshes, before)
        beside = {each: folder.parent / each for each in missing if (folder.parent / each).is_dir()}
        packages = {**before, **beside, package: folder}
        lost = [mesh for mesh in meshes if find_file(path, mesh, before) is None]
        if not any(find_file(path, mesh, {package: folder}) for mesh in lost):
            example = missing.get(package, [""])[0]
            raise FramescopeError(
                f"{folder} has none of the files that the robot names in {package}, such as {example}."
            )
        home = document.folder or Path()
        old, new = (scene_made_of(path, home, robot.file, each) for each in (before, packages))
        named = {each: _named_from(home.resolve(), place) for each, place in packages.items()}
        folders = tuple(PackageFolder(name=each, folder=place) for each, place in named.items())
        own = robot.model_copy(update={"packages": folders})
        edit = Edit(f"Found the package {package}", partial(_with_packages, name=name, robot=own, old=old, new=new))
        scene = edit.apply(document.scene)
        self._session.allow_outside([*named.values(), *outside_names(named_files(scene), document.access)])
        self._session.commit(edit)


def _with_packages(scene: Scene, name: str, robot: RobotFile, old: Scene, new: Scene) -> Scene:
    from framescope.features.robots.core.robot_follow import follow_file

    updated = follow_file(scene, old, new)
    return updated.model_copy(update={"robots": updated.robots | FrozenDict({name: robot})})


def _named_from(home: Path, folder: Path) -> str:
    """Return a scene's name of another folder."""
    return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else folder.as_posix()
