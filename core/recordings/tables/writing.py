"""Atomic writers of tables: CSV, NPZ and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import numpy as np

from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.kernels.validation import Array
from framescope.core.system.atomic_write import atomically
from framescope.core.system.optional_packages import PARQUET


class TableFileError(FramescopeError):
    """Error of a table that cannot be written; the message states the reason and a remedy."""


def write_table(path: Path, columns: Mapping[str, Array]) -> None:
    """Write columns (n,) of numbers to a file in the format of its extension: .csv, .npz or .parquet.

    Raises
    ------
    TableFileError
        When the extension is unknown, Parquet is not installed, or the file cannot be written.
    """
    write = WRITERS.get(path.suffix.lower())
    if write is None:
        raise TableFileError(
            f'{path.name}: "{path.suffix}" is no format of tables. {did_you_mean(path.suffix, WRITERS)}'
        )
    try:
        with atomically(path) as temporary:
            write(temporary, columns)
    except OSError as error:
        raise TableFileError(f"{path} cannot be written: {error.strerror or error}.") from None


def text_cell(text: str) -> str:
    r"""Escape a text for a CSV cell, because spreadsheets evaluate texts that start like a formula.

    >>> text_cell('=HYPERLINK("http://example.org")'), text_cell("x of arm [m]")
    ('\'=HYPERLINK("http://example.org")', 'x of arm [m]')
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def write_csv(file: IO[str], columns: Mapping[str, Array]) -> None:
    """Write columns as CSV, with numbers that read back to the same bits and empty cells for NaN."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(text_cell, columns))
    for row in np.stack(list(columns.values()), axis=-1).tolist():
        writer.writerow("" if x != x else repr(x) for x in row)  # noqa: PLR0124 (NaN is not itself)


def _csv(path: Path, columns: Mapping[str, Array]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, columns)


def _npz(path: Path, columns: Mapping[str, Array]) -> None:
    # Column names may be invalid as file names, so a separate array stores them.
    with path.open("wb") as file:
        np.savez_compressed(file, columns=np.array(list(columns)), values=np.stack(list(columns.values()), axis=-1))


def _parquet(path: Path, columns: Mapping[str, Array]) -> None:
    try:
        pa, parquet = PARQUET.part(), PARQUET.part("parquet")
    except ImportError:
        raise TableFileError(f"{path.name}: {PARQUET.reason}") from None
    parquet.write_table(pa.table({name: np.ascontiguousarray(values) for name, values in columns.items()}), path)


WRITERS: Mapping[str, Callable[[Path, Mapping[str, Array]], None]] = {
    ".csv": _csv,
    ".npz": _npz,
    ".parquet": _parquet,
}
