"""A hand's way to an entry of a menu, wherever the pointer stood before."""

from __future__ import annotations

from PySide6.QtTest import QTest

from framescope.app.session.scene_lookup import example_path
from framescope.features.lessons.app.lesson_entry import lesson_player
from tests.support.whole_window import from_menu, submenu, wait_for, window_menu, windows


def test_that_an_entry_is_chosen_where_the_pointer_already_stood(qtbot) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("keyframes"))
        menu = window_menu(wiring, "Help")
        lessons = submenu(menu, "Lessons")
        lesson = lessons.actions()[0]
        place = lessons.mapToGlobal(lessons.actionGeometry(lesson).center())
        lessons.close()
        menu.close()
        QTest.mouseMove(wiring.window.windowHandle(), wiring.window.mapFromGlobal(place))
        from_menu(wiring, "Help", "Lessons", lesson.text())
        wait_for(lambda: lesson_player(wiring).is_on)
