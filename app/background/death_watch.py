"""Watch over the death of this process: a shell that outlives it ends the child processes that it has left.

A child cannot notice by itself that its parent is dead while a function in C keeps Python's lock: none of its threads
gets a turn. Linux has ``PR_SET_PDEATHSIG``, but that ends a child with the *thread* that started it, and children here
outlive such threads. So one shell waits at the end of a pipe that this process alone holds open. Through the pipe it
learns which children there are, and the end of the pipe is the death of this process.
"""

from __future__ import annotations

import atexit
import contextlib
import subprocess
import sys
import threading

PATIENCE_S = 3
"""Seconds that a child may take to tidy up after its parent's death, more than it takes by itself."""

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
"""What the shell does: it reads words with the numbers of processes, or of groups, which are negative."""


class DeathWatch:
    """Shell that ends the children of this process after its death; it is started with the first child."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._watched: dict[int, str] = {}
        self._lock = threading.Lock()

    def add(self, pid: int, *, is_patient: bool) -> None:
        """Watch over a child, or with a negative number over a group; one that is patient may tidy up before its end.

        Where no shell can be started, for want of memory or of a shell, children end when they next read.
        """
        if sys.platform == "win32":
            return
        with self._lock:
            self._watched[pid] = "later" if is_patient else "now"
            self._write(f"{self._watched[pid]} {pid}\n")

    def remove(self, pid: int) -> None:
        """Forget a child that has ended, before its number can be another's."""
        with self._lock:
            if self._watched.pop(pid, None) is not None:
                self._write(f"gone {pid}\n")

    def close(self) -> None:
        """End the shell, when this process ends."""
        with self._lock:
            self._end_shell(is_waited_for=not self._watched)

    def _end_shell(self, *, is_waited_for: bool) -> None:
        """Close the pipe to the shell, which ends then, after the children that it still watches over."""
        shell, self._shell = self._shell, None
        if shell is None or shell.stdin is None:
            return
        with contextlib.suppress(OSError):
            shell.stdin.close()
        if is_waited_for:
            shell.wait()

    def _write(self, line: str) -> None:
        """Write a line to the shell; one that somebody has ended is started anew, and learns of all children."""
        if self._shell is not None and self._is_written(line):
            return
        self._end_shell(is_waited_for=True)  # somebody has ended it
        with contextlib.suppress(OSError):
            self._shell = _start_shell()
            self._is_written("".join(f"{word} {pid}\n" for pid, word in self._watched.items()))

    def _is_written(self, text: str) -> bool:
        pipe = None if self._shell is None else self._shell.stdin
        try:
            if pipe is not None:
                pipe.write(text.encode())
        except OSError:
            return False
        return pipe is not None


def _start_shell() -> subprocess.Popen[bytes]:
    """Start the shell in a group of its own, which a terminal does not interrupt."""
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
"""The watch of this process."""

atexit.register(DEATH_WATCH.close)
