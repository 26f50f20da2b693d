"""Drawing of the frames of an export, by number: by this process, or by several where that is faster.

Encoders take the pictures that they are given. A frame, the progress and a cancellation are the same for all of them,
and for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from framescope.app.exporters.encoding.frame_processes import FILM, ROW, draw_by_processes, in_pieces, jobs_of
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.rendering.png import png_of
from framescope.app.exporters.request import ExportRequest

MAX_OPEN_RUNS = 8
"""Largest number of runs drawn by turns, and so of chunks encoded at the same time."""


def draw_frames(request: ExportRequest, runs: Sequence[range], take: Callable[[int, Pixels], None]) -> None:
    """Draw runs of frames, and pass the number and the picture (height, width, 3 or 4) of each to `take`.

    One process draws in order, and each picture overwrites the array of the one before. Several draw some runs by
    turns, roughly in order, each picture with an array of its own. They call `take` from several threads, which it may
    block.

    Raises
    ------
    ExportError
        When a frame cannot be drawn, or `take` raises it.
    ExportCancelledError
        When the export was cancelled.
    """
    n_jobs = jobs_of(request, sum(map(len, runs)), FILM)
    if n_jobs > 1:
        width, height = request.size

        def take_pixels(i: int, content: bytes) -> None:
            take(i, np.frombuffer(content, np.uint8).reshape(height, width, -1))

        pieces = in_pieces(runs, max(1, min(MAX_OPEN_RUNS, n_jobs // 2)))
        draw_by_processes(request, pieces, n_jobs, take_pixels)
        return
    for i, frame in _frames_here(request, [i for run in runs for i in run]):
        take(i, frame)


def draw_png_files(request: ExportRequest, numbers: Sequence[int], take: Callable[[int, bytes], None]) -> None:
    """Draw frames, and pass the number and the PNG file of each to `take`, as `draw_frames` does."""
    n_jobs = jobs_of(request, len(numbers), ROW)
    if n_jobs > 1:
        draw_by_processes(request, in_pieces([numbers], 1), n_jobs, take, as_png=True)
        return
    for i, frame in _frames_here(request, numbers):
        take(i, png_of(frame, request.title, request.license))


def _frames_here(request: ExportRequest, numbers: Sequence[int]) -> Iterator[tuple[int, Pixels]]:
    frames = rendered_frames(request, request.times[list(numbers)])
    for frame, i in zip(frames, numbers, strict=True):  # frames first: after the last, they report the progress
        yield i, frame
