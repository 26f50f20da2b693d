"""First code of every child process: it limits memory and processor time, then runs what the child is for.

It runs before anything else is imported, as a module (``-m``) in front of another module, or as a file in front of a
program. So it needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import sys

MODULE, PROGRAM = "module", "program"
"""What a child runs: a module of Python, or a program."""


def run(words: list[str]) -> None:
    """Limit this process, then run what it is for.

    Parameters
    ----------
    words
        Bytes of memory and seconds of processor time, 0 for no limit; `MODULE` or `PROGRAM`; its name and arguments.
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

    On Linux memory is what the process may write to (``RLIMIT_DATA``): graphics drivers reserve far more addresses
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
        """Start a thread that ends this process when its parent is dead."""
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
    """Seconds between the death of the parent and the end of this process, which may tidy up meanwhile."""


if __name__ == "__main__":
    run(sys.argv[1:])
