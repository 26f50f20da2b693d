"""Child interpreters of the program: every one is started here, so that none runs code of the current folder.

A scene comes from a stranger, and may have files beside it that are named like modules of Python. A process of ours
therefore imports nothing of the folder it is started in, and runs in one of its own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from framescope.app import platforms
from framescope.app.process_settings import one_blas_thread
from framescope.app.storage.temporary_folders import folder_of_children


def child_command(module: str) -> list[str]:
    """Return the command line that runs a module of this program."""
    return platforms.python_command("-m", module)


def child_folder() -> str:
    """Return the folder it is to run in."""
    return str(folder_of_children())


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


def start_child(module: str, log: IO[bytes], variables: Mapping[str, str] = MappingProxyType({})) -> ChildProcess:
    """Start a process that runs a module, with pipes to and from it; what it complains of goes to `log`.

    It has our environment, with these variables besides.

    When it ends it goes at once, whether or not somebody asks how it has ended.
    """
    process = subprocess.Popen(
        child_command(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=child_folder(),
        env=os.environ | one_blas_thread() | dict(variables),
        process_group=0 if _HAS_GROUPS else None,
    )
    waiter = threading.Thread(target=_wait_for, args=(process,), name="end of a child", daemon=True)
    waiter.start()
    return ChildProcess(process, waiter)


def run_child(module: str, data: bytes, timeout_s: float) -> tuple[int, bytes]:
    """Run a module in a process of its own, which gets `data`; return how it ended, and what it wrote.

    Raises `subprocess.TimeoutExpired` when it takes longer; it is ended then.
    """
    with Path(os.devnull).open("wb") as log:
        child = start_child(module, log)
        try:
            out, _ = child.process.communicate(data, timeout_s)
        finally:
            child.close()
    return child.process.returncode, out


_HAS_GROUPS = sys.platform != "win32"
"""Whether a process and what it starts can be ended together, by the number of the first."""


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, and end what it has started and left.

    An encoder of a film that outlives who feeds it would make its file anew after that was removed.
    """
    if sys.platform != "win32":
        if hasattr(os, "waitid"):
            with contextlib.suppress(ChildProcessError):  # whoever has killed it has asked first
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        else:
            process.wait()
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has started nothing that is there
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
