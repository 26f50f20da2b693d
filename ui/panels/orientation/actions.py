"""Menu actions on the orientation of the selected frame: notation and code."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from framescope.core.conventions.code_snippets import TARGETS
from framescope.core.conventions.pose_snippets import POSE_TARGETS
from framescope.ui.panels.orientation.form_names import CODE_NAMES


class OrientationActions:
    """Actions on the orientation. `copy` has one for each target of code."""

    def __init__(self, owner: QWidget) -> None:
        self.paste = QAction("Paste notation", owner)
        self.copy = {target: QAction(CODE_NAMES[target], owner) for target in (*TARGETS, *POSE_TARGETS)}

    def add_to(self, menu: QMenu) -> None:
        """Add the actions to a menu."""
        menu.addAction(self.paste)
        menu.addMenu("Copy as code").addActions(list(self.copy.values()))
