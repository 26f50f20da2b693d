"""Atomic file writes: after a crash either the old or the new file exists, complete."""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
import re
import secrets
import shutil
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

MAX_NAME_BYTES = 255
"""Largest length of a file name where the system reports none, bytes."""

MAX_SUFFIX_BYTES = 16
"""Largest length of an extension that a temporary file keeps, bytes."""

_note: Callable[[Path], AbstractContextManager[object]] = nullcontext
"""Context manager that registers temporary files and folders, set by `note_partials_by`."""

_present: dict[Path, None] = {}
"""Temporary files and folders that this process may have on disk now."""


def note_partials_by(note: Callable[[Path], AbstractContextManager[object]]) -> None:
    """Set the context manager `note`, which is entered before a temporary file is created and left when it is gone.

    With such a register, a later process can remove the temporary files of a process that was killed.
    """
    global _note  # noqa: PLW0603 - one for the program
    _note = note


@contextmanager
def atomically(path: Path) -> Generator[Path]:
    """Yield a temporary path that replaces `path` when the block ends, or is removed when the block raises.

    Raises
    ------
    OSError
        When the folder is not writable, or the existing file is read-only.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "a.txt"
    ...     with atomically(target) as temporary:
    ...         _ = temporary.write_text("whole")
    ...     target.read_text()
    'whole'
    """
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        # The system would replace a read-only file without an error, but the user protected the file on purpose.
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    # The system applies the umask to a new file. Reading the umask would require changing it, for all threads.
    with partial_beside(target, mode=0o600 if target.exists() else 0o666) as temporary:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)


def copy_atomically(source: Path, target: Path) -> None:
    """Copy the contents of a file; raise `OSError` as `atomically` does."""
    with atomically(target) as temporary:
        shutil.copyfile(source, temporary)


def keep_former(path: Path) -> Path:
    """Copy a file beside itself, under the first free name of ``a.urdf.bak``, ``a.urdf.bak2`` and so on.

    If a copy with the same contents exists already, its path is returned.

    Returns
    -------
    Path
        The copy.

    Raises
    ------
    OSError
        When the copy cannot be written.
    """
    path = path.resolve()
    for n in itertools.count(1):
        copy = path.with_name(f"{path.name}.bak{n if n > 1 else ''}")
        if os.path.lexists(copy):
            if copy.is_file() and not copy.is_symlink() and filecmp.cmp(path, copy, shallow=False):
                return copy
            continue
        copy_atomically(path, copy)
        return copy
    raise AssertionError("unreachable")


@contextmanager
def partial_beside(target: Path, mode: int = 0o600) -> Generator[Path]:
    """Yield a new, empty, hidden file in the folder of `target`, and remove the file at the end if it still exists."""
    with partial_name(target) as temporary:
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode))
        try:
            yield temporary
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def partial_name(target: Path) -> Generator[Path]:
    """Yield an unused path for a temporary file or folder beside `target`, registered while the block runs.

    The name is hidden, begins and ends like the target's, and respects the length limit of the file system. The caller
    removes the file or folder.
    """
    stem, suffix = _shorten_name(target)
    temporary = target.parent / f".{stem}.{secrets.token_hex(4)}{suffix}"
    with _note(temporary):
        _present[temporary] = None
        try:
            yield temporary
        finally:
            _present.pop(temporary, None)


def remove_partials() -> None:
    """Remove all temporary files and folders of this process; for an exit that skips the ends of `with` blocks."""
    for partial in tuple(_present):
        shutil.rmtree(partial, ignore_errors=True)
        with suppress(OSError):
            partial.unlink()


PARTIAL = re.compile(r"\..*\.[0-9a-f]{8}(\.[^.]*)?", re.DOTALL)
"""Pattern of the names of temporary files and folders."""


def _shorten_name(target: Path) -> tuple[str, str]:
    """Return stem and suffix of a file name, cut so that the temporary name made of them keeps the length limit."""
    suffix = target.suffix if len(os.fsencode(target.suffix)) <= MAX_SUFFIX_BYTES else ""
    room = _max_name_bytes(target.parent) - len(os.fsencode(suffix)) - 10
    stem = target.stem
    while stem and len(os.fsencode(stem)) > room:
        stem = stem[:-1]
    return stem, suffix


def _max_name_bytes(folder: Path) -> int:
    """Return the largest length of a file name in a folder, bytes."""
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (AttributeError, OSError, ValueError):  # Windows; a missing folder
        return MAX_NAME_BYTES


def partials_of(path: Path) -> frozenset[Path]:
    """Return the temporary files for `path` that killed processes left behind.

    A placeholder in the name, such as ``%04d``, matches any number.
    """
    target = path.resolve()
    stem, suffix = _shorten_name(target)
    stem = re.sub(r"%\d*d", r"\\d+", re.escape(stem))
    pattern = re.compile(rf"\.{stem}\.[0-9a-f]{{8}}{re.escape(suffix)}")
    try:
        return frozenset(item for item in target.parent.iterdir() if pattern.fullmatch(item.name))
    except OSError:
        return frozenset()
