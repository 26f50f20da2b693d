"""Reader of tables with numbers, names of frames and missing cells, from untrusted files.

A column has numbers, with NaN for missing cells, or names. Columns are checked when they are used, so that unused
columns raise no errors. Dates with times of day are numbers, too: seconds since 1970. Every fault of a file is a
`TableError`. No content of a file is executed, and nothing is read beyond the bounds of `limits`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted, did_you_mean
from framescope.core.kernels.rounding import rest_of_integers
from framescope.core.kernels.validation import Array, read_only
from framescope.core.recordings.tables import iso_timestamps, limits, npz_parquet, numeric, text_blocks
from framescope.core.recordings.tables import text as text_tables
from framescope.core.recordings.tables.cells import MISSING, cells_of, numbers_in
from framescope.core.recordings.tables.iso_timestamps import Dated
from framescope.core.recordings.tables.limits import TableError, quoted
from framescope.core.recordings.tables.numeric import Table
from framescope.core.recordings.tables.split_timestamps import (
    join_dates,
    join_times,
    join_weeks,
    parts_of,
    read_as_twin,
    twin_of,
)
from framescope.core.recordings.tables.text_columns import MAX_NAMES, Column, DatedColumn, Names, Rounded, TextColumn
from framescope.core.recordings.tables.text_layout import ReadNote
from framescope.core.system.caches import FileCache
from framescope.core.system.features import entries, installed_features, missing_feature_message

CHUNK_LINES = 20_000
MOST_REMARKS = 0.05
"""Largest number of remark lines, such as marks set by a user, as a fraction of the rows of a table."""
HEAD_BYTES = 64
"""Number of bytes at the start of a binary file by which readers of features recognize the file."""
TEXT_BYTES = 65_536
"""Number of bytes at the start of a text by which readers of features recognize it."""

Rows = NDArray[np.intp]
"""Rows of a table, from 0."""


@dataclass(frozen=True, eq=False)
class Missing:
    """Rows in which a number is missing.

    Attributes
    ----------
    rows
        Indices from 0, (n,).
    column
        Column without a number in the first of these rows.
    left
        Number of complete rows.
    """

    rows: Rows
    column: str
    left: int


@dataclass(frozen=True, eq=False)
class MixedTable:
    """Columns of numbers and of names, all of one length.

    Attributes
    ----------
    name
        Name of the table in messages: its file name.
    order
        Names of all columns in the order of the file.
    numbers
        Columns of numbers (n,), NaN for missing cells.
    names
        Columns of names.
    n_rows
        Number of rows.
    stamps
        Columns of numbers that are dates with times of day, s since 1970.
    rests
        Rounding errors of the numbers of some columns, such as times since 1970.
    preamble, notes
        Lines before the table, and decisions of the reader about a file that is not a plain table.
    descriptions
        Descriptions of columns in the file, with units in brackets at the end.
    units
        Units that the file states, by column, as in scene files.
    is_sequence
        Whether the rows are in order and have no times, as images of a reconstruction.

    Examples
    --------
    >>> table = MixedTable("a.csv", ("t", "f"), {"t": np.arange(3.0)}, {"f": Names(("a", "b"), np.array([0, 1, 0]))}, 3)
    >>> table.rows_where("f", "a")
    array([0, 2])
    >>> table.table(["t"], table.rows_where("f", "a")).column("t")
    array([0., 2.])
    """

    name: str
    order: tuple[str, ...]
    numbers: Mapping[str, Array]
    names: Mapping[str, Names]
    n_rows: int
    stamps: frozenset[str] = frozenset()
    rests: Mapping[str, Array] = field(default_factory=dict[str, Array])
    preamble: tuple[str, ...] = ()
    notes: tuple[ReadNote, ...] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict[str, str])
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    is_sequence: bool = False

    @property
    def own(self) -> tuple[str, ...]:
        """Columns of the file itself, without combined columns and second readings."""
        known = set(self.order)
        plain = (column for column in self.order if read_as_twin(column) not in known)
        return tuple(column for column in plain if not known.issuperset(parts_of(column) or (None,)))

    def read_otherwise(self, word: str) -> MixedTable:
        """Return the table with ambiguous numbers in their second reading, ``"thousands"`` or ``"decimal"``."""
        plain = {key: read_as_twin(key) for key in self.order if key.endswith(f" ({word})")}
        plain = {key: column for key, column in plain.items() if column in self.order}
        if not plain:
            return self
        twins = {column: key for key, column in plain.items()}
        order = tuple(twins.get(key, key) for key in self.order if key not in plain)
        return replace(self, order=order, numbers={key: self.numbers[key] for key in order if key in self.numbers})

    def rows_where(self, column: str, value: str | float) -> Rows:
        """Return the rows with a value in a column.

        Raises
        ------
        TableError
            When there is no such column, or no row holds the value.
        """
        if column in self.names:
            texts = self.names[column]
            code = texts.values.index(str(value)) if str(value) in texts.values else -1
            rows = np.flatnonzero(texts.codes == code)
            known: Iterable[str] = texts.values
        elif column in self.numbers:
            rows = np.flatnonzero(self.numbers[column] == _as_number(value))
            known = ()
        else:
            raise self._no_column(column)
        if not len(rows):
            raise TableError(
                f"{self.name} has no row with {quoted(str(value))} in the column {quoted(column)}.",
                did_you_mean(str(value), list(islice(known, 200))),
            )
        return rows

    def check_time_unit(self, column: str, unit: str) -> None:
        """Raise a `TableError` for a column of dates with another unit than s."""
        if column in self.stamps and unit != "s":
            raise TableError(
                f"{self.name}, column {quoted(column)} holds dates and times, which are read in s, not in {unit}.",
                "Use the unit s.",
            )

    def whole_rows(self, columns: Iterable[str], rows: Rows | None = None) -> Rows:
        """Return the rows among `rows` (None: all) with finite numbers in the columns; columns of names are ignored.

        >>> table = MixedTable("a.csv", ("t", "x"), {"t": np.arange(3.0), "x": np.array([1.0, np.nan, 2.0])}, {}, 3)
        >>> table.whole_rows(["t", "x"])
        array([0, 2])
        """
        rows = np.arange(self.n_rows) if rows is None else rows
        for column in columns:
            if column in self.numbers:
                rows = rows[np.isfinite(self.numbers[column][rows])]
        return rows

    def table(self, columns: Iterable[str], rows: Rows | None = None) -> Table:
        """Return selected columns and rows as a table of finite numbers.

        Raises
        ------
        TableError
            When a column does not exist, or has cells in these rows that are not finite numbers.
        """
        arrays: dict[str, Array] = {}
        for column in columns:
            if column not in self.numbers:
                if column not in self.order:
                    raise self._no_column(column)
                example = f", such as {quoted(self.names[column].text(0))}" if column in self.names else ""
                raise TableError(
                    f"{self.name}, column {quoted(column)} holds text{example}, expected numbers.",
                    "Numbers are written as 1.5, -2 or 1.5e-3.",
                )
            values = self.numbers[column] if rows is None else self.numbers[column][rows]
            is_finite = np.isfinite(values)
            if not is_finite.all():
                at = int(np.argmin(is_finite))
                row = at if rows is None else int(rows[at])
                got = "no number" if np.isnan(values[at]) else str(values[at])
                raise TableError(
                    f"{self.name}, row {row + 1}, column {quoted(column)}: expected a finite number, got {got}.",
                    "Remove or correct that row.",
                )
            arrays[column] = values
        rests = {key: rest if rows is None else rest[rows] for key, rest in self.rests.items() if key in arrays}
        return Table(self.name, MappingProxyType(arrays), rests)

    def _no_column(self, column: str) -> TableError:
        return TableError(f"{self.name} has no column {quoted(column)}.", did_you_mean(column, self.order))


@dataclass(frozen=True)
class TableReader:
    """Reader of a kind of table file, as provided by a feature.

    Attributes
    ----------
    has_mark
        Function that returns whether a file is of this kind, by its first `HEAD_BYTES` bytes, or `TEXT_BYTES` of text.
    read
        Function that reads the content of a file, given its name for messages. It may raise a `TableError`.
    """

    has_mark: Callable[[bytes], bool]
    read: Callable[[str, bytes], MixedTable]


def missing_in(table: MixedTable, columns: Sequence[str], rows: Rows | None = None) -> Missing | None:
    """Return the rows among `rows` (None: all) with a missing number in any of the columns; None if complete."""
    whole = table.whole_rows(columns, rows)
    lacking = np.setdiff1d(np.arange(table.n_rows) if rows is None else rows, whole)
    if not len(lacking):
        return None
    column = next(column for column in columns if not len(table.whole_rows([column], lacking[:1])))
    return Missing(lacking, column, len(whole))


def read_mixed(path: Path) -> MixedTable:
    """Read a table of numbers and names, in the format of the file's extension.

    Parameters
    ----------
    path
        ``.csv``, ``.tsv``, ``.txt``, ``.tum`` or ``.kitti``: text in UTF-8, cells separated by commas, semicolons,
        tabs or spaces, numbers in C notation, an optional header line, comments from # on. ``.npz``: arrays (n,) and
        (n, m); columns of the latter are named ``name[0]`` and so on. ``.parquet``: flat columns; needs pyarrow.
        ``.mat``: a result of Dymola or OpenModelica, with variables as columns. ``images.txt``, ``images.bin`` and
        ``transforms.json``: poses of the images of COLMAP, nerfstudio and instant-ngp.

    Raises
    ------
    TableError
        When the file does not exist, exceeds a limit, or is not a table.

    Notes
    -----
    The header is a first line with a letter and without a number. Without such a line, a comment directly above the
    numbers is the header if it has as many different words as there are columns; numpy.savetxt and the EuRoC recordings
    write such comments. Otherwise, the columns are named ``"1"``, ``"2"``, ... A column with an empty name gets its
    position as its name. Integers beyond 2**53 are rounded to float64, for example times in ns since 1970 to 256 ns.
    `Table.since_first` returns differences with all digits of the file.

    Cells that are empty, ``NA``, ``null``, ``None``, ``-``, ``?`` or another text of
    `framescope.core.recordings.tables.cells.MISSING` are missing numbers. Decimal commas are allowed if semicolons,
    tabs or blanks separate the cells. Exponents may be in Fortran notation, ``1.5D+02``. Lines before the table, a row
    of units and a truncated last line are skipped, see `framescope.core.recordings.tables.text_layout`. A repeated
    column name gets a count. A column with more than `MAX_NAMES` different texts is listed in `order` only. Dates with
    times of day become seconds since 1970, see `framescope.core.recordings.tables.iso_timestamps`. Times of day without
    a date become seconds since midnight. Two columns with seconds and nanoseconds, or with dates and times of day, give
    an additional combined column, see `framescope.core.recordings.tables.split_timestamps`.
    """
    path = Path(path)
    data = numeric.read_bytes(path, limits.MAX_WHOLE_BYTES + 1)
    read = _reader_of(path, data)
    if len(data) > limits.MAX_WHOLE_BYTES:
        if read is _read_text:
            return _read_blocks(path)
        data = numeric.read_bytes(path)
        limits.check_packed_size(path.name, len(data))
    return read(path.name, data)


read_once = FileCache(read_mixed, 2)
"""Cached `read_mixed`, shared by the import and all users of a file."""


def read_table(path: Path, read: Callable[[Path], MixedTable] = read_mixed) -> Table:
    """Read a table of finite numbers with at least one row; see `read_mixed`.

    Raises
    ------
    TableError
        As in `read_mixed`, and for a cell that is not a finite number. For text, the message has line and column.
    """
    table = read(path)
    if not table.stamps.isdisjoint(table.own):
        _raise_first_problem(path)
    try:
        return table.table(table.own)
    except TableError:
        _raise_first_problem(path)
        raise


def _raise_first_problem(path: Path) -> None:
    data = numeric.read_bytes(path)
    if len(data) > limits.MAX_WHOLE_BYTES:
        return
    if _reader_of(path, data) is _read_text:
        text_tables.raise_first_problem(path.name, text_tables.decode(path.name, data))


def mixed_from_text(name: str, text: str) -> MixedTable:
    """Read a table from text, such as pasted text; raise a `TableError` if it is not a table."""
    return _read_text(name, text.encode())


# --- Text


def _read_text(name: str, data: bytes) -> MixedTable:
    text = text_tables.decode(name, data)
    rows = text_tables.text_rows(name, text)
    if '"' not in text:
        try:
            block = np.loadtxt(rows.lines, delimiter=rows.separator, comments=None, ndmin=2)
        except (ValueError, OverflowError):
            pass  # some cells are not numbers
        else:
            if block.shape == (len(rows.lines), len(rows.names)):
                if rows.names == text_tables.places(4) and _are_poses(block):
                    return _add_notes(
                        _build_table(name, zip(text_tables.places(16), block.reshape(-1, 16).T, strict=True)), rows
                    )
                arrays: list[Array] = list(np.ascontiguousarray(block.T))
                rests = text_tables.text_rests(rows, arrays)
                return _add_notes(
                    _build_table(name, zip(rows.names, map(_column_of, arrays, rests), strict=True)), rows
                )
    return _of_cells(name, text, rows)


def _of_cells(name: str, text: str, rows: text_tables.TextRows) -> MixedTable:
    """Read a table whose cells are not all plain numbers."""
    widths = [len(numbers_in(cell)) or 1 for cell in cells_of(rows.lines[0], rows.separator)]
    has_vectors = max(widths) > 1 and len(widths) == len(rows.names)
    n = len(rows.names)
    if has_vectors:
        names = zip(rows.names, widths, strict=True)
        rows = replace(rows, names=[f"{name}[{i}]" if w > 1 else name for name, w in names for i in range(w)])
    columns = [TextColumn(has_comma=rows.separator != ",") for _ in rows.names]
    spoken: list[str] = []
    for start in range(0, len(rows.lines), CHUNK_LINES):
        cells = [cells_of(line, rows.separator) for line in rows.lines[start : start + CHUNK_LINES]]
        for i, row in enumerate(cells):
            if len(row) != n and not (_is_remark(row) and len(spoken) < MOST_REMARKS * len(rows.lines)):
                line = next(islice(text_tables.content_lines(name, text), start + i + rows.n_skipped, None))[0]
                raise TableError(
                    f"{name}, line {line} has {counted(len(row), 'cell')}, expected {n}.",
                    "Every line has as many as the first.",
                )
            if len(row) != n:
                spoken.append(row[0])
        cells = [row for row in cells if len(row) == n]
        if has_vectors:
            cells = [_spread_vectors(row, widths) for row in cells]
        for column, part in zip(columns, zip(*cells, strict=True) if cells else [()] * len(columns), strict=True):
            column.add(part)
    table = _build_table(name, ((key, column.build()) for key, column in zip(rows.names, columns, strict=True)))
    remarks: list[ReadNote | None] = [column.missing for column in columns]
    if spoken:
        listed = ", ".join(map(quoted, dict.fromkeys(spoken[:3])))
        are = "is" if len(spoken) == 1 else "are"
        text = f"{counted(len(spoken), 'line')} among the rows {are} left out, such as {listed}"
        remarks.append(ReadNote("remarks", text))
    table, marks = _add_other_readings(table, rows.names, columns)
    return _add_notes(table, rows, [*marks, *remarks])


def _add_other_readings(
    table: MixedTable, names: Sequence[str], columns: Sequence[TextColumn]
) -> tuple[MixedTable, tuple[ReadNote, ...]]:
    """Add columns with the second readings of numbers with ambiguous commas and points to a table."""
    is_comma_file = any(column.has_decimal_comma for column in columns)
    others: dict[str, Array] = {}
    for key, column in zip(names, columns, strict=True):
        if (reading := column.other(is_comma_file=is_comma_file)) is not None:
            others[f"{key} ({reading[0]})"] = read_only(reading[1])
    if not others:
        return table, (ReadNote("decimal comma", "numbers have a decimal comma"),) if is_comma_file else ()
    is_decimal = next(iter(others)).endswith("(thousands)")
    taken, other = ("decimal ones", "part thousands") if is_decimal else ("between thousands", "be decimal ones")
    note = ReadNote("decimal comma", f"commas or points are taken for {taken}, and may {other}", is_doubtful=True)
    numbers = MappingProxyType({**table.numbers, **others})
    return replace(table, order=(*table.order, *others), numbers=numbers), (note,)


def _spread_vectors(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Split the vectors in cells into one cell per number; vectors of another length become empty cells."""
    spread_cells: list[str] = []
    for cell, width in zip(cells, widths, strict=True):
        parts = numbers_in(cell) if width > 1 else [cell]
        spread_cells += parts if len(parts) == width else [""] * width
    return spread_cells


def _is_remark(cells: Sequence[str]) -> bool:
    """Return whether all cells of a line are words, as in a mark set by a user."""
    return len(cells) <= 2 and not any(any(map(str.isdigit, cell)) for cell in cells) and any(cells)


def _are_poses(block: Array) -> bool:
    """Return whether the rows are homogeneous matrices, four rows of four numbers each."""
    return len(block) >= 8 and len(block) % 4 == 0 and bool((block[3::4] == [0.0, 0.0, 0.0, 1.0]).all())


def _read_blocks(path: Path) -> MixedTable:
    """Read a large text block by block; of too many rows, read every n-th row."""
    name = path.name
    rows, every = text_blocks.head_rows(path)
    columns = [TextColumn(has_comma=rows.separator != ",") for _ in rows.names]
    notes: list[ReadNote | None] = []
    if every > 1:
        notes.append(ReadNote("thinned", f"one of every {every} rows is read, as there are more than fit"))
    n_cells, n = 0, len(columns)
    for block in text_blocks.blocks(path, rows.n_skipped, every):
        lines = block.lines
        n_cells += len(lines) * n
        if n_cells > 2 * limits.MAX_CELLS:
            raise TableError(f"{name} has more than {limits.MAX_CELLS} cells.", "Keep fewer columns, or split it.")
        try:
            numbers = np.loadtxt(lines, delimiter=rows.separator, comments=None, ndmin=2) if lines else np.zeros((0, n))
        except (ValueError, OverflowError):
            numbers = np.zeros((0, 0))
        if numbers.shape == (len(lines), n):
            parts = list(np.ascontiguousarray(numbers.T))
            for column, part, rest in zip(
                columns, parts, text_tables.text_rests(replace(rows, lines=lines), parts), strict=True
            ):
                column.add_numbers(part, rest)
            continue
        notes.append(_add_cells(name, rows, columns, block, every))
    table = _build_table(name, ((key, column.build()) for key, column in zip(rows.names, columns, strict=True)))
    return _add_notes(table, rows, [*notes, *(column.missing for column in columns)])


def _add_cells(
    name: str, rows: text_tables.TextRows, columns: Sequence[TextColumn], block: text_blocks.Block, every: int
) -> ReadNote | None:
    """Add lines that are not all numbers; return a note about a truncated last line."""
    n, note = len(columns), None
    for start in range(0, len(block.lines), CHUNK_LINES):
        cells = [cells_of(line, rows.separator) for line in block.lines[start : start + CHUNK_LINES]]
        if block.is_last and start + CHUNK_LINES >= len(block.lines) and len(cells) > 1 and len(cells[-1]) != n:
            note = ReadNote(
                "last line", f"the last line has {len(cells[-1]):,} of {counted(n, 'cell')} and is left out"
            )
            del cells[-1]
        wrong = next((i for i, row in enumerate(cells) if len(row) != n), None)
        if wrong is not None:
            place = f"{name}, about line {block.first_line + every * (start + wrong)}"
            raise TableError(
                f"{place} has {counted(len(cells[wrong]), 'cell')}, expected {n}.",
                "Every line has as many as the first.",
            )
        for column, part in zip(columns, zip(*cells, strict=True), strict=True):
            column.add(part)
    return note


def _add_notes(table: MixedTable, rows: text_tables.TextRows, remarks: Iterable[ReadNote | None] = ()) -> MixedTable:
    """Add preamble and notes of a text to its table."""
    notes = (*rows.notes, *filter(None, remarks))
    return replace(table, preamble=rows.preamble, notes=notes) if rows.preamble or notes else table


def _column_of(values: Array, rest: Array | None) -> Array | Rounded:
    return values if rest is None else Rounded(values, rest)


# --- Packed


def _read_npz(name: str, data: bytes) -> MixedTable:
    columns = npz_parquet.npz_columns(name, data)
    return _build_table(name, ((key, _convert_array(values)) for key, values in columns))


def _read_parquet(name: str, data: bytes) -> MixedTable:
    try:
        columns = [(key, _from_arrow(values)) for key, values in npz_parquet.parquet_columns(name, data)]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - pyarrow has its own family, known only where it is installed
        raise TableError(f"{name} is no Parquet file, or a damaged one: {error!s:.200}.") from None
    return _build_table(name, columns)


def _convert_array(values: NDArray[Any]) -> Column:
    if values.dtype.kind == "M":
        return DatedColumn(iso_timestamps.stamps_of(values))
    if values.dtype.kind not in "US":
        return values
    texts, codes = np.unique(_printable_points(values), return_inverse=True)
    return _of_texts((_decode_text(text) for text in texts.tolist()), len(texts), codes)


def _printable_points(texts: NDArray[Any]) -> NDArray[Any]:
    """Replace invalid code points in texts, which Python could not convert to `str`."""
    if texts.dtype.kind != "U" or texts.dtype.itemsize == 0:
        return texts
    points = np.array(texts, dtype=texts.dtype.newbyteorder("=")).view(np.uint32)
    points[points > sys.maxunicode] = ord("\N{REPLACEMENT CHARACTER}")
    return points.view(texts.dtype.newbyteorder("="))


def _decode_text(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _from_arrow(column: Any) -> Column:
    """Convert a pyarrow column; text columns are dictionary arrays, in chunks."""
    kind = str(column.type)
    if not kind.startswith("dictionary"):
        values = np.asarray(column.to_numpy())
        return _convert_array(values) if values.dtype.kind in "fiubM" else None
    whole: Any = column.unify_dictionaries().combine_chunks()
    chunk: Any = whole.chunk(0) if hasattr(whole, "chunk") else whole
    n = len(chunk.dictionary)
    codes = np.asarray(chunk.indices.fill_null(n).to_numpy(zero_copy_only=False), dtype=np.int32)
    return _of_texts((*map(str, chunk.dictionary.to_pylist()), ""), n, codes)


def _of_texts(texts: Iterable[str], n: int, codes: NDArray[Any]) -> Column:
    """Return a column of dates or names, given `n` different texts and the index of each row's text."""
    texts = tuple(texts)
    names = None if n > MAX_NAMES else Names(texts, codes.astype(np.int32))
    cells = [text.strip() for text in texts]
    for kind in iso_timestamps.KINDS:
        dated = iso_timestamps.read_dated(cells, kind, MISSING)
        if dated is not None and np.isfinite(dated.seconds).any():
            rest = None if dated.rest is None else dated.rest[codes]
            return DatedColumn(replace(dated, seconds=dated.seconds[codes], rest=rest), names)
    return names


# --- All

_READERS: Mapping[str, Callable[[str, bytes], MixedTable]] = {
    "text": _read_text,
    "npz": _read_npz,
    "parquet": _read_parquet,
}
"""Base readers by kind of table, see `framescope.core.recordings.tables.numeric.kind_of`."""


def _reader_of(path: Path, data: bytes) -> Callable[[str, bytes], MixedTable]:
    """Return the reader of a file, from a feature that recognizes its first bytes, or else from the base.

    A text is offered to features whose regular expression it matches, so that reading a plain table imports no feature.
    Raises `TableError` for an empty file, and for a MAT file if no feature reads it.
    """
    kind, head = numeric.kind_of(path, data), data[:HEAD_BYTES]
    is_text = b"\0" not in head and path.suffix.lower() != ".mat"
    head = data[:TEXT_BYTES] if is_text else head
    readers = tuple(_readers_of_text(head)) if is_text else tuple(entries(lambda feature: feature.tables))
    marked = next((reader.read for reader in readers if reader.has_mark(head)), None)
    if marked is None and not readers and path.suffix.lower() == ".mat":
        message = missing_feature_message("results of Modelica tools are", "modelica")
        raise TableError(f"{path.name}: {message}", "Install it, or save the columns as CSV.")
    return _READERS[kind] if marked is None else marked


def _readers_of_text(head: bytes) -> Iterator[TableReader]:
    for feature in installed_features():
        for pattern, entry in feature.text_tables:
            if re.match(pattern.encode(), head):
                yield feature.load(entry)


def _build_table(name: str, columns: Iterable[tuple[str, Column]]) -> MixedTable:
    numbers: dict[str, Array] = {}
    rests: dict[str, Array] = {}
    names: dict[str, Names] = {}
    dates: dict[str, Dated] = {}
    order: list[str] = []
    n_rows = 0
    for key, given in columns:
        limits.check_name(name, key, order)
        order.append(key)
        if isinstance(given, DatedColumn):
            dates[key] = given.dated
            column = given.dated.seconds if given.dated.kind == "stamp" else given.names
            rest = given.dated.rest if given.dated.kind == "stamp" else None
        else:
            column, rest = (given.values, given.rest) if isinstance(given, Rounded) else (given, None)
        if isinstance(column, Names):
            names[key] = Names(tuple(map(_strip_name, column.values)), column.codes)
            n_rows = len(column.codes)
        elif column is not None:
            with np.errstate(over="ignore"):
                numbers[key] = read_only(np.ascontiguousarray(column, dtype=np.float64))
            rest = rest_of_integers(column, numbers[key]) if rest is None else rest
            if rest is not None:
                rests[key] = read_only(rest)
            n_rows = len(column)
    limits.check_size(name, n_rows, len(order))
    dated = join_dates(order, dates)
    for joined, (column, rest) in (join_times(order, numbers) | join_weeks(order, numbers) | dated).items():
        order.insert(0, joined)
        numbers[joined], rests[joined] = column, rest
    twins = dict(
        filter(None, (twin_of(key, dated_cells) for key, dated_cells in dates.items() if dated_cells.kind == "stamp"))
    )
    order += [key for key in twins if key not in order]
    numbers |= {key: read_only(seconds) for key, seconds in twins.items()}
    joined = {part for key in dated for part in parts_of(key) or ()}
    clocks = {
        key: dated_cells
        for key, dated_cells in dates.items()
        if dated_cells.kind == "time of day" and key not in joined
    }
    for key, dated_cells in clocks.items():
        numbers[key] = read_only(dated_cells.seconds)
        names.pop(key, None)
    rests |= {key: read_only(dated_cells.rest) for key, dated_cells in clocks.items() if dated_cells.rest is not None}
    stamps = frozenset(key for key, column in dates.items() if column.kind == "stamp")
    stamps |= dated.keys() | clocks.keys() | twins.keys()
    frozen = MappingProxyType(numbers), MappingProxyType(names)
    return MixedTable(name, tuple(order), *frozen, n_rows, stamps, MappingProxyType(rests))


def _strip_name(text: str) -> str:
    """Strip a text for use as a name: no surrounding blanks, no unprintable characters, limited length."""
    return "".join(mark if mark.isprintable() else "?" for mark in text.strip()[: limits.MAX_NAME_LENGTH])


def _as_number(value: str | float) -> float:
    try:
        return float(value)
    except ValueError:
        return float("nan")
