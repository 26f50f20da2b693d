"""What the palette and the sheet of shortcuts list of the real window: each thing once, by its own name."""

from __future__ import annotations

from collections import Counter

import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.base import Edit
from framescope.ui.help.shortcut_sheet import GESTURES, camera_gestures, shortcuts_of
from framescope.ui.palette.command import ICONS, commands_of_actions
from framescope.ui.scene_view.interaction.navigation import USUAL
from tests.support.whole_window import windows


@pytest.fixture
def actions(qtbot):
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("robot-arm"))
        wiring.session.commit(Edit("Renamed the scene", lambda scene: scene.model_copy(update={"title": "Arm"})))
        yield wiring.window.header.menu_bar.actions()


def test_that_lists_name_each_command_by_itself_and_by_the_menu_it_stands_in(actions) -> None:
    commands = commands_of_actions(actions, is_enabled_only=False)
    menus = {action.text().replace("&", ""): action.menu() for action in actions}
    for name, menu in menus.items():
        inside = {command.kind for command in commands_of_actions(menu.actions(), name.lower(), is_enabled_only=False)}
        assert inside == {name.lower()}
        assert name.lower() in ICONS
    kinds = {command.title: command.kind for command in commands}
    assert kinds["Box"] == "insert"
    assert kinds["Learn"] == "window"
    titles = [command.title for command in commands]
    assert {"Undo", "Redo"} <= set(titles)
    assert [title for title in titles if title.startswith(("Undo:", "Redo:"))] == []
    assert [pair for pair, n in Counter((command.title, command.kind) for command in commands).items() if n > 1] == []


def test_that_the_menu_still_says_what_would_be_undone(actions) -> None:
    edit = next(action.menu() for action in actions if action.text() == "&Edit")
    assert edit.actions()[0].text() == "Undo: Renamed the scene"


def test_that_the_sheet_of_shortcuts_has_every_key_and_nothing_twice(actions) -> None:
    sheet = [*shortcuts_of(actions), *camera_gestures(USUAL), *GESTURES]
    assert [each for each, n in Counter(sheet).items() if n > 1] == []
    keys = {each.does: each.keys for each in sheet}
    assert keys["Undo"] == "Ctrl Z"
    assert keys["Size of everything: Larger"] == "Ctrl +"
    assert all(each.keys.strip() == each.keys and each.keys for each in sheet)
    taken = [each.keys for each in shortcuts_of(actions)]
    assert [key for key, n in Counter(taken).items() if n > 1] == []
