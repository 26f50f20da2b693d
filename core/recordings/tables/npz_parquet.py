"""Reader of compressed tables, NPZ and Parquet; it checks sizes before unpacking and executes no content."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError, check_size, check_unpacked_size, printable, quoted
from framescope.core.system.optional_packages import PARQUET

_NPZ = "Write one with numpy.savez_compressed(path, t=t, p=p): arrays of numbers, one row for each sample."
_DIRECTORY_ENTRY = b"PK\x01\x02"

# --- NPZ


_KINDS = "fiubUSM"
"""Kinds of numpy types that a column may have: numbers, truth values, texts and dates."""


def npz_columns(name: str, data: bytes) -> list[tuple[str, NDArray[Any]]]:
    """Read the columns (n,) of an NPZ file."""
    # Entries are counted before zipfile lists them, because a list of millions of entries would fill the memory.
    if data.count(_DIRECTORY_ENTRY) > limits.MAX_COLUMNS + 10:
        raise TableError(f"{name} holds more than {limits.MAX_COLUMNS} arrays.", _NPZ)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            check_directory(name, entries)
            arrays = [(entry.filename[:-4], read_array(name, archive, entry)) for entry in entries]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - zipfile, zlib and numpy raise a dozen kinds for damaged files
        raise TableError(f"{name} is no NPZ file, or a damaged one: {error!s:.200}.", _NPZ) from None
    arrays = _upright([(key, array) for key, array in arrays if array.ndim])
    rows = {len(array) for _, array in arrays}
    if len(rows) != 1:
        text = ", ".join(f"{printable(key)} {len(array)}" for key, array in arrays[:10])
        raise TableError(f"{name}: expected arrays of equal length, got {text or 'none'}.", _NPZ)
    columns: list[tuple[str, NDArray[Any]]] = []
    for key, array in arrays:
        places = "".join(f"[{{{k}}}]" for k in range(array.ndim - 1))
        cells = np.ndindex(array.shape[1:])
        columns += [(f"{key}{places.format(*i)}", array[(slice(None), *i)]) for i in cells]
        check_size(name, len(array), len(columns))
    return columns


def _upright(arrays: list[tuple[str, NDArray[Any]]]) -> list[tuple[str, NDArray[Any]]]:
    """Transpose 2-D arrays whose second axis has the length of the 1-D arrays."""
    lengths = {len(array) for _, array in arrays if array.ndim == 1}
    if len(lengths) != 1:
        return arrays
    n = lengths.pop()
    return [(key, array.T if array.ndim == 2 and len(array) != n == array.shape[1] else array) for key, array in arrays]


def check_directory(name: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Raise `TableError` for an archive with entries that are not arrays or exceed the limits of size."""
    for entry in entries:
        if not entry.filename.endswith(".npy"):
            raise TableError(f"{name} holds {quoted(entry.filename)}, which is no array.", _NPZ)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise TableError(f"{name}: {quoted(entry.filename)} is packed by a method that numpy does not write.", _NPZ)
    check_unpacked_size(name, sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries))


def read_array(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Read an array (n,) or (n, m), checking its header before numpy allocates memory."""
    with archive.open(entry) as packed:
        content = packed.read(entry.file_size + 1)  # without a length, zipfile would unpack everything
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(file)
    what = f"{name}: the array {quoted(entry.filename[:-4])}"
    if dtype.hasobject:
        raise TableError(
            f"{what} holds Python objects, expected numbers.", "Convert it: np.asarray(values, dtype=float)."
        )
    if dtype.kind not in _KINDS:
        raise TableError(f"{what} is of type {dtype!s:.60}, expected real numbers.", _NPZ)
    if len(shape) not in (1, 2) and (len(shape) != 3 or shape[1:] not in ((3, 3), (3, 4), (4, 4))):
        raise TableError(f"{what} has shape {shape!s:.60}, expected (n,), (n, m) or matrices (n, 4, 4).", _NPZ)
    check_size(name, max(shape), int(np.prod(shape)) // max(*shape, 1))
    if int(np.prod(shape)) * dtype.itemsize != len(content) - file.tell():
        raise TableError(f"{what} is not as long as its shape {shape} says: the file is damaged.", _NPZ)
    return np.load(io.BytesIO(content), allow_pickle=False)


# --- Parquet


def parquet_columns(name: str, data: bytes) -> list[tuple[str, Any]]:
    """Read the columns of a Parquet file as pyarrow columns, with text as dictionaries."""
    try:
        parquet = PARQUET.part("parquet")
    except ImportError:
        raise TableError(f"{name}: {PARQUET.reason}.", "Or save the table as CSV.") from None
    try:
        metadata: Any = parquet.ParquetFile(io.BytesIO(data)).metadata
        check_size(name, metadata.num_rows, metadata.num_columns)
        sizes = [metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)]
        check_unpacked_size(name, sum(sizes), len(data))
        texts = [
            metadata.schema.column(i).path
            for i in range(metadata.num_columns)
            if metadata.schema.column(i).physical_type == "BYTE_ARRAY"
        ]
        content: Any = parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts).read()
        return [(str(key), content[i]) for i, key in enumerate(content.column_names)]
    except TableError:
        raise
    except Exception as error:  # noqa: BLE001 - pyarrow has its own family, known only where it is installed
        raise TableError(f"{name} is no Parquet file, or a damaged one: {error!s:.200}.") from None
