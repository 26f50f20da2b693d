"""Check of outputs: no command and no dialog writes over a file that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from framescope.core.errors import FramescopeError

MAX_FILES = 100_000
"""Files of one folder that are compared with the inputs."""

_NUMBER = re.compile(r"%(?:0\d)?d")
"""Place of the number in the name of a row of pictures."""


class OutputIsInputError(FramescopeError):
    """Writing an output would replace a file that is read."""


def check_output(out: Path, inputs: Iterable[Path]) -> None:
    """Raise `OutputIsInputError` when an output is one of the inputs, by whatever name.

    Parameters
    ----------
    out
        The file to write. A place for a number in its name, such as ``%04d``, stands for any number.
    inputs
        Files that are read.

    Notes
    -----
    Files are compared by what the system knows them by, so that links, relative and absolute paths, and names that
    differ by case alone are the same file where the system takes them for one.

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
                what = "it is read here" if output.name == path.name else f"it is another name of {path.name}"
                raise OutputIsInputError(
                    f"{output.name} is not written: {what}, and would be lost. Choose another name."
                )


def _outputs(out: Path) -> Iterator[Path]:
    """Yield the files, among those that exist, that an output would replace."""
    if not _NUMBER.search(out.name):
        if _exists(out):
            yield out
        return
    named = re.compile(r"\d+".join(map(re.escape, _NUMBER.split(out.name))), re.IGNORECASE)
    try:
        yield from (path for path in islice(out.parent.iterdir(), MAX_FILES) if named.fullmatch(path.name))
    except OSError:  # a folder that is still to be made
        return


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no name of a file: whoever writes says so
        return False


def _is_same(output: Path, path: Path) -> bool:
    try:
        return output.samefile(path)
    except (OSError, ValueError):
        return False
