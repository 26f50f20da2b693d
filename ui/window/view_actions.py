"""Actions of the View menu on the camera, the handles and the measure."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from framescope.core.scene.edits.axes import AXES_LOOKS, AxesLook
from framescope.ui.scene_view.camera.camera import PRESETS
from framescope.ui.scene_view.camera.follow_frame import FollowMode
from framescope.ui.scene_view.geometry.frame_drag import AxesOf
from framescope.ui.theme.tokens import AXIS_LETTERS

FIRST_PRESET_KEY = 2
"""Number key of the first camera preset."""

AXES_TEXTS: dict[AxesOf, str] = {"own": "Its own axes", "parent": "Its parent's axes", "world": "The world's axes"}
FOLLOW_TEXTS: dict[FollowMode, str] = {
    "": "Stand still",
    "origin": "Beside the origin of the selected frame",
    "frame": "Fixed to the selected frame, turning with it",
}


class ViewActions:
    """Actions of the View menu, as attributes. A text after a tab is a key of the 3D view."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.fit_selection = self._action("Fit the selection\tShift F")
        self.presets = {
            preset: self._action(preset.capitalize(), key=QKeySequence(f"Ctrl+{FIRST_PRESET_KEY + k}"))
            for k, preset in enumerate(PRESETS)
        }
        self.parallel = self._action("Orthographic\t5", is_checkable=True)
        self.along = [self._action(f"Along {letter} of the selected frame") for letter in AXIS_LETTERS]
        self.follow: dict[FollowMode, QAction] = {
            mode: self._action(text, is_checkable=True) for mode, text in FOLLOW_TEXTS.items()
        }
        self.handles = self._action("Turn and move the selected frame\tG", is_checkable=True)
        self.axes: dict[AxesOf, QAction] = {
            axes_of: self._action(text, is_checkable=True) for axes_of, text in AXES_TEXTS.items()
        }
        self.axes_looks: dict[AxesLook, QAction] = {
            look: self._action(look.capitalize(), is_checkable=True) for look in AXES_LOOKS
        }
        self.next_axes_look = self._action("Next: full, thin or off\tT")
        self.measure = self._action("Measure between two frames\tM", is_checkable=True)
        for actions in (self.follow, self.axes, self.axes_looks):
            group = QActionGroup(window)
            for action in actions.values():
                group.addAction(action)
        self.show(False, False, False, "", "own")

    def add_to(self, menu: QMenu) -> None:
        """Add the actions to a menu."""
        look = menu.addMenu("Look from")
        look.addActions(list(self.presets.values()))
        look.addSeparator()
        look.addActions(self.along)
        menu.addMenu("Follow").addActions(list(self.follow.values()))
        menu.addAction(self.parallel)
        looks = menu.addMenu("Axes of all frames")
        looks.addActions(list(self.axes_looks.values()))
        looks.addSeparator()
        looks.addAction(self.next_axes_look)
        menu.addSeparator()
        menu.addAction(self.handles)
        menu.addMenu("Turn about").addActions(list(self.axes.values()))
        menu.addAction(self.measure)

    def show(
        self, is_parallel: bool, has_handles: bool, is_measuring: bool, follow: FollowMode, axes_of: AxesOf
    ) -> None:
        """Check the actions that are on."""
        for action, is_on in ((self.parallel, is_parallel), (self.handles, has_handles), (self.measure, is_measuring)):
            action.setChecked(is_on)
        self.follow[follow].setChecked(True)
        self.axes[axes_of].setChecked(True)

    def show_axes_look(self, look: AxesLook) -> None:
        """Check the look of the axes of all frames."""
        self.axes_looks[look].setChecked(True)

    def _action(self, text: str, *, is_checkable: bool = False, key: QKeySequence | None = None) -> QAction:
        action = QAction(text, self._window)
        action.setCheckable(is_checkable)
        if key is not None:
            action.setShortcut(key)
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            self._window.addAction(action)
        return action
