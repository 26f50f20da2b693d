"""A hand's way to an entry of a menu, wherever the pointer stood before."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

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


MOST_PX = 700
"""Height that a screen of 800 px has for a menu, with its bars."""


def menus_in(menu: QMenu, path: str) -> Iterator[tuple[str, QMenu]]:
    """Yield a menu and all of its submenus with the titles that lead to them."""
    yield path, menu
    for action in menu.actions():
        if action.menu() is not None:
            yield from menus_in(action.menu(), f"{path}, {action.text()}")


def test_that_every_menu_fits_on_a_small_screen(qtbot, dark) -> None:
    with windows(qtbot) as open_it:
        bar = open_it(example_path("demo")).window.header.menu_bar
        every = [found for action in bar.actions() for found in menus_in(action.menu(), action.text().replace("&", ""))]
        heights = {}
        for path, menu in every:
            menu.aboutToShow.emit()
            heights[path] = menu.sizeHint().height()
        assert len(heights) > len(bar.actions())
        assert {path: height for path, height in heights.items() if height > MOST_PX} == {}


def test_that_things_that_people_have_are_one_click_from_the_menu_insert(qtbot) -> None:
    with windows(qtbot) as open_it:
        menu = window_menu(open_it(example_path("demo")), "Insert")
        texts = {action.text().partition("\t")[0] for action in menu.actions()}
        assert {"Frame", "Body frame FLU", "Camera", "IMU", "Propeller", "Absolute sensor", "Note"} <= texts


def test_that_letters_go_to_the_entries_that_begin_with_them(qtbot) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("demo"))
        n_bodies = len(wiring.session.document.scene.bodies)
        menu = window_menu(wiring, "Insert")
        texts = []
        for key in (Qt.Key.Key_I, Qt.Key.Key_I, Qt.Key.Key_I, Qt.Key.Key_I, Qt.Key.Key_P, Qt.Key.Key_S):
            QTest.keyClick(menu, key)
            texts.append(menu.activeAction().text().partition("\t")[0])
        imported = ["Import a recording…", "Import a second run as a ghost…"]
        assert texts == ["IMU", *imported, "IMU", "Propeller", "Shape"]
        QTest.keyClick(menu, Qt.Key.Key_Right)
        inner = menu.activeAction().menu()
        wait_for(inner.isVisible)
        QTest.keyClick(inner, Qt.Key.Key_C)
        assert inner.activeAction().text().startswith("C")
        before = inner.activeAction()
        QTest.keyClick(inner, Qt.Key.Key_Q)
        assert inner.activeAction() is before, "no entry begins with it"
        QTest.keyClick(inner, Qt.Key.Key_Return)
        wait_for(lambda: len(wiring.session.document.scene.bodies) == n_bodies + 1)
