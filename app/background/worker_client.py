"""Errands: what computes for long is done by another process, so that the window has Python for itself.

A thread would share Python's interpreter lock: each of the thousand calls to Qt that an edit makes gives it away, and
waits to get it back from whoever computes. On an idle machine with two cores, adding an item while a scene was
simulated took 0.6 to 0.8 s in place of 0.1.

Starting a process takes half a second to a second, so one that has done its errand is kept for the next.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, ClassVar, Literal

from framescope.app.background.child_processes import start_child
from framescope.app.background.pickle_pipe import packed, read_message
from framescope.core.errors import FramescopeError

MAX_IDLE = 2
"""How many processes are kept for the next errands."""

PATIENCE_S = 2.0
"""How long an errand may take to give up by itself."""

_LOG = logging.getLogger(__name__)


class ErrandError(FramescopeError):
    """An errand has failed; the text says why."""


class ErrandCancelledError(FramescopeError):
    """An errand was given up."""

    def __init__(self) -> None:
        super().__init__("The errand was cancelled.")


@dataclass(frozen=True)
class Order:
    """What a process is to do: to return `function` of `args` and of the hooks ``tell`` and ``is_cancelled``."""

    function: Callable[..., Any]
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Word:
    """What it says meanwhile and at the end; `trace` is where a fault happened."""

    kind: Literal["told", "done", "failed", "fault", "cancelled"]
    value: Any = None
    trace: str = ""


class Errand:
    """A function that is done in another process.

    Parameters
    ----------
    function
        Any that can be pickled. It is called with `args` and two hooks: one to be called with what there is to tell
        meanwhile, and one that returns whether to give up, as `Job.run` takes them.
    args
        They and the result go through a pickle.
    """

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self._order = Order(function, args)
        self._process: _Process | None = None
        self._is_ordered = self._is_cancelled = False
        self._lock = threading.Lock()

    def result(self, tell: Callable[[Any], None]) -> Any:
        """Wait for the result, in a thread that has nothing else to do, and return it.

        Raises
        ------
        ErrandCancelledError
            When it was given up.
        ErrandError
            When the function has failed, or its process has.
        """
        with self._lock:
            if self._is_cancelled:
                raise ErrandCancelledError
            self._process = process = _Process.free()
        try:
            process.say(self._order)
            with self._lock:
                self._is_ordered = True
                if self._is_cancelled:
                    process.give_up()
            word = process.hear()
            while word.kind == "told":
                tell(word.value)
                word = process.hear()
        except (EOFError, OSError):
            if self._is_cancelled:
                raise ErrandCancelledError from None
            raise ErrandError(process.last_words()) from None
        finally:
            with self._lock:
                self._process = None
            process.done_with()
        return value_of(word)

    def cancel(self) -> None:
        """Have it given up; `result` returns soon."""
        with self._lock:
            is_news, self._is_cancelled = not self._is_cancelled, True
            if is_news and self._process is not None and self._is_ordered:
                self._process.give_up()


def value_of(word: Word) -> Any:
    """Return what an errand has found, or raise what it ended with."""
    if word.kind == "cancelled":
        raise ErrandCancelledError
    if word.kind == "failed":
        raise ErrandError(word.value)
    if word.kind == "fault":
        _LOG.error("an errand failed\n%s", word.trace)
        raise ErrandError(f"{word.value}. This is a fault of Framescope; the log has more.")
    return word.value


class _Process:
    """A process that does one errand at a time."""

    _idle: ClassVar[list[_Process]] = []

    def __init__(self) -> None:
        self._is_sound = False
        self._log = TemporaryFile()  # noqa: SIM115 - it is there as long as the process
        self._process = start_child("framescope.app.background.worker_main", self._log)
        self._to, self._from = self._process.stdin, self._process.stdout
        self._last_resort: threading.Timer | None = None

    @classmethod
    def free(cls) -> _Process:
        """Return one that has nothing to do."""
        while cls._idle:
            with contextlib.suppress(IndexError):  # another thread has taken the last one
                process = cls._idle.pop()
                if process.is_alive():
                    return process
                process.end()
        return cls()

    def is_alive(self) -> bool:
        """Return whether it can be told to do something."""
        return self._process.poll() is None

    def say(self, message: Order | None) -> None:
        """Tell it what to do, or with None, to give that up."""
        if message is not None:
            self._is_sound = False
        if self._to is not None:
            self._to.write(packed(message))
            self._to.flush()

    def hear(self) -> Word:
        """Return what it says next; wait for it."""
        if self._from is None:
            raise EOFError
        word: Word = read_message(self._from.fileno())
        self._is_sound = word.kind != "told"
        return word

    def give_up(self) -> None:
        """Tell it to give up, and end it when it does not."""
        with contextlib.suppress(OSError):
            self.say(None)
        self._last_resort = threading.Timer(PATIENCE_S, self._process.kill)
        self._last_resort.daemon = True
        self._last_resort.start()

    def last_words(self) -> str:
        """Return what to say of one that has ended in the middle of an errand."""
        status = self._process.wait()
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(self._log.tell() - 20_000, 0))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f"the process that computes has ended with status {status}: {lines[-1] if lines else 'no reason given'}."

    def done_with(self) -> None:
        """Keep it for the next errand; end it when it is in the middle of one, or has ended."""
        if self._last_resort is not None:
            self._last_resort.cancel()
            self._last_resort.join()
            self._last_resort = None
        if self._is_sound and self.is_alive() and len(self._idle) < MAX_IDLE:
            self._idle.append(self)
        else:
            self.end()

    def end(self) -> None:
        """End it, and wait for it."""
        self._process.kill()
        with self._log, contextlib.suppress(OSError), self._process:
            pass

    @classmethod
    def end_idle(cls) -> None:
        """End those that are kept."""
        while cls._idle:
            cls._idle.pop().end()


atexit.register(_Process.end_idle)
