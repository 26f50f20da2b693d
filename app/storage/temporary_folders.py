"""Temporary folders, each of which goes with the process that has made it.

A process that is killed cannot remove its own; the next one does. A file beside it is locked by its process, and the
system lets go of the lock when that is gone, so that no process number needs to be trusted. What has no such file is
left alone. What is being written elsewhere, beside the files it will replace, is noted there and goes in the same way.
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
    """A new folder, removed with what is in it by `close`, at the end of a ``with``, or after the process is gone."""

    def __init__(self) -> None:
        self._whole = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.path = self._whole / FILES
        self.path.mkdir()
        self.notes = self._whole / NOTES
        self.notes.mkdir()
        self._lock = (self._whole / LOCK).open("xb")
        platforms.try_to_lock(self._lock.fileno())
        self._lock.write(b"1")  # one that is empty is not locked yet
        self._lock.flush()

    def close(self) -> None:
        """Remove it; what is in use elsewhere stays until the next start."""
        self._lock.close()
        shutil.rmtree(self._whole, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_raised: object) -> None:
        self.close()


def folder_until_exit() -> Path:
    """Return a new folder that is there until the program ends."""
    folder = TemporaryFolder()
    atexit.register(folder.close)
    return folder.path


@cache
def folder_of_children() -> Path:
    """Return the folder that processes of this program run in: one of its own, in which nobody has put anything."""
    return folder_until_exit()


@contextlib.contextmanager
def noted(partial: Path) -> Generator[None]:
    """Note something that is there for a moment only, see `framescope.core.system.atomic_write.note_partials_by`."""
    note: Path | None = None
    with contextlib.suppress(OSError):  # where there is no room for notes there may be some for the file
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
    """Remove the folders of processes that are gone, and what they have not finished writing."""
    for folder in _own_folders(Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError), _opened(folder / LOCK) as lock:
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
    """Yield the folders of this person that have a name of ours."""
    owner = os.geteuid() if hasattr(os, "geteuid") else None
    with contextlib.suppress(OSError), os.scandir(below) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIX):
                continue
            with contextlib.suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode) and owner in (None, found.st_uid):
                    yield Path(entry.path)


@contextlib.contextmanager
def _opened(path: Path) -> Generator[int]:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        yield descriptor
    finally:
        os.close(descriptor)
