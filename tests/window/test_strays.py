"""The check that no widget of the window is a window by itself finds one that is planted, and nothing that is right."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from framescope.app.session.scene_lookup import example_path
from tests.support.whole_window import leave, opened_window, stray_windows, wait_for, windows

pytestmark = pytest.mark.window


def test_that_a_label_without_a_parent_that_is_shown_fails_the_test(qtbot) -> None:
    label = QLabel("left alone")
    qtbot.addWidget(label)
    wiring = opened_window(example_path("aircraft"), qtbot)
    label.show()
    with pytest.raises(AssertionError, match="left alone"):
        leave(wiring)


def test_that_one_that_was_seen_for_a_while_alone_fails_it(qtbot) -> None:
    wiring = opened_window(example_path("aircraft"), qtbot)
    label = QLabel("seen for a moment")
    label.show()
    wait_for(label.isVisible)
    label.close()
    label.deleteLater()
    assert stray_windows() == set()
    with pytest.raises(AssertionError, match="seen for a moment"):
        leave(wiring)


def test_that_menus_tips_and_docks_that_float_are_windows(qtbot) -> None:
    with windows(qtbot) as open_it:
        window = open_it(example_path("aircraft")).window
        window.docks["outline"].setFloating(True)
        menu = QMenu()
        menu.addAction("One")
        menu.popup(window.mapToGlobal(window.rect().center()))
        hidden = QLabel("never shown")
        wait_for(lambda: menu.isVisible() and window.docks["outline"].isFloating())
        assert stray_windows() == set()
        menu.close()
        menu.deleteLater()
        hidden.deleteLater()
        QApplication.processEvents()
