"""Menus of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from framescope.ui.panels.orientation.actions import OrientationActions
from framescope.ui.panels.outline.actions import OutlineActions
from framescope.ui.widgets.menu_letters import MenuLetters
from framescope.ui.window.actions import Actions
from framescope.ui.window.dock_table import BASE, DOCKS
from framescope.ui.window.view_actions import ViewActions


class Menus:
    """Menus of the window. Menus that are filled later are attributes."""

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        docks: Mapping[str, QAction],
        items: OutlineActions,
        of_frame: OrientationActions,
    ) -> None:
        self._add_file(bar.addMenu("&File"), actions)
        self._add_edit(bar.addMenu("&Edit"), actions, items, of_frame)
        self._add_view(bar.addMenu("&View"), actions, actions.view)
        self._add_insert(bar.addMenu("&Insert"), actions, items)
        self._add_window(bar.addMenu("&Window"), actions, docks)
        self._add_help(bar.addMenu("&Help"), actions)
        for action in bar.actions():
            MenuLetters(cast("QMenu", action.menu()))

    def _add_file(self, menu: QMenu, actions: Actions) -> None:
        menu.addActions([actions.new, actions.open])
        self.recent = menu.addMenu("Open recent")
        menu.addAction(actions.examples)
        menu.addSeparator()
        menu.addActions([actions.save, actions.save_as, actions.reload, *actions.actions_in("save")])
        menu.addSeparator()
        menu.addActions([actions.export, actions.copy_picture, actions.save_picture])
        menu.addSeparator()
        menu.addAction(actions.quit)

    def _add_edit(self, menu: QMenu, actions: Actions, items: OutlineActions, of_frame: OrientationActions) -> None:
        menu.addActions([actions.undo, actions.redo, actions.search, items.by_name["find"]])
        menu.addSeparator()
        items.fill_edit(menu)
        menu.addActions(actions.actions_in("frame"))
        of_frame.add_to(menu)
        menu.addSeparator()
        menu.addActions(list(actions.units.values()))
        menu.addSeparator()
        menu.addAction(actions.settings)

    def _add_view(self, menu: QMenu, actions: Actions, view: ViewActions) -> None:
        menu.addActions([actions.play, actions.simulate])
        menu.addAction(actions.staged)
        menu.addSeparator()
        menu.addActions([actions.fit, view.fit_selection, actions.authored_camera])
        view.add_to(menu)

    def _add_insert(self, menu: QMenu, actions: Actions, items: OutlineActions) -> None:
        items.fill_insert(menu)
        menu.addSeparator()
        menu.addActions([*actions.actions_in("import"), actions.ask, actions.add_plot])

    def _add_window(self, menu: QMenu, actions: Actions, docks: Mapping[str, QAction]) -> None:
        """Fill the menu of the window: places, panels of the base, and those of features in a submenu, by place."""
        menu.addActions(list(actions.places.values()))
        menu.addSeparator()
        base = [dock.name for dock in BASE]
        menu.addActions([docks[name] for name in base])
        if set(docks) - set(base):
            self._add_more_panels(menu.addMenu("More panels"), actions, docks)
        menu.addSeparator()
        menu.addAction(actions.layout_reset)
        menu.addActions([actions.large, actions.present])
        presenting = menu.addMenu("While presenting")
        presenting.addActions([actions.blank, actions.ring, actions.light, actions.keep_plots])
        menu.addAction(actions.theme)
        menu.addMenu("Size of everything").addActions([actions.larger, actions.smaller])

    def _add_more_panels(self, menu: QMenu, actions: Actions, docks: Mapping[str, QAction]) -> None:
        """Fill the submenu of the panels of features."""
        menu.setProperty("is_grouping", True)
        base = {dock.name for dock in BASE}
        for place in actions.places:
            menu.addActions([docks[name] for name, dock in DOCKS.items() if dock.place == place and name not in base])
            menu.addSeparator()

    def _add_help(self, menu: QMenu, actions: Actions) -> None:
        menu.addActions([actions.manual, *actions.actions_in("learn"), actions.shortcuts])
        menu.addSeparator()
        menu.addActions([actions.log, actions.bug_report])
        menu.addSeparator()
        menu.addAction(actions.about)
