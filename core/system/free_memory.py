"""Memory that this process may use, and that it uses."""

from __future__ import annotations

from pathlib import Path

PLENTY = 1 << 40
"""Free memory where the system does not say, bytes: no reason to do with less."""


def free_memory() -> int:
    """Return how many bytes can be used without others being put aside, within the limits of a container.

    >>> free_memory() > 0
    True
    """
    said = [line.split()[1] for line in _lines("/proc/meminfo") if line.startswith("MemAvailable:")]
    found = [PLENTY, *(1024 * int(kilobytes) for kilobytes in said)]
    limit, used = (_lines(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
    if limit and used and limit[0].isdigit():
        found.append(int(limit[0]) - int(used[0]))
    return max(1, min(found))


def used_memory() -> int:
    """Return how many bytes this process has in memory; 0 where the system does not say.

    >>> used_memory() < PLENTY
    True
    """
    said = [line.split()[1] for line in _lines("/proc/self/status") if line.startswith("VmRSS:")]
    return 1024 * int(said[0]) if said else 0


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
