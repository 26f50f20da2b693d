"""First code of every child process: limits memory and processor time, then runs the child's module or program.

It runs before any other import, either as a module (``-m``) with the child's module as argument, or as a file with a
program as argument. It therefore uses the standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import sys

MODULE, PROGRAM = "module", "program"
"""Kinds of children: a Python module, or a program."""


def run(words: list[str]) -> None:
    """Limit this process, then run the module or program.

    Parameters
    ----------
    words
        Memory, bytes, and processor time, s, 0 for no limit; `MODULE` or `PROGRAM`; its name and arguments.
    """
    memory, cpu_s, kind, *command = words
    limit(int(memory), int(cpu_s))
    if sys.platform == "win32":
        end_with_parent()
    if kind == PROGRAM:
        try:
            os.execvp(command[0], command)  # noqa: S606 - the program that the parent names
        except OSError as error:
            sys.exit(f"{command[0]} cannot be started: {error.strerror}")
    import runpy

    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def limit(memory: int, cpu_s: int) -> None:
    """Limit the memory, bytes, and the processor time, s, of this process; 0 sets no limit. Windows has neither.

    On Linux the limit is for writable memory (``RLIMIT_DATA``), because graphics drivers reserve far more addresses
    (``RLIMIT_AS``) than they use.
    """
    try:
        import resource
    except ImportError:
        return
    amount = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    limits = {resource.RLIMIT_CORE: 0}
    limits |= {amount: memory} if memory else {}
    limits |= {resource.RLIMIT_CPU: cpu_s} if cpu_s else {}
    for kind, most in limits.items():
        with contextlib.suppress(ValueError, OSError):
            _, hard = resource.getrlimit(kind)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (allowed, allowed))


if sys.platform == "win32":

    def end_with_parent() -> None:
        """Start a thread that ends this process when its parent has ended."""
        import ctypes
        import threading
        import time
        from ctypes import wintypes

        synchronize, forever = 0x00100000, 0xFFFFFFFF
        system = ctypes.WinDLL("kernel32")
        system.OpenProcess.restype = wintypes.HANDLE
        system.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
        parent = system.OpenProcess(synchronize, False, os.getppid())
        if not parent:
            return

        def wait() -> None:
            system.WaitForSingleObject(parent, forever)
            time.sleep(PATIENCE_S)
            os._exit(1)

        threading.Thread(target=wait, name="end of the parent", daemon=True).start()

    PATIENCE_S = 3
    """Time between the end of the parent and the end of this process, s, for removing incomplete files."""


if __name__ == "__main__":
    run(sys.argv[1:])
