"""Death watch: a shell that outlives this process and ends its remaining child processes.

A child cannot notice the end of its parent itself while a C function holds Python's lock, because none of its threads
runs. Linux has ``PR_SET_PDEATHSIG``, but this ends a child with the *thread* that started it, and children here
outlive such threads. So a shell waits at the end of a pipe that this process alone holds open. The pipe carries the
numbers of the children; its end means that this process has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import subprocess
import sys
import threading

PATIENCE_S = 3
"""Time that a patient child gets after its parent's end, s; longer than its own `worker_client.PATIENCE_S`."""

SCRIPT = f"""
trap '' HUP INT TERM
without() {{ kept=; for pid in $1; do [ "$pid" = "$2" ] || kept="$kept $pid"; done; }}
now= later=
while read -r word pid; do
  case $word in
  now) now="$now $pid" ;;
  later) later="$later $pid" ;;
  gone) without "$now" "$pid"; now=$kept; without "$later" "$pid"; later=$kept ;;
  esac
done
for pid in $now; do kill -s KILL -- "$pid"; done
[ -z "$later" ] || sleep {PATIENCE_S}
for pid in $later; do kill -s KILL -- "$pid"; done
"""
"""Shell script that reads words with numbers of processes, or of process groups, which are negative."""


class DeathWatch:
    """Shell that ends the children of this process after its end; the first child starts it."""

    def __init__(self) -> None:
        self.shell: subprocess.Popen[bytes] | None = None
        self._watched: dict[int, str] = {}
        self._lock = threading.Lock()

    def add(self, pid: int, *, is_patient: bool) -> None:
        """Watch a child, or with a negative number a process group; a patient child gets `PATIENCE_S` before its end.

        Where no shell can be started, children end at their next read from their parent.
        """
        if sys.platform == "win32":
            return
        with self._lock:
            self._watched[pid] = "later" if is_patient else "now"
            self._write(f"{self._watched[pid]} {pid}\n")

    def remove(self, pid: int) -> None:
        """Stop watching a child that has ended, before the system reuses its number."""
        with self._lock:
            if self._watched.pop(pid, None) is not None:
                self._write(f"gone {pid}\n")

    def close(self) -> None:
        """End the shell, at the end of this process."""
        with self._lock:
            self._end_shell(is_waited_for=not self._watched)

    def _end_shell(self, *, is_waited_for: bool) -> None:
        """Close the pipe to the shell, which then ends the children that it still watches, and itself."""
        shell, self.shell = self.shell, None
        if shell is None or shell.stdin is None:
            return
        with contextlib.suppress(OSError):
            shell.stdin.close()
        if is_waited_for:
            shell.wait()

    def _write(self, line: str) -> None:
        """Write a line to the shell; a shell that was killed is started again with all children."""
        if self.shell is not None and self._try_to_write(line):
            return
        self._end_shell(is_waited_for=True)  # it was killed
        with contextlib.suppress(OSError):
            self.shell = _start_shell()
            self._try_to_write("".join(f"{word} {pid}\n" for pid, word in self._watched.items()))

    def _try_to_write(self, text: str) -> bool:
        pipe = None if self.shell is None else self.shell.stdin
        try:
            if pipe is not None:
                pipe.write(text.encode())
        except OSError:
            return False
        return pipe is not None


def _start_shell() -> subprocess.Popen[bytes]:
    """Start the shell in its own process group, which a terminal does not interrupt."""
    return subprocess.Popen(
        ["/bin/sh", "-c", SCRIPT],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": "/usr/bin:/bin"},
        bufsize=0,
        process_group=0,
    )


DEATH_WATCH = DeathWatch()
"""Death watch of this process."""

atexit.register(DEATH_WATCH.close)
