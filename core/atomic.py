"""Writing files so that after a crash either the old or the new one is there, whole."""

from __future__ import annotations

import errno
import os
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
