"""Host for painting by Qt without a window: the application's thread, else a thread of its own, off screen."""

from __future__ import annotations

import atexit
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QMessageLogContext, QThread, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from framescope.core.errors import FramescopeError
from framescope.ui.qt_support.application_start import start_application
from framescope.ui.qt_support.exception_guard import guard_overrides

T = TypeVar("T")

OFFSCREEN = ["framescope", "-platform", "offscreen"]
"""What Qt is started with: it paints, and asks no display for anything."""

_lock = threading.Lock()
_own: _OwnThread | None = None


def on_qt(work: Callable[[], T]) -> T:
    """Do what needs Qt, on the thread that Qt has in this process, and return the result.

    Raises
    ------
    FramescopeError
        When a window runs on another thread: it would have to wait for this one, and it might wait for us.
    """
    global _own  # noqa: PLW0603 - a process has one application
    with _lock:
        running = QCoreApplication.instance()
        if running is None:
            if threading.current_thread() is threading.main_thread():
                _make_application()
                return work()
            _own = _OwnThread()
    if _own is not None:
        return _own.do(work)
    if running is not None and running.thread() is not QThread.currentThread():
        raise FramescopeError("layout: plots and numbers are painted by the thread of the window. Export in a process.")
    return work()


_application: QCoreApplication | None = None


def _make_application() -> None:
    global _application  # noqa: PLW0603 - Qt's application lives as long as Python knows of it
    guard_overrides()
    _application = start_application(OFFSCREEN)


def _unwarned_application() -> QApplication:
    """Make the application of another thread than the main one.

    Qt warns that it has to be the main one. That holds for windows on a screen, and there are none.
    """

    def tell(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if "not created in the main() thread" not in message:
            sys.stderr.write(f"{message}\n")

    guard_overrides()
    before = qInstallMessageHandler(tell)
    try:
        return QApplication(OFFSCREEN)
    finally:
        qInstallMessageHandler(before)


class _OwnThread:
    """A thread for Qt where the main one is not ours, as in the worker of a cluster: all of Qt's work is done there."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="painting without a display", daemon=True)
        self._thread.start()
        atexit.register(self._end)

    def do(self, work: Callable[[], T]) -> T:
        """Have something done there, and wait for it."""
        if threading.current_thread() is self._thread:
            return work()
        done: Future[T] = Future()
        self._waiting.put((work, done))
        return done.result()

    def _end(self) -> None:
        """Let go of the application where it was made: Qt would wait for that thread without end."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        application = _unwarned_application()
        while (asked := self._waiting.get()) is not None:
            work, done = asked
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - whoever waits for it handles it
                done.set_exception(error)
        application.shutdown()
