"""Decompression of parts of bags, each up to its stated size."""

from __future__ import annotations

import bz2
from pathlib import Path
from typing import Any

from framescope.core.errors import counted
from framescope.core.system.optional_packages import LZ4, ZSTD, Extra
from framescope.features.bags.core.bag import BagError, MissingPackageError

MAX_PART = 1 << 28
"""Limit of bytes of one part that is read or unpacked; writers make parts of a few megabytes."""

_BLOCK = 1 << 20

MAX_RATIO, FREE_BYTES = 200, 1 << 24
"""Limit of the ratio of unpacked to packed size of a whole file, for files larger than `FREE_BYTES`."""


def unpack_part(data: bytes | memoryview, method: str, size: int, *, is_cut: bool = False) -> bytes | memoryview:
    """Return the unpacked contents of a part.

    Parameters
    ----------
    data
        The packed part.
    method
        ``""`` or ``"none"``, ``"bz2"``, ``"lz4"`` or ``"zstd"``.
    size
        Expected number of unpacked bytes.
    is_cut
        Whether the end of `data` is missing. The readable beginning is returned then.

    Raises
    ------
    BagError
        When the part cannot be unpacked or has another size.
    MissingPackageError
        When the package that unpacks it is not installed.
    """
    if method in ("", "none"):
        return data
    require_part(size)
    try:
        out = _unpack(data, method, size)
    except (OSError, EOFError, RuntimeError, ValueError) as error:
        raise BagError(f"a part packed with {method} is damaged ({error})") from None
    if len(out) > size or (len(out) < size and not is_cut):
        raise BagError(f"a part packed with {method} is damaged: it has {counted(len(out), 'byte')} and not {size:,}")
    return out


def require_part(size: int) -> None:
    """Raise `BagError` for a part larger than `MAX_PART`."""
    if size > MAX_PART:
        raise BagError(f"a part of {size:,} bytes exceeds the limit of {MAX_PART:,} bytes")


def too_large(n_messages: int) -> str:
    """Return the message about messages larger than `MAX_PART`."""
    subject = "1 message" if n_messages == 1 else f"{n_messages:,} messages"
    return f"{subject} of over {MAX_PART:,} bytes {'is' if n_messages == 1 else 'are'} left out"


def require_extra(extra: Extra) -> Extra:
    """Return an extra that a bag needs; raise `MissingPackageError` if it is not installed."""
    if not extra.is_installed:
        raise MissingPackageError(f"{extra.reason}.")
    return extra


def _unpack(data: bytes | memoryview, method: str, size: int) -> bytes:
    if method == "bz2":
        return bz2.BZ2Decompressor().decompress(bytes(data), size + 1)
    if method == "lz4":
        return require_extra(LZ4).part("frame").LZ4FrameDecompressor().decompress(data, size + 1)
    if method == "zstd":
        return _zstd(data, size)
    raise BagError(f"a part is packed with the unknown method {method}: expected none, bz2, lz4 or zstd")


def _zstd(data: bytes | memoryview, size: int) -> bytes:
    zstd: Any = require_extra(ZSTD).part()
    try:
        with zstd.ZstdDecompressor().stream_reader(data) as reader:
            return reader.read(size + 1)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from None


def zstd_message(data: bytes | memoryview) -> bytes:
    """Return the unpacked bytes of a message that was packed on its own."""
    try:
        out = _zstd(data, MAX_PART)
    except ValueError as error:
        raise BagError(f"a message packed with zstd is damaged ({error})") from None
    if len(out) > MAX_PART:
        raise BagError("a message packed with zstd exceeds the limit of unpacked bytes")
    return out


def unpack_file(source: Path, target: Path) -> None:
    """Unpack a zstd file into another file, as far as it is readable, without holding it in memory.

    Raises
    ------
    BagError
        When it unpacks to over `MAX_RATIO` times its packed size.
    """
    zstd: Any = require_extra(ZSTD).part()
    room = max(FREE_BYTES, MAX_RATIO * source.stat().st_size)
    with source.open("rb") as packed, target.open("wb") as out:
        try:
            with zstd.ZstdDecompressor().stream_reader(packed) as reader:
                while block := reader.read(_BLOCK):
                    room -= len(block)
                    if room < 0:
                        raise BagError(f"{source.name} has over {MAX_RATIO} times its packed size, and is not unpacked")
                    out.write(block)
        except zstd.ZstdError:  # a file that was cut off: use the beginning
            return
