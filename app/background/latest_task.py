"""The latest wish: one task of a worker process at a time for a window, the newest first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from PySide6.QtCore import QObject, Signal

from framescope.app.background.worker_client import SHARED, TaskCancelledError, TaskError, WorkerPool, WorkerTask
from framescope.ui.qt_support.thread_tasks import thread_task


class LatestTask(QObject):
    """Has one function at a time done by another process; a newer request makes it give up what it is at.

    Parameters
    ----------
    parent
        Who wants it.
    pool
        Whose processes do it.
    is_patient
        Whether what is given up for a newer request ends by itself, however long it takes.

    Signals
    -------
    found(object)
        Something the newest request has reported, or its result; None is nothing.
    failed(str)
        The newest request has failed, and why.
    idle()
        Nothing is under way any more.
    """

    found = Signal(object)
    failed = Signal(str)
    idle = Signal()

    def __init__(self, parent: QObject | None = None, pool: WorkerPool = SHARED, *, is_patient: bool = False) -> None:
        super().__init__(parent)
        self._pool, self._is_patient = pool, is_patient
        self._at: WorkerTask | None = None
        self._next: WorkerTask | None = None
        self._done: Future[Any] | None = None
        self._is_wanted = self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether something is under way."""
        return self._at is not None

    @property
    def process_id(self) -> int:
        """The system's number of the process that is at work; 0 when none is."""
        return 0 if self._at is None else self._at.process_id

    def want(self, function: Callable[..., Any], *args: Any) -> None:
        """Have this done and nothing else, see `WorkerTask`."""
        self._drop(is_patient=self._is_patient)
        self._next = WorkerTask(function, *args, pool=self._pool)
        self._start()

    def cancel(self) -> None:
        """Give up what is under way, and what waits for that."""
        self._drop(is_patient=False)

    def stop(self) -> None:
        """Have what is under way given up; where it has come to its end all the same, that is told."""
        self._next = None
        if self._at is not None:
            self._at.cancel()

    def close(self) -> None:
        """Give up what is under way, and wait for it."""
        self._is_closed = True
        self.cancel()
        self._join()

    def kill(self) -> None:
        """End what is under way with its process, at once."""
        self._is_closed = True
        self._next = None
        if self._at is not None:
            self._at.kill()
        self._join()

    def _join(self) -> None:
        if self._at is not None and self._done is not None:
            wait([self._done])
        self._at = self._done = None

    def _drop(self, *, is_patient: bool) -> None:
        self._next = None
        self._is_wanted = False
        if self._at is not None:
            self._at.cancel(is_patient=is_patient)

    def _start(self) -> None:
        if self._at is not None or self._next is None or self._is_closed:
            return
        self._at, self._next, self._is_wanted = self._next, None, True
        result, at = self._at.result, self._at

        def reported(value: object) -> None:
            if at is self._at:
                self._tell(value)

        self._done = thread_task(self, result, self._on_ended, reported=reported, holds_program=False)

    def _tell(self, value: object) -> None:
        if self._is_wanted and value is not None:
            self.found.emit(value)

    def _on_ended(self, done: Future[Any]) -> None:
        if done is not self._done:
            return
        try:
            self._tell(done.result())
        except TaskCancelledError:
            pass
        except TaskError as error:
            if self._is_wanted:
                self.failed.emit(str(error))
        finally:
            self._at = self._done = None
        self._start()
        if self._at is None:
            self.idle.emit()
