"""Writing files so that after a crash either the old or the new one is there, whole."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomically(path: Path) -> Generator[Path]:
    """Give a path to write to, which takes the place of `path` when the block ends well and is removed when not.

    Raises
    ------
    OSError
        When the folder cannot be written, or the file is there and read-only.

    Examples
    --------
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
    handle, name = tempfile.mkstemp(prefix=f".{target.stem}.", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else _new_file_mode())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _new_file_mode() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def partials_of(path: Path) -> frozenset[Path]:
    """Return what writing `path` atomically has begun and not ended: of a process that was killed it stays.

    A place for a number in the name, such as ``%04d``, stands for any number.
    """
    target = path.resolve()
    stem = re.sub(r"%\d*d", r"\\d+", re.escape(target.stem))
    named = re.compile(rf"\.{stem}\.[a-z0-9_]{{8}}{re.escape(target.suffix)}")
    try:
        return frozenset(item for item in target.parent.iterdir() if named.fullmatch(item.name))
    except OSError:
        return frozenset()
