"""Encoding of films drawn by several processes: each chunk has an encoder that gets its frames in order.

Chunks and frames are the same as for a film drawn by one process, and so is the file.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import numpy as np

from framescope.app.exporters.encoding.chunks import Film, inputs_of
from framescope.app.exporters.encoding.ffmpeg import Buffers, Encoder
from framescope.app.exporters.encoding.frame_processes import draw_by_processes, in_pieces
from framescope.app.exporters.request import ExportError, ExportRequest

MAX_OPEN_CHUNKS = 8
"""Largest number of chunks encoded at the same time."""


def encoded_by_processes(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path], n_jobs: int
) -> list[Path]:
    """Draw frames in `n_jobs` processes and encode them here; return the file of each chunk."""
    pieces = in_pieces(chunks, max(1, min(MAX_OPEN_CHUNKS, n_jobs // 2)))
    with _Encoders(request, film, chunks, new_part) as encoders:
        draw_by_processes(request, pieces, n_jobs, encoders.take)
        return encoders.finish_all()


class _Encoders:
    """Encoders of all chunks; each exists from the chunk's first frame until its file is complete."""

    def __init__(
        self, request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path]
    ) -> None:
        self._request, self._film, self._new_part = request, film, new_part
        self._inputs = inputs_of(film, new_part)
        self._firsts = [chunk.start for chunk in chunks]
        self._chunks = [_Chunk(chunk) for chunk in chunks]
        self._ends: list[Future[None]] = []
        self._ending = ThreadPoolExecutor(1, "ends of encoders")
        self._making = threading.Lock()
        self._running = ExitStack()
        self._failure: ExportError | None = None

    def take(self, i: int, pixels: bytes) -> None:
        """Take the pixels of a frame, and encode all waiting frames of its chunk that are next in order."""
        if self._failure is not None:
            raise self._failure
        chunk = self._chunks[bisect_right(self._firsts, i) - 1]
        with chunk.turn:
            chunk.waiting[i] = pixels
            while chunk.next in chunk.waiting:
                chunk.encoder = chunk.encoder or self._new_encoder(chunk)
                chunk.encoder.put(self._frame(chunk.waiting.pop(chunk.next)))
                chunk.next += 1
                if chunk.next == chunk.stop:
                    chunk.encoder.end_input()
                    self._ends.append(self._ending.submit(self._finish, chunk))

    def finish_all(self) -> list[Path]:
        """Wait until all files are complete and return them; raise `ExportError` when one fails."""
        for end in self._ends:
            end.result()
        return [chunk.path for chunk in self._chunks]

    def _new_encoder(self, chunk: _Chunk) -> Encoder:
        with self._making:
            chunk.path = self._new_part()
            self._running.callback(chunk.give_up)
        return Encoder(self._request, Buffers(self._request), self._inputs, self._film.arguments, chunk.path)

    def _finish(self, chunk: _Chunk) -> None:
        try:
            chunk.finish()
        except ExportError as error:
            self._failure = error
            raise

    def _frame(self, pixels: bytes) -> np.ndarray:
        width, height = self._request.size
        return np.frombuffer(pixels, np.uint8).reshape(height, width, -1)

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
        self.waiting: dict[int, bytes] = {}
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
