"""Host for painting by Qt without a window: the application's thread, or else an off-screen thread of its own."""

from __future__ import annotations

import atexit
import queue
import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QMessageLogContext, QThread, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from framescope.core.errors import FramescopeError
from framescope.ui.qt_support.application_start import start_application
from framescope.ui.qt_support.exception_guard import guard_overrides

T = TypeVar("T")

OFFSCREEN = ["framescope", "-platform", "offscreen"]
"""Command line of an off-screen application, which needs no display."""

_lock = threading.Lock()
_own: _OwnThread | None = None


def on_qt(work: Callable[[], T]) -> T:
    """Call a function that needs Qt on the Qt thread of this process, and return its result.

    Raises
    ------
    FramescopeError
        If a window runs on another thread, where waiting for each other could deadlock.
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
    global _application  # noqa: PLW0603 - Qt's application exists as long as Python refers to it
    guard_overrides()
    _application = start_application(OFFSCREEN)


def _make_quiet_application() -> QApplication:
    """Create the application on a thread other than the main one.

    Qt warns about that thread. The warning applies to windows on a screen, and there are none.
    """
    guard_overrides()
    with _unheard("not created in the main() thread"):
        return QApplication(OFFSCREEN)


def no_offscreen_warning() -> AbstractContextManager[None]:
    """Return a context without the warning of Qt's off-screen platform about widgets that are shown to be painted."""
    return _unheard("does not support propagateSizeHints")


@contextmanager
def _unheard(words: str) -> Generator[None]:
    """Forward all messages of Qt to standard error but those with some words."""

    def forward_message(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if words not in message:
            sys.stderr.write(f"{message}\n")

    before = qInstallMessageHandler(forward_message)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


class _OwnThread:
    """A thread for all Qt work, if the main thread belongs to another program, such as a cluster worker."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="painting without a display", daemon=True)
        self._thread.start()
        atexit.register(self._end)

    def do(self, work: Callable[[], T]) -> T:
        """Run a function on the thread, and wait for its result."""
        if threading.current_thread() is self._thread:
            return work()
        done: Future[T] = Future()
        self._waiting.put((work, done))
        return done.result()

    def _end(self) -> None:
        """Shut the application down on its own thread: Qt would wait for that thread forever."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        application = _make_quiet_application()
        while (request := self._waiting.get()) is not None:
            work, done = request
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - the waiting caller handles it
                done.set_exception(error)
        application.shutdown()
