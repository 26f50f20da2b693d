"""A monkey at the window: random events over every widget, the same ones for the same seed.

It clicks, drags, turns the wheel, strikes keys and types, on whatever is visible and enabled; now and then it runs a
command of the menus. Menus and dialogs that open get some events too and are closed. What would leave the window (file
dialogs, quitting) is answered by files of the monkey's own, or by nothing.

Each event has random numbers of its own, and the session's clock goes by events: what takes longer today changes
nothing.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)
from shiboken6 import isValid

from framescope.app.controllers.restart import RestartNote
from framescope.app.session import session
from framescope.ui.dialogs.read_thread import ReadProgressDialog
from framescope.ui.window.main_window import MainWindow
from tests.bench.bench_run import calibrate, slowness

Key, Mouse = Qt.Key, Qt.MouseButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
MODIFIERS = (PLAIN, PLAIN, PLAIN, SHIFT, CTRL)
KEYS = (
    *(Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Tab, Key.Key_Escape, Key.Key_Return),
    *(Key.Key_Space, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown, Key.Key_Delete, Key.Key_Backspace),
    *(Key.Key_F1, Key.Key_F2, Key.Key_1, Key.Key_9, Key.Key_0, Key.Key_Period, Key.Key_Comma, Key.Key_Minus),
    *(Key.Key_A, Key.Key_D, Key.Key_G, Key.Key_M, Key.Key_T, Key.Key_X, Key.Key_Z, Key.Key_K, Key.Key_Slash),
)
NEVER = {(CTRL, key) for key in (Key.Key_Q, Key.Key_W)}
LEAVING = ("Quit", "Close")
TEXTS = ("30deg", "pi/6", "1,5", "-0.25", "2*t", "sin(t)", "1e9", "1/0", "abc", "", "world", "100 ms", "angle")
KINDS = ("click", "click", "click", "drag", "drag", "wheel", "key", "key", "double", "right", "move", "type")

ERRANDS = 0.12
"""How much of what it does is a command of the menus, while no dialog is open."""

ELSEWHERE = 0.3
"""How much of the rest goes to other windows than the main one, while there are any."""

MENU_EVENTS = 3
"""How many events a menu gets before it is closed."""

WINDOW_EVENTS = 40
"""How many events a dialog or a second window gets before it is closed."""

EVENT_S = 0.02
"""How far the session's clock goes with each event."""

READING_S = 1.0
"""How long it waits while a file is read, before it goes on to disturb."""

PAUSE_S = 0.2


@dataclass
class Pause:
    """An event that took long: what it was, and the seconds besides drawing, by the clock and of this thread alone.

    `slowness` is how many times slower than idle the machine was right after it.
    """

    what: str
    wall_s: float
    cpu_s: float
    slowness: float

    def at(self, slowness: float) -> float:
        """Return how long it takes on a machine of another slowness, s."""
        return self.wall_s * slowness / self.slowness


@dataclass
class Findings:
    """What went wrong, and how long things took.

    Attributes
    ----------
    errors
        Exceptions that no one caught, as text.
    pauses
        What took longer than `PAUSE_S` besides drawing.
    events
        How many events were sent.
    reached
        How often each kind of widget got an event, itself or by way of a part of it.
    slownesses
        How many times slower than idle the machine was, one time after another.
    """

    errors: list[str] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    events: int = 0
    reached: Counter[type] = field(default_factory=Counter)
    slownesses: list[float] = field(default_factory=list)


class Monkey:
    """Sends events to a window.

    Parameters
    ----------
    window
        The window, shown.
    seed
        Of the random numbers.
    drawn
        Returns how long has been drawn since the start: s by the clock, s of this thread.
    files
        What it may open, import and drop onto the window.
    folder
        Where it saves; it cancels where there is none.
    """

    def __init__(
        self,
        window: MainWindow,
        seed: int,
        drawn: Callable[[], tuple[float, float]] = lambda: (0.0, 0.0),
        *,
        files: Sequence[Path] = (),
        folder: Path | None = None,
    ) -> None:
        self._window, self._seed, self._drawn = window, seed, drawn
        self._files, self._folder = files, folder
        self._random = random.Random(seed)
        self._n = 0
        self._is_acting = False
        self._left: QWidget | None = None
        self._clock = self._longest = (0.0, 0.0)
        self._stayed: Counter[int] = Counter()
        self.findings = Findings()
        self._guard = QTimer(window, interval=20)
        # By a timer of its own each time: Qt stops one for as long as what it did waits in a loop.
        self._guard.timeout.connect(lambda: QTimer.singleShot(0, self._leave_loop))

    def play(self, n_events: int, until: Callable[[], bool] = lambda: False) -> Findings:
        """Send so many events, or fewer when `until` says so before each."""
        with self.alone():
            for _ in range(n_events):
                if until() or not self._window.isVisible():
                    break
                self._wait_for_reading()
                self.run_timed(self._act)
                for _ in range(MENU_EVENTS):
                    popup = QApplication.activePopupWidget()
                    if popup is None:
                        break
                    self.run_timed(lambda popup=popup: self._event_on(popup))
                popup = QApplication.activePopupWidget()
                if popup is not None:
                    popup.close()
        return self.findings

    def _wait_for_reading(self) -> None:
        """Let a file be read: what is read opens a dialog, which the monkey would not see if it always gave up."""
        end = time.perf_counter() + READING_S
        while isinstance(QApplication.activeModalWidget(), ReadProgressDialog) and time.perf_counter() < end:
            QApplication.processEvents()

    def run_timed(self, act: Callable[[], str]) -> None:
        self._n += 1
        self._random = random.Random(f"{self._seed} {self._n}")
        self._longest = (0.0, 0.0)
        self._clock = self._now()
        self._is_acting = True
        what = act()
        self._is_acting = False
        self._go_on()
        # Not done by `processEvents`, but by the loop of a program that runs.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.findings.events += 1
        if self._longest[0] > PAUSE_S:
            self.findings.pauses.append(Pause(what, *self._longest, slowness(calibrate())))

    def _go_on(self) -> None:
        """Let the window deal with what has come, and note how long it was deaf until then."""
        is_acting, self._is_acting = self._is_acting, False
        QApplication.processEvents()
        self._is_acting = is_acting
        self._note()

    def _note(self) -> None:
        """Note how long the window was deaf, which it is not now."""
        before, self._clock = self._clock, self._now()
        self._longest = max(self._longest, (self._clock[0] - before[0], self._clock[1] - before[1]))

    def _now(self) -> tuple[float, float]:
        """Return s by the clock and of this thread, without those spent drawing."""
        wall, cpu = self._drawn()
        return time.perf_counter() - wall, time.thread_time() - cpu

    # What it does

    def _act(self) -> str:
        ground = self._ground()
        if ground is self._window and self._random.random() < ERRANDS:
            return self._errand()
        widgets = [w for w in (ground, *ground.findChildren(QWidget)) if w.isVisible() and w.width() > 2]
        widgets = [w for w in widgets if w.window() is ground and w.isEnabled()] or [ground]
        if self._random.random() < 0.5:
            # By kind first: there are a hundred labels and one timeline.
            kinds = sorted({type(w).__name__ for w in widgets})
            kind = self._random.choice(kinds)
            widgets = [w for w in widgets if type(w).__name__ == kind]
        return self._event_on(self._random.choice(widgets))

    def _ground(self) -> QWidget:
        """Return the window that gets the next event, after closing one that has had enough."""
        for _ in range(3):
            modal = QApplication.activeModalWidget()
            others = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not self._window]
            others = sorted(
                (w for w in others if w.windowType() in (Qt.WindowType.Window, Qt.WindowType.Dialog)),
                key=lambda w: (type(w).__name__, w.windowTitle()),
            )
            ground = modal or self._window
            if modal is None and others and self._random.random() < ELSEWHERE:
                ground = self._random.choice(others)
            self._stayed[id(ground)] += 1
            if ground is self._window or self._stayed[id(ground)] <= WINDOW_EVENTS:
                return ground
            del self._stayed[id(ground)]
            ground.close()
        return self._window

    def _errand(self) -> str:
        """Run a command of the menus, each menu as often as the others, or drop a file onto the window."""
        groups: list[list[QAction]] = []
        menus = [menu for action in self._window.header.menu_bar.actions() if (menu := action.menu())]
        while menus:
            actions = [action for action in menus.pop(0).actions() if action.isEnabled() and not action.isSeparator()]
            menus += [menu for action in actions if isinstance(menu := action.menu(), QMenu)]
            groups.append([action for action in actions if action.menu() is None and action.text() not in LEAVING])
        choices = [group for group in groups if group]
        i = self._random.randrange(len(choices) + 1)
        if i < len(choices):
            action = self._random.choice(choices[i])
            what = f"command {action.text()!r}"
            action.trigger()
            return what
        if not self._files:
            return "nothing"
        path = self._random.choice(self._files)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        self.drop(data, self._window)
        return f"drop of {path.name}"

    def _event_on(self, widget: QWidget) -> str:
        """Send an event to a widget; return what was done."""
        part: QWidget | None = widget
        while part is not None:
            self.findings.reached[type(part)] += 1
            part = None if part.isWindow() else part.parentWidget()
        kind, modifiers = self._random.choice(KINDS), self._random.choice(MODIFIERS)
        whom = _named(widget)
        match kind:
            case "key":
                key = self._random.choice(KEYS)
                target = QApplication.focusWidget() or widget
                whom = _named(target)
                if (modifiers, key) not in NEVER:
                    QTest.keyClick(target, key, modifiers)
                return f"{key.name} with {modifiers.name} on {whom}"
            case "type":
                text = self._random.choice(TEXTS)
                self._type(widget, text)
                return f"{text!r} into {whom}"
            case _:
                x, y = (self._random.randrange(max(side, 1)) for side in (widget.width(), widget.height()))
                action = widget.actionAt(QPoint(x, y)) if isinstance(widget, QMenu) else None
                if action is not None:
                    whom += f" {action.text()!r}"
                self._point(kind, widget, QPoint(x, y), modifiers)
                return f"{kind} on {whom} at {x}, {y}"

    def _point(self, kind: str, widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        match kind:
            case "click":
                QTest.mouseClick(widget, Mouse.LeftButton, modifiers, at)
            case "double":
                QTest.mouseDClick(widget, Mouse.LeftButton, modifiers, at)
            case "right":
                QTest.mouseClick(widget, Mouse.RightButton, modifiers, at)
                if isValid(widget):
                    _ask_menu(widget, at)
            case "move":
                QTest.mouseMove(widget, at)
            case "drag":
                self._drag(widget, at, modifiers)
            case _:
                self._wheel(widget, at, modifiers)

    def _drag(self, widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        button = self._random.choice((Mouse.LeftButton, Mouse.LeftButton, Mouse.MiddleButton))
        QTest.mousePress(widget, button, modifiers, at)
        for _ in range(self._random.randrange(1, 6)):
            at += QPoint(self._random.randrange(-40, 41), self._random.randrange(-25, 26))
            if isValid(widget):
                QTest.mouseMove(widget, at)
            self._go_on()
        if isValid(widget):  # what was pressed may have gone with what it did
            # What has taken hold of the mouse, such as a dock that is dragged, gets the release of a real one.
            holder = QWidget.mouseGrabber() or widget
            QTest.mouseRelease(holder, button, modifiers, holder.mapFromGlobal(widget.mapToGlobal(at)))

    def _wheel(self, widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        turned = QPoint(0, 120 * self._random.choice((-2, -1, 1, 2)))
        place, none, phase = QPointF(at), Mouse.NoButton, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(place, widget.mapToGlobal(place), QPoint(), turned, none, modifiers, phase, False)
        QApplication.sendEvent(widget, event)

    def _type(self, widget: QWidget, text: str) -> None:
        """Write into the field that was met or has the keyboard, and mostly end with Return."""
        fields = [widget] if isinstance(widget, QLineEdit) else widget.findChildren(QLineEdit)
        fields = [w for w in fields if w.isVisible() and w.isEnabled()]
        target = self._random.choice(fields) if fields else QApplication.focusWidget()
        if isinstance(target, QLineEdit):
            target.setFocus()
            target.selectAll()
        for letter in text:
            if isinstance(target, QLineEdit) and isValid(target):
                QTest.keyClicks(target, letter)
                self._go_on()
        if target is not None and isValid(target) and self._random.random() < 0.7:
            QTest.keyClick(target, Key.Key_Return)

    def drop(self, data: QMimeData, target: QWidget | None = None) -> Qt.DropAction:
        """Let something go over a widget that may take it."""
        if target is None:
            takers = [w for w in self._window.findChildren(QWidget) if w.isVisible() and w.acceptDrops()]
            target = self._random.choice(takers or [self._window])
        x, y = (self._random.randrange(max(side, 1)) for side in (target.width(), target.height()))
        rest = (Qt.DropAction.CopyAction, data, Mouse.LeftButton, PLAIN)
        for event in (
            QDragEnterEvent(QPoint(x, y), *rest),
            QDragMoveEvent(QPoint(x, y), *rest),
            QDropEvent(QPointF(x, y), *rest),
        ):
            QApplication.sendEvent(target, event)
            if not event.isAccepted():
                # Else Qt goes on to take the target for one that is dragged over, even when it has gone.
                QApplication.sendEvent(target, QDragLeaveEvent())
                return Qt.DropAction.IgnoreAction
        return Qt.DropAction.CopyAction

    # What would leave the window

    def _leave_loop(self) -> None:
        """Close what waits in a loop of its own, after an event in it; what that event opens is closed at once."""
        QDrag.cancel()  # of selected words, which Qt drags by itself, also from a timer of its own
        if self._is_acting:
            self._note()  # the loop goes round, as where a save is waited for: what there is to draw is drawn
        popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if popup is None or popup is self._left:
            return
        if self._is_acting:
            self._is_acting, self._left = False, popup
            self._event_on(popup)
            self._is_acting, self._left = True, None
        elif self._left is None:
            return
        if isValid(popup):
            popup.close()

    def _chosen(self, *_args: Any, **_kwargs: Any) -> tuple[str, str]:
        choices = ["", *map(str, self._files)]
        return self._random.choice(choices), ""

    def _save_as(self, _parent: object, _title: str, suggested: str, *_args: Any) -> tuple[str, str]:
        if self._folder is None or self._random.random() < 0.3:
            return "", ""
        return str(self._folder / Path(suggested).name), ""

    def _folder_for(self, *_args: Any, **_kwargs: Any) -> str:
        return "" if self._folder is None or self._random.random() < 0.3 else str(self._folder)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Answer what would leave the window, and catch what nobody catches."""
        usual: list[tuple[Any, str, Any]] = []

        def put(owner: Any, name: str, value: Any) -> None:
            usual.append((owner, name, owner.__dict__.get(name, getattr(owner, name))))
            setattr(owner, name, value)

        put(QFileDialog, "getOpenFileName", staticmethod(self._chosen))
        put(QFileDialog, "getSaveFileName", staticmethod(self._save_as))
        put(QFileDialog, "getExistingDirectory", staticmethod(self._folder_for))
        discard = QMessageBox.StandardButton.Discard
        put(QMessageBox, "question", staticmethod(lambda *_args, **_kwargs: discard))
        put(QMessageBox, "warning", staticmethod(lambda *_args, **_kwargs: QMessageBox.StandardButton.Ok))
        put(QMessageBox, "about", staticmethod(lambda *_args, **_kwargs: None))
        # Another size for everything would go on in another process, which nobody ends.
        put(RestartNote, "write", staticmethod(_stays_here))
        # Qt's own loop of a drag waits for the pointer of the platform, which nobody moves.
        put(QDrag, "exec", lambda drag, *_args: self.drop(drag.mimeData()))
        put(session, "time", SimpleNamespace(perf_counter=lambda: EVENT_S * self._n))
        errors = self.findings.errors  # the hook stays with each thread that begins meanwhile, and holds no more
        put(sys, "excepthook", lambda _kind, error, trace: errors.append(_told(error, trace)))
        for view in self._window.findChildren(QAbstractItemView):
            view.setDragEnabled(False)
        self._guard.start()
        try:
            yield
        finally:
            self._guard.stop()
            for owner, name, value in reversed(usual):
                setattr(owner, name, value)


def _stays_here(_standing: object) -> None:
    raise OSError(0, "random use stays in its window")


def _ask_menu(widget: QWidget, at: QPoint) -> None:
    """Ask for the context menu, which the platform does where a right click is a real one."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)


def _named(widget: QWidget) -> str:
    text = f" {widget.text()!r}" if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName()!r}{text} in {type(widget.parentWidget()).__name__}"


def _told(error: BaseException, trace: Any) -> str:
    return "".join(traceback.format_exception(type(error), error, trace))
