"""The whole window under a hand: its menus, its dialogs, and what is carried through it or dropped onto it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QWidget,
)

from framescope.app import startup
from framescope.app.controllers.wiring import Wiring
from framescope.core.scene.schema.model import ItemKey
from framescope.ui.help.manual_viewer import ManualViewer
from tests.support.hands import LEFT, PLAIN, Key, show, strike

ALT = Qt.KeyboardModifier.AltModifier
NO_BUTTON = Qt.MouseButton.NoButton
CARRIED_MS = 4
MOTIONS = 8
"""More than Qt takes for a hand that trembles."""


@contextmanager
def windows(qtbot) -> Iterator[Callable[[Path], Wiring]]:
    """Give what opens the window on a scene file; all are closed at the end, whatever is unsaved."""
    opened: list[Wiring] = []

    def open_it(path: Path) -> Wiring:
        opened.append(opened_window(path, qtbot))
        return opened[-1]

    yield open_it
    strays = []
    while opened:
        try:
            leave(opened.pop())
        except AssertionError as error:  # the others are closed, too
            strays.append(error)
    if strays:
        raise strays[0]


def opened_window(path: Path, qtbot) -> Wiring:
    """Return a new window on a scene file, shown."""
    _strays.clear()
    wiring = startup.make_window(path)
    show(wiring.window, qtbot)
    return wiring


def leave(wiring: Wiring) -> None:
    """Close a window without a question; fail where one of its widgets was seen as a window by itself."""
    strays = _note_strays()
    _strays.clear()
    wiring.session.document.is_handed_back = True
    wiring.window.close()
    wiring.window.deleteLater()
    assert not strays, f"shown without a parent, as a window by itself: {sorted(strays)}"


WINDOWS = (QMainWindow, QDialog, QMenu, QDockWidget, ManualViewer)
"""Kinds of widgets that are windows, be it without a parent; popups and tips say so by their flags."""

_strays: set[str] = set()
"""Widgets that were seen as windows since a window was opened, and are none."""


def stray_windows() -> set[str]:
    """Return the visible widgets that are windows only because they have no parent, in words."""
    return {
        f"{type(widget).__name__} {widget.objectName()!r} {_words_of(widget)!r}"
        for widget in QApplication.topLevelWidgets()
        if widget.isVisible()
        and widget.windowType() == Qt.WindowType.Window
        and widget.parentWidget() is None
        and not isinstance(widget, WINDOWS)
    }


def _note_strays() -> set[str]:
    _strays.update(stray_windows())
    return set(_strays)


def _words_of(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    return str(text() if callable(text) else widget.windowTitle() or widget.accessibleName())[:60]


def click(widget: QWidget, at: QPoint | None = None, modifiers=PLAIN) -> None:
    QTest.mouseClick(widget, LEFT, modifiers, widget.rect().center() if at is None else at)


REST_S, LONGEST_REST_S = 0.002, 0.01
"""Between two looks, longer the longer it takes: what is waited for is often at work in another thread or process,
which has the processor then."""


def wait_for(is_so: Callable[[], bool], for_s: float = 30.0) -> None:
    """Let Qt go on until something is so."""
    end, rest = time.perf_counter() + for_s, REST_S
    while not is_so():
        assert time.perf_counter() < end, "it does not come"
        QApplication.processEvents()
        if is_so():
            break
        time.sleep(rest)
        rest = min(1.02 * rest, LONGEST_REST_S)
    _note_strays()


def follow(wiring: Wiring) -> None:
    """Wait until numbers and curves have followed a gesture."""
    wait_for(lambda: not wiring.is_behind)


def strike_in(wiring: Wiring, key: Key, modifiers=PLAIN) -> None:
    """Strike a key in the window, as soon as it has the keyboard back from its dialogs."""

    def has_keyboard() -> bool:
        if not wiring.window.isActiveWindow():
            wiring.window.activateWindow()  # again, as a dialog may have taken the keyboard meanwhile
        return wiring.window.isActiveWindow()

    wait_for(has_keyboard)
    strike(wiring.window, key, modifiers)


def wait_until_saved(wiring: Wiring) -> None:
    """Wait for the file that is being written."""
    wait_for(lambda: not wiring.files.is_saving)


def click_item(wiring: Wiring, key: ItemKey, modifiers=PLAIN) -> None:
    """Click the row of an item in the outline."""
    tree = wiring.window.outline.tree
    index = wiring.window.outline.tree.index_of(key)
    tree.scrollTo(index)
    click(tree.viewport(), tree.visualRect(index).center(), modifiers)


def entry(menu: QMenu, text: str):
    """Return an entry of a menu by its words, without the keys behind them."""
    found = [action for action in menu.actions() if action.text().split("\t")[0].replace("&", "") == text]
    assert found, f"{text} is not among {[action.text() for action in menu.actions()]}"
    return found[0]


def approach(menu: QMenu, at: QPoint) -> None:
    """Move over an open menu, as a hand does that chooses.

    Qt closes a menu, without a choice, at a click where the pointer was when it opened; and where a pointer that
    nobody moves stands is chance: it is wherever the last drag let go.
    """
    for step in range(MOTIONS, -1, -1):
        place = QPointF(at - QPoint(step, 0))
        move = QMouseEvent(QMouseEvent.Type.MouseMove, place, menu.mapToGlobal(place), NO_BUTTON, NO_BUTTON, PLAIN)
        QApplication.sendEvent(menu, move)


def choose(menu: QMenu, *path: str) -> None:
    """Click through an open menu and its submenus."""
    for text in path[:-1]:
        menu = submenu(menu, text)
    _click_entry(menu, path[-1])


def submenu(menu: QMenu, text: str) -> QMenu:
    """Click an entry of an open menu that has a menu of its own, and return that, open."""
    _click_entry(menu, text)
    inner = entry(menu, text).menu()
    if not inner.isVisible():
        inner.popup(menu.mapToGlobal(QPoint(40, 40)))
    wait_for(lambda: QApplication.activePopupWidget() is inner)
    return inner


def _click_entry(menu: QMenu, text: str) -> None:
    action = entry(menu, text)
    assert action.isEnabled(), f"{text} cannot be chosen"
    at = menu.actionGeometry(action).center()
    approach(menu, at)
    click(menu, at)


def window_menu(wiring: Wiring, name: str) -> QMenu:
    """Click a menu of the window, and return it, open."""
    bar = wiring.window.header.menu_bar
    click(bar, bar.actionGeometry(entry(bar, name)).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def from_menu(wiring: Wiring, name: str, *path: str) -> None:
    """Click through the menus of the window, such as File, Save As…"""
    choose(window_menu(wiring, name), *path)


# Dialogs that hold up what opened them


class Answers:
    """What is done to the dialogs that come up, one after another."""

    def __init__(self, acts: Sequence[Callable]) -> None:
        self.left = list(acts)
        self.surprises: list[str] = []
        self.failed: BaseException | None = None
        self._is_busy = False
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if self._is_busy or not isinstance(dialog, QDialog) or not dialog.isVisible():
            return
        if not dialog.isActiveWindow():
            dialog.activateWindow()
            return
        self._is_busy = True
        try:
            if not self.left:
                self.surprises.append(getattr(dialog, "text", dialog.windowTitle)())
                dialog.reject()
            else:
                self.left.pop(0)(dialog)
        except Exception as error:  # noqa: BLE001 (raised again when all is done: Qt would lose it)
            self.failed = error
            dialog.reject()
        finally:
            self._is_busy = False


@contextmanager
def answering(*acts: Callable[[QDialog], None]) -> Iterator[Answers]:
    """Do each of these to one dialog that comes up meanwhile; others, or fewer, are a failure."""
    answers = Answers(acts)
    try:
        yield answers
    finally:
        answers.stop()
    if answers.failed is not None:
        raise answers.failed
    assert answers.surprises == [], f"more was asked: {answers.surprises}"
    assert answers.left == [], "less was asked"


def press_button(words: str) -> Callable[[QDialog], None]:
    """Return what presses a button of a question."""

    def press(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        buttons = {button.text().replace("&", ""): button for button in dialog.buttons()}
        click(buttons[words])

    return press


def name_file(path: Path | None) -> Callable[[QDialog], None]:
    """Return what types a file's name into the dialog that asks for it; None leaves it by Escape."""

    def name(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        if path is None:
            QTest.keyClick(dialog, Key.Key_Escape)
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.selectAll()
        QTest.keyClicks(field, str(path))
        field.completer().popup().hide()
        QTest.keyClick(field, Key.Key_Return)

    return name


# What is carried


def in_window(window: QWidget, widget: QWidget, at: QPoint) -> QPoint:
    return widget.mapTo(window, at)


def carry(window: QWidget, start: QPoint, end: QPoint, modifiers=PLAIN) -> None:
    """Press at a place of a window, carry what is there to another, and let go: a drag of the platform itself."""
    handle = window.windowHandle()
    way = [start + (end - start) * i / 8 for i in range(1, 9)] + [end]
    is_over: list[bool] = []

    def go_on() -> None:
        if not way:
            is_over.append(True)
            QTest.mouseRelease(handle, LEFT, modifiers, end)
            return
        # The next step is ready before this one: a move that begins to carry returns when the hand has let go.
        QTimer.singleShot(CARRIED_MS, go_on)
        _move(handle, way.pop(0), modifiers)

    QTest.mousePress(handle, LEFT, PLAIN, start)
    QTimer.singleShot(CARRIED_MS, go_on)
    wait_for(lambda: bool(is_over))


def _move(handle, to: QPoint, modifiers) -> None:
    if modifiers == PLAIN:
        QTest.mouseMove(handle, to)
    else:
        QTest.mouseEvent(QTest.MouseAction.MouseMove, handle, LEFT, modifiers, to)


def drop_files(wiring: Wiring, *paths: Path | str, at: QPoint | None = None) -> bool:
    """Drop files from elsewhere onto a window, by default over the scene; return whether they were taken."""
    window = wiring.window
    data = QMimeData()
    data.setUrls([QUrl(path) if isinstance(path, str) else QUrl.fromLocalFile(str(path)) for path in paths])
    at = window.scene_view.mapTo(window, window.scene_view.rect().center()) if at is None else at
    handle, action = window.windowHandle(), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(at, action, data, LEFT, PLAIN)
    QApplication.sendEvent(handle, enter)
    if not enter.isAccepted():
        return False
    move = QDragMoveEvent(at, action, data, LEFT, PLAIN)
    move.setDropAction(enter.dropAction())  # as Qt does with what has taken a drag
    move.accept()
    QApplication.sendEvent(handle, move)
    if not move.isAccepted():
        return False
    drop = QDropEvent(QPointF(at), action, data, LEFT, PLAIN)
    QApplication.sendEvent(handle, drop)
    return drop.isAccepted()
