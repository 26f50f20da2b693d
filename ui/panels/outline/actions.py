"""Actions on items of the outline, with their shortcuts, for the panel and the menus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QColor, QIcon, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from framescope.core.scene.edits.new_items import templates
from framescope.core.system.features import installed_features
from framescope.ui.theme import current_theme, icons, painters
from framescope.ui.theme.tokens import METRICS

INSERT_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Shape", ("bodies",)),
    ("Point or force element", ("points", "elements")),
    ("", ("sensors", "measured", "notes")),
)
"""Submenus of the menu to add items, after frames and insertions of features, and their kinds of items.

Kinds without a title are in the menu itself.
"""

EDITS: tuple[tuple[str, str, str, str], ...] = (
    ("rename", "Rename", "F2", "pencil"),
    ("duplicate", "Duplicate", "Ctrl+D", "copy"),
    ("cut", "Cut items", "Ctrl+X", ""),
    ("copy", "Copy items", "Ctrl+C", ""),
    ("paste", "Paste items", "Ctrl+V", "clipboard-paste"),
    ("hide", "Hide or show", "Ctrl+H", "eye-off"),
    ("hide_below", "Hide or show with all below", "Ctrl+Shift+H", ""),
    ("show_all", "Show everything", "", "eye"),
    ("move", "Move to…", "Ctrl+M", "corner-down-right"),
    ("outdent", "Move up one level", "Alt+Left", ""),
    ("indent", "Move into the frame before it", "Alt+Right", ""),
    ("outdent_local", "Move up one level, local pose kept", "Alt+Shift+Left", ""),
    ("indent_local", "Move into the frame before it, local pose kept", "Alt+Shift+Right", ""),
    ("delete", "Delete", "Del", "trash-2"),
    ("delete_keeping", "Delete, child frames stay", "Shift+Del", ""),
    ("find", "Find in the outline", "Ctrl+F", "search"),
)
"""Name, text, shortcut and icon of each action."""

EDIT_GROUPS = (
    ("rename", "duplicate", "cut", "copy", "paste"),
    ("hide", "hide_below", "show_all"),
    ("delete", "delete_keeping"),
)
"""Names of the actions that share a group in the menu *Edit*."""

MOVES = ("move", "outdent", "indent", "outdent_local", "indent_local")
"""Names of the actions in the submenu *Move* of the menu *Edit*."""

COLORS: tuple[tuple[str, str, str], ...] = (
    ("neutral", "Neutral", "quiet"),
    ("own", "As in the file of the mesh", "text"),
    ("frame", "Light blue", "frame_a"),
    ("x", "As the x axis", "axis_x"),
    ("y", "As the y axis", "axis_y"),
    ("z", "As the z axis", "axis_z"),
    ("#E69F00", "Orange", "#E69F00"),
    ("#CC79A7", "Magenta", "#CC79A7"),
    ("#F0E442", "Yellow", "#F0E442"),
)
"""Colours of bodies: value in the scene, text, and colour of the theme."""


TAB = "\t"
"""Character between the text of a menu's entry and the text at its right edge."""


class OutlineActions(QObject):
    """Actions of the outline.

    Signals
    -------
    requested(str)
        The name of an action, see `EDITS`.
    insert_requested(str)
        The template of an item to add, or the name of an insertion.
    color_requested(str)
        A colour for the selected bodies.
    targets_wanted()
        A menu that inserts items is about to show them: the owner calls `show_targets`.
    """

    requested = Signal(str)
    insert_requested = Signal(str)
    color_requested = Signal(str)
    targets_wanted = Signal()

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self.by_name: dict[str, QAction] = {}
        for name, text, key, icon in EDITS:
            action = QAction(text, owner)
            action.setShortcut(key)
            # The same shortcuts have other meanings elsewhere.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(partial(self._emit_name, self.requested, name))
            if icon:
                icons.dress(action, icon, "text", size=METRICS.row_icon)
            owner.addAction(action)
            self.by_name[name] = action
        self._insertions: dict[str, QAction] = {}
        self.insert: dict[str, QAction] = {}
        self._groups: dict[str, list[QAction]] = {}
        for name, template in templates().items():
            self.insert[name] = self._insert_action(owner, name, template.text, template.icon)
            self._groups.setdefault(template.kind, []).append(self.insert[name])
        self._sections: dict[str, list[QAction]] = {}
        for insertion in (insertion for feature in installed_features() for insertion in feature.insertions):
            action = self._insert_action(owner, insertion.name, insertion.text, insertion.icon)
            action.setProperty("name", insertion.title)
            self._insertions[insertion.name] = action
            self._sections.setdefault(insertion.group, []).append(action)

    def _insert_action(self, owner: QWidget, name: str, text: str, icon: str) -> QAction:
        action = QAction(text, owner)
        action.triggered.connect(partial(self._emit_name, self.insert_requested, name))
        icons.dress(action, icon, "text", size=METRICS.row_icon)
        return action

    @staticmethod
    def _emit_name(signal: SignalInstance, name: str, _is_checked: bool = False) -> None:
        signal.emit(name)

    def show_targets(self, target_of: Callable[[str], str]) -> None:
        """Write behind each insertion of a feature the name of the frame that gets it, where there is one."""
        for name, action in self._insertions.items():
            target = target_of(name).replace("&", "&&")
            text = action.text().partition(TAB)[0]
            action.setText(f"{text}{TAB}on {target}" if target else text)

    def fill_insert(self, menu: QMenu) -> None:
        """Add the actions to insert items to a menu: a frame, the insertions of features, and submenus."""
        menu.aboutToShow.connect(self.targets_wanted)
        menu.addActions(self._groups["frames"])
        for actions in self._sections.values():
            menu.addActions(actions)
            menu.addSeparator()
        for title, kinds in INSERT_GROUPS:
            part = _grouping_menu(menu, title) if title else menu
            for kind in kinds:
                part.addActions(self._groups[kind])

    def fill_edit(self, menu: QMenu) -> None:
        """Add the actions that edit items to a menu, in groups."""
        for group in EDIT_GROUPS:
            menu.addActions([self.by_name[name] for name in group])
            if "delete" in group:
                _grouping_menu(menu, "Move").addActions([self.by_name[name] for name in MOVES])
            menu.addSeparator()

    def context_menu(self, parent: QWidget, is_hidden: bool, has_bodies: bool) -> QMenu:
        """Return the context menu of the selected items; colours are for bodies only."""
        menu, actions = QMenu(parent), self.by_name
        menu.setToolTipsVisible(True)
        self.fill_insert(menu.addMenu("Insert"))
        menu.addSeparator()
        menu.addActions([actions[name] for name in ("rename", "duplicate", "cut", "copy", "paste")])
        menu.addSeparator()
        actions["hide"].setText("Show" if is_hidden else "Hide")
        actions["hide_below"].setText("Show with all below" if is_hidden else "Hide with all below")
        menu.addActions([actions[name] for name in ("hide", "hide_below", "show_all")])
        if has_bodies:
            self._add_colors(menu.addMenu("Colour"))
        menu.addSeparator()
        menu.addActions([actions[name] for name in ("move", "outdent", "indent")])
        menu.addSeparator()
        menu.addActions([actions[name] for name in ("delete", "delete_keeping")])
        return menu

    def _add_colors(self, menu: QMenu) -> None:
        for color, text, role in COLORS:
            action = menu.addAction(swatch(role), text)
            action.setData(color)
            action.triggered.connect(partial(self._emit_name, self.color_requested, color))


def _grouping_menu(menu: QMenu, title: str) -> QMenu:
    """Add a submenu whose title the search does not write before its commands."""
    submenu = menu.addMenu(title)
    submenu.setProperty("is_grouping", True)
    return submenu


def swatch(role: str) -> QIcon:
    """Return an icon of a round patch in a colour."""
    size = METRICS.row_icon
    picture = QPixmap(2 * size, 2 * size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = painters.smooth(picture)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(current_theme.color(role)))
    painter.drawEllipse(2, 2, 2 * size - 4, 2 * size - 4)
    painter.end()
    picture.setDevicePixelRatio(2.0)
    return QIcon(picture)
