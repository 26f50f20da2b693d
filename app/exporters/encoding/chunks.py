"""Chunks of films: runs of frames that are encoded separately and joined without loss.

Chunks are independent: each can be rendered on any machine and repeated after a failure. The division into chunks
depends neither on the machine nor on the number of workers, so the film is always the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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


def inputs_of(film: Film, new_part: Callable[[], Path]) -> tuple[str, ...]:
    """Return ffmpeg's arguments for its inputs besides the frames; write the palette to a part of the film."""
    if not film.palette:
        return ()
    path = new_part()
    path.write_bytes(film.palette)
    return ("-f", "png_pipe", "-i", str(path))
