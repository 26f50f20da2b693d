"""Atomic file writes: after a crash either the old or the new one is there, whole."""

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
"""Of a file's name, where the system does not say."""

MAX_SUFFIX_BYTES = 16
"""Of an ending that a program may go by; a longer one is left out of the name of what is not finished."""

_note: Callable[[Path], AbstractContextManager[object]] = nullcontext

_present: dict[Path, None] = {}
"""Partial files and folders that there may be now, of this process."""


def note_partials_by(note: Callable[[Path], AbstractContextManager[object]]) -> None:
    """Have what is begun noted: `note` is entered before a partial file is made and left when it is gone.

    So a later process can remove what one that was killed has left.
    """
    global _note  # noqa: PLW0603 - one for the program
    _note = note


@contextmanager
def atomically(path: Path) -> Generator[Path]:
    """Give a path to write to, which takes the place of `path` when the block ends well and is removed when not.

    Raises
    ------
    OSError
        When the folder cannot be written, or the file is there and read-only.

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
        # Replacing needs no permission on the file itself, but whoever took it away meant something by it.
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    # What is new has the mode that the system gives: the umask can be asked for only by changing it, for all threads.
    with partial_beside(target, mode=0o600 if target.exists() else 0o666) as temporary:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)


def copy_atomically(source: Path, target: Path) -> None:
    """Copy what a file holds; raise `OSError` as `atomically` does."""
    with atomically(target) as temporary:
        shutil.copyfile(source, temporary)


def keep_former(path: Path) -> Path:
    """Copy a file beside itself, under the first free of the names ``a.urdf.bak``, ``a.urdf.bak2`` and so on.

    A copy with the same contents that is already there is used instead.

    Returns
    -------
    Path
        The copy.

    Raises
    ------
    OSError
        When it cannot be written.
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
    """Give a new, empty and hidden file in the folder of another; what is still there at the end is removed."""
    with partial_name(target) as temporary:
        os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode))
        try:
            yield temporary
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def partial_name(target: Path) -> Generator[Path]:
    """Give the name of what becomes a file or a folder, noted as long as it may be there; whoever makes it removes it.

    It is hidden, begins and ends as the target's, and is no longer than names may be there.
    """
    stem, suffix = _fitting(target)
    temporary = target.parent / f".{stem}.{secrets.token_hex(4)}{suffix}"
    with _note(temporary):
        _present[temporary] = None
        try:
            yield temporary
        finally:
            _present.pop(temporary, None)


def remove_partials() -> None:
    """Remove all that this process has begun and not ended, right before it is ended from outside its blocks."""
    for partial in tuple(_present):
        shutil.rmtree(partial, ignore_errors=True)
        with suppress(OSError):
            partial.unlink()


PARTIAL = re.compile(r"\..*\.[0-9a-f]{8}(\.[^.]*)?", re.DOTALL)
"""What such names look like."""


def _fitting(target: Path) -> tuple[str, str]:
    """Return stem and suffix of a name, shortened so that a dot more, and one with eight letters, have room."""
    suffix = target.suffix if len(os.fsencode(target.suffix)) <= MAX_SUFFIX_BYTES else ""
    room = _max_name_bytes(target.parent) - len(os.fsencode(suffix)) - 10
    stem = target.stem
    while stem and len(os.fsencode(stem)) > room:
        stem = stem[:-1]
    return stem, suffix


def _max_name_bytes(folder: Path) -> int:
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (AttributeError, OSError, ValueError):  # Windows; a folder that is not there
        return MAX_NAME_BYTES


def partials_of(path: Path) -> frozenset[Path]:
    """Return what writing `path` atomically has begun and not ended: of a process that was killed it stays.

    A place for a number in the name, such as ``%04d``, stands for any number.
    """
    target = path.resolve()
    stem, suffix = _fitting(target)
    stem = re.sub(r"%\d*d", r"\\d+", re.escape(stem))
    named = re.compile(rf"\.{stem}\.[0-9a-f]{{8}}{re.escape(suffix)}")
    try:
        return frozenset(item for item in target.parent.iterdir() if named.fullmatch(item.name))
    except OSError:
        return frozenset()
