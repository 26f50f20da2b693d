"""Actions of menus and shortcuts that belong to the whole window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from framescope.core.system.features import Action, installed_features
from framescope.ui.window.view_actions import ViewActions

PLACE_NAMES = ("Build", "Learn", "Check")
"""The three layouts of the window."""

UNIT_TEXTS = {"deg": "Angles in degrees", "rad": "Angles in radians"}

Key = QKeySequence.StandardKey


class Actions:
    """Actions of the window, as attributes."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._add_file_actions()
        self._add_edit_actions()
        self._add_clock_actions()
        self._add_view_actions()
        self._add_window_actions()
        self._add_help_actions()
        self.of_features = {
            action.name: self._feature_action(action) for feature in installed_features() for action in feature.actions
        }
        """Actions of features, by name."""

    def _add_file_actions(self) -> None:
        self.new = self._action("New", Key.New)
        self.open = self._action("Open…", Key.Open)
        self.examples = self._action("Examples…", "Ctrl+E")
        self.ask = self._action("Ask…", "Alt+Q")
        self.add_plot = self._action("Plot of a signal…", "Ctrl+P")
        self.reload = self._action("Reload from the disk", "F5")
        self.save = self._action("Save", Key.Save)
        self.save_as = self._action("Save As…", "Ctrl+Shift+S")
        self.copy_picture = self._action("Copy the picture", "Ctrl+Shift+C")
        self.save_picture = self._action("Save a picture…")
        self.export = self._action("Export…", "Ctrl+Shift+E")
        self.quit = self._action("Quit", Key.Quit)

    def _add_edit_actions(self) -> None:
        self.undo = self._action("Undo", Key.Undo)
        self.redo = self._action("Redo")
        self.redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self.units = {unit: self._action(text, checkable=True) for unit, text in UNIT_TEXTS.items()}
        _group(self._window, *self.units.values())
        self.settings = self._action("Settings…", "Ctrl+,")
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _add_clock_actions(self) -> None:
        self.play = self._action("Play or pause", "Ctrl+Space")
        self.simulate = self._action("Run the simulation again")
        self.simulate.setEnabled(False)

    def _add_view_actions(self) -> None:
        self.fit = self._action("Fit the scene\tF")
        self.authored_camera = self._action("The scene's own camera\tR")
        self.view = ViewActions(self._window)
        self.staged = self._action("Turn axis by axis (staged)", "Ctrl+Shift+A", checkable=True)

    def _add_window_actions(self) -> None:
        self.places = {
            name: self._action(name, f"Alt+{i}", checkable=True) for i, name in enumerate(PLACE_NAMES, start=1)
        }
        _group(self._window, *self.places.values())
        self.layout_reset = self._action("Reset the layout")
        self.present = self._action("Present on the full screen", "F11", checkable=True)
        self.large = self._action("Large", "Ctrl+L")
        self.blank = self._action("Blank the screen\tB")
        self.ring = self._action("Ring around the pointer\tP")
        self.light = self._action("Light this\tL")
        self.keep_plots = self._action("Keep the plots", "Shift+F11", checkable=True)
        self.theme = self._action("Switch dark and light", "Ctrl+T")
        self.larger = self._action("Larger", Key.ZoomIn)
        self.smaller = self._action("Smaller", Key.ZoomOut)
        self.search = self._action("Search everything", "Ctrl+K")

    def _add_help_actions(self) -> None:
        self.manual = self._action("Manual", Key.HelpContents)
        self.shortcuts = self._action("Shortcuts", "Ctrl+/")
        self.log = self._action("Log")
        self.bug_report = self._action("Save a bug report…")
        self.about = self._action("About Framescope")

    def actions_in(self, place: str) -> list[QAction]:
        """Return the actions of features that belong to a group of a menu."""
        actions = (action for feature in installed_features() for action in feature.actions)
        return [self.of_features[action.name] for action in actions if action.place == place]

    def _feature_action(self, action: Action) -> QAction:
        if action.is_menu:
            return QMenu(action.text, self._window).menuAction()
        return self._action(action.text, action.shortcut, checkable=action.is_checkable)

    def set_undo_labels(self, undo: str | None, redo: str | None) -> None:
        """Add the labels of their edits to the texts of undo and redo."""
        for action, verb, label in ((self.undo, "Undo", undo), (self.redo, "Redo", redo)):
            action.setEnabled(label is not None)
            action.setText(verb if label is None else f"{verb}: {label}")
            action.setProperty("name", verb)

    def _action(self, text: str, key: QKeySequence.StandardKey | str = "", *, checkable: bool = False) -> QAction:
        action = QAction(text, self._window)
        action.setCheckable(checkable)
        if key != "":
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._window.addAction(action)
        return action


def _group(window: QMainWindow, *actions: QAction) -> None:
    group = QActionGroup(window)
    for action in actions:
        group.addAction(action)
