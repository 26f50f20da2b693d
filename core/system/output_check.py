"""Check that keeps commands and dialogs from overwriting a file that they read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from framescope.core.errors import FramescopeError

MAX_FILES = 100_000
"""Largest number of files in a folder that are compared with the inputs."""

_NUMBER = re.compile(r"%(?:0\d)?d")
"""Placeholder of the frame number in the name of a picture series."""


class OutputIsInputError(FramescopeError):
    """Error of an output that would overwrite an input."""


def check_output(out: Path, inputs: Iterable[Path]) -> None:
    """Raise `OutputIsInputError` when an output is one of the inputs, even under another path.

    Parameters
    ----------
    out
        The file to write. A placeholder in its name, such as ``%04d``, matches any number.
    inputs
        Files to read.

    Notes
    -----
    Files are compared by their identity in the file system. This recognizes links, relative paths, and, where the
    system ignores case, names that differ only in case.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder) / "walk.csv"
    ...     _ = table.write_text("t,x")
    ...     check_output(Path(folder) / "walk.yaml", [table])
    ...     check_output(Path(folder) / "." / "walk.csv", [table])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    framescope.core.system.output_check.OutputIsInputError: walk.csv is not written: it is read here, and would be...
    """
    outputs = list(_outputs(out))
    if not outputs:
        return
    for path in inputs:
        for output in outputs:
            if _is_same(output, path):
                reason = "it is read here" if output.name == path.name else f"it is another name of {path.name}"
                raise OutputIsInputError(
                    f"{output.name} is not written: {reason}, and would be lost. Choose another name."
                )


def _outputs(out: Path) -> Iterator[Path]:
    """Yield the existing files that an output would overwrite."""
    if not _NUMBER.search(out.name):
        if _exists(out):
            yield out
        return
    pattern = re.compile(r"\d+".join(map(re.escape, _NUMBER.split(out.name))), re.IGNORECASE)
    try:
        yield from (path for path in islice(out.parent.iterdir(), MAX_FILES) if pattern.fullmatch(path.name))
    except OSError:  # the folder does not exist yet
        return


def _exists(path: Path) -> bool:
    """Return whether a path exists."""
    try:
        return path.exists()
    except (OSError, ValueError):  # not a file name: writing the output reports the error
        return False


def _is_same(output: Path, path: Path) -> bool:
    """Return whether two paths are the same existing file."""
    try:
        return output.samefile(path)
    except (OSError, ValueError):
        return False
