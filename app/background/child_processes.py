"""Child interpreters of the program: every one is started here, so that none runs code of the current folder.

A scene comes from a stranger, and may have files beside it that are named like modules of Python. A process of ours
therefore imports nothing of the folder it is started in, and runs in one of its own.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
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


def start_child(module: str, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a process that runs a module, with pipes to and from it; what it complains of goes to `log`.

    When it ends it goes at once, whether or not somebody asks how it has ended.
    """
    process = subprocess.Popen(
        child_command(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=child_folder(),
        env=os.environ | one_blas_thread(),
    )
    threading.Thread(target=_reap, args=(process,), name="end of a child", daemon=True).start()
    return process


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process; until then others may ask whether it is there."""
    if sys.platform != "win32" and hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):  # somebody has asked first
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.wait()
