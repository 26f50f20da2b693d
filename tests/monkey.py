"""A monkey at the window: random events over every widget, the same ones for the same seed.

It clicks, drags, turns the wheel and strikes keys, on whatever is visible and enabled; menus and dialogs that open get
some events too and are closed. What would leave the window (file dialogs, quitting) is answered by nothing.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDrag, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QFileDialog, QMenu, QMessageBox, QWidget
from shiboken6 import isValid

Key, Mouse = Qt.Key, Qt.MouseButton
PLAIN = Qt.KeyboardModifier.NoModifier
MODIFIERS = (PLAIN, PLAIN, PLAIN, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)
KEYS = (
    *(Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Tab, Key.Key_Escape, Key.Key_Return),
    *(Key.Key_Space, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown, Key.Key_Delete, Key.Key_Backspace),
    *(Key.Key_F1, Key.Key_F2, Key.Key_1, Key.Key_9, Key.Key_0, Key.Key_Period, Key.Key_Comma, Key.Key_Minus),
    *(Key.Key_A, Key.Key_D, Key.Key_G, Key.Key_M, Key.Key_T, Key.Key_X, Key.Key_Z, Key.Key_K, Key.Key_Slash),
)
NEVER = {(Qt.KeyboardModifier.ControlModifier, key) for key in (Key.Key_Q, Key.Key_W)}
MENU_EVENTS = 3
"""How many events a menu or dialog gets before it is closed."""

PAUSE_S = 0.2


@dataclass
class Findings:
    """What went wrong, and how long things took.

    Attributes
    ----------
    errors
        Exceptions that no one caught, as text.
    pauses
        What took longer than `PAUSE_S` besides drawing, with seconds.
    events
        How many events were sent.
    """

    errors: list[str] = field(default_factory=list)
    pauses: list[tuple[str, float]] = field(default_factory=list)
    events: int = 0


class Monkey:
    """Sends events to a window.

    Parameters
    ----------
    window
        The window, shown.
    seed
        Of the random numbers.
    drawing_s
        Returns how long has been drawn since the start, s.
    """

    def __init__(self, window: QWidget, seed: int, drawing_s: Callable[[], float]) -> None:
        self._window = window
        self._random = random.Random(seed)
        self._drawing_s = drawing_s
        self.findings = Findings()
        self._guard = QTimer(window, interval=20)
        self._guard.timeout.connect(self._close_modal)

    def play(self, n_events: int, until: Callable[[], bool] = lambda: False) -> Findings:
        """Send so many events, or fewer when `until` says so before each."""
        with self._alone():
            for _ in range(n_events):
                if until() or not self._window.isVisible():
                    break
                self._timed(self._act)
                popup = QApplication.activePopupWidget()
                for _ in range(MENU_EVENTS):
                    if popup is not None:
                        self._timed(lambda popup=popup: self._event_on(popup))
                        popup = QApplication.activePopupWidget()
                if popup is not None:
                    popup.close()
        return self.findings

    def _timed(self, act: Callable[[], str]) -> None:
        start, drawn = time.perf_counter(), self._drawing_s()
        what = act()
        QApplication.processEvents()
        took = time.perf_counter() - start - (self._drawing_s() - drawn)
        self.findings.events += 1
        if took > PAUSE_S:
            self.findings.pauses.append((what, took))

    def _act(self) -> str:
        widgets = [widget for widget in self._top().findChildren(QWidget) if widget.isVisible() and widget.width() > 2]
        return self._event_on(self._random.choice(widgets or [self._window]))

    def _top(self) -> QWidget:
        modal = QApplication.activeModalWidget()
        return modal if modal is not None else self._window

    def _event_on(self, widget: QWidget) -> str:
        at = QPoint(self._random.randrange(max(widget.width(), 1)), self._random.randrange(max(widget.height(), 1)))
        kind = self._random.choice(("click", "click", "drag", "wheel", "key", "key", "double", "right", "move"))
        modifiers = self._random.choice(MODIFIERS)
        what = f"{kind} on {type(widget).__name__} {widget.accessibleName()!r} at {at.x()}, {at.y()}"
        match kind:
            case "click":
                QTest.mouseClick(widget, Mouse.LeftButton, modifiers, at)
            case "double":
                QTest.mouseDClick(widget, Mouse.LeftButton, modifiers, at)
            case "right":
                QTest.mouseClick(widget, Mouse.RightButton, modifiers, at)
            case "move":
                QTest.mouseMove(widget, at)
            case "drag":
                self._drag(widget, at, modifiers)
            case "wheel":
                turned = QPoint(0, 120 * self._random.choice((-2, -1, 1, 2)))
                place = QPointF(at)
                event = QWheelEvent(
                    place,
                    widget.mapToGlobal(place),
                    QPoint(),
                    turned,
                    Mouse.NoButton,
                    modifiers,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                )
                QApplication.sendEvent(widget, event)
            case _:
                key = self._random.choice(KEYS)
                what = f"key {key.name} with {modifiers.name} on {type(widget).__name__} {widget.accessibleName()!r}"
                if (modifiers, key) not in NEVER:
                    QTest.keyClick(QApplication.focusWidget() or widget, key, modifiers)
        return what

    def _drag(self, widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        button = self._random.choice((Mouse.LeftButton, Mouse.LeftButton, Mouse.MiddleButton))
        QTest.mousePress(widget, button, modifiers, at)
        for _ in range(self._random.randrange(1, 6)):
            at += QPoint(self._random.randrange(-40, 41), self._random.randrange(-25, 26))
            if isValid(widget):
                QTest.mouseMove(widget, at)
            QApplication.processEvents()
        if isValid(widget):  # what was pressed may have gone with what it did
            QTest.mouseRelease(widget, button, modifiers, at)

    def _close_modal(self) -> None:
        """Close a dialog that waits in a loop of its own, after some events in it."""
        modal = QApplication.activeModalWidget()
        if isinstance(modal, QDialog):
            for child in self._random.sample(modal.findChildren(QWidget), k=min(2, len(modal.findChildren(QWidget)))):
                if isValid(child) and child.isVisible() and child.isEnabled():
                    self._event_on(child)
            if isValid(modal):
                modal.reject()
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu) and self._random.random() < 0.3:
            popup.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Answer what would leave the window, and catch what nobody catches."""
        usual: list[tuple[Any, str, Any]] = []

        def put(owner: Any, name: str, value: Any) -> None:
            usual.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)

        for name in ("getOpenFileName", "getSaveFileName"):
            put(QFileDialog, name, staticmethod(lambda *_args, **_kwargs: ("", "")))
        put(QFileDialog, "getExistingDirectory", staticmethod(lambda *_args, **_kwargs: ""))
        discard = QMessageBox.StandardButton.Discard
        put(QMessageBox, "question", staticmethod(lambda *_args, **_kwargs: discard))
        put(QMessageBox, "about", staticmethod(lambda *_args, **_kwargs: None))
        # Qt's own loop of a drag waits for the pointer of the platform, which nobody moves.
        put(QDrag, "exec", lambda *_args: Qt.DropAction.IgnoreAction)
        put(sys, "excepthook", lambda _kind, error, trace: self.findings.errors.append(_told(error, trace)))
        for view in self._window.findChildren(QAbstractItemView):
            view.setDragEnabled(False)
        self._guard.start()
        try:
            yield
        finally:
            self._guard.stop()
            for owner, name, value in reversed(usual):
                setattr(owner, name, value)


def _told(error: BaseException, trace: Any) -> str:
    import traceback

    return "".join(traceback.format_exception(type(error), error, trace))
