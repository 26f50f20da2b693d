"""Size limits of tables from untrusted files, and the errors when a table exceeds them."""

from __future__ import annotations

from collections.abc import Container

from framescope.core.errors import HintedError, counted

MAX_FILE_BYTES = 2_000_000_000
"""Largest size of a text file, which is read block by block."""

MAX_WHOLE_BYTES = 50_000_000
"""Largest size of a text that is read at once."""

MAX_PACKED_BYTES = 500_000_000
"""Largest size of a compressed file."""

MAX_UNPACKED_BYTES = 1_000_000_000
"""Largest uncompressed size that a compressed file may declare."""

MAX_RATIO = 200
"""Largest ratio of uncompressed to compressed size, for content larger than `ANY_RATIO_BYTES`."""

ANY_RATIO_BYTES = 16_000_000
"""Size of content up to which any compression ratio is accepted, as constant columns compress to almost nothing."""

MAX_ROWS = 20_000_000
"""Largest number of rows of a table; in text files, empty lines and comments count, too."""

MAX_COLUMNS = 1000
MAX_CELLS = 100_000_000
"""Largest number of rows times columns: ten million rows of ten columns, 800 MB.

Of larger texts, every n-th row is read.
"""

MAX_LINE_LENGTH = 65_536
"""Largest number of characters of a line of text."""

MAX_NAME_LENGTH = 200
"""Largest number of characters of a column name."""


class TableError(HintedError):
    """Error of a table that cannot be used; the message states the fault and its place, `hint` the fix."""


def check_size(name: str, n_rows: int, n_columns: int) -> None:
    """Raise `TableError` for a table that is empty or exceeds a limit."""
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


def check_packed_size(name: str, n_bytes: int) -> None:
    """Raise `TableError` for a compressed file that is too large."""
    if n_bytes > MAX_PACKED_BYTES:
        raise TableError(f"{name} is larger than {megabytes(MAX_PACKED_BYTES)}.", "Keep fewer columns, or split it.")


def check_unpacked_size(name: str, unpacked: int, packed: int) -> None:
    """Raise `TableError` for content whose uncompressed size exceeds the limits."""
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


def check_name(name: str, key: str, names: Container[str]) -> None:
    """Raise `TableError` for a column name that is repeated, too long or not printable."""
    if key in names:
        raise TableError(f"{name} has two columns {quoted(key)}.", "Give every column its own name.")
    if not key.isprintable():
        raise TableError(f"{name}: the column name {quoted(key)} holds characters that do not print.", "Rename it.")
    if len(key) > MAX_NAME_LENGTH:
        raise TableError(f"{name}: the column name {quoted(key)} has more than {MAX_NAME_LENGTH} characters.")


def quoted(text: str) -> str:
    r"""Quote text from a file for a message: shortened, with unprintable characters replaced.

    >>> quoted("a" * 50), quoted("a\x07")
    ('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."', '"a?"')
    """
    return f'"{printable(text)}"'


def printable(text: str) -> str:
    """Shorten text from a file and replace its unprintable characters."""
    return "".join(mark if mark.isprintable() else "?" for mark in text[:40]) + ("..." if len(text) > 40 else "")


def megabytes(n_bytes: int) -> str:
    """Format a number of bytes in MB."""
    return f"{n_bytes / 1e6:.4g} MB"
