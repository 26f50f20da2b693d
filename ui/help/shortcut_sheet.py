"""Sheet of all shortcuts: of menus, of the mouse and keys in the scene, and of fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QStackedWidget, QWidget

from framescope.core.system.features import Shortcut, installed_features
from framescope.ui.formatting.fuzzy_match import fold
from framescope.ui.palette.command import commands_of_actions, text_of
from framescope.ui.scene_view.interaction.navigation import MOVE_TEXTS, USUAL, NavigationPreset
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.search_field import SearchField

_SIZE = QSize(620, 640)


_SCENE, _LECTURE = "In the scene", "In full screen, and in lessons"

GESTURES = (
    Shortcut(_SCENE, "Turn the camera by keys", "Arrows"),
    Shortcut(_SCENE, "Zoom to the pointer", "Wheel"),
    Shortcut(_SCENE, "Zoom", "+  −"),
    Shortcut(_SCENE, "Fit the scene", "Double click"),
    Shortcut(_SCENE, "From the front, right, top, corner", "Keypad 1 3 7 0"),
    Shortcut(_SCENE, "Select", "Click"),
    Shortcut(_SCENE, "Select the item behind", "Click again"),
    Shortcut(_SCENE, "Select one more item, or one less", "Ctrl click"),
    Shortcut(_SCENE, "Play or pause", "Space"),
    Shortcut(_SCENE, "To the start, to the end", "Home  End"),
    Shortcut(_SCENE, "Leave the current mode", "Esc"),
    Shortcut("Handles of a frame", "Choose the axis to turn about; again: to move along", "X  Y  Z"),
    Shortcut("Handles of a frame", "Turn or move", "Arrows"),
    Shortcut("Handles of a frame", "Whose axes", "A"),
    Shortcut("Handles of a frame", "Finely", "Shift drag"),
    Shortcut("Handles of a frame", "In whole steps", "Ctrl drag"),
    Shortcut("Handles of a frame", "Keep", "Return"),
    Shortcut("Turn axis by axis", "Play or pause", "Space"),
    Shortcut("Turn axis by axis", "Previous or next turn", "Left  Right"),
    Shortcut("Turn axis by axis", "Small step back or forward", "Down  Up"),
    Shortcut("Turn axis by axis", "To the start, to the end", "Home  End"),
    Shortcut("Turn axis by axis", "Leave", "Esc"),
    Shortcut(_LECTURE, "Blank the screen; any key restores it", "B"),
    Shortcut(_LECTURE, "Ring around the pointer", "P"),
    Shortcut(_LECTURE, "Light this: the axis, arrow, row or number under the pointer", "L, or hold L"),
    Shortcut(_LECTURE, "Leave the light, the large panel, the full screen", "Esc"),
    Shortcut("Sliders and numbers", "One step", "Up  Down"),
    Shortcut("Sliders and numbers", "One step", "Wheel over a clicked value"),
    Shortcut("Sliders and numbers", "Go to the next value", "Tab"),
    Shortcut("Sliders and numbers", "A tenth of a step", "with Ctrl"),
    Shortcut("Sliders and numbers", "Fifteen steps", "Page Up  Page Down"),
    Shortcut("Sliders and numbers", "Scrub a number", "Drag on it"),
    Shortcut("Sliders and numbers", "Slider to zero", "Home"),
    Shortcut("Sliders and numbers", "Remove the offset", "Double click on the slider"),
    Shortcut("Sliders and numbers", "Change the expression of an angle", "F2"),
    Shortcut("Sliders and numbers", "Cancel the edit", "Esc"),
    Shortcut("Timeline", "Play or pause", "Space"),
    Shortcut("Timeline", "One step back or forward", ",  ."),
    Shortcut("Timeline", "One step back or forward, once it was clicked", "Left  Right"),
    Shortcut("Timeline", "To the start, to the end", "Home  End"),
    Shortcut("Timeline", "Select the previous or next marker", "Alt Left  Alt Right"),
    Shortcut("Timeline", "Go to the selected marker", "Return"),
    Shortcut("Timeline", "Move the selected key, by ten steps, by a tenth", "Left  Right  with Shift, Ctrl"),
    Shortcut("Timeline", "Delete the selected key", "Del"),
    Shortcut("Plots", "Change the time", "Drag"),
    Shortcut("Plots", "Zoom the time axis", "Wheel"),
    Shortcut("Plots", "Zoom the time axis at the cursor", "+  −"),
    Shortcut("Plots", "Zoom the value axis", "Ctrl wheel"),
    Shortcut("Plots", "Zoom the value axis", "Ctrl +  −"),
    Shortcut("Plots", "Move the view", "Right drag"),
    Shortcut("Plots", "Move the view", "Shift arrows"),
    Shortcut("Plots", "Show everything", "Double click"),
    Shortcut("Plots", "Show everything", "0"),
    Shortcut("Plots", "Copy the values at the cursor", "Ctrl C"),
    Shortcut("Plots", "Hide or show a curve", "Click in the legend"),
    Shortcut("Problems", "Go to the item", "Return"),
    Shortcut("Problems", "Fix it", "Ctrl Return"),
    Shortcut("Manual", "Play or pause the scene", "Space"),
    Shortcut("Manual", "Back, forward", "Alt Left  Alt Right"),
    Shortcut("Manual", "Search", "Ctrl F"),
    *(shortcut for feature in installed_features() for shortcut in feature.shortcuts),
)


def camera_gestures(preset: NavigationPreset) -> tuple[Shortcut, ...]:
    """Return the gestures of a navigation preset that move the camera, and the pinch.

    >>> from framescope.ui.scene_view.interaction.navigation import PRESETS
    >>> [gesture.keys for gesture in camera_gestures(PRESETS["rviz"])]
    ['Drag', 'Shift drag', 'Middle drag', 'Right drag', 'Two fingers', 'Pinch']
    """
    drags = (Shortcut(_SCENE, MOVE_TEXTS[gesture.move], gesture.text) for gesture in preset.gestures)
    return (*drags, Shortcut(_SCENE, MOVE_TEXTS["zoom"], "Pinch"))


def shortcuts_of(actions: Iterable[QAction]) -> tuple[Shortcut, ...]:
    """Return the shortcuts of a menu bar, in order. The name of the menu is the group."""
    shortcuts: list[Shortcut] = []
    for action in actions:
        shortcuts += [
            Shortcut(text_of(action)[0], command.title, command.shortcut)
            for command in commands_of_actions([action], is_enabled_only=False)
            if command.shortcut
        ]
    return tuple(shortcuts)


class ShortcutSheet(QDialog):
    """Lists shortcuts under headings, and searches them by effect and keys.

    Parameters
    ----------
    shortcuts
        Shortcuts of the menus. Gestures are added.
    navigation
        The preset of the gestures that move the camera.
    """

    def __init__(
        self, shortcuts: Sequence[Shortcut], parent: QWidget | None = None, navigation: NavigationPreset = USUAL
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "window.md")
        self.setWindowTitle("Shortcuts")
        self.resize(layouts.fitting_size(self, _SIZE))
        self._shortcuts = (*shortcuts, *camera_gestures(navigation), *GESTURES)
        heading = layouts.label("Shortcuts", "title")
        self.search = SearchField("Search by effect or by key", "search shortcuts")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_matches)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("shortcuts")
        nothing = EmptyState("search", "No shortcut for that", "Ctrl K finds every command, with or without keys.")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._scroll)
        self._pages.addWidget(nothing)
        close = push_button("Close", autoDefault=False, clicked=self.accept)
        bottom = layouts.row(layouts.STRETCH, close)
        column = layouts.column(
            heading, self.search, self._pages, on=self, margins=METRICS.padding, spacing=METRICS.gap
        )
        column.setStretchFactor(self._pages, 1)
        column.addLayout(bottom)
        self._show_matches()
        self.search.setFocus()

    def matches(self) -> tuple[Shortcut, ...]:
        """Return the shortcuts that match the search."""
        words = "".join(fold(self.search.text())).split()
        return tuple(shortcut for shortcut in self._shortcuts if all(word in _search_text(shortcut) for word in words))

    def _show_matches(self) -> None:
        matches = self.matches()
        self._pages.setCurrentIndex(0 if matches else 1)
        sheet = QWidget()
        grid = layouts.grid(on=sheet, margins=(0, 0, METRICS.gap, 0), spacing=(METRICS.padding, METRICS.inner))
        grid.setColumnStretch(0, 1)
        row, group = 0, ""
        for shortcut in matches:
            if shortcut.group != group:
                group = shortcut.group
                title = layouts.label(group, "section")
                title.setContentsMargins(0, METRICS.gap if row else 0, 0, 2)
                grid.addWidget(title, row, 0, 1, 2)
                row += 1
            does, keys = QLabel(shortcut.does), QLabel(shortcut.keys)
            for label in (does, keys):
                label.setTextFormat(Qt.TextFormat.PlainText)
            keys.setProperty("role", "key")
            grid.addWidget(does, row, 0)
            grid.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight)
            row += 1
        grid.setRowStretch(row, 1)
        self._scroll.setWidget(sheet)


def _search_text(shortcut: Shortcut) -> str:
    return "".join(fold(f"{shortcut.does} {shortcut.keys} {shortcut.group}"))
