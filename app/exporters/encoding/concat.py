"""Concatenation of the chunks of a film without loss: nothing is decoded, and every frame is shown when it is due."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Literal

from framescope.app.exporters.encoding.ffmpeg import run_ffmpeg
from framescope.app.exporters.request import ExportRequest

Parts = Sequence[tuple[Path, int]]
"""The file of each chunk, and how many frames are in it."""


def join(
    request: ExportRequest, how: Literal["copy", "gif", "apng"], arguments: Sequence[str], parts: Parts, out: Path
) -> None:
    """Make one film of its chunks; `arguments` are for ffmpeg."""
    if how == "copy":
        _copy(request, arguments, parts, out)
    elif how == "gif":
        join_gif(parts, request.fps, out, names_of(request))
    else:
        join_apng(parts, request.fps, out, names_of(request))


def names_of(request: ExportRequest) -> dict[str, str]:
    """Return what is said of a file in its own data, by the keywords that PNG has for it."""
    message = {"Title": request.title, "Copyright": request.license}
    return {key: words for key, words in message.items() if words}


def _copy(request: ExportRequest, arguments: Sequence[str], parts: Parts, out: Path) -> None:
    lines = ["ffconcat version 1.0"]
    for path, n in parts:
        # Without its true duration the times of a chunk would be off by what its format has rounded those before it.
        quoted = str(path).replace("'", "'\\''")
        lines += [f"file 'file:{quoted}'", f"duration {n / request.fps:.6f}"]
    list_on_pipe = ["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i", "pipe:0"]
    run_ffmpeg(request, [*list_on_pipe, "-c", "copy", *arguments, str(out)], "\n".join(lines).encode())


# --- GIF: a head with the palette, then for each frame a control block, with its time, and a picture ----------------

_EXTENSION, _PICTURE, _CONTROL, _COMMENT, _TRAILER = 0x21, 0x2C, 0xF9, 0xFE, b"\x3b"


def join_gif(parts: Parts, fps: float, out: Path, message: Mapping[str, str] = MappingProxyType({})) -> None:
    """Join GIF files of one size and palette; each frame ends at the hundredth of a second nearest to its end."""
    numbers = count()
    with out.open("wb") as joined:
        for k, (path, _) in enumerate(parts):
            with path.open("rb") as file:
                head = _gif_head(file)
                if k == 0:
                    joined.write(head)
                    joined.write(_gif_comment("\n".join(f"{key}: {words}" for key, words in message.items())))
                for block in _gif_blocks(file):
                    if (block[0], block[1]) == (_EXTENSION, _CONTROL):
                        i = next(numbers)
                        delay = round(100 * (i + 1) / fps) - round(100 * i / fps)
                        block[4:6] = struct.pack("<H", delay)
                    elif block[0] == _EXTENSION and k > 0:
                        continue  # how often it plays is said once
                    joined.write(block)
        joined.write(_TRAILER)


def _gif_head(file: BinaryIO) -> bytes:
    """Return what stands before the first block: size and palette."""
    head = file.read(13)
    return head + file.read(_palette_size(head[10]))


def _gif_comment(text: str) -> bytes:
    """Return the block of a comment; nothing for an empty one."""
    data = text.encode()
    parts = [data[i : i + 255] for i in range(0, len(data), 255)]
    blocks = b"".join(bytes((len(part),)) + part for part in parts)
    return bytes((_EXTENSION, _COMMENT)) + blocks + b"\0" if parts else b""


def _palette_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_blocks(file: BinaryIO) -> Iterator[bytearray]:
    """Yield extensions and pictures up to the trailer."""
    while (kind := file.read(1)) not in (_TRAILER, b""):
        block = bytearray(kind)
        if kind[0] == _PICTURE:
            block += file.read(9)
            block += file.read(_palette_size(block[9]))
        block += file.read(1)  # the size of codes, or the kind of extension
        while size := file.read(1):
            block += size + file.read(size[0])
            if size[0] == 0:
                break
        yield block


# --- APNG: chunks with a length, a kind and a checksum; those of frames are numbered through -------------------------

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST = 65535
"""Of the two numbers whose ratio is how long a picture of an APNG is shown."""


def join_apng(parts: Parts, fps: float, out: Path, message: Mapping[str, str] = MappingProxyType({})) -> None:
    """Join APNG files of one size; the joined one plays without end."""
    total = sum(n for _, n in parts)
    delay = Fraction(1 / fps).limit_denominator(max(1, int((_MOST - 1) * min(1.0, fps))))
    numbers = count()
    with out.open("wb") as joined:
        joined.write(_SIGNATURE)
        for k, (path, _) in enumerate(parts):
            is_in_frame = False
            for kind, content in _png_chunks(path):
                if kind == b"acTL" and k == 0:
                    for key, words in message.items():
                        _write_chunk(joined, b"iTXt", key.encode() + b"\0\0\0\0\0" + words.encode())
                    _write_chunk(joined, kind, struct.pack(">II", total, 0))
                elif kind == b"fcTL":
                    is_in_frame = True
                    text = struct.pack(">HH", delay.numerator, delay.denominator)
                    _write_chunk(joined, kind, struct.pack(">I", next(numbers)) + content[4:20] + text + content[24:])
                elif kind == b"fdAT" or (kind == b"IDAT" and k > 0):
                    pixels = content[4:] if kind == b"fdAT" else content
                    _write_chunk(joined, b"fdAT", struct.pack(">I", next(numbers)) + pixels)
                elif kind == b"IDAT" or (k == 0 and not is_in_frame):
                    _write_chunk(joined, kind, content)
        _write_chunk(joined, b"IEND", b"")


def _png_chunks(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each chunk up to the end."""
    with path.open("rb") as file:
        file.seek(len(_SIGNATURE))
        while len(start := file.read(8)) == 8 and start[4:] != b"IEND":
            yield start[4:], file.read(int.from_bytes(start[:4], "big"))
            file.seek(4, 1)


def _write_chunk(file: BinaryIO, kind: bytes, content: bytes) -> None:
    checksum = zlib.crc32(kind + content)
    file.write(len(content).to_bytes(4, "big") + kind + content + checksum.to_bytes(4, "big"))
