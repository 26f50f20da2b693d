"""Encoding of a film's chunks: each has an encoder that gets its frames in order, in whichever order they are drawn.

An encoder ends its file in the background, while frames of later chunks are drawn.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from framescope.app.exporters.encoding.chunks import Film, inputs_of
from framescope.app.exporters.encoding.ffmpeg import Buffers, Encoder
from framescope.app.exporters.encoding.frame_drawing import draw_frames
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.request import ExportError, ExportRequest


def ignore_part(_number: int, _path: Path) -> None:
    """Report a complete chunk to nobody."""


def encode_chunks(
    request: ExportRequest,
    film: Film,
    chunks: Sequence[range],
    new_part: Callable[[], Path],
    report_part: Callable[[int, Path], object] = ignore_part,
) -> list[Path]:
    """Draw and encode chunks of a film; return the file of each.

    `report_part` gets the index and the file of each chunk as soon as it is complete, in another thread.
    """
    with ChunkEncoders(request, film, chunks, new_part, report_part) as encoders:
        draw_frames(request, chunks, encoders.take)
        return encoders.finish_all()


class ChunkEncoders:
    """Encoders of all chunks; each exists from the chunk's first frame until its file is complete."""

    def __init__(
        self,
        request: ExportRequest,
        film: Film,
        chunks: Sequence[range],
        new_part: Callable[[], Path],
        report_part: Callable[[int, Path], object] = ignore_part,
    ) -> None:
        self._request, self._film, self._new_part, self._report_part = request, film, new_part, report_part
        self._inputs = inputs_of(film, new_part)
        self._firsts = [chunk.start for chunk in chunks]
        self._chunks = [_Chunk(chunk) for chunk in chunks]
        self._spare: list[Buffers] = []  # of encoders that take no more frames
        self._ends: list[Future[None]] = []
        self._ending = ThreadPoolExecutor(1, "ends of encoders")
        self._making = threading.Lock()
        self._running = ExitStack()
        self._failure: ExportError | None = None

    def take(self, i: int, frame: Pixels) -> None:
        """Take a frame, and encode all waiting frames of its chunk that are next in order."""
        if self._failure is not None:
            raise self._failure
        chunk = self._chunks[bisect_right(self._firsts, i) - 1]
        with chunk.turn:
            chunk.waiting[i] = frame
            while chunk.next in chunk.waiting:
                chunk.encoder = chunk.encoder or self._new_encoder(chunk)
                chunk.encoder.put(chunk.waiting.pop(chunk.next))
                chunk.next += 1
                if chunk.next == chunk.stop:
                    chunk.encoder.end_input()
                    self._spare.append(chunk.encoder.buffers)
                    self._ends.append(self._ending.submit(self._finish, chunk))

    def finish_all(self) -> list[Path]:
        """Wait until all files are complete and return them; raise `ExportError` when one fails."""
        for end in self._ends:
            end.result()
        return [chunk.path for chunk in self._chunks]

    def _new_encoder(self, chunk: _Chunk) -> Encoder:
        with self._making:
            chunk.path = self._new_part()
            buffers = self._spare.pop() if self._spare else Buffers(self._request)
            self._running.callback(chunk.give_up)
        return Encoder(self._request, buffers, self._inputs, self._film.arguments, chunk.path)

    def _finish(self, chunk: _Chunk) -> None:
        try:
            chunk.finish()
        except ExportError as error:
            self._failure = error
            raise
        self._report_part(self._chunks.index(chunk), chunk.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if raised[0] is not None:  # an error: kill encoders instead of waiting for them
            self._running.close()
        self._ending.shutdown(cancel_futures=True)
        self._running.close()


class _Chunk:
    """Progress of a chunk: its next frame, and frames that arrived too early."""

    def __init__(self, frames: range) -> None:
        self.next, self.stop = frames.start, frames.stop
        self.waiting: dict[int, Pixels] = {}
        self.turn = threading.Lock()
        self.path = Path()
        self.encoder: Encoder | None = None

    def finish(self) -> None:
        """Wait for the file, and release the encoder and its memory."""
        encoder = self.encoder  # `give_up` may clear it in another thread
        if encoder is not None:
            encoder.finish()
            self.give_up()

    def give_up(self) -> None:
        """Kill the encoder, if any."""
        encoder, self.encoder = self.encoder, None
        if encoder is not None:
            encoder.give_up()
