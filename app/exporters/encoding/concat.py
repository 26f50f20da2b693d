"""Lossless concatenation of a film's chunks, with corrected frame times and without decoding."""

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
"""File of each chunk, and its number of frames."""


def join(
    request: ExportRequest,
    how: Literal["copy", "gif", "apng"],
    arguments: Sequence[str],
    parts: Parts,
    out: Path,
    inputs: Sequence[str] = (),
) -> None:
    """Join chunks into one film; `arguments` for the film, and further `inputs`, go to ffmpeg."""
    if how == "copy":
        _copy(request, inputs, arguments, parts, out)
    elif how == "gif":
        join_gif(parts, request.fps, out, names_of(request))
    else:
        join_apng(parts, request.fps, out, names_of(request))


def names_of(request: ExportRequest) -> dict[str, str]:
    """Return title and licence of a file, by PNG's keywords, without empty ones."""
    texts = {"Title": request.title, "Copyright": request.license}
    return {key: words for key, words in texts.items() if words}


def _copy(request: ExportRequest, inputs: Sequence[str], arguments: Sequence[str], parts: Parts, out: Path) -> None:
    lines = ["ffconcat version 1.0"]
    for path, n in parts:
        # Without exact durations, each chunk would be late by the rounding errors of all chunks before it.
        quoted = str(path).replace("'", "'\\''")
        lines += [f"file 'file:{quoted}'", f"duration {n / request.fps:.6f}"]
    list_on_pipe = ["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i", "pipe:0"]
    run_ffmpeg(request, [*list_on_pipe, *inputs, "-c", "copy", *arguments, str(out)], "\n".join(lines).encode())


# --- GIF: header with palette, then per frame a control block with its duration, and an image ------------------------

_EXTENSION, _PICTURE, _CONTROL, _COMMENT, _TRAILER = 0x21, 0x2C, 0xF9, 0xFE, b"\x3b"


def join_gif(parts: Parts, fps: float, out: Path, texts: Mapping[str, str] = MappingProxyType({})) -> None:
    """Join GIF files of equal size and palette; frames end at the hundredth of a second nearest to their true end."""
    numbers = count()
    with out.open("wb") as film:
        for k, (path, _) in enumerate(parts):
            with path.open("rb") as file:
                head = _gif_head(file)
                if k == 0:
                    film.write(head)
                    film.write(_gif_comment("\n".join(f"{key}: {words}" for key, words in texts.items())))
                for block in _gif_blocks(file):
                    if (block[0], block[1]) == (_EXTENSION, _CONTROL):
                        i = next(numbers)
                        delay = round(100 * (i + 1) / fps) - round(100 * i / fps)
                        block[4:6] = struct.pack("<H", delay)
                    elif block[0] == _EXTENSION and k > 0:
                        continue  # the first file already has the loop extension
                    film.write(block)
        film.write(_TRAILER)


def _gif_head(file: BinaryIO) -> bytes:
    """Read the header before the first block: size and palette."""
    head = file.read(13)
    return head + file.read(_palette_size(head[10]))


def _gif_comment(text: str) -> bytes:
    """Return a comment block; empty for an empty text."""
    data = text.encode()
    parts = [data[i : i + 255] for i in range(0, len(data), 255)]
    blocks = b"".join(bytes((len(part),)) + part for part in parts)
    return bytes((_EXTENSION, _COMMENT)) + blocks + b"\0" if parts else b""


def _palette_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_blocks(file: BinaryIO) -> Iterator[bytearray]:
    """Yield extension and image blocks up to the trailer."""
    while (kind := file.read(1)) not in (_TRAILER, b""):
        block = bytearray(kind)
        if kind[0] == _PICTURE:
            block += file.read(9)
            block += file.read(_palette_size(block[9]))
        block += file.read(1)  # minimum code size of an image, or label of an extension
        while size := file.read(1):
            block += size + file.read(size[0])
            if size[0] == 0:
                break
        yield block


# --- APNG: chunks with length, kind and checksum; frame chunks have consecutive sequence numbers ---------------------

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_DURATION_PART = 65535
"""Largest numerator and denominator of an APNG frame's duration."""


def join_apng(parts: Parts, fps: float, out: Path, texts: Mapping[str, str] = MappingProxyType({})) -> None:
    """Join APNG files of equal size into one that loops for ever."""
    total = sum(n for _, n in parts)
    delay = Fraction(1 / fps).limit_denominator(max(1, int((_MAX_DURATION_PART - 1) * min(1.0, fps))))
    numbers = count()
    with out.open("wb") as film:
        film.write(_SIGNATURE)
        for k, (path, _) in enumerate(parts):
            is_in_frame = False
            for kind, content in _png_chunks(path):
                if kind == b"acTL" and k == 0:
                    for key, words in texts.items():
                        _write_chunk(film, b"iTXt", key.encode() + b"\0\0\0\0\0" + words.encode())
                    _write_chunk(film, kind, struct.pack(">II", total, 0))
                elif kind == b"fcTL":
                    is_in_frame = True
                    duration = struct.pack(">HH", delay.numerator, delay.denominator)
                    _write_chunk(film, kind, struct.pack(">I", next(numbers)) + content[4:20] + duration + content[24:])
                elif kind == b"fdAT" or (kind == b"IDAT" and k > 0):
                    pixels = content[4:] if kind == b"fdAT" else content
                    _write_chunk(film, b"fdAT", struct.pack(">I", next(numbers)) + pixels)
                elif kind == b"IDAT" or (k == 0 and not is_in_frame):
                    _write_chunk(film, kind, content)
        _write_chunk(film, b"IEND", b"")


def _png_chunks(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each chunk before the end chunk."""
    with path.open("rb") as file:
        file.seek(len(_SIGNATURE))
        while len(start := file.read(8)) == 8 and start[4:] != b"IEND":
            yield start[4:], file.read(int.from_bytes(start[:4], "big"))
            file.seek(4, 1)


def _write_chunk(file: BinaryIO, kind: bytes, content: bytes) -> None:
    checksum = zlib.crc32(kind + content)
    file.write(len(content).to_bytes(4, "big") + kind + content + checksum.to_bytes(4, "big"))
