"""Client of worker processes: a picklable task with reports, a result, and two ways to end it before its time.

What computes for long is done by another process, so that the window has Python for itself. A thread would share
Python's interpreter lock: each of the thousand calls to Qt that an edit makes gives it away, and waits to get it back
from whoever computes. On an idle machine with two cores, adding an item while a scene was simulated took 0.6 to 0.8 s
in place of 0.1.

Starting a process takes half a second to a second, so one that has done its task is kept for the next.
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
from framescope.app.background.pickle_pipe import packed, read_message
from framescope.core.errors import FramescopeError

PATIENCE_S = 2.0
"""How long a task may take to give up by itself."""

_LAST_WORDS = 20_000
_LOG = logging.getLogger(__name__)

Report = Callable[[Any], object]


class TaskError(FramescopeError):
    """A task has failed; the text says why."""


class ProcessLostError(TaskError):
    """The process has ended in the middle of a task; another one may do it."""


class ProcessStartError(ProcessLostError):
    """No process could be started, for want of memory or because there are too many."""


class _EndedError(Exception):
    """A process neither hears nor says anything any more."""


class TaskCancelledError(FramescopeError):
    """A task was given up."""

    def __init__(self) -> None:
        super().__init__("The task was cancelled.")


@dataclass(frozen=True)
class Order:
    """What a process is to do: to return `function` of `args` and of the hooks ``report`` and ``is_cancelled``."""

    function: Callable[..., Any]
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Message:
    """What it says meanwhile and at the end; `trace` is where an error happened."""

    kind: Literal["report", "done", "failed", "error", "cancelled"]
    value: Any = None
    trace: str = ""


def computing_ended(status: int, words: str) -> str:
    """Return what to say of a process that has ended in the middle of a task, of its status and its last words."""
    return f"the process that computes has ended{_how(status, words)}"


def drawing_ended(status: int, words: str) -> str:
    """Return the same of one that has drawn for somebody."""
    return f"its process ended{_how(status, words)}"


def _how(status: int, words: str) -> str:
    return f" with status {status}: {(words or 'no reason given').splitlines()[-1]}."


class WorkerPool:
    """Worker processes, of which some that have nothing to do are kept for the next tasks.

    Parameters
    ----------
    most_idle
        How many are kept.
    ended_text
        What is said of one that has ended in the middle of a task.
    variables
        What they have in their environment besides what is in ours.
    """

    def __init__(
        self,
        most_idle: int,
        ended_text: Callable[[int, str], str] = computing_ended,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.idle: list[_Worker] = []
        self.ended_text = ended_text
        self._most_idle, self._variables = most_idle, variables

    def take(self) -> _Worker:
        """Return one that has nothing to do."""
        while self.idle:
            with contextlib.suppress(IndexError):  # another thread has taken the last one
                worker = self.idle.pop()
                if worker.is_alive():
                    return worker
                worker.end()
        return _Worker(self._variables)

    def give_back(self, worker: _Worker) -> None:
        """Keep one for the next task; end it when it is in the middle of one, or has ended."""
        is_sound = worker.is_sound()
        if is_sound and len(self.idle) < self._most_idle:
            self.idle.append(worker)
        else:
            worker.end(is_let_go=is_sound)

    def close(self, *, is_let_go: bool = False) -> None:
        """End those that are kept, and wait for them; those that are let go tidy up before."""
        while self.idle:
            self.idle.pop().end(is_let_go=is_let_go)


SHARED = WorkerPool(2)
"""The processes of a window for all that computes."""

atexit.register(SHARED.close)


class WorkerTask:
    """A function that is done in another process.

    Parameters
    ----------
    function
        Any that can be pickled. It is called with `args` and two hooks: one to be called with what there is to report
        meanwhile, and one that returns whether to give up, as `SimulationJob.run` takes them.
    args
        They and the result go through a pickle.
    pool
        Whose processes do it.
    """

    def __init__(self, function: Callable[..., Any], *args: Any, pool: WorkerPool = SHARED) -> None:
        self._order, self._pool = Order(function, args), pool
        self._worker: _Worker | None = None
        self._is_ordered = self._is_cancelled = self._is_patient = False
        self._lock = threading.Lock()

    @property
    def process_id(self) -> int:
        """The system's number of the process that does it; 0 when none does."""
        worker = self._worker
        return 0 if worker is None else worker.pid

    def result(self, report: Report) -> Any:
        """Wait for the result, in a thread that has nothing else to do, and return it.

        Raises
        ------
        TaskCancelledError
            When it was given up.
        TaskError
            When the function has failed; `ProcessLostError` when its process has, `ProcessStartError` when none could
            be started.
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
        """Have it given up; `result` returns soon, with `is_patient` only when the function itself gives up."""
        with self._lock:
            self._is_cancelled, self._is_patient = True, is_patient
            if self._worker is not None and self._is_ordered:
                self._worker.give_up(is_patient=is_patient)

    def kill(self) -> None:
        """End it with its process."""
        with self._lock:
            self._is_cancelled = True
            if self._worker is not None:
                self._worker.kill()


def value_of(message: Message) -> Any:
    """Return what a task has found, or raise what it ended with."""
    if message.kind == "cancelled":
        raise TaskCancelledError
    if message.kind == "failed":
        raise TaskError(message.value)
    if message.kind == "error":
        _LOG.error("a task failed\n%s", message.trace)
        raise TaskError(f"{message.value}. This is an error of Framescope; the log has more.")
    return message.value


class _Worker:
    """A process that does one task at a time."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._is_free = False
        self._is_told_to_end = False
        self._log = TemporaryFile()  # noqa: SIM115 - it is there as long as the process
        try:
            self._child = start_child("framescope.app.background.worker_main", self._log, variables)
        except BaseException:
            self._log.close()
            raise
        self._to, self._from = self._child.process.stdin, self._child.process.stdout
        self._last_resort: threading.Timer | None = None
        self.pid = self._child.process.pid

    def is_alive(self) -> bool:
        """Return whether it can be told to do something."""
        return self._child.is_alive()

    def is_sound(self) -> bool:
        """Return whether it has nothing to do, and is there."""
        return self._is_free and self.is_alive()

    def order(self, order: Order) -> None:
        """Tell it what to do; raise `_EndedError` when it is gone, as `receive`."""
        self._is_free = self._is_told_to_end = False
        try:
            self._say(order)
        except OSError:
            raise _EndedError from None

    def receive(self) -> Message:
        """Return what it says next; wait for it."""
        if self._from is None:
            raise _EndedError
        try:
            message: Message = read_message(self._from.fileno())
        except (EOFError, OSError):
            raise _EndedError from None
        self._is_free = message.kind != "report"
        return message

    def give_up(self, *, is_patient: bool) -> None:
        """Tell it to give up, and unless that has time, end it when it does not."""
        if not self._is_told_to_end:
            self._is_told_to_end = True
            with contextlib.suppress(OSError):
                self._say(None)
        if not is_patient and self._last_resort is None:
            self._last_resort = threading.Timer(PATIENCE_S, self.kill)
            self._last_resort.daemon = True
            self._last_resort.start()

    def stop_waiting(self) -> None:
        """Wait no more for it to give up."""
        if self._last_resort is not None:
            self._last_resort.cancel()
            self._last_resort.join()
            self._last_resort = None

    def end_of(self) -> tuple[int, str]:
        """Return status and last words of one that has ended."""
        status = self._child.wait() or 0
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(self._log.tell() - _LAST_WORDS, 0))
        return status, self._log.read().decode(errors="replace").strip()

    def kill(self) -> None:
        """End it at once."""
        self._child.process.kill()

    def end(self, *, is_let_go: bool = False) -> None:
        """End it, and wait for it; one that is let go tidies up before."""
        with self._log:
            if is_let_go and self._to is not None:
                with contextlib.suppress(OSError):
                    self._to.close()
                self._child.wait(PATIENCE_S)
            self._child.close()

    def _say(self, message: Order | None) -> None:
        if self._to is not None:
            self._to.write(packed(message))
            self._to.flush()
