"""Marks of starts that did not reach their first picture, which the next start finds.

What is remembered of the window is shown before anybody can change it. Should it ever keep the program from starting,
the next start does without, once.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from PySide6.QtCore import QLockFile

from framescope.app.storage.app_directories import data_folder

SUFFIX, LOCK_SUFFIX = ".start", ".lock"
MAX_MARKS = 100
"""Marks that are looked at on a start."""


class StartMark:
    """The mark of one start: a file from now until `remove`, with a lock that tells whether its process lives.

    Where nothing can be written there is no mark.

    Parameters
    ----------
    below
        The folder of all marks; the platform's own place when left out.

    Attributes
    ----------
    has_failed_before
        Whether an earlier start did not get to its first picture, and this is the first one since.
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
        """Take the mark away: this start has got to its first picture, or was given up on purpose."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
        self._lock.unlock()


def marks_folder() -> Path:
    """Return the folder of the marks."""
    return data_folder() / "starts"


def _clear_away(below: Path, own: Path) -> bool:
    """Remove the marks of starts that are over; return whether there were any."""
    try:
        marks = sorted(path for path in below.iterdir() if path.suffix == SUFFIX)[:MAX_MARKS]
    except OSError:
        return False
    found = False
    for mark in marks:
        if mark == own:  # of an earlier process with the number of this one, which the lock takes for alive
            with contextlib.suppress(OSError):
                mark.with_suffix(LOCK_SUFFIX).unlink(missing_ok=True)
        lock = _lock_of(mark)
        if lock.tryLock(0):
            with contextlib.suppress(OSError):
                mark.unlink()
                found = True
            lock.unlock()
    return found


def _lock_of(mark: Path) -> QLockFile:
    lock = QLockFile(str(mark.with_suffix(LOCK_SUFFIX)))
    lock.setStaleLockTime(0)  # stale when its process is gone, however old it is
    return lock
