"""Docks, actions, visuals and pages of the window: those of the base, and those in the records of features."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from framescope.app import startup
from framescope.app.background.preload import LATER
from framescope.app.controllers.data_docks import NEEDS
from framescope.app.session.scene_lookup import find_scene
from framescope.core.system.features import installed_features, load_entry
from framescope.ui.help import manual_index
from framescope.ui.scene_view import visual_registry
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.window import dock_table
from framescope.ui.window.places import PLACES

WITHOUT_FEATURES = """
import framescope.features
framescope.features.FEATURES = ()
from PySide6.QtWidgets import QApplication, QDockWidget
from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.ui.help.manual_index import BASE, manual_pages
from framescope.ui.scene_view import visual_registry
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from framescope.ui.window import dock_table
from tests.app.test_window_records import dead_entries

app = QApplication([])
current_theme.apply_theme(app, DARK)
wiring = startup.make_window(find_scene("demo"))
window = wiring.window
window.show()
window.set_place("Check")
docks = {dock.objectName() for dock in window.findChildren(QDockWidget)}
assert docks == {dock.name for dock in dock_table.BASE}, docks
assert visual_registry.VISUALS == visual_registry.BASE
assert tuple(page.name for page in manual_pages()) == BASE
assert window.commands.of_features == {}
assert dead_entries(window) == [], dead_entries(window)
window.show_dock("relation")
window.close()
"""


def dead_entries(window) -> list[str]:
    """Return the texts of menu entries that do nothing, and of empty menus."""
    window.menus.recent.aboutToShow.emit()

    def walk(actions: list[QAction]) -> Iterator[str]:
        for action in actions:
            menu = action.menu()
            if isinstance(menu, QMenu):
                menu.aboutToShow.emit()
                yield from [action.text()] if menu.isEmpty() else walk(menu.actions())
            elif action.isEnabled() and not action.isSeparator():
                receivers = action.receivers("2triggered(bool)") + action.receivers("2toggled(bool)")
                if receivers <= action.receivers("2hovered()"):  # those of menus and groups, which Qt connects
                    yield action.text()

    return list(walk(window.header.menu_bar.actions()))


@pytest.fixture
def window(qapp, qtbot):
    current_theme.apply_theme(qapp, DARK)
    wiring = startup.make_window(find_scene("demo"))
    wiring.window.show()
    qtbot.waitExposed(wiring.window)
    yield wiring.window
    wiring.window.close()
    wiring.window.deleteLater()


def test_that_each_table_of_the_window_has_the_entries_of_base_and_records() -> None:
    features = installed_features()
    docks = [dock.name for feature in features for dock in feature.docks]
    assert sorted(dock_table.DOCKS) == sorted([*(dock.name for dock in dock_table.BASE), *docks])
    visuals = [feature.load(entry) for feature in features for entry, _ in feature.visuals]
    assert set(visual_registry.VISUALS) == {*visual_registry.BASE, *visuals}
    pages = [page for feature in features for page, _ in feature.manual]
    assert sorted(manual_index.ORDER) == sorted([*manual_index.BASE, *pages])
    assert {feature.full(module) for feature in features for module in feature.preload} <= set(LATER)


def test_that_records_name_places_that_there_are_and_objects_that_can_be_imported() -> None:
    features = installed_features()
    visuals = {visual.__name__ for visual in visual_registry.VISUALS}
    assert {before for feature in features for _, before in feature.visuals} <= visuals
    assert {before for feature in features for _, before in feature.manual} <= set(manual_index.ORDER)
    docks = [dock_table.DOCKS[dock.name] for feature in features for dock in feature.docks]
    assert {dock.after for dock in docks} <= set(dock_table.DOCKS)
    assert {dock.behind for dock in docks} <= {"", *dock_table.DOCKS}
    assert {layout for dock in docks for layout in dock.layouts} <= set(PLACES)
    assert all(callable(load_entry(dock.maker)) for dock in docks)
    assert {name: load_entry(dock.needs) for name, dock in dock_table.DOCKS.items() if dock.needs} == NEEDS


def test_that_actions_of_features_stand_in_menus_and_each_entry_does_something(window) -> None:
    actions = [action for feature in installed_features() for action in feature.actions]
    assert set(window.commands.of_features) == {action.name for action in actions}
    texts = {entry.text() for menu in window.header.menu_bar.actions() for entry in menu.menu().actions()}
    assert {action.text for action in actions} <= texts
    assert dead_entries(window) == []
    window.header.menu_bar.actions()[0].menu().addAction("Dead")
    assert dead_entries(window) == ["Dead"]


@pytest.mark.process
@pytest.mark.long
def test_that_the_window_opens_without_features_with_docks_of_the_base_alone_and_no_dead_entry() -> None:
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_FEATURES], capture_output=True, text=True, check=False, timeout=120
    )
    assert result.returncode == 0, result.stderr
