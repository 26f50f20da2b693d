"""Work that would hold up the window, done in a thread while the window goes on drawing but takes no orders."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, QThread, Signal

T = TypeVar("T")


class _Bell(QObject):
    """Rings in the window's thread when the work is done."""

    rung = Signal()


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
