"""The axes of all frames: full, thin or off, by menu and by key, in one step that undo takes back."""

from __future__ import annotations

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.edits.axes import axes_look
from framescope.ui.help.shortcut_sheet import GESTURES, shortcuts_of
from framescope.ui.palette.command import commands_of_actions
from tests.support.hands import Key, strike
from tests.support.whole_window import from_menu, windows


def test_that_the_axes_of_all_frames_change_by_menu_and_by_key_and_come_back(qtbot) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("robot-arm"))
        session, view = wiring.session, wiring.window.scene_view

        def look() -> str:
            return axes_look(session.document.scene.view)

        assert look() == "automatic"
        from_menu(wiring, "View", "Axes of all frames", "Thin")
        assert look() == "thin"
        assert session.plan.view_data.has_thin_triads
        view.setFocus()
        strike(view, Key.Key_T)
        assert look() == "off"
        assert not session.plan.view_data.has_triad.any()
        strike(view, Key.Key_T)
        assert look() == "full"
        assert wiring.window.commands.view.axes_looks["full"].isChecked()
        for expected in ("off", "thin", "automatic"):
            wiring.window.commands.undo.trigger()
            assert look() == expected
        titles = [command.title for command in commands_of_actions(wiring.window.header.menu_bar.actions())]
        assert {f"Axes of all frames: {look}" for look in ("Automatic", "Full", "Thin", "Off")} <= set(titles)


def test_that_every_command_of_the_menus_and_the_scene_has_one_key(qtbot) -> None:
    with windows(qtbot) as open_it:
        menus = shortcuts_of(open_it(example_path("robot-arm")).window.header.menu_bar.actions())
    keys = {shortcut.does: shortcut.keys for shortcut in menus}
    assert keys["Fit the scene"] == "F"
    assert keys["Fit the selection"] == "Shift F"
    assert keys["The scene's own camera"] == "R"
    assert keys["Orthographic"] == "5"
    gestures = [shortcut for shortcut in GESTURES if shortcut.group == "In the scene"]
    twice = [shortcut.does for shortcut in gestures if shortcut.does in keys and "lick" not in shortcut.keys]
    assert twice == ["Play or pause"], "Space in the scene, Ctrl Space everywhere; nothing else has a second key"
    assert len({shortcut.keys for shortcut in menus}) == len(menus), "a key has two commands"
