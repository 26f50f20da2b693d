"""Chunks of films: runs of frames that are encoded each for itself and joined without loss.

A chunk needs nothing of the others, so that it can be rendered anywhere and done again; here or on a cluster, the same
chunks give the same film. What a chunk is must therefore depend neither on the machine nor on the number of workers.
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
    """Encoding of frames as a film.

    Attributes
    ----------
    arguments
        How ffmpeg encodes a chunk.
    joined
        How chunks are joined: by ffmpeg's copy, or block by block.
    joining
        What ffmpeg is told when it joins.
    palette
        A picture that ffmpeg reads besides the frames; none when empty.
    """

    arguments: tuple[str, ...]
    joined: Literal["copy", "gif", "apng"] = "copy"
    joining: tuple[str, ...] = ()
    palette: bytes = b""


CHUNK = 240
"""Frames of a chunk: some seconds, which is as far apart as pictures may be that a player can jump to."""


def spans(count: int) -> list[range]:
    """Return the numbers of the frames of each chunk.

    >>> spans(500)
    [range(0, 240), range(240, 480), range(480, 500)]
    """
    return [range(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]


@contextmanager
def parts_of(path: Path) -> Generator[Callable[[], Path]]:
    """Give what makes empty files for the parts of a film; all are removed at the end.

    They lie beside the film, where there must be room anyway, and are called as what `atomically` writes.
    """
    with contextlib.ExitStack() as made:
        yield lambda: made.enter_context(partial_beside(path.resolve()))


def encoded_here(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path]
) -> list[Path]:
    """Render and encode chunks that follow each other; return the file of each.

    While an encoder writes the end of a chunk, the next chunk has begun.
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
    """Return what ffmpeg is told to read besides the frames."""
    if not film.palette:
        return ()
    path = new_part()
    path.write_bytes(film.palette)
    return ("-f", "png_pipe", "-i", str(path))
