"""Thread tasks: long work in a thread, while the window waits and paints, or continues."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QThread, Signal

from framescope.core.system.cooperative_yield import call_at_checkpoints

T = TypeVar("T")

IS_CLOSED = "isClosed"
"""Property of a window that the user has closed. Results that arrive later open no dialog."""

_WORK_S, _REST_S = 1e-3, 2e-3
_WAITED = 0.3
"""Fraction of its time that a thread waits, above which it shares the processor."""


class _Bell(QObject):
    """Carrier of a thread's signals to the window's thread."""

    rung = Signal()
    reported = Signal(object)


_bells: list[tuple[_Bell, threading.Thread]] = []
"""Each outlives its thread, so that it is destroyed on the window's thread: otherwise Qt crashes."""


def window_yielder() -> Callable[[], None]:
    """Return a function that makes a thread pause at its yield points while the window is busy.

    Python's lock is shared evenly: otherwise the window would take twice as long for everything beside a working
    thread. A thread that waited recently, for the lock or for a core, is not alone.
    """
    wall, cpu = time.perf_counter(), time.thread_time()

    def rest() -> None:
        nonlocal wall, cpu
        elapsed = time.perf_counter() - wall
        if elapsed < _WORK_S:
            return
        if elapsed - (time.thread_time() - cpu) > _WAITED * elapsed:
            time.sleep(_REST_S)
        wall, cpu = time.perf_counter(), time.thread_time()

    return rest


def run_and_wait(work: Callable[[], T]) -> T:
    """Run `work` in a thread and wait; return its result or raise its exception.

    Meanwhile events are processed, except keys and the mouse. `work` must not touch widgets, nor anything that may
    change meanwhile. Without an application, or on a thread other than the application's, the work runs directly.
    """
    app = QCoreApplication.instance()
    if app is None or app.thread() is not QThread.currentThread():
        return work()
    bell, loop = _Bell(), QEventLoop()
    bell.rung.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
    done = _start_thread(work, bell, "work of the window")
    if not done.done():
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    return done.result()


def thread_task(
    owner: QObject,
    work: Callable[..., T],
    then: Callable[[Future[T]], None],
    *,
    reported: Callable[[Any], None] | None = None,
    holds_program: bool = True,
) -> Future[T]:
    """Run `work` in a thread and return; call `then` on the window's thread at its end, unless `owner` was destroyed.

    `work` must not touch widgets, nor anything that may change meanwhile. It yields to the window at its yield points.

    Parameters
    ----------
    owner, work, then
        Owner of the task, the work, and the callback for its end.
    reported
        Callback on the window's thread for each report of `work`, which then receives a function to report with.
    holds_program
        Whether the program waits for the work before it ends.
    """
    return _ThreadTask(owner, work, then, reported, holds_program=holds_program).done


class _ThreadTask(QObject):
    """Running work beside the window.

    The thread holds only a bell: a window closed meanwhile is destroyed at once, not only at the end of the work.
    """

    def __init__(
        self,
        owner: QObject,
        work: Callable[..., Any],
        then: Callable[[Future[Any]], None],
        reported: Callable[[Any], None] | None,
        *,
        holds_program: bool,
    ) -> None:
        super().__init__(owner)
        has_reports = reported is not None
        self._then: Callable[[Future[Any]], None] | None = then
        self._reported = reported
        bell = _Bell()
        bell.rung.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        if has_reports:
            bell.reported.connect(self._report, Qt.ConnectionType.QueuedConnection)

        def run_yielding() -> Any:
            with call_at_checkpoints(window_yielder()):
                return work(bell.reported.emit) if has_reports else work()

        self.done = _start_thread(run_yielding, bell, "work beside the window", is_daemon=not holds_program)

    def _report(self, message: object) -> None:
        if self._reported is not None:
            self._reported(message)

    def _finish(self) -> None:
        self.deleteLater()
        then, self._then, self._reported = self._then, None, None
        if then is not None:
            then(self.done)


def _start_thread(work: Callable[[], T], bell: _Bell, name: str, *, is_daemon: bool = False) -> Future[T]:
    """Start `work` in a thread that rings the bell at its end, and return its future."""
    _bells[:] = [(other_bell, thread) for other_bell, thread in _bells if thread.is_alive()]
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the caller that takes the result handles it
            done.set_exception(error)
        with contextlib.suppress(RuntimeError):  # Qt has shut down
            bell.rung.emit()

    thread = threading.Thread(target=run, name=name, daemon=is_daemon)
    thread.start()
    _bells.append((bell, thread))
    return done
