"""Presets, the full screen of a presentation and back, and the sheet of shortcuts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow

from framescope.ui.help.shortcut_sheet import GESTURES, ShortcutSheet, camera_gestures, shortcuts_of
from framescope.ui.scene_view.interaction.navigation import USUAL
from framescope.ui.window import dock_table
from framescope.ui.window.places import PLACES, Presentation
from tests.support.hands import Key, strike

DOCKS = (
    *("outline", "inspector", "relation", "readouts", "problems", "shift", "gimbal", "manual"),
    *("question", "timeline", "detective", "drift", "plots"),
)


def test_that_places_have_their_sizes_and_panels():
    sizes = {name: (preset.left, preset.right, preset.bottom) for name, preset in PLACES.items()}

    assert sizes == {"Build": (280, 260, 214), "Learn": (400, 260, 212), "Check": (280, 360, 252)}
    assert all(set(dock.layouts) <= set(PLACES) for dock in dock_table.DOCKS.values())
    assert not PLACES["Learn"].shows("outline")
    assert PLACES["Check"].shows("problems")
    assert PLACES["Check"].in_front == ("relation", "problems")


@pytest.fixture
def window(qtbot, dark):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.scene = QLabel("scene")
    window.setCentralWidget(window.scene)
    menu = window.menuBar().addMenu("&View")
    action = QAction("Present", window)
    action.setShortcut(QKeySequence("F11"))
    menu.addAction(action)
    window.addAction(action)
    quiet = QAction("No keys", window)
    menu.addAction(quiet)
    grey = QAction("Grey", window)
    grey.setShortcut(QKeySequence("Ctrl+G"))
    grey.setEnabled(False)
    menu.addAction(grey)
    window.statusBar().showMessage("status")
    window.docks = {}
    for name in DOCKS:
        dock = QDockWidget(name, window)
        dock.setObjectName(name)
        dock.setWidget(QLabel(name))
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
        window.docks[name] = dock
    window.docks["problems"].hide()
    window.presentation = Presentation(window, window.docks)
    action.triggered.connect(window.presentation.toggle)
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def seen(window) -> set[str]:
    return {name for name, dock in window.docks.items() if not dock.isHidden()}


@pytest.mark.parametrize("leave", [Key.Key_F11, Key.Key_Escape])
def test_that_a_presentation_hides_all_but_the_timeline_and_leaving_restores_the_window(window, qtbot, leave):
    before, size = seen(window), window.size()
    changed = []
    window.presentation.changed.connect(changed.append)
    strike(window, Key.Key_F11)
    qtbot.waitUntil(window.isFullScreen)

    assert seen(window) == {"timeline"}
    assert window.menuBar().isHidden()
    assert window.statusBar().isHidden()

    strike(window, leave)
    qtbot.waitUntil(lambda: not window.isFullScreen())

    assert seen(window) == before
    assert not window.menuBar().isHidden()
    assert not window.statusBar().isHidden()
    assert changed == [True, False]
    qtbot.waitUntil(lambda: window.size() == size)


def test_that_a_presentation_gives_the_scene_the_keyboard(window, qtbot):
    window.scene.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for name in ("timeline", "outline"):
        window.docks[name].widget().setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.docks["outline"].widget().setFocus()
    window.presentation.enter()
    qtbot.waitUntil(window.isFullScreen)
    qtbot.waitUntil(window.scene.hasFocus)
    window.presentation.leave()


def test_that_plots_may_stay_and_nothing_else_may(window, qtbot):
    window.presentation.set_kept_docks(("plots", "outline"))
    window.presentation.enter()
    assert seen(window) == {"plots"}
    window.presentation.set_kept_docks(("timeline", "plots"))
    assert seen(window) == {"timeline", "plots"}
    window.presentation.leave()
    window.presentation.leave()
    assert "outline" in seen(window)


# Shortcuts


@pytest.fixture
def sheet(qtbot, dark, window):
    sheet = ShortcutSheet(shortcuts_of(window.menuBar().actions()), window)
    sheet.show()
    with qtbot.waitExposed(sheet):
        pass
    sheet.activateWindow()
    qtbot.waitUntil(sheet.isActiveWindow)
    return sheet


def test_that_the_sheet_has_the_keys_of_the_menus_and_the_gestures(sheet):
    listed = {(one.group, one.does, one.keys) for one in sheet.matches()}

    assert ("View", "Present", "F11") in listed
    assert ("View", "Grey", "Ctrl G") in listed  # what cannot be done just now has keys all the same
    assert "No keys" not in {does for _, does, _ in listed}
    assert len(listed) == len(GESTURES) + len(camera_gestures(USUAL)) + 2
    labels = {label.text() for label in sheet.findChildren(QLabel)}
    assert {one.does for one in sheet.matches()} <= labels


def test_that_it_is_searched_by_what_it_does_and_by_key(sheet):
    QTest.keyClicks(sheet.search, "shift drag")
    assert {one.does for one in sheet.matches()} == {"Move the camera", "Finely"}
    sheet.search.clear()
    QTest.keyClicks(sheet.search, "zzz")
    assert sheet.matches() == ()
    strike(sheet, Key.Key_Escape)
    assert not sheet.isVisible()
