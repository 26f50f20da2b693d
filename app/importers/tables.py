"""Tables as text, trajectories of TUM, KITTI and EuRoC among them, in NPZ and in Parquet."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from framescope.app.importers.contents import Contents, Stream
from framescope.core.recordings.tables.cells import cells_of, has_decimal_comma, is_number
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.recordings.tables.text import decode, text_rows

_LOOKED_AT = 100
"""Rows."""

_LIST = re.compile(rb"\s*(\[\s*\{|\{[^\n]*\}\s*\{)")
_LIST_BYTES = 65_536


def is_text(head: bytes, size: int) -> bool:
    """Return whether a text has rows of as many cells as its first, with numbers in each."""
    data = head if len(head) == size or _LIST.match(head) else head.rpartition(b"\n")[0]
    if not data or (_LIST.match(data) and len(data) > _LIST_BYTES):
        data = head[:_LIST_BYTES]  # of a list, items that are whole do
    try:
        text = decode("", data)
        rows = text_rows("", text)
    except TableError:
        return False
    if text.lstrip().startswith("{"):  # else it would have become a table
        return False
    cells = [cells_of(line, rows.separator) for line in rows.lines[:_LOOKED_AT]]
    return all(
        len(row) == len(rows.names) and any(is_number(cell) or has_decimal_comma(cell) for cell in row) for row in cells
    )


def is_npz(head: bytes, _size: int) -> bool:
    """Return whether a zip begins with an array: its name stands after 30 bytes, of which two say how long it is."""
    length = int.from_bytes(head[26:28], "little")
    return head.startswith(b"PK\x03\x04") and head[30 : 30 + length].endswith(b".npy")


def is_parquet(head: bytes, _size: int) -> bool:
    """Return whether a file begins with the mark of the format."""
    return head.startswith(b"PAR1")


def read(path: Path) -> Contents:
    """Return the table that a file is; it is read when it is looked at."""
    return Contents(recordings=(Stream(path.name, partial(read_once, path)),))
