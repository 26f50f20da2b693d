"""Tables of finite numbers, and access to table files."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import did_you_mean, near_miss
from framescope.core.kernels.rounding import since_first
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError, megabytes, quoted

_MARKS = {b"PK": "npz", b"PAR1": "parquet"}
"""First bytes of files that are not text."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of numbers, all of one length.

    Attributes
    ----------
    name
        Name of the table in messages: the file name without the folder.
    columns
        Column names in the order of the file, each with its numbers (n,), finite and read-only.
    rests
        Rounding errors of the numbers of some columns, such as times since 1970.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table("flight.csv", {"t": np.array([0.0, 0.1]), "q_x": np.array([0.0, 1.0])})
    >>> table.n_rows, table.column("t")
    (2, array([0. , 0.1]))
    >>> table.column("qx")
    Traceback (most recent call last):
        ...
    framescope.core.recordings.tables.limits.TableError: flight.csv has no column "qx". Did you mean "q_x"?
    """

    name: str
    columns: Mapping[str, Array]
    rests: Mapping[str, Array] = field(default_factory=dict[str, Array])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Array:
        """Return the numbers (n,) of a column, or raise a `TableError` that suggests a similar name."""
        if name not in self.columns:
            raise TableError(f"{self.name} has no column {quoted(name)}.", did_you_mean(name, self.columns))
        return self.columns[name]

    def since_first(self, name: str) -> Array:
        """Return the numbers (n,) of a column minus the first, in all digits; errors are as in `column`."""
        return since_first(self.column(name), self.rests.get(name))

    def some(self, rows: slice | NDArray[np.intp]) -> Table:
        """Return a table of some of the rows."""
        columns, rests = ({key: of[rows] for key, of in arrays.items()} for arrays in (self.columns, self.rests))
        return Table(self.name, columns, rests)


def kind_of(path: Path, data: bytes) -> str:
    """Return the kind of a table, ``"text"``, ``"npz"`` or ``"parquet"``, by its first bytes, or else by its name.

    An empty file raises a `TableError`.
    """
    if not data:
        raise TableError(f"{path.name} is empty.")
    named = path.suffix.lower()[1:]
    return next((kind for mark, kind in _MARKS.items() if data.startswith(mark) or named == kind), "text")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Read a file, or its first `most` bytes; raise a `TableError` when it is missing, unreadable or too large."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise TableError(f"{path.name} is a folder, expected a file.", "Name one of the files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise TableError(f"{path.name} is no ordinary file.", "Copy what it gives into a file first.")
        with path.open("rb") as file:
            # Python allocates the requested number of bytes before reading, so a large limit alone would not do.
            data = file.read(min(status.st_size, limits.MAX_FILE_BYTES) + 1 if most is None else most)
    except FileNotFoundError:
        close = near_miss(path.name, _siblings(path))
        hint = f'Did you mean "{close}"?' if close else "Paths are relative to where the program was started."
        raise TableError(f"there is no file {path}.", hint) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise TableError(
            f"{path!s:.200} cannot be read: {why}.", "Check its name and your rights to read it."
        ) from None
    if max(len(data), status.st_size) > limits.MAX_FILE_BYTES:
        raise TableError(
            f"{path.name} is larger than {megabytes(limits.MAX_FILE_BYTES)}.",
            "Keep fewer columns or every n-th row, or split it.",
        )
    return data


def _siblings(path: Path) -> list[str]:
    try:
        return [other.name for other in islice(path.parent.iterdir(), 1000)]
    except OSError:
        return []
