"""Reader of text tables that are too large for memory, block by block; of too many rows, every n-th is read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.text import TextRows, content_lines, decode, text_rows

BLOCK_BYTES = 16_000_000
"""Number of bytes read at a time."""

HEAD_BYTES = 1_000_000
"""Number of bytes at the start that give the column names and an estimate of the number of rows."""

_ODD = ("#", "%", "//", '"')
"""Marks by which a block needs parsing line by line."""


@dataclass(frozen=True)
class Block:
    """Lines of a table, and the number of the first line in the file, from 1; `is_last` if no block follows."""

    lines: list[str]
    first_line: int
    is_last: bool


def head_rows(path: Path) -> tuple[TextRows, int]:
    """Return the first rows of a large text, and the step n so that every n-th row fits the limits."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    head = head[: head.rfind(b"\n") + 1]
    rows = text_rows(path.name, decode(path.name, head))
    n_rows = path.stat().st_size / len(head) * (len(rows.lines) + rows.n_skipped)
    every = max(math.ceil(n_rows * len(rows.names) / limits.MAX_CELLS), math.ceil(n_rows / limits.MAX_ROWS))
    return replace(rows, notes=tuple(note for note in rows.notes if note.kind != "last line")), every


def blocks(path: Path, n_skipped: int, every: int) -> Iterator[Block]:
    """Yield every n-th line of a large text after the skipped first lines, block by block."""
    name, rest, number, skipped, phase = path.name, b"", 1, n_skipped, 0
    with path.open("rb") as file:
        chunk = file.read(BLOCK_BYTES)
        while chunk:
            after = file.read(BLOCK_BYTES)
            data = rest + chunk
            cut = data.rfind(b"\n") + 1 if after else len(data)
            if not cut and len(data) > BLOCK_BYTES:
                raise TableError(f"{name}, line {number} has more than {limits.megabytes(BLOCK_BYTES)}.")
            text, rest, chunk = decode(name, data[:cut]), data[cut:], after
            lines = _lines(name, text, number)
            n = len(lines)
            yield Block(lines[skipped + phase :: every], number, not after)
            n_after = n - skipped
            phase, skipped = ((phase - n_after) % every, 0) if n_after >= 0 else (phase, -n_after)
            number += text.count("\n")


def _lines(name: str, text: str, first: int) -> list[str]:
    """Return the lines of a block that are neither empty nor comments."""
    if any(mark in text for mark in _ODD):
        return [content for _, content in content_lines(name, text, first)]
    return [line for line in text.splitlines() if line.strip()]
