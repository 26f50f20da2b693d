"""Reader of text tables: cells separated by commas, semicolons, tabs or spaces, with or without a header, in UTF-8."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from framescope.core.kernels.rounding import LARGE, rest_of_texts
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.iso_timestamps import is_stamp
from framescope.core.recordings.tables.limits import TableError, check_size, quoted, shown

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_TEXT = "Write a table as text: one row a line, cells separated by commas, semicolons, tabs or spaces, in UTF-8."


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


def text_rests(rows: TextRows, columns: Sequence[Array]) -> list[Array | None]:
    """Return what rounding took off the columns of a text, None for those that it left alone."""
    large = [i for i, column in enumerate(columns) if np.nanmax(np.abs(column), initial=0.0) >= LARGE]
    rests: list[Array | None] = [None] * len(columns)
    if large:
        has_quotes = any('"' in line for line in rows.lines)
        split = cells_of if has_quotes else _split
        cells = [split(line, rows.separator) for line in rows.lines]
        for i in large:
            rests[i] = rest_of_texts([row[i] for row in cells], columns[i])
    return rests


def _split(line: str, separator: str | None) -> list[str]:
    """Return the cells of a line without quotes; a number may have blanks around it."""
    return [cell.strip() for cell in line.split(separator)]


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
        if number > limits.MAX_ROWS:
            raise TableError(f"{name} has more than {limits.MAX_ROWS} lines.", "Keep every n-th row.")
        if len(line) > limits.MAX_LINE_LENGTH:
            raise TableError(
                f"{name}, line {number} has {len(line)} characters, at most {limits.MAX_LINE_LENGTH} are read.",
                _TEXT,
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
    if found == "\t" and any(" " in cell and not is_stamp(cell) for cell in map(str.strip, line.split("\t"))):
        return None
    return found


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


def places(n: int) -> list[str]:
    """Return the names of columns that have none: their places, from 1."""
    return [str(i) for i in range(1, n + 1)]


def raise_first_problem(name: str, text: str) -> None:
    """Raise a `TableError` that names the first cell of a text that is no finite number, if there is one."""
    rows = text_rows(name, text)
    for number, line in islice(content_lines(name, text), rows.n_skipped, None):
        where, cells = f"{name}, line {number}", cells_of(line, rows.separator)
        for i, (column, cell) in enumerate(zip(rows.names, cells, strict=True), 1):
            called = "" if column == str(i) else f" ({shown(column)})"
            is_number = _NUMBER.fullmatch(cell)
            if _NOT_FINITE.fullmatch(cell) or (is_number and not np.isfinite(float(cell))):
                raise TableError(
                    f"{where}, column {i}{called}: {quoted(cell)} is no finite number.", "Remove that line or mend it."
                )
            if not is_number:
                what = f"{quoted(cell)} is no number" if cell else "the cell is empty"
                hint = "Numbers are written as 1.5, -2 or 1.5e-3, with a decimal point."
                if is_stamp(cell):
                    hint = "Dates and times are read where the format is table, with its columns named."
                raise TableError(f"{where}, column {i}{called}: {what}.", hint)
