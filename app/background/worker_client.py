"""Client of worker processes: a picklable task with reports and a result, which can be cancelled or killed.

Long computations run in another process, so that the window has Python for itself. A thread would share Python's
interpreter lock: each of the thousand calls to Qt that an edit makes releases it and waits to get it back from the
computing thread. On an idle machine with two cores, adding an item while a scene was simulated took 0.6 to 0.8 s
instead of 0.1 s.

Starting a process takes half a second to a second, so a process that has finished its task is kept for the next.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import Any, Literal

from framescope.app.background.child_processes import start_child
from framescope.app.background.pickle_pipe import pack_message, read_message
from framescope.core.errors import FramescopeError

PATIENCE_S = 2.0
"""Time that a cancelled task has to end by itself before its process is killed, s."""

_LAST_WORDS = 20_000
_LOG = logging.getLogger(__name__)

Report = Callable[[Any], object]


class TaskError(FramescopeError):
    """A task failed; the text gives the reason."""


class ProcessLostError(TaskError):
    """The process ended during a task; another process may run it again."""


class ProcessStartError(ProcessLostError):
    """No process could be started: too little memory, or too many processes."""


class _EndedError(Exception):
    """The pipe to a process is closed."""


class TaskCancelledError(FramescopeError):
    """A task was cancelled."""

    def __init__(self) -> None:
        super().__init__("The task was cancelled.")


@dataclass(frozen=True)
class WorkOrder:
    """Order to a process: call `function` with `args` and the hooks ``report`` and ``is_cancelled``."""

    function: Callable[..., Any]
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Message:
    """Message of a process during a task or at its end; `trace` is the traceback of an error."""

    kind: Literal["report", "done", "failed", "error", "cancelled"]
    value: Any = None
    trace: str = ""


def computation_loss_text(status: int, words: str) -> str:
    """Return the reason for a lost computing process, from its exit status and the end of its standard error."""
    return f"the process that computes has ended{_ending_text(status, words)}"


def drawing_loss_text(status: int, words: str) -> str:
    """Return the reason for a lost drawing process, from its exit status and the end of its standard error."""
    return f"its process ended{_ending_text(status, words)}"


def _ending_text(status: int, words: str) -> str:
    return f" with status {status}: {(words or 'no reason given').splitlines()[-1]}."


class WorkerPool:
    """Pool of worker processes; some idle ones are kept for the next tasks.

    Parameters
    ----------
    most_idle
        Largest number of idle processes that are kept.
    ended_text
        Function that describes a process that ended during a task.
    variables
        Environment variables of the processes, besides the inherited ones.
    """

    def __init__(
        self,
        most_idle: int,
        ended_text: Callable[[int, str], str] = computation_loss_text,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.idle: list[_Worker] = []
        self.ended_text = ended_text
        self._most_idle, self._variables = most_idle, variables

    def take(self) -> _Worker:
        """Return an idle process, or start one."""
        while self.idle:
            with contextlib.suppress(IndexError):  # another thread has taken the last one
                worker = self.idle.pop()
                if worker.is_alive():
                    return worker
                worker.end()
        return _Worker(self._variables)

    def give_back(self, worker: _Worker) -> None:
        """Keep a process for the next task; end it when it is busy, has ended, or enough are kept."""
        is_sound = worker.is_sound()
        if is_sound and len(self.idle) < self._most_idle:
            self.idle.append(worker)
        else:
            worker.end(is_let_go=is_sound)

    def close(self, *, is_let_go: bool = False) -> None:
        """End the idle processes and wait for them; with `is_let_go` they first remove incomplete files."""
        while self.idle:
            self.idle.pop().end(is_let_go=is_let_go)


SHARED = WorkerPool(2)
"""Processes of a window for all computations."""

atexit.register(SHARED.close)


class WorkerTask:
    """A function that runs in another process.

    Parameters
    ----------
    function
        Any picklable function. It is called with `args` and two hooks, as `SimulationJob.run` takes them: one reports a
        value, and one returns whether to cancel.
    args
        Picklable arguments; the result is picklable, too.
    pool
        Pool of the worker processes.
    """

    def __init__(self, function: Callable[..., Any], *args: Any, pool: WorkerPool = SHARED) -> None:
        self._order, self._pool = WorkOrder(function, args), pool
        self._worker: _Worker | None = None
        self._is_ordered = self._is_cancelled = self._is_patient = False
        self._lock = threading.Lock()

    @property
    def process_id(self) -> int:
        """Number of the process that runs the task; 0 without one."""
        worker = self._worker
        return 0 if worker is None else worker.pid

    def result(self, report: Report) -> Any:
        """Run the task and return its result; call it in a thread of its own.

        Raises
        ------
        TaskCancelledError
            When the task was cancelled.
        TaskError
            When the function failed; `ProcessLostError` when its process ended, `ProcessStartError` when none could be
            started.
        """
        with self._lock:
            if self._is_cancelled:
                raise TaskCancelledError
            try:
                self._worker = worker = self._pool.take()
            except OSError as error:
                raise ProcessStartError(f"no process could be started: {error.strerror or error}.") from None
        try:
            worker.order(self._order)
            with self._lock:
                self._is_ordered = True
                if self._is_cancelled:
                    worker.give_up(is_patient=self._is_patient)
            message = worker.receive()
            while message.kind == "report":
                report(message.value)
                message = worker.receive()
        except _EndedError:
            if self._is_cancelled:
                raise TaskCancelledError from None
            raise ProcessLostError(self._pool.ended_text(*worker.end_of())) from None
        finally:
            with self._lock:
                self._worker = None
            worker.stop_waiting()
            self._pool.give_back(worker)
        return value_of(message)

    def cancel(self, *, is_patient: bool = False) -> None:
        """Cancel the task; `result` returns soon, or with `is_patient` when the function itself ends."""
        with self._lock:
            self._is_cancelled, self._is_patient = True, is_patient
            if self._worker is not None and self._is_ordered:
                self._worker.give_up(is_patient=is_patient)

    def kill(self) -> None:
        """Kill the task together with its process."""
        with self._lock:
            self._is_cancelled = True
            if self._worker is not None:
                self._worker.kill()


def value_of(message: Message) -> Any:
    """Return the result of a task from its last message, or raise its error."""
    if message.kind == "cancelled":
        raise TaskCancelledError
    if message.kind == "failed":
        raise TaskError(message.value)
    if message.kind == "error":
        _LOG.error("a task failed\n%s", message.trace)
        raise TaskError(f"{message.value}. This is an error of Framescope; the log has more.")
    return message.value


class _Worker:
    """A process that runs one task at a time."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._is_free = False
        self._is_asked_to_cancel = False
        self._log = TemporaryFile()  # noqa: SIM115 - open as long as the process
        try:
            self._child = start_child("framescope.app.background.worker_main", self._log, variables)
        except BaseException:
            self._log.close()
            raise
        self._to, self._from = self._child.process.stdin, self._child.process.stdout
        self._last_resort: threading.Timer | None = None
        self.pid = self._child.process.pid

    def is_alive(self) -> bool:
        """Return whether the process is running."""
        return self._child.is_alive()

    def is_sound(self) -> bool:
        """Return whether the process is running and idle."""
        return self._is_free and self.is_alive()

    def order(self, order: WorkOrder) -> None:
        """Send an order; raise `_EndedError` when the process has ended, as `receive` does."""
        self._is_free = self._is_asked_to_cancel = False
        try:
            self._send(order)
        except OSError:
            raise _EndedError from None

    def receive(self) -> Message:
        """Return the next message; wait for it."""
        if self._from is None:
            raise _EndedError
        try:
            message: Message = read_message(self._from.fileno())
        except (EOFError, OSError):
            raise _EndedError from None
        self._is_free = message.kind != "report"
        return message

    def give_up(self, *, is_patient: bool) -> None:
        """Ask the process to cancel its task; kill it after `PATIENCE_S` unless `is_patient`."""
        if not self._is_asked_to_cancel:
            self._is_asked_to_cancel = True
            with contextlib.suppress(OSError):
                self._send(None)
        if not is_patient and self._last_resort is None:
            self._last_resort = threading.Timer(PATIENCE_S, self.kill)
            self._last_resort.daemon = True
            self._last_resort.start()

    def stop_waiting(self) -> None:
        """Stop the timer that would kill the process."""
        if self._last_resort is not None:
            self._last_resort.cancel()
            self._last_resort.join()
            self._last_resort = None

    def end_of(self) -> tuple[int, str]:
        """Return exit status and last error output of a process that has ended."""
        status = self._child.wait() or 0
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(self._log.tell() - _LAST_WORDS, 0))
        return status, self._log.read().decode(errors="replace").strip()

    def kill(self) -> None:
        """Kill the process."""
        self._child.process.kill()

    def end(self, *, is_let_go: bool = False) -> None:
        """End the process and wait for it; with `is_let_go` it first removes incomplete files."""
        with self._log:
            if is_let_go and self._to is not None:
                with contextlib.suppress(OSError):
                    self._to.close()
                self._child.wait(PATIENCE_S)
            self._child.close()

    def _send(self, message: WorkOrder | None) -> None:
        if self._to is not None:
            self._to.write(pack_message(message))
            self._to.flush()
