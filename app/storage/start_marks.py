"""Marks of starts that did not reach their first picture, for the next start to find.

The remembered window layout is applied before the user can change it. If it ever prevents a start, the next start
ignores it once.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from PySide6.QtCore import QLockFile

from framescope.app.storage.app_directories import data_folder

SUFFIX, LOCK_SUFFIX = ".start", ".lock"
MAX_MARKS = 100
"""Largest number of marks that a start looks at."""


class StartMark:
    """Mark of a start: a file from its creation until `remove`, locked while its process runs.

    Where nothing can be written there is no mark.

    Parameters
    ----------
    below
        Folder of all marks; None for the platform's own place.

    Attributes
    ----------
    has_failed_before
        Whether an earlier start did not reach its first picture, and this is the first start since.
    """

    def __init__(self, below: Path | None = None) -> None:
        below = marks_folder() if below is None else below
        self._path = below / f"{os.getpid()}{SUFFIX}"
        self.has_failed_before = _clear_away(below, self._path)
        self._lock = _lock_of(self._path)
        with contextlib.suppress(OSError):
            below.mkdir(parents=True, exist_ok=True)
            if self._lock.tryLock(0):
                self._path.touch()

    def remove(self) -> None:
        """Remove the mark: this start has reached its first picture or was cancelled on purpose."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
        self._lock.unlock()


def marks_folder() -> Path:
    """Return the folder of the marks."""
    return data_folder() / "starts"


def _clear_away(below: Path, own: Path) -> bool:
    """Remove the marks of starts whose process has ended; return whether there were any."""
    try:
        marks = sorted(path for path in below.iterdir() if path.suffix == SUFFIX)[:MAX_MARKS]
    except OSError:
        return False
    has_marks = False
    for mark in marks:
        if mark == own:  # left by an earlier process with this process's number, so its lock looks alive
            with contextlib.suppress(OSError):
                mark.with_suffix(LOCK_SUFFIX).unlink(missing_ok=True)
        lock = _lock_of(mark)
        if lock.tryLock(0):
            with contextlib.suppress(OSError):
                mark.unlink()
                has_marks = True
            lock.unlock()
    return has_marks


def _lock_of(mark: Path) -> QLockFile:
    lock = QLockFile(str(mark.with_suffix(LOCK_SUFFIX)))
    lock.setStaleLockTime(0)  # stale only when its process has ended, whatever its age
    return lock
