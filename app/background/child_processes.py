"""Child processes of the program: all are started here, so that none runs code from the current folder.

A scene may come from a stranger, beside files with the names of Python modules. A child process therefore imports
nothing from the folder it was started in and runs in a folder of its own; so do interpreters that libraries start.

Each child limits its memory and processor time before it loads anything (`child_guard`), and none outlives this
process (`death_watch`).
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
"""Default memory limit of a child: a minimum, bytes, and a share of the machine's memory."""

COMMON_VARIABLES = {"PYTHONSAFEPATH": "1", "MUJOCO_GL": "disable"}
"""Environment variables of every child: interpreters that libraries start import nothing from the current folder, as
with ``-P``, and MuJoCo loads no windowing library, which would start one."""

POLL_S = 0.1
"""Interval at which a wait for a child can be cancelled, s."""


@dataclass(frozen=True)
class ProcessLimits:
    """Limits of a child: memory, bytes, where None is the default share, and processor time, s.

    None for processor time sets no limit: a film takes as long as it takes, and ends with its parent.
    """

    memory: int | None = None
    cpu_s: int | None = None

    def as_words(self) -> tuple[str, str]:
        """Return the limits as arguments of `child_guard`."""
        shared = max(LEAST_MEMORY, int(MEMORY_SHARE * whole_memory()))
        return str(shared if self.memory is None else self.memory), str(self.cpu_s or 0)


NO_LIMITS_OF_ITS_OWN = ProcessLimits()


def _death_watch() -> DeathWatch:
    """Return the death watch of this process; it is imported with the first child, after the first picture."""
    from framescope.app.background.death_watch import DEATH_WATCH

    return DEATH_WATCH


def child_command(module: str) -> list[str]:
    """Return the command line that runs a module of this program."""
    return platforms.python_command("-m", module)


def child_folder() -> str:
    """Return the folder in which children run."""
    return str(folder_of_children())


def _module_command(module: str, limits: ProcessLimits) -> list[str]:
    """Return the command line that limits a process and then runs a module of this program in it."""
    from framescope.app.background import child_guard

    guard = child_command(child_guard.__name__)
    return [*guard, *limits.as_words(), child_guard.MODULE, module]


def _program_command(command: Sequence[str], limits: ProcessLimits) -> list[str]:
    """Return the command line that limits a process and then replaces it by a program; on Windows the program alone."""
    if sys.platform == "win32":
        return list(command)
    from framescope.app.background import child_guard

    guard = platforms.python_command("-S", "-E", child_guard.__file__)
    return [*guard, *limits.as_words(), child_guard.PROGRAM, *command]


@dataclass(frozen=True)
class ChildProcess:
    """A Python interpreter that runs a module; processes that it starts end with it."""

    process: subprocess.Popen[bytes]
    waiter: threading.Thread
    """Thread that waits for the end. Nothing else waits, so the process number stays valid until its children end."""

    def is_alive(self) -> bool:
        """Return whether the process is running."""
        return self.waiter.is_alive()

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Wait until the process and its children have ended; return the exit status, None after the timeout, s."""
        self.waiter.join(timeout_s)
        return None if self.waiter.is_alive() else self.process.wait()

    def close(self) -> None:
        """Kill the process, wait for its end, and close the pipes."""
        with contextlib.suppress(OSError), self.process:  # closing flushes data to a process that has ended
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
    """Start a process that runs a module, with pipes to and from it; `log` gets its standard error.

    The child gets this process's environment and `variables`.

    Its exit is collected at once, whether or not anybody waits. When this process ends, the child is killed; a child
    that `is_patient` gets some seconds before to remove incomplete files.
    """
    process = subprocess.Popen(
        _module_command(module, limits),
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
    """Return PYTHONPATH for a child, if set, without relative parts, which mean other folders there."""
    given = os.environ.get("PYTHONPATH")
    return {} if given is None else {"PYTHONPATH": platforms.without_relative_parts(given)}


def run_child(module: str, data: bytes, timeout_s: float, limits: ProcessLimits) -> tuple[int, bytes]:
    """Run a module in its own process with `data` as input; return its exit status and its output.

    A caller that uses `framescope.core.system.cooperative_yield.report_progress_to` can cancel the work meanwhile.

    Raises `subprocess.TimeoutExpired` after `timeout_s` seconds. The process is ended in every case.
    """
    with Path(os.devnull).open("wb") as log:
        child = start_child(module, log, limits=limits, is_patient=False)
        try:
            out = _output_of(child.process, data, timeout_s)
        finally:
            child.close()
    return child.process.returncode, out


def _output_of(process: subprocess.Popen[bytes], data: bytes, timeout_s: float) -> bytes:
    """Return a process's complete output, and yield to other work meanwhile."""
    end = time.monotonic() + timeout_s
    given: bytes | None = data
    while True:
        try:
            return process.communicate(given, min(POLL_S, max(0.0, end - time.monotonic())))[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end:
                raise
        given = None  # `communicate` keeps the data and sends the rest
        checkpoint()


@dataclass(frozen=True)
class ProgramProcess:
    """A program in our process group that is no Python interpreter of ours; the caller must wait for it."""

    process: subprocess.Popen[bytes]

    def wait(self) -> int:
        """Wait until the program has ended; return its exit status."""
        _wait_without_reaping(self.process)
        _death_watch().remove(self.process.pid)
        return self.process.wait()

    def communicate(self, data: bytes) -> tuple[int, bytes]:
        """Send `data` to the program; return its exit status and its standard error."""
        _, complaints = self.process.communicate(data)
        _death_watch().remove(self.process.pid)
        return self.process.returncode, complaints


def start_program(
    command: Sequence[str], stderr: IO[bytes] | int, limits: ProcessLimits = NO_LIMITS_OF_ITS_OWN
) -> ProgramProcess:
    """Start a program with a pipe to it; `stderr` gets its standard error. It ends with this process."""
    process = subprocess.Popen(
        _program_command(command, limits), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr
    )
    _death_watch().add(process.pid, is_patient=False)
    return ProgramProcess(process)


_HAS_GROUPS = sys.platform != "win32"
"""Whether a process and its children can be ended together, by the number of the process group."""


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, and end the children that it has left.

    An encoder that outlives the process feeding it would write its file again after the file was removed.
    """
    if sys.platform != "win32":
        _wait_without_reaping(process)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # no children are left
            os.killpg(process.pid, signal.SIGKILL)
        _death_watch().remove(-process.pid)
    process.wait()


def _wait_without_reaping(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process and keep its number reserved, where the system can."""
    if process.returncode is not None:
        return
    if hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):  # `kill` has already collected the exit status
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
