"""Processes as the system sees them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def is_running(pid: int) -> bool:
    """Return whether a process is there and has not ended.

    One that has ended keeps its number until its parent asks how, and in a container whose first process asks for none
    of the orphans it is handed, for good.
    """
    if sys.platform == "win32":
        said = subprocess.run(["tasklist", "/fi", f"pid eq {pid}"], capture_output=True, text=True, check=False).stdout
        return str(pid) in said.split()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return state_of(pid) not in ("Z", "X", "")


def state_of(pid: int) -> str:
    """Return the letter that the system has for what a process does; none when there is no such process."""
    if Path("/proc/self/stat").exists():
        try:
            return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return ""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return done.stdout.strip()[:1]


def with_descendants(pid: int) -> list[int]:
    """Return a process and all that it and they have started and that are still there; Linux only."""
    found = [pid]
    for process in found:
        try:
            lists = [path.read_text(encoding="ascii") for path in Path(f"/proc/{process}/task").glob("*/children")]
        except OSError:  # it has ended meanwhile
            continue
        found += [int(child) for text in lists for child in text.split()]
    return found


def private_mb(pid: int) -> float:
    """Return the memory that a process and its descendants share with no other, MB; Linux only."""
    kilobytes = 0
    for process in with_descendants(pid):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))
    return kilobytes / 1024
