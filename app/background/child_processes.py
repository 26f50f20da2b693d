"""Child processes of the program: every one is started here, so that none runs code of the current folder.

A scene comes from a stranger, and may have files beside it that are named like modules of Python. A process of ours
therefore imports nothing of the folder it is started in, and runs in one of its own; nor does an interpreter that a
library starts there.

Each has limits of memory and processor time, which it sets before it loads anything (`child_guard`), and none outlives
this process (`death_watch`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from framescope.app import platforms
from framescope.app.process_settings import one_blas_thread
from framescope.app.storage.temporary_folders import folder_of_children
from framescope.core.kernels.machine_share import whole_memory
from framescope.core.system.cooperative_yield import checkpoint

if TYPE_CHECKING:
    from framescope.app.background.death_watch import DeathWatch

LEAST_MEMORY, MEMORY_SHARE = 2 << 30, 0.8
"""Memory that a child without a limit of its own may use: at least, bytes, and as a share of what there is."""

COMMON_VARIABLES = {"PYTHONSAFEPATH": "1", "MUJOCO_GL": "disable"}
"""Variables of every child: interpreters that libraries start import nothing of the current folder, as with ``-P``, and
MuJoCo loads no windows library, which would start one."""

POLL_S = 0.1
"""How often whoever waits for a child may give it up, s."""


@dataclass(frozen=True)
class ProcessLimits:
    """Limits of a child: memory, bytes, and processor time, s; None for memory is a share of the machine's.

    Processor time has no limit where it is None: a film takes as long as it takes, and ends with its parent.
    """

    memory: int | None = None
    cpu_s: int | None = None

    def as_words(self) -> tuple[str, str]:
        """Return them as `child_guard` takes them."""
        shared = max(LEAST_MEMORY, int(MEMORY_SHARE * whole_memory()))
        return str(shared if self.memory is None else self.memory), str(self.cpu_s or 0)


NO_LIMITS_OF_ITS_OWN = ProcessLimits()


def _death_watch() -> DeathWatch:
    """Return the watch over the death of this process; it is imported with the first child, after the first picture."""
    from framescope.app.background.death_watch import DEATH_WATCH

    return DEATH_WATCH


def child_command(module: str) -> list[str]:
    """Return the command line that runs a module of this program."""
    return platforms.python_command("-m", module)


def child_folder() -> str:
    """Return the folder it is to run in."""
    return str(folder_of_children())


def _limited_module(module: str, limits: ProcessLimits) -> list[str]:
    """Return the command line that limits a process, then runs a module of this program in it."""
    from framescope.app.background import child_guard

    guard = child_command(child_guard.__name__)
    return [*guard, *limits.as_words(), child_guard.MODULE, module]


def _limited_program(command: Sequence[str], limits: ProcessLimits) -> list[str]:
    """Return the command line that limits a process, then becomes a program; Windows can do neither."""
    if sys.platform == "win32":
        return list(command)
    from framescope.app.background import child_guard

    guard = platforms.python_command("-S", "-E", child_guard.__file__)
    return [*guard, *limits.as_words(), child_guard.PROGRAM, *command]


@dataclass(frozen=True)
class ChildProcess:
    """An interpreter of ours that runs a module; what it starts itself ends with it."""

    process: subprocess.Popen[bytes]
    waiter: threading.Thread
    """Waits for its end; nobody else does, so that its number is its own until what it has started is ended, too."""

    def is_alive(self) -> bool:
        """Return whether it has not ended."""
        return self.waiter.is_alive()

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Wait until it and what it has started have ended; return how it ended, None when the time was too short."""
        self.waiter.join(timeout_s)
        return None if self.waiter.is_alive() else self.process.wait()

    def close(self) -> None:
        """End it at once, wait for it, and close the pipes."""
        with contextlib.suppress(OSError), self.process:  # what was said to one that is gone
            if self.waiter.is_alive():
                self.process.kill()
            self.waiter.join()


def start_child(
    module: str,
    log: IO[bytes],
    variables: Mapping[str, str] = MappingProxyType({}),
    limits: ProcessLimits = NO_LIMITS_OF_ITS_OWN,
    *,
    is_patient: bool = True,
) -> ChildProcess:
    """Start a process that runs a module, with pipes to and from it; what it complains of goes to `log`.

    It has our environment, with these variables besides.

    When it ends it goes at once, whether or not somebody asks how it has ended. When this process dies it is ended,
    after some seconds in which it may tidy up if it `is_patient`.
    """
    process = subprocess.Popen(
        _limited_module(module, limits),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=child_folder(),
        env=os.environ | _python_path() | one_blas_thread() | COMMON_VARIABLES | dict(variables),
        process_group=0 if _HAS_GROUPS else None,
    )
    _death_watch().add(-process.pid, is_patient=is_patient)
    waiter = threading.Thread(target=_wait_for, args=(process,), name="end of a child", daemon=True)
    waiter.start()
    return ChildProcess(process, waiter)


def _python_path() -> dict[str, str]:
    """Return PYTHONPATH for a child, where it is set at all: without what would be seen from another folder there."""
    given = os.environ.get("PYTHONPATH")
    return {} if given is None else {"PYTHONPATH": platforms.without_relative_parts(given)}


def run_child(module: str, data: bytes, timeout_s: float, limits: ProcessLimits) -> tuple[int, bytes]:
    """Run a module in a process of its own, which gets `data`; return how it ended, and what it wrote.

    The receiver of `framescope.core.system.cooperative_yield.report_progress_to` may raise, which ends the work.

    Raises `subprocess.TimeoutExpired` when it takes longer. However this function is left, the process is ended.
    """
    with Path(os.devnull).open("wb") as log:
        child = start_child(module, log, limits=limits, is_patient=False)
        try:
            out = _output_of(child.process, data, timeout_s)
        finally:
            child.close()
    return child.process.returncode, out


def _output_of(process: subprocess.Popen[bytes], data: bytes, timeout_s: float) -> bytes:
    """Return what a process writes until it closes its output, and stop for breath meanwhile."""
    end = time.monotonic() + timeout_s
    given: bytes | None = data
    while True:
        try:
            return process.communicate(given, min(POLL_S, max(0.0, end - time.monotonic())))[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end:
                raise
        given = None  # the rest of it is on its way
        checkpoint()


@dataclass(frozen=True)
class ProgramProcess:
    """A program that is no interpreter of ours, in our process group; somebody has to wait for it."""

    process: subprocess.Popen[bytes]

    def wait(self) -> int:
        """Wait until it has ended, and return its exit status."""
        _wait_unreaped(self.process)
        _death_watch().remove(self.process.pid)
        return self.process.wait()

    def output(self, data: bytes) -> tuple[int, bytes]:
        """Give it `data`, and return its exit status and what it complains of."""
        _, complaints = self.process.communicate(data)
        _death_watch().remove(self.process.pid)
        return self.process.returncode, complaints


def start_program(
    command: Sequence[str], stderr: IO[bytes] | int, limits: ProcessLimits = NO_LIMITS_OF_ITS_OWN
) -> ProgramProcess:
    """Start a program with a pipe to it; what it complains of goes to `stderr`. When this process dies it is ended."""
    process = subprocess.Popen(
        _limited_program(command, limits), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr
    )
    _death_watch().add(process.pid, is_patient=False)
    return ProgramProcess(process)


_HAS_GROUPS = sys.platform != "win32"
"""Whether a process and what it starts can be ended together, by the number of the first."""


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, and end what it has started and left.

    An encoder of a film that outlives who feeds it would make its file anew after that was removed.
    """
    if sys.platform != "win32":
        _wait_unreaped(process)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has started nothing that is there
            os.killpg(process.pid, signal.SIGKILL)
        _death_watch().remove(-process.pid)
    process.wait()


def _wait_unreaped(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, and leave it its number, where the system has a way to."""
    if process.returncode is not None:
        return
    if hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):  # whoever has killed it has asked first
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
