"""Cores and memory that this process may use, within the limits of the machine and of a container.

References
----------
Linux, "Control Group v2", ``cpu.max`` and ``memory.max``; "cgroups v1", ``cpu.cfs_quota_us`` and
``memory.limit_in_bytes``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROC, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
"""Root folders of the process information and of the control groups."""

PLENTY = 1 << 40
"""Free memory assumed where the system reports none, bytes; large enough to restrict nothing."""


@cache
def cores() -> int:
    """Return the number of CPU cores that this process may keep busy.

    >>> cores() > 0
    True
    """
    allowed = getattr(os, "sched_getaffinity", None)
    n = len(allowed(0)) if allowed else os.cpu_count() or 1
    return max(1, math.ceil(min([n, *_quotas()])))


def free_memory() -> int:
    """Return the memory that this process can allocate without swapping, bytes.

    >>> free_memory() > 0
    True
    """
    return max(1, min([PLENTY, *_numbers_after("MemAvailable:", PROC / "meminfo", 1024), *_free_in_groups()]))


@cache
def whole_memory() -> int:
    """Return the memory of the machine, or the limit of the container if that is lower, bytes.

    >>> whole_memory() >= free_memory() or whole_memory() == PLENTY
    True
    """
    return min([PLENTY, *_numbers_after("MemTotal:", PROC / "meminfo", 1024), *_limits_of_groups()])


def used_memory() -> int:
    """Return the memory that this process occupies, bytes; 0 where the system does not report it.

    >>> used_memory() < PLENTY
    True
    """
    return sum(_numbers_after("VmRSS:", PROC / "self/status", 1024))


def _quotas() -> Iterator[float]:
    """Yield the average number of cores that each control group of this process may keep busy."""
    for group in _groups("cpu"):
        quota_and_period = _words(group / "cpu.max") or [
            *_words(group / "cpu.cfs_quota_us"),
            *_words(group / "cpu.cfs_period_us"),
        ]
        if len(quota_and_period) == 2 and all(word.isdigit() and int(word) > 0 for word in quota_and_period):
            yield int(quota_and_period[0]) / int(quota_and_period[1])


def _free_in_groups() -> Iterator[int]:
    """Yield the bytes that each control group may still use; inactive file caches count as free."""
    for group in _groups("memory"):
        for limit, used, files in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            limit_and_use = [*_words(group / limit), *_words(group / used)]
            if len(limit_and_use) == 2 and all(word.isdigit() for word in limit_and_use):
                yield int(limit_and_use[0]) - int(limit_and_use[1]) + sum(_numbers_after(files, group / "memory.stat"))


def _limits_of_groups() -> Iterator[int]:
    """Yield the memory limit of each control group of this process, bytes."""
    for group in _groups("memory"):
        for limit in ("memory.max", "memory.limit_in_bytes"):
            yield from (int(word) for word in _words(group / limit) if word.isdigit())


def _groups(controller: str) -> Iterator[Path]:
    """Yield the folders of the control groups of this process, from its own up to the root."""
    for line in _lines(PROC / "self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        root = GROUPS / controllers if controllers else GROUPS
        own = root / path.lstrip("/")
        yield own
        yield from (group for group in own.parents if group.is_relative_to(root))


def _numbers_after(word: str, path: Path, unit: int = 1) -> Iterator[int]:
    """Yield the numbers after `word` at the beginning of lines of a file, times `unit`."""
    for line in _lines(path):
        words = line.split()
        if len(words) > 1 and words[0] == word and words[1].isdigit():
            yield unit * int(words[1])


def _words(path: Path) -> list[str]:
    """Return the words of a file; none when it cannot be read."""
    return " ".join(_lines(path)).split()


def _lines(path: Path) -> list[str]:
    """Return the lines of a file; none when it cannot be read."""
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
