"""A while of random use: nothing goes wrong, and the scene can be saved, taken back to its start, and brought again."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from framescope.app import startup
from framescope.app.controllers.wiring import Wiring
from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import example_path
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.bench.bench_monkey import things_to_open
from tests.support.hands import show
from tests.support.monkey import Monkey
from tests.support.whole_window import leave
from tests.support.wrappers import outlived_items

N_EVENTS = 60
MAX_STEPS = 600


@pytest.fixture(autouse=True)
def dark_again(qapp, dark):
    """Leave the theme as other tests expect it: random use switches it."""
    yield
    if current_theme.current() is not DARK:
        current_theme.apply_theme(qapp, DARK)


def opened(name: str) -> Wiring:
    """Open the window on an example, whose changes may be lost."""
    wiring = startup.make_window(example_path(name))
    wiring.session.document.is_handed_back = True
    wiring.window.show()
    QTest.qWait(20)
    return wiring


@pytest.mark.soak
@pytest.mark.qt_log_ignore("not accepted by receiving widget")  # QTest says so of clicks that hit nothing
@pytest.mark.parametrize(("name", "seed"), [("demo", 1), ("sensor", 2), ("keyframes", 3)])
def test_that_random_use_breaks_nothing(tmp_path, name, seed) -> None:
    wiring = opened(name)
    session, commands = wiring.session, wiring.window.commands
    firsts = [session.document.scene]
    session.document_opened.connect(lambda: firsts.append(session.document.scene))

    found = Monkey(wiring.window, seed, files=things_to_open(tmp_path)).play(N_EVENTS)

    assert found.errors == []
    assert found.events >= N_EVENTS
    assert outlived_items() == []
    last = session.document.scene
    n_steps = 0
    while commands.undo.isEnabled() and n_steps < MAX_STEPS:
        commands.undo.trigger()
        n_steps += 1
    assert session.document.scene == firsts[-1]
    for _ in range(n_steps):  # and no further: random use may have taken steps back itself
        commands.redo.trigger()
    assert session.document.scene == last
    saved = tmp_path / "saved" / "scene.yaml"
    saved.parent.mkdir()
    assert session.save(saved)
    assert Document.open(saved).scene == last
    leave(wiring)


def plain_window(qtbot, done: list[str]) -> QMainWindow:
    """Give a window in which nothing goes by itself, and note what is done in it."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.header = SimpleNamespace(menu_bar=QMenuBar())  # not to be seen: a menu minds how long it has been open
    qtbot.addWidget(window.header.menu_bar)
    for name in ("one", "two"):
        menu = window.header.menu_bar.addMenu("menu")
        menu.addAction(name).triggered.connect(lambda _=0, name=name: done.append(name))
    middle = QWidget()
    column = QVBoxLayout(middle)
    for kind in (QLineEdit, QSlider, QPushButton, QCheckBox):
        part = kind()
        column.addWidget(part)
        for signal in ("textChanged", "valueChanged", "clicked"):
            if hasattr(part, signal):
                getattr(part, signal).connect(lambda value=0, signal=signal: done.append(f"{signal} {value}"))
    window.setCentralWidget(middle)
    show(window, qtbot)
    return window


def test_that_a_seed_does_the_same_again(qtbot) -> None:
    told: list[list[str]] = [[], []]
    for done in told:
        window = plain_window(qtbot, done)
        Monkey(window, 5).play(N_EVENTS)
        window.close()
    assert len(told[0]) > N_EVENTS / 4
    assert told[0] == told[1]


class Coy(QWidget):
    """Lets a drag in, and takes nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, acceptDrops=True)
        self.heard: list[str] = []

    def dragEnterEvent(self, event) -> None:
        self.heard.append("enter")
        event.accept()

    def dragMoveEvent(self, event) -> None:
        self.heard.append("move")
        event.ignore()

    def dragLeaveEvent(self, _event) -> None:
        self.heard.append("leave")


def test_that_a_drag_that_is_not_taken_leaves(qtbot) -> None:
    window = plain_window(qtbot, [])
    coy = Coy(window)
    coy.show()
    assert Monkey(window, 1).drop(QMimeData(), coy) == Qt.DropAction.IgnoreAction
    assert coy.heard == ["enter", "move", "leave"]


def test_that_selected_words_that_a_timer_drags_are_let_go(qtbot) -> None:
    window = plain_window(qtbot, [])
    words = QPlainTextEdit("words", readOnly=True)
    window.setCentralWidget(words)
    qtbot.waitUntil(words.isVisible)
    words.selectAll()
    heard: list[str] = []

    def drag() -> None:
        heard.append("start")
        QTest.mousePress(words.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12, 10))
        QTest.mouseMove(words.viewport(), QPoint(90, 40))
        heard.append("end")

    def give_up() -> None:
        heard.append("waited in vain")
        QDrag.cancel()

    monkey = Monkey(window, 1)
    patience = QTimer(window, singleShot=True, interval=3000)
    patience.timeout.connect(give_up)
    patience.start()
    with monkey.alone():
        QTimer.singleShot(0, window, drag)
        qtbot.waitUntil(lambda: "end" in heard)
    assert heard == ["start", "end"]


def test_that_a_question_within_a_question_is_left(qtbot) -> None:
    window = plain_window(qtbot, [])
    asked: list[str] = []

    class Question(QDialog):
        def showEvent(self, event) -> None:
            super().showEvent(event)
            asked.append(self.windowTitle())

    def ask(owner: QWidget, title: str, then: Callable[[QWidget], object]) -> None:
        question = Question(owner, windowTitle=title)
        button = QPushButton("More", question, autoDefault=False)
        button.clicked.connect(lambda: then(question))
        button.resize(200, 100)
        question.exec()

    class Clicking(Monkey):
        def _event_on(self, widget: QWidget) -> str:
            QTest.mouseClick(widget.findChild(QPushButton), Qt.MouseButton.LeftButton)
            return "click"

    def first() -> None:
        ask(window, "first", lambda owner: ask(owner, "second", lambda _owner: None))

    monkey = Clicking(window, 1)
    with monkey.alone():
        monkey.run_timed(lambda: str(first()))
    assert asked == ["first", "second"]


def test_that_waiting_in_a_loop_is_no_pause(qtbot) -> None:
    window = plain_window(qtbot, [])
    monkey = Monkey(window, 1)

    def wait() -> str:
        QTest.qWait(400)
        return "waited"

    def hold_up() -> str:
        end = time.perf_counter() + 0.4
        while time.perf_counter() < end:
            pass
        return "held up"

    with monkey.alone():
        for act in (wait, hold_up, wait):
            monkey.run_timed(act)
    assert [pause.what for pause in monkey.findings.pauses] == ["held up"]
