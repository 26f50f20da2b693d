"""Temporary folders that are removed with the process that created them.

A killed process cannot remove its folders; the next process does. Each folder has a lock file, which the system
unlocks when the process ends, so no process number needs to be trusted. Folders without a lock file stay untouched.
Incomplete files elsewhere, beside the files they will replace, are noted in the folder and removed with it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

from framescope.app import platforms
from framescope.core.system.atomic_write import PARTIAL

PREFIX = "framescope-"
LOCK = "in-use"
FILES, NOTES = "files", "writing"


class TemporaryFolder:
    """A new folder, removed by `close`, at the end of a ``with``, or after its process has ended."""

    def __init__(self) -> None:
        self._whole = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.path = self._whole / FILES
        self.path.mkdir()
        self.notes = self._whole / NOTES
        self.notes.mkdir()
        self._lock = (self._whole / LOCK).open("xb")
        platforms.try_to_lock(self._lock.fileno())
        self._lock.write(b"1")  # an empty lock file is not locked yet
        self._lock.flush()

    def close(self) -> None:
        """Remove the folder; files that another process holds open stay until the next start."""
        self._lock.close()
        shutil.rmtree(self._whole, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_raised: object) -> None:
        self.close()


def folder_until_exit() -> Path:
    """Return a new folder that exists until the program ends."""
    folder = TemporaryFolder()
    atexit.register(folder.close)
    return folder.path


@cache
def folder_of_children() -> Path:
    """Return the folder in which child processes run: an empty one that only this program writes to."""
    return folder_until_exit()


@contextlib.contextmanager
def note_partial(partial: Path) -> Generator[None]:
    """Note an incomplete file while the block runs; see `framescope.core.system.atomic_write.note_partials_by`."""
    note: Path | None = None
    with contextlib.suppress(OSError):  # without space for a note there may still be space for the file
        note = _notes() / secrets.token_hex(8)
        note.write_bytes(os.fsencode(partial.absolute()))
    try:
        yield
    finally:
        if note is not None:
            with contextlib.suppress(OSError):
                note.unlink(missing_ok=True)


@cache
def _notes() -> Path:
    clear_abandoned()
    folder = TemporaryFolder()
    atexit.register(folder.close)
    return folder.notes


def clear_abandoned() -> None:
    """Remove the folders of ended processes, and the incomplete files that they noted."""
    for folder in _own_folders(Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError), _open_descriptor(folder / LOCK) as lock:
            if os.fstat(lock).st_size > 0 and platforms.try_to_lock(lock):
                _remove_partials(folder / NOTES)
                shutil.rmtree(folder, ignore_errors=True)


def _remove_partials(notes: Path) -> None:
    for note in notes.iterdir():
        partial = Path(os.fsdecode(note.read_bytes()))
        if partial.is_absolute() and PARTIAL.fullmatch(partial.name) and not partial.is_symlink():
            with contextlib.suppress(OSError):
                if partial.is_dir():
                    shutil.rmtree(partial)
                else:
                    partial.unlink(missing_ok=True)


def _own_folders(below: Path) -> Iterator[Path]:
    """Yield the user's folders with this program's prefix."""
    owner = os.geteuid() if hasattr(os, "geteuid") else None
    with contextlib.suppress(OSError), os.scandir(below) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIX):
                continue
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and owner in (None, status.st_uid):
                    yield Path(entry.path)


@contextlib.contextmanager
def _open_descriptor(path: Path) -> Generator[int]:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        yield descriptor
    finally:
        os.close(descriptor)
