"""When formulas are compiled: those that have had much to do, in a thread beside the program.

The environment variable `MODE` has it otherwise: ``FRAMESCOPE_COMPILED=0`` never, ``FRAMESCOPE_COMPILED=1`` each one
when it is first called, which waits for it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Callable

from framescope.core.kernels.code import machine

MODE = "FRAMESCOPE_COMPILED"

_LOG = logging.getLogger(__name__)

Work = Callable[[], None]

_waiting: deque[Work] = deque()
_turn = threading.Lock()
_threads: list[threading.Thread] = []


def is_possible() -> bool:
    """Return whether formulas are compiled in this process."""
    return os.environ.get(MODE) != "0" and machine.is_available()


def is_at_once() -> bool:
    """Return whether formulas are compiled when they are first called."""
    return os.environ.get(MODE) == "1" and machine.is_available()


def submit(work: Work) -> None:
    """Have something done in the thread for it, after what waits there already; by formulas, in any thread."""
    with _turn:
        _waiting.append(work)
        if any(thread.is_alive() for thread in _threads):
            return
        thread = threading.Thread(target=_work_off, name="formulas")
        with contextlib.suppress(RuntimeError):  # no more threads: it waits for the next time
            thread.start()
            _threads[:] = [thread]


def wait() -> None:
    """Wait until nothing is left to do; for benchmarks and tests."""
    for thread in _threads:
        thread.join()


def _work_off() -> None:
    """Do what waits. The program does not end before a thread does: it goes when the main one has."""
    while threading.main_thread().is_alive():
        with _turn:
            if not _waiting:
                _threads.clear()
                return
            work = _waiting.popleft()
        try:
            work()
        except Exception:  # noqa: BLE001 - what cannot be compiled stays in Python, and the next one has its turn
            _LOG.exception("a formula cannot be compiled")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release)
