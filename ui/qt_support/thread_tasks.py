"""Thread tasks: work that would hold up the window, done in a thread while the window waits and draws, or goes on."""

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

_WORK_S, _REST_S = 1e-3, 2e-3
_WAITED = 0.3
"""Of its time, when a thread is not alone."""


class _Bell(QObject):
    """Carrier of what a thread has to say into the window's thread."""

    rung = Signal()
    reported = Signal(object)


_bells: list[tuple[_Bell, threading.Thread]] = []
"""Each outlives its thread, so that it goes in the window's one: Qt does not survive it otherwise."""


def giving_way() -> Callable[[], None]:
    """Return what lets a thread rest where it stops for breath, while the window, too, has something to do.

    Python's lock is shared evenly: without this all that the window does takes twice as long beside a thread at work.
    A thread that has waited lately, for the lock or for a core, is not alone.
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


def waited(work: Callable[[], T]) -> T:
    """Return what `work` returns, done in a thread; raise what it raises.

    Until then events are dealt with, but keys and the mouse wait. `work` must not touch widgets, nor anything that
    may change meanwhile. Without an application, or from another thread than its own, the work is simply done.
    """
    app = QCoreApplication.instance()
    if app is None or app.thread() is not QThread.currentThread():
        return work()
    bell, loop = _Bell(), QEventLoop()
    bell.rung.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
    done = _started(work, bell, "work of the window")
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
    """Have `work` done in a thread, and go on; `then` is told in the window's thread, unless `owner` is gone by then.

    `work` must not touch widgets, nor anything that may change meanwhile. It gives way to the window where it stops
    for breath.

    Parameters
    ----------
    owner, work, then
        Whose work it is, what is done, and what is called with its end.
    reported
        What is called, in the window's thread too, with all that `work` reports meanwhile: `work` is given a function
        for that then.
    holds_program
        Whether the program does not end before the work is done.
    """
    return _ThreadTask(owner, work, then, reported, holds_program=holds_program).done


class _ThreadTask(QObject):
    """Work under way beside the window.

    The thread holds on to a bell alone: a window that is closed meanwhile goes, and not only when the work is done.
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
        bell.rung.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        if has_reports:
            bell.reported.connect(self._report, Qt.ConnectionType.QueuedConnection)

        def politely() -> Any:
            with call_at_checkpoints(giving_way()):
                return work(bell.reported.emit) if has_reports else work()

        self.done = _started(politely, bell, "work beside the window", is_daemon=not holds_program)

    def _report(self, message: object) -> None:
        if self._reported is not None:
            self._reported(message)

    def _tell(self) -> None:
        self.deleteLater()
        then, self._then, self._reported = self._then, None, None
        if then is not None:
            then(self.done)


def _started(work: Callable[[], T], bell: _Bell, name: str, *, is_daemon: bool = False) -> Future[T]:
    """Return what `work` comes to, begun in a thread that rings when it is done."""
    _bells[:] = [(each, thread) for each, thread in _bells if thread.is_alive()]
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - whoever takes the result handles it
            done.set_exception(error)
        with contextlib.suppress(RuntimeError):  # Qt is gone
            bell.rung.emit()

    thread = threading.Thread(target=run, name=name, daemon=is_daemon)
    thread.start()
    _bells.append((bell, thread))
    return done
