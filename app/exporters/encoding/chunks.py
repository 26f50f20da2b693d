"""Chunks of films: runs of frames that are encoded separately and joined without loss.

Chunks are independent: each can be rendered on any machine and repeated after a failure. The division into chunks
depends neither on the machine nor on the number of workers, so the film is always the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from framescope.app.exporters.encoding.ffmpeg import Buffers, Encoder
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import partial_beside


@dataclass(frozen=True)
class Film:
    """Encoder settings of a film.

    Attributes
    ----------
    arguments
        ffmpeg's arguments to encode a chunk.
    joined
        How chunks are joined: by ffmpeg's stream copy, or block by block in the format named.
    joining
        ffmpeg's arguments to join chunks.
    palette
        PNG file that ffmpeg reads besides the frames; empty for none.
    """

    arguments: tuple[str, ...]
    joined: Literal["copy", "gif", "apng"] = "copy"
    joining: tuple[str, ...] = ()
    palette: bytes = b""


CHUNK = 240
"""Frames of a chunk, and so the longest distance between key frames, to which players can jump."""


def spans(count: int) -> list[range]:
    """Divide `count` frames into chunks of frame numbers.

    >>> spans(500)
    [range(0, 240), range(240, 480), range(480, 500)]
    """
    return [range(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]


@contextmanager
def parts_of(path: Path) -> Generator[Callable[[], Path]]:
    """Yield a function that creates empty files for the parts of a film, and remove all of them at the end.

    The files lie beside the film, where disk space is needed anyway. `atomically` names them.
    """
    with contextlib.ExitStack() as files:
        yield lambda: files.enter_context(partial_beside(path.resolve()))


def encoded_here(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path]
) -> list[Path]:
    """Render and encode consecutive chunks; return the file of each.

    The next chunk starts while the encoder still writes the end of the previous one.
    """
    frames = rendered_frames(request, request.times[chunks[0].start : chunks[-1].stop])
    buffers, inputs = Buffers(request), inputs_of(film, new_part)
    done, total = 0, sum(map(len, chunks))
    parts: list[Path] = []
    former: Encoder | None = None
    with contextlib.ExitStack() as running:
        for chunk in chunks:
            parts.append(new_part())
            encoder = Encoder(request, buffers, inputs, film.arguments, parts[-1])
            running.callback(encoder.give_up)
            for frame in islice(frames, len(chunk)):
                encoder.put(frame)
                done += 1
                request.progress(done, total)
            encoder.end_input()
            if former is not None:
                former.finish()
            former = encoder
        if former is not None:
            former.finish()
    return parts


def inputs_of(film: Film, new_part: Callable[[], Path]) -> tuple[str, ...]:
    """Return ffmpeg's arguments for its inputs besides the frames; write the palette to a part of the film."""
    if not film.palette:
        return ()
    path = new_part()
    path.write_bytes(film.palette)
    return ("-f", "png_pipe", "-i", str(path))
