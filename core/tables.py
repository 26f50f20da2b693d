"""Numeric tables that strangers may have made: text, NPZ and Parquet, read within bounds or refused with the place.

A table is a mapping from column names to numbers. Whatever is wrong with a file is a `TableError`; none of its content
is ever run: NPZ files are read without pickles, and only after their directory has been found to be within bounds.
"""

from __future__ import annotations

import csv
import io
import re
import stat
import zipfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.arrays import Array, read_only
from framescope.core.errors import FramescopeError, did_you_mean, near_miss
from framescope.core.extras import PARQUET

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

KINDS = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".tum", ".kitti"), "text"),
    ".npz": "npz",
    ".parquet": "parquet",
}
"""How a table is read, by its extension."""

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
            raise TableError(f"{self.name} has no column {quoted(name)}.", did_you_mean(name, self.columns))
        return self.columns[name]


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
    beyond 2**53, such as times in ns since 1970, are rounded as float64 does, those to 256 ns.
    """
    path = Path(path)
    data = read_bytes(path)
    readers = {"text": _read_text, "npz": _read_npz, "parquet": _read_parquet}
    return readers[kind_of(path, data)](path.name, data)


def kind_of(path: Path, data: bytes) -> str:
    """Return ``"text"``, ``"npz"`` or ``"parquet"`` by the extension of a table, or raise a `TableError`."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise TableError(
            f'{path.name}: "{path.suffix}" is no extension of a table.', f"Use one of: {', '.join(KINDS)}."
        )
    if not data:
        raise TableError(f"{path.name} is empty.")
    return kind


def read_bytes(path: Path) -> bytes:
    """Return what is in a file, or raise a `TableError` where it is none, or too large."""
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


@dataclass(frozen=True, eq=False)
class TextRows:
    """The rows of a text: the names of its columns, its lines of cells and what is between cells (None: any blank).

    `n_skipped` is how many lines there are before them that are neither empty nor comments: the header, or none.
    """

    names: list[str]
    lines: list[str]
    separator: str | None
    n_skipped: int


def text_rows(name: str, text: str) -> TextRows:
    """Split a text into the names of its columns and the lines below."""
    lines = [content for _, content in content_lines(name, text)]
    if not lines:
        raise TableError(f"{name} has no rows, only empty lines or comments.", _TEXT)
    separator = separator_of(lines[0])
    first = cells_of(lines[0], separator)
    if not any(map(is_number, first)) and any(map(str.isalpha, lines[0])):
        separator = separator_of(lines[1]) if len(lines) > 1 else separator
        names = [cell or str(i) for i, cell in enumerate(cells_of(lines[0], separator), 1)]
        n_skipped = 1
    else:
        names = header_in_comment(name, text, separator, len(first)) or places(len(first))
        n_skipped = 0
    del lines[:n_skipped]
    if not lines:
        raise TableError(f"{name} has no rows of numbers, only the line {quoted(first[0])}...", _TEXT)
    check_size(name, len(lines), len(names))
    return TextRows(names, lines, separator, n_skipped)


def _read_text(name: str, data: bytes) -> Table:
    text = decoded(name, data)
    rows = text_rows(name, text)
    names, lines, separator, n_skipped = rows.names, rows.lines, rows.separator, rows.n_skipped
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


def decoded(name: str, data: bytes) -> str:
    """Return text in UTF-8, or raise a `TableError` that names the line."""
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


def content_lines(name: str, text: str) -> Iterator[tuple[int, str]]:
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


def separator_of(line: str) -> str | None:
    """Return what separates cells, None for any white space.

    >>> separator_of("1,5;2,5"), separator_of("1, 2"), separator_of("1 2")
    (';', ',', None)
    """
    found = next((mark for mark in ";,\t" if mark in line), None)
    return None if found == "\t" and any(" " in cell.strip() for cell in line.split("\t")) else found


def cells_of(line: str, separator: str | None) -> list[str]:
    """Return the cells of a line, without the blanks around them."""
    if separator is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def is_number(cell: str) -> bool:
    """Return whether a cell is a number in C notation, finite or not."""
    return bool(_NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell))


def header_in_comment(name: str, text: str, separator: str | None, n_columns: int) -> list[str] | None:
    """Return the names that a comment right above the numbers gives the columns."""
    number, _ = next(content_lines(name, text))
    before = "".join(islice(io.StringIO(text, newline=None), max(number - 2, 0), number - 1)).strip()
    names = cells_of(before.lstrip("#").strip(), separator) if before.startswith("#") else []
    is_header = len(set(names)) == len(names) == n_columns and all(names) and not any(map(is_number, names))
    return names if is_header else None


def _raise_first_fault(name: str, text: str, separator: str | None, names: Sequence[str], n_skipped: int) -> None:
    """Read line by line, with care, what could not be read at once."""
    for number, line in islice(content_lines(name, text), n_skipped, None):
        where, cells = f"{name}, line {number}", cells_of(line, separator)
        if len(cells) != len(names):
            raise TableError(
                f"{where} has {len(cells)} cells, expected {len(names)}.", "Every line has as many as the first."
            )
        for i, (column, cell) in enumerate(zip(names, cells, strict=True), 1):
            called = "" if column == str(i) else f" ({_shown(column)})"
            is_number = _NUMBER.fullmatch(cell)
            if _NOT_FINITE.fullmatch(cell) or (is_number and not np.isfinite(float(cell))):
                raise TableError(
                    f"{where}, column {i}{called}: {quoted(cell)} is no finite number.", "Remove that line or mend it."
                )
            if not is_number:
                what = f"{quoted(cell)} is no number" if cell else "the cell is empty"
                raise TableError(
                    f"{where}, column {i}{called}: {what}.",
                    "Numbers are written as 1.5, -2 or 1.5e-3, with a decimal point.",
                )


# --- NPZ


def npz_columns(name: str, data: bytes, kinds: str = "fiu") -> list[tuple[str, NDArray[Any]]]:
    """Return the columns (n,) of an NPZ file, of numpy's `kinds`."""
    # The directory is counted before zipfile lists it: millions of entries would fill the memory.
    if data.count(_DIRECTORY_ENTRY) > MAX_COLUMNS + 10:
        raise TableError(f"{name} holds more than {MAX_COLUMNS} arrays.", _NPZ)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            check_directory(name, entries)
            arrays = [(entry.filename[:-4], read_array(name, archive, entry, kinds)) for entry in entries]
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
        check_size(name, len(array), len(columns))
    return columns


def _read_npz(name: str, data: bytes) -> Table:
    return _table(name, npz_columns(name, data))


def check_directory(name: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse an archive by its directory: what is no array, and what unpacks beyond the limits."""
    for entry in entries:
        if not entry.filename.endswith(".npy"):
            raise TableError(f"{name} holds {quoted(entry.filename)}, which is no array.", _NPZ)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise TableError(f"{name}: {quoted(entry.filename)} is packed by a method that numpy does not write.", _NPZ)
    check_unpacked(name, sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries))


def check_unpacked(name: str, unpacked: int, packed: int) -> None:
    """Refuse what unpacks to more bytes than the limits say."""
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


def read_array(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, kinds: str = "fiu") -> NDArray[Any]:
    """Return an array (n,) or (n, m) of numpy's `kinds`; its header is checked before numpy makes room for it."""
    with archive.open(entry) as packed:
        content = packed.read(entry.file_size + 1)  # of a stated length: else zipfile unpacks first and cuts then
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(file)
    what = f"{name}: the array {quoted(entry.filename[:-4])}"
    if dtype.hasobject:
        raise TableError(
            f"{what} holds Python objects, expected numbers.", "Convert it: np.asarray(values, dtype=float)."
        )
    if dtype.kind not in kinds:
        raise TableError(f"{what} is of type {dtype!s:.60}, expected real numbers.", _NPZ)
    if len(shape) not in (1, 2):
        raise TableError(f"{what} has shape {shape!s:.60}, expected (n,) or (n, m).", _NPZ)
    check_size(name, shape[0], 1 if len(shape) == 1 else shape[1])
    if int(np.prod(shape)) * dtype.itemsize != len(content) - file.tell():
        raise TableError(f"{what} is not as long as its shape {shape} says: the file is damaged.", _NPZ)
    return np.load(io.BytesIO(content), allow_pickle=False)


# --- Parquet


def _read_parquet(name: str, data: bytes) -> Table:
    columns = [(key, np.asarray(values.to_numpy())) for key, values in parquet_columns(name, data)]
    for key, values in columns:
        if values.dtype.kind not in "fiu":
            raise TableError(
                f"{name}, column {quoted(key)} is of type {values.dtype}, expected real numbers.",
                "Leave it out, or convert it: times to seconds, say.",
            )
    return _table(name, columns)


def parquet_columns(name: str, data: bytes) -> list[tuple[str, Any]]:
    """Return the columns of a Parquet file as pyarrow has them; text stays packed as a dictionary of its values."""
    try:
        parquet = PARQUET.part("parquet")
    except ImportError:
        raise TableError(f"{name}: {PARQUET.reason}.", "Or save the table as CSV.") from None
    try:
        metadata: Any = parquet.ParquetFile(io.BytesIO(data)).metadata
        check_size(name, metadata.num_rows, metadata.num_columns)
        sizes = [metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)]
        check_unpacked(name, sum(sizes), len(data))
        texts = [
            metadata.schema.column(i).path
            for i in range(metadata.num_columns)
            if metadata.schema.column(i).physical_type == "BYTE_ARRAY"
        ]
        content: Any = parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts).read()
        return [(str(key), content[i]) for i, key in enumerate(content.column_names)]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - pyarrow has its own family, known only where it is installed
        raise TableError(f"{name} is no Parquet file, or a damaged one: {error!s:.200}.") from None


# --- All


def _table(name: str, columns: Iterable[tuple[str, NDArray[Any]]]) -> Table:
    """Return a table of columns of numbers of one length, checked and made finite float64."""
    found: dict[str, Array] = {}
    for key, numbers in columns:
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
    check_size(name, len(next(iter(found.values()), ())), len(found))
    return Table(name, MappingProxyType(found))


def check_name(name: str, key: str, found: Container[str]) -> None:
    """Refuse the name of a column that another one has, or that no message could show."""
    if key in found:
        raise TableError(f"{name} has two columns {quoted(key)}.", "Give every column its own name.")
    if not key.isprintable():
        raise TableError(f"{name}: the column name {quoted(key)} holds characters that do not print.", "Rename it.")
    if len(key) > MAX_NAME_LENGTH:
        raise TableError(f"{name}: the column name {quoted(key)} has more than {MAX_NAME_LENGTH} characters.")


def check_size(name: str, n_rows: int, n_columns: int) -> None:
    """Refuse a table that is empty, or over a limit."""
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


def places(n: int) -> list[str]:
    """Return the names of columns that have none: their places, from 1."""
    return [str(i) for i in range(1, n + 1)]


def quoted(text: str) -> str:
    r"""Write what a file holds so that a message can show it: short, and without what does not print.

    >>> quoted("a" * 50), quoted("a\x07")
    ('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."', '"a?"')
    """
    return f'"{_shown(text)}"'


def _shown(text: str) -> str:
    return "".join(mark if mark.isprintable() else "?" for mark in text[:40]) + ("..." if len(text) > 40 else "")


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.4g} MB"
