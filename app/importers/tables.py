"""Tables as text, including TUM, KITTI and EuRoC trajectories, and in NPZ and Parquet files."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from framescope.app.importers.contents import Contents, Stream
from framescope.core.recordings.tables.cells import cells_of, has_decimal_comma, is_number
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.recordings.tables.text import decode, text_rows

_CHECKED_ROWS = 100
"""Number of rows that are checked."""

_LIST = re.compile(rb"\s*(\[\s*\{|\{[^\n]*\}\s*\{)")
_LIST_BYTES = 65_536


def is_text(head: bytes, size: int) -> bool:
    """Return whether a text has rows with as many cells as the first, and a number in each."""
    data = head if len(head) == size or _LIST.match(head) else head.rpartition(b"\n")[0]
    if not data or (_LIST.match(data) and len(data) > _LIST_BYTES):
        data = head[:_LIST_BYTES]  # of a list, some complete items are enough
    try:
        text = decode("", data)
        rows = text_rows("", text)
    except TableError:
        return False
    if text.lstrip().startswith("{"):  # JSON that has not become a table
        return False
    cells = [cells_of(line, rows.separator) for line in rows.lines[:_CHECKED_ROWS]]
    return all(
        len(row) == len(rows.names) and any(is_number(cell) or has_decimal_comma(cell) for cell in row) for row in cells
    )


def is_npz(head: bytes, _size: int) -> bool:
    """Return whether a zip begins with an array: byte 30 starts its name, bytes 26 and 27 hold the name's length."""
    length = int.from_bytes(head[26:28], "little")
    return head.startswith(b"PK\x03\x04") and head[30 : 30 + length].endswith(b".npy")


def is_parquet(head: bytes, _size: int) -> bool:
    """Return whether a file begins with Parquet's magic bytes."""
    return head.startswith(b"PAR1")


def read(path: Path) -> Contents:
    """Return the table in a file, which is read when it is needed."""
    return Contents(recordings=(Stream(path.name, partial(read_once, path)),))
