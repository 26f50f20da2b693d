"""Reader of text tables: cells separated by commas, semicolons, tabs or spaces, with or without a header, in UTF-8."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from framescope.core.kernels.rounding import LARGE, rest_of_texts
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.cells import (
    HASHED,
    cells_of,
    is_not_finite,
    is_number,
    is_plain_number,
    separator_of,
)
from framescope.core.recordings.tables.iso_timestamps import is_stamp
from framescope.core.recordings.tables.json_rows import table_of_json
from framescope.core.recordings.tables.limits import TableError, check_size, printable, quoted
from framescope.core.recordings.tables.text_layout import ReadNote, layout_of, unique_names

_TEXT = "Write a table as text: one row a line, cells separated by commas, semicolons, tabs or spaces, in UTF-8."
_COMMENTS = ("%", "//")
"""Marks besides # that start a comment line."""

_LATIN = frozenset(b"\xb0\xb2\xb3\xb5\xb7")
"""Bytes of the signs ° ² ³ µ · in Latin-1, which occur in units."""


@dataclass(frozen=True, eq=False)
class TextRows:
    """Parts of a text table: column names, lines of cells, and the separator between cells (None: white space).

    `n_skipped` is the number of header lines before the rows, without empty lines and comments. `preamble` has the
    lines before the table, including comments, and `notes` the decisions of the reader.
    """

    names: list[str]
    lines: list[str]
    separator: str | None
    n_skipped: int
    preamble: tuple[str, ...] = ()
    notes: tuple[ReadNote, ...] = ()


def text_rows(name: str, text: str) -> TextRows:
    """Split a text into column names and rows."""
    lines = [content for _, content in content_lines(name, text)]
    if not lines:
        raise TableError(f"{name} has no rows, only empty lines or comments.", _TEXT)
    above = comments_above(text)
    layout = layout_of(lines)
    if layout is not None:
        first = cells_of(lines[layout.n_before], layout.separator)
        commented = None if layout.names else header_in_comment(name, text, layout.separator, len(first))
        names, n_skipped = layout.names or commented or places(len(first)), layout.n_before
        separator, above, notes = layout.separator, (*above, *layout.preamble), layout.notes
        if layout.n_after:
            del lines[-layout.n_after :]
    else:
        separator, notes = separator_of(lines[0]), ()
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
    names, doubled = unique_names(names)
    return TextRows(names, lines, separator, n_skipped, above, (*notes, *doubled))


def comments_above(text: str) -> tuple[str, ...]:
    """Return the comments at the start of a text, without comment marks."""
    comments: list[str] = []
    for line in islice(io.StringIO(text, newline=None), 200):
        stripped = line.strip()
        if stripped.startswith(("#", *_COMMENTS)):
            comments.append(stripped.lstrip("#%/ ")[:1000])
        elif stripped:
            break
    return tuple(comments)


def text_rests(rows: TextRows, columns: Sequence[Array]) -> list[Array | None]:
    """Return the rounding errors of the columns of a text, None for exact columns."""
    large = [i for i, column in enumerate(columns) if np.nanmax(np.abs(column), initial=0.0) >= LARGE]
    rests: list[Array | None] = [None] * len(columns)
    if large:
        has_quotes = any('"' in line for line in rows.lines)
        split = cells_of if has_quotes else _split_cells
        cells = [split(line, rows.separator) for line in rows.lines]
        for i in large:
            rests[i] = rest_of_texts([row[i] for row in cells], columns[i])
    return rests


def _split_cells(line: str, separator: str | None) -> list[str]:
    """Split a line without quotes into cells."""
    return [cell.strip() for cell in line.split(separator)]


def decode(name: str, data: bytes) -> str:
    """Decode UTF-8 or UTF-16 with ASCII minus signs, or raise a `TableError` with the number of the line."""
    text = _decode_bytes(name, data)
    if data[:1] in (b"{", b"[") and (table := table_of_json(text)) is not None:
        text = table
    if text.isascii():
        return text
    text = text.replace("\u2212", "-").replace("\ufeff", "")
    return _HARD_BLANK.sub("", text)


_HARD_BLANK = re.compile(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
"""Pattern of non-breaking and thin spaces between thousands."""


def _decode_bytes(name: str, data: bytes) -> str:
    data = data.rstrip(b"\0") if not _utf_16(data) else data
    if wide := _utf_16(data):
        try:
            return data[: len(data) // 2 * 2].decode(wide).removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise TableError(f"{name} begins as text in UTF-16, and is none.", "Save it as UTF-8.") from None
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise TableError(f"{name}, line {line}: expected text, got a zero byte: this is a binary file.", _TEXT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if all(byte in _LATIN for byte in data if byte > 0x7F):
            return data.decode("latin-1")
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{name}, line {line}: byte 0x{data[error.start]:02x} is no text in UTF-8.", "Save it as UTF-8."
        ) from None


def _utf_16(data: bytes) -> str:
    """Return the codec of a UTF-16 text, by its byte order mark or its zero bytes; empty for other texts."""
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    begin = data[:2000]
    half = len(begin) // 2
    for name, zeros, others in (("utf-16-le", begin[1::2], begin[::2]), ("utf-16-be", begin[::2], begin[1::2])):
        if half >= 16 and zeros.count(0) >= 0.95 * half and not others.count(0):
            return name
    return ""


def content_lines(name: str, text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers, counted from `first`."""
    for number, line in enumerate(io.StringIO(text, newline=None), first):
        if number - first >= limits.MAX_ROWS:
            raise TableError(f"{name} has more than {limits.MAX_ROWS} lines.", "Keep every n-th row.")
        if len(line) > limits.MAX_LINE_LENGTH:
            raise TableError(
                f"{name}, line {number} has {len(line)} characters, at most {limits.MAX_LINE_LENGTH} are read.",
                _TEXT,
            )
        content, mark, _ = line.partition("#")
        if mark:
            content = HASHED.sub("nan", line).partition("#")[0]
        content = content.rstrip(" \r\n\f\v").lstrip(" ")
        if content.strip() and not content.startswith(_COMMENTS):
            yield number, content


def header_in_comment(name: str, text: str, separator: str | None, n_columns: int) -> list[str] | None:
    """Return the column names in a comment directly above the numbers, None without one."""
    number, _ = next(content_lines(name, text))
    above = list(islice(io.StringIO(text, newline=None), max(number - 3, 0), number - 1))
    for before in map(str.strip, reversed(above)):
        if not before.startswith(("#", *_COMMENTS)):
            break
        bare = before.lstrip("#%/").strip()
        for mark in dict.fromkeys((separator, separator_of(bare), None)):
            names = cells_of(bare, mark)
            if len(set(names)) == len(names) == n_columns and all(names) and not any(map(is_number, names)):
                return names
    return None


def places(n: int) -> list[str]:
    """Return names for columns without names: their positions, from 1."""
    return [str(i) for i in range(1, n + 1)]


def raise_first_problem(name: str, text: str) -> None:
    """Raise a `TableError` for the first cell of a text that is not a finite number, if there is one."""
    rows = text_rows(name, text)
    for number, line in islice(content_lines(name, text), rows.n_skipped, None):
        where, cells = f"{name}, line {number}", cells_of(line, rows.separator)
        for i, (column, cell) in enumerate(zip(rows.names, cells, strict=True), 1):
            called = "" if column == str(i) else f" ({printable(column)})"
            is_number = is_plain_number(cell)
            if is_not_finite(cell) or (is_number and not np.isfinite(float(cell))):
                raise TableError(
                    f"{where}, column {i}{called}: {quoted(cell)} is no finite number.", "Remove or correct that line."
                )
            if not is_number:
                what = f"{quoted(cell)} is no number" if cell else "the cell is empty"
                hint = "Numbers are written as 1.5, -2 or 1.5e-3, with a decimal point."
                if is_stamp(cell):
                    hint = "Dates and times are read where the format is table, with its columns named."
                raise TableError(f"{where}, column {i}{called}: {what}.", hint)
