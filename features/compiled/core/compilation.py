"""Compiler of formulas, and the thread in which it works beside the program."""

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

    Where machine code fails its self-test an `UntraceableError` is raised, so that every formula stays in numpy.
    """
    if not self_test.is_sound():
        raise UntraceableError("machine code differs from numpy here")
    return machine.machine_code(name, code, takes, gives, tells_results=tells_results)


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

COMPILER = FormulaCompiler(is_possible, compile_formula, submit)
