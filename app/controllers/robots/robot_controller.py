"""Controller of robots in files: writes moved frames into them, after it has shown what changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from framescope.app.session.robot_write_back import WriteBack, write_backs
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError
from framescope.ui.window.main_window import MainWindow

TITLE = "Write into the robot"


class RobotController(QObject):
    """Writes what a person has moved into the files of the robots of the scene."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        window.commands.write_robot.triggered.connect(self.ask)
        session.document_changed.connect(self._enable)
        self._enable()

    def ask(self) -> None:
        """Show what changes in the files, and write it when that is wanted."""
        status, document = self._window.status, self._session.document
        try:
            found = write_backs(document.scene, document.access)
            if not found:
                status.show_message("note", "All frames stand as in the file of their robot: nothing is to be written")
            elif self._may_write(found):
                for each in found:
                    each.write()
                joints = sum(len(each.joints) for each in found)
                names = ", ".join(each.path.name for each in found)
                status.show_message("good", f"Wrote {joints} joint{'s' * (joints != 1)} into {names}")
        except FramescopeError as error:
            status.show_message("amber", str(error))

    def _may_write(self, found: Sequence[WriteBack]) -> bool:
        buttons = QMessageBox.StandardButton
        files = " and ".join(each.path.name for each in found)
        joints = ", ".join(name for each in found for name in each.joints)
        box = QMessageBox(
            QMessageBox.Icon.Question, f"{TITLE} — Framescope", f"Write into {files}?", parent=self._window
        )
        box.setInformativeText(f"The origin of {joints} changes, and nothing else in the file.")
        box.setDetailedText("\n".join(each.diff for each in found))
        box.setStandardButtons(buttons.Save | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        return box.exec() == buttons.Save

    def _enable(self) -> None:
        self._window.commands.write_robot.setEnabled(bool(self._session.document.scene.robots))
