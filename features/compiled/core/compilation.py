"""Compiler of formulas, and its background thread."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Callable

from framescope.core.kernels.code.formula_compilers import MODE, FormulaCompiler, MachineCode, Shape
from framescope.core.kernels.code.symbolic import Code, UntraceableError
from framescope.features.compiled.core import machine, self_test

_LOG = logging.getLogger(__name__)

Work = Callable[[], None]

_waiting: deque[Work] = deque()
_turn = threading.Lock()
_threads: list[threading.Thread] = []


def is_possible() -> bool:
    """Return whether formulas are compiled in this process."""
    return os.environ.get(MODE) != "0" and machine.is_available()


def compile_formula(
    name: str, code: Code, takes: tuple[Shape, ...], gives: tuple[Shape, ...], *, tells_results: bool = False
) -> MachineCode:
    """Return the machine code of a formula, as `framescope.features.compiled.core.machine.machine_code`.

    Raises `UntraceableError` when machine code fails its self-test, so that every formula stays in numpy.
    """
    if not self_test.is_sound():
        raise UntraceableError("machine code differs from numpy here")
    return machine.machine_code(name, code, takes, gives, tells_results=tells_results)


def submit(work: Work) -> None:
    """Queue work for the compiler thread, from any thread."""
    with _turn:
        _waiting.append(work)
        if any(thread.is_alive() for thread in _threads):
            return
        thread = threading.Thread(target=_process_queue, name="formulas")
        with contextlib.suppress(RuntimeError):  # no more threads: the next call tries again
            thread.start()
            _threads[:] = [thread]


def wait() -> None:
    """Wait until the queue is empty; for benchmarks and tests."""
    for thread in _threads:
        thread.join()


def _process_queue() -> None:
    """Process the queue until it is empty or the main thread ends, since a running thread would keep Python alive."""
    while threading.main_thread().is_alive():
        with _turn:
            if not _waiting:
                _threads.clear()
                return
            work = _waiting.popleft()
        try:
            work()
        except Exception:  # noqa: BLE001 - a formula that fails stays in Python, and the queue continues
            _LOG.exception("a formula cannot be compiled")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release)

COMPILER = FormulaCompiler(is_possible, compile_formula, submit)
