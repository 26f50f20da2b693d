"""Numeric tables that strangers may have made: text, NPZ and Parquet, read within bounds or refused with the place.

A table is a mapping from column names to numbers. Whatever is wrong with a file is a `TableError`; none of its content
is ever run: NPZ files are read without pickles, and only after their directory has been found to be within bounds.
What the columns are is read by `text_tables` and `packed_tables`, within the bounds of `table_limits`.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import did_you_mean, near_miss
from framescope.core.kernels.rounding import rest_of_integers, since_first
from framescope.core.kernels.validation import Array, read_only
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError, check_name, check_size, megabytes, quoted
from framescope.core.recordings.tables.npz_parquet import npz_columns, parquet_numbers
from framescope.core.recordings.tables.text import text_columns

_MARKS = {b"PK": "npz", b"PAR1": "parquet"}
"""How files begin that are no text."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of numbers, all of one length.

    Attributes
    ----------
    name
        What messages call it: the name of its file, without the folder.
    columns
        Column names in the order of the file, each with its numbers (n,), finite and read-only.
    rests
        What rounding took off the numbers of some columns, such as times since 1970.

    Examples
    --------
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
        """The number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Array:
        """Return the numbers (n,) of a column, or raise a `TableError` that names the one that was probably meant."""
        if name not in self.columns:
            raise TableError(f"{self.name} has no column {quoted(name)}.", did_you_mean(name, self.columns))
        return self.columns[name]

    def since_first(self, name: str) -> Array:
        """Return the numbers (n,) of a column less the first, to the digits that its file has; raises as `column`."""
        return since_first(self.column(name), self.rests.get(name))

    def every(self, n: int) -> Table:
        """Return every n-th row."""
        columns, rests = ({key: of[::n] for key, of in each.items()} for each in (self.columns, self.rests))
        return Table(self.name, columns, rests)


def read_table(path: Path) -> Table:
    """Read a table of numbers; the extension says how.

    Parameters
    ----------
    path
        ``.csv``, ``.tsv``, ``.txt``, ``.tum`` or ``.kitti``: text in UTF-8, cells separated by commas, semicolons,
        tabs or spaces, numbers in C notation, an optional header line, comments from # on. ``.npz``: arrays (n,), and
        (n, m), whose columns are named ``name[0]`` and so on. ``.parquet``: flat columns of numbers; needs pyarrow.

    Returns
    -------
    Table
        Its columns as finite float64, at least one row.

    Raises
    ------
    TableError
        When there is no such file, it is too large in any respect, or it is no table of finite numbers throughout.

    Notes
    -----
    A first line without any number, but with a letter, is the header. Without one, a comment right above the numbers
    is, where it has as many different words as there are columns: numpy.savetxt and the EuRoC recordings write such.
    Otherwise, the columns are named ``"1"``, ``"2"``, ...; so is a column whose name is empty, by its place. Integers
    beyond 2**53, such as times in ns since 1970, are rounded as float64 does, those to 256 ns; `Table.since_first`
    has the difference as the file has it.
    """
    path = Path(path)
    data = read_bytes(path)
    kind = kind_of(path, data)
    if kind == "text":
        return _table(path.name, text_columns(path.name, data))
    packed = (npz_columns if kind == "npz" else parquet_numbers)(path.name, data)
    return _table(path.name, ((key, values, None) for key, values in packed))


def _table(name: str, columns: Iterable[tuple[str, NDArray[Any], Array | None]]) -> Table:
    """Return a table of columns of numbers of one length, checked and made finite float64."""
    found: dict[str, Array] = {}
    rests: dict[str, Array] = {}
    for key, numbers, rest in columns:
        check_name(name, key, found)
        with np.errstate(over="ignore"):  # a longer float may become infinite, and is then refused
            values = np.ascontiguousarray(numbers, dtype=np.float64)
        is_finite = np.isfinite(values)
        if not is_finite.all():
            row = int(np.argmin(is_finite))
            raise TableError(
                f"{name}, row {row + 1}, column {quoted(key)}: expected a finite number, got {values[row]}.",
                "Remove that row or mend it.",
            )
        found[key] = read_only(values)
        lost = rest_of_integers(numbers, values) if rest is None else rest
        if lost is not None:
            rests[key] = read_only(lost)
    check_size(name, len(next(iter(found.values()), ())), len(found))
    return Table(name, MappingProxyType(found), MappingProxyType(rests))


def kind_of(path: Path, data: bytes) -> str:
    """Return ``"text"``, ``"npz"`` or ``"parquet"`` by how a table begins, else by its name; refuse an empty one."""
    if not data:
        raise TableError(f"{path.name} is empty.")
    named = path.suffix.lower()[1:]
    return next((kind for mark, kind in _MARKS.items() if data.startswith(mark) or named == kind), "text")


def read_bytes(path: Path) -> bytes:
    """Return what is in a file, or raise a `TableError` where it is none, or too large."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise TableError(f"{path.name} is a folder, expected a file.", "Name one of the files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise TableError(f"{path.name} is no ordinary file.", "Copy what it gives into a file first.")
        with path.open("rb") as file:
            data = file.read(limits.MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        close = near_miss(path.name, _siblings(path))
        hint = f'Did you mean "{close}"?' if close else "Paths are relative to where the program was started."
        raise TableError(f"there is no file {path}.", hint) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise TableError(
            f"{path!s:.200} cannot be read: {why}.", "Check its name and your rights to read it."
        ) from None
    if len(data) > limits.MAX_FILE_BYTES:
        raise TableError(
            f"{path.name} is larger than {megabytes(limits.MAX_FILE_BYTES)}.",
            "Keep fewer columns or every n-th row.",
        )
    return data


def _siblings(path: Path) -> list[str]:
    try:
        return [other.name for other in islice(path.parent.iterdir(), 1000)]
    except OSError:
        return []
