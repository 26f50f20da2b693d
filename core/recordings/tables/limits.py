"""Limits of tables from strangers, and the refusal of what exceeds them, with the place."""

from __future__ import annotations

from collections.abc import Container

from framescope.core.errors import HintedError, counted

MAX_FILE_BYTES = 2_000_000_000
"""Size of a file of text: it is read block by block."""

MAX_WHOLE_BYTES = 50_000_000
"""Size up to which a text is read at once."""

MAX_PACKED_BYTES = 500_000_000
"""Size of a packed file."""

MAX_UNPACKED_BYTES = 1_000_000_000
"""Size of what a packed file says it holds."""

MAX_RATIO = 200
"""How many times larger than packed the content of a file may be, once it is larger than `ANY_RATIO_BYTES`."""

ANY_RATIO_BYTES = 16_000_000
"""Size of content up to which any ratio is let pass: a constant column packs to next to nothing."""

MAX_ROWS = 20_000_000
"""Rows of a table; for text the lines of the file, empty ones and comments among them."""

MAX_COLUMNS = 1000
MAX_CELLS = 100_000_000
"""Rows times columns: ten million rows of ten columns, 800 MB. Of a text with more every n-th row is read."""

MAX_LINE_LENGTH = 65_536
"""Characters of a line of text."""

MAX_NAME_LENGTH = 200
"""Characters of the name of a column."""


class TableError(HintedError):
    """A table cannot be used; the message says what and where, `hint` how to mend it."""


def check_size(name: str, n_rows: int, n_columns: int) -> None:
    """Refuse a table that is empty, or over a limit."""
    size = counted(n_rows, "row"), counted(n_columns, "column")
    if n_rows < 1 or n_columns < 1:
        raise TableError(f"{name} has {' and '.join(size)}, expected at least one of each.")
    if n_columns > MAX_COLUMNS:
        raise TableError(f"{name} has {n_columns} columns, at most {MAX_COLUMNS} are read.", "Keep fewer columns.")
    if n_rows > MAX_ROWS:
        raise TableError(f"{name} has {n_rows} rows, at most {MAX_ROWS} are read.", "Keep every n-th row.")
    if n_rows * n_columns > MAX_CELLS:
        raise TableError(
            f"{name} has {' of '.join(size)}, at most {MAX_CELLS} cells are read.",
            "Keep fewer columns or every n-th row.",
        )


def check_packed(name: str, n_bytes: int) -> None:
    """Refuse a packed file that is too large."""
    if n_bytes > MAX_PACKED_BYTES:
        raise TableError(f"{name} is larger than {megabytes(MAX_PACKED_BYTES)}.", "Keep fewer columns, or split it.")


def check_unpacked(name: str, unpacked: int, packed: int) -> None:
    """Refuse what unpacks to more bytes than the limits say."""
    if unpacked > MAX_UNPACKED_BYTES:
        raise TableError(
            f"{name} says it holds {megabytes(unpacked)}, at most {megabytes(MAX_UNPACKED_BYTES)} are read.",
            "Keep fewer columns or every n-th row.",
        )
    if unpacked > max(ANY_RATIO_BYTES, MAX_RATIO * packed):
        raise TableError(
            f"{name} says it holds {megabytes(unpacked)}, more than {MAX_RATIO} times its packed size.",
            "If that is true, save it without compression.",
        )


def check_name(name: str, key: str, found: Container[str]) -> None:
    """Refuse the name of a column that another one has, or that no message could show."""
    if key in found:
        raise TableError(f"{name} has two columns {quoted(key)}.", "Give every column its own name.")
    if not key.isprintable():
        raise TableError(f"{name}: the column name {quoted(key)} holds characters that do not print.", "Rename it.")
    if len(key) > MAX_NAME_LENGTH:
        raise TableError(f"{name}: the column name {quoted(key)} has more than {MAX_NAME_LENGTH} characters.")


def quoted(text: str) -> str:
    r"""Write what a file holds so that a message can show it: short, and without what does not print.

    >>> quoted("a" * 50), quoted("a\x07")
    ('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."', '"a?"')
    """
    return f'"{shown(text)}"'


def shown(text: str) -> str:
    """Write what a file holds as `quoted` does, without the quotation marks."""
    return "".join(mark if mark.isprintable() else "?" for mark in text[:40]) + ("..." if len(text) > 40 else "")


def megabytes(n_bytes: int) -> str:
    """Write a number of bytes in MB."""
    return f"{n_bytes / 1e6:.4g} MB"
