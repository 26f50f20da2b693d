"""Text tables too large to be held at once: their lines block by block, every n-th where there are too many."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.text import TextRows, content_lines, decoded, text_rows

BLOCK_BYTES = 16_000_000
"""What is read at a time."""

HEAD_BYTES = 1_000_000
"""What tells the names of the columns, and how many rows there are."""

_ODD = ("#", "%", "//", '"')
"""What lines hold that have to be looked at one by one."""


@dataclass(frozen=True)
class Block:
    """Some lines of a table, and the first line of the file that they are from, from 1; `is_last` where none follow."""

    lines: list[str]
    first_line: int
    is_last: bool


def head_rows(path: Path) -> tuple[TextRows, int]:
    """Return the names of the columns of a large text, its first lines, and which rows fit: every n-th of them."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    head = head[: head.rfind(b"\n") + 1]
    rows = text_rows(path.name, decoded(path.name, head))
    n_rows = path.stat().st_size / len(head) * (len(rows.lines) + rows.n_skipped)
    every = max(math.ceil(n_rows * len(rows.names) / limits.MAX_CELLS), math.ceil(n_rows / limits.MAX_ROWS))
    return replace(rows, notes=tuple(note for note in rows.notes if note.kind != "last line")), every


def blocks(path: Path, n_skipped: int, every: int) -> Iterator[Block]:
    """Yield the lines of a large text block by block, less the first ones, every n-th of them."""
    name, rest, number, skipped, phase = path.name, b"", 1, n_skipped, 0
    with path.open("rb") as file:
        chunk = file.read(BLOCK_BYTES)
        while chunk:
            after = file.read(BLOCK_BYTES)
            data = rest + chunk
            cut = data.rfind(b"\n") + 1 if after else len(data)
            if not cut and len(data) > BLOCK_BYTES:
                raise TableError(f"{name}, line {number} has more than {limits.megabytes(BLOCK_BYTES)}.")
            text, rest, chunk = decoded(name, data[:cut]), data[cut:], after
            lines = _lines(name, text, number)
            n = len(lines)
            yield Block(lines[skipped + phase :: every], number, not after)
            left = n - skipped
            phase, skipped = ((phase - left) % every, 0) if left >= 0 else (phase, -left)
            number += text.count("\n")


def _lines(name: str, text: str, first: int) -> list[str]:
    """Return the lines of a block that are neither empty nor comments."""
    if any(mark in text for mark in _ODD):
        return [content for _, content in content_lines(name, text, first)]
    return [line for line in text.splitlines() if line.strip()]
