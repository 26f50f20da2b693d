"""Numeric tables that strangers may have made: text, NPZ and Parquet, read within bounds or refused with the place.

A table is a mapping from column names to numbers. Whatever is wrong with a file is a `TableError`; none of its content
is ever run: NPZ files are read without pickles, and only after their directory has been found to be within bounds.
"""

from __future__ import annotations

import csv
import importlib
import io
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.arrays import Array, read_only
from framescope.core.errors import FramescopeError, did_you_mean, near_miss

MAX_FILE_BYTES = 50_000_000
"""Size of a file."""

MAX_UNPACKED_BYTES = 100_000_000
"""Size of what a packed file says it holds."""

MAX_RATIO = 200
"""How many times larger than packed the content of a file may be, once it is larger than `ANY_RATIO_BYTES`."""

ANY_RATIO_BYTES = 16_000_000
"""Size of content up to which any ratio is let pass: a constant column packs to next to nothing."""

MAX_ROWS = 5_000_000
"""Rows of a table; for text the lines of the file, empty ones and comments among them."""

MAX_COLUMNS = 1000
MAX_CELLS = 8_000_000
"""Rows times columns: a million rows of eight columns; reading them takes less than 500 MB in all."""

MAX_LINE_LENGTH = 65_536
"""Characters of a line of text."""

MAX_NAME_LENGTH = 200
"""Characters of the name of a column."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_TEXT = "Write a table as text: one row a line, cells separated by commas, semicolons, tabs or spaces, in UTF-8."
_NPZ = "Write one with numpy.savez_compressed(path, t=t, p=p): arrays of numbers, one row for each sample."
_DIRECTORY_ENTRY = b"PK\x01\x02"


class TableError(FramescopeError):
    """A table cannot be used; the message says what and where, `hint` how to mend it."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of numbers, all of one length.

    Attributes
    ----------
    name
        What messages call it: the name of its file, without the folder.
    columns
        Column names in the order of the file, each with its numbers (n,), finite and read-only.

    Examples
    --------
    >>> table = Table("flight.csv", {"t": np.array([0.0, 0.1]), "q_x": np.array([0.0, 1.0])})
    >>> table.n_rows, table.column("t")
    (2, array([0. , 0.1]))
    >>> table.column("qx")
    Traceback (most recent call last):
        ...
    framescope.core.tables.TableError: flight.csv has no column "qx". Did you mean "q_x"?
    """

    name: str
    columns: Mapping[str, Array]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Array:
        """Return the numbers (n,) of a column, or raise a `TableError` that names the one that was probably meant."""
        if name not in self.columns:
            raise TableError(f"{self.name} has no column {_quoted(name)}.", did_you_mean(name, self.columns))
        return self.columns[name]


def read_table(path: Path) -> Table:
    """Read a table of numbers; the extension says how.

    Parameters
    ----------
    path
        ``.csv`` or ``.txt``: text in UTF-8, cells separated by commas, semicolons, tabs or spaces, numbers in C
        notation, an optional header line, comments from # on. ``.npz``: arrays (n,), and (n, m), whose columns are
        named ``name[0]`` and so on. ``.parquet``: flat columns of numbers; needs pyarrow.

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
    beyond 2**53, such as times in ns since 1970, are rounded as float64 does, those to 256 ns.
    """
    path = Path(path)
    data = _read_bytes(path)
    readers = {".csv": _read_text, ".txt": _read_text, ".npz": _read_npz, ".parquet": _read_parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise TableError(
            f'{path.name}: "{path.suffix}" is no extension of a table.', f"Use one of: {', '.join(readers)}."
        )
    if not data:
        raise TableError(f"{path.name} is empty.")
    return reader(path.name, data)


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise TableError(f"{path.name} is a folder, expected a file.", "Name one of the files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise TableError(f"{path.name} is no ordinary file.", "Copy what it gives into a file first.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        close = near_miss(path.name, _siblings(path))
        hint = f'Did you mean "{close}"?' if close else "Paths are relative to where the program was started."
        raise TableError(f"there is no file {path}.", hint) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise TableError(
            f"{path!s:.200} cannot be read: {why}.", "Check its name and your rights to read it."
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise TableError(
            f"{path.name} is larger than {_megabytes(MAX_FILE_BYTES)}.", "Keep fewer columns or every n-th row."
        )
    return data


def _siblings(path: Path) -> list[str]:
    try:
        return [other.name for other in islice(path.parent.iterdir(), 1000)]
    except OSError:
        return []


# --- Text


def _read_text(name: str, data: bytes) -> Table:
    text = _decoded(name, data)
    lines = [content for _, content in _rows(name, text)]
    if not lines:
        raise TableError(f"{name} has no rows, only empty lines or comments.", _TEXT)
    separator = _separator(lines[0])
    first = _cells(lines[0], separator)
    if not any(map(_is_number, first)) and any(map(str.isalpha, lines[0])):
        separator = _separator(lines[1]) if len(lines) > 1 else separator
        names = [cell or str(i) for i, cell in enumerate(_cells(lines[0], separator), 1)]
        n_skipped = 1
    else:
        names = _header_in_comment(name, text, separator, len(first)) or _places(len(first))
        n_skipped = 0
    del lines[:n_skipped]
    if not lines:
        raise TableError(f"{name} has no rows of numbers, only the line {_quoted(first[0])}...", _TEXT)
    _check_size(name, len(lines), len(names))
    quotes = '"' if '"' in text and separator is not None else None
    try:
        table = np.loadtxt(lines, delimiter=separator, comments=None, ndmin=2, quotechar=quotes)
    except (ValueError, OverflowError) as error:
        _raise_first_fault(name, text, separator, names, n_skipped)
        raise TableError(f"{name} cannot be read as numbers: {error}.", _TEXT) from None
    if table.shape != (len(lines), len(names)) or not np.isfinite(table).all():
        _raise_first_fault(name, text, separator, names, n_skipped)
        raise TableError(
            f"{name} has {len(lines)} lines, read as {table.shape[0]} rows.", "Close every quotation mark."
        )
    return _table(name, zip(names, np.ascontiguousarray(table.T), strict=True))


def _decoded(name: str, data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(f"{name} is text in UTF-16, expected UTF-8.", "Save it as UTF-8.")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise TableError(f"{name}, line {line}: expected text, got a zero byte: this is a binary file.", _TEXT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{name}, line {line}: byte 0x{data[error.start]:02x} is no text in UTF-8.", "Save it as UTF-8."
        ) from None


def _rows(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers from 1."""
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if number > MAX_ROWS:
            raise TableError(f"{name} has more than {MAX_ROWS} lines.", "Keep every n-th row.")
        if len(line) > MAX_LINE_LENGTH:
            raise TableError(
                f"{name}, line {number} has {len(line)} characters, at most {MAX_LINE_LENGTH} are read.", _TEXT
            )
        content = line.partition("#")[0].rstrip().lstrip(" ")
        if content:
            yield number, content


def _separator(line: str) -> str | None:
    """Return what separates cells, None for any white space.

    >>> _separator("1,5;2,5"), _separator("1, 2"), _separator("1 2")
    (';', ',', None)
    """
    found = next((mark for mark in ";,\t" if mark in line), None)
    return None if found == "\t" and any(" " in cell.strip() for cell in line.split("\t")) else found


def _cells(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell))


def _header_in_comment(name: str, text: str, separator: str | None, n_columns: int) -> list[str] | None:
    number, _ = next(_rows(name, text))
    before = "".join(islice(io.StringIO(text, newline=None), max(number - 2, 0), number - 1)).strip()
    names = _cells(before.lstrip("#").strip(), separator) if before.startswith("#") else []
    is_header = len(set(names)) == len(names) == n_columns and all(names) and not any(map(_is_number, names))
    return names if is_header else None


def _raise_first_fault(name: str, text: str, separator: str | None, names: Sequence[str], n_skipped: int) -> None:
    """Read line by line, with care, what could not be read at once."""
    for number, line in islice(_rows(name, text), n_skipped, None):
        where, cells = f"{name}, line {number}", _cells(line, separator)
        if len(cells) != len(names):
            raise TableError(
                f"{where} has {len(cells)} cells, expected {len(names)}.", "Every line has as many as the first."
            )
        for i, (column, cell) in enumerate(zip(names, cells, strict=True), 1):
            called = "" if column == str(i) else f" ({_shown(column)})"
            is_number = _NUMBER.fullmatch(cell)
            if _NOT_FINITE.fullmatch(cell) or (is_number and not np.isfinite(float(cell))):
                raise TableError(
                    f"{where}, column {i}{called}: {_quoted(cell)} is no finite number.", "Remove that line or mend it."
                )
            if not is_number:
                what = f"{_quoted(cell)} is no number" if cell else "the cell is empty"
                raise TableError(
                    f"{where}, column {i}{called}: {what}.",
                    "Numbers are written as 1.5, -2 or 1.5e-3, with a decimal point.",
                )


# --- NPZ


def _read_npz(name: str, data: bytes) -> Table:
    # The directory is counted before zipfile lists it: millions of entries would fill the memory.
    if data.count(_DIRECTORY_ENTRY) > MAX_COLUMNS + 10:
        raise TableError(f"{name} holds more than {MAX_COLUMNS} arrays.", _NPZ)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check_directory(name, entries)
            arrays = [(entry.filename[:-4], _read_array(name, archive, entry)) for entry in entries]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - zipfile, zlib and numpy raise a dozen kinds for damaged files
        raise TableError(f"{name} is no NPZ file, or a damaged one: {error!s:.200}.", _NPZ) from None
    rows = {len(array) for _, array in arrays}
    if len(rows) != 1:
        told = ", ".join(f"{_shown(key)} {len(array)}" for key, array in arrays[:10])
        raise TableError(f"{name}: expected arrays of equal length, got {told or 'none'}.", _NPZ)
    columns: list[tuple[str, NDArray[Any]]] = []
    for key, array in arrays:
        n = array.shape[1] if array.ndim == 2 else 0
        columns += [(f"{key}[{i}]", array[:, i]) for i in range(n)] if array.ndim == 2 else [(key, array)]
        _check_size(name, len(array), len(columns))
    return _table(name, columns)


def _check_directory(name: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    for entry in entries:
        if not entry.filename.endswith(".npy"):
            raise TableError(f"{name} holds {_quoted(entry.filename)}, which is no array.", _NPZ)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise TableError(
                f"{name}: {_quoted(entry.filename)} is packed by a method that numpy does not write.", _NPZ
            )
    _check_unpacked(name, sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries))


def _check_unpacked(name: str, unpacked: int, packed: int) -> None:
    if unpacked > MAX_UNPACKED_BYTES:
        raise TableError(
            f"{name} says it holds {_megabytes(unpacked)}, at most {_megabytes(MAX_UNPACKED_BYTES)} are read.",
            "Keep fewer columns or every n-th row.",
        )
    if unpacked > max(ANY_RATIO_BYTES, MAX_RATIO * packed):
        raise TableError(
            f"{name} says it holds {_megabytes(unpacked)}, more than {MAX_RATIO} times its packed size.",
            "If that is true, save it without compression.",
        )


def _read_array(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array of numbers (n,) or (n, m); its header is checked before numpy makes room for it."""
    with archive.open(entry) as packed:
        content = packed.read(entry.file_size + 1)  # of a stated length: else zipfile unpacks first and cuts then
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(file)
    what = f"{name}: the array {_quoted(entry.filename[:-4])}"
    if dtype.hasobject:
        raise TableError(
            f"{what} holds Python objects, expected numbers.", "Convert it: np.asarray(values, dtype=float)."
        )
    if dtype.kind not in "fiu":
        raise TableError(f"{what} is of type {dtype!s:.60}, expected real numbers.", _NPZ)
    if len(shape) not in (1, 2):
        raise TableError(f"{what} has shape {shape!s:.60}, expected (n,) or (n, m).", _NPZ)
    _check_size(name, shape[0], 1 if len(shape) == 1 else shape[1])
    if int(np.prod(shape)) * dtype.itemsize != len(content) - file.tell():
        raise TableError(f"{what} is not as long as its shape {shape} says: the file is damaged.", _NPZ)
    return np.load(io.BytesIO(content), allow_pickle=False)


# --- Parquet


def _read_parquet(name: str, data: bytes) -> Table:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise TableError(
            f"{name}: reading Parquet needs pyarrow, which is not installed.",
            "Install it with: pip install framescope[tables], or save the table as CSV.",
        ) from None
    try:
        file: Any = parquet.ParquetFile(io.BytesIO(data))
        metadata: Any = file.metadata
        _check_size(name, metadata.num_rows, metadata.num_columns)
        sizes = [metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)]
        _check_unpacked(name, sum(sizes), len(data))
        content: Any = file.read()
        columns = [(str(key), np.asarray(content[i].to_numpy())) for i, key in enumerate(content.column_names)]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - pyarrow has its own family, known only where it is installed
        raise TableError(f"{name} is no Parquet file, or a damaged one: {error!s:.200}.") from None
    for key, values in columns:
        if values.dtype.kind not in "fiu":
            raise TableError(
                f"{name}, column {_quoted(key)} is of type {values.dtype}, expected real numbers.",
                "Leave it out, or convert it: times to seconds, say.",
            )
    return _table(name, columns)


# --- All


def _table(name: str, columns: Iterable[tuple[str, NDArray[Any]]]) -> Table:
    """Return a table of columns of numbers of one length, checked and made finite float64."""
    found: dict[str, Array] = {}
    for key, numbers in columns:
        if key in found:
            raise TableError(f"{name} has two columns {_quoted(key)}.", "Give every column its own name.")
        if not key.isprintable():
            raise TableError(
                f"{name}: the column name {_quoted(key)} holds characters that do not print.", "Rename it."
            )
        if len(key) > MAX_NAME_LENGTH:
            raise TableError(f"{name}: the column name {_quoted(key)} has more than {MAX_NAME_LENGTH} characters.")
        with np.errstate(over="ignore"):  # a longer float may become infinite, and is then refused
            values = np.ascontiguousarray(numbers, dtype=np.float64)
        is_finite = np.isfinite(values)
        if not is_finite.all():
            row = int(np.argmin(is_finite))
            raise TableError(
                f"{name}, row {row + 1}, column {_quoted(key)}: expected a finite number, got {values[row]}.",
                "Remove that row or mend it.",
            )
        found[key] = read_only(values)
    _check_size(name, len(next(iter(found.values()), ())), len(found))
    return Table(name, MappingProxyType(found))


def _check_size(name: str, n_rows: int, n_columns: int) -> None:
    if n_rows < 1 or n_columns < 1:
        raise TableError(f"{name} has {n_rows} rows and {n_columns} columns, expected at least one of each.")
    if n_columns > MAX_COLUMNS:
        raise TableError(f"{name} has {n_columns} columns, at most {MAX_COLUMNS} are read.", "Keep fewer columns.")
    if n_rows > MAX_ROWS:
        raise TableError(f"{name} has {n_rows} rows, at most {MAX_ROWS} are read.", "Keep every n-th row.")
    if n_rows * n_columns > MAX_CELLS:
        raise TableError(
            f"{name} has {n_rows} rows of {n_columns} columns, at most {MAX_CELLS} cells are read.",
            "Keep fewer columns or every n-th row.",
        )


def _places(n: int) -> list[str]:
    return [str(i) for i in range(1, n + 1)]


def _quoted(text: str) -> str:
    r"""Write what a file holds so that a message can show it: short, and without what does not print.

    >>> _quoted("a" * 50), _quoted("a\x07")
    ('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."', '"a?"')
    """
    return f'"{_shown(text)}"'


def _shown(text: str) -> str:
    return "".join(mark if mark.isprintable() else "?" for mark in text[:40]) + ("..." if len(text) > 40 else "")


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.4g} MB"
