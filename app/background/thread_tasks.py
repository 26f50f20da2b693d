"""Work that would hold up the window, done in a thread: the window waits for it and draws, or goes on as ever."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QThread, Signal

from framescope.core.system.cooperative_yield import resting

T = TypeVar("T")

_TURN_S = 1e-4
_WORK_S, _REST_S = 1e-3, 2e-3
_WAITED = 0.3
"""Of its time, when a thread is not alone."""


class _Bell(QObject):
    """Rings in the window's thread when the work is done."""

    rung = Signal()


def take_short_turns() -> None:
    """Have threads pass Python's lock on fifty times as often as by default.

    The window gives the lock away with most calls of Qt, and waits a whole turn to have it back: 5 ms each, by which
    an edit took 2 s while a thread was at work.
    """
    sys.setswitchinterval(_TURN_S)


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
    bell.rung.connect(loop.quit)

    def ring(_done: Future[T]) -> None:
        bell.rung.emit()

    with ThreadPoolExecutor(1, "work of the window") as pool:
        done = pool.submit(work)
        done.add_done_callback(ring)
        if not done.done():
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        return done.result()


def aside(owner: QObject, work: Callable[[], T], then: Callable[[Future[T]], None]) -> Future[T]:
    """Have `work` done in a thread, and go on; `then` is told in the window's thread, unless `owner` is gone by then.

    `work` must not touch widgets, nor anything that may change meanwhile. It gives way to the window where it stops
    for breath. The program does not end before it is done.
    """
    return _Aside(owner, work, then).done


def _politely(work: Callable[[], T]) -> T:
    with resting(giving_way()):
        return work()


class _Aside(QObject):
    """Work under way beside the window.

    The thread holds on to a bell alone: a window that is closed meanwhile goes, and not only when the work is done.
    """

    def __init__(self, owner: QObject, work: Callable[[], Any], then: Callable[[Future[Any]], None]) -> None:
        super().__init__(owner)
        self._then = then
        self._bell = bell = _Bell()
        bell.rung.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        pool = ThreadPoolExecutor(1, "work beside the window")
        self.done = pool.submit(_politely, work)
        self.done.add_done_callback(lambda _done: bell.rung.emit())
        pool.shutdown(wait=False)

    def _tell(self) -> None:
        self.deleteLater()
        self._then(self.done)
