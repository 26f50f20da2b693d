"""Latest task: runs one task of a window at a time in a worker process, the newest request first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from PySide6.QtCore import QObject, Signal

from framescope.app.background.worker_client import SHARED, TaskCancelledError, TaskError, WorkerPool, WorkerTask
from framescope.ui.qt_support.thread_tasks import thread_task


class LatestTask(QObject):
    """Runs one function at a time in a worker process; a newer request cancels the running one.

    Parameters
    ----------
    parent
        Owner of the task.
    pool
        Pool of the worker processes.
    is_patient
        Whether a task cancelled for a newer request ends by itself, however long it takes.

    Signals
    -------
    found(object)
        A report or the result of the newest request, unless it is None.
    failed(str)
        The newest request failed; the reason.
    idle()
        No task is running any more.
    """

    found = Signal(object)
    failed = Signal(str)
    idle = Signal()

    def __init__(self, parent: QObject | None = None, pool: WorkerPool = SHARED, *, is_patient: bool = False) -> None:
        super().__init__(parent)
        self._pool, self._is_patient = pool, is_patient
        self._at: WorkerTask | None = None
        self._next: WorkerTask | None = None
        self.future: Future[Any] | None = None
        self._is_wanted = self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether a task is running."""
        return self._at is not None

    @property
    def process_id(self) -> int:
        """Number of the worker process at work; 0 without one."""
        return 0 if self._at is None else self._at.process_id

    def want(self, function: Callable[..., Any], *args: Any) -> None:
        """Run this function and no other; see `WorkerTask`."""
        self._drop(is_patient=self._is_patient)
        self._next = WorkerTask(function, *args, pool=self._pool)
        self._start()

    def cancel(self) -> None:
        """Cancel the running task and the waiting one."""
        self._drop(is_patient=False)

    def stop(self) -> None:
        """Cancel the running task; if it finishes nevertheless, its result is reported."""
        self._next = None
        if self._at is not None:
            self._at.cancel()

    def close(self) -> None:
        """Cancel the running task and wait for it."""
        self._is_closed = True
        self.cancel()
        self._join()

    def kill(self) -> None:
        """Kill the running task together with its process."""
        self._is_closed = True
        self._next = None
        if self._at is not None:
            self._at.kill()
        self._join()

    def _join(self) -> None:
        if self._at is not None and self.future is not None:
            wait([self.future])
        self._at = self.future = None

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

        def send_report(value: object) -> None:
            if at is self._at:
                self._send(value)

        self.future = thread_task(self, result, self._on_ended, reported=send_report, holds_program=False)

    def _send(self, value: object) -> None:
        if self._is_wanted and value is not None:
            self.found.emit(value)

    def _on_ended(self, done: Future[Any]) -> None:
        if done is not self.future:
            return
        try:
            self._send(done.result())
        except TaskCancelledError:
            pass
        except TaskError as error:
            if self._is_wanted:
                self.failed.emit(str(error))
        finally:
            self._at = self.future = None
        self._start()
        if self._at is None:
            self.idle.emit()
